//! What is said of the tools of a server beside the protocol: in which hosts they work, what they cost, and more.

use std::sync::Arc;

use sonde_findings::ByRule;
use sonde_lint::{Lint, Others, Tool};
use sonde_mcp::CatalogItem;

use super::{
    catalog::{FoundByLint, Linted, Listed},
    kind::CatalogKind,
};
use crate::{Error, Explorer, changes::Change, core::Core, servers::ServerId};

/// A tool as it is judged; nothing but its name for an item of another kind.
#[must_use]
pub fn definition(item: &CatalogItem) -> Tool<'_> {
    let tool = item.tool();
    let hints = tool.map(|tool| tool.annotations).unwrap_or_default();
    Tool {
        name: &item.name,
        title: item.title.as_deref(),
        description: item.description.as_deref(),
        input_schema: tool
            .and_then(|tool| tool.input_schema.as_ref())
            .map(|schema| schema.get()),
        read_only: hints.read_only,
        destructive: hints.destructive,
        open_world: hints.open_world,
        raw: item.raw.get(),
    }
}

/// Judges the tools of a server, unless that was done for the list as it is and under the server's present name.
/// `None` where no list was read. Ten thousand tools take a fraction of a second of another thread.
pub(crate) async fn lint_tools(core: &Core, server: &str) -> Option<Linted> {
    let (name, listed, revision, before, others, instructions) = core.state(|state| {
        let name = state.servers.get(server)?.config.name.clone();
        let catalog = state.catalogs.get(server, CatalogKind::Tools)?;
        if catalog.revision == 0 {
            return None;
        }
        let others: Vec<(String, Arc<Listed>)> = state
            .servers
            .iter()
            .filter(|other| other.id != server)
            .filter_map(|other| {
                let catalog = state.catalogs.get(&other.id, CatalogKind::Tools)?;
                Some((other.config.name.clone(), catalog.listed.clone()))
            })
            .collect();
        let listed = catalog.listed.clone();
        let session = state.session(server);
        let instructions = session.and_then(|session| session.instructions.clone());
        let before = catalog.lint.clone();
        Some((name, listed, catalog.revision, before, others, instructions))
    })?;
    if let Some(before) = &before
        && Arc::ptr_eq(&before.listed, &listed)
        && before.lint.server() == name
    {
        return Some(before.clone());
    }
    let of = listed.clone();
    let lint = tokio::task::spawn_blocking(move || {
        let mut known = Others::default();
        for (server, listed) in &others {
            for item in listed.items.iter() {
                known.add(server, &item.name);
            }
        }
        let tools: Vec<Tool<'_>> = of.items.iter().map(definition).collect();
        let before = before.as_ref().map(|one| &*one.lint);
        let instructions = instructions.map_or(0, |text| text.chars().count());
        Lint::new(&name, &tools, &known, before).with_instructions(instructions)
    });
    let lint = lint.await.ok()?;
    let linted = Linted {
        found: Arc::new(by_rule(&lint)),
        lint: Arc::new(lint),
        listed,
        revision,
    };
    let kept = core.state(|state| {
        if let Some(catalog) = state.catalogs.get_mut(server, CatalogKind::Tools)
            && Arc::ptr_eq(&catalog.listed, &linted.listed)
        {
            catalog.lint = Some(linted.clone());
            return true;
        }
        false
    });
    if kept {
        core.observer.changed(Change::Issues(server.to_owned()));
    }
    Some(linted)
}

fn by_rule(lint: &Lint) -> ByRule<FoundByLint> {
    let of_list = lint.findings().iter().map(|one| (None, one));
    let of_tools = lint
        .findings_of_tools()
        .iter()
        .map(|(item, one)| (Some(*item), one));
    let mut found = ByRule::default();
    for (item, finding) in of_list.chain(of_tools) {
        found.add(finding.rule, || FoundByLint {
            item,
            finding: finding.clone(),
        });
    }
    found
}

impl Explorer {
    /// What is said of the tools of a server, and the list that it is about; `None` as long as none was read.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn lint(&self, server: &ServerId) -> Result<Option<Linted>, Error> {
        self.core.server(server)?;
        Ok(lint_tools(&self.core, server).await)
    }
}

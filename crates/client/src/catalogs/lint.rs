//! Lints a server's tools beyond the protocol: the hosts they work in, their cost, and more.

use std::sync::Arc;

use sonde_findings::ByRule;
use sonde_lint::{Lint, Others, Tool};
use sonde_mcp::CatalogItem;

use super::{CatalogKind, FoundByLint, Linted, Listed};
use crate::Connection;

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

/// Input of linting a list of tools.
struct LintInput {
    name: String,
    listed: Arc<Listed>,
    revision: u32,
    /// The names and lists of other servers, in the order of the user's list.
    others: Vec<(String, Arc<Listed>)>,
    /// Length of the server's instructions, in characters.
    instructions: usize,
}

impl LintInput {
    /// `None` before the first reading.
    fn of(connection: &Connection, others: Vec<(String, Arc<Listed>)>) -> Option<Self> {
        connection.read(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools)?;
            let instructions = state.session.instructions.as_ref();
            (catalog.revision > 0).then(|| Self {
                name: state.config.name.clone(),
                listed: catalog.listed.clone(),
                revision: catalog.revision,
                others,
                instructions: instructions.map_or(0, |text| text.chars().count()),
            })
        })
    }

    /// True if the other input is the same in all respects: list, server name and other servers.
    fn is_same(&self, other: &Self) -> bool {
        let mut others = self.others.iter().zip(&other.others);
        Arc::ptr_eq(&self.listed, &other.listed)
            && self.name == other.name
            && self.others.len() == other.others.len()
            && others.all(|(one, two)| one.0 == two.0 && Arc::ptr_eq(&one.1, &two.1))
    }

    /// Lints the list, unless `before` has the result already. Takes time.
    fn judge(&self, before: Option<Linted>) -> Linted {
        let mut known = Others::default();
        for (server, listed) in &self.others {
            for item in listed.items.iter() {
                known.add(server, &item.name);
            }
        }
        let before = before.filter(|one| one.lint.server() == self.name);
        if let Some(before) = &before
            && Arc::ptr_eq(&before.listed, &self.listed)
            && before.lint.others() == known.digest()
        {
            return before.clone();
        }
        let tools: Vec<Tool<'_>> = self.listed.items.iter().map(definition).collect();
        let lint = Lint::new(
            &self.name,
            &tools,
            &known,
            before.as_ref().map(|one| &*one.lint),
        )
        .with_instructions(self.instructions);
        Linted {
            found: Arc::new(by_rule(&lint)),
            lint: Arc::new(lint),
            listed: self.listed.clone(),
            revision: self.revision,
        }
    }
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

impl Connection {
    /// Lints the current tools together with those of the user's other servers, each with its name, and stores the
    /// results with the list, unless they are there. `None` before the first reading. Ten thousand tools take a fraction
    /// of a second on a blocking thread.
    pub async fn lint(&self, others: impl Fn() -> Vec<(String, Arc<Listed>)>) -> Option<Linted> {
        loop {
            let input = LintInput::of(self, others())?;
            let before = self.read(|state| state.catalogs.get(CatalogKind::Tools)?.lint.clone());
            let linted = tokio::task::spawn_blocking(move || {
                let linted = input.judge(before);
                (input, linted)
            });
            let (input, linted) = linted.await.ok()?;
            self.update(|state| {
                state.catalogs.get_mut(CatalogKind::Tools)?.lint = Some(linted.clone());
                Some(())
            })?;
            // A list may have changed meanwhile. Compared after storing, so that no older result stays.
            if LintInput::of(self, others())?.is_same(&input) {
                return Some(linted);
            }
        }
    }
}

//! Lints a server's tools beyond the protocol: the hosts they work in, their cost, and more.

use std::sync::Arc;

use sonde_findings::ByRule;
use sonde_lint::{Lint, Others, Tool};
use sonde_mcp::CatalogItem;

use super::{CatalogKind, FoundByLint, Linted, Listed};
use crate::{
    Connection, Error, Explorer,
    changes::Change,
    core::{Core, State},
    servers::ServerId,
};

/// Coalesces requests to judge the tools of all servers: one run at a time, and one more where asked meanwhile.
#[derive(Debug, Default)]
pub(crate) struct JudgingAll {
    running: bool,
    again: bool,
}

impl JudgingAll {
    /// Asks for it; `true` if it has to be begun.
    fn ask(&mut self) -> bool {
        self.again = true;
        !std::mem::replace(&mut self.running, true)
    }

    /// True if a run has to be made, the first or another.
    fn next(&mut self) -> bool {
        self.running = std::mem::take(&mut self.again);
        self.running
    }
}

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
struct Judged {
    name: String,
    listed: Arc<Listed>,
    revision: u32,
    /// The names and lists of the other servers, in the order of the user's list.
    others: Vec<(String, Arc<Listed>)>,
    /// Length of the server's instructions, in characters.
    instructions: usize,
}

impl Judged {
    /// `None` where no list was read.
    fn of(state: &State, server: &str) -> Option<Self> {
        let name = state.servers.get(server)?.config.name.clone();
        let others = state
            .servers
            .iter()
            .filter(|other| other.id != server)
            .filter_map(|other| {
                let connection = state.connections.get(&other.id)?;
                let listed = connection.read(|state| {
                    let catalog = state.catalogs.get(CatalogKind::Tools)?;
                    Some(catalog.listed.clone())
                });
                Some((other.config.name.clone(), listed?))
            });
        Self::beside(state.connections.get(server)?, name, others.collect())
    }

    /// The tools of a connection beside those of other servers; `None` where no list was read.
    fn beside(
        connection: &Connection,
        name: String,
        others: Vec<(String, Arc<Listed>)>,
    ) -> Option<Self> {
        connection.read(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools)?;
            let said = state.session.instructions.as_ref();
            (catalog.revision > 0).then(|| Self {
                name,
                listed: catalog.listed.clone(),
                revision: catalog.revision,
                others,
                instructions: said.map_or(0, |text| text.chars().count()),
            })
        })
    }

    /// True if the other input is about the same list.
    fn is_of_list(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.listed, &other.listed)
    }

    /// True if the other input is the same in all respects: list, server name and other servers.
    fn is_same(&self, other: &Self) -> bool {
        let mut others = self.others.iter().zip(&other.others);
        self.is_of_list(other)
            && self.name == other.name
            && self.others.len() == other.others.len()
            && others.all(|(one, two)| one.0 == two.0 && Arc::ptr_eq(&one.1, &two.1))
    }

    /// Judges the list, unless that was done. Takes time.
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

/// Lints the tools of a server, unless that was done for the present list, under the server's present name and beside
/// the present tools of the other servers. `None` where no list was read. Ten thousand tools take a fraction of a
/// second of another thread.
pub(crate) async fn lint_tools(core: &Core, server: &str) -> Option<Linted> {
    loop {
        let (judged, before) = core.state(|state| {
            let connection = state.connections.get(server)?;
            Some((Judged::of(state, server)?, known_lint(connection)))
        })?;
        let earlier = before.clone();
        let linted = tokio::task::spawn_blocking(move || {
            let linted = judged.judge(earlier);
            (judged, linted)
        });
        let (judged, linted) = linted.await.ok()?;
        let now = core.state(|state| {
            let now = Judged::of(state, server)?;
            if now.is_same(&judged) {
                state.connections.get(server)?.update(|state| {
                    let catalog = state.catalogs.get_mut(CatalogKind::Tools)?;
                    catalog.lint = Some(linted.clone());
                    Some(())
                })?;
            }
            Some(now)
        });
        match now {
            Some(now) if now.is_same(&judged) => {
                let known = before.is_some_and(|before| Arc::ptr_eq(&before.lint, &linted.lint));
                if !known {
                    core.observer.changed(Change::Issues(server.to_owned()));
                }
                return Some(linted);
            }
            // What changed around it may have been judged by now, and must not be taken for older.
            Some(now) if now.is_of_list(&judged) => {}
            // Whoever read the new list has it judged.
            _ => return Some(linted),
        }
    }
}

fn known_lint(connection: &Connection) -> Option<Linted> {
    connection.read(|state| state.catalogs.get(CatalogKind::Tools)?.lint.clone())
}

/// Lints the tools of a connection that is beside no other. `None` where no list was read.
pub(crate) async fn lint_alone(connection: &Connection, name: String) -> Option<Linted> {
    let judged = Judged::beside(connection, name, Vec::new())?;
    let linted = tokio::task::spawn_blocking(move || judged.judge(None));
    linted.await.ok()
}

/// Judges the tools of all servers again for which something around them is another: the name of a server, or the tools
/// of others. What asks for it while that is going on has it done once more, together.
pub(crate) fn lint_all(core: &Arc<Core>) {
    let begins = core.state(|state| state.judging_all.ask());
    if !begins {
        return;
    }
    let judging = Arc::clone(core);
    core.tasks.spawn(async move {
        while judging.state(|state| state.judging_all.next()) {
            for server in judging.state(|state| state.servers.order()) {
                lint_tools(&judging, &server).await;
            }
        }
    });
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
    /// Returns the lint results for a server's tools, with the list that they are about; `None` until a list was read.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn lint(&self, server: &ServerId) -> Result<Option<Linted>, Error> {
        self.core.server(server)?;
        Ok(lint_tools(&self.core, server).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_meanwhile_has_it_done_once_more() {
        let mut judging = JudgingAll::default();
        assert!(judging.ask());
        assert!(judging.next());
        assert!(!judging.ask() && !judging.ask(), "it is going on");
        assert!(judging.next(), "once more");
        assert!(!judging.next(), "and not a third time");
        assert!(judging.ask());
    }
}

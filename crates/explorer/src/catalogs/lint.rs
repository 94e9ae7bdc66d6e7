//! Lints the tools of each server together with those of the other servers.

use std::sync::Arc;

use super::{CatalogKind, Linted, Listed};
use crate::{
    Error, Explorer,
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
    /// Requests a run; true if the caller must start it.
    fn ask(&mut self) -> bool {
        self.again = true;
        !std::mem::replace(&mut self.running, true)
    }

    /// True if a run is due, the first or another.
    fn next(&mut self) -> bool {
        self.running = std::mem::take(&mut self.again);
        self.running
    }
}

/// Lints the tools of a server together with those of the other servers. `None` before the first reading.
pub(crate) async fn lint_tools(core: &Core, server: &str) -> Option<Linted> {
    let connection = core.connection(server).ok()?;
    let before = connection.read(|state| state.catalogs.get(CatalogKind::Tools)?.lint.clone());
    let others = || core.state(|state| other_lists(state, server));
    let linted = connection.lint(others).await?;
    if !before.is_some_and(|before| Arc::ptr_eq(&before.lint, &linted.lint)) {
        core.observer.changed(Change::Issues(server.to_owned()));
    }
    Some(linted)
}

fn other_lists(state: &State, server: &str) -> Vec<(String, Arc<Listed>)> {
    let others = state.servers.iter().filter(|other| other.id != server);
    let lists = others.filter_map(|other| {
        let listed = state.connections.get(&other.id)?.read(|state| {
            let catalog = state.catalogs.get(CatalogKind::Tools)?;
            Some(Arc::clone(&catalog.listed))
        });
        Some((other.config.name.clone(), listed?))
    });
    lists.collect()
}

/// Lints the tools of all servers again after a change of a server's name or tools. Requests during a run are combined
/// into one further run.
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

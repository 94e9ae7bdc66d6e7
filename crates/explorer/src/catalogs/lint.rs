//! Lints the tools of each server together with those of the other servers.

use std::sync::Arc;

use super::{CatalogKind, LintInput, Linted};
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

/// Collects the tools of a server and of the other servers; `None` before the first reading.
fn lint_input(state: &State, server: &str) -> Option<LintInput> {
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
    LintInput::of(state.connections.get(server)?, others.collect())
}

/// Lints the tools of a server, unless there are results for its current list, its current name and the current tools
/// of the other servers. `None` before the first reading. Ten thousand tools take a fraction of a second on a blocking
/// thread.
pub(crate) async fn lint_tools(core: &Core, server: &str) -> Option<Linted> {
    loop {
        let (judged, before) = core.state(|state| {
            let connection = state.connections.get(server)?;
            Some((lint_input(state, server)?, known_lint(connection)))
        })?;
        let earlier = before.clone();
        let linted = tokio::task::spawn_blocking(move || {
            let linted = judged.judge(earlier);
            (judged, linted)
        });
        let (judged, linted) = linted.await.ok()?;
        let now = core.state(|state| {
            let now = lint_input(state, server)?;
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
            // The other servers have changed meanwhile: lint again, so that an older result does not replace a newer
            // one.
            Some(now) if now.is_of_list(&judged) => {}
            // The list has changed: its own reading starts another run.
            _ => return Some(linted),
        }
    }
}

fn known_lint(connection: &Connection) -> Option<Linted> {
    connection.read(|state| state.catalogs.get(CatalogKind::Tools)?.lint.clone())
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

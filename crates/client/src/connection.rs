//! One connection to one server.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use sonde_findings::{ByRule, Rule};
use tokio::sync::watch;

use crate::{
    ConnectionOptions,
    changes::Change,
    core::{Core, State},
    log::WireLog,
    operations::lose_all,
    sessions::SessionPhase,
};

/// Longest wait of a restart or a removal for the old session. The escalation that ends a process takes less.
const END: Duration = Duration::from_secs(10);

/// A connection to one server: its session, wire log, lists, operations, requests and sign-in. It lives as long as its
/// server is of interest, over many connects. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Connection {
    pub(crate) core: Arc<Core>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Connection")
            .field(&self.core.server)
            .finish()
    }
}

impl Connection {
    /// A connection that is not open. Call it inside a tokio runtime.
    #[must_use]
    pub fn new(options: ConnectionOptions) -> Self {
        Self {
            core: Core::new(options),
        }
    }

    /// Reads the state. It is locked meanwhile, so `read` must not take long and must not call anything else here.
    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        self.core.state(|state| read(state))
    }

    /// Changes the state, under the same conditions. The caller reports the events of the change.
    pub fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        self.core.state(change)
    }

    /// Subscribes to all changes of the state from now on.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<()> {
        self.core.owner.subscribe()
    }

    /// The wire log. It survives reconnects.
    #[must_use]
    pub fn log(&self) -> &Arc<WireLog> {
        &self.core.log
    }

    /// Rules that the server breaks, by id, each with the number of findings: in the frames of the present or last
    /// connect, in the newest reading of each list, in the results of runs. Those of [`Connection::lint`] count too.
    #[must_use]
    pub fn broken_rules(&self) -> BTreeMap<&'static str, (&'static Rule, u64)> {
        fn add<C>(broken: &mut BTreeMap<&'static str, (&'static Rule, u64)>, found: &ByRule<C>) {
            for cases in found.rules() {
                broken.entry(cases.rule.id).or_insert((cases.rule, 0)).1 += cases.count;
            }
        }
        let mut broken = BTreeMap::new();
        self.log()
            .with_found(|found| add(&mut broken, &found.by_rule));
        self.read(|state| {
            add(&mut broken, &state.session.found.by_rule);
            for catalog in state.catalogs.iter() {
                add(&mut broken, &catalog.listed.found);
                if let Some(linted) = catalog.lint() {
                    add(&mut broken, &linted.found);
                }
            }
        });
        broken
    }

    /// Has a session whose task is connecting, connected or closing.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.read(|state| state.session.is_live())
    }

    /// Disconnects, and waits for that at most ten seconds.
    pub async fn end_session(&self) {
        let done = self.core.state(|state| {
            let done = state.session.end()?;
            state.session.set_phase(SessionPhase::Closing);
            Some(done)
        });
        if let Some(done) = done {
            self.core.owner.changed(Change::Session);
            if tokio::time::timeout(END, done.cancelled()).await.is_err() {
                tracing::warn!(server = self.core.server, "a session did not end in time");
            }
        }
    }

    /// Ends a session that is still running although its connection was closed.
    pub fn abandon_session(&self) {
        let ended = self.core.state(|state| {
            let session = &mut state.session;
            session.is_live().then(|| {
                session.end();
                session.finish(SessionPhase::Idle);
                session.generation
            })
        });
        if let Some(generation) = ended {
            lose_all(&self.core, generation, "The connection was given up.");
        }
        self.core.close_server_requests();
    }

    /// Waits until every task of a connection that is closing has ended.
    pub async fn wait_for_tasks(&self) {
        self.core.tasks.close();
        self.core.tasks.wait().await;
    }

    /// Gives the connection up: ends its session, signing in and every task.
    pub async fn close(&self) {
        self.end_session().await;
        self.close_auth().await;
        self.core.closing.cancel();
        self.wait_for_tasks().await;
    }
}

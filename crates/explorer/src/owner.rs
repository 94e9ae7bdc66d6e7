//! Connections of the servers of the list: their events, and a limit over their runs.

use std::sync::{Arc, Weak};

use sonde_client::{Connection, ConnectionOptions, Owner, SavedReply, WATCHDOG_NOT_STARTED, Wait};

use crate::{
    baselines::judge_definitions,
    catalogs::{lint_all, lint_tools},
    changes::{Change, Observer},
    core::Core,
    notices::NoticeLevel,
    operations::OperationNumber,
    servers::{ServerEntry, ServerId},
};

/// Limit of operations kept for all servers together.
const OPERATIONS_OF_ALL: usize = 5_000;
/// Limit of the memory for results, their shown content, arguments and log messages of all servers, in bytes.
const BYTES: u64 = 256 * 1024 * 1024;

/// Owner of the connection of a server of the list.
pub(crate) struct ServerOwner {
    core: Weak<Core>,
    observer: Arc<dyn Observer>,
    server: ServerId,
}

impl ServerOwner {
    pub(crate) fn new(core: &Arc<Core>, server: ServerId) -> Self {
        Self {
            core: Arc::downgrade(core),
            observer: Arc::clone(&core.observer),
            server,
        }
    }

    fn with_server(&self, change: sonde_client::Change) -> Change {
        use sonde_client::Change as Of;
        let server = self.server.clone();
        match change {
            Of::Session => Change::Session(server),
            Of::Details => Change::Connection(server),
            Of::Catalog(kind) => Change::Catalog(server, kind),
            Of::Issues => Change::Issues(server),
            Of::ResourceSubscriptions => Change::ResourceSubscriptions(server),
            Of::TaskList => Change::TaskList(server),
            Of::Auth => Change::Auth(server),
            Of::ServerRequest(request) => Change::ServerRequest(request),
            Of::Operation(operation) => Change::Operation(operation),
        }
    }
}

impl Owner for ServerOwner {
    fn changed(&self, change: sonde_client::Change) {
        self.observer.changed(self.with_server(change));
    }

    fn changes_often(&self, change: sonde_client::Change) {
        self.observer.changes_often(self.with_server(change));
    }

    fn run_changed(&self, operation: OperationNumber) {
        if let Some(core) = self.core.upgrade() {
            core.stored_runs.changed(self.server.clone(), operation);
        }
    }

    fn run_added(&self, operation: OperationNumber) {
        if let Some(core) = self.core.upgrade() {
            core.trim_runs(Some(operation));
        }
    }

    fn notice(
        &self,
        level: NoticeLevel,
        code: &'static str,
        title: String,
        detail: Option<String>,
    ) {
        if let Some(core) = self.core.upgrade() {
            let server = (code != WATCHDOG_NOT_STARTED).then_some(&*self.server);
            core.notice(level, server, code, title, detail);
        }
    }

    fn retract(&self, code: &'static str) {
        if let Some(core) = self.core.upgrade() {
            core.retract(Some(&self.server), code);
        }
    }

    fn saved_reply(&self, id: &str) -> Option<SavedReply> {
        self.core.upgrade()?.state(|state| {
            let saved = state.saved_inputs.get(id)?;
            (saved.server == self.server).then(|| SavedReply {
                name: saved.name.clone(),
                method: saved.method.clone(),
                arguments: saved.arguments.clone(),
                schema_digest: saved.schema_digest.clone(),
            })
        })
    }

    fn load_runs(&self) -> Wait<'_> {
        Box::pin(async {
            if let Some(core) = self.core.upgrade() {
                // `load` itself reports files that cannot be read.
                let _ = core.stored_runs.load(&core, &self.server).await;
            }
        })
    }

    fn on_introduced(&self) {
        if let Some(core) = self.core.upgrade() {
            let (judging, server) = (Arc::clone(&core), self.server.clone());
            core.tasks
                .spawn(async move { judge_definitions(&judging, &server).await });
        }
    }

    fn on_tools_listed(&self) -> Wait<'_> {
        Box::pin(async {
            if let Some(core) = self.core.upgrade() {
                lint_tools(&core, &self.server).await;
                lint_all(&core);
                judge_definitions(&core, &self.server).await;
            }
        })
    }

    fn on_schemas_judged(&self) -> Wait<'_> {
        Box::pin(async {
            if let Some(core) = self.core.upgrade() {
                lint_tools(&core, &self.server).await;
            }
        })
    }
}

impl Core {
    /// Gives a server its connection, which lives as long as the server is in the list.
    pub(crate) fn add_connection(self: &Arc<Self>, entry: &ServerEntry) {
        let server = entry.id.clone();
        let connection = Connection::new(ConnectionOptions {
            server: server.clone(),
            config: entry.config.clone(),
            log_level: entry.log_level,
            muted: entry.muted(),
            with_user: true,
            owner: Arc::new(ServerOwner::new(self, server.clone())),
            services: Arc::clone(&self.services),
        });
        self.state(|state| state.connections.insert(server.clone(), connection));
        self.observer.changed(Change::Session(server));
    }

    /// Drops the oldest finished runs of all servers beyond the limits, except pinned ones and `keep`.
    pub(crate) fn trim_runs(&self, keep: Option<OperationNumber>) {
        let connections = self.connections();
        loop {
            let (mut count, mut bytes, mut oldest) = (0, 0, None);
            for connection in &connections {
                let (of_server, candidate) = connection.read(|state| {
                    let runs = &state.operations;
                    ((runs.len(), runs.bytes()), runs.oldest_droppable(keep))
                });
                count += of_server.0;
                bytes += of_server.1;
                if let Some(candidate) = candidate
                    && oldest.is_none_or(|(number, _)| candidate < number)
                {
                    oldest = Some((candidate, connection));
                }
            }
            let Some((number, connection)) =
                oldest.filter(|_| count > OPERATIONS_OF_ALL || bytes > BYTES)
            else {
                return;
            };
            connection.update(|state| state.operations.remove(number));
            self.observer.changed(Change::Operation(number));
        }
    }
}

#[cfg(test)]
mod tests {
    use sonde_mcp::OperationRequest;

    use super::*;
    use crate::{
        Explorer, Options,
        operations::{NewOperation, OperationInput, OperationRecord, OperationState},
        servers::{SecretInputs, ServerConfig, ServerInput, Transport},
    };

    fn record(operation: OperationNumber, bytes: usize) -> OperationRecord {
        let mut record = OperationRecord::new(NewOperation {
            operation,
            server: "s".to_owned(),
            generation: 1,
            input: OperationInput::default(),
            request: OperationRequest::tool("t", Some("x".repeat(bytes))),
            item: None,
            key: None,
        });
        record.state = OperationState::Finished;
        record
    }

    #[tokio::test]
    async fn the_oldest_runs_of_all_servers_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let another = ServerInput {
            config: ServerConfig::new("S", Transport::Demo { http: false }),
            secrets: SecretInputs::new(),
        };
        explorer.add_server(another).await.unwrap();
        let connections = explorer.core.connections();
        let quarter = usize::try_from(BYTES).unwrap() / 4;
        for number in 1..=5 {
            let mut record = record(number, quarter);
            record.label.pinned = number == 2;
            let connection = &connections[usize::from(number % 2 == 0)];
            connection.update(|state| state.operations.restore(vec![record]));
            explorer.core.trim_runs(Some(number));
        }
        let kept = || {
            let of = |one: &Connection| {
                let numbers = |state: &sonde_client::State| {
                    let all = state.operations.iter();
                    all.map(|record| record.number).collect::<Vec<_>>()
                };
                one.read(numbers)
            };
            let mut all = connections.iter().flat_map(of).collect::<Vec<_>>();
            all.sort_unstable();
            all
        };
        assert_eq!(kept(), [2, 3, 4, 5]);
        // A run that is larger than the limit replaces all others, but stays itself.
        let large = record(6, quarter * 5);
        connections[0].update(|state| state.operations.restore(vec![large]));
        explorer.core.trim_runs(Some(6));
        assert_eq!(kept(), [2, 6]);
        explorer.shutdown().await;
    }
}

//! State of a connection, behind one lock.
//!
//! The mutex is held for the time of a small change, never across an `.await`, and never while something is recorded in
//! the wire log (the log calls back into here).

use std::sync::{Arc, Mutex};

use sonde_auth::Secret;
use sonde_findings::rules;
use sonde_mcp::{CatalogItem, CatalogShare, LogLevel, SessionHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Error,
    auth::{AuthSlot, AuthStatus},
    catalogs::{CatalogKind, Catalogs},
    changes::{Change, Events, NoticeLevel},
    config::{MissingSecret, NetworkConfig, ServerConfig, ServerId, secret_slots::proxy},
    lock,
    log::{LogLimits, OperationEntry, WireLog},
    operations::{History, OperationNumber, OperationRecord, OperationState},
    services::Services,
    sessions::{ConnectDetails, ServerRequests, Session, SessionPhase},
};

/// Everything behind a [`Connection`](crate::Connection).
pub(crate) struct Core {
    /// Names the server in its log and in its runs.
    pub(crate) server: ServerId,
    state: Mutex<State>,
    pub(crate) log: Arc<WireLog>,
    pub(crate) owner: Events,
    pub(crate) services: Arc<Services>,
    pub(crate) auth: AuthSlot,
    /// Every task that outlives a command.
    pub(crate) tasks: TaskTracker,
    /// Cancelled when the connection is closed for good.
    pub(crate) closing: CancellationToken,
    /// A user is present who can sign in.
    pub(crate) with_user: bool,
}

/// All models of a connection.
#[derive(Debug)]
pub struct State {
    /// Configuration for the next connect.
    pub config: ServerConfig,
    /// The least severe log messages that the server is asked for; `None` leaves it to the server.
    pub log_level: Option<LogLevel>,
    /// The session.
    pub session: Session,
    /// The lists of the server, kept after a disconnect.
    pub catalogs: Catalogs,
    /// The operations that are remembered.
    pub operations: History,
    /// The open requests of the server.
    pub server_requests: ServerRequests,
    /// Sign-in status, once the server needed signing in.
    pub auth: Option<AuthStatus>,
}

impl State {
    /// Returns the mark of the access token, if there is one.
    pub(crate) fn token_fingerprint(&self) -> Option<&str> {
        let grant = self.auth.as_ref()?.grant.as_ref()?;
        Some(&grant.token_fingerprint)
    }

    /// A remembered operation.
    pub(crate) fn operation(&self, operation: OperationNumber) -> Result<&OperationRecord, Error> {
        let record = self.operations.get(operation);
        record.ok_or(Error::NoOperation(operation))
    }

    /// Details of the present or last connect.
    pub(crate) fn details(&self) -> Option<&ConnectDetails> {
        self.session.connection.as_ref()
    }

    /// True unless the protocol version of the session is from before output schemas.
    #[must_use]
    pub fn has_output_schemas(&self) -> bool {
        let identity = self.session.identity.as_ref();
        let rule = &rules::MISSING_STRUCTURED_CONTENT;
        identity.is_none_or(|identity| rule.applies_in(&identity.revision))
    }
}

impl Core {
    pub(crate) fn new(options: crate::ConnectionOptions) -> Arc<Self> {
        let services = options.services;
        let log = WireLog::within(
            &services.budget,
            options.server.clone(),
            LogLimits::default(),
        );
        log.set_muted(options.muted);
        for secret in &services.hidden {
            log.keep_secret(secret.clone());
        }
        let session = Session::new(options.server.clone(), CatalogShare::of(&services.catalogs));
        let core = Arc::new(Self {
            state: Mutex::new(State {
                config: options.config,
                log_level: options.log_level,
                session,
                catalogs: Catalogs::new(options.server.clone()),
                operations: History::default(),
                server_requests: ServerRequests::default(),
                auth: None,
            }),
            server: options.server,
            log,
            owner: Events::new(options.owner),
            auth: AuthSlot::default(),
            tasks: TaskTracker::new(),
            closing: services.closing.child_token(),
            with_user: options.with_user,
            services,
        });
        let weak = Arc::downgrade(&core);
        core.log.set_operation_hook(Arc::new(move |entry| {
            if let Some(core) = weak.upgrade() {
                core.with_operation(entry.operation, |record| note_entry(record, &entry));
            }
        }));
        core
    }

    /// Reads or changes the models. `change` must not record in the log and must not take long.
    pub(crate) fn state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut lock(&self.state))
    }

    pub(crate) fn with_operation(
        &self,
        operation: OperationNumber,
        change: impl FnOnce(&mut OperationRecord),
    ) {
        if self.update_operation(operation, change) {
            self.owner.changed(Change::Operation(operation));
        }
    }

    /// Changes an operation by a message of which thousands may come in a second.
    pub(crate) fn with_busy_operation(
        &self,
        operation: OperationNumber,
        change: impl FnOnce(&mut OperationRecord),
    ) {
        if self.update_operation(operation, change) {
            self.owner.changes_often(Change::Operation(operation));
        }
    }

    /// Returns false if there is no such operation.
    fn update_operation(
        &self,
        operation: OperationNumber,
        change: impl FnOnce(&mut OperationRecord),
    ) -> bool {
        let ended = self.state(|state| {
            let record = state.operations.get_mut(operation)?;
            change(record);
            Some(record.finished())
        });
        if ended == Some(true) {
            self.owner.run_changed(operation);
        }
        ended.is_some()
    }

    pub(crate) fn with_session(&self, change: impl FnOnce(&mut Session)) {
        self.state(|state| change(&mut state.session));
        self.owner.changed(Change::Session);
    }

    /// Changes the details of the current connect.
    pub(crate) fn with_connection(&self, change: impl FnOnce(&mut ConnectDetails)) {
        let found = self.state(|state| state.session.connection.as_mut().map(change));
        if found.is_some() {
            self.owner.changes_often(Change::Details);
        }
    }

    /// Closes the requests of the server: its session is over.
    pub(crate) fn close_server_requests(&self) {
        for gone in self.state(|state| state.server_requests.close_all()) {
            self.owner.changed(Change::ServerRequest(gone));
        }
    }

    /// The value of a secret of the configuration.
    pub(crate) async fn secret(&self, name: &str) -> Result<String, MissingSecret> {
        self.services.secret(&self.server, name).await
    }

    /// The password of the proxy, if these settings have one.
    pub(crate) async fn proxy_password(
        &self,
        network: &NetworkConfig,
    ) -> Result<Option<Secret>, MissingSecret> {
        match network.proxy.has_password() {
            true => Ok(Some(Secret::new(self.secret(proxy::PASSWORD).await?))),
            false => Ok(None),
        }
    }

    pub(crate) fn tool(&self, key: &str) -> Result<CatalogItem, Error> {
        let tool = self.item(CatalogKind::Tools, key);
        tool.map_err(|_| Error::NotFound("This tool is not, or no longer, in the server's list."))
    }

    /// An item of a catalog, by its key in the list.
    pub(crate) fn item(&self, kind: CatalogKind, key: &str) -> Result<CatalogItem, Error> {
        self.state(|state| state.catalogs.get(kind)?.item(key).cloned())
            .ok_or(Error::NotFound(
                "This is not, or no longer, in the server's list.",
            ))
    }

    /// The handle of a session that takes operations, and which connect it is.
    pub(crate) fn ready(&self) -> Result<(SessionHandle, u32), Error> {
        self.state(|state| {
            let session = &state.session;
            let handle = session
                .handle()
                .filter(|_| session.phase == SessionPhase::Ready);
            Ok((handle.ok_or(Error::NotConnected)?, session.generation))
        })
    }

    /// The handle of the session in which an operation runs; `None` when it ended.
    pub(crate) fn handle_of_operation(
        &self,
        operation: OperationNumber,
    ) -> Result<Option<SessionHandle>, Error> {
        self.state(|state| {
            let record = state.operation(operation)?;
            let runs = !record.finished() && record.generation == state.session.generation;
            Ok(state.session.handle().filter(|_| runs))
        })
    }

    /// Shows the user a notice, which replaces an earlier one of the same code.
    pub(crate) fn notice(
        &self,
        level: NoticeLevel,
        code: &'static str,
        title: impl Into<String>,
        detail: Option<String>,
    ) {
        self.owner.notice(level, code, title.into(), detail);
    }
}

/// Notes where the log has an operation's request or response.
fn note_entry(record: &mut OperationRecord, entry: &OperationEntry) {
    // A cancellation belongs to the operation, but is not its request.
    if entry.notification && !record.notification {
        return;
    }
    // The request that created the task is shown, not the later requests for its status.
    if !entry.answer && record.task.is_some() {
        return;
    }
    if !entry.answer && record.state != OperationState::Finished {
        record.first_sent.get_or_insert(entry.micros);
        record.last_sent = Some(entry.micros);
    }
    let place = if entry.answer {
        &mut record.response_seq
    } else {
        &mut record.request_seq
    };
    // Of a request that was sent again, the last round is shown. Entries after the end are ignored.
    if place.is_none() || record.state != OperationState::Finished {
        *place = Some(entry.seq);
    }
}

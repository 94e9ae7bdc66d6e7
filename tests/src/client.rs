//! One connection for tests: helpers panic on failure, and every wait has a limit.

use std::{ops::Deref, sync::Arc};

use sonde_client::{
    Connection, ConnectionOptions, DemoProgram, Services, State,
    catalogs::{CatalogKind, Listed},
    config::{
        AuthConfig, HttpKind, NetworkConfig, ProtocolMode, RequestRule, RequestRules, RootsRule,
        RuleAction, SecretInput, ServerConfig, Transport,
    },
    operations::{OperationInput, OperationNumber, OperationOutcome, OperationRecord},
    sessions::{ConnectInput, SessionPhase},
};

use crate::{
    LIMIT,
    stdio_peer::{self, Step},
};

/// A connection to one server.
#[derive(Clone, Debug)]
pub struct Client(Connection);

impl Deref for Client {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl From<Connection> for Client {
    fn from(connection: Connection) -> Self {
        Self(connection)
    }
}

impl Client {
    /// Creates a connection with a user and without an owner, which keeps secrets in memory.
    #[must_use]
    pub fn new(config: ServerConfig) -> Self {
        Self::sharing(config, Services::in_memory())
    }

    /// Creates a connection that can start the demo server.
    #[must_use]
    pub fn with_demo(config: ServerConfig) -> Self {
        let demo = DemoProgram {
            program: stdio_peer::binary("sonde-demo").into(),
            args: Vec::new(),
        };
        let mut services = Services::in_memory();
        services.demo = Some(demo);
        Self::sharing(config, services)
    }

    fn sharing(config: ServerConfig, services: Services) -> Self {
        Self(Connection::new(ConnectionOptions {
            with_user: true,
            ..ConnectionOptions::new("s", config, Arc::new(services))
        }))
    }

    /// Waits for a future, with a limit.
    ///
    /// # Panics
    /// If it does not complete in time.
    pub async fn within<T>(&self, what: &str, wait: impl Future<Output = T>) -> T {
        let waited = tokio::time::timeout(*LIMIT, wait).await;
        waited.unwrap_or_else(|_| {
            panic!(
                "waited {LIMIT:?} for {what}, and saw {}",
                self.read(described)
            )
        })
    }

    /// Waits until the state has something.
    pub async fn until<T>(&self, what: &str, found: impl FnMut(&State) -> Option<T>) -> T {
        self.within(what, self.wait_for(found)).await
    }

    /// Waits until this holds of the state.
    pub async fn holds(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        self.until(what, |state| is_so(state).then_some(())).await;
    }

    /// Waits for a phase of the session.
    pub async fn phase(&self, phase: SessionPhase) {
        self.holds(&format!("{phase:?}"), |state| state.session.phase == phase)
            .await;
    }

    /// Starts to connect.
    ///
    /// # Panics
    /// If it is refused.
    pub fn begin(&self) {
        let begun = self.connect(ConnectInput::default());
        begun.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Connects, and waits for the tools; a server without tools has an empty list.
    pub async fn ready(&self) -> Arc<Listed> {
        self.begin();
        self.tools().await
    }

    /// Waits for the tools of a connect that has begun.
    ///
    /// # Panics
    /// If the connect fails.
    pub async fn tools(&self) -> Arc<Listed> {
        let opened = self.within("the connection", self.wait_until_open()).await;
        opened.unwrap_or_else(|failure| panic!("{failure:#?}"));
        let tools = self.wait_for_catalog(CatalogKind::Tools);
        let tools = self.within("the tools", tools).await;
        tools.unwrap_or_else(|error| panic!("{error}: {}", self.read(described)))
    }

    /// Starts an operation.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn start(&self, input: OperationInput) -> OperationNumber {
        let started = self.start_operation(input).await;
        started.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts a tool with these arguments.
    pub async fn start_tool(&self, tool: &str, arguments: &str) -> OperationNumber {
        self.start(OperationInput::tool(tool, Some(arguments.to_owned())))
            .await
    }

    /// Waits for the end of an operation, and reads from it.
    ///
    /// # Panics
    /// If it is not in the history.
    pub async fn finished<T>(
        &self,
        operation: OperationNumber,
        read: impl FnOnce(&OperationRecord) -> T,
    ) -> T {
        let wait = self.wait_for_operation(operation, read);
        let ended = self.within("the end of an operation", wait).await;
        ended.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the text of the first block of an operation's result, or its other outcome.
    pub async fn text(&self, operation: OperationNumber) -> String {
        self.finished(operation, |record| match &record.outcome {
            Some(OperationOutcome::Result { content, .. }) if !content.is_empty() => {
                content[0].text.clone().unwrap_or_default()
            }
            other => format!("{other:?}"),
        })
        .await
    }
}

/// Summarizes the state for the message of a wait that failed.
fn described(state: &State) -> String {
    let session = &state.session;
    let tools = state.catalogs.get(CatalogKind::Tools);
    let tools = tools.map(|tools| (tools.revision, tools.reading, &tools.error));
    let auth = state.auth.as_ref();
    let auth = auth.map(|auth| (auth.state, auth.waiting, &auth.problem, auth.steps.last()));
    let requests: Vec<_> = state
        .server_requests
        .iter()
        .map(|one| &one.method)
        .collect();
    let mut text = format!(
        "{:?}, {:?}, the tools {tools:?}, signing in {auth:?}, the requests {requests:?}",
        session.phase, session.failure
    );
    for record in state.operations.iter() {
        let outcome = format!("{:?}", record.outcome);
        let outcome: String = outcome.chars().take(200).collect();
        text += &format!("\n- {} {:?}: {outcome}", record.method, record.state);
    }
    text
}

/// Creates a server with the handshake, the only way of the protocol that scripted peers know.
#[must_use]
pub fn handshake(transport: Transport) -> ServerConfig {
    ServerConfig {
        protocol: ProtocolMode::Handshake,
        ..ServerConfig::new("Played", transport)
    }
}

/// The operation with this method and target.
#[must_use]
pub fn operation(method: &str, target: &str) -> OperationInput {
    OperationInput {
        method: method.to_owned(),
        target: Some(target.to_owned()),
        ..OperationInput::default()
    }
}

/// A request of the user's own with these parameters.
#[must_use]
pub fn by_hand(method: &str, params: &str) -> OperationInput {
    OperationInput {
        method: method.to_owned(),
        params: Some(params.to_owned()),
        ..OperationInput::default()
    }
}

/// Refuses whatever a server asks the user for.
#[must_use]
pub fn declining() -> RequestRules {
    let rule = || RequestRule {
        action: RuleAction::Decline,
        delay_seconds: 0,
    };
    RequestRules {
        form: rule(),
        page: rule(),
        sampling: rule(),
        roots: RootsRule::default(),
    }
}

/// A secret as the user types it.
#[must_use]
pub fn typed(value: impl Into<String>) -> SecretInput {
    SecretInput::Set {
        value: value.into(),
    }
}

/// A server at this address.
#[must_use]
pub fn http<S>(url: impl Into<String>) -> Transport<S> {
    Transport::Http {
        url: url.into(),
        headers: Vec::new(),
        kind: HttpKind::Streamable,
        network: NetworkConfig::default(),
        auth: AuthConfig::default(),
    }
}

/// Creates the transport to a program.
#[must_use]
pub fn stdio<S>(command: impl Into<String>, args: &[&str]) -> Transport<S> {
    Transport::Stdio {
        command: command.into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
    }
}

/// Creates the transport to a process that plays these steps.
#[must_use]
pub fn scripted<S>(steps: impl IntoIterator<Item = Step>) -> Transport<S> {
    Transport::Stdio {
        command: stdio_peer::program(),
        args: stdio_peer::script(steps),
        env: Vec::new(),
        cwd: None,
    }
}

/// Creates the transport to a process that only knows the oldest protocol version.
#[must_use]
pub fn picky<S>() -> Transport<S> {
    scripted([
        Step::Expect,
        Step::line(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}"#,
        ),
        Step::AwaitEof,
    ])
}

/// Returns the response to the handshake, which is always the first request.
#[must_use]
pub fn welcome(capabilities: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{{"name":"scripted","version":"1"}}}}}}"#
    ) + "\n"
}

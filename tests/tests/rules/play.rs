//! Plays a user with a server, and collects the broken rules.

use std::{collections::BTreeSet, pin::Pin};

use sonde_client::{
    State,
    catalogs::CatalogKind,
    config::{ProtocolMode, ServerConfig, ServerId, ServerInput, Transport},
    operations::{OperationInput, OperationNumber, OperationState},
    sessions::{ConnectInput, SessionPhase},
};
use sonde_explorer::issues::IssueFilter;
use sonde_tests::{
    LIMIT,
    app::{App, granted},
    client::{Client, declining, handshake, operation},
};

/// The broken rules, by id.
pub(crate) type Found = BTreeSet<String>;

/// A future that plays a server and its user.
pub(crate) type Play = Pin<Box<dyn Future<Output = Found> + Send>>;

/// A rule with a server that breaks it and one that does the same without breaking it.
pub(crate) struct Case {
    /// The id of the rule.
    pub(crate) rule: &'static str,
    pub(crate) broken: Play,
    pub(crate) sound: Play,
}

impl Case {
    /// Creates a case of two servers that are played in the same way.
    pub(crate) fn new<T>(
        rule: &'static str,
        play: impl Fn(T, Option<&'static str>) -> Play,
        broken: T,
        sound: T,
    ) -> Self {
        let (broken, sound) = (play(broken, Some(rule)), play(sound, None));
        Self {
            rule,
            broken,
            sound,
        }
    }
}

/// Actions after the server is connected.
#[derive(Clone)]
pub(crate) enum Act {
    /// Runs an operation to its end.
    Run(OperationInput),
    /// Starts an operation and cancels it at once.
    Cancel(OperationInput),
    /// Reads a list.
    List(CatalogKind),
    /// Reads a list that was read before.
    Again(CatalogKind),
    /// Shows the app that the result of a run of this tool belongs to.
    App(&'static str, &'static str),
}

/// Setup of a case to play.
pub(crate) struct Playing {
    pub(crate) transport: Transport,
    pub(crate) protocol: ProtocolMode,
    pub(crate) acts: Vec<Act>,
    /// The server is in the list of the app, which shows its apps and stores its definitions.
    pub(crate) in_app: bool,
    /// The rule that must be found; `None` for a server that breaks none.
    pub(crate) broken: Option<&'static str>,
}

/// A connection with a user to a played server.
pub(crate) struct Played {
    pub(crate) client: Client,
    /// The app that has it in its list, if any.
    app: Option<InApp>,
}

/// Plays the server over a connection of its own.
pub(crate) async fn play(playing: Playing) -> Found {
    let config = config(playing.transport, playing.protocol);
    let (app, client) = match playing.in_app {
        true => {
            let app = InApp::open(config).await;
            let client = app.app.connection(&app.server).into();
            (Some(app), client)
        }
        false => (None, Client::new(config)),
    };
    let is_ready = connect(&client).await;
    assert!(
        is_ready || playing.broken.is_some(),
        "the sound server is connected"
    );
    if is_ready {
        for one in playing.acts {
            match (one, &app) {
                (Act::App(tool, uri), Some(app)) => app.show(&client, tool, uri).await,
                (one, _) => act(&client, one).await,
            }
        }
    }
    Played { client, app }.end(playing.broken).await
}

/// The app, with the server in its list.
struct InApp {
    app: App,
    server: ServerId,
}

impl InApp {
    async fn open(config: ServerConfig) -> Self {
        let (app, secrets) = (App::start().await, Vec::new());
        let input = ServerInput { config, secrets };
        let server = granted(app.explorer.explorer().add_server(input)).await;
        Self { app, server }
    }

    /// Returns the rules among the server's issues.
    async fn issues(&self) -> Found {
        let explorer = self.app.explorer.explorer();
        let issues = granted(explorer.issues(self.server.clone(), IssueFilter::default())).await;
        issues.rules.into_iter().map(|rule| rule.rule).collect()
    }

    async fn show(&self, client: &Client, tool: &str, uri: &str) {
        let called = run(client, OperationInput::tool(tool, None)).await;
        let read = run(client, reading(uri)).await;
        granted(self.app.explorer.explorer().open_app(called, read)).await;
    }
}

fn config(transport: Transport, protocol: ProtocolMode) -> ServerConfig {
    ServerConfig {
        protocol,
        // Nobody is there to be asked.
        request_rules: declining(),
        ..handshake(transport)
    }
}

/// Connects, and reads the tools if there are any. `false` if the connect fails.
async fn connect(client: &Client) -> bool {
    client.connect(ConnectInput::default()).unwrap();
    client
        .until("the connection", |state| match state.session.phase {
            SessionPhase::Ready => {
                let tools = state.catalogs.get(CatalogKind::Tools)?;
                let is_read = tools.revision > 0 || tools.error.is_some();
                (!tools.supported || is_read && tools.reading.is_none()).then_some(true)
            }
            SessionPhase::Failed => Some(false),
            _ => None,
        })
        .await
}

async fn run(client: &Client, input: OperationInput) -> OperationNumber {
    let operation = client.start(input).await;
    client.finished(operation, |_| ()).await;
    operation
}

async fn act(client: &Client, act: Act) {
    match act {
        Act::Run(input) => {
            run(client, input).await;
        }
        Act::Cancel(input) => {
            let operation = client.start(input).await;
            let is_sent = |state: &State| {
                let operation = state.operations.get(operation);
                operation.is_some_and(|one| one.state != OperationState::Queued)
            };
            client.holds("the request", is_sent).await;
            client.cancel_operation(operation).await.unwrap();
            client.finished(operation, |_| ()).await;
        }
        Act::List(kind) => {
            // One that cannot be read may be what is played.
            let _ = client
                .within("the list", client.wait_for_catalog(kind))
                .await;
        }
        Act::Again(kind) => {
            let _ = client.within("the list", client.read_catalog(kind)).await;
        }
        Act::App(..) => unreachable!("the app shows apps"),
    }
}

impl Played {
    /// Starts to connect.
    pub(crate) fn begin(transport: Transport) -> Self {
        let client = Client::new(config(transport, ProtocolMode::Handshake));
        client.begin();
        Self { client, app: None }
    }

    /// Ends the connection if no rule is expected, or waits until the rule is found. Returns all rules found.
    pub(crate) async fn end(self, broken: Option<&str>) -> Found {
        let found = match broken {
            Some(rule) => tokio::time::timeout(*LIMIT, self.find(rule)).await.ok(),
            None => {
                self.client.end_session().await;
                None
            }
        };
        let found = match found {
            Some(found) => found,
            // Without the rule the case fails, and names what was found instead.
            None => self.look().await,
        };
        match self.app {
            Some(listed) => listed.app.shutdown().await,
            None => self.client.close().await,
        }
        found
    }

    /// Returns everything found so far.
    async fn look(&self) -> Found {
        self.client.lint(Vec::new).await;
        let rules = self.client.broken_rules().into_keys();
        let mut found: Found = rules.map(str::to_owned).collect();
        if let Some(app) = &self.app {
            found.extend(app.issues().await);
        }
        found
    }

    /// Waits until this rule is found; returns everything found.
    async fn find(&self, rule: &str) -> Found {
        let mut changes = self.client.changes();
        loop {
            let found = self.look().await;
            if found.contains(rule) {
                return found;
            }
            changes.changed().await.unwrap();
        }
    }
}

/// Creates the operation that reads a resource.
pub(crate) fn reading(uri: &str) -> OperationInput {
    operation("resources/read", uri)
}

/// Creates the operation that gets a prompt.
pub(crate) fn prompting(name: &str) -> OperationInput {
    operation("prompts/get", name)
}

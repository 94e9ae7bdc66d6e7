//! Plays a user of the app with a server, and collects the rules found meanwhile.

use std::{collections::BTreeSet, pin::Pin, sync::Arc};

use sonde_auth::MemoryStore;
use sonde_headless::{Error, Headless, Options};
use sonde_ipc::*;
use sonde_tests::LIMIT;

/// The rules that were found, by id.
pub(crate) type Found = BTreeSet<String>;

/// A server that is about to be played, and what is done with it.
pub(crate) type Play = Pin<Box<dyn Future<Output = Found> + Send>>;

/// A rule with a server that breaks it and one that does the same without breaking it.
pub(crate) struct Case {
    /// The id of the rule.
    pub(crate) rule: &'static str,
    pub(crate) broken: Play,
    pub(crate) sound: Play,
}

/// Actions after the server is connected.
#[derive(Clone)]
pub(crate) enum Act {
    /// Runs an operation to its end.
    Run(OperationInput),
    /// Runs two operations at a time.
    Both(OperationInput, OperationInput),
    /// Starts an operation and cancels it at once.
    Cancel(OperationInput),
    /// Reads a list.
    List(CatalogKind),
    /// Reads a list that was read once more.
    Again(CatalogKind),
    /// Subscribes to a resource.
    Subscribe(&'static str),
    /// Asks for suggestions.
    Complete,
    /// Sends a ping.
    Ping,
    /// Starts an operation.
    Start(OperationInput),
    /// Shows the app that the result of a run of this tool belongs to.
    App(&'static str, &'static str),
    /// Ends the connection.
    Disconnect,
}

/// Setup of a case to play.
pub(crate) struct Playing {
    pub(crate) transport: TransportDraft,
    pub(crate) protocol: ProtocolMode,
    pub(crate) acts: Vec<Act>,
    /// A tool of another server of the user.
    pub(crate) other: Option<TransportDraft>,
    /// The rule that is to be found; `None` for a server that breaks none.
    pub(crate) broken: Option<&'static str>,
}

/// An app without a window.
pub(crate) struct App {
    pub(crate) headless: Headless,
    /// Findings so far.
    found: Found,
    /// Its data.
    _folder: tempfile::TempDir,
}

/// Plays it in an app of its own.
pub(crate) async fn play(playing: Playing) -> Found {
    let mut app = App::open().await;
    if let Some(other) = playing.other {
        let other = app.add("Other", other, ProtocolMode::Handshake).await;
        assert!(app.connect(&other).await, "the other server is there");
    }
    let server = app.add("Played", playing.transport, playing.protocol).await;
    let is_ready = app.connect(&server).await;
    assert!(
        is_ready || playing.broken.is_some(),
        "the sound server is connected"
    );
    if is_ready {
        for act in playing.acts {
            app.act(&server, act).await;
        }
    }
    app.end(&server, playing.broken).await
}

impl App {
    /// Starts one in a folder of its own.
    pub(crate) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(folder.path())
            .secrets(Arc::new(MemoryStore::default()))
            .browser(|_| Ok(()))
            .limit(*LIMIT);
        Self {
            headless: Headless::open(options).await.unwrap(),
            found: Found::new(),
            _folder: folder,
        }
    }

    /// Adds a server and begins to connect.
    pub(crate) async fn begin(&self, transport: TransportDraft) -> ServerId {
        let server = self.add("Played", transport, ProtocolMode::Handshake).await;
        self.headless.connect(&server).await.unwrap();
        server
    }

    /// Ends the connection where nothing is to be found, or waits until the rule is found, and answers with all that was.
    pub(crate) async fn end(mut self, server: &str, broken: Option<&str>) -> Found {
        match broken {
            Some(rule) => self.wait_for(server, rule).await,
            None => self.disconnect(server).await,
        }
        self.look(server).await;
        self.headless.shutdown().await;
        self.found
    }

    async fn add(&self, name: &str, transport: TransportDraft, protocol: ProtocolMode) -> ServerId {
        let decline = || RequestRule {
            action: RuleAction::Decline,
            delay_seconds: 0,
        };
        let draft = ServerDraft {
            name: name.to_owned(),
            transport,
            idle_seconds: None,
            hard_seconds: None,
            protocol,
            stream_attempts: None,
            roots: Vec::new(),
            // Nobody is there to be asked.
            request_rules: RequestRules {
                form: decline(),
                page: decline(),
                sampling: decline(),
                roots: RootsRule::default(),
            },
            declaration: Declaration::default(),
        };
        self.headless.add(draft).await.unwrap()
    }

    /// Connects, and reads the tools where there are any. `false` where it cannot be connected.
    async fn connect(&mut self, server: &str) -> bool {
        match self.headless.connect(server).await {
            Err(Error::NotConfirmed(preview)) => {
                let fingerprint = &preview.fingerprint;
                let confirmed = self.headless.connect_confirmed(server, fingerprint);
                confirmed.await.unwrap();
            }
            begun => begun.unwrap(),
        }
        let ready = self.headless.wait_for("the connection", |seen| {
            match seen.sessions.get(server)?.phase {
                SessionPhase::Ready => {
                    let tools = seen.catalog(server, CatalogKind::Tools)?;
                    let is_read = tools.revision > 0 || tools.error.is_some();
                    (!tools.supported || is_read && tools.reading.is_none()).then_some(true)
                }
                SessionPhase::Failed => Some(false),
                _ => None,
            }
        });
        ready.await.unwrap()
    }

    async fn disconnect(&mut self, server: &str) {
        self.headless
            .backend()
            .disconnect(server.to_owned())
            .await
            .unwrap();
        let idle = self.headless.wait_for("the end", |seen| {
            let phase = seen.sessions.get(server)?.phase;
            matches!(phase, SessionPhase::Idle | SessionPhase::Failed).then_some(())
        });
        idle.await.unwrap();
    }

    async fn start(&self, server: &str, input: OperationInput) -> OperationNumber {
        let backend = self.headless.backend();
        backend
            .start_operation(server.to_owned(), input)
            .await
            .unwrap()
    }

    async fn run(&mut self, server: &str, input: OperationInput) -> OperationNumber {
        let operation = self.start(server, input).await;
        self.headless.finished(operation).await.unwrap();
        operation
    }

    async fn list(&mut self, server: &str, kind: CatalogKind) {
        let opened = self
            .headless
            .backend()
            .open_catalog(server.to_owned(), kind);
        opened.await.unwrap();
        let read = self.headless.wait_for("the list", |seen| {
            let catalog = seen.catalog(server, kind)?;
            let is_read = catalog.revision > 0 || catalog.error.is_some();
            (!catalog.supported || is_read && catalog.reading.is_none()).then_some(())
        });
        read.await.unwrap();
    }

    async fn act(&mut self, server: &str, act: Act) {
        let backend = self.headless.backend().clone();
        let id = server.to_owned();
        match act {
            Act::Run(input) => {
                self.run(server, input).await;
            }
            Act::Both(one, other) => {
                let both = [
                    self.start(server, one).await,
                    self.start(server, other).await,
                ];
                for operation in both {
                    self.headless.finished(operation).await.unwrap();
                }
            }
            Act::Cancel(input) => {
                let operation = self.start(server, input).await;
                let running = self.headless.wait_for("the request", |seen| {
                    let operation = seen.operations.get(&operation)?;
                    (operation.state != OperationState::Queued).then_some(())
                });
                running.await.unwrap();
                backend.cancel_operation(operation).await.unwrap();
                self.headless.finished(operation).await.unwrap();
            }
            Act::List(kind) => self.list(server, kind).await,
            Act::Again(kind) => {
                self.headless.refresh(server, kind).await.ok();
            }
            Act::Subscribe(uri) => {
                backend
                    .subscribe_resource(id, uri.to_owned())
                    .await
                    .unwrap();
                let subscribed = self.headless.wait_for("the subscription", |seen| {
                    let all = &seen.resource_subscriptions.get(server)?.subscriptions;
                    all.iter()
                        .any(|one| one.uri == uri && one.state == SubscriptionState::Active)
                        .then_some(())
                });
                subscribed.await.unwrap();
            }
            Act::Complete => {
                let prompt = CompletionReference::Prompt {
                    name: "p".to_owned(),
                };
                let argument = CompletionArgument {
                    name: "a".to_owned(),
                    value: String::new(),
                };
                backend
                    .complete(id, prompt, argument, Vec::new())
                    .await
                    .ok();
            }
            Act::Ping => {
                backend.ping(id).await.unwrap();
            }
            Act::Start(input) => {
                self.start(server, input).await;
            }
            Act::App(tool, uri) => {
                let run = self.run(server, OperationInput::tool(tool, None)).await;
                let read = self.run(server, reading(uri)).await;
                backend.open_app(run, read).await.unwrap();
            }
            Act::Disconnect => self.disconnect(server).await,
        }
    }

    /// Adds what is among the issues.
    async fn look(&mut self, server: &str) {
        let backend = self.headless.backend();
        // The list of tools is judged before the answer.
        backend.host_summary(server.to_owned()).await.unwrap();
        let all = IssueFilter::default();
        let issues = backend.issues(server.to_owned(), all).await.unwrap();
        self.found
            .extend(issues.rules.into_iter().map(|rule| rule.rule));
    }

    async fn wait_for(&mut self, server: &str, rule: &str) {
        loop {
            let counts = self.headless.state().issues.get(server).cloned();
            self.look(server).await;
            if self.found.contains(rule) {
                return;
            }
            let changed = self.headless.wait_for("another issue", |seen| {
                (seen.issues.get(server) != counts.as_ref()).then_some(())
            });
            if changed.await.is_err() {
                return;
            }
        }
    }
}

/// The operation that reads a resource.
pub(crate) fn reading(uri: &str) -> OperationInput {
    OperationInput {
        method: "resources/read".to_owned(),
        target: Some(uri.to_owned()),
        ..OperationInput::default()
    }
}

/// The operation that gets a prompt.
pub(crate) fn prompting(name: &str) -> OperationInput {
    OperationInput {
        method: "prompts/get".to_owned(),
        target: Some(name.to_owned()),
        ..OperationInput::default()
    }
}

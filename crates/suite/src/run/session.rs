//! The connection of a case.

use std::{sync::Arc, time::Duration};

use sonde_auth::Secret;
use sonde_client::{
    Connection, ConnectionOptions, Services, State,
    catalogs::CatalogKind,
    config::{LogLevel, Transport},
    log::{Redaction, SecretText},
    operations::{OperationNumber, OperationOutcome},
    sessions::{ConnectInput, Failure, SessionPhase},
};

use super::{
    listed::ListedServer,
    report::{Coverage, NoConnection, ServerFacts},
    sidecar::{Sidecar, StderrLines},
};
use crate::{format::Client, servers::ServerPlan, variables::Variables};

/// Limit of waiting for the end of a connection that lost a response. Over HTTP it may stay open.
const END_OF_CONNECTION: Duration = Duration::from_secs(1);

/// An open connection, with the program that serves its address.
pub(super) struct Session {
    pub(super) connection: Connection,
    sidecar: Option<Sidecar>,
    /// A process speaks on standard input and output.
    has_process: bool,
    /// Number of the newest run whose target the coverage has.
    covered: OperationNumber,
    /// Number of the first log entry that no step has collected.
    pub(super) unseen: u64,
}

/// Reason why a connection could not be opened.
pub(super) struct NotOpen {
    pub(super) words: String,
    pub(super) why: NoConnection,
}

impl From<String> for NotOpen {
    fn from(words: String) -> Self {
        Self {
            words,
            why: NoConnection::Failed,
        }
    }
}

impl Session {
    /// Starts the program that must run before the connect.
    pub(super) async fn prepare(
        plan: ServerPlan,
        listed: Option<&ListedServer>,
        client: &Client,
        variables: &Variables,
        services: &Arc<Services>,
    ) -> Result<Self, NotOpen> {
        let sidecar = match (&plan.start, plan.config.transport.peer()) {
            (Some(program), (url, _)) => Some(Sidecar::start(program, url, plan.ready).await?),
            (None, _) => None,
        };
        let (id, services) = match listed {
            Some(listed) => (listed.id.clone(), &listed.services),
            None => (format!("suite-{}", uuid::Uuid::new_v4()), services),
        };
        for (name, value) in plan.secrets {
            // A secret that the keyring refuses stays in memory, which is enough here.
            let _ = services.secrets.put(&id, &name, Secret::new(value)).await;
        }
        let has_process = !matches!(plan.config.transport, Transport::Http { .. });
        let mut options = ConnectionOptions::new(id, plan.config, Arc::clone(services));
        let level = client.log_level.as_deref().and_then(log_level);
        options.log_level = level.or(listed.and_then(|listed| listed.log_level));
        let connection = Connection::new(options);
        for secret in variables.secrets() {
            connection.log().keep_secret(SecretText::from(secret));
        }
        Ok(Self {
            connection,
            sidecar,
            has_process,
            unseen: 1,
            covered: 0,
        })
    }

    /// Connects, and waits until requests can be sent.
    pub(super) async fn connect(&self) -> Result<(), NotOpen> {
        let connection = &self.connection;
        let begun = connection.connect(ConnectInput::default());
        begun.map_err(|error| NotOpen::from(error.to_string()))?;
        connection.wait_until_open().await.map_err(not_open)?;
        if let Some(words) = connection.read(State::version_not_spoken) {
            let why = NoConnection::OtherVersion;
            return Err(NotOpen { words, why });
        }
        // A call needs the tool's key in the list. For a server without tools this fails, which does not matter.
        let _ = connection.wait_for_catalog(CatalogKind::Tools).await;
        Ok(())
    }

    pub(super) fn facts(&self) -> Option<ServerFacts> {
        self.connection.read(|state| {
            let identity = state.session.identity.as_ref()?;
            Some(ServerFacts {
                name: identity.name.clone(),
                version: identity.version.clone(),
                revision: identity.revision.clone(),
            })
        })
    }

    /// Adds the items that the server lists and that were used.
    pub(super) async fn add_coverage(&mut self, coverage: &mut Coverage) {
        let kinds = [
            (CatalogKind::Tools, "tools/call"),
            (CatalogKind::Prompts, "prompts/get"),
            (CatalogKind::Resources, "resources/read"),
        ];
        for (kind, method) in kinds {
            // Fails without such a list, and once the server has died: then the items that it listed before count.
            let asked = self.connection.wait_for_catalog(kind).await.ok();
            let known = || {
                self.connection.read(|state| {
                    let catalog = state.catalogs.get(kind)?;
                    Some(Arc::clone(&catalog.listed))
                })
            };
            if let Some(listed) = asked.or_else(known) {
                let names = listed.items.iter().map(|item| match kind {
                    CatalogKind::Resources => &item.key,
                    _ => &item.name,
                });
                coverage
                    .offered
                    .extend(names.map(|name| (kind, name.clone())));
            }
            self.connection.read(|state| {
                let newest = state.operations.iter().rev();
                let asked = newest
                    .take_while(|run| run.number > self.covered)
                    .filter(|run| run.method == method)
                    .filter_map(|run| Some((kind, run.target.clone()?)));
                coverage.used.extend(asked);
            });
        }
        self.covered = self.connection.read(|state| {
            let newest = state.operations.iter().next_back();
            newest.map_or(self.covered, |run| run.number)
        });
    }

    /// Waits for the end of the connection if its last response was lost with it.
    pub(super) async fn settle(&self) {
        let is_lost = self.connection.read(|state| {
            let last = state.operations.iter().next_back();
            last.is_some_and(|run| matches!(run.outcome, Some(OperationOutcome::Lost { .. })))
        });
        if is_lost {
            let is_over =
                |state: &State| (state.session.phase != SessionPhase::Ready).then_some(());
            let end = self.connection.wait_for(is_over);
            let _ = tokio::time::timeout(END_OF_CONNECTION, end).await;
        }
    }

    /// The reason why the connection is over; `None` while it is open.
    pub(super) fn end(&self) -> Option<String> {
        self.connection.read(|state| {
            let session = &state.session;
            (session.phase != SessionPhase::Ready).then(|| {
                let failure = session.failure.clone();
                failure.map_or_else(|| "The connection ended.".to_owned(), in_words)
            })
        })
    }

    /// A text without the secrets of the suite and of the server.
    pub(super) fn hide(&self, text: &str, variables: &Variables) -> String {
        without_secrets(&variables.mask(text), &self.connection.log().redaction())
    }

    /// True if Sonde started the server, or the program behind its address.
    pub(super) fn has_stderr(&self) -> bool {
        self.has_process || self.sidecar.is_some()
    }

    /// Lines that the program behind the address wrote since the last call.
    pub(super) fn program_stderr(&self) -> StderrLines {
        self.sidecar
            .as_ref()
            .map(Sidecar::stderr)
            .unwrap_or_default()
    }

    pub(super) async fn close(self) {
        self.connection.close().await;
        if let Some(sidecar) = self.sidecar {
            sidecar.end().await;
        }
    }
}

/// Takes the secrets of a server out of a text that is stored. The fingerprints of a log are others after each start,
/// and would differ from those in a snapshot.
#[must_use]
pub fn without_secrets(text: &str, redaction: &Redaction) -> String {
    const MARK: &str = "‹secret ";
    let redacted = redaction.text(text);
    if redacted == text {
        return redacted;
    }
    let mut parts = redacted.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, behind) = part.split_at_checked(6).unwrap_or_default();
        match behind.strip_prefix('›') {
            Some(rest) if mark.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                out.push_str("‹secret›");
                out.push_str(rest);
            }
            _ => {
                out.push_str(MARK);
                out.push_str(part);
            }
        }
    }
    out
}

fn log_level(name: &str) -> Option<LogLevel> {
    serde_json::from_value(name.into()).ok()
}

fn not_open(failure: Failure) -> NotOpen {
    let why = match failure.code.as_str() {
        _ if failure.needs_sign_in() => NoConnection::NeedsSignIn,
        "unknown_revision" => NoConnection::OtherVersion,
        _ => NoConnection::Failed,
    };
    let words = in_words(failure);
    NotOpen { words, why }
}

fn in_words(failure: Failure) -> String {
    let sentences = [failure.title, failure.cause]
        .into_iter()
        .chain(failure.advice);
    let sentences: Vec<_> = sentences.filter(|sentence| !sentence.is_empty()).collect();
    let mut words = sentences.join(" ");
    for line in &failure.stderr_tail {
        words.push('\n');
        words.push_str(line);
    }
    words
}

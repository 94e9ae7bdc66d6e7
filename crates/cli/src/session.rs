//! One connection of a command, from opening to closing.

use std::{
    fs::File,
    io::BufWriter,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sonde_client::{
    Connection, ConnectionOptions, State,
    catalogs::{CatalogKind, Listed},
    log::WireLog,
    operations::{
        LostCode, OperationInput, OperationNumber, OperationOutcome, OperationRecord,
        OperationState,
    },
    sessions::ConnectInput,
};
use sonde_findings::{Finding, Severity};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    Context,
    answers::{Answers, is_interactive},
    console::{Console, quoted},
    exit::{Exit, Failed, Result},
    follow::Follower,
    servers::{Server, ServerArgs},
    stop::Stop,
};

/// Longest wait for a cancelled run.
const CANCEL: Duration = Duration::from_secs(2);

/// An open connection.
pub(crate) struct Session {
    pub(crate) connection: Connection,
    /// The name of the server.
    pub(crate) name: String,
    pub(crate) console: Console,
    stop: Stop,
    /// A list that was read may be incomplete.
    has_cut_list: AtomicBool,
}

/// Opens a connection, runs the work, and closes the connection even if the work failed.
pub(crate) async fn with_session<T>(
    context: &Context,
    args: &ServerArgs,
    server: &Server,
    work: impl AsyncFnOnce(&Session) -> Result<T>,
) -> Result<T> {
    let log = LogFile::create(args)?;
    let services = server.services().await;
    let options = ConnectionOptions {
        log_level: server.entry.log_level,
        // A stored sign-in is renewed only if a user is present.
        with_user: server.in_app || is_interactive(),
        muted: server
            .entry
            .muted_rules
            .iter()
            .map(|one| one.rule.clone())
            .collect(),
        ..ConnectionOptions::new(
            server.entry.id.clone(),
            server.entry.config.clone(),
            services,
        )
    };
    let session = Session {
        connection: Connection::new(options),
        name: server.entry.config.name.clone(),
        console: context.console.clone(),
        stop: context.stop.within(args.timeout),
        has_cut_list: AtomicBool::new(false),
    };
    let ending = CancellationToken::new();
    let following = session.follow(ending.clone());
    let done = match session.open().await {
        Ok(()) => work(&session).await,
        Err(failed) => Err(failed),
    };
    session.connection.close().await;
    ending.cancel();
    let _ = following.await;
    session.console.clear();
    log.write(session.connection.log(), &session.name, done)
}

/// The file of `--log`. It is made before anything is sent: a log that cannot be written is no reason to call a tool
/// twice.
pub(crate) struct LogFile<'a>(Option<(&'a Path, File)>);

impl<'a> LogFile<'a> {
    pub(crate) fn create(args: &'a ServerArgs) -> Result<Self> {
        let Some(path) = &args.log else {
            return Ok(Self(None));
        };
        let file = File::create(path).map_err(|error| Failed::not_written(path, &error))?;
        Ok(Self(Some((path, file))))
    }

    /// Writes the log of the server `name` if `--log` is given. Returns what was `done`, with a failure to write.
    pub(crate) fn write<T>(self, log: &WireLog, name: &str, done: Result<T>) -> Result<T> {
        let Some((path, file)) = self.0 else {
            return done;
        };
        let by = concat!("sonde/", env!("CARGO_PKG_VERSION"));
        let written = log.export(by, name, &mut BufWriter::new(file));
        match (
            done,
            written.map_err(|error| Failed::not_written(path, &error)),
        ) {
            (Err(failed), Err(not_written)) => Err(failed.more([not_written.message])),
            (done, written) => done.and_then(|done| written.map(|()| done)),
        }
    }
}

impl Session {
    async fn open(&self) -> Result<()> {
        self.connection.connect(ConnectInput::default())?;
        let connected = self.stop.guard(self.connection.wait_until_open()).await?;
        Ok(connected?)
    }

    /// Fails unless the server shows that it speaks the protocol version of the settings.
    pub(crate) fn require_version(&self) -> Result<()> {
        match self.connection.read(State::version_not_spoken) {
            Some(words) => Err(Failed::incomplete(words)),
            None => Ok(()),
        }
    }

    /// Notes a failure of [`Self::require_version`].
    pub(crate) fn note_version(&self) {
        if let Err(failed) = self.require_version() {
            self.console.say(&format!("note: {failed}"));
        }
    }

    fn follow(&self, ending: CancellationToken) -> JoinHandle<()> {
        let connection = self.connection.clone();
        let console = self.console.clone();
        let answers = Answers::new(self.console.clone());
        tokio::spawn(async move {
            let mut changes = connection.changes();
            let mut follower = Follower::new(connection.clone(), console, answers);
            let follow = async {
                loop {
                    follower.look().await;
                    let _ = changes.changed().await;
                }
            };
            // The follower may be waiting for the user to type an answer.
            tokio::select! {
                () = follow => {}
                () = ending.cancelled() => {}
            }
            follower.look().await;
        })
    }

    /// Waits for `work`, unless the user or the time limit stops it.
    pub(crate) async fn guard<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        self.stop.guard(work).await
    }

    /// Waits until a list is read with all its pages. Prints a note if it is incomplete.
    pub(crate) async fn list(&self, kind: CatalogKind) -> Result<Arc<Listed>> {
        let listed = self.guard(self.connection.wait_for_catalog(kind)).await?;
        let listed = match listed {
            Ok(listed) => listed,
            Err(error) => return Err(self.end().await.unwrap_or_else(|| error.into())),
        };
        if listed.is_cut {
            self.has_cut_list.store(true, Ordering::Relaxed);
            let reading = |state: &State| state.catalogs.get(kind)?.error.clone();
            let found = listed.findings.iter();
            let found = found.filter(|one| one.rule.severity != Severity::Info);
            let found = found.map(Finding::message);
            let why: Vec<_> = self
                .connection
                .read(reading)
                .into_iter()
                .chain(found)
                .collect();
            self.console.say(&format!(
                "The list of {} is not complete. {}",
                kind.noun(),
                quoted(&why.join(" "))
            ));
        }
        Ok(listed)
    }

    /// Reads a list like [`Self::list`], and notes on stderr what is wrong with it. The list leaves broken items out.
    pub(crate) async fn list_with_notes(&self, kind: CatalogKind) -> Result<Arc<Listed>> {
        let listed = self.list(kind).await?;
        if !listed.is_cut {
            let found = listed.findings.iter();
            let found = found.filter(|one| one.rule.severity == Severity::Error);
            let note = |one: &Finding| {
                let words = quoted(&one.message());
                self.console
                    .note(&format!("note: {}: {words}", kind.noun()));
            };
            found.for_each(note);
        }
        Ok(listed)
    }

    /// Success, unless a list that was read is not complete.
    pub(crate) fn exit(&self) -> Exit {
        match self.has_cut_list.load(Ordering::Relaxed) {
            true => Exit::Incomplete,
            false => Exit::Success,
        }
    }

    /// Returns the failure that ends the connection; `None` while requests can be sent.
    pub(crate) async fn end(&self) -> Option<Failed> {
        match self.guard(self.connection.wait_until_open()).await {
            Ok(opened) => opened.err().map(Failed::from),
            Err(stopped) => Some(stopped),
        }
    }

    /// Runs an operation to its end. If the command is stopped, asks the server to cancel first.
    pub(crate) async fn run(&self, input: OperationInput) -> Result<OperationNumber> {
        let started = self.guard(self.connection.start_operation(input)).await?;
        let number = match started {
            Ok(number) => number,
            Err(error) => return Err(self.end().await.unwrap_or_else(|| error.into())),
        };
        if let Err(stopped) = self.guard(self.finished(number)).await {
            let _ = self.connection.cancel_operation(number).await;
            let _ = tokio::time::timeout(CANCEL, self.finished(number)).await;
            return Err(stopped);
        }
        Ok(number)
    }

    async fn finished(&self, number: OperationNumber) {
        let finished = self.connection.wait_for(|state| {
            let record = state.operations.get(number);
            let over = record.is_none_or(|record| record.state == OperationState::Finished);
            over.then_some(())
        });
        finished.await;
    }

    /// Reads a finished operation.
    pub(crate) fn record<T>(
        &self,
        number: OperationNumber,
        read: impl FnOnce(&OperationRecord) -> T,
    ) -> Result<T> {
        let read = self
            .connection
            .read(|state| state.operations.get(number).map(read));
        read.ok_or_else(|| Failed::incomplete("The run is no longer in the history."))
    }

    /// The failure of an operation that has no result.
    pub(crate) fn failure(&self, outcome: &OperationOutcome) -> Option<Failed> {
        Some(match outcome {
            OperationOutcome::Result { .. } | OperationOutcome::Sent => return None,
            OperationOutcome::ProtocolError {
                code,
                message,
                data,
                meaning,
            } => Failed::new(
                Exit::ErrorResponse,
                format!("The server responded with error {code}: {message}"),
            )
            .more([meaning.clone()])
            .more(data.iter().map(|data| format!("data: {data}"))),
            OperationOutcome::BadShape { problem } => Failed::new(
                Exit::ErrorResponse,
                "The response does not fit the request.",
            )
            .more([problem.clone()]),
            OperationOutcome::TimedOut { hard } => Failed::new(
                Exit::TimedOut,
                match hard {
                    true => "The run took longer than its limit.",
                    false => {
                        "The server did not respond within the time limit, and sent no progress."
                    }
                },
            ),
            OperationOutcome::Cancelled | OperationOutcome::StoppedWaiting => {
                // Only a refused request is cancelled here.
                Failed::incomplete(
                    "The run ended without a result, since a request of the server was refused.",
                )
            }
            OperationOutcome::Lost { reason, code } => {
                if let Some(failed) = self.sign_in_problem() {
                    return Some(failed);
                }
                let exit = match code {
                    LostCode::TooLarge
                    | LostCode::TooManyRounds
                    | LostCode::Forbidden
                    | LostCode::NotSent => Exit::Incomplete,
                    _ => Exit::ServerFailed,
                };
                let tail = self.connection.read(|state| {
                    let failure = state.session.failure.as_ref();
                    failure
                        .map(|one| one.stderr_tail.clone())
                        .unwrap_or_default()
                });
                let tail = tail.into_iter().map(|line| format!("stderr: {line}"));
                Failed::new(exit, reason.clone()).more(tail)
            }
        })
    }

    fn sign_in_problem(&self) -> Option<Failed> {
        let problem = self
            .connection
            .read(|state| state.auth.as_ref()?.problem.clone())?;
        Some(
            Failed::new(Exit::SignInNeeded, problem.title)
                .more([problem.cause])
                .more(problem.advice),
        )
    }

    /// The server's name and version, and the protocol version.
    pub(crate) fn identity(&self) -> (String, Option<String>, String) {
        let identity = self.connection.read(|state| {
            let identity = state.session.identity.as_ref()?;
            let name = identity.title.clone().or_else(|| identity.name.clone());
            Some((name, identity.version.clone(), identity.revision.clone()))
        });
        let (name, version, revision) = identity.unwrap_or_default();
        (name.unwrap_or_else(|| self.name.clone()), version, revision)
    }
}

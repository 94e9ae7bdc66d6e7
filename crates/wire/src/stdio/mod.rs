//! A child process as a transport: one message per line on its standard input and output.
//!
//! Four tasks own one thing each: the writer stdin, two readers stdout and stderr, and the supervisor the process
//! itself. The supervisor joins the other three and sends the last event.

// Preparation: the program's file and its environment.
mod environment;
mod locate;
mod login_shell;

// The process.
mod group;
pub mod watchdog;
mod supervisor;

// The streams of the process.
pub mod lines;
mod readers;
mod writer;

use std::{ffi::OsString, path::PathBuf, process::Stdio, sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use self::{
    group::Group, locate::Located, readers::Stdout, supervisor::Supervisor, writer::Writer,
};
use crate::{Body, Direction, Entry, EntryKind, Limits, SpawnError, Tap, Wire};

pub use environment::{inherited_env, is_path, search_path};
pub use login_shell::{LoginShellPath, login_shell_path};
pub use watchdog::Watchdog;

/// Settings for starting and ending a child process.
#[derive(Clone)]
pub struct StdioSpec {
    /// The program: a name that is searched for, or a path (relative to `cwd`).
    pub command: String,
    /// Its arguments, passed as they are: no shell is involved.
    pub args: Vec<String>,
    /// Placeholders in the arguments, and their secrets. The process gets the secrets; records and messages
    /// show the placeholders.
    pub filled_in: Vec<(String, String)>,
    /// Environment entries on top of [`inherited_env`]. Values may be secrets.
    pub env: Vec<(String, String)>,
    /// The working directory; this process's own when not given.
    pub cwd: Option<PathBuf>,
    /// Folders where programs are searched for, and the child's `PATH`. A `PATH` in `env` takes precedence; this
    /// process's own is the last resort.
    pub path: Option<OsString>,
    /// Ends the child process if Sonde dies without ending it.
    pub watchdog: Option<Arc<Watchdog>>,
    /// Limits of the steps that end the process.
    pub shutdown: ShutdownTimeouts,
    /// The largest line.
    pub limits: Limits,
}

impl StdioSpec {
    /// Creates a spec for a program without arguments; everything else has its default.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            filled_in: Vec::new(),
            env: Vec::new(),
            cwd: None,
            path: None,
            watchdog: None,
            shutdown: ShutdownTimeouts::default(),
            limits: Limits::default(),
        }
    }
}

impl std::fmt::Debug for StdioSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Arguments and values may be secrets.
        f.debug_struct("StdioSpec")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field(
                "env",
                &self.env.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            )
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

/// The steps by which a child process is ended (protocol: stdio, shutdown): its standard input is
/// closed, then its process group is asked to terminate, then it is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShutdownTimeouts {
    /// Limit for ending by itself after its standard input was closed.
    pub stdin: Duration,
    /// Limit for ending after the request to terminate.
    pub terminate: Duration,
    /// Limit of silence of the streams after the process ended, before they are given up: another process may hold them
    /// open.
    pub drain: Duration,
}

impl Default for ShutdownTimeouts {
    fn default() -> Self {
        Self {
            stdin: Duration::from_secs(2),
            terminate: Duration::from_secs(2),
            drain: Duration::from_millis(500),
        }
    }
}

/// A started process.
#[derive(Clone, Debug)]
pub struct ProcessInfo {
    /// The process id; on Unix the id of its process group as well.
    pub pid: u32,
    /// The program file.
    pub program: PathBuf,
    /// The `PATH` that was searched and that the process got.
    pub path: OsString,
}

/// Replaces the placeholders in an argument with their secrets. Placeholders inside a secret stay.
#[must_use]
pub fn fill_in(arg: &str, secrets: &[(String, String)]) -> String {
    let mut filled = String::with_capacity(arg.len());
    let mut rest = arg;
    while !rest.is_empty() {
        let found = secrets.iter().find_map(|(place, secret)| {
            Some((
                secret,
                rest.strip_prefix(place.as_str())
                    .filter(|_| !place.is_empty())?,
            ))
        });
        match (found, rest.chars().next()) {
            (Some((secret, behind)), _) => {
                filled.push_str(secret);
                rest = behind;
            }
            (None, Some(letter)) => {
                filled.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
            (None, None) => break,
        }
    }
    filled
}

/// Starts a child process and its transport. Call it inside a tokio runtime.
///
/// # Errors
///
/// [`SpawnError`] when the program was not found, may not be executed or could not be started.
/// Nothing is recorded then.
pub async fn spawn(spec: StdioSpec, tap: Arc<dyn Tap>) -> Result<(Wire, ProcessInfo), SpawnError> {
    let (Located { program, cwd }, path) = find(&spec).await?;

    let mut command = group::command(&program);
    command
        .args(spec.args.iter().map(|arg| fill_in(arg, &spec.filled_in)))
        .env_clear()
        .envs(inherited_env())
        .env("PATH", &path)
        .envs(spec.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(cwd) = &cwd {
        command.current_dir(cwd);
    }
    let mut group = Group::spawn(command, spec.watchdog.clone())
        .map_err(|source| locate::explain(&spec.command, &program, source))?;
    let info = ProcessInfo {
        pid: group.pid(),
        program,
        path,
    };
    tracing::debug!(pid = info.pid, program = %info.program.display(), "started a child process");
    let mut executed = vec![info.program.to_string_lossy().into_owned()];
    executed.extend(spec.args.iter().cloned());
    tap.record(event(EntryKind::Started {
        command: executed,
        pid: info.pid,
    }));

    let (wire, far) = Wire::memory();
    let (stdin, stdout, stderr) = group.streams();
    let ended = CancellationToken::new();
    let stop = CancellationToken::new();
    let writer = Writer {
        stdin,
        commands: far.commands,
        incoming: far.incoming.clone(),
        tap: Arc::clone(&tap),
        closing: CancellationToken::new(),
        kill: CancellationToken::new(),
        stop: stop.clone(),
        exit: spec.shutdown.stdin,
    };
    let closing = writer.closing.clone();
    let kill = writer.kill.clone();
    let reader = Stdout {
        pipe: stdout,
        incoming: far.incoming.clone(),
        tap: Arc::clone(&tap),
        limits: spec.limits,
        ended: ended.clone(),
        drain: spec.shutdown.drain,
    };
    let supervisor = Supervisor {
        group,
        shutdown: spec.shutdown,
        incoming: far.incoming,
        stdout: tokio::spawn(reader.run()),
        stderr: tokio::spawn(readers::stderr(
            stderr,
            Arc::clone(&tap),
            ended.clone(),
            spec.shutdown.drain,
        )),
        writer: tokio::spawn(writer.run()),
        tap,
        closing,
        kill,
        stop,
        ended,
    };
    tokio::spawn(supervisor.run());
    Ok((wire, info))
}

/// Finds the program that [`spawn`] would start. Starts nothing.
///
/// # Errors
///
/// [`SpawnError`] when the program was not found or may not be executed.
pub async fn resolve(spec: &StdioSpec) -> Result<PathBuf, SpawnError> {
    find(spec).await.map(|(located, _)| located.program)
}

async fn find(spec: &StdioSpec) -> Result<(Located, OsString), SpawnError> {
    let path = environment::search_path(spec);
    let (command, cwd, folders) = (spec.command.clone(), spec.cwd.clone(), path.clone());
    // A folder of the `PATH` may be on a network, which must not block a runtime thread.
    match tokio::task::spawn_blocking(move || locate::locate(&command, cwd, &folders)).await {
        Ok(located) => Ok((located?, path)),
        Err(error) => Err(SpawnError::Io {
            command: spec.command.clone(),
            source: std::io::Error::other(error),
        }),
    }
}

/// Creates an entry about the process itself.
fn event(kind: EntryKind) -> Entry {
    Entry::new(Direction::In, kind, Body::Empty)
}

#[cfg(test)]
mod tests {
    use super::fill_in;

    #[test]
    fn secrets_are_filled_in_once() {
        let pair = |place: &str, secret: &str| (place.to_owned(), secret.to_owned());
        let secrets = [pair("${a}", "<${b}>"), pair("${b}", "2"), pair("", "never")];
        assert_eq!(fill_in("x=${a}${b}ü${c}${a", &secrets), "x=<${b}>2ü${c}${a");
        assert_eq!(fill_in("", &secrets), "");
    }
}

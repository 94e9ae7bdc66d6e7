//! Exit codes, and failures that end a command.

use std::{fmt, io, path::Path};

use sonde_client::{Error, sessions::Failure};
use sonde_suite::problem::Problem;

/// Result of a command as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Success = 0,
    GateFailed = 1,
    Usage = 2,
    Incomplete = 3,
    ServerFailed = 4,
    SignInNeeded = 5,
    ErrorResponse = 6,
    TimedOut = 7,
    Interrupted = 130,
}

impl Exit {
    /// All codes with their meaning, for the help and the guide.
    pub(crate) const ALL: [(Exit, &'static str); 9] = [
        (Exit::Success, "Success; at least one thing was established"),
        (
            Exit::GateFailed,
            "A gate failed: an expectation, a finding, a difference",
        ),
        (
            Exit::Usage,
            "Wrong usage: an option, a name or a file cannot be used",
        ),
        (
            Exit::Incomplete,
            "Incomplete: nothing was established, or not all of it",
        ),
        (
            Exit::ServerFailed,
            "The server could not be started or reached, or it died",
        ),
        (
            Exit::SignInNeeded,
            "Authentication is needed, or was refused",
        ),
        (
            Exit::ErrorResponse,
            "The tool reported a failure, or the server responded with an error",
        ),
        (Exit::TimedOut, "A time limit passed"),
        (Exit::Interrupted, "Interrupted (Ctrl+C)"),
    ];

    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    /// The codes as the help shows them.
    pub(crate) fn help() -> String {
        let rows = Self::ALL.map(|(exit, meaning)| format!("  {:>3}  {meaning}", exit.code()));
        format!("Exit codes:\n{}", rows.join("\n"))
    }
}

/// Ways to hand credentials over.
const TO_SIGN_IN: [&str; 2] = [
    "Give a token from the environment: --header 'Authorization: Bearer ${TOKEN}' with the address, or `headers` in a \
     file of servers (in sonde.servers.yaml with ${env.TOKEN}).",
    "Or sign in once in Sonde's window, and name the server of its list.",
];

/// Reason why a command ended early.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) exit: Exit,
    /// One plain sentence.
    pub(crate) message: String,
    /// Further lines.
    pub(crate) more: Vec<String>,
    /// Faults of the files that it names, each with its file, for reports.
    pub(crate) problems: Vec<Problem>,
}

pub(crate) type Result<T> = std::result::Result<T, Failed>;

impl Failed {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            more: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    pub(crate) fn incomplete(message: impl Into<String>) -> Self {
        Self::new(Exit::Incomplete, message)
    }

    pub(crate) fn not_read(file: impl fmt::Display, error: &io::Error) -> Self {
        Self::usage(format!("{file} cannot be read: {error}."))
    }

    pub(crate) fn not_written(file: &Path, error: &io::Error) -> Self {
        Self::incomplete(format!("{} cannot be written: {error}.", file.display()))
    }

    pub(crate) fn more(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.more
            .extend(lines.into_iter().filter(|line| !line.is_empty()));
        self
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        let exit = match &error {
            Error::NotConnected => Exit::ServerFailed,
            Error::NoSignIn { .. } | Error::Keyring { .. } => Exit::SignInNeeded,
            Error::NotListed(_) | Error::Internal(_) | Error::EntryDropped => Exit::Incomplete,
            _ => Exit::Usage,
        };
        let detail = error.detail();
        Self::new(exit, error.to_string()).more(detail)
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        let exit = match failure.needs_sign_in() {
            true => Exit::SignInNeeded,
            false => Exit::ServerFailed,
        };
        let advice = match failure.code.as_str() {
            // Their own advice leads through the window.
            "unauthorized" | "forbidden" => TO_SIGN_IN.map(str::to_owned).to_vec(),
            _ => failure.advice,
        };
        let said = |lines: Vec<String>, by: &'static str| {
            lines.into_iter().map(move |line| format!("{by}: {line}"))
        };
        Self::new(exit, failure.title)
            .more([failure.cause])
            .more(advice)
            .more(said(failure.stderr_tail, "stderr"))
            .more(said(failure.non_message_tail, "stdout"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_the_same_table_of_exit_codes() {
        let guide = include_str!("../../../docs/guide/command-line.md");
        let rows: Vec<_> = Exit::ALL
            .iter()
            .map(|(exit, meaning)| format!("| {} | {meaning} |", exit.code()))
            .collect();
        let missing: Vec<_> = rows.iter().filter(|row| !guide.contains(*row)).collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }
}

use std::time::Duration;

use sonde_ipc::{AuthProblem, CatalogKind, CommandPreview, Failure, IpcError};

use crate::state::MissingBatch;

/// Errors of [`Headless`](crate::Headless). Each variant asks the caller for a different decision.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The explorer refused a command; its code says why.
    #[error("{}", .0.message)]
    Command(IpcError),
    /// The server runs a program that nobody has confirmed. Show the command, then connect with
    /// [`Headless::connect_confirmed`](crate::Headless::connect_confirmed).
    #[error("the command of this server was not confirmed: {}", .0.argv.join(" "))]
    NotConfirmed(Box<CommandPreview>),
    /// The connection failed or ended.
    #[error("the connection failed ({}): {} {}", .0.code, .0.title, .0.cause)]
    ConnectFailed(Box<Failure>),
    /// The server did not list what was asked for, or not all of it; its words, or those of the
    /// session.
    #[error("the list ({0:?}) was not read: {1}")]
    NotListed(CatalogKind, String),
    /// Nobody was signed in.
    #[error("the sign-in failed ({}): {} {}", .0.code, .0.title, .0.cause)]
    SignInFailed(Box<AuthProblem>),
    /// Something did not come within its limit.
    #[error("waited {limit:?} for {what}, and saw:\n{seen}")]
    TimedOut {
        /// The awaited thing, for the message.
        what: String,
        /// The limit of the wait.
        limit: Duration,
        /// The state at the end, in short.
        seen: String,
    },
    /// The explorer ended.
    #[error("the explorer ended before {what} came")]
    Closed {
        /// The awaited thing, for the message.
        what: String,
    },
    /// The explorer left a batch out: a fault in the explorer.
    #[error(transparent)]
    MissingBatch(#[from] MissingBatch),
}

impl From<IpcError> for Error {
    fn from(error: IpcError) -> Self {
        Error::Command(error)
    }
}

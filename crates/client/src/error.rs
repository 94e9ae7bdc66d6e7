//! Errors of use cases, each worded once.

use sonde_mcp::SessionGone;

use crate::{
    config::{FieldProblem, ServerId},
    log::LogMiss,
    operations::OperationNumber,
};

/// Reasons why a command was not carried out. Callers branch on the variant; its message is one plain sentence for
/// people, with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No server has this id (any more).
    #[error("This server is no longer in the list.")]
    NoServer(ServerId),
    /// No operation has this number (any more).
    #[error("This run is no longer in the history.")]
    NoOperation(OperationNumber),
    /// Something else is not there (any more).
    #[error("{0}")]
    NotFound(&'static str),
    /// The sign-in is over.
    #[error("{message}")]
    NoSignIn {
        /// The outcome of the sign-in.
        message: String,
        /// The cause.
        detail: Option<String>,
    },
    /// The input is not valid.
    #[error("{message}")]
    InvalidInput {
        /// The problem with the input.
        message: String,
        /// The place: the field of a form, or the parser's message.
        detail: Option<String>,
    },
    /// The arguments are not JSON.
    #[error("{message}")]
    NotJson {
        /// The problem with the arguments.
        message: String,
        /// The parser's message.
        detail: Option<String>,
    },
    /// The command must be shown to the user and confirmed.
    #[error(
        "{}",
        if *changed {
            "The command has changed since it was shown. Review and confirm it again."
        } else {
            "This server runs a command on your computer. Review and confirm it once."
        }
    )]
    NotConfirmed {
        /// The user had confirmed another command.
        changed: bool,
    },
    /// The configuration contains placeholders whose values must be entered first.
    #[error(
        "This server needs values that its configuration only names: {}. Enter them first.",
        .0.join(", ")
    )]
    InputsMissing(Vec<String>),
    /// The server is not connected.
    #[error("This server is not connected. Connect first.")]
    NotConnected,
    /// The server is already connected, connecting or closing.
    #[error("This server is already connected, connecting or closing.")]
    AlreadyConnected,
    /// A list could not be read: why, as a sentence.
    #[error("The list could not be read. {0}")]
    NotListed(String),
    /// A server suggests no values: why, as a sentence.
    #[error("{0}")]
    NoCompletion(String),
    /// The keyring could not be used.
    #[error("{message}")]
    Keyring {
        /// The purpose for which it was needed.
        message: String,
        /// The keyring's message.
        detail: Option<String>,
    },
    /// The entry is no longer in the log.
    #[error(
        "This entry is no longer in the wire log: it was cleared, or dropped because of the size limit."
    )]
    EntryDropped,
    /// Something that should not happen; the app log has more.
    #[error("Something went wrong inside Sonde. See the app log for details.")]
    Internal(String),
}

impl Error {
    /// Input that is not valid, in one plain sentence.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::InvalidInput {
            message: message.into(),
            detail: None,
        }
    }

    /// Input of one field of a form that is not valid, in one plain sentence.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        Self::InvalidInput {
            message: message.into(),
            detail: Some(field.to_owned()),
        }
    }

    /// Creates an internal error, and logs it.
    pub fn internal(detail: impl ToString) -> Self {
        let detail = detail.to_string();
        tracing::error!(detail, "something that should not happen");
        Self::Internal(detail)
    }

    /// The technical detail, where there is one.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::NoServer(server) => Some(server.clone()),
            Self::NoOperation(operation) => Some(operation.to_string()),
            Self::Internal(detail) => Some(detail.clone()),
            Self::NoSignIn { detail, .. }
            | Self::InvalidInput { detail, .. }
            | Self::NotJson { detail, .. }
            | Self::Keyring { detail, .. } => detail.clone(),
            _ => None,
        }
    }
}

/// Runs work that blocks or takes long on a thread for such work.
///
/// # Errors
/// `Internal` if the work panicked.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)
}

impl From<SessionGone> for Error {
    fn from(_: SessionGone) -> Self {
        Self::NotConnected
    }
}

impl From<Vec<FieldProblem>> for Error {
    fn from(problems: Vec<FieldProblem>) -> Self {
        let messages: Vec<_> = problems
            .into_iter()
            .map(|problem| problem.message)
            .collect();
        Self::invalid(messages.join(" "))
    }
}

impl From<LogMiss> for Error {
    fn from(miss: LogMiss) -> Self {
        match miss {
            LogMiss::Dropped => Self::EntryDropped,
            LogMiss::Unknown => Self::NotFound("There is no such entry in the wire log."),
        }
    }
}

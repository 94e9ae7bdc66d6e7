use serde::{Deserialize, Serialize};
use sonde_explorer::Error;
use ts_rs::TS;

/// Error codes that the window branches on. Codes are stable; messages are for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// No server, operation, document or log view of that name, or it is gone.
    NotFound,
    /// The input is invalid; `message` has the fault and `detail` its place.
    InvalidInput,
    /// The command must be shown to the user and confirmed; see [`CommandPreview`](crate::CommandPreview).
    CommandNotConfirmed,
    /// The configuration needs values that the user must enter first; see
    /// [`ServerView::missing_inputs`](crate::ServerView::missing_inputs).
    InputsMissing,
    /// The server is not connected.
    NotConnected,
    /// The server is already connected or connecting.
    AlreadyConnected,
    /// The arguments are not valid JSON.
    ArgumentsNotJson,
    /// The server suggests no values; `message` has the reason.
    NoCompletion,
    /// The keyring is not usable; the secret is kept in memory until the app ends.
    KeyringUnavailable,
    /// A file could not be read or written.
    Storage,
    /// The entry was dropped from the log to stay within its limits.
    EntryDropped,
    /// An unexpected error; the app log has more.
    Internal,
}

/// Error of every command.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct IpcError {
    /// Code that the window branches on.
    pub code: ErrorCode,
    /// One plain sentence with what to do.
    pub message: String,
    /// The technical detail, shown on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
}

impl From<Error> for IpcError {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::NoServer(_)
            | Error::NoOperation(_)
            | Error::NotFound(_)
            | Error::NotListed(_)
            | Error::NoSignIn { .. } => ErrorCode::NotFound,
            Error::InvalidInput { .. } => ErrorCode::InvalidInput,
            Error::NotJson { .. } => ErrorCode::ArgumentsNotJson,
            Error::NotConfirmed { .. } => ErrorCode::CommandNotConfirmed,
            Error::InputsMissing(_) => ErrorCode::InputsMissing,
            Error::NotConnected => ErrorCode::NotConnected,
            Error::AlreadyConnected => ErrorCode::AlreadyConnected,
            Error::NoCompletion(_) => ErrorCode::NoCompletion,
            Error::Keyring { .. } => ErrorCode::KeyringUnavailable,
            Error::EntryDropped => ErrorCode::EntryDropped,
            Error::Internal(_) => ErrorCode::Internal,
        };
        Self {
            code,
            message: error.to_string(),
            detail: error.detail(),
        }
    }
}

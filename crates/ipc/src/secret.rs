use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A secret as the window hands it in. Values never travel the other way.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SecretInput {
    /// Keep what the keyring holds.
    Keep,
    /// Store this value in the keyring.
    Set {
        /// The secret.
        value: String,
    },
}

impl std::fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SecretInput::Keep => "Keep",
            SecretInput::Set { .. } => "Set(…)",
        })
    }
}

/// A value that may be a secret. In a [`ServerView`](crate::ServerView) secrets are always [`SecretInput::Keep`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ValueView {
    /// Shown, and saved in the server file.
    Plain {
        /// The value.
        value: String,
    },
    /// Hidden, and saved in the keyring only.
    Secret {
        /// The change of the secret.
        input: SecretInput,
    },
}

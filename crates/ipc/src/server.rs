use serde::{Deserialize, Serialize};
use sonde_explorer::servers::{self, LogLevel, ServerConfig, ServerEntry, ServerId};
use ts_rs::TS;

/// A server in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Id of the server.
    pub id: ServerId,
    /// Configuration without secrets.
    pub config: ServerConfig,
    /// The command line or the URL.
    pub address: String,
    /// The user has confirmed the current command (always true for HTTP and demo).
    pub confirmed: bool,
    /// Lowest severity of the requested log messages; `None` means the default.
    pub log_level: Option<LogLevel>,
    /// Names of secrets (`env:NAME`, `header:NAME`, `auth:NAME`) that are only in memory, since the keyring did not
    /// accept them.
    pub unsaved_secrets: Vec<String>,
    /// Inputs that the configuration, written for another client, needs before it can be connected, as it writes them:
    /// `${input:NAME}`, `${env:NAME}`.
    pub missing_inputs: Vec<String>,
}

impl ServerView {
    /// Creates a view. `unsaved_secrets` are names of secrets that are only in memory.
    pub(crate) fn new(entry: &ServerEntry, unsaved_secrets: Vec<String>) -> Self {
        Self {
            id: entry.id.clone(),
            config: entry.config.clone(),
            address: servers::address(&entry.config.transport),
            confirmed: entry.is_confirmed(),
            log_level: entry.log_level,
            unsaved_secrets,
            missing_inputs: servers::missing_inputs(&entry.config.transport),
        }
    }
}

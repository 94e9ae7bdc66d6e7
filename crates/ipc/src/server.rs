use serde::{Deserialize, Serialize};
use sonde_explorer::servers::{self, LogLevel, ServerConfig, ServerEntry, ServerId};
use ts_rs::TS;

/// A server in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Names it.
    pub id: ServerId,
    /// Its configuration, secrets left out.
    pub config: ServerConfig,
    /// One line that says how it is reached: the command line or the URL.
    pub address: String,
    /// The user has confirmed the command in its present form (always true for HTTP and demo).
    pub confirmed: bool,
    /// The least severe log messages that it is asked for; `None` means the default.
    pub log_level: Option<LogLevel>,
    /// Names of secrets (`env:NAME`, `header:NAME`, `auth:NAME`) that are in memory only, since the keyring
    /// could not take them.
    pub unsaved_secrets: Vec<String>,
    /// Inputs that its configuration, written for another client, needs before it can be connected, as written
    /// there: `${input:NAME}`, `${env:NAME}`.
    pub missing_inputs: Vec<String>,
}

/// A server in the configuration of another client.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ExportedServer {
    /// Names the client; handed back with `save_export`.
    pub client: String,
    /// The client's name.
    pub name: String,
    /// Text for the client's file; `None` if the client cannot have this server.
    pub text: Option<String>,
    /// Reason why it cannot, one plain sentence.
    pub problem: Option<String>,
    /// Remaining steps and omissions, as plain sentences.
    pub notes: Vec<String>,
}

impl ServerView {
    /// `unsaved_secrets` are names of secrets that are in memory only.
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

impl From<servers::Exported> for ExportedServer {
    fn from(exported: servers::Exported) -> Self {
        let (text, problem) = match exported.text {
            Ok(text) => (Some(text), None),
            Err(problem) => (None, Some(problem.to_owned())),
        };
        Self {
            client: exported.client.to_owned(),
            name: exported.name.to_owned(),
            text,
            problem,
            notes: exported.notes,
        }
    }
}

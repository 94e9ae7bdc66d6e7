//! Options for opening a session.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CatalogShare, LogLevel, Revision, Row};

/// A client's or server's self-description (the `Implementation` type of the specification).
/// Self-reported: never a basis for behaviour or trust.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementation {
    /// Programmatic name.
    pub name: String,
    /// Version text.
    pub version: String,
    /// Display name (2025-06-18 on).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One sentence (2025-11-25 on).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Home page (2025-11-25 on). Shown as text, opened only on request.
    #[serde(
        default,
        rename = "websiteUrl",
        skip_serializing_if = "Option::is_none"
    )]
    pub website_url: Option<String>,
}

impl Implementation {
    /// Creates a description with only a name and a version.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
        }
    }
}

/// Time limits of a session. The specification asks for timeouts on every request and names no
/// numbers (lifecycle, Timeouts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Limit for the response to a probe; a process that stays silent this long counts as one that needs the handshake.
    pub probe: Duration,
    /// Limit of the whole handshake.
    pub handshake: Duration,
    /// Longest silence of a request; progress for it starts the clock again.
    pub idle: Duration,
    /// Longest duration of a request, progress or not.
    pub hard: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            probe: Duration::from_secs(5),
            handshake: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            hard: Duration::from_secs(30 * 60),
        }
    }
}

/// Ways to find out the protocol of a server. In a configuration `R` is text, since a file may name a version that
/// Sonde does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(concrete(R = String))]
pub enum ProtocolMode<R> {
    /// Ask it (`server/discover`), and fall back to the handshake.
    #[default]
    Automatic,
    /// The handshake, without asking first.
    Handshake,
    /// Stateless requests only.
    Stateless,
    /// Fixed version and no other.
    Fixed {
        /// Its name.
        revision: R,
    },
}

/// The protocol mode of a session.
pub type EraChoice = ProtocolMode<Revision>;

impl From<Revision> for ProtocolMode<String> {
    fn from(revision: Revision) -> Self {
        Self::Fixed {
            revision: revision.as_str().to_owned(),
        }
    }
}

impl ProtocolMode<String> {
    /// Returns the mode of a session; `None` for a protocol version that Sonde does not know.
    #[must_use]
    pub fn era_choice(&self) -> Option<EraChoice> {
        Some(match self {
            Self::Automatic => EraChoice::Automatic,
            Self::Handshake => EraChoice::Handshake,
            Self::Stateless => EraChoice::Stateless,
            Self::Fixed { revision } => EraChoice::Fixed {
                revision: Revision::parse(revision)?,
            },
        })
    }
}

/// A folder that a server may work in (`roots`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// Name for people.
    pub name: Option<String>,
}

/// Client capabilities declared to the server. Anything undeclared is not served: a request for it is
/// refused as the protocol demands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    /// Asking the user (`elicitation`). Declared where the protocol version knows it.
    pub elicitation: Option<ElicitationCapability>,
    /// Asking a language model (`sampling`); in Sonde the user writes its reply.
    pub sampling: Option<SamplingCapability>,
    /// Naming folders (`roots`).
    pub roots: Option<RootsCapability>,
    /// Tools may respond with a task: the extension `io.modelcontextprotocol/tasks`, declared only to stateless
    /// servers. After a handshake, the client requests tasks itself and declares nothing.
    pub tasks: bool,
    /// A server may ask for its requests as tasks (`tasks`). Declared where the protocol version knows it,
    /// for each of `sampling` and `elicitation` that is declared itself.
    pub request_tasks: bool,
    /// Extensions by their identifier, with their settings as JSON text.
    pub extensions: Vec<(String, String)>,
}

impl ClientCapabilities {
    /// Returns true if a server may ask for this request as a task.
    pub(crate) fn takes_task(&self, row: &Row, method: &str) -> bool {
        row.tasks
            && self.request_tasks
            && match method {
                "sampling/createMessage" => self.sampling.is_some(),
                "elicitation/create" => self.elicitation.is_some(),
                _ => false,
            }
    }

    /// Returns true if a server may ask for any request as a task.
    pub(crate) fn takes_tasks(&self, row: &Row) -> bool {
        ["sampling/createMessage", "elicitation/create"]
            .iter()
            .any(|method| self.takes_task(row, method))
    }
}

/// The modes of `elicitation`. With neither, an empty object is declared, which means forms (elicitation,
/// Capabilities).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ElicitationCapability {
    /// Answering forms.
    pub form: bool,
    /// Sending the user to an address. Declared where the protocol version knows it.
    pub url: bool,
}

impl ElicitationCapability {
    /// Forms and addresses.
    pub const ALL: Self = Self {
        form: true,
        url: true,
    };

    /// Returns true if a server may ask with a form.
    pub(crate) fn takes_forms(self) -> bool {
        self.form || !self.url
    }
}

/// The parts of `sampling`. Declared where the protocol version knows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SamplingCapability {
    /// Context for the model, as requested by `includeContext`.
    pub context: bool,
    /// Tools for the model.
    pub tools: bool,
}

/// The folders that a server may work in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootsCapability {
    /// Folders that answer `roots/list`, until
    /// [`SessionHandle::set_roots`](crate::SessionHandle::set_roots) replaces them.
    pub list: Vec<Root>,
    /// A server with a handshake is notified when the list changes.
    pub list_changed: bool,
}

/// Options for resuming broken streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOptions {
    /// Attempts in a row before a stream is given up.
    pub attempts: u32,
    /// The shortest wait of Sonde's own choice. A server's `retry:` may be shorter, but not below 10 milliseconds.
    pub floor: Duration,
    /// The longest wait, also where the server asks for more.
    pub cap: Duration,
}

impl Default for StreamOptions {
    fn default() -> Self {
        StreamOptions {
            attempts: 5,
            floor: Duration::from_secs(1),
            cap: Duration::from_secs(30),
        }
    }
}

/// Options for opening a session.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// Self-description of Sonde.
    pub client: Implementation,
    /// Time limits, each overridable per call.
    pub timeouts: Timeouts,
    /// Log level to request: with `logging/setLevel` after a handshake, if the server declares logging, or with every
    /// stateless request. `None` leaves the level to the server.
    pub log_level: Option<LogLevel>,
    /// Asked for with every stateless request when there is no `log_level`: there a server must not
    /// log unless it is asked to. `None` asks for nothing.
    pub request_log_level: Option<LogLevel>,
    /// Way to detect the server's era.
    pub era: EraChoice,
    /// The revision to offer in the handshake; `None` offers the newest.
    pub offer: Option<Revision>,
    /// Capabilities declared to the server.
    pub capabilities: ClientCapabilities,
    /// Passes `roots/list` to the user like any other request of the server, instead of answering it, until
    /// [`SessionHandle::hand_on_roots`](crate::SessionHandle::hand_on_roots) changes that.
    pub hand_on_roots: bool,
    /// Options for resuming broken streams.
    pub streams: StreamOptions,
    /// Number of times that one call may be sent again with the inputs that the server asked for.
    pub rounds: u32,
    /// Resources to subscribe to as soon as the session is ready: the subscriptions of the previous
    /// session.
    pub resource_subscriptions: Vec<String>,
    /// This server's share of the memory for all catalogs.
    pub catalogs: Arc<CatalogShare>,
    /// Returns the time of day in ISO 8601, for the tasks that the session keeps for servers.
    pub time_of_day: fn() -> String,
}

impl SessionOptions {
    /// The defaults: the handshake of the newest revision, usual time limits, the server's own log
    /// level, no capabilities, and no clock for the time of day: it is always 1970.
    #[must_use]
    pub fn new(client: Implementation) -> Self {
        SessionOptions {
            client,
            timeouts: Timeouts::default(),
            log_level: None,
            request_log_level: None,
            era: EraChoice::Handshake,
            offer: None,
            capabilities: ClientCapabilities::default(),
            hand_on_roots: false,
            streams: StreamOptions::default(),
            rounds: 20,
            resource_subscriptions: Vec::new(),
            catalogs: Arc::default(),
            time_of_day: || "1970-01-01T00:00:00Z".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_known_versions_are_understood() {
        for revision in Revision::ALL {
            let mode = ProtocolMode::from(revision);
            assert_eq!(mode.era_choice(), Some(EraChoice::Fixed { revision }));
        }
        let unknown = ProtocolMode::Fixed {
            revision: "1999-01-01".to_owned(),
        };
        assert_eq!(unknown.era_choice(), None);
    }
}

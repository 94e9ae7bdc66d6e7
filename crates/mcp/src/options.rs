//! What a session is opened with.

use std::time::Duration;

use crate::{LogLevel, Revision};

/// A client's or server's self-description (the `Implementation` type of the specification).
/// Self-reported: never a basis for behaviour or trust.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// Time limits of a session. The specification asks for timeouts on every request and names no
/// numbers (lifecycle, Timeouts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the handshake, as a whole.
    pub handshake: Duration,
    /// Longest silence of a request; progress for it starts the clock again.
    pub idle: Duration,
    /// Longest duration of a request, progress or not.
    pub hard: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            handshake: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            hard: Duration::from_secs(30 * 60),
        }
    }
}

/// What a session is opened with.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How Sonde introduces itself.
    pub client: Implementation,
    /// Time limits, each overridable per call.
    pub timeouts: Timeouts,
    /// Asked of the server with `logging/setLevel` once it declared logging; `None` leaves the
    /// level to the server.
    pub log_level: Option<LogLevel>,
    /// The revision to offer in the handshake; `None` offers the newest.
    pub offer: Option<Revision>,
}

impl SessionOptions {
    /// The defaults: usual time limits, the server's own log level, the newest revision.
    #[must_use]
    pub fn new(client: Implementation) -> Self {
        SessionOptions {
            client,
            timeouts: Timeouts::default(),
            log_level: None,
            offer: None,
        }
    }
}

//! Log messages of a server.

use serde::{Deserialize, Serialize};
use sonde_mcp::{LogLevel, LogMessage};
use ts_rs::TS;

use super::text;
use crate::log::WireLog;

/// The longest text of a message, in characters.
const LONGEST: usize = 1_000;
/// Look-ahead beyond that limit, in characters, so that a secret split by the cut is still hidden.
const AHEAD: usize = 4_096;

/// One log message of an operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct LoggedMessage {
    /// Log entry that carried it.
    pub seq: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// One of the eight levels, or what the server wrote there.
    pub level: String,
    /// Name of the logger inside the server, at most 200 characters.
    pub logger: Option<String>,
    /// Text, or JSON text; at most 1,000 characters.
    pub text: String,
    /// Several operations ran at once, and nothing says which of them it belongs to.
    pub ambiguous: bool,
}

/// Summarizes a log message. The wire log has all of it.
pub(crate) fn log_message(message: &LogMessage, log: &WireLog, at: u64) -> LoggedMessage {
    let mut text = match &message.data {
        None => String::new(),
        Some(data) => {
            let raw = data.get();
            // A string is shown as text, any other value as JSON. Of a huge string only the beginning is decoded.
            if raw.starts_with('"') && raw.len() <= 8 * LONGEST {
                text::decode(raw).map_or_else(|| raw.to_owned(), |(text, _)| text.into_owned())
            } else {
                raw.chars().take(LONGEST + AHEAD).collect()
            }
        }
    };
    // Redact before cutting: a secret that is cut in half would stay visible.
    log.hide(&mut text);
    LoggedMessage {
        seq: message.seq.0,
        at,
        level: message.level.map_or("unknown", LogLevel::as_str).to_owned(),
        logger: message
            .logger
            .as_deref()
            .map(|logger| crate::text::cut(logger, 200)),
        text: crate::text::cut(&text, LONGEST),
        ambiguous: message.ambiguous,
    }
}

/// Returns the placeholder of a message that is no longer kept.
pub(crate) fn dropped() -> LoggedMessage {
    LoggedMessage {
        level: "unknown".to_owned(),
        text: "(no longer stored here; the wire log may still have it)".to_owned(),
        ..LoggedMessage::default()
    }
}

//! How Sonde introduces itself to every server.

use sonde_mcp::{ClientCapabilities, Implementation, LogLevel, SessionOptions};

/// How often one operation may be sent again with what the server asked for.
const ROUNDS: u32 = 20;

/// What every session of the app is opened with, before the settings of its server: who Sonde is,
/// and what it declares that it can do. Nothing is declared that the window cannot serve.
pub(super) fn introduction() -> SessionOptions {
    SessionOptions {
        capabilities: ClientCapabilities {
            // The window shows forms, sends the user to an address, and takes what a model would say.
            elicitation: true,
            elicitation_urls: true,
            sampling: true,
            ..ClientCapabilities::default()
        },
        // Whoever tests a server wants to see what it logs; a server with a handshake logs by
        // itself.
        request_log_level: Some(LogLevel::Debug),
        rounds: ROUNDS,
        ..SessionOptions::new(Implementation::new("Sonde", env!("CARGO_PKG_VERSION")))
    }
}

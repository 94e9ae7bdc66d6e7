//! Introduces Sonde to every server.

use sonde_mcp::{Implementation, LogLevel, SessionOptions};

use crate::clock;

/// Limit on resending one operation with the input that the server asked for.
const ROUNDS: u32 = 20;

/// Options that open every session of the app, before the other settings of its server. `client` is Sonde's name and
/// version.
pub(super) fn introduction(client: Implementation) -> SessionOptions {
    SessionOptions {
        // A developer wants to see the server's log messages; after a handshake, servers send them unasked.
        request_log_level: Some(LogLevel::Debug),
        rounds: ROUNDS,
        time_of_day: clock::time_of_day,
        ..SessionOptions::new(client)
    }
}

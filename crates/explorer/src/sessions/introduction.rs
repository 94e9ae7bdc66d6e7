//! How Sonde introduces itself to every server.

use sonde_mcp::{Implementation, LogLevel, SessionOptions};

use crate::clock;

/// How often one operation may be sent again with what the server asked for.
const ROUNDS: u32 = 20;

/// What every session of the app is opened with, before the other settings of its server. `client` is who
/// Sonde says that it is.
pub(super) fn introduction(client: Implementation) -> SessionOptions {
    SessionOptions {
        // Whoever tests a server wants to see what it logs; a server with a handshake logs by
        // itself.
        request_log_level: Some(LogLevel::Debug),
        rounds: ROUNDS,
        time_of_day: clock::time_of_day,
        ..SessionOptions::new(client)
    }
}

//! Setting of the log level.

use sonde_wire::Cause;

use super::{context::Context, purpose::Purpose, stage::Stage};
use crate::{Event, LogLevel, protocol::handshake};

/// Asks for log messages of `level` and above, now and in each new session; `None` leaves it to the server
/// again, which a handshake can only express in the next session.
pub(super) fn set(ctx: &mut Context, level: Option<LogLevel>, cause: Cause) {
    ctx.options.log_level = level;
    // A stateless server gets the level with every request (logging).
    if ctx
        .protocol
        .takes_level(level.or(ctx.options.request_log_level))
    {
        return;
    }
    let Some(level) = level else { return };
    if ctx.stage() == Stage::Opening {
        // Asked for once the server has declared logging.
        return;
    }
    if !ctx.is_ready() {
        return failed(ctx, "the session is closing");
    }
    let params = handshake::level_params(level);
    ctx.ask(Purpose::SetLevel, "logging/setLevel", Some(&params), cause);
}

/// `why` is a sentence without its full stop.
pub(super) fn failed(ctx: &mut Context, why: &str) {
    let message = format!("The log level was not set: {why}.");
    ctx.report(Event::LogLevelFailed { message });
}

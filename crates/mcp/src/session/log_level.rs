//! Setting of the log level.

use sonde_wire::Cause;

use super::{
    context::Context, purpose::Purpose, requests::Requests, stage::Stage, time_limits::Limits,
};
use crate::{
    Event, LogLevel,
    protocol::{Request, handshake},
};

/// Asks for log messages of `level` and above, now and in each new session; `None` leaves it to the server
/// again, which a handshake can only express in the next session.
pub(super) fn set(
    ctx: &mut Context,
    requests: &mut Requests,
    level: Option<LogLevel>,
    cause: Cause,
) {
    ctx.options.log_level = level;
    // A stateless server is told with every request (logging).
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
    let limits = Limits::usual(&ctx.options.timeouts);
    let params = handshake::level_params(level);
    let request = Request {
        params: Some(&params),
        ..Request::bare("logging/setLevel")
    };
    requests.send(ctx, Purpose::SetLevel, limits, cause, &request);
}

/// `why` is a sentence without its full stop.
pub(super) fn failed(ctx: &mut Context, why: &str) {
    let message = format!("The log level was not set: {why}.");
    ctx.report(Event::LogLevelFailed { message });
}

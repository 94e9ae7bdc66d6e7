//! Which log messages are asked for.

use sonde_wire::Cause;

use super::{
    context::Context,
    requests::{Purpose, Requests},
    time_limits::Limits,
};
use crate::{
    Event, LogLevel,
    protocol::{Request, legacy},
};

/// Asks for log messages of `level` and above.
pub(super) fn set(ctx: &mut Context, requests: &mut Requests, level: LogLevel, cause: Cause) {
    if !ctx.is_ready() {
        return failed(ctx, "the session is closing");
    }
    // A stateless server is told with every request (logging).
    if ctx.protocol.takes_level(level) {
        return;
    }
    let limits = Limits::usual(&ctx.options.timeouts);
    let params = legacy::level_params(level);
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

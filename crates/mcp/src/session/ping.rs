//! Pings of the user.

use sonde_wire::Cause;

use super::{context::Context, purpose::Purpose, requests::Answered};
use crate::Event;

pub(super) fn send(ctx: &mut Context) {
    if !ctx.is_ready() {
        return failed(ctx, "The session is closing.", true);
    }
    let method = ctx.protocol.ping();
    ctx.ask(Purpose::Ping, method, None, Cause::User);
}

pub(super) fn answered(ctx: &mut Context, answered: &Answered<'_>) {
    // The response must be prompt and empty (ping); its content is ignored.
    if answered.response.is_result() {
        let micros = answered.request.sent.elapsed().as_micros();
        let micros = u64::try_from(micros).unwrap_or(u64::MAX);
        ctx.report(Event::Pong { micros });
    } else {
        let problem = answered.response.problem();
        failed(ctx, &format!("The ping failed: {problem}."), false);
    }
}

pub(super) fn failed(ctx: &mut Context, message: &str, is_lost: bool) {
    let message = message.to_owned();
    ctx.report(Event::PingFailed { message, is_lost });
}

//! Effects of a session's events on its health.

use sonde_wire::WireError;

use super::{context::Context, response::Loss};
use crate::{Event, Health, RequestProblem, StreamProblem};

/// A response came, or a stream opened: requests get through.
pub(super) fn works(ctx: &mut Context) {
    update(ctx, |health| health.requests = None);
}

/// Notes that the background stream broke or ended; `None` if it is not missed.
pub(super) fn stream_missing(ctx: &mut Context, problem: Option<StreamProblem>) {
    update(ctx, |health| health.stream = problem);
}

/// A request, or an attempt to open a stream, has no response.
pub(super) fn on_lost(ctx: &mut Context, loss: &Loss) {
    let why = loss.problem();
    match loss {
        // A timeout has many possible reasons.
        Loss::TimedOut(_) => failed(ctx, why),
        _ if !ctx.is_ready() => {}
        Loss::SessionRejected { .. } => problem(ctx, RequestProblem::SessionRejected),
        Loss::Exchange(error) if is_unreachable(error) => unreachable(ctx, why),
        // A proxy uses these codes for a server that it cannot reach.
        Loss::Http {
            status: 502..=504, ..
        } => unreachable(ctx, why),
        Loss::Exchange(_) | Loss::Http { .. } | Loss::NoAnswer | Loss::StreamLost(_) => {
            failed(ctx, why);
        }
        // The server responded, or the phase has the reason.
        Loss::BadShape { .. } | Loss::TooLarge { .. } | Loss::Forgotten | Loss::TransportGone => {}
    }
}

/// The process closed its standard output.
pub(super) fn output_closed(ctx: &mut Context) {
    problem(ctx, RequestProblem::OutputClosed);
}

/// Forgets all problems: the session is restarted, or its background stream opened.
pub(super) fn reset(ctx: &mut Context) {
    update(ctx, |health| *health = Health::default());
}

/// Handles a sign that the server cannot be reached. A single sign can be an accident; a second one without a success
/// in between is not.
fn unreachable(ctx: &mut Context, why: String) {
    let doubted = ctx.health.stream == Some(StreamProblem::Lost) || ctx.health.requests.is_some();
    match doubted {
        true => problem(ctx, RequestProblem::Unreachable { why }),
        false => failed(ctx, why),
    }
}

fn failed(ctx: &mut Context, why: String) {
    // A more severe problem stays.
    if matches!(
        ctx.health.requests,
        None | Some(RequestProblem::Failed { .. })
    ) {
        problem(ctx, RequestProblem::Failed { why });
    }
}

fn problem(ctx: &mut Context, problem: RequestProblem) {
    // Also replaces `SessionRejected`: a server that rejects a session can be reached, one that is gone cannot.
    update(ctx, |health| health.requests = Some(problem));
}

fn update(ctx: &mut Context, change: impl FnOnce(&mut Health)) {
    let before = ctx.health.clone();
    change(&mut ctx.health);
    if ctx.health != before {
        let health = ctx.health.clone();
        ctx.report(Event::Health(health));
    }
}

/// Returns true if the server was not reached at all, or the connection to it broke.
fn is_unreachable(error: &WireError) -> bool {
    matches!(
        error,
        WireError::UnknownHost { .. }
            | WireError::Refused { .. }
            | WireError::ConnectTimeout { .. }
            | WireError::Proxy { .. }
            | WireError::Tls { .. }
            | WireError::Broken { .. }
            | WireError::Idle { .. }
    )
}

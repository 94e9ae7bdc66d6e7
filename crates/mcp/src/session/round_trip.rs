//! Durations of requests, for statistics.

use std::sync::Arc;

use sonde_wire::Seq;

use super::{context::Context, purpose::Purpose, requests::PendingRequest};
use crate::Event;

/// Reports the duration of a request for statistics, or that it has no response.
pub(super) fn report_round_trip(
    ctx: &mut Context,
    request: &PendingRequest,
    answer: Option<Seq>,
    failed: bool,
) {
    let micros = request.sent.elapsed().as_micros();
    ctx.report(Event::RoundTrip {
        method: Arc::clone(&request.method),
        // Requests about a task do not count as requests of its operation.
        operation: match request.purpose {
            Purpose::Operation(operation) => Some(operation),
            _ => None,
        },
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
        answer,
        // An error in response to a probe still answers it.
        failed: failed && request.purpose != Purpose::Discover,
    });
}

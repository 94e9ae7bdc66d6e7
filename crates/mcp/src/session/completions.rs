//! Suggestions for an argument that is being typed: only the newest request is kept. They are not operations.

use sonde_wire::{Cause, ExchangeId, Finding};
use tokio::sync::oneshot;

use super::{context::Context, purpose::Purpose, response::Response};
use crate::{Completion, CompletionFailure, CompletionRequest, completion};

/// Receiver of the suggestions.
pub(super) type Waiting = oneshot::Sender<Result<Completion, CompletionFailure>>;

/// The completion request in flight.
#[derive(Debug, Default)]
pub(super) struct Completions {
    current: Option<(u64, Waiting)>,
}

impl Completions {
    /// Asks for suggestions and cancels the previous request.
    pub(super) fn ask(&mut self, ctx: &mut Context, request: &CompletionRequest, waiting: Waiting) {
        self.cancel(ctx);
        if !ctx.is_ready() {
            let closing = "the session is closing".to_owned();
            // The caller may have gone.
            let _ = waiting.send(Err(CompletionFailure::Failed(closing)));
            return;
        }
        let params = request.encode(ctx.protocol.completes_in_context());
        let params = Some(params.as_str());
        let id = ctx.ask(
            Purpose::Complete,
            completion::METHOD,
            params,
            Cause::Completion,
        );
        self.current = Some((id, waiting));
    }

    /// Cancels the request. A response that is already on its way is ignored (cancellation, Timing Considerations).
    pub(super) fn cancel(&mut self, ctx: &mut Context) {
        let Some((id, waiting)) = self.current.take() else {
            return;
        };
        let _ = waiting.send(Err(CompletionFailure::Cancelled));
        if !ctx.is_ready() || !ctx.cancel_request(id) {
            return;
        }
        if ctx.requests.is_parked(id) {
            // The server never took it: there is nothing to stop there.
            ctx.abandon(ExchangeId(id));
        } else {
            ctx.stop_request(id, None, Cause::Completion, None);
        }
    }

    /// Takes the response, which may be that to a cancelled request.
    pub(super) fn answered(
        &mut self,
        id: u64,
        response: &Response<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let outcome = match response {
            Response::Result(result) => completion::read(result, findings)
                .ok_or_else(|| CompletionFailure::Failed("the response is malformed".to_owned())),
            Response::Error(error) => Err(CompletionFailure::Refused {
                code: error.code,
                message: error.message.clone(),
            }),
            Response::Unreadable(problem) => Err(CompletionFailure::Failed(problem.clone())),
        };
        self.settle(id, outcome);
    }

    /// Ends a request without a response; `problem` is the reason, without the full stop.
    pub(super) fn failed(&mut self, id: u64, problem: String) {
        self.settle(id, Err(CompletionFailure::Failed(problem)));
    }

    fn settle(&mut self, id: u64, outcome: Result<Completion, CompletionFailure>) {
        if let Some((_, waiting)) = self.current.take_if(|(current, _)| *current == id) {
            let _ = waiting.send(outcome);
        }
    }
}

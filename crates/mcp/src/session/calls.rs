//! Tool calls: sending, answering, waiting, giving up.

use std::time::Duration;

use serde_json::value::RawValue;
use sonde_wire::{Carrier, Cause, Finding, Seq};
use tokio::time::Instant;

use super::{
    actor::{Actor, keep},
    deadlines::{Alarm, later},
    envelope::{ErrorObject, finding},
    multi_round_trip::RetryContext,
    pending::{Expiry, GRACE, Limits, Purpose},
    stage::Stage,
};
use crate::{
    CallEvent, CallId, CallOptions, CallRequest, Lost, Outcome, TimeoutKind,
    members::{members, one_line},
    protocol::tool_params,
};

/// What came as an answer.
#[derive(Debug)]
pub(super) enum Answer<'a> {
    Result(&'a RawValue),
    Error(ErrorObject),
    /// Not readable as either; a plain sentence says why.
    Broken(String),
}

impl Actor {
    pub(super) fn start_call(&mut self, call: CallId, asked: CallRequest, options: CallOptions) {
        if self.stage != Stage::Ready {
            return self.finish(call, Outcome::Lost(Lost::TransportGone));
        }
        if self.pending.of_call(call).is_some() || self.retries.contains_key(&call) {
            tracing::warn!(?call, "a call with this id is running already");
            return;
        }
        let (method, typed) = match &asked {
            CallRequest::Tool(tool) => ("tools/call", &tool.arguments),
            CallRequest::Other { method, params } => (method.as_str(), params),
        };
        // Anything else than one JSON value would break the envelope around it.
        if let Some(Err(error)) = typed.as_deref().map(serde_json::from_str::<&RawValue>) {
            let what = match asked {
                CallRequest::Tool(_) => "arguments",
                CallRequest::Other { .. } => "parameters",
            };
            let reason = format!("The {what} are not valid JSON: {error}.");
            return self.finish(call, Outcome::Lost(Lost::NotSent { reason }));
        }
        let params = match &asked {
            CallRequest::Tool(tool) => Some(tool_params(tool)),
            CallRequest::Other { params, .. } => params.as_deref().map(one_line),
        };
        let now = Instant::now();
        let timeouts = self.options.timeouts;
        let limits = Limits::new(
            now,
            options.idle.unwrap_or(timeouts.idle),
            options.hard.unwrap_or(timeouts.hard),
        );
        let retry = RetryContext::new(self.name(method), params, options.force);
        let id = match self.send_call(call, &retry, limits, Cause::User) {
            Ok(id) => id,
            Err(lost) => return self.finish(call, Outcome::Lost(lost)),
        };
        if self.protocol.is_modern() {
            self.retries.insert(call, retry);
        }
        let (idle, hard) = limits.remaining(now);
        self.report_call(
            call,
            CallEvent::Sent {
                request_id: id.to_string(),
                idle,
                hard,
            },
        );
    }

    pub(super) fn finish(&mut self, call: CallId, outcome: Outcome) {
        self.close_retry(call);
        self.report_call(call, CallEvent::Finished(outcome));
    }

    /// Asks the server to stop. It may have answered already, so the answer is still waited for
    /// (cancellation, Timing Considerations).
    pub(super) fn cancel(&mut self, call: CallId, reason: Option<&str>) {
        // While the session closes nothing can be told to the server any more.
        if self.stage != Stage::Ready {
            return;
        }
        let Some(id) = self.pending.of_call(call) else {
            // Between two of its requests nobody has to be told.
            if self.retries.contains_key(&call) {
                self.finish(call, Outcome::Cancelled);
            }
            return;
        };
        let Some(request) = self.pending.get_mut(id) else {
            return;
        };
        if !request.limits.cancel(Instant::now()) {
            return;
        }
        self.deadlines.arm(Alarm::Request(id), request.limits.due());
        if self.is_parked(id) {
            // The server never took it: there is nothing to stop there.
            self.abandon(id);
        } else {
            self.stop_request(id, reason, Cause::User, Some(call));
        }
        self.report_call(call, CallEvent::Cancelling);
    }

    /// Tells the server that an answer is no longer wanted. `true` when it is told so by closing
    /// the stream of the answer, which then ends at once.
    pub(super) fn stop_request(
        &mut self,
        id: u64,
        reason: Option<&str>,
        cause: Cause,
        call: Option<CallId>,
    ) -> bool {
        if self.stage != Stage::Ready {
            return false;
        }
        // Streamable HTTP of the stateless era: "closing the response stream" is the cancellation,
        // and nothing else is to be sent (cancellation, Transport-Specific Cancellation).
        if self.protocol.is_modern() && self.carrier == Carrier::Http {
            self.abandon(id);
            return true;
        }
        let text = self.protocol.cancelled(id, reason);
        self.send_notification("notifications/cancelled", text, cause, call);
        false
    }

    pub(super) fn extend(&mut self, call: CallId, by: Duration) {
        let Some(id) = self.pending.of_call(call) else {
            return self.extend_round(call, by);
        };
        let Some(request) = self.pending.get_mut(id) else {
            return;
        };
        if request.limits.is_cancelled() {
            return;
        }
        let now = Instant::now();
        // The armed alarm is earlier than the new limit: it looks again when it goes off.
        request.limits.extend(now, by);
        let (idle, hard) = request.limits.remaining(now);
        self.report_call(call, CallEvent::Extended { idle, hard });
    }

    /// A request's alarm went off.
    pub(super) fn request_due(&mut self, id: u64, now: Instant) {
        let Some(request) = self.pending.get(id) else {
            return;
        };
        let Some(expiry) = request.limits.expired(now) else {
            let due = request.limits.due();
            self.deadlines.arm(Alarm::Request(id), due);
            return;
        };
        let purpose = request.purpose;
        self.pending.end(id, false);
        self.answer_settled(id, false);
        if expiry == Expiry::Cancelled {
            self.abandon(id);
            if let Purpose::Call(call) = purpose {
                self.finish(call, Outcome::Cancelled);
            }
            return;
        }
        // "the sender SHOULD issue a cancellation notification for that request and stop waiting"
        // (lifecycle, Timeouts).
        let closed = self.stop_request(id, Some("Timed out"), Cause::Deadline, purpose.call());
        if !closed {
            self.deadlines.arm(Alarm::Abandon(id), later(now, GRACE));
        }
        let Expiry::Timeout(kind) = expiry else {
            return;
        };
        let sentence = match kind {
            TimeoutKind::Idle => "no response in time",
            TimeoutKind::Hard => "no response within the max timeout",
        };
        match purpose {
            Purpose::Call(call) => self.finish(call, Outcome::TimedOut(kind)),
            Purpose::ListTools => {
                self.list_failed(format!("The tools could not be listed: {sentence}."))
            }
            Purpose::Ping => self.ping_failed(&format!("The ping failed: {sentence}.")),
            Purpose::SetLevel => self.log_level_failed(sentence),
            // Has an alarm of its own.
            Purpose::Discover | Purpose::Initialize | Purpose::Listen => {}
        }
    }

    /// Takes the answer to a waiting request.
    pub(super) fn answered(
        &mut self,
        id: u64,
        answer: Answer<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let Some(request) = self.pending.end(id, true) else {
            return;
        };
        self.deadlines.disarm(Alarm::Request(id));
        self.answer_settled(id, true);
        self.round_trip(&request, !matches!(answer, Answer::Result(_)));
        if request.purpose != Purpose::Initialize {
            self.remembered();
        }
        match request.purpose {
            Purpose::Call(call) => self.call_answered(call, &request, answer, seq, findings),
            Purpose::Discover => self.inquiry_answered(&request, answer, seq, findings),
            Purpose::Initialize => match answer {
                Answer::Result(result) => {
                    self.handshake_answered(Ok(result), &request, seq, findings);
                }
                Answer::Error(error) => {
                    self.handshake_answered(Err(error), &request, seq, findings);
                }
                Answer::Broken(problem) => {
                    self.handshake_lost(super::exchanges::Loss::BadShape { problem, seq });
                }
            },
            Purpose::Listen => {
                let answer = self.checked(&request.method, answer);
                self.subscription_answered(answer, seq);
            }
            Purpose::ListTools => {
                let answer = self.checked(&request.method, answer);
                self.page_arrived(answer);
            }
            Purpose::Ping => match answer {
                // "MUST respond promptly with an empty response" (ping); what is in it is ignored.
                Answer::Result(_) => {
                    let micros = request.sent.elapsed().as_micros();
                    self.pong(u64::try_from(micros).unwrap_or(u64::MAX));
                }
                other => self.ping_failed(&format!("The ping failed: {}.", sentence(&other))),
            },
            Purpose::SetLevel => {
                if !matches!(answer, Answer::Result(_)) {
                    self.log_level_failed(&sentence(&answer));
                }
            }
        }
    }
}

/// What went wrong, without the full stop.
pub(super) fn sentence(answer: &Answer<'_>) -> String {
    match answer {
        Answer::Result(_) => "the response is malformed".to_owned(),
        Answer::Error(error) => format!("the server answered “{}” ({})", error.message, error.code),
        Answer::Broken(problem) => problem.clone(),
    }
}

/// What an answer makes of its call. `findings` receives what is odd without being in the way.
pub(super) fn outcome(
    method: &str,
    answer: Answer<'_>,
    seq: Seq,
    findings: &mut Vec<Finding>,
) -> Outcome {
    let result = match answer {
        Answer::Result(result) => result,
        Answer::Error(error) => {
            return Outcome::ProtocolError {
                code: error.code,
                message: error.message,
                data: error.data,
                seq,
            };
        }
        Answer::Broken(problem) => return Outcome::BadShape { problem, seq },
    };
    // One look over the text for two members; nothing of it is copied but the whole, once.
    let Ok(read) = members(result.get(), &["isError", "content"]) else {
        return Outcome::BadShape {
            problem: "the result is not an object".to_owned(),
            seq,
        };
    };
    if method != "tools/call" {
        return Outcome::Result {
            raw: keep(result),
            is_error: false,
            seq,
        };
    }
    let [is_error, content] = read.values;
    if content.is_none_or(|raw| !raw.get().starts_with('[')) {
        findings.push(finding("bad-content", "The result has no `content` array."));
    }
    let is_error = match is_error.map(RawValue::get) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            findings.push(finding(
                "bad-is-error",
                "`isError` is not a boolean; it is read as false.",
            ));
            false
        }
    };
    Outcome::Result {
        raw: keep(result),
        is_error,
        seq,
    }
}

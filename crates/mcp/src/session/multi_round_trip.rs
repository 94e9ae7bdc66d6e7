//! Calls of the stateless era that take more than one request.

use std::sync::Arc;

use sonde_wire::{Carrier, Cause, Finding, Header, Seq};
use tokio::time::{Duration, Instant};

use super::{
    actor::Actor,
    calls::{Answer, outcome},
    deadlines::{Alarm, later},
    pending::{Limits, PendingRequest, Purpose},
    server_requests::Origin,
    stage::Stage,
};
use crate::{
    CallEvent, CallId, Era, Lost, Outcome, Reply, TimeoutKind,
    members::{at, complete, one_line, quoted, without},
    protocol::{
        Request, detection,
        modern::{
            InputRequired, ParamHeader, ResultKind, code, header_values, kind, param_headers,
        },
    },
};

/// What has to be known of a running call to send it again.
#[derive(Debug)]
pub(super) struct RetryContext {
    method: Arc<str>,
    /// As it was sent first, without what an era adds.
    params: Option<String>,
    /// It may be sent although the tool forbids it.
    force: bool,
    /// How often it was sent again.
    again: u32,
    /// It was sent again in the words of another revision.
    other_revision: bool,
    /// It was, or is about to be, sent again with headers by the newest definition of its tool.
    other_headers: bool,
    /// Its limits, while it waits for the tool list before it is sent again.
    relisting: Option<Limits>,
    /// How often the server asked for input.
    asked: u32,
    /// The parameters with what the server asked for last.
    answered: Option<String>,
    /// What the server waits for.
    round: Option<Round>,
}

/// A call between an `input_required` result and the request that answers it.
#[derive(Debug)]
struct Round {
    /// Keys with the user's answers, in the server's order.
    inputs: Vec<(String, Option<String>)>,
    /// `requestState` as received.
    state: Option<String>,
    limits: Limits,
}

/// The first pause before a call is sent again without any input; doubles with each.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest one.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

impl RetryContext {
    pub(super) fn new(method: Arc<str>, params: Option<String>, force: bool) -> Self {
        RetryContext {
            method,
            params,
            force,
            again: 0,
            other_revision: false,
            other_headers: false,
            relisting: None,
            asked: 0,
            answered: None,
            round: None,
        }
    }
}

impl Actor {
    /// Sends the request of a call.
    pub(super) fn send_call(
        &mut self,
        call: CallId,
        retry: &RetryContext,
        limits: Limits,
        cause: Cause,
    ) -> Result<u64, Lost> {
        let extra = self
            .tool_headers(retry)
            .map_err(|reason| Lost::Forbidden { reason })?;
        let request = Request {
            method: &retry.method,
            params: retry.answered.as_deref().or(retry.params.as_deref()),
            progress: true,
        };
        Ok(self.request(
            Purpose::Call(call),
            request.method,
            limits,
            cause,
            |era, id| {
                let mut encoded = era.request(id, &request);
                encoded.headers.extend(extra);
                encoded
            },
        ))
    }

    /// The headers that a tool's definition asks for, by the newest list. An error says why its
    /// definition forbids the call.
    fn tool_headers(&self, retry: &RetryContext) -> Result<Vec<Header>, String> {
        if &*retry.method != "tools/call"
            || self.carrier != Carrier::Http
            || !self.protocol.is_modern()
        {
            return Ok(Vec::new());
        }
        let params = retry.params.as_deref().unwrap_or_default();
        let text = |name: &str| at(params, &[name.to_owned()]);
        let schema = text("name")
            .and_then(crate::members::string)
            .and_then(|name| self.lists.tool(&name))
            .and_then(|tool| tool.input_schema.as_deref());
        let param_headers: Vec<ParamHeader> = match schema.map(param_headers) {
            // "If the tool was never listed", there is nothing to repeat.
            None => return Ok(Vec::new()),
            Some(Err(_)) if retry.force => return Ok(Vec::new()),
            Some(Err(reason)) => {
                return Err(format!(
                    "Clients must not call this tool over HTTP: {reason}."
                ));
            }
            Some(Ok(param_headers)) => param_headers,
        };
        let arguments = text("arguments");
        Ok(arguments
            .map(|arguments| header_values(&param_headers, arguments.get()))
            .unwrap_or_default())
    }

    /// What an answer is worth in this era: a result of an unknown kind is none.
    pub(super) fn checked<'a>(&self, method: &str, answer: Answer<'a>) -> Answer<'a> {
        let (Answer::Result(result), Some(modern)) = (&answer, self.protocol.modern()) else {
            return answer;
        };
        match kind(result, method, modern.tasks) {
            Ok(ResultKind::Complete) => answer,
            Ok(ResultKind::InputRequired(_)) => {
                Answer::Broken("the response requests input, which is not allowed here".to_owned())
            }
            Err(problem) => Answer::Broken(problem),
        }
    }

    /// Takes the answer to the request of a call, which need not be the end of the call.
    pub(super) fn call_answered(
        &mut self,
        call: CallId,
        request: &PendingRequest,
        answer: Answer<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        if let Answer::Error(error) = &answer
            && !request.limits.is_cancelled()
            && self.sent_again(call, error.code, error.data.as_deref(), request, seq)
        {
            return;
        }
        if let (Answer::Result(result), Some(modern)) = (&answer, self.protocol.modern())
            && let Ok(ResultKind::InputRequired(wanted)) =
                kind(result, &request.method, modern.tasks)
        {
            return self.input_required(call, wanted, request.limits, seq);
        }
        let answer = self.checked(&request.method, answer);
        let outcome = outcome(&request.method, answer, seq, findings);
        self.finish(call, outcome);
    }

    /// The server wants something before it goes on (multi round-trip requests).
    fn input_required(&mut self, call: CallId, wanted: InputRequired, limits: Limits, seq: Seq) {
        if limits.is_cancelled() {
            return self.finish(call, Outcome::Cancelled);
        }
        let Some(retry) = self.retries.get_mut(&call) else {
            return self.finish(call, Outcome::Lost(Lost::NoAnswer));
        };
        retry.asked += 1;
        let (round, limit) = (retry.asked, self.options.rounds);
        self.report_call(call, CallEvent::InputRequired { round });
        if round > limit {
            return self.finish(call, Outcome::Lost(Lost::TooManyRounds { limit }));
        }
        if self.stage != Stage::Ready {
            return self.finish(call, Outcome::Lost(Lost::TransportGone));
        }
        let mut inputs = Vec::with_capacity(wanted.requests.len());
        for (key, method, params) in wanted.requests {
            inputs.push((key.clone(), None));
            let declared = self.is_declared(&method);
            let method = self.name(&method);
            let origin = Origin::Input { key };
            self.ask_user(origin, method, params.as_deref(), Some(call), declared, seq);
        }
        // The idle clock stands still while the user thinks. Without a question the server only
        // asks for patience, which it gets.
        let due = if inputs.is_empty() {
            let pause = PAUSE * 2_u32.pow((round - 1).min(10));
            limits
                .hard_at()
                .min(later(Instant::now(), pause.min(LONGEST_PAUSE)))
        } else {
            limits.hard_at()
        };
        self.deadlines.arm(Alarm::Round(call.0), due);
        if let Some(retry) = self.retries.get_mut(&call) {
            retry.round = Some(Round {
                inputs,
                state: wanted.state,
                limits,
            });
        }
    }

    /// Whether the capability that a question needs was declared.
    fn is_declared(&self, method: &str) -> bool {
        let declared = &self.options.capabilities;
        match method {
            "elicitation/create" => declared.elicitation,
            "sampling/createMessage" => declared.sampling,
            "roots/list" => declared.roots,
            _ => false,
        }
    }

    /// The user answered what a server asked inside a result.
    pub(super) fn input_given(&mut self, call: CallId, key: String, reply: Reply) {
        let Reply::Result(text) = reply else {
            // "There is no error channel": whoever refuses just does not send the request again
            // (multi round-trip requests).
            return self.finish(call, Outcome::Cancelled);
        };
        let input = self.retries.get_mut(&call).and_then(|retry| {
            let inputs = &mut retry.round.as_mut()?.inputs;
            inputs.iter_mut().find(|(asked, _)| *asked == key)
        });
        if let Some((_, answer)) = input {
            *answer = Some(one_line(&text));
            self.next_round(call);
        }
    }

    /// Sends the call again once everything is answered.
    fn next_round(&mut self, call: CallId) {
        let Some(retry) = self.retries.get_mut(&call) else {
            return;
        };
        let waits = |round: &Round| round.inputs.iter().any(|(_, answer)| answer.is_none());
        if retry.round.as_ref().is_none_or(waits) {
            return;
        }
        let Some(round) = retry.round.take() else {
            return;
        };
        let responses: Vec<String> = round
            .inputs
            .iter()
            .filter_map(|(key, answer)| Some(format!("{}:{}", quoted(key), answer.as_ref()?)))
            .collect();
        let responses = format!("{{{}}}", responses.join(","));
        // What an earlier round said must not be said again.
        let params = without(
            retry.params.as_deref().unwrap_or("{}"),
            &["inputResponses", "requestState"],
        );
        let mut entries = Vec::new();
        if !round.inputs.is_empty() {
            entries.push(("inputResponses", responses.as_str()));
        }
        if let Some(state) = &round.state {
            entries.push(("requestState", state.as_str()));
        }
        retry.answered = complete(&params, &entries);
        self.deadlines.disarm(Alarm::Round(call.0));
        self.send_again(call, round.limits);
    }

    /// A call's pause is over, or the whole call has lasted too long.
    pub(super) fn round_due(&mut self, call: CallId, now: Instant) {
        let round = self
            .retries
            .get(&call)
            .and_then(|retry| retry.round.as_ref());
        let Some(round) = round else {
            return;
        };
        if round.limits.hard_at() <= now {
            return self.finish(call, Outcome::TimedOut(TimeoutKind::Hard));
        }
        self.next_round(call);
    }

    /// Waits longer for a call that waits for the user.
    pub(super) fn extend_round(&mut self, call: CallId, by: Duration) {
        let Some(round) = self
            .retries
            .get_mut(&call)
            .and_then(|retry| retry.round.as_mut())
        else {
            return;
        };
        let now = Instant::now();
        round.limits.extend(now, by);
        let (idle, hard) = round.limits.remaining(now);
        if !round.inputs.is_empty() {
            let due = round.limits.hard_at();
            self.deadlines.arm(Alarm::Round(call.0), due);
        }
        self.report_call(call, CallEvent::Extended { idle, hard });
    }

    /// A call is over, and what it still asked the user with it.
    pub(super) fn close_retry(&mut self, call: CallId) {
        self.deadlines.disarm(Alarm::Round(call.0));
        self.retries.remove(&call);
        self.close_inputs(call);
    }

    /// Whether an error is one that sending the request again, otherwise, can help.
    fn sent_again(
        &mut self,
        call: CallId,
        error: i64,
        data: Option<&serde_json::value::RawValue>,
        request: &PendingRequest,
        seq: Seq,
    ) -> bool {
        if self.stage != Stage::Ready {
            return false;
        }
        let (Some(modern), Some(retry)) = (self.protocol.modern_mut(), self.retries.get_mut(&call))
        else {
            return false;
        };
        match error {
            code::UNSUPPORTED_VERSION if !retry.other_revision => {
                let Some(revision) = detection::refused_revision(data) else {
                    return false;
                };
                retry.other_revision = true;
                let before = std::mem::replace(&mut modern.revision, revision);
                self.detected(
                    "other-revision",
                    format!(
                        "The server rejects {before} and lists {revision}: sending the request \
                         again with that."
                    ),
                    Some(Era::Modern),
                    Some(seq),
                );
                self.send_again(call, request.limits);
                true
            }
            // "re-run tools/list, rebuild headers, retry once" (Streamable HTTP, Server
            // Validation).
            code::HEADER_MISMATCH
                if &*request.method == "tools/call"
                    && self.carrier == Carrier::Http
                    && !retry.other_headers =>
            {
                retry.other_headers = true;
                retry.relisting = Some(request.limits);
                self.detected(
                    "headers-refused",
                    "The server rejects the headers of the request: refreshing the tools and \
                     sending it again with headers from the newest definition.",
                    Some(Era::Modern),
                    Some(seq),
                );
                self.refresh_tools(Cause::Retry);
                true
            }
            _ => false,
        }
    }

    /// The tool list was read, or could not be: what waited for it goes on.
    pub(super) fn send_relisted(&mut self) {
        let mut waiting: Vec<(CallId, Limits)> = self
            .retries
            .iter_mut()
            .filter_map(|(call, retry)| Some((*call, retry.relisting.take()?)))
            .collect();
        waiting.sort_unstable_by_key(|(call, _)| *call);
        for (call, limits) in waiting {
            self.send_again(call, limits);
        }
    }

    /// The transport is gone: no call goes on.
    pub(super) fn lose_retries(&mut self) {
        let mut calls: Vec<CallId> = self.retries.keys().copied().collect();
        calls.sort_unstable();
        for call in calls {
            self.finish(call, Outcome::Lost(Lost::TransportGone));
        }
    }

    /// Sends a call's request again, with a new id and a new idle limit.
    pub(super) fn send_again(&mut self, call: CallId, limits: Limits) {
        let Some(mut retry) = self.retries.remove(&call) else {
            return;
        };
        if self.stage != Stage::Ready {
            return self.finish(call, Outcome::Lost(Lost::TransportGone));
        }
        retry.again += 1;
        let round = retry.again;
        let sent = self.send_call(call, &retry, limits.again(Instant::now()), Cause::Retry);
        self.retries.insert(call, retry);
        match sent {
            Ok(id) => self.report_call(
                call,
                CallEvent::Again {
                    request_id: id.to_string(),
                    round,
                },
            ),
            Err(lost) => self.finish(call, Outcome::Lost(lost)),
        }
    }
}

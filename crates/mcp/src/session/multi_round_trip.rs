//! Resending a request of the stateless era: with the inputs that the server asked for, in another protocol
//! version, or with other headers (multi round-trip requests).

use std::sync::Arc;

use tokio::time::{Duration, Instant};

use super::{
    deadlines::later,
    roots,
    time_limits::{Limits, Pause},
};
use crate::{
    members::{complete, one_line, quoted, without},
    protocol::stateless::InputRequired,
};

/// The first pause before a request is sent again without any input; doubles with each.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// Limit of that pause.
const LONGEST_RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Data of a running operation that are needed to send its request again.
#[derive(Debug, Default)]
pub(super) struct RetryContext {
    pub(super) method: Arc<str>,
    /// The parameters as sent first, without the members that the protocol adds.
    params: Option<String>,
    /// It may be sent although the tool forbids it.
    pub(super) force: bool,
    /// Number of times it was sent again.
    pub(super) retries: u32,
    /// It was sent again in another protocol version.
    pub(super) other_revision: bool,
    /// It was, or is about to be, sent again with headers by the newest definition of its tool.
    pub(super) other_headers: bool,
    /// Its limits, while it waits for the tools to be read again.
    pub(super) relisting: Option<Limits>,
    /// Number of times the server asked for input.
    rounds: u32,
    /// The parameters with the latest inputs.
    answered: Option<String>,
    /// The results of `roots/list` among them, until they are sent.
    pub(super) roots: Vec<String>,
    /// The open request for input.
    round: Option<Round>,
}

/// An operation between an `input_required` result and the request that answers it.
#[derive(Debug)]
struct Round {
    /// Keys with the methods and the replies to them, in the server's order.
    inputs: Vec<(String, String, Option<String>)>,
    /// `requestState` as received.
    state: Option<String>,
    limits: Limits,
}

impl RetryContext {
    pub(super) fn new(method: Arc<str>, params: Option<String>, force: bool) -> Self {
        RetryContext {
            method,
            params,
            force,
            ..RetryContext::default()
        }
    }

    /// The parameters of the next request.
    pub(super) fn params(&self) -> Option<&str> {
        self.answered.as_deref().or(self.params.as_deref())
    }

    /// The parameters as the user wrote them.
    pub(super) fn own_params(&self) -> Option<&str> {
        self.params.as_deref()
    }

    /// Counts a request for input; returns the number so far.
    pub(super) fn count_round(&mut self) -> u32 {
        self.rounds += 1;
        self.rounds
    }

    /// Begins to wait for the requested inputs; returns the time of the next check. The clocks are paused while the
    /// user is asked. A server that asks for no input only needs time, so the request is sent again after a pause.
    pub(super) fn begin_round(&mut self, wanted: &InputRequired, limits: Limits) -> Instant {
        let now = Instant::now();
        let mut limits = limits.resumed(now);
        let inputs: Vec<_> = wanted
            .requests
            .iter()
            .map(|(key, method, _)| (key.clone(), method.clone(), None))
            .collect();
        let due = if inputs.is_empty() {
            let pause = RETRY_PAUSE * 2_u32.pow(self.rounds.saturating_sub(1).min(10));
            limits
                .hard_at()
                .min(later(now, pause.min(LONGEST_RETRY_PAUSE)))
        } else {
            limits.pause(now, Pause::User);
            limits.due()
        };
        self.round = Some(Round {
            inputs,
            state: wanted.state.clone(),
            limits,
        });
        due
    }

    /// Takes the reply to one of the requests for input (JSON text). `false` for an unknown key.
    pub(super) fn give_input(&mut self, key: &str, text: &str) -> bool {
        let input = self
            .round
            .as_mut()
            .and_then(|round| round.inputs.iter_mut().find(|(asked, ..)| asked == key));
        let Some((.., reply)) = input else {
            return false;
        };
        *reply = Some(one_line(text).into_owned());
        true
    }

    /// Ends the round once every input is there. Returns the limits of the operation, whose clocks run again, and true
    /// if they changed.
    pub(super) fn end_round(&mut self) -> Option<(Limits, bool)> {
        let waits = |round: &Round| round.inputs.iter().any(|(.., reply)| reply.is_none());
        let round = self.round.take_if(|round| !waits(round))?;
        let responses: Vec<String> = round
            .inputs
            .iter()
            .filter_map(|(key, _, reply)| Some(format!("{}:{}", quoted(key), reply.as_ref()?)))
            .collect();
        let responses = format!("{{{}}}", responses.join(","));
        // Inputs of earlier rounds must not be sent again.
        let params = without(
            self.params.as_deref().unwrap_or("{}"),
            &["inputResponses", "requestState"],
        );
        let mut entries = Vec::new();
        if !round.inputs.is_empty() {
            entries.push(("inputResponses", responses.as_str()));
        }
        if let Some(state) = &round.state {
            entries.push(("requestState", state.as_str()));
        }
        self.answered = complete(&params, &entries);
        let replies = round.inputs.into_iter();
        self.roots = replies
            .filter(|(_, method, _)| method == roots::LIST)
            .filter_map(|(.., reply)| reply)
            .collect();
        let limits = round.limits.resumed(Instant::now());
        Some((limits, limits.hard_at() != round.limits.hard_at()))
    }

    /// Returns true if the whole operation has lasted too long. `None` unless it is between two of its requests.
    pub(super) fn is_overdue(&self, now: Instant) -> Option<bool> {
        let round = self.round.as_ref().map(|round| &round.limits);
        Some(round.or(self.relisting.as_ref())?.is_over(now))
    }

    /// Extends the limits of an operation between two of its requests; returns the time that remains until them.
    pub(super) fn extend(&mut self, by: Duration) -> Option<(Duration, Duration)> {
        let round = self.round.as_mut().map(|round| &mut round.limits);
        let limits = round.or(self.relisting.as_mut())?;
        let now = Instant::now();
        limits.extend(now, by);
        Some(limits.remaining(now))
    }
}

//! What goes on beside calls: pings, log messages, progress, requests of the server.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_wire::{Cause, ExchangeId, Finding, Seq};
use tokio::time::Instant;

use super::{
    actor::{Actor, keep},
    envelope::finding,
    pending::{PendingRequest, Purpose},
    stage::Stage,
};
use crate::{
    CallEvent, CallId, Event, LogLevel, LogMessage, Progress,
    members::{members, string},
    protocol::Request,
};

impl Actor {
    pub(super) fn ping(&mut self) {
        if self.stage != Stage::Ready {
            return self.ping_failed("The session is closing.");
        }
        let limits = self.usual_limits();
        let request = Request::bare(self.protocol.ping());
        self.send_request(Purpose::Ping, limits, Cause::User, &request);
    }

    /// For statistics: how long an answer took, or that there is none.
    pub(super) fn round_trip(&mut self, request: &PendingRequest, failed: bool) {
        let micros = request.sent.elapsed().as_micros();
        self.report(Event::RoundTrip {
            method: Arc::clone(&request.method),
            micros: u64::try_from(micros).unwrap_or(u64::MAX),
            failed,
        });
    }

    pub(super) fn pong(&mut self, micros: u64) {
        self.report(Event::Pong { micros });
    }

    pub(super) fn ping_failed(&mut self, message: &str) {
        let message = message.to_owned();
        self.report(Event::PingFailed { message });
    }

    /// A stateless server has no business asking: it embeds its server_requests in results, and an answer
    /// would have no place (base protocol, Responses).
    pub(super) fn ignore_request(&mut self, method: &str, findings: &mut Vec<Finding>) -> Arc<str> {
        findings.push(finding(
            "request-in-stateless-era",
            "A stateless server must not send requests; Sonde does not respond.",
        ));
        self.name(method)
    }

    /// Takes a progress notification; answers with the call it belongs to.
    pub(super) fn progressed(
        &mut self,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Option<CallId> {
        let read = params.and_then(|raw| {
            members(
                raw.get(),
                &["progressToken", "progress", "total", "message"],
            )
            .ok()
        });
        let [token, progress, total, message] = read.map_or([None; 4], |read| read.values);
        let Some(id) = token.and_then(|token| progress_token(token, findings)) else {
            findings.push(finding(
                "unknown-progress-token",
                "No request was sent with this progress token.",
            ));
            return None;
        };
        let progress = Progress {
            progress: match progress.and_then(number) {
                Some(progress) => progress,
                None => {
                    findings.push(finding("bad-progress", "`progress` is not a number."));
                    f64::NAN
                }
            },
            total: total.and_then(|raw| {
                let total = number(raw);
                if total.is_none() {
                    findings.push(finding("bad-progress", "`total` is not a number."));
                }
                total
            }),
            message: message.and_then(string),
        };
        if let Some(request) = self.pending.get_mut(id) {
            // Even an unreadable one is a sign of life.
            request.limits.progressed(Instant::now());
            let call = request.purpose.call()?;
            if !progress.progress.is_nan() {
                self.report_call(call, CallEvent::Progress(progress));
            }
            return Some(call);
        }
        let Some(ended) = self.pending.ended(id) else {
            findings.push(finding(
                "unknown-progress-token",
                "No recent request was sent with this progress token.",
            ));
            return None;
        };
        let call = ended.call;
        // "Progress notifications MUST stop after completion" (progress, Behavior Requirements).
        findings.push(finding(
            "late-progress",
            "The request with this progress token has already finished.",
        ));
        if let Some(call) = call {
            let outcome = None;
            self.report_call(call, CallEvent::Late { seq, outcome });
        }
        call
    }

    /// Takes a log message; answers with the call it belongs to.
    pub(super) fn logged(
        &mut self,
        params: Option<&RawValue>,
        exchange: Option<ExchangeId>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Option<CallId> {
        let read = params.and_then(|raw| members(raw.get(), &["level", "logger", "data"]).ok());
        let [level, logger, data] = read.map_or([None; 3], |read| read.values);
        let level: Option<LogLevel> = level.and_then(|raw| serde_json::from_str(raw.get()).ok());
        if level.is_none() {
            findings.push(finding(
                "bad-log-level",
                "`level` is not one of the eight log levels.",
            ));
        }
        let message = Arc::new(LogMessage {
            level,
            logger: logger.and_then(string),
            data: data.map(keep),
            seq,
        });
        // On a stream of its own a call's messages are known to be its own; without streams only
        // when nothing else runs.
        let call = match exchange {
            Some(ExchangeId(id)) => self.pending.call_of(id),
            None => self.pending.only_call(),
        };
        match call {
            Some(call) => self.report_call(call, CallEvent::Log(message)),
            None => self.report(Event::Log(message)),
        }
        call
    }
}

/// The request that a progress token was sent with: they are the same number. A token that came
/// back as a string is understood and marked.
fn progress_token(token: &RawValue, findings: &mut Vec<Finding>) -> Option<u64> {
    if let Ok(id) = token.get().parse() {
        return Some(id);
    }
    let id = string(token)?.parse().ok()?;
    findings.push(finding(
        "progress-token-type",
        "The progress token was sent as a number and came back as a string.",
    ));
    Some(id)
}

/// A finite JSON number.
fn number(raw: &RawValue) -> Option<f64> {
    raw.get()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}

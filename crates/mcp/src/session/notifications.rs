//! Notifications that belong to operations: progress and log messages.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Location, Rule, rules, secret};
use sonde_wire::{Carrier, ExchangeId, Label, Seq};

use super::{
    context::Context,
    envelope::keep,
    purpose::{Purpose, TaskCall},
    requests::{ProgressedRequest, Requests},
};
use crate::{
    Event, LogLevel, LogMessage, OperationEvent, OperationId, Progress,
    catalog::declared,
    limits::{NAME, PROGRESS_MESSAGE},
    members::{members, string},
    protocol::stateless::Stateless,
    text::cut,
};

/// A message that could belong to more operations than this is assigned to none: copies for all of them would only fill
/// the memory.
pub(super) const MOST_CANDIDATES: usize = 16;

/// Bytes of a log message that are searched for secrets.
const LOOKED_AT: usize = 64 * 1024;

/// Handles a progress notification; returns the operation that it belongs to.
pub(super) fn on_progress(
    ctx: &mut Context,
    params: Option<&RawValue>,
    exchange: Option<ExchangeId>,
    seq: Seq,
    findings: &mut Vec<Finding>,
) -> Option<OperationId> {
    findings.extend(misplaced(&ctx.requests, exchange, "notifications/progress"));
    let read = params.and_then(|raw| {
        members(
            raw.get(),
            &["progressToken", "progress", "total", "message"],
        )
        .ok()
    });
    let [token, progress, total, message] = read.map_or([None; 4], |read| read.values);
    let is_written = token.is_some_and(|token| ctx.requests.is_written(token.get()));
    let mut of_token = Vec::new();
    let id = token.and_then(|token| progress_token(token, &mut of_token));
    if id.is_none() {
        of_token.push(in_params(&rules::UNKNOWN_PROGRESS_TOKEN, "progressToken"));
    }
    if !is_written {
        findings.extend(of_token);
    }
    let id = id?;
    let progress = Progress {
        progress: match progress.and_then(number) {
            Some(progress) => progress,
            None => {
                findings
                    .push(in_params(&rules::BAD_PROGRESS, "progress").with("member", "progress"));
                f64::NAN
            }
        },
        total: total.and_then(|raw| {
            let total = number(raw);
            if total.is_none() {
                findings.push(in_params(&rules::BAD_PROGRESS, "total").with("member", "total"));
            }
            total
        }),
        message: message
            .and_then(string)
            .map(|text| cut(&text, PROGRESS_MESSAGE)),
    };
    // Even unreadable progress is a sign of life.
    if let Some(ProgressedRequest { operation, before }) =
        ctx.requests.progressed(id, progress.progress)
    {
        // "The progress value MUST increase with each notification" (progress, Progress Flow).
        if let Some(before) = before.filter(|before| !increased(*before, progress.progress)) {
            let falling = in_params(&rules::FALLING_PROGRESS, "progress");
            findings.push(
                falling
                    .with("value", progress.progress)
                    .with("before", before),
            );
        }
        if let Some(total) = progress.total.filter(|total| progress.progress > *total) {
            let excess = in_params(&rules::EXCESS_PROGRESS, "progress");
            findings.push(excess.with("value", progress.progress).with("total", total));
        }
        // "These messages SHOULD relate to the originating client request" (transports, Sending Messages).
        // Progress of a task belongs on the stream of the request that waits for its result.
        let result = operation.map(|operation| Purpose::Task(operation, TaskCall::Result));
        if let Some(ExchangeId(on)) = exchange
            && on != id
            && let Some(request) = ctx.requests.get(on)
            && request.purpose != Purpose::Listen
            && result.as_ref() != Some(&request.purpose)
        {
            let unrelated = Finding::new(&rules::UNRELATED_PROGRESS);
            findings.push(unrelated.with("of", id).with("on", on));
        }
        let operation = operation?;
        if !progress.progress.is_nan() {
            ctx.report_operation(operation, OperationEvent::Progress(progress));
        }
        return Some(operation);
    }
    // It may be about any request.
    if is_written {
        return None;
    }
    let Some(ended) = ctx.requests.ended(id) else {
        findings.push(in_params(&rules::UNKNOWN_PROGRESS_TOKEN, "progressToken"));
        return None;
    };
    let operation = ended.operation;
    // "Progress notifications MUST stop after completion" (progress, Behavior Requirements). A request that Sonde
    // cancelled may still run on the server: before 2026-07-28 a server may ignore the cancellation, or receive it
    // late.
    let has_heard = ctx.carrier == Carrier::Pipe
        && ctx.protocol.is_stateless()
        && ctx.requests.knows_cancelled(id);
    // Streams of HTTP have no order among them.
    let is_ordered = exchange.is_none_or(|ExchangeId(on)| on == id);
    if (ended.answered && !ended.goes_on && is_ordered) || has_heard {
        findings.push(Finding::new(&rules::LATE_PROGRESS));
    }
    if let Some(operation) = operation {
        let outcome = None;
        ctx.report_operation(operation, OperationEvent::Late { seq, outcome });
    }
    operation
}

/// Returns true if a progress value is larger than the one before, as far as that is certain: an unreadable
/// value is not compared, nor are integers that are equal only because they have too many digits.
fn increased(before: f64, now: f64) -> bool {
    /// Limit from which on different integers can have the same value here: 2^53.
    const INEXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::float_cmp, reason = "the same number is meant")]
    let same = now == before && now.abs() < INEXACT;
    !(now < before || same)
}

/// Handles a log message: labels its entry with operation, severity and logger.
pub(super) fn on_log_message(
    ctx: &mut Context,
    params: Option<&RawValue>,
    exchange: Option<ExchangeId>,
    seq: Seq,
    findings: &mut Vec<Finding>,
    label: &mut Label,
) {
    let read = params.and_then(|raw| members(raw.get(), &["level", "logger", "data"]).ok());
    let [level, logger, data] = read.map_or([None; 3], |read| read.values);
    let level: Option<LogLevel> = level.and_then(|raw| serde_json::from_str(raw.get()).ok());
    if level.is_none() {
        findings.push(in_params(&rules::BAD_LOG_LEVEL, "level"));
    }
    judge_log(ctx, data, findings);
    findings.extend(misplaced(&ctx.requests, exchange, "notifications/message"));
    let operation = ctx.requests.operation_on(exchange);
    let mut candidates = ctx.requests.candidates(exchange);
    if candidates.len() > MOST_CANDIDATES {
        candidates.clear();
    }
    let message = Arc::new(LogMessage {
        level,
        logger: logger.and_then(string).map(|logger| cut(&logger, NAME)),
        data: data.map(keep),
        seq,
        ambiguous: !candidates.is_empty(),
    });
    label.operation = operation.map(|operation| operation.0);
    label.level = level.map(|level| level as u8);
    label.logger = message.logger.as_deref().map(Into::into);
    label.ambiguous = message.ambiguous;
    for candidate in operation.iter().chain(&candidates) {
        ctx.report_operation(*candidate, OperationEvent::Log(Arc::clone(&message)));
    }
    if operation.is_none() {
        ctx.report(Event::Log(message));
    }
}

/// Checks a log message, beside its members.
fn judge_log(ctx: &mut Context, data: Option<&RawValue>, findings: &mut Vec<Finding>) {
    let unasked = |stateless: &Stateless| !stateless.asked_for_log;
    if ctx.is_ready() && ctx.protocol.stateless().is_some_and(unasked) {
        findings.push(Finding::new(&rules::UNREQUESTED_LOG));
    }
    let undeclared = |of: &Arc<RawValue>| !declared(of, "logging");
    if !ctx.protocol.is_stateless()
        && ctx.declared.as_ref().is_some_and(undeclared)
        && ctx.is_news(&rules::UNDECLARED_LOGGING)
    {
        findings.push(Finding::new(&rules::UNDECLARED_LOGGING));
    }
    if let Some(what) = data.and_then(|data| {
        let text = data.get();
        secret(&text[..text.floor_char_boundary(LOOKED_AT)])
    }) {
        findings.push(in_params(&rules::SECRET_IN_LOG, "data").with("what", what));
    }
}

/// A finding at a member of the params of a notification.
fn in_params(rule: &'static Rule, member: &str) -> Finding {
    Finding::new(rule).at(Location::Pointer(format!("/params/{member}")))
}

/// Returns the finding for a notification that came on a subscription and does not belong there.
fn misplaced(
    requests: &Requests,
    exchange: Option<ExchangeId>,
    method: &'static str,
) -> Option<Finding> {
    let ExchangeId(id) = exchange?;
    let on = requests.get(id)?;
    let finding = || Finding::new(&rules::MISPLACED_NOTIFICATION).with("method", method);
    (on.purpose == Purpose::Listen).then(finding)
}

/// Returns the request of a progress token, which is the request's number. A token that is sent back as a string is
/// accepted, with a finding.
fn progress_token(token: &RawValue, findings: &mut Vec<Finding>) -> Option<u64> {
    if let Ok(id) = token.get().parse() {
        return Some(id);
    }
    let id = string(token)?.parse().ok()?;
    findings.push(in_params(&rules::PROGRESS_TOKEN_TYPE, "progressToken"));
    Some(id)
}

/// A finite JSON number.
fn number(raw: &RawValue) -> Option<f64> {
    raw.get()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}

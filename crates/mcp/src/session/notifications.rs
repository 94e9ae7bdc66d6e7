//! Notifications that belong to operations: progress and log messages.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{ExchangeId, Label, Seq};

use super::{
    context::Context,
    envelope::keep,
    requests::{Progressed, Requests},
};
use crate::{
    Event, LogLevel, LogMessage, OperationEvent, OperationId, Progress,
    limits::{NAME, PROGRESS_MESSAGE},
    members::{members, string},
    text::cut,
};

/// A message that could belong to more operations than this says nothing about any of them, and copies of
/// it would only fill the memory.
pub(super) const MOST_CANDIDATES: usize = 16;

/// Takes a progress notification; answers with the operation that it belongs to.
pub(super) fn progressed(
    ctx: &mut Context,
    requests: &mut Requests,
    params: Option<&RawValue>,
    seq: Seq,
    findings: &mut Vec<Finding>,
) -> Option<OperationId> {
    let read = params.and_then(|raw| {
        members(
            raw.get(),
            &["progressToken", "progress", "total", "message"],
        )
        .ok()
    });
    let [token, progress, total, message] = read.map_or([None; 4], |read| read.values);
    let Some(id) = token.and_then(|token| progress_token(token, findings)) else {
        findings.push(Finding::new(&rules::UNKNOWN_PROGRESS_TOKEN));
        return None;
    };
    let progress = Progress {
        progress: match progress.and_then(number) {
            Some(progress) => progress,
            None => {
                findings.push(Finding::new(&rules::BAD_PROGRESS).with("member", "progress"));
                f64::NAN
            }
        },
        total: total.and_then(|raw| {
            let total = number(raw);
            if total.is_none() {
                findings.push(Finding::new(&rules::BAD_PROGRESS).with("member", "total"));
            }
            total
        }),
        message: message
            .and_then(string)
            .map(|text| cut(&text, PROGRESS_MESSAGE)),
    };
    // Even an unreadable one is a sign of life.
    if let Some(Progressed { operation, before }) = requests.progressed(id, progress.progress) {
        // "The progress value MUST increase with each notification" (progress, Progress Flow).
        if let Some(before) = before.filter(|before| progress.progress < *before) {
            let falling = Finding::new(&rules::FALLING_PROGRESS);
            findings.push(
                falling
                    .with("value", progress.progress)
                    .with("before", before),
            );
        }
        let operation = operation?;
        if !progress.progress.is_nan() {
            ctx.report_operation(operation, OperationEvent::Progress(progress));
        }
        return Some(operation);
    }
    let Some(ended) = requests.ended(id) else {
        findings.push(Finding::new(&rules::UNKNOWN_PROGRESS_TOKEN));
        return None;
    };
    let operation = ended.operation;
    // "Progress notifications MUST stop after completion" (progress, Behavior Requirements).
    findings.push(Finding::new(&rules::LATE_PROGRESS));
    if let Some(operation) = operation {
        let outcome = None;
        ctx.report_operation(operation, OperationEvent::Late { seq, outcome });
    }
    operation
}

/// Takes a log message; says in its label which operation it belongs to, how severe it is and who
/// speaks.
pub(super) fn logged(
    ctx: &mut Context,
    requests: &Requests,
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
        findings.push(Finding::new(&rules::BAD_LOG_LEVEL));
    }
    let operation = requests.operation_on(exchange);
    let mut candidates = requests.candidates(exchange);
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

/// The request that a progress token was sent with: they are the same number. A token that came
/// back as a string is understood and marked.
fn progress_token(token: &RawValue, findings: &mut Vec<Finding>) -> Option<u64> {
    if let Ok(id) = token.get().parse() {
        return Some(id);
    }
    let id = string(token)?.parse().ok()?;
    findings.push(Finding::new(&rules::PROGRESS_TOKEN_TYPE));
    Some(id)
}

/// A finite JSON number.
fn number(raw: &RawValue) -> Option<f64> {
    raw.get()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}

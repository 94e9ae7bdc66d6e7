//! Judges recorded facts by the expectations of a step.

use std::time::Duration;

use serde_json::Value;
use sonde_client::catalogs::CatalogKind;

use crate::{
    format::{
        ContentExpect, Expect, LogExpect, ProgressExpect, RpcErrorExpect, Step, Verb, Within,
    },
    listing::{ListChange, changes},
    number::Decimal,
    observed::{End, Observed, SchemaOutcome},
    predicate::Predicate,
    problem::{Span, Spanned},
    report::{Failure, PendingSchema, PendingSnapshot, Report},
    scalars::Range,
    snapshot::{Snapshot, SnapshotState, differences, file_text, prepared},
    value::show,
};

/// Path of an expectation about the whole result.
const RESULT: &str = "result";
/// Members that some protocol versions add to every result. Snapshots must hold in all versions.
const ENVELOPE: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// Judgement of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Expectations that do not hold. Failures of a snapshot name it.
    pub failures: Vec<Failure>,
    /// Values that are still to be checked against a schema of the suite.
    pub schemas: Vec<PendingSchema>,
    /// Values that were compared with snapshots.
    pub snapshots: Vec<Snapshot>,
}

/// Stored facts to compare with.
pub struct Baseline<'a> {
    /// Text of a snapshot by its name. An error is the end of a sentence: a file that cannot be read, and what to do.
    pub snapshot: &'a dyn Fn(&str) -> Result<Option<String>, String>,
    /// Duration of the step when the baseline was stored; an error as above.
    pub duration: Result<Option<Duration>, String>,
    /// Takes secrets out of a text.
    pub hide: &'a dyn Fn(&str) -> String,
}

/// Judges the facts about a step whose variables were replaced.
#[must_use]
pub fn judge(step: &Step, observed: &Observed, baseline: &Baseline<'_>) -> Judgement {
    let mut judge = Judge {
        step,
        expect: &step.expect,
        observed,
        report: Report::new(baseline.hide),
    };
    judge.answers();
    if let Some(result) = judge.end() {
        judge.result(&result);
    }
    judge.surroundings(&baseline.duration);
    let mut report = judge.report;
    let pending = std::mem::take(&mut report.snapshots);
    let snapshots = pending
        .into_iter()
        .map(|mut pending| {
            pending.value = comparable(step, &pending.path, &pending.value, baseline.hide);
            compare(step, pending, baseline, &mut report)
        })
        .collect();
    Judgement {
        failures: report.failures,
        schemas: report.schemas,
        snapshots,
    }
}

/// Result of comparing a value with its snapshot again.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The stored value as it is compared; `None` where there is none.
    pub before: Option<String>,
    /// The present value.
    pub snapshot: Snapshot,
    /// Differences.
    pub failures: Vec<Failure>,
}

/// Compares a value of an earlier run with its snapshot, by the current expectations of the step. `now` comes from
/// [`Snapshot::text`]; text that is not JSON counts as null.
#[must_use]
pub fn compare_again(step: &Step, name: &str, now: &str, stored: Option<&str>) -> Compared {
    let hide = |text: &str| text.to_owned();
    let mut report = Report::new(&hide);
    let pending = PendingSnapshot {
        span: step.expect.span,
        path: name.to_owned(),
        name: name.to_owned(),
        value: serde_json::from_str(now).unwrap_or_default(),
    };
    let compared = |value: &Value| file_text(&comparable(step, name, value, &hide));
    let now = compared(&pending.value);
    let baseline = Baseline {
        snapshot: &|_| Ok(stored.map(str::to_owned)),
        duration: Ok(None),
        hide: &hide,
    };
    let snapshot = compare(step, pending, &baseline, &mut report);
    let before = stored.map(|stored| {
        let value = serde_json::from_str(stored);
        value.map_or_else(|_| stored.to_owned(), |value| compared(&value))
    });
    Compared {
        before,
        snapshot: Snapshot {
            text: now,
            ..snapshot
        },
        failures: report.failures,
    }
}

/// Returns the part of a result that the paths of a step apply to.
#[must_use]
pub fn part(verb: &Verb, within: Option<Within>, result: &Value) -> Option<Value> {
    match (within, verb) {
        (Some(Within::Text), _) => serde_json::from_str(&texts(result)?).ok(),
        (Some(Within::Structured), _) | (None, Verb::Call(_)) => {
            result.get("structuredContent").cloned()
        }
        (Some(Within::Result), _) | (None, _) => Some(result.clone()),
    }
}

struct Judge<'a> {
    step: &'a Step,
    expect: &'a Expect,
    observed: &'a Observed,
    report: Report<'a>,
}

impl Judge<'_> {
    fn fail(
        &mut self,
        span: Span,
        path: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) {
        self.report.fail(span, path, expected, actual);
    }

    fn flag(&mut self, expected: Option<Spanned<bool>>, path: &str, actual: bool) {
        if let Some(Spanned { value, span }) = expected
            && value != actual
        {
            let (expected, actual) = (value.to_string(), actual.to_string());
            self.fail(span, path, expected, actual);
        }
    }

    fn count(&mut self, expected: &Option<Spanned<Range>>, path: &str, actual: u64) {
        let actual = Decimal::from(actual);
        if let Some(Spanned { value, span }) = expected
            && !value.contains(&actual)
        {
            let (expected, actual) = (value.to_string(), actual.to_string());
            self.fail(*span, path, expected, actual);
        }
    }

    fn text(&mut self, expected: &Option<Predicate>, path: &str, actual: Option<&str>) {
        let actual = actual.map(Value::from);
        self.report.judge(expected, path, actual.as_ref());
    }

    fn answers(&mut self) {
        for index in &self.observed.unused_answers {
            if let Some(answer) = self.step.answers.get(*index) {
                let expected = "the server to ask for this answer";
                self.fail(answer.span, "answers", expected, "no such request");
            }
        }
        if !self.step.decline_others {
            for request in &self.observed.unanswered {
                let expected = "an answer for each request of the server";
                let span = self.expect.span;
                self.fail(span, "answers", expected, format!("none for {request}"));
            }
        }
    }

    /// Judges the end of the request and returns its result.
    fn end(&mut self) -> Option<Value> {
        let expect = self.expect;
        let span = expect.span;
        let observed = self.observed;
        let late = observed.late_result;
        let cancelled = observed.end == End::Cancelled || late;
        self.flag(expect.cancelled, "cancelled", cancelled);
        self.flag(expect.late_result, "late-result", late);
        if observed.ended_before_cancel {
            let expected = "a request that is still open when it is to be cancelled";
            self.fail(span, "cancel", expected, "that it had ended");
        }
        let cancels = expect.cancelled.is_some_and(|flag| flag.value);
        let refused = expect.rpc_error.as_ref().filter(|error| error.expected);
        match (&observed.end, refused) {
            (
                End::RpcError {
                    code,
                    message,
                    data,
                },
                Some(expected),
            ) => {
                self.rpc_error(expected, *code, message, data.as_deref());
                None
            }
            (End::Result(result), None) => match serde_json::from_str(result) {
                Ok(result) => Some(result),
                Err(error) => {
                    let actual = format!("text that is none: {error}");
                    self.fail(span, "result", "JSON", actual);
                    None
                }
            },
            (End::Cancelled, None) if cancels => None,
            (End::Sent, None) => None,
            // Its verdict says so.
            (End::TimedOut(_), _) => None,
            (end, refused) => {
                let (place, expected) = match refused {
                    Some(refused) => (refused.span, "a JSON-RPC error"),
                    None => (span, "a result"),
                };
                let actual = end.words(&self.report);
                self.fail(place, "response", expected, actual);
                None
            }
        }
    }

    fn rpc_error(
        &mut self,
        expected: &RpcErrorExpect,
        code: i64,
        message: &str,
        data: Option<&str>,
    ) {
        let code = Value::from(code);
        let data = data.and_then(|data| serde_json::from_str(data).ok());
        let report = &mut self.report;
        report.judge(&expected.code, "rpc-error.code", Some(&code));
        report.judge(&expected.data, "rpc-error.data", data.as_ref());
        self.text(&expected.message, "rpc-error.message", Some(message));
    }

    fn result(&mut self, result: &Value) {
        let expect = self.expect;
        let is_error = result["isError"].as_bool().unwrap_or_default();
        match &expect.error {
            Some(_) => self.flag(expect.error, "error", is_error),
            None if is_error => {
                let text = texts(result).unwrap_or_default();
                let actual = format!("an error of the tool: {}", self.report.cut(&text));
                self.fail(expect.span, "error", "a result without error", actual);
            }
            None => {}
        }
        if expect.text.is_some() {
            self.text(&expect.text, "text", texts(result).as_deref());
        }
        if let Some(content) = &expect.content {
            self.content(content, result);
        }
        self.schema();
        if !expect.at.is_empty() {
            match part(&self.step.verb, None, result) {
                Some(json) => {
                    for at in &expect.at {
                        at.judge(&json, "structuredContent", &mut self.report);
                    }
                }
                None => {
                    let span = expect.at[0].span;
                    self.fail(span, "at", "structuredContent", "a result without it");
                }
            }
        }
        self.report.judge(&expect.result, RESULT, Some(result));
        if let Verb::List(kind) = &self.step.verb {
            let items = result[kind.member()].as_array().map_or(0, Vec::len);
            self.count(&expect.count, "count", items as u64);
            self.count(&expect.pages, "pages", self.observed.pages.unwrap_or(1));
            if let Some(Spanned { value: name, span }) = &expect.snapshot {
                self.report.snapshots.push(PendingSnapshot {
                    span: *span,
                    path: kind.member().to_owned(),
                    name: name.clone(),
                    value: result.clone(),
                });
            }
        }
    }

    fn content(&mut self, expected: &ContentExpect, result: &Value) {
        let blocks = result[&expected.member].as_array();
        let Some(blocks) = blocks else {
            let actual = "a result without it";
            return self.fail(expected.span, &expected.member, "a list", actual);
        };
        let path = format!("{}.count", expected.member);
        self.count(&expected.count, &path, blocks.len() as u64);
        if let Some(Spanned { value, span }) = &expected.types {
            let types = blocks.iter().map(|block| {
                let block = block.get("content").unwrap_or(block);
                block["type"].as_str().unwrap_or("none").to_owned()
            });
            let types: Vec<String> = types.collect();
            if types != *value {
                let path = format!("{}.types", expected.member);
                self.fail(*span, &path, value.join(", "), types.join(", "));
            }
        }
    }

    fn schema(&mut self) {
        let Some(Spanned { value: valid, span }) = self.expect.schema else {
            return;
        };
        let expected = match valid {
            true => "structuredContent that the output schema permits",
            false => "structuredContent that the output schema refuses",
        };
        let actual = match (&self.observed.schema, valid) {
            (SchemaOutcome::Valid, true) | (SchemaOutcome::Invalid(_), false) => return,
            (SchemaOutcome::Valid, false) => "one that it permits".to_owned(),
            (SchemaOutcome::Invalid(problems), true) => problems.join("; "),
            (SchemaOutcome::NoSchema, _) => "a tool without output schema".to_owned(),
            (SchemaOutcome::Unchecked(why), _) => format!("one that could not be checked: {why}"),
        };
        self.fail(span, "schema", expected, actual);
    }

    /// Judges all that does not need a result.
    fn surroundings(&mut self, before: &Result<Option<Duration>, String>) {
        let (expect, observed) = (self.expect, self.observed);
        match observed.duration {
            Some(duration) => self.duration(duration, before),
            None => {
                if let Some(Spanned { value, span }) = &expect.duration {
                    let expected = value.to_string();
                    self.fail(*span, "duration", expected, "nothing");
                }
            }
        }
        if let Some(progress) = &expect.progress {
            self.progress(progress);
        }
        for log in &expect.logs {
            self.log(log);
        }
        let stderr = observed.stderr.as_ref().map(|lines| lines.join("\n"));
        self.text(&expect.stderr, "stderr", stderr.as_deref());
        if !observed.is_complete {
            let actual = "some that were dropped";
            if let Some(span) = expect.messages_span() {
                self.fail(span, "messages", "all of the step", actual);
            } else if let Some(stderr) = &expect.stderr {
                self.fail(stderr.span, "stderr", "all lines of the step", actual);
            }
        }
        if let Some(Spanned {
            value: except,
            span,
        }) = &expect.findings
        {
            for finding in observed
                .findings
                .iter()
                .filter(|one| !except.contains(&one.rule))
            {
                let actual = format!("{}: {}", finding.rule, finding.message);
                self.fail(*span, "findings", "none", actual);
            }
        }
    }

    fn duration(&mut self, duration: Duration, before: &Result<Option<Duration>, String>) {
        let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        if let Some(Spanned { value, span }) = &self.expect.duration
            && !value.contains(&Decimal::from(micros(duration)))
        {
            let actual = format!("{duration:.1?}");
            self.fail(*span, "duration", value.to_string(), actual);
        }
        let Some(Spanned { value, span }) = &self.expect.duration_factor else {
            return;
        };
        if let Err(why) = before {
            self.fail(*span, "duration", "a stored duration", why);
        }
        if let Ok(Some(before)) = before {
            let factor = duration.as_secs_f64() / before.as_secs_f64().max(f64::MIN_POSITIVE);
            let factor = format!("{factor:.3}");
            if Decimal::parse(&factor).is_some_and(|factor| !value.contains(&factor)) {
                let expected = format!("at most {value} times the baseline of {before:.1?}");
                let actual = format!("{duration:.1?}, {factor} times");
                self.fail(*span, "duration", expected, actual);
            }
        }
    }

    fn progress(&mut self, expected: &ProgressExpect) {
        let all = &self.observed.progress;
        self.count(&expected.count, "progress.count", all.len() as u64);
        let last = all.last();
        let value = last.map(|last| &last.progress);
        let total = last.and_then(|last| last.total.as_ref());
        let message = last.and_then(|last| last.message.as_deref());
        self.report.judge(&expected.last, "progress.last", value);
        self.report.judge(&expected.total, "progress.total", total);
        self.text(&expected.message, "progress.message", message);
        let values = all
            .iter()
            .map(|one| Decimal::parse(&one.progress.to_string()));
        let values: Vec<_> = values.collect();
        let path = "progress.increasing";
        if let (Some(Spanned { value: true, span }), 0..2) = (expected.increasing, values.len()) {
            let actual = "fewer than two notifications";
            return self.fail(span, path, "values to compare", actual);
        }
        let increasing = values.windows(2).all(|pair| match pair {
            [Some(one), Some(next)] => one < next,
            _ => false,
        });
        self.flag(expected.increasing, path, increasing);
    }

    fn log(&mut self, expected: &LogExpect) {
        let matching = self.observed.logs.iter().filter(|log| {
            let logger = log.logger.clone().map(Value::String);
            let level = expected.level.as_ref();
            level.is_none_or(|level| *level == log.level)
                && Predicate::holds(&expected.logger, logger.as_ref())
                && Predicate::holds(&expected.data, Some(&log.data))
        });
        let count = matching.count();
        match &expected.count {
            Some(_) => self.count(&expected.count, "logs.count", count as u64),
            None if count == 0 => {
                let logs = self.observed.logs.iter();
                let logs: Vec<_> = logs
                    .map(|log| format!("{}: {}", log.level, self.report.show(&log.data)))
                    .take(5)
                    .collect();
                let actual = match logs.is_empty() {
                    true => "no log message".to_owned(),
                    false => self.report.cut(&logs.join("; ")),
                };
                self.fail(expected.span, "logs", "such a message", actual);
            }
            None => {}
        }
    }
}

impl End {
    fn words(&self, report: &Report<'_>) -> String {
        match self {
            Self::Result(result) => format!("the result {}", report.cut(result)),
            Self::RpcError { code, message, .. } => {
                format!("the error {code}: {}", report.cut(message))
            }
            Self::Cancelled => "that it was cancelled".to_owned(),
            Self::Sent => "a notification, which has none".to_owned(),
            Self::Lost(why) | Self::TimedOut(why) => format!("none: {why}"),
            Self::NotSent => "that nothing was sent".to_owned(),
        }
    }
}

/// Returns all text of a result: of content blocks, contents of a resource, or messages of a prompt; `None` if it has
/// none.
fn texts(result: &Value) -> Option<String> {
    let lists = ["content", "contents", "messages"];
    let list = lists
        .iter()
        .find_map(|member| result.get(member)?.as_array())?;
    let text = |block: &Value| {
        let of_block = |block: &Value| {
            let own = block
                .get("text")
                .or_else(|| block.get("resource")?.get("text"));
            own.and_then(Value::as_str).map(str::to_owned)
        };
        match block.get("content") {
            Some(Value::Array(blocks)) => blocks.iter().filter_map(of_block).collect(),
            Some(content) => of_block(content).into_iter().collect(),
            None => of_block(block).into_iter().collect::<Vec<_>>(),
        }
    };
    let all: Vec<String> = list.iter().flat_map(text).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Takes out of a value all that a snapshot leaves out.
fn comparable(step: &Step, path: &str, value: &Value, hide: &dyn Fn(&str) -> String) -> Value {
    let mut value = value.clone();
    if path == RESULT
        && let Value::Object(members) = &mut value
    {
        members.retain(|name, _| !ENVELOPE.contains(&name.as_str()));
    }
    prepared(&value, &step.expect.ignore, &step.expect.replace, hide)
}

/// Compares a value in its stored form with its snapshot.
fn compare(
    step: &Step,
    pending: PendingSnapshot,
    baseline: &Baseline<'_>,
    report: &mut Report<'_>,
) -> Snapshot {
    let PendingSnapshot {
        span,
        path,
        name,
        value,
    } = pending;
    let text = file_text(&value);
    let stored = (baseline.snapshot)(&name).transpose();
    let before = stored.map(|text| {
        serde_json::from_str::<Value>(&text?)
            .map_err(|error| format!("a file that is not JSON: {error}"))
    });
    let failures_before = report.failures.len();
    let state = match before {
        None => SnapshotState::Missing,
        Some(Err(actual)) => {
            report.fail(span, &path, format!("the snapshot {name}"), actual);
            SnapshotState::Different
        }
        Some(Ok(before)) => {
            // A stored snapshot may contain what is left out now. The present value is treated alike, since a text may
            // still match after its replacement.
            let [before, value] =
                [before, value].map(|value| comparable(step, &path, &value, baseline.hide));
            match &step.verb {
                Verb::List(kind) if step.expect.snapshot.is_some() => {
                    let items = |value: &Value| {
                        value[kind.member()].as_array().cloned().unwrap_or_default()
                    };
                    if !before[kind.member()].is_array() {
                        let expected = format!("a snapshot of {}", kind.noun());
                        report.fail(span, &path, expected, show(&before));
                    }
                    let found = changes(&items(&before), &items(&value), kind.key_member());
                    for change in found
                        .iter()
                        .filter(|change| !is_allowed(change, &step.expect.allow))
                    {
                        fail_change(change, *kind, span, report);
                    }
                }
                _ => {
                    for difference in differences(&before, &value) {
                        let place = format!("{path}{}", difference.path);
                        let mut failure =
                            Failure::new(span, &place, difference.before, difference.after);
                        failure.pointer = Some(difference.path).filter(|path| !path.is_empty());
                        report.failures.push(failure);
                    }
                }
            }
            match report.failures.len() == failures_before {
                true if before == value => SnapshotState::Same,
                _ => SnapshotState::Different,
            }
        }
    };
    for failure in &mut report.failures[failures_before..] {
        failure.snapshot = Some(name.clone());
    }
    Snapshot { name, text, state }
}

fn is_allowed(change: &ListChange, allow: &[String]) -> bool {
    let names = [change.kind.as_str(), change.kind.class().as_str()];
    allow
        .iter()
        .any(|allowed| names.contains(&allowed.as_str()))
}

fn fail_change(change: &ListChange, kind: CatalogKind, span: Span, report: &mut Report<'_>) {
    let class = change.kind.class().as_str();
    let path = format!("{}{}", change.item, change.path);
    report.failures.push(Failure {
        words: format!("{} ({class}: {})", change.words, change.kind.as_str()),
        // The pointer covers this member in all items, since their order may change.
        pointer: (!change.path.is_empty() && kind != CatalogKind::Prompts)
            .then(|| format!("/{}/*{}", kind.member(), change.path)),
        change: Some(change.kind),
        ..Failure::new(
            span,
            &path,
            "the item as it was",
            format!("a {class} change"),
        )
    });
}

//! Tasks as each version has them: part of the protocol in 2025-11-25, an extension in later versions.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Rule, rules};

use super::Era;
use crate::{
    Task, TaskStatus,
    limits::{NAME, TASK_ID, TASK_MESSAGE},
    members::{member, members, quoted, string, with_meta},
    text::{brief, cut, is_time},
};

/// The key of `_meta` that ties a message to its task (2025-11-25).
pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// A task with its payload.
#[derive(Clone, Debug)]
pub(crate) struct DetailedTask {
    pub(crate) task: Task,
    pub(crate) payload: Payload,
}

/// Content that the extension adds to some of the statuses.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    Nothing,
    /// Requests for input (`inputRequests`).
    Inputs(Arc<RawValue>),
    Result(Arc<RawValue>),
    Error(Arc<RawValue>),
}

/// Reads a task. `findings` receives harmless oddities. An error is a phrase without its full stop: without
/// a usable id there is no task.
pub(crate) fn read(
    raw: &RawValue,
    era: Era,
    findings: &mut Vec<Finding>,
) -> Result<DetailedTask, String> {
    let [ttl_name, interval_name] = match era {
        Era::Handshake => ["ttl", "pollInterval"],
        Era::Stateless => ["ttlMs", "pollIntervalMs"],
    };
    let read = members(
        raw.get(),
        &[
            "taskId",
            "status",
            "statusMessage",
            "createdAt",
            "lastUpdatedAt",
            ttl_name,
            interval_name,
            "inputRequests",
            "result",
            "error",
        ],
    )
    .map_err(|_| "the task is not an object".to_owned())?;
    let [
        id,
        status,
        message,
        created_at,
        last_updated_at,
        ttl,
        poll_interval,
        inputs,
        result,
        error,
    ] = read.values;
    let id = id
        .ok_or("the task has no `taskId`")
        .and_then(|raw| string(raw).ok_or("`taskId` of the task is not a string"))?;
    if id.len() > TASK_ID {
        return Err(format!(
            "`taskId` of the task has more than {TASK_ID} bytes"
        ));
    }
    let said = status.and_then(string);
    let status = said
        .as_deref()
        .map_or(TaskStatus::Unknown, TaskStatus::parse);
    match (status, &said) {
        (TaskStatus::Unknown, Some(said)) => findings
            .push(Finding::new(&rules::BAD_TASK_STATUS).with("status", quoted(&brief(said)))),
        (TaskStatus::Unknown, None) => findings.push(missing("status")),
        _ => {}
    }
    let keep = |raw: &RawValue| Arc::from(raw.to_owned());
    let payload = match (era, status, inputs, result, error) {
        (Era::Stateless, TaskStatus::InputRequired, Some(inputs), ..) => {
            Payload::Inputs(keep(inputs))
        }
        (Era::Stateless, TaskStatus::Completed, _, Some(result), _) => {
            Payload::Result(keep(result))
        }
        (Era::Stateless, TaskStatus::Failed, _, _, Some(error)) => Payload::Error(keep(error)),
        (Era::Stateless, TaskStatus::Failed, _, Some(result), None) => {
            findings.push(Finding::new(&rules::FAILED_TASK_WITH_RESULT));
            Payload::Result(keep(result))
        }
        _ => Payload::Nothing,
    };
    let poll_interval = poll_interval.and_then(|raw| {
        let interval = duration(raw, era);
        if interval.is_none() {
            findings.push(bad(interval_name, raw, "a number of milliseconds"));
        }
        interval
    });
    let task = Task {
        id,
        status,
        message: message.and_then(|raw| {
            let text = string(raw);
            if text.is_none() {
                findings.push(bad("statusMessage", raw, "a string"));
            }
            text.map(|text| cut(&text, TASK_MESSAGE))
        }),
        created_at: time(created_at, "createdAt", findings),
        last_updated_at: time(last_updated_at, "lastUpdatedAt", findings),
        ttl: match ttl {
            None => {
                findings.push(missing(ttl_name));
                None
            }
            Some(raw) if raw.get() == "null" => None,
            Some(raw) => {
                let ttl = duration(raw, era);
                if ttl.is_none() {
                    findings.push(bad(ttl_name, raw, "a number of milliseconds or null"));
                }
                ttl
            }
        },
        poll_interval,
    };
    Ok(DetailedTask { task, payload })
}

/// Returns the task in the result of a request (2025-11-25): the member `task` of a result without `content`. If no
/// task was `asked` for, it counts only with a `taskId`.
pub(crate) fn created(result: &RawValue, asked: bool) -> Option<&RawValue> {
    let [task, content] = members(result.get(), &["task", "content"]).ok()?.values;
    let id = member(task?, "taskId");
    task.filter(|_| (asked || id.is_some()) && content.is_none())
}

/// The task that `_meta` of these `params`, or of a result, names.
pub(crate) fn related_task(object: &RawValue) -> Option<String> {
    let related = member(member(object, "_meta"), RELATED_TASK);
    string(member(related, "taskId")?)
}

/// Names a task, as JSON text: the value of [`RELATED_TASK`], and the parameters of a request about the task.
pub(crate) fn related(id: &str) -> String {
    format!(r#"{{"taskId":{}}}"#, quoted(id))
}

/// A result that names this task: "All requests, notifications, and responses related to a task MUST" (tasks,
/// Associating Task-Related Messages).
pub(crate) fn about(result: &str, task: &str) -> String {
    let named = with_meta(Some(result), &[(RELATED_TASK, &related(task))]);
    named.unwrap_or_else(|| result.to_owned())
}

/// The parameters of `tasks/update`; `responses` is JSON text.
pub(crate) fn update_params(id: &str, responses: &str) -> String {
    format!(
        r#"{{"taskId":{},"inputResponses":{responses}}}"#,
        quoted(id)
    )
}

/// Returns true if a server's `capabilities` declare that tools can run as tasks on request (2025-11-25).
pub(crate) fn takes_tool_tasks(capabilities: &RawValue) -> bool {
    declares(
        capabilities,
        &[&["tasks"], &["requests"], &["tools"], &["call"]],
    )
}

/// Returns true if a server's `capabilities` declare a list of tasks (2025-11-25).
pub(crate) fn lists_tasks(capabilities: &RawValue) -> bool {
    declares(capabilities, &[&["tasks"], &["list"]])
}

/// Returns true if a server's `capabilities` declare the extension.
pub(crate) fn declares_extension(capabilities: &RawValue) -> bool {
    declares(
        capabilities,
        &[&["extensions"], &["io.modelcontextprotocol/tasks"]],
    )
}

fn declares(capabilities: &RawValue, path: &[&[&'static str; 1]]) -> bool {
    let mut text = capabilities.get();
    for name in path {
        let Ok(read) = members(text, name) else {
            return false;
        };
        match read.values[0] {
            Some(value) if !matches!(value.get(), "null" | "false") => text = value.get(),
            _ => return false,
        }
    }
    true
}

/// Reads a number of milliseconds. The schemas before 2026-07-28 have an `integer` in places where fractions are valid:
/// a fraction is rounded up.
fn duration(raw: &RawValue, era: Era) -> Option<u64> {
    let whole = millis(raw);
    match era {
        Era::Stateless => whole,
        Era::Handshake => whole.or_else(|| {
            let number: f64 = raw.get().parse().ok()?;
            millis_of(number.ceil())
        }),
    }
}

/// A whole number that is not negative. Numbers are read leniently: `1.0` and `1e3` are whole.
pub(crate) fn millis(raw: &RawValue) -> Option<u64> {
    millis_of(raw.get().parse().ok()?)
}

fn millis_of(number: f64) -> Option<u64> {
    // Beyond this, doubles have gaps.
    let most = 9_007_199_254_740_992.0;
    let whole = number.fract() == 0.0 && (0.0..=most).contains(&number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole and in range"
    )]
    whole.then_some(number as u64)
}

fn time(
    raw: Option<&RawValue>,
    member: &'static str,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let Some(raw) = raw else {
        findings.push(missing(member));
        return None;
    };
    let text = string(raw);
    if !text.as_deref().is_some_and(is_time) {
        findings.push(bad(member, raw, "a time as ISO 8601 has it"));
    }
    text.map(|text| cut(&text, NAME))
}

fn missing(member: &'static str) -> Finding {
    Finding::new(&rules::MISSING_TASK_MEMBER).with("member", member)
}

fn bad(member: &'static str, raw: &RawValue, expected: &'static str) -> Finding {
    let rule: &'static Rule = &rules::BAD_TASK_MEMBER;
    Finding::new(rule)
        .with("member", member)
        .with("value", brief(raw.get()))
        .with("expected", expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, era: Era) -> (Result<DetailedTask, String>, Vec<&'static str>) {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let mut findings = Vec::new();
        let task = read(&raw, era, &mut findings);
        (task, findings.iter().map(Finding::id).collect())
    }

    #[test]
    fn each_era_has_its_own_words_for_the_same() {
        let times = r#""createdAt":"20260203T103000Z","lastUpdatedAt":"2026-02-03T10:30:00Z""#;
        let (handshake, found) = of(
            &format!(
                r#"{{"taskId":"a","status":"working","statusMessage":"m",{times},"ttl":60000,"pollInterval":5e3}}"#
            ),
            Era::Handshake,
        );
        let handshake = handshake.unwrap().task;
        assert_eq!(found, [""; 0]);
        assert_eq!(
            (handshake.ttl, handshake.poll_interval),
            (Some(60_000), Some(5_000))
        );
        let (stateless, found) = of(
            &format!(
                r#"{{"taskId":"a","status":"completed",{times},"ttlMs":null,"pollIntervalMs":5000,"result":{{ "a": 1.0 }}}}"#
            ),
            Era::Stateless,
        );
        let stateless = stateless.unwrap();
        assert_eq!(found, [""; 0]);
        assert_eq!(
            (stateless.task.ttl, stateless.task.poll_interval),
            (None, Some(5_000))
        );
        assert!(
            matches!(stateless.payload, Payload::Result(raw) if raw.get() == r#"{ "a": 1.0 }"#)
        );
        assert_eq!(stateless.task.created_at, handshake.created_at);
    }

    #[test]
    fn what_is_wrong_with_a_task_is_found_and_hides_nothing() {
        let bare = r#"{"taskId":"a","status":"running"}"#;
        let (task, found) = of(bare, Era::Handshake);
        assert_eq!(task.unwrap().task.status, TaskStatus::Unknown);
        assert_eq!(
            found,
            [
                "bad-task-status",
                "missing-task-member",
                "missing-task-member",
                "missing-task-member"
            ]
        );
        let failed = r#"{"taskId":"a","status":"failed","createdAt":"2026-02-03T10:30:00Z","lastUpdatedAt":"2026-02-03T10:30:00Z","ttlMs":1,"result":{}}"#;
        let (task, found) = of(failed, Era::Stateless);
        assert!(matches!(task.unwrap().payload, Payload::Result(_)));
        assert_eq!(found, ["failed-task-with-result"]);
        for interval in ["-1", "\"5\"", "null", "1e300"] {
            let text = format!(
                r#"{{"taskId":"a","status":"working","createdAt":"now","lastUpdatedAt":7,"ttl":-5,"pollInterval":{interval},"statusMessage":[]}}"#
            );
            let (task, found) = of(&text, Era::Handshake);
            let task = task.unwrap().task;
            assert_eq!((task.ttl, task.poll_interval), (None, None), "{interval}");
            assert_eq!(found, ["bad-task-member"; 5], "{interval}");
        }
        // Whole numbers are told of a revision that meant all of them.
        for (era, ttl, interval, expected) in [
            (Era::Handshake, "0", "0", Some(0)),
            (Era::Handshake, "1.5", "1.5", Some(2)),
            (Era::Stateless, "0", "0", Some(0)),
            (Era::Stateless, "1.5", "1.5", None),
        ] {
            let [ttl_name, interval_name] = match era {
                Era::Handshake => ["ttl", "pollInterval"],
                Era::Stateless => ["ttlMs", "pollIntervalMs"],
            };
            let text = format!(
                r#"{{"taskId":"a","status":"working","createdAt":"2026-02-03T10:30:00Z","lastUpdatedAt":"2026-02-03T10:30:00Z","{ttl_name}":{ttl},"{interval_name}":{interval}}}"#
            );
            let (task, found) = of(&text, era);
            let task = task.unwrap().task;
            assert_eq!((task.ttl, task.poll_interval), (expected, expected));
            assert_eq!(found.is_empty(), expected.is_some(), "{era:?} {interval}");
        }
        for text in [
            "[]",
            "{}",
            r#"{"taskId":7}"#,
            &format!(r#"{{"taskId":"{}"}}"#, "x".repeat(TASK_ID + 1)),
        ] {
            assert!(of(text, Era::Stateless).0.is_err());
        }
    }

    #[test]
    fn a_server_says_that_it_takes_tools_as_tasks() {
        for (capabilities, takes) in [
            (r#"{"tasks":{"requests":{"tools":{"call":{}}}}}"#, true),
            (r#"{"tasks":{"requests":{"tools":{"call":false}}}}"#, false),
            (r#"{"tasks":{"requests":{"tools":{}}}}"#, false),
            (r#"{"tasks":{}}"#, false),
            (r#"{"tasks":true}"#, false),
            ("{}", false),
        ] {
            let raw = RawValue::from_string(capabilities.to_owned()).unwrap();
            assert_eq!(takes_tool_tasks(&raw), takes, "{capabilities}");
        }
    }
}

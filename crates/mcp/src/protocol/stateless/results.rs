//! Kinds of results (base protocol, Responses; multi round-trip requests).

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::{
    limits::SERVER_REQUESTS,
    members::{entries, members, string},
    received_result::ReceivedResult,
    text::brief,
};

/// The extension that lets a tool answer with a task.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// An entry of `inputRequests`: key, method, `params`.
pub(crate) type AskedInput = (String, String, Option<Arc<RawValue>>);

/// Inputs that a server needs to continue.
#[derive(Clone, Debug)]
pub(crate) struct InputRequired {
    /// `inputRequests`, in the server's order.
    pub(crate) requests: Vec<AskedInput>,
    /// `requestState` as JSON text as received.
    pub(crate) state: Option<String>,
}

/// The kinds of results.
#[derive(Debug)]
pub(crate) enum ResultKind {
    /// The final result.
    Complete,
    /// Send the request again with the inputs asked for.
    InputRequired(InputRequired),
    /// The result comes later.
    Task,
}

/// Returns the kind of `result`, the response to `method`. An error is a sentence without its full stop:
/// the response is invalid.
pub(crate) fn kind(
    result: &ReceivedResult<'_>,
    method: &str,
    tasks: bool,
) -> Result<ResultKind, String> {
    if !result.is_object() {
        return Err("the result is not an object".to_owned());
    }
    // Absent means complete: older servers do not send it.
    let Some(kind) = result.member("resultType") else {
        return Ok(ResultKind::Complete);
    };
    let Some(kind) = string(kind) else {
        return Err("`resultType` is not a string".to_owned());
    };
    match kind.as_str() {
        "complete" => Ok(ResultKind::Complete),
        "task" if tasks && method == "tools/call" => Ok(ResultKind::Task),
        "task" if tasks => Err(format!("`{method}` cannot be answered with a task")),
        "task" => Err("the response is a task, but tasks were not declared".to_owned()),
        "input_required" if !matches!(method, "tools/call" | "prompts/get" | "resources/read") => {
            Err(format!(
                "`{method}` must not be answered with `input_required`"
            ))
        }
        "input_required" => {
            let requests = result.member("inputRequests");
            input_required(requests, result.member("requestState")).map(ResultKind::InputRequired)
        }
        _ => Err(format!(
            "`resultType` is {:?}, which has no meaning here",
            brief(&kind)
        )),
    }
}

/// Returns the reason why a task is not a valid result for this method; `None` for any other result.
pub(crate) fn misplaced_task(
    result: &ReceivedResult<'_>,
    method: &str,
    tasks: bool,
) -> Option<&'static str> {
    match string(result.member("resultType")?)?.as_str() {
        "task" if !tasks => Some("the client did not declare the extension"),
        "task" if method != "tools/call" => Some("only tools can be run as tasks"),
        _ => None,
    }
}

/// Reads the requests of a server, in its order.
pub(crate) fn input_requests(requests: &RawValue) -> Result<Vec<AskedInput>, String> {
    let requests = entries(requests.get(), SERVER_REQUESTS)
        .ok_or_else(|| "`inputRequests` is not an object".to_owned())?;
    if requests.len() > SERVER_REQUESTS {
        return Err(format!(
            "`inputRequests` has more than {SERVER_REQUESTS} entries"
        ));
    }
    let mut read = Vec::with_capacity(requests.len());
    for (key, request) in requests {
        let bad = || {
            let key = brief(&key);
            format!("the request `{key}` in `inputRequests` is not an object with a `method`")
        };
        let [method, params] = members(request.get(), &["method", "params"])
            .map_err(|_| bad())?
            .values;
        let method = method.and_then(string).ok_or_else(bad)?;
        read.push((
            key.into_owned(),
            method,
            params.map(|raw| Arc::from(raw.to_owned())),
        ));
    }
    Ok(read)
}

fn input_required(
    requests: Option<&RawValue>,
    state: Option<&RawValue>,
) -> Result<InputRequired, String> {
    let state = match state {
        None => None,
        Some(raw) if string(raw).is_some() => Some(raw.get().to_owned()),
        Some(_) => return Err("`requestState` is not a string".to_owned()),
    };
    if requests.is_none() && state.is_none() {
        return Err(
            "input is required, but neither `inputRequests` nor `requestState` says which"
                .to_owned(),
        );
    }
    let read = requests
        .map(input_requests)
        .transpose()?
        .unwrap_or_default();
    Ok(InputRequired {
        requests: read,
        state,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(result: &str, method: &str, tasks: bool) -> Result<ResultKind, String> {
        let raw = RawValue::from_string(result.to_owned()).unwrap();
        kind(&ReceivedResult::new(&raw, None), method, tasks)
    }

    #[test]
    fn only_known_kinds_are_valid() {
        for (result, method, tasks) in [
            ("{}", "tools/call", false),
            (r#"{"resultType":"complete"}"#, "x", false),
        ] {
            assert!(matches!(
                of(result, method, tasks),
                Ok(ResultKind::Complete)
            ));
        }
        let task = of(r#"{"resultType":"task"}"#, "tools/call", true);
        assert!(matches!(task, Ok(ResultKind::Task)));
        for (result, method, tasks) in [
            (r#"{"resultType":"task"}"#, "tools/call", false),
            (r#"{"resultType":"task"}"#, "prompts/get", true),
            (r#"{"resultType":"Complete"}"#, "tools/call", true),
            (r#"{"resultType":null}"#, "tools/call", true),
            (
                r#"{"resultType":"input_required","requestState":"s"}"#,
                "tools/list",
                true,
            ),
            (r#"{"resultType":"input_required"}"#, "tools/call", true),
            (
                r#"{"resultType":"input_required","requestState":7}"#,
                "tools/call",
                true,
            ),
            (
                r#"{"resultType":"input_required","inputRequests":[]}"#,
                "tools/call",
                true,
            ),
            (
                r#"{"resultType":"input_required","inputRequests":{"a":{}}}"#,
                "tools/call",
                true,
            ),
        ] {
            assert!(of(result, method, tasks).is_err(), "{result}");
        }
    }

    #[test]
    fn what_is_asked_for_keeps_its_order_and_text() {
        let result = r#"{"resultType":"input_required","requestState":"\u0061 ","inputRequests":{
            "z":{"method":"elicitation/create","params":{ "x": 1.0 }},"a":{"method":"roots/list"}}}"#;
        let Ok(ResultKind::InputRequired(asked)) = of(result, "resources/read", false) else {
            panic!("input is required");
        };
        assert_eq!(asked.state.as_deref(), Some(r#""\u0061 ""#));
        let read: Vec<_> = asked
            .requests
            .iter()
            .map(|(key, method, params)| {
                (
                    key.as_str(),
                    method.as_str(),
                    params.as_deref().map(RawValue::get),
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                ("z", "elicitation/create", Some(r#"{ "x": 1.0 }"#)),
                ("a", "roots/list", None)
            ]
        );
    }
}

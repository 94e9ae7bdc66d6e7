//! Requests that operations send, and their options.

use std::{borrow::Cow, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;

use super::target::target_member;
use crate::members::{complete, entries, one_line, push_quoted};

/// Id of an operation over all sessions of the app. Chosen by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OperationId(pub u64);

/// A request of the user.
///
/// `params` is built from the target, then the arguments, then the further members. `_meta` is added where the protocol
/// or progress needs it; the user's own `_meta` is kept and extended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationRequest {
    /// The method, for example `tools/call`.
    pub method: String,
    /// Subject of the request: a tool's or prompt's name, a resource's URI. Sent as `params.name` or
    /// `params.uri` by the methods that have that member, and by no other.
    pub target: Option<String>,
    /// `params.arguments` as JSON text, sent as written (line breaks between tokens excepted);
    /// `None` leaves the member out. Valid JSON; need not be an object.
    pub arguments: Option<String>,
    /// Further members of `params` as the JSON text of an object, or, with neither target nor
    /// arguments, `params` as a whole, sent as written. `None` leaves them out.
    pub params: Option<String>,
    /// Asks the server to run it as a task, in the protocol versions in which the client decides that
    /// (2025-11-25). Left out in all others.
    pub task: Option<TaskParams>,
    /// Sends a notification: as written, without an id, and without a response.
    pub notification: bool,
}

/// Parameters of a request that is to run as a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskParams {
    /// Time that the server is to keep the task, in milliseconds from its creation; `None` leaves that to
    /// the server.
    pub ttl: Option<u64>,
}

/// Options for running an operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct OperationOptions {
    /// Call a tool although its definition forbids clients to (invalid `x-mcp-header`).
    pub force: bool,
    /// Replaces [`crate::Timeouts::idle`].
    pub idle: Option<Duration>,
    /// Replaces [`crate::Timeouts::hard`].
    pub hard: Option<Duration>,
}

impl OperationRequest {
    /// Calls a tool with these arguments (JSON text).
    #[must_use]
    pub fn tool(name: impl Into<String>, arguments: Option<String>) -> Self {
        OperationRequest {
            method: "tools/call".to_owned(),
            target: Some(name.into()),
            arguments,
            ..OperationRequest::default()
        }
    }

    /// Gets a prompt with these arguments (JSON text).
    #[must_use]
    pub fn prompt(name: impl Into<String>, arguments: Option<String>) -> Self {
        OperationRequest {
            method: "prompts/get".to_owned(),
            target: Some(name.into()),
            arguments,
            ..OperationRequest::default()
        }
    }

    /// Reads a resource.
    #[must_use]
    pub fn resource(uri: impl Into<String>) -> Self {
        OperationRequest {
            method: "resources/read".to_owned(),
            target: Some(uri.into()),
            ..OperationRequest::default()
        }
    }

    /// Sends any request, with `params` (JSON text) as written.
    #[must_use]
    pub fn other(method: impl Into<String>, params: Option<String>) -> Self {
        OperationRequest {
            method: method.into(),
            params,
            ..OperationRequest::default()
        }
    }

    /// Sends any notification, with `params` (JSON text) as written.
    #[must_use]
    pub fn notification(method: impl Into<String>, params: Option<String>) -> Self {
        OperationRequest {
            notification: true,
            ..OperationRequest::other(method, params)
        }
    }

    /// Returns `params` as one line of JSON text, with the member for tasks if `tasks` is true. An error is one plain
    /// sentence about why the request cannot be sent.
    pub(crate) fn encode(&self, tasks: bool) -> Result<Option<String>, String> {
        let params = self.own_params()?;
        let Some(task) = self.task.filter(|_| tasks) else {
            return Ok(params);
        };
        let task = match task.ttl {
            Some(ttl) => format!(r#"{{"ttl":{ttl}}}"#),
            None => "{}".to_owned(),
        };
        Ok(complete(
            params.as_deref().unwrap_or("{}"),
            &[("task", &task)],
        ))
    }

    /// Builds `params` without the members that the protocol adds.
    fn own_params(&self) -> Result<Option<String>, String> {
        // Anything else than one JSON value would break the message around it.
        for (text, what) in [(&self.arguments, "arguments"), (&self.params, "parameters")] {
            if let Some(Err(error)) = text.as_deref().map(serde_json::from_str::<&RawValue>) {
                return Err(format!("The {what} are not valid JSON: {error}."));
            }
        }
        let params = self.params.as_deref().map(one_line);
        let target = self
            .target
            .as_ref()
            .and_then(|target| Some((target_member(&self.method)?, target)));
        if target.is_none() && self.arguments.is_none() {
            return Ok(params.map(Cow::into_owned));
        }
        let mut object = String::from("{");
        if let Some((member, target)) = target {
            push_quoted(&mut object, member);
            object.push(':');
            push_quoted(&mut object, target);
        }
        if let Some(arguments) = &self.arguments {
            if object.len() > 1 {
                object.push(',');
            }
            object.push_str(r#""arguments":"#);
            object.push_str(&one_line(arguments));
        }
        object.push('}');
        let Some(params) = params else {
            return Ok(Some(object));
        };
        let further =
            entries(&params, usize::MAX).ok_or("The parameters are not a JSON object.")?;
        let further: Vec<(&str, &str)> = further
            .iter()
            .map(|(name, value)| (&**name, value.get()))
            .collect();
        Ok(complete(&object, &further))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, arguments: Option<&str>) -> String {
        OperationRequest::tool(name, arguments.map(str::to_owned))
            .encode(true)
            .unwrap()
            .unwrap()
    }

    #[test]
    fn arguments_go_out_as_written() {
        let typed =
            "{\n  \"z\": 9007199254740993,\r\n\t\"a\": 1.0e+2, \"a\": null, \"s\": \"x\\n\"\n}";
        assert_eq!(
            tool("a\"b", Some(typed)),
            "{\"name\":\"a\\\"b\",\"arguments\":{  \"z\": 9007199254740993,\t\"a\": 1.0e+2, \
             \"a\": null, \"s\": \"x\\n\"}}"
        );
    }

    #[test]
    fn absent_null_and_empty_arguments_differ() {
        assert_eq!(tool("t", None), r#"{"name":"t"}"#);
        assert_eq!(tool("t", Some("null")), r#"{"name":"t","arguments":null}"#);
        assert_eq!(tool("t", Some("\"\"")), r#"{"name":"t","arguments":""}"#);
        assert_eq!(tool("t", Some("{}")), r#"{"name":"t","arguments":{}}"#);
    }

    #[test]
    fn params_are_one_line() {
        let two_lines = tool("two\nlines\u{2028}", Some("[\n1,\r\n2]"));
        assert!(!two_lines.contains(['\n', '\r']), "{two_lines}");
        assert!(serde_json::from_str::<serde_json::Value>(&two_lines).is_ok());
    }

    #[test]
    fn each_method_names_its_target() {
        let encoded = |request: &OperationRequest| request.encode(true).unwrap();
        assert_eq!(
            encoded(&OperationRequest::resource("file:///a b")).as_deref(),
            Some(r#"{"uri":"file:///a b"}"#)
        );
        assert_eq!(
            encoded(&OperationRequest::prompt("p", Some("{}".into()))).as_deref(),
            Some(r#"{"name":"p","arguments":{}}"#)
        );
        let typed = "{ \"z\": 1.0,\n\"a\": [ ] }";
        assert_eq!(
            encoded(&OperationRequest::other("x/y", Some(typed.into()))).as_deref(),
            Some("{ \"z\": 1.0,\"a\": [ ] }")
        );
        assert_eq!(encoded(&OperationRequest::other("x/y", None)), None);
        let all = OperationRequest {
            params: Some(r#"{"name":"not this","_meta":{"k": 1.0}}"#.into()),
            ..OperationRequest::tool("t", Some("[]".into()))
        };
        assert_eq!(
            encoded(&all).as_deref(),
            Some(r#"{"name":"t","arguments":[],"_meta":{"k": 1.0}}"#)
        );
    }

    #[test]
    fn a_task_is_asked_for_where_that_can_be_done() {
        let request = |ttl| OperationRequest {
            task: Some(TaskParams { ttl }),
            ..OperationRequest::tool("t", Some("{}".into()))
        };
        let text = |ttl, tasks| request(ttl).encode(tasks).unwrap().unwrap();
        assert_eq!(text(None, true), r#"{"name":"t","arguments":{},"task":{}}"#);
        assert_eq!(
            text(Some(60_000), true),
            r#"{"name":"t","arguments":{},"task":{"ttl":60000}}"#
        );
        assert_eq!(text(Some(1), false), r#"{"name":"t","arguments":{}}"#);
    }

    #[test]
    fn what_is_no_json_is_not_sent() {
        for (request, what) in [
            (
                OperationRequest::tool("t", Some("{} {}".into())),
                "arguments",
            ),
            (OperationRequest::other("x", Some("{".into())), "parameters"),
        ] {
            let problem = request.encode(true).unwrap_err();
            assert!(problem.starts_with(&format!("The {what} are not valid JSON")));
        }
        let odd = OperationRequest {
            params: Some("3".into()),
            ..OperationRequest::tool("t", None)
        };
        assert!(odd.encode(true).is_err());
    }
}

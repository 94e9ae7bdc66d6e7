//! Tasks of 2025-11-25 (basic/utilities/tasks). The SDK knows only the tasks of the later extension. Both have the same
//! tasks, so only the wire format is translated here: received messages before the SDK reads them ([`rewrite`]), sent
//! messages in the transport of each connection ([`Translated`]).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    ClientRequest, CustomNotification, CustomResult, ElicitRequestParams, ErrorCode, GetTaskResult,
    InputRequest, JsonObject, JsonRpcMessage, ProtocolVersion, RequestId, ServerNotification,
    ServerRequest, ServerResult, TASKS_EXTENSION_ID, TaskPayload, TaskStatus,
};
use rmcp::service::{Peer, RequestContext, RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWriteExt as _, BufReader, DuplexStream};

use crate::state::State;

/// The tools that can or must run as a task (`execution.taskSupport`).
const SUPPORT: [(&str, &str); 2] = [("salvage_wreck", "optional"), ("survey_reef", REQUIRED)];
const REQUIRED: &str = "required";
/// The key of `_meta` that carries `params.task` of a call through the SDK, which drops unknown members.
const TASK: &str = "dev.sonde/task";
/// The key of `_meta` that links a message to its task.
const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// Interval at which a task is checked while its result is awaited.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Delay before a client is notified of a task, because over HTTP the response that creates it travels separately.
const QUIET: Duration = Duration::from_millis(500);

/// Forwards the lines of a client until its end. `params.task` of a call moves into its `_meta`, and a client with a
/// handshake declares the extension, without which the SDK gives it no task.
pub(crate) async fn pass(read: impl AsyncRead + Unpin, mut to: DuplexStream) {
    let mut read = BufReader::new(read);
    let mut line = Vec::new();
    while matches!(read.read_until(b'\n', &mut line).await, Ok(1..)) {
        let passed = match rewrite(&line) {
            Some(rewritten) => to.write_all(&rewritten).await,
            None => to.write_all(&line).await,
        };
        if passed.is_err() {
            return;
        }
        line.clear();
    }
}

/// Rewrites a message for the SDK; `None` for an unchanged message.
pub(crate) fn rewrite(line: &[u8]) -> Option<Vec<u8>> {
    let has = |key: &[u8]| line.windows(key.len()).any(|part| part == key);
    if !has(br#""task""#) && !has(br#""initialize""#) {
        return None;
    }
    let mut message: Value = serde_json::from_slice(line).ok()?;
    let is_call = message["method"] == "tools/call";
    let is_handshake = message["method"] == "initialize";
    let params = message["params"].as_object_mut()?;
    if is_call {
        let task = params.remove("task")?;
        object(params, "_meta")?.insert(TASK.to_owned(), task);
    } else if is_handshake {
        let extensions = object(object(params, "capabilities")?, "extensions")?;
        extensions.insert(TASKS_EXTENSION_ID.to_owned(), json!({}));
    } else {
        return None;
    }
    let mut line = serde_json::to_vec(&message).ok()?;
    line.push(b'\n');
    Some(line)
}

/// Returns a member that is an object, and creates it if it is missing.
fn object<'a>(of: &'a mut JsonObject, name: &str) -> Option<&'a mut JsonObject> {
    let member = of.entry(name).or_insert_with(|| json!({}));
    member.as_object_mut()
}

/// A connection to a client. Its responses follow 2025-11-25 if that version was negotiated.
pub(crate) struct Translated<T> {
    inner: T,
    state: Arc<State>,
    translation: Translation,
}

impl<T> Translated<T> {
    pub(crate) fn new(inner: T, state: Arc<State>) -> Self {
        Self {
            inner,
            state,
            translation: Translation::default(),
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Translated<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let item = match item {
            JsonRpcMessage::Response(mut response) => {
                response.result =
                    self.translation
                        .response(&response.id, response.result, &self.state);
                JsonRpcMessage::Response(response)
            }
            other => other,
        };
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await;
        if let Some(JsonRpcMessage::Request(request)) = &message
            && let ClientRequest::CancelTaskRequest(cancel) = &request.request
        {
            self.translation
                .cancels(request.id.clone(), cancel.params.task_id.clone());
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Facts about a connection that its responses depend on.
#[derive(Debug, Default)]
struct Translation {
    /// The negotiated protocol version has these tasks.
    on: bool,
    /// The tasks to cancel, by request.
    cancelled: HashMap<RequestId, String>,
}

impl Translation {
    /// Remembers the task that a request is about to cancel.
    fn cancels(&mut self, request: RequestId, task: String) {
        if self.on {
            self.cancelled.insert(request, task);
        }
    }

    /// Converts a response to 2025-11-25.
    fn response(
        &mut self,
        request: &RequestId,
        result: ServerResult,
        state: &State,
    ) -> ServerResult {
        if let ServerResult::InitializeResult(agreed) = &result {
            self.on = agreed.protocol_version == ProtocolVersion::V_2025_11_25;
        }
        if !self.on {
            return result;
        }
        let translated = match &result {
            ServerResult::InitializeResult(agreed) => value(agreed).map(|mut agreed| {
                agreed["capabilities"]["tasks"] =
                    json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
                agreed
            }),
            ServerResult::ListToolsResult(list) => value(list).map(|mut list| {
                let tools = list["tools"].as_array_mut().into_iter().flatten();
                for tool in tools {
                    if let Some(support) = tool["name"].as_str().and_then(support) {
                        tool["execution"] = json!({ "taskSupport": support });
                    }
                }
                list
            }),
            ServerResult::CreateTaskResult(created) => {
                value(created).map(|created| json!({ "task": task(created) }))
            }
            ServerResult::GetTaskResult(found) => value(found).map(task),
            _ => self.cancelled.remove(request).and_then(|id| {
                let found = state.tasks().get_task(&id).ok()?;
                value(&GetTaskResult::new(found)).map(task)
            }),
        };
        translated.map_or(result, |it| ServerResult::CustomResult(CustomResult(it)))
    }
}

fn value(result: &impl Serialize) -> Option<Value> {
    serde_json::to_value(result).ok()
}

/// Converts the members of a task to their names in 2025-11-25.
fn task(extension: Value) -> Value {
    let mut task = json!({});
    for (name, former) in [
        ("taskId", "taskId"),
        ("status", "status"),
        ("statusMessage", "statusMessage"),
        ("createdAt", "createdAt"),
        ("lastUpdatedAt", "lastUpdatedAt"),
        ("ttlMs", "ttl"),
        ("pollIntervalMs", "pollInterval"),
    ] {
        if let Some(member) = extension.get(name) {
            task[former] = member.clone();
        }
    }
    task
}

/// True if a call asks for a task.
pub(crate) fn is_asked_for(context: &RequestContext<RoleServer>) -> bool {
    context.meta.contains_key(TASK)
}

/// True if a request comes over a connection with these tasks: [`rewrite`] has declared the extension for its client.
pub(crate) fn are_known(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version == Some(ProtocolVersion::V_2025_11_25)
        && context
            .client_capabilities()
            .is_some_and(|capabilities| capabilities.supports_tasks())
}

/// Responds to `tasks/list` with those of these tasks that still exist.
pub(crate) fn list(ids: Vec<String>, next: Option<String>, state: &State) -> CustomResult {
    let found = ids.iter().filter_map(|id| state.tasks().get_task(id).ok());
    let tasks: Vec<Value> = found
        .filter_map(|found| value(&GetTaskResult::new(found)).map(task))
        .collect();
    let mut list = json!({ "tasks": tasks });
    if let Some(next) = next {
        list["nextCursor"] = json!(next);
    }
    CustomResult(list)
}

/// Notifies a client of each status of a task until it is over.
pub(crate) async fn notify(id: String, state: Arc<State>, peer: Peer<RoleServer>) {
    let mut told = TaskStatus::Working;
    let mut wait = QUIET;
    let closing = state.closing();
    while closing
        .run_until_cancelled(tokio::time::sleep(wait))
        .await
        .is_some()
    {
        wait = POLL_INTERVAL;
        let Ok(found) = state.tasks().get_task(&id) else {
            return;
        };
        let status = found.status();
        if status == told {
            continue;
        }
        told = status;
        let params = value(&GetTaskResult::new(found)).map(task);
        let notification = CustomNotification::new("notifications/tasks/status", params);
        let notification = ServerNotification::CustomNotification(notification);
        if peer.send_notification(notification).await.is_err() || status.is_terminal() {
            return;
        }
    }
}

/// Responds to `tasks/result`: waits for the end of a task, and sends the task's questions meanwhile.
pub(crate) async fn result(
    id: &str,
    state: &Arc<State>,
    context: &RequestContext<RoleServer>,
) -> Result<CustomResult, ErrorData> {
    let related = json!({ "taskId": id });
    loop {
        match state.tasks().get_task(id)?.payload {
            TaskPayload::Completed { mut result } => {
                let meta = result.entry("_meta").or_insert_with(|| json!({}));
                meta[RELATED_TASK] = related;
                return Ok(CustomResult(Value::Object(result)));
            }
            TaskPayload::Failed { error } => {
                let message = error["message"].as_str().unwrap_or("The task failed.");
                return Err(ErrorData::internal_error(message.to_owned(), None));
            }
            TaskPayload::InputRequired { input_requests } => {
                for (key, question) in input_requests {
                    let answer = ask(question, related.clone(), context).await?;
                    state.tasks().update_task(id, [(key, answer)])?;
                }
            }
            TaskPayload::Working => {}
            _ => {
                return Err(ErrorData::internal_error("The task was cancelled.", None));
            }
        }
        tokio::select! {
            () = context.ct.cancelled() => break,
            () = state.closing().cancelled() => break,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
    Err(ErrorData::internal_error("The task goes on.", None))
}

/// Sends a question of a task, and waits for its response.
async fn ask(
    question: InputRequest,
    related: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Value, ErrorData> {
    let InputRequest::Elicitation(mut request) = question else {
        return Err(ErrorData::internal_error("This is not asked for.", None));
    };
    if let ElicitRequestParams::FormElicitationParams { meta, .. } = &mut request.params {
        let meta = meta.get_or_insert_default();
        meta.insert(RELATED_TASK.to_owned(), related);
    }
    let answered = context
        .peer
        .send_request(ServerRequest::ElicitRequest(request))
        .await;
    let answer = answered.ok().as_ref().and_then(value);
    answer.ok_or_else(|| ErrorData::internal_error("The question was not answered.", None))
}

/// Returns the task support of a tool as the specification names it.
fn support(tool: &str) -> Option<&'static str> {
    let found = SUPPORT.iter().find(|(name, _)| *name == tool);
    found.map(|(_, support)| *support)
}

/// Refuses a call that the tool does not support (2025-11-25 basic/utilities/tasks, Tool-Level Negotiation).
///
/// # Errors
///
/// If a tool that cannot run as a task is called with one, or a tool that must without one.
pub(crate) fn check(tool: &str, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    let refuse =
        |words: &'static str| Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, words, None));
    // Other versions treat `task` like any other unknown member.
    if !are_known(context) {
        return Ok(());
    }
    let as_task = is_asked_for(context);
    match support(tool) {
        None if as_task => refuse("This tool cannot be run as a task."),
        Some(REQUIRED) if !as_task => refuse("This tool can be run as a task only."),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_shakes_hands_declares_the_extension_beside_its_own() {
        let told = rewrite(
            br#"{"id":1,"method":"initialize","params":{"capabilities":{"extensions":{"a":{}}}}}"#,
        );
        let Some(Ok(told)) = told.map(|line| serde_json::from_slice::<Value>(&line)) else {
            panic!("it is told");
        };
        assert_eq!(
            told["params"]["capabilities"]["extensions"],
            json!({ "a": {}, TASKS_EXTENSION_ID: {} })
        );
    }

    #[test]
    fn only_the_task_of_a_call_is_moved() {
        let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{"ttl":1},"_meta":{"progressToken":2}}}"#;
        let Some(moved) = rewrite(call) else {
            panic!("it has a task");
        };
        let Ok(moved) = serde_json::from_slice::<Value>(&moved) else {
            panic!("it is JSON");
        };
        assert_eq!(
            moved["params"],
            json!({ "name": "a", "_meta": { "progressToken": 2, TASK: { "ttl": 1 } } })
        );
        for other in [
            &br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task"}}"#[..],
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"task":1}}}"#,
            br#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"task":{}}}"#,
            br#"{"task""#,
        ] {
            assert_eq!(rewrite(other), None);
        }
    }

    #[test]
    fn a_task_has_the_former_names_and_nothing_of_its_result() {
        let former = task(json!({
            "resultType": "complete", "taskId": "t", "status": "completed", "createdAt": "a",
            "lastUpdatedAt": "b", "ttlMs": null, "pollIntervalMs": 5, "result": {}
        }));
        assert_eq!(
            former,
            json!({ "taskId": "t", "status": "completed", "createdAt": "a", "lastUpdatedAt": "b",
                    "ttl": null, "pollInterval": 5 })
        );
    }
}

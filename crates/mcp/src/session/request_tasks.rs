//! Requests that the server sent as tasks, until it has fetched their results (2025-11-25, tasks). `server_requests`
//! asks the user.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::rand::{SecureRandom as _, SystemRandom};
use serde_json::value::RawValue;
use sonde_wire::{Cause, MessageKind};
use tokio::time::{Duration, Instant};

use super::context::Context;
use crate::{
    OperationId, Reply, TaskStatus,
    limits::{
        REQUEST_TASK_CAP, REQUEST_TASK_FLOOR, REQUEST_TASK_POLL, REQUEST_TASK_TTL, REQUEST_TASKS,
        REQUEST_TASKS_BYTES, REQUEST_TASKS_PAGE, SERVER_REQUESTS, TASK_MESSAGE,
    },
    members::{member, members, quoted, string},
    protocol::{handshake, tasks},
    text::cut,
};

/// JSON-RPC error codes for refusals.
pub(super) const INVALID_PARAMS: i64 = -32602;
pub(super) const INTERNAL: i64 = -32603;

/// A response as JSON text, with its kind: result or error.
pub(super) type Answer = (String, MessageKind);

/// Request for a task, in `params.task`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TaskRequest {
    /// A task with this lifetime in milliseconds, if the server asks for one.
    Task(Option<u64>),
    /// Not an object: its members are unknown.
    Unreadable,
}

/// Reads the request for a task; `None` if there is none.
pub(super) fn task_request(params: Option<&RawValue>) -> Option<TaskRequest> {
    let task = member(params, "task").filter(|raw| raw.get() != "null")?;
    let Ok(read) = members(task.get(), &["ttl"]) else {
        return Some(TaskRequest::Unreadable);
    };
    Some(TaskRequest::Task(read.values[0].and_then(tasks::millis)))
}

/// The id of the task that a request is about (`tasks/get` and the like).
pub(super) fn task_id(params: Option<&RawValue>) -> Option<String> {
    string(member(params, "taskId")?)
}

/// The tasks of a session, the oldest first.
#[derive(Debug, Default)]
pub(super) struct RequestTasks {
    kept: BTreeMap<u64, RequestTask>,
    last: u64,
}

#[derive(Debug)]
struct RequestTask {
    id: String,
    /// The operation during which it was asked for.
    operation: Option<OperationId>,
    status: TaskStatus,
    message: Option<String>,
    created_at: String,
    last_updated_at: String,
    ttl: Duration,
    /// Expiry time; ignored while the task waits for the user.
    expires: Instant,
    /// The reply, once the task is over.
    reply: Option<Reply>,
    /// The server has fetched the reply.
    fetched: bool,
    /// The ids of `tasks/result` requests that wait for the end, as JSON text.
    waiting: Vec<String>,
}

/// Outcomes of a request about tasks.
#[derive(Debug)]
pub(super) enum CallOutcome {
    /// Answer immediately.
    Answer(Answer),
    /// Answered when the task is over.
    Later,
    /// Cancel the task of this number.
    Cancel(u64),
}

impl RequestTasks {
    /// Keeps a request as a task. Returns its number and the `CreateTaskResult` as JSON text; an error is a
    /// sentence.
    pub(super) fn create(
        &mut self,
        ctx: &Context,
        operation: Option<OperationId>,
        ttl: Option<u64>,
    ) -> Result<(u64, String), &'static str> {
        self.forget_expired();
        if self.kept.len() >= REQUEST_TASKS && !self.forget_oldest(|task| task.fetched) {
            return Err("Too many tasks are kept already.");
        }
        let ttl = ttl.map_or(REQUEST_TASK_TTL, Duration::from_millis);
        let ttl = ttl.clamp(REQUEST_TASK_FLOOR, REQUEST_TASK_CAP);
        let now = (ctx.options.time_of_day)();
        let task = RequestTask {
            id: random_id().ok_or("The system provided no random numbers.")?,
            operation,
            status: TaskStatus::Working,
            message: Some("Waiting for the user.".to_owned()),
            created_at: now.clone(),
            last_updated_at: now,
            ttl,
            expires: Instant::now() + ttl,
            reply: None,
            fetched: false,
            waiting: Vec::new(),
        };
        let result = format!(r#"{{"task":{}}}"#, task.json());
        self.last += 1;
        self.kept.insert(self.last, task);
        Ok((self.last, result))
    }

    /// The operation during which the task of this id was asked for.
    pub(super) fn operation(&self, id: &str) -> Option<OperationId> {
        self.kept.values().find(|task| task.id == id)?.operation
    }

    /// Takes a request about tasks; `id` is its id as JSON text.
    pub(super) fn call(
        &mut self,
        id: &str,
        method: &str,
        params: Option<&RawValue>,
    ) -> CallOutcome {
        self.forget_expired();
        if method == "tasks/list" {
            return CallOutcome::Answer(self.page(id, params));
        }
        let waiting: usize = self.kept.values().map(|task| task.waiting.len()).sum();
        let named = task_id(params);
        let found = self
            .kept
            .iter_mut()
            .find(|(_, task)| Some(&task.id) == named.as_ref());
        let Some((number, task)) = found else {
            return CallOutcome::Answer(refusal(
                id,
                INVALID_PARAMS,
                "There is no task of this id.",
            ));
        };
        match method {
            "tasks/get" => CallOutcome::Answer(result_response(id, &task.json())),
            // "Receivers MUST reject cancellation of terminal status tasks with error code -32602" (tasks, Task
            // Cancellation).
            "tasks/cancel" if task.status.is_terminal() => {
                let words = format!("The task is over: {}.", task.status.as_str());
                CallOutcome::Answer(refusal(id, INVALID_PARAMS, &words))
            }
            "tasks/cancel" => CallOutcome::Cancel(*number),
            // "MUST block the response until the task reaches a terminal status" (tasks, Result Retrieval).
            _ if task.reply.is_none() && waiting >= SERVER_REQUESTS => {
                let words = "Too many requests wait for results of tasks.";
                CallOutcome::Answer(refusal(id, INTERNAL, words))
            }
            _ => match task.answer(id) {
                Some(answer) => CallOutcome::Answer(answer),
                None => {
                    task.waiting.push(id.to_owned());
                    CallOutcome::Later
                }
            },
        }
    }

    /// Ends a task and notifies the server. Returns the responses for the `tasks/result` requests that wait
    /// for it, by their ids.
    pub(super) fn settle(
        &mut self,
        ctx: &mut Context,
        number: u64,
        status: TaskStatus,
        reply: Reply,
    ) -> Vec<(String, Answer)> {
        let Some(task) = self.kept.get_mut(&number) else {
            return Vec::new();
        };
        let settled = task.id.clone();
        task.status = status;
        task.message = match &reply {
            Reply::Error { message, .. } => Some(cut(message, TASK_MESSAGE)),
            Reply::Result(_) => None,
        };
        task.reply = Some(reply);
        task.last_updated_at = (ctx.options.time_of_day)();
        task.expires = task.expires.max(Instant::now() + REQUEST_TASK_FLOOR);
        let waiting = std::mem::take(&mut task.waiting);
        let answers = waiting
            .into_iter()
            .filter_map(|id| Some((id.clone(), task.answer(&id)?)))
            .collect();
        let method = "notifications/tasks/status";
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{}}}"#,
            task.json()
        );
        ctx.send_notification(method, text, Cause::Answer, task.operation);
        while self.kept.values().map(RequestTask::weight).sum::<usize>() > REQUEST_TASKS_BYTES
            && (self.forget_oldest(|task| task.fetched)
                || self.forget_oldest(|task| task.reply.is_some() && task.id != settled))
        {}
        answers
    }

    /// A task as the answer to the request that cancelled it.
    pub(super) fn cancelled(&self, id: &str, number: u64) -> Option<Answer> {
        let task = self.kept.get(&number)?;
        Some(result_response(id, &task.json()))
    }

    /// Drops a `tasks/result` request that the server cancelled; true if there was one.
    pub(super) fn forget_waiting(&mut self, id: &str) -> bool {
        let waits = self.kept.values_mut().find_map(|task| {
            let place = task.waiting.iter().position(|waiting| waiting == id)?;
            Some(task.waiting.remove(place))
        });
        waits.is_some()
    }

    /// Drops all tasks when the session ends or is restarted.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    fn page(&self, id: &str, params: Option<&RawValue>) -> Answer {
        let after = match member(params, "cursor") {
            None => 0,
            Some(raw) => match string(raw).and_then(|cursor| cursor.parse().ok()) {
                Some(after) => after,
                None => return refusal(id, INVALID_PARAMS, "This is not a cursor of the list."),
            },
        };
        let mut rest = self.kept.iter().filter(|(number, _)| **number > after);
        let page: Vec<_> = rest.by_ref().take(REQUEST_TASKS_PAGE).collect();
        let next = (rest.next().is_some()).then(|| page.last().map(|(number, _)| **number));
        let next = next
            .flatten()
            .map(|number| format!(r#","nextCursor":"{number}""#));
        let tasks: Vec<String> = page.iter().map(|(_, task)| task.json()).collect();
        let list = format!(
            r#"{{"tasks":[{}]{}}}"#,
            tasks.join(","),
            next.unwrap_or_default()
        );
        result_response(id, &list)
    }

    fn forget_expired(&mut self) {
        let now = Instant::now();
        self.kept
            .retain(|_, task| task.reply.is_none() || task.expires > now);
    }

    /// Forgets the oldest task of which this is true; `false` where there is none.
    fn forget_oldest(&mut self, which: impl Fn(&RequestTask) -> bool) -> bool {
        let oldest = self.kept.iter().find(|(_, task)| which(task));
        let Some(number) = oldest.map(|(number, _)| *number) else {
            return false;
        };
        self.kept.remove(&number);
        true
    }
}

impl RequestTask {
    /// As JSON text.
    fn json(&self) -> String {
        let message = self
            .message
            .as_ref()
            .map(|message| format!(r#","statusMessage":{}"#, quoted(message)));
        format!(
            r#"{{"taskId":{},"status":"{}"{},"createdAt":{},"lastUpdatedAt":{},"ttl":{},"pollInterval":{}}}"#,
            quoted(&self.id),
            self.status.as_str(),
            message.unwrap_or_default(),
            quoted(&self.created_at),
            quoted(&self.last_updated_at),
            self.ttl.as_millis(),
            REQUEST_TASK_POLL.as_millis(),
        )
    }

    /// Returns the response to `tasks/result`, once the task is over: "exactly what the underlying request
    /// would have returned", with the metadata that names the task (tasks, Result Retrieval).
    fn answer(&mut self, id: &str) -> Option<Answer> {
        let reply = self.reply.as_ref()?;
        self.fetched = true;
        Some(match reply {
            Reply::Result(text) => result_response(id, &tasks::about(text, &self.id)),
            Reply::Error { code, message } => refusal(id, *code, message),
        })
    }

    /// The bytes of its answer.
    fn weight(&self) -> usize {
        match &self.reply {
            Some(Reply::Result(text)) => text.len(),
            Some(Reply::Error { message, .. }) => message.len(),
            None => 0,
        }
    }
}

/// A response with this result. `id` is JSON text.
pub(super) fn result_response(id: &str, result: &str) -> Answer {
    (handshake::answer_result(id, result), MessageKind::Response)
}

/// A response with an error. `id` is JSON text.
pub(super) fn refusal(id: &str, code: i64, message: &str) -> Answer {
    (
        handshake::answer_error(id, code, message),
        MessageKind::Error,
    )
}

/// 192 random bits: "Task IDs … MUST use … enough entropy to prevent guessing" (tasks, Task Isolation and Access
/// Control). `None` where the system has no random numbers.
fn random_id() -> Option<String> {
    let mut bytes = [0; 24];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

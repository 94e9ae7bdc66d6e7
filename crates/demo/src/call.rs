//! One running tool call: its arguments, and its messages to the client meanwhile.
// Log messages are deprecated from 2026-07-28 on; the versions before it still use them.
#![expect(deprecated)]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    ElicitRequestParams, ElicitationCapability, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, JsonObject, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, ServerRequest, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServiceError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handshake_tasks;
use crate::state::State;

/// Outcome of a tool.
pub(crate) type Answer = Result<CallToolResult, Stop>;

/// End of a call without a result of its tool.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A tool error, a question or a task.
    Response(Box<CallToolResponse>),
    /// A protocol error.
    Error(ErrorData),
}

impl From<ErrorData> for Stop {
    fn from(error: ErrorData) -> Self {
        Self::Error(error)
    }
}

/// Name of the question of a call, which asks only one at once.
const QUESTION: &str = "question";

/// One call of one tool.
pub(crate) struct Call {
    tool: Tool,
    arguments: Option<JsonObject>,
    /// Replies to the question with which the call ended before.
    replies: Mutex<Option<InputResponses>>,
    context: RequestContext<RoleServer>,
    state: Arc<State>,
    /// Lowest level of log messages that are sent; `None` sends none.
    level: Option<LoggingLevel>,
}

impl Call {
    pub(crate) fn new(
        tool: Tool,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
        state: Arc<State>,
        level: Option<LoggingLevel>,
    ) -> Self {
        Self {
            tool,
            arguments: request.arguments,
            replies: Mutex::new(request.input_responses),
            context,
            state,
            level,
        }
    }

    /// Returns the name of the tool.
    pub(crate) fn tool(&self) -> &str {
        &self.tool.name
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Returns the arguments as received; `None` if the request had none.
    pub(crate) fn arguments(&self) -> Option<&JsonObject> {
        self.arguments.as_ref()
    }

    /// Returns an argument, or its default in the tool's schema.
    ///
    /// # Errors
    ///
    /// The schema does not allow it, or another argument is unknown.
    pub(crate) fn argument<T: DeserializeOwned>(&self, name: &str) -> Result<T, Stop> {
        let fields = &self.tool.input_schema["properties"];
        let given = self.arguments.iter().flatten();
        if let Some((unknown, _)) = given
            .into_iter()
            .find(|(name, _)| fields.get(name).is_none())
        {
            return Err(misfit(format!("`{unknown}` is not known")));
        }
        let field = &fields[name];
        let given = self.arguments.as_ref().and_then(|all| all.get(name));
        let value = given.unwrap_or(&field["default"]);
        let number = value.as_f64();
        let beyond = |limit: &str| number.zip(field[limit].as_f64());
        if beyond("minimum").is_some_and(|(value, least)| value < least)
            || beyond("maximum").is_some_and(|(value, most)| value > most)
        {
            let (least, most) = (&field["minimum"], &field["maximum"]);
            return Err(misfit(format!(
                "`{name}` is not between {least} and {most}"
            )));
        }
        let titled = |choices: &Vec<Value>| choices.iter().any(|one| Some(&one["const"]) == given);
        let plain = |choices: &Vec<Value>| choices.iter().any(|one| Some(one) == given);
        let fits = field["oneOf"].as_array().is_none_or(titled)
            && field["enum"].as_array().is_none_or(plain);
        if given.is_some() && !fits {
            return Err(misfit(format!("`{name}` is none of the choices")));
        }
        serde_json::from_value(value.clone()).map_err(|error| misfit(format!("`{name}`: {error}")))
    }

    /// True if the client accepts a task instead of a result: stateless clients declare that, others request it.
    pub(crate) fn accepts_tasks(&self) -> bool {
        if is_stateless(&self.context) {
            self.capabilities().supports_tasks()
        } else {
            handshake_tasks::are_known(&self.context)
                && handshake_tasks::is_asked_for(&self.context)
        }
    }

    /// True if the client shows forms.
    pub(crate) fn shows_forms(&self) -> bool {
        self.capabilities().elicitation.as_ref().is_some_and(forms)
    }

    /// True if the client's model may be given tools.
    pub(crate) fn model_uses_tools(&self) -> bool {
        let sampling = self.capabilities().sampling;
        sampling.is_some_and(|sampling| sampling.tools.is_some())
    }

    fn capabilities(&self) -> ClientCapabilities {
        self.context.client_capabilities().unwrap_or_default()
    }

    fn can_reply_to(&self, question: &InputRequest) -> bool {
        let capabilities = self.capabilities();
        match question {
            InputRequest::Elicitation(request) => {
                let by_url = matches!(
                    request.params,
                    ElicitRequestParams::UrlElicitationParams { .. }
                );
                let modes = capabilities.elicitation;
                modes.is_some_and(|modes| {
                    if by_url {
                        modes.url.is_some()
                    } else {
                        forms(&modes)
                    }
                })
            }
            InputRequest::CreateMessage(_) => capabilities.sampling.is_some(),
            InputRequest::ListRoots(_) => capabilities.roots.is_some(),
            _ => false,
        }
    }

    /// Asks the client a question; `None` if the client does not answer this kind. In a stateless protocol version the
    /// call ends with the question and is repeated with the reply (2026-07-28 basic/patterns/mrtr), which counts for
    /// the first question of that call. In earlier versions the question is a request of its own.
    ///
    /// # Errors
    ///
    /// The end of the call.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        question: InputRequest,
    ) -> Result<Option<T>, Stop> {
        let unread = |_| refusal("The answer to the question could not be read.");
        let replies = self
            .replies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(reply) = replies.and_then(|mut all| all.remove(QUESTION)) {
            return serde_json::from_value(reply).map(Some).map_err(unread);
        }
        if !self.can_reply_to(&question) {
            return Ok(None);
        }
        if is_stateless(&self.context) {
            let questions = InputRequests::from([(QUESTION.to_owned(), question)]);
            let asked = InputRequiredResult::from_input_requests(questions);
            return Err(Stop::Response(Box::new(asked.into())));
        }
        let request = match question {
            InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
            InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
            InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
            _ => return Ok(None),
        };
        tokio::select! {
            biased;
            () = self.stopped() => Err(refusal("The question was not answered.")),
            reply = self.context.peer.send_request(request) => match reply {
                Ok(reply) => serde_json::to_value(reply)
                    .and_then(serde_json::from_value)
                    .map(Some)
                    .map_err(unread),
                Err(_) => Err(refusal("The question was rejected.")),
            },
        }
    }

    /// Reports progress, if the request asked for it.
    pub(crate) async fn progress(&self, done: u32, total: Option<u32>, message: Option<String>) {
        let Some(token) = self.context.meta.get_progress_token() else {
            return;
        };
        let mut report = ProgressNotificationParam::new(token, f64::from(done));
        report.total = total.map(f64::from);
        report.message = message;
        self.deliver(self.context.peer.notify_progress(report))
            .await;
    }

    /// True if the request asked for progress.
    pub(crate) fn wants_progress(&self) -> bool {
        self.context.meta.get_progress_token().is_some()
    }

    /// Sends a log message, if the client wants that level.
    pub(crate) async fn log(&self, level: LoggingLevel, data: impl Into<Value>) {
        if self.level.is_some_and(|least| level as u8 >= least as u8) {
            let message =
                LoggingMessageNotificationParam::new(level, data.into()).with_logger("gull-rock");
            self.deliver(self.context.peer.notify_logging_message(message))
                .await;
        }
    }

    /// Waits until a notification is written. When the server closes, nobody reads any more, so waiting longer would
    /// delay the end. Ignores the error of a client that is gone.
    async fn deliver(&self, notification: impl Future<Output = Result<(), ServiceError>>) {
        let closing = self.state.closing();
        let _ = closing.run_until_cancelled(notification).await;
    }

    /// Waits, unless the call is stopped first. Without a duration, yields to other work, so that a cancellation that
    /// has arrived is noticed.
    pub(crate) async fn pause(&self, duration: Duration) -> Result<(), Stop> {
        let slept = async {
            if duration.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(duration).await;
            }
        };
        tokio::select! {
            biased;
            () = self.stopped() => Err(refusal("The call was stopped.")),
            () = slept => Ok(()),
        }
    }

    /// Completes when the call is cancelled or the server closes.
    async fn stopped(&self) {
        tokio::select! {
            () = self.context.ct.cancelled() => {}
            () = self.state.closing().cancelled() => {}
        }
    }
}

/// True if a client shows forms. A client that declares no mode shows them too (2025-11-25 client/elicitation,
/// Capabilities).
fn forms(modes: &ElicitationCapability) -> bool {
    modes.form.is_some() || modes.url.is_none()
}

/// True if the request is stateless.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| !version.has_initialize())
}

/// Creates a result of one text.
pub(crate) fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// Creates a tool error, so that the caller can read what to change (2025-11-25 server/tools, Error Handling).
pub(crate) fn refusal(sentence: impl Into<String>) -> Stop {
    let error = CallToolResult::error(vec![ContentBlock::text(sentence)]);
    Stop::Response(Box::new(error.into()))
}

fn misfit(reason: String) -> Stop {
    refusal(format!("What was filled in does not fit: {reason}."))
}

//! One running tool call: its arguments, and its messages to the client meanwhile.
// Log messages are deprecated from 2026-07-28 on; the revisions before it still use them.
#![expect(deprecated)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CreateMessageRequest,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, JsonObject, ListRootsRequest, ListRootsResult, LoggingLevel,
    LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken, ServerRequest,
};
use rmcp::service::{RequestContext, RoleServer, ServiceError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handshake_tasks;
use crate::station::Station;

/// Outcome of a call: a result (which may say `isError`), or a protocol error.
pub(crate) type Outcome = Result<CallToolResult, ErrorData>;

/// Reason for which a tool does not run with these arguments, as a sentence for the caller.
///
/// It becomes a tool error, not a protocol error, so that the caller can read what to change
/// (2025-11-25 server/tools, Error Handling).
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

/// Name of the question of a call, which asks only one at once.
const QUESTION: &str = "question";

/// Number of pages asked for: each elicitation has an id of its own.
static PAGES: AtomicU64 = AtomicU64::new(1);

/// A call was cancelled, or the server is closing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stopped;

/// One call of one tool.
pub(crate) struct Call {
    arguments: Option<JsonObject>,
    answers: Mutex<Option<InputResponses>>,
    context: RequestContext<RoleServer>,
    station: Arc<Station>,
    token: Option<ProgressToken>,
    level: Option<LoggingLevel>,
}

impl Call {
    /// Creates a call whose log messages go out from `level` on, or not at all. `answers`: replies to the question
    /// with which it ended before.
    pub(crate) fn new(
        arguments: Option<JsonObject>,
        answers: Option<InputResponses>,
        context: RequestContext<RoleServer>,
        station: Arc<Station>,
        level: Option<LoggingLevel>,
    ) -> Self {
        let token = context.meta.get_progress_token();
        Self {
            arguments,
            answers: Mutex::new(answers),
            context,
            station,
            token,
            level,
        }
    }

    pub(crate) fn station(&self) -> &Station {
        &self.station
    }

    /// Returns the arguments exactly as they came, `None` when the request had none.
    pub(crate) fn raw_arguments(&self) -> Option<&JsonObject> {
        self.arguments.as_ref()
    }

    /// Parses the arguments as `T`; missing arguments count as an empty object.
    ///
    /// # Errors
    ///
    /// A refusal that names the wrong argument.
    pub(crate) fn arguments<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let object = self.arguments.clone().unwrap_or_default();
        serde_json::from_value(Value::Object(object))
            .map_err(|error| refusal(format!("What was filled in does not fit: {error}.")))
    }

    /// Asks the caller with a form; `None` when the client shows none.
    ///
    /// # Errors
    ///
    /// With what the call has to end now.
    pub(crate) async fn ask(
        &self,
        message: &str,
        form: ElicitationSchema,
    ) -> Result<Option<ElicitResult>, Box<CallToolResponse>> {
        let declared = self.capabilities().elicitation.is_some();
        let request = ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.to_owned(),
            requested_schema: form,
        });
        let question = InputRequest::Elicitation(request);
        self.exchange(declared, question).await
    }

    /// Asks the caller to open a page; `None` when the client opens none.
    ///
    /// # Errors
    ///
    /// With what the call has to end now.
    pub(crate) async fn send_to(
        &self,
        message: &str,
        url: &str,
    ) -> Result<Option<ElicitResult>, Box<CallToolResponse>> {
        let elicitation = self.capabilities().elicitation;
        let declared = elicitation.is_some_and(|modes| modes.url.is_some());
        let number = PAGES.fetch_add(1, Ordering::Relaxed);
        let request = ElicitRequest::new(ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: message.to_owned(),
            url: url.to_owned(),
            elicitation_id: format!("gull-rock-{number}"),
        });
        let question = InputRequest::Elicitation(request);
        self.exchange(declared, question).await
    }

    /// Asks the caller's model; `None` when the client has none. Tools are for a client that declares
    /// them: others get the question without tools.
    ///
    /// # Errors
    ///
    /// With what the call has to end now.
    pub(crate) async fn ask_model(
        &self,
        mut params: CreateMessageRequestParams,
    ) -> Result<Option<CreateMessageResult>, Box<CallToolResponse>> {
        let sampling = self.capabilities().sampling;
        let declared = sampling.is_some();
        if sampling.is_none_or(|sampling| sampling.tools.is_none()) {
            params.tools = None;
            params.tool_choice = None;
        }
        let question = InputRequest::CreateMessage(CreateMessageRequest::new(params));
        self.exchange(declared, question).await
    }

    /// Asks for the caller's folders; `None` when the client names none.
    ///
    /// # Errors
    ///
    /// With what the call has to end now.
    pub(crate) async fn ask_roots(&self) -> Result<Option<ListRootsResult>, Box<CallToolResponse>> {
        let declared = self.capabilities().roots.is_some();
        let question = InputRequest::ListRoots(ListRootsRequest::default());
        self.exchange(declared, question).await
    }

    /// Returns true if the client accepts a task instead of a result: stateless clients declare it, others
    /// ask for it.
    pub(crate) fn takes_tasks(&self) -> bool {
        let version = self.context.protocol_version();
        match version.is_some_and(|version| !version.has_initialize()) {
            true => self.capabilities().supports_tasks(),
            false => self.context.meta.contains_key(handshake_tasks::TASK),
        }
    }

    /// Returns true if the client shows forms.
    pub(crate) fn shows_forms(&self) -> bool {
        self.capabilities().elicitation.is_some()
    }

    fn capabilities(&self) -> ClientCapabilities {
        self.context.client_capabilities().unwrap_or_default()
    }

    /// Asks a question, if the client `declared` that it replies to this kind. In a stateless protocol version the call
    /// ends with the question and comes again with the reply (2026-07-28 basic/patterns/mrtr), which counts for
    /// the first question that it asks then; before, the question is a request of its own.
    async fn exchange<T: DeserializeOwned>(
        &self,
        declared: bool,
        question: InputRequest,
    ) -> Result<Option<T>, Box<CallToolResponse>> {
        let end = |words: &str| Box::new(CallToolResponse::from(failure(words)));
        let unread = || end("The answer to the question could not be read.");
        let answers = self
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(answer) = answers.and_then(|mut all| all.remove(QUESTION)) {
            return serde_json::from_value(answer)
                .map(Some)
                .map_err(|_| unread());
        }
        if !declared {
            return Ok(None);
        }
        let version = self.context.protocol_version();
        if version.is_some_and(|version| !version.has_initialize()) {
            let questions = InputRequests::from([(QUESTION.to_owned(), question)]);
            let asked = InputRequiredResult::from_input_requests(questions);
            return Err(Box::new(asked.into()));
        }
        let request = match question {
            InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
            InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
            InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
            _ => return Ok(None),
        };
        let stopped = async {
            tokio::select! {
                () = self.context.ct.cancelled() => {}
                () = self.station.closing().cancelled() => {}
            }
        };
        tokio::select! {
            biased;
            () = stopped => Err(end("The question was not answered.")),
            answer = self.context.peer.send_request(request) => match answer {
                Ok(answer) => serde_json::to_value(answer)
                    .and_then(serde_json::from_value)
                    .map(Some)
                    .map_err(|_| unread()),
                Err(ServiceError::McpError(_)) => Err(end("The question was rejected.")),
                Err(_) => Err(unread()),
            },
        }
    }

    /// Reports progress, if the request asked for it.
    pub(crate) async fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        let Some(token) = &self.token else { return };
        let mut report = ProgressNotificationParam::new(token.clone(), done);
        report.total = total;
        report.message = message;
        self.deliver(self.context.peer.notify_progress(report))
            .await;
    }

    /// Waits until a notification is written. When the server closes, nobody reads it any more, so
    /// further waiting would hold up the end. Ignores the error of a client that went away.
    async fn deliver(&self, notification: impl Future<Output = Result<(), ServiceError>>) {
        let _ = self
            .station
            .closing()
            .run_until_cancelled(notification)
            .await;
    }

    /// Returns true if the request asked for progress.
    pub(crate) fn wants_progress(&self) -> bool {
        self.token.is_some()
    }

    /// Sends a log message, if the client wants that level.
    pub(crate) async fn log(&self, level: LoggingLevel, data: impl Into<Value>) {
        if self
            .level
            .is_none_or(|least| severity(level) < severity(least))
        {
            return;
        }
        let message =
            LoggingMessageNotificationParam::new(level, data.into()).with_logger("gull-rock");
        self.deliver(self.context.peer.notify_logging_message(message))
            .await;
    }

    /// Waits, unless the call is stopped first.
    pub(crate) async fn pause(&self, duration: Duration) -> Result<(), Stopped> {
        tokio::select! {
            biased;
            () = self.context.ct.cancelled() => Err(Stopped),
            () = self.station.closing().cancelled() => Err(Stopped),
            () = tokio::time::sleep(duration) => Ok(()),
        }
    }

    /// Returns an error if the call was stopped. Lets other work go first, so that a cancellation that has
    /// already arrived is seen.
    pub(crate) async fn check(&self) -> Result<(), Stopped> {
        tokio::task::yield_now().await;
        if self.context.ct.is_cancelled() || self.station.closing().is_cancelled() {
            return Err(Stopped);
        }
        Ok(())
    }
}

/// RFC 5424's order, turned so that more severe is larger.
fn severity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

/// Creates a result of one text.
pub(crate) fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// Creates a tool error with one text.
pub(crate) fn failure(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Creates a refusal with this sentence.
pub(crate) fn refusal(sentence: impl Into<String>) -> Refusal {
    Refusal(sentence.into())
}

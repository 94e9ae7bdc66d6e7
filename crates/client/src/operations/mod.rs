//! Operations: their live state, their history, and what their results contain.

mod operation;
mod task;
mod server_request_history;
mod outcome;
mod result_findings;
mod freshness;
mod rate;
mod messages;
mod history;
mod text;
mod media;
mod content_block;
mod summary;
mod result_size;
#[cfg(test)]
mod summary_tests;
mod resource_expectations;
mod prompt;
mod explain;
mod live;
#[cfg(test)]
mod live_tests;
mod resume;
mod source;
mod privacy;
mod search;
mod label;
mod running;

/// The method of an operation that runs a tool.
pub const TOOLS_CALL: &str = "tools/call";
/// The method of an operation that reads a resource.
pub const RESOURCES_READ: &str = "resources/read";
/// The method of an operation that gets a prompt.
const PROMPTS_GET: &str = "prompts/get";

pub use sonde_mcp::{TaskParams, TaskSource, TaskStatus};

pub use self::{
    explain::{APP_CLOSED, explain, explain_gone},
    freshness::ResultFreshness,
    history::{History, NewOperation, OPERATIONS, OperationRecord},
    messages::LoggedMessage,
    operation::{
        AppEnd, ArgumentCheck, Deadline, EarlierRun, LedBy, OperationInput, OperationLabel,
        OperationNumber, OperationProgress, OperationState,
    },
    outcome::{
        ContentBlock, ContentDetails, ContentKind, LostCode, OperationOutcome, PromptMessage,
        PromptResult, StructuredContent,
    },
    privacy::takes_private_values,
    rate::ProgressRate,
    result_findings::{FoundInResult, FoundInResults},
    server_request_history::{
        AnswerKind, AnsweredRequest, AnsweringRule, AskedPage, ServerRequestHistory,
    },
    source::{Document, DocumentSource},
    summary::ResultShape,
    task::{TASK_CHANGES, TaskChange, TaskRun, TaskStep},
};
pub(crate) use self::{
    live::{apply, explain_lost, lose_all, millis, resume_idle_timer, resumed},
    resume::resume_tasks,
};

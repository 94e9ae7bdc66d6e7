//! Purposes of requests.

use crate::{CatalogKind, OperationId};

/// Purposes of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Discover,
    Initialize,
    Listen,
    ListCatalog(CatalogKind),
    Operation(OperationId),
    /// Concerns the task of an operation.
    Task(OperationId, TaskCall),
    /// A page of the server's list of tasks.
    ListTasks,
    Ping,
    SetLevel,
    Complete,
    /// To subscribe to a resource, or to unsubscribe.
    SubscribeResource,
}

/// The requests about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskCall {
    Get,
    Result,
    Update,
    Cancel,
}

impl TaskCall {
    pub(super) fn method(self) -> &'static str {
        match self {
            TaskCall::Get => "tasks/get",
            TaskCall::Result => "tasks/result",
            TaskCall::Update => "tasks/update",
            TaskCall::Cancel => "tasks/cancel",
        }
    }
}

impl Purpose {
    pub(super) fn operation(self) -> Option<OperationId> {
        match self {
            Purpose::Operation(operation) | Purpose::Task(operation, _) => Some(operation),
            _ => None,
        }
    }
}

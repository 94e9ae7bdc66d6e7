//! Operations of the user, from sending a request to its outcome.

mod request;

mod event;
mod outcome;
mod target;

pub use event::{OperationEvent, Progress};
pub use outcome::{Lost, Outcome, TimeoutKind};
pub use request::{OperationId, OperationOptions, OperationRequest, TaskParams};

pub(crate) use outcome::result_outcome;
pub(crate) use target::target_member;

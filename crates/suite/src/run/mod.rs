//! Running suites over connections.

mod report;
mod stored;
mod sidecar;
mod session;
mod answers;
mod request;
mod drive;
mod step;
mod runner;

pub use self::{
    report::{Case, CaseReport, Coverage, Event, ServerFacts, StepReport, Stopped, Verdict},
    runner::{RunOptions, Runner},
    stored::Update,
};

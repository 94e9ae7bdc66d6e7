//! Running suites over connections.

mod report;
mod caution;
mod stored;
mod listed;
mod sidecar;
mod secrets;
mod session;
mod answers;
mod request;
mod drive;
mod step;
mod runner;

pub use self::{
    caution::{Caution, listed_hints},
    listed::{ListedLookup, ListedServer},
    report::{
        Case, CaseReport, Coverage, Event, NoConnection, ServerFacts, StepReport, StopReason,
        Verdict,
    },
    runner::{RunOptions, Runner},
    secrets::{SECRETS_OWNER, secret_names, stored_secrets},
    session::without_secrets,
    stored::{Stored, Update},
};

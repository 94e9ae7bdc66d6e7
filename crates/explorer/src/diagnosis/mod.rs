//! Diagnosing a server: each step of reaching it, tried over a connection of its own, with what was tried, how it
//! went and what to do. It ends as a page to hand on.

mod step;
mod list;
mod progress;
mod network_check;
mod connecting;
mod catalog_check;
mod shutdown_check;
mod examined;
mod run;
mod report_text;
mod markdown;
mod html;
mod report;
mod diagnose;

pub use self::{
    list::Diagnoses,
    report::{ReportFormat, report},
    run::diagnose,
    step::{Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, StepOutcome},
};

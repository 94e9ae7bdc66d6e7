//! Diagnosis of a server: tries each step of reaching it over a separate connection, and reports what was tried, the
//! result, and what to do. The result can be shared as one page.

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

pub(crate) use self::list::DiagnosisRecord;
pub use self::{
    list::Diagnoses,
    report::{ReportFormat, report},
    run::diagnose,
    step::{Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, StepOutcome},
};

//! Checks of a server in the window: a folder of suites, edited in place, with the results of runs.

mod types;
mod id;
mod folder;
mod kept;
mod outcome;
mod view;
mod state;
mod open;
mod running;
mod keeping;
mod editing;
mod report;
mod lists;

pub(crate) use self::{
    editing::FormerCheck,
    kept::{ChecksLeft, KeptChecks},
};
pub use sonde_suite::listing::ChangeClass as ListChangeClass;

pub use self::{
    state::CheckList,
    types::{
        Check, CheckCase, CheckChoice, CheckComparison, CheckFailure, CheckId, CheckOutcome,
        CheckProblem, CheckResult, CheckRun, CheckState, CheckSuite, CheckTotals, CheckedResult,
        Checks, ListComparison, ListMoment, ListSide, ListedChange, NewCheck,
    },
};

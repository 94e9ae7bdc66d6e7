//! Events and results of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use sonde_client::catalogs::CatalogKind;

use crate::{
    problem::{Problem, Span},
    report::Failure,
    snapshot::Snapshot,
};

/// One combination of the matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Version of the protocol; `None` leaves it to the suite.
    pub revision: Option<String>,
    /// Transport; `None` takes the server's first.
    pub transport: Option<String>,
}

impl Case {
    /// Its values, joined by commas; empty for the only case of a suite.
    #[must_use]
    pub fn label(&self) -> String {
        let values = [&self.revision, &self.transport].into_iter().flatten();
        values.cloned().collect::<Vec<_>>().join(", ")
    }
}

/// Events of a run, in order.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A case connects.
    CaseStarted(&'a Case),
    /// A step begins.
    StepStarted {
        /// Its index in the suite.
        index: usize,
        /// Its name.
        title: &'a str,
        /// Counts its attempts, from 1.
        attempt: u32,
    },
    /// A step is over.
    StepFinished(&'a StepReport),
    /// A case is over.
    CaseFinished(&'a CaseReport),
}

/// Results of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseReport {
    /// The combination.
    pub case: Case,
    /// Name and version of the server by its own account, and the version of the protocol.
    pub server: Option<ServerFacts>,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
    /// Items of each server, by its name and version, and those that steps used. Empty unless it was asked for.
    pub coverage: BTreeMap<String, Coverage>,
    /// Reason why steps could not run.
    pub stopped: Option<StopReason>,
    /// Time from the first connect to the last step.
    pub duration: Duration,
}

/// Tools, prompts and resources, each with its kind and its name or URI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Listed by the server.
    pub offered: BTreeSet<(CatalogKind, String)>,
    /// Called, got or read by steps.
    pub used: BTreeSet<(CatalogKind, String)>,
}

/// Facts that the server reports about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The version of the protocol in use.
    pub revision: String,
}

impl ServerFacts {
    /// Name and version, as far as the server says them.
    #[must_use]
    pub fn title(&self) -> String {
        let words = [&self.name, &self.version].into_iter().flatten();
        words.cloned().collect::<Vec<_>>().join(" ")
    }
}

/// Reasons why steps could not run.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The files are wrong for this run: an unknown server or environment, a variable that is not set.
    Files(Vec<Problem>),
    /// There is no connection to run the steps on.
    NotConnected {
        /// The cause in words, with what to do.
        words: String,
        /// The kind of the cause.
        why: NoConnection,
    },
    /// The connection ended during a step.
    Died(String),
    /// The caller stopped the run.
    Cancelled,
    /// A step failed, and the run stops at the first failure.
    Bailed,
}

/// Causes of a missing connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoConnection {
    /// The server could not be started or reached.
    Failed,
    /// It asks for a sign-in, and no stored credential is there.
    NeedsSignIn,
    /// It has not shown that it speaks the protocol version of the case.
    OtherVersion,
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Its index in the suite.
    pub index: usize,
    /// Its name.
    pub title: String,
    /// Its group.
    pub group: Option<String>,
    /// Its place in the file.
    pub span: Span,
    /// The verdict.
    pub verdict: Verdict,
    /// The expectations that did not hold in the last attempt.
    pub failures: Vec<Failure>,
    /// Number of attempts.
    pub attempts: u32,
    /// Duration of the last request.
    pub duration: Option<Duration>,
    /// Values that were compared with snapshots.
    pub snapshots: Vec<Snapshot>,
    /// Reason why more than its snapshots is left to judge.
    pub unjudged: Option<String>,
    /// Log entries of the step: number of the first, and one past the last.
    pub entries: (u64, u64),
    /// The last lines of standard error during the step.
    pub stderr: Vec<String>,
}

/// Verdicts about a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything held.
    Passed,
    /// Something did not hold.
    Failed,
    /// Nothing was established; the reason in words.
    Incomplete(String),
    /// It was left out; the reason in words, if there is one.
    Skipped(String),
    /// The connection ended, or the step could not be sent; the reason in words.
    Broken(String),
    /// The server did not respond within a time limit; the reason in words.
    TimedOut(String),
}

impl CaseReport {
    /// Counts the steps whose verdict matches.
    pub fn count(&self, of: impl Fn(&Verdict) -> bool) -> usize {
        self.steps.iter().filter(|step| of(&step.verdict)).count()
    }
}

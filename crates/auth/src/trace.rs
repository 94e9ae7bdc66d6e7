//! Steps of signing in, reported while they happen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sonde_findings::Finding;
use sonde_wire::Header;
use ts_rs::TS;

use crate::{Problem, Spec};

/// States of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "AuthStepState")]
pub enum StepState {
    /// Under way.
    Running,
    /// Succeeded.
    Done,
    /// Succeeded, with a deviation.
    Warning,
    /// Failed; another way may be tried.
    Failed,
}

/// A request and its response. Holds secrets: redact it before keeping it.
#[derive(Clone, Default)]
pub struct HttpExchange {
    /// The verb.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// Request headers in order.
    pub request_headers: Vec<Header>,
    /// Request body.
    pub request_body: Option<String>,
    /// HTTP status; `None` if no response came.
    pub status: Option<u16>,
    /// Response headers in order.
    pub response_headers: Vec<Header>,
    /// Response body.
    pub response_body: Option<String>,
    /// The reason for a missing response.
    pub error: Option<String>,
}

impl std::fmt::Debug for HttpExchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpExchange")
            .field("method", &self.method)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// Receiver of the steps. Methods return at once.
pub trait Trace: Send + Sync + 'static {
    /// Adds a secret, to be hidden in everything that follows.
    fn add_secret(&self, secret: &str);
    /// Begins a step and returns its number.
    fn begin(&self, code: &'static str, title: &str, spec: Option<Spec>) -> u64;
    /// Adds a request of a step with its response.
    fn exchange(&self, step: u64, exchange: HttpExchange);
    /// Adds a violation of the specification found in a step.
    fn add_finding(&self, step: u64, finding: Finding);
    /// Ends a step; `state` is not [`StepState::Running`].
    fn end(&self, step: u64, state: StepState, sentence: &str);
}

/// A running step. Dropping it reports it as cancelled.
pub(crate) struct Step {
    trace: Arc<dyn Trace>,
    number: u64,
    over: bool,
}

impl Step {
    pub(crate) fn begin(
        trace: &Arc<dyn Trace>,
        code: &'static str,
        title: &str,
        spec: impl Into<Option<Spec>>,
    ) -> Self {
        Self {
            number: trace.begin(code, title, spec.into()),
            trace: Arc::clone(trace),
            over: false,
        }
    }

    pub(crate) fn exchange(&self, exchange: HttpExchange) {
        self.trace.exchange(self.number, exchange);
    }

    pub(crate) fn add_finding(&self, finding: Finding) {
        self.trace.add_finding(self.number, finding);
    }

    pub(crate) fn add_secret(&self, secret: &str) {
        self.trace.add_secret(secret);
    }

    pub(crate) fn done(self, sentence: impl AsRef<str>) {
        self.over(StepState::Done, sentence.as_ref());
    }

    pub(crate) fn warn(self, sentence: impl AsRef<str>) {
        self.over(StepState::Warning, sentence.as_ref());
    }

    pub(crate) fn fail(self, sentence: impl AsRef<str>) {
        self.over(StepState::Failed, sentence.as_ref());
    }

    /// Ends the step with its result: done or failed.
    pub(crate) fn settle<T>(
        self,
        result: Result<T, Problem>,
        sentence: impl FnOnce(&T) -> String,
    ) -> Result<T, Problem> {
        match &result {
            Ok(value) => self.done(sentence(value)),
            Err(problem) => self.fail(&problem.title),
        }
        result
    }

    fn over(mut self, state: StepState, sentence: &str) {
        self.over = true;
        self.trace.end(self.number, state, sentence);
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if !self.over {
            self.trace.end(self.number, StepState::Failed, "Cancelled.");
        }
    }
}

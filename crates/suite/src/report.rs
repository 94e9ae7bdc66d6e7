//! Results of judging: failures, and values still to be compared.

use serde_json::Value;

use crate::{
    listing::ChangeKind,
    problem::Span,
    value::{cut, show_both},
};

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Place of the expectation in the suite.
    pub span: Span,
    /// The judged part, for example `text` or `/lines/0`.
    pub path: String,
    /// The expectation, in short.
    pub expected: String,
    /// The value that was found, in short; empty where there is none to show.
    pub actual: String,
    /// One plain sentence.
    pub words: String,
    /// Snapshot that differs.
    pub snapshot: Option<String>,
    /// JSON Pointer within the snapshot's value, as `ignore` has it.
    pub pointer: Option<String>,
    /// Kind of the change of a list.
    pub change: Option<ChangeKind>,
}

impl Failure {
    /// A failure whose sentence is made of these; `actual` is empty where there is nothing to show.
    pub(crate) fn new(
        span: Span,
        path: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        let (expected, actual) = (expected.into(), actual.into());
        // The actual value may itself be a sentence.
        let words = match actual.trim_end_matches('.') {
            "" => format!("{path}: expected {expected}."),
            actual => format!("{path}: expected {expected}, found {actual}."),
        };
        Self {
            span,
            path: path.to_owned(),
            expected,
            actual,
            words,
            snapshot: None,
            pointer: None,
            change: None,
        }
    }

    /// Takes secrets out of its texts.
    pub(crate) fn hide(&mut self, hide: &dyn Fn(&str) -> String) {
        let Self {
            path,
            expected,
            actual,
            words,
            ..
        } = self;
        for text in [path, expected, actual, words] {
            *text = hide(text);
        }
        // Without its secret it would point elsewhere.
        self.pointer = self
            .pointer
            .take()
            .filter(|pointer| hide(pointer) == *pointer);
    }
}

/// A value to compare with a stored one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingSnapshot {
    pub(crate) span: Span,
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) value: Value,
}

/// A value to check against a JSON Schema of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingSchema {
    /// Place of the expectation.
    pub span: Span,
    /// The judged part.
    pub path: String,
    /// The schema as JSON text.
    pub schema: String,
    /// The value as JSON text.
    pub value: String,
}

/// Collects results.
pub(crate) struct Report<'a> {
    pub(crate) failures: Vec<Failure>,
    pub(crate) snapshots: Vec<PendingSnapshot>,
    pub(crate) schemas: Vec<PendingSchema>,
    /// Takes secrets out of a text.
    hide: &'a dyn Fn(&str) -> String,
}

impl<'a> Report<'a> {
    pub(crate) fn new(hide: &'a dyn Fn(&str) -> String) -> Self {
        Self {
            failures: Vec::new(),
            snapshots: Vec::new(),
            schemas: Vec::new(),
            hide,
        }
    }

    /// A text without secrets, cut. Half a secret would not be found any more.
    pub(crate) fn cut(&self, text: &str) -> String {
        cut(&(self.hide)(text))
    }

    /// A value as JSON text without secrets, cut.
    pub(crate) fn show(&self, value: &Value) -> String {
        self.cut(&value.to_string())
    }

    /// Two values that differ, each as JSON text without secrets: of long ones the part around the first difference.
    pub(crate) fn show_both(&self, one: &Value, other: &Value) -> (String, String) {
        let [one, other] = [one, other].map(|value| (self.hide)(&value.to_string()));
        show_both(&one, &other)
    }

    pub(crate) fn fail(
        &mut self,
        span: Span,
        path: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) {
        self.failures
            .push(Failure::new(span, path, expected, actual));
    }
}

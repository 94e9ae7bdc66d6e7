//! Validation of values against JSON Schemas.
//!
//! Validation never blocks the user, who may send an invalid value on purpose. A schema comes from a server and is not
//! trusted: nothing is fetched for it, and its size, patterns and references are limited. It is compiled and evaluated
//! in another process, which has limits of memory and time and is ended when it exceeds them.

mod references;
mod compiled;
mod sentence;
mod problem;
mod checker;
pub mod worker;
mod validator;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use validator::Validator;

/// A disagreement between a value and its schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ArgumentProblem {
    /// JSON pointer to the value.
    pub instance_path: String,
    /// JSON pointer to the rule.
    pub schema_path: String,
    /// The rule's keyword, for example `required`.
    pub keyword: String,
    /// One plain sentence.
    pub message: String,
    /// The missing member, for `required`.
    pub missing: Option<String>,
}

/// Limit of the problems that are reported of a value.
pub const MAX_PROBLEMS: usize = 100;

impl ArgumentProblem {
    /// True for a violated format, which is an annotation: the value still conforms (JSON Schema 2020-12).
    #[must_use]
    pub fn is_of_format(&self) -> bool {
        self.keyword == "format"
    }

    /// Formats the problem as text: its place, unless it is the whole value, and the message.
    #[must_use]
    pub fn words(&self) -> String {
        match self.instance_path.as_str() {
            "" => self.message.clone(),
            place => format!("{place}: {}", self.message),
        }
    }

    /// Returns its size in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let texts = [
            &self.instance_path,
            &self.schema_path,
            &self.keyword,
            &self.message,
        ];
        let texts = texts.into_iter().chain(&self.missing);
        size_of::<Self>() + texts.map(String::len).sum::<usize>()
    }
}

/// Reasons for which a value could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ValidateError {
    /// The schema cannot validate anything.
    #[error("{problem}")]
    Schema {
        /// The reason, as one plain sentence.
        problem: String,
        /// The schema is invalid in its dialect. Otherwise Sonde does not support it: a limit, an unknown dialect or
        /// pattern, a reference to another document.
        invalid: bool,
    },
    /// The value is not valid JSON; one plain sentence with the place.
    #[error("{0}")]
    NotJson(String),
    /// The value is too large or too deep to be checked, or a pattern takes too long to match it; one plain sentence.
    #[error("{0}")]
    TooLarge(String),
    /// The check took longer than the time limit.
    #[error("Checking against the schema took longer than 5 seconds and was stopped.")]
    TooLong,
    /// The worker process ended, nearly always because a check needed more memory than allowed.
    #[error("Checking against the schema needed more memory than a check may use and was stopped.")]
    TooMuchMemory,
    /// The worker process could not be started; the message of the system.
    #[error("Nothing can be checked against a schema: the process for it does not start ({0}).")]
    Unavailable(String),
}

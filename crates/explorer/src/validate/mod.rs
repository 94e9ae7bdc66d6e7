//! What a JSON Schema says about a value.
//!
//! Findings, never a wall: the user may send an invalid value on purpose. A schema comes from a
//! server and is not trusted: nothing is fetched for it, and size, depth and time are limited.

mod compiled;
mod problem;
mod sentence;
mod validator;

#[cfg(test)]
mod tests;

pub use validator::Validator;

/// Why a value could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValidateError {
    /// The schema cannot validate anything; one plain sentence.
    #[error("{0}")]
    Schema(String),
    /// The value is no JSON; one plain sentence with the place.
    #[error("{0}")]
    NotJson(String),
    /// The value is too large or too deep to be checked; one plain sentence.
    #[error("{0}")]
    TooLarge(String),
    /// A limit passed before the check was done.
    #[error("Validation against the schema took too long and was stopped.")]
    TooLong,
}

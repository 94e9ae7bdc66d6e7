//! Validation.
#![allow(clippy::unimplemented, missing_docs, unused)]
use crate::ipc::ArgumentProblem;
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValidateError {
    #[error("{0}")]
    Schema(String),
    #[error("{0}")]
    NotJson(String),
    #[error("checking took too long")]
    TooLong,
}
#[derive(Clone, Debug, Default)]
pub struct Validator;
impl Validator {
    pub fn new() -> Self { unimplemented!() }
    pub fn check_schema(&self, schema: &str) -> Option<String> { unimplemented!() }
    pub async fn problems(&self, schema: String, instance: String) -> Result<Vec<ArgumentProblem>, ValidateError> { unimplemented!() }
}

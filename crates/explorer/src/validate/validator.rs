//! Checks values, and keeps compiled schemas.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::ValidateError;
use super::compiled::compile;
use super::problem::{LIMIT, collect};
use crate::document::json_problem;
use crate::ipc::ArgumentProblem;

/// Compiled schemas that are kept.
const KEPT: usize = 32;
/// Larger values are not checked: as values they take many times their size.
const INSTANCE_BYTES: usize = 8 << 20;
/// A check that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(5);
/// Checks at the same time, given-up ones that still run included.
const AT_ONCE: usize = 4;

/// A schema's text and what became of it; most recently used first.
type Cache = VecDeque<(Arc<str>, Compiled)>;
type Compiled = Result<Arc<jsonschema::Validator>, String>;

/// Checks arguments and structured results against the schemas of tools. Clones share their cache.
#[derive(Clone)]
pub struct Validator {
    cache: Arc<Mutex<Cache>>,
    permits: Arc<Semaphore>,
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").finish_non_exhaustive()
    }
}

impl Default for Validator {
    fn default() -> Self {
        Self::new()
    }
}

impl Validator {
    /// With an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self {
            cache: Arc::default(),
            permits: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Why a schema (JSON text) cannot validate anything, as one plain sentence: it is no JSON, no
    /// object, of an unknown dialect or not valid in its dialect. Blocks, usually below a
    /// millisecond.
    #[must_use]
    pub fn check_schema(&self, schema: &str) -> Option<String> {
        self.compiled(schema).err()
    }

    /// What a schema says about a value, both as JSON text; at most 100 problems. Without
    /// `$schema` it is read as 2020-12.
    ///
    /// # Errors
    /// When the schema is not valid, the value is no JSON, or a limit passed.
    pub async fn problems(
        &self,
        schema: String,
        instance: String,
    ) -> Result<Vec<ArgumentProblem>, ValidateError> {
        let this = self.clone();
        let check = async {
            let permit = self.permits.clone().acquire_owned().await.ok();
            tokio::task::spawn_blocking(move || {
                let problems = this.check(&schema, &instance);
                // Held until the work is done, also when nobody waits for it any more.
                drop(permit);
                problems
            })
            .await
        };
        match tokio::time::timeout(PATIENCE, check).await {
            Ok(Ok(problems)) => problems,
            Ok(Err(error)) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(ValidateError::TooLong),
            },
            Err(_) => Err(ValidateError::TooLong),
        }
    }

    fn check(&self, schema: &str, instance: &str) -> Result<Vec<ArgumentProblem>, ValidateError> {
        if let Some(problem) = json_problem(instance) {
            return Err(ValidateError::NotJson(problem));
        }
        if instance.len() > INSTANCE_BYTES {
            return Err(ValidateError::TooLarge(format!(
                "This value has {} bytes; more than {INSTANCE_BYTES} are not checked against the schema.",
                instance.len()
            )));
        }
        let instance: Value = serde_json::from_str(instance).map_err(|_| {
            ValidateError::TooLarge(
                "This value is nested too deeply, or contains a lone surrogate, and is not \
                 checked against the schema."
                    .to_owned(),
            )
        })?;
        let validator = self.compiled(schema).map_err(ValidateError::Schema)?;
        let mut problems = Vec::new();
        for error in validator.iter_errors(&instance) {
            collect(&error, &mut problems);
            if problems.len() >= LIMIT {
                break;
            }
        }
        Ok(problems)
    }

    fn compiled(&self, schema: &str) -> Compiled {
        let known = {
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            cache
                .iter()
                .position(|(text, _)| **text == *schema)
                .and_then(|place| cache.remove(place))
        };
        // Compiled without the lock: two may do the same work, none waits for the other.
        let (text, compiled) =
            known.unwrap_or_else(|| (schema.into(), compile(schema).map(Arc::new)));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.push_front((text, compiled.clone()));
        cache.truncate(KEPT);
        compiled
    }
}

//! Checks of values, with a cache of compiled schemas.

use std::collections::VecDeque;

use serde_json::Value;
use sonde_record::document::json_problem;

use super::{
    ArgumentProblem, MAX_PROBLEMS, ValidateError,
    compiled::{Unusable, compile},
    problem::{collect, is_undecided},
};

/// Limit of the compiled schemas that are kept.
const KEPT: usize = 16;
/// Limit of checked values, in bytes: in memory they take many times their size.
const INSTANCE_BYTES: usize = 8 << 20;

/// Checks one value after the other. Blocks as long as the schema takes.
#[derive(Default)]
pub(super) struct Checker {
    /// Text of a schema and its compiled form or fault; most recently used first.
    compiled: VecDeque<(String, Result<jsonschema::Validator, Unusable>)>,
}

impl Checker {
    /// Checks a value against a schema, both as JSON text; returns at most 100 problems. Without a value,
    /// checks only if the schema can validate anything.
    pub(super) fn check(
        &mut self,
        schema: String,
        instance: Option<&str>,
    ) -> Result<Vec<ArgumentProblem>, ValidateError> {
        let instance = instance.map(parse).transpose()?;
        let validator = self.compiled(schema)?;
        let mut problems = Vec::new();
        let Some(instance) = instance else {
            return Ok(problems);
        };
        let mut undecided = 0;
        for error in validator.iter_errors(&instance) {
            match is_undecided(&error) {
                true => undecided += 1,
                false => collect(&error, &mut problems),
            }
            if problems.len() + undecided >= MAX_PROBLEMS {
                break;
            }
        }
        if problems.is_empty() && undecided > 0 {
            return Err(ValidateError::TooLarge(
                "This value is not checked against the schema: matching a pattern takes too long."
                    .to_owned(),
            ));
        }
        Ok(problems)
    }

    fn compiled(&mut self, schema: String) -> Result<&jsonschema::Validator, ValidateError> {
        let known = self.compiled.iter().position(|(text, _)| *text == schema);
        let entry = known
            .and_then(|place| self.compiled.remove(place))
            .unwrap_or_else(|| {
                let compiled = compile(&schema);
                (schema, compiled)
            });
        self.compiled.truncate(KEPT - 1);
        self.compiled.push_front(entry);
        match &self.compiled[0].1 {
            Ok(validator) => Ok(validator),
            Err(Unusable { problem, invalid }) => Err(ValidateError::Schema {
                problem: problem.clone(),
                invalid: *invalid,
            }),
        }
    }
}

fn parse(instance: &str) -> Result<Value, ValidateError> {
    if let Some(problem) = json_problem(instance) {
        return Err(ValidateError::NotJson(problem));
    }
    if instance.len() > INSTANCE_BYTES {
        return Err(ValidateError::TooLarge(format!(
            "This value has {} bytes; more than {INSTANCE_BYTES} are not checked against the schema.",
            instance.len()
        )));
    }
    serde_json::from_str(instance).map_err(|_| {
        ValidateError::TooLarge(
            "This value is nested too deeply, or contains a lone surrogate, and is not checked \
             against the schema."
                .to_owned(),
        )
    })
}

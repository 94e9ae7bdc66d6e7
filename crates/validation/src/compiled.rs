//! Schemas, compiled.

use std::collections::HashSet;

use jsonschema::{Draft, PatternOptions, error::ValidationErrorKind as Kind};
use serde_json::Value;
use sonde_record::{document::json_problem, text::visible};

use super::{
    problem::schema_sentence,
    references::{circle, expansions, objects},
    sentence::missing_target,
};

/// Limit of a schema, in bytes. Larger schemas are not compiled.
const SCHEMA_BYTES: usize = 2 << 20;
/// Limit of backtracking steps of a match: a pattern can be written to run for ever.
const BACKTRACKS: usize = 200_000;
/// Limit of one compiled pattern, in bytes.
const PATTERN_BYTES: usize = 4 << 20;
/// Limit of all compiled patterns of a schema, in bytes: each gets an equal share.
const PATTERNS_BYTES: usize = 64 << 20;
/// Limit of different patterns of one schema.
const PATTERNS: usize = 1_000;
/// Limit of the schemas that references apply to the same value. Two alternatives that each refer to two others,
/// repeated twenty times, are a million.
const EXPANSIONS: u64 = 10_000;

/// A schema that cannot validate anything.
#[derive(Debug)]
pub(super) struct Unusable {
    /// The reason, as one plain sentence.
    pub(super) problem: String,
    /// The schema is invalid in its dialect, not only unsupported.
    pub(super) invalid: bool,
}

impl From<String> for Unusable {
    /// Creates the error of an exceeded limit.
    fn from(problem: String) -> Self {
        Self {
            problem,
            invalid: false,
        }
    }
}

fn invalid(problem: String) -> Unusable {
    Unusable {
        problem,
        invalid: true,
    }
}

/// Compiles a schema, or returns the reason why it cannot validate anything.
pub(super) fn compile(text: &str) -> Result<jsonschema::Validator, Unusable> {
    if text.len() > SCHEMA_BYTES {
        let problem = format!(
            "The schema has {} bytes; more than {SCHEMA_BYTES} are not checked.",
            text.len()
        );
        return Err(problem.into());
    }
    if let Some(problem) = json_problem(text) {
        return Err(format!("The schema cannot be read. {problem}").into());
    }
    let schema: Value = serde_json::from_str(text).map_err(|_| {
        Unusable::from(
            "The schema cannot be read: it is nested too deeply or contains a lone surrogate."
                .to_owned(),
        )
    })?;
    let Some(members) = schema.as_object() else {
        return Err(invalid("The schema is not a JSON object.".to_owned()));
    };
    let draft = match members.get("$schema") {
        // The default of the protocol (revision 2025-11-25, "JSON Schema usage").
        None => Draft::Draft202012,
        Some(Value::String(uri)) => match Draft::from_schema_uri(uri) {
            Draft::Unknown => {
                let problem = format!("The schema uses an unknown dialect: {}.", visible(uri));
                return Err(problem.into());
            }
            known => known,
        },
        Some(_) => {
            return Err(invalid("The schema's $schema is not a string.".to_owned()));
        }
    };
    if let Some(circle) = circle(&schema) {
        return Err(invalid(format!(
            "The schema contains an endless reference loop through {}.",
            visible(&circle)
        )));
    }
    if expansions(&schema) > EXPANSIONS {
        let problem = format!(
            "The schema's references multiply: one value would be checked against more than \
             {EXPANSIONS} schemas."
        );
        return Err(problem.into());
    }
    let patterns = patterns(&schema);
    if patterns > PATTERNS {
        let problem = format!(
            "The schema has {patterns} different patterns; more than {PATTERNS} are not checked."
        );
        return Err(problem.into());
    }
    let bytes = PATTERN_BYTES.min(PATTERNS_BYTES / patterns.max(1));
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(BACKTRACKS)
                .size_limit(bytes)
                .dfa_size_limit(bytes),
        )
        .build(&schema)
        .map_err(|error| Unusable {
            problem: schema_sentence(&error, bytes),
            invalid: match error.kind() {
                // Nothing is fetched, so the content of another document is unknown.
                Kind::Referencing(error) => missing_target(error).is_some(),
                // A pattern may need more than its share of memory, or be valid only in other regex dialects.
                Kind::Format { format } => format != "regex",
                _ => true,
            },
        })
}

/// Counts the different patterns of a schema, and members that only look like patterns.
fn patterns(schema: &Value) -> usize {
    let mut found: HashSet<&str> = HashSet::new();
    for value in objects(schema) {
        found.extend(value.get("pattern").and_then(Value::as_str));
        let keys = value.get("patternProperties").and_then(Value::as_object);
        let keys = keys.into_iter().flat_map(|keys| keys.keys());
        found.extend(keys.map(String::as_str));
    }
    found.len()
}

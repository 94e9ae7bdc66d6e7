//! Schemas, compiled.

use jsonschema::{Draft, PatternOptions};
use serde_json::Value;

use super::problem::schema_sentence;
use crate::{document::json_problem, text::visible};

/// Larger schemas are not compiled.
const SCHEMA_BYTES: usize = 2 << 20;
/// Steps back that one match of a pattern may take: a pattern can be made to take for ever.
const BACKTRACKS: usize = 200_000;
/// Bytes of one compiled pattern.
const PATTERN_BYTES: usize = 4 << 20;

/// Compiles a schema, or says in one plain sentence why it cannot validate anything.
pub(super) fn compile(text: &str) -> Result<jsonschema::Validator, String> {
    if text.len() > SCHEMA_BYTES {
        return Err(format!(
            "The schema has {} bytes; more than {SCHEMA_BYTES} are not checked.",
            text.len()
        ));
    }
    if let Some(problem) = json_problem(text) {
        return Err(format!("The schema cannot be read. {problem}"));
    }
    let schema: Value = serde_json::from_str(text).map_err(|_| {
        "The schema cannot be read: it is nested too deeply or contains a lone surrogate."
            .to_owned()
    })?;
    let Some(members) = schema.as_object() else {
        return Err("The schema is not a JSON object.".to_owned());
    };
    let draft = match members.get("$schema") {
        // The default of the protocol (revision 2025-11-25, "JSON Schema usage").
        None => Draft::Draft202012,
        Some(Value::String(uri)) => match Draft::from_schema_uri(uri) {
            Draft::Unknown => {
                return Err(format!(
                    "The schema uses an unknown dialect: {}.",
                    visible(uri)
                ));
            }
            known => known,
        },
        Some(_) => return Err("The schema's $schema is not a string.".to_owned()),
    };
    if let Some(circle) = circle(&schema) {
        return Err(format!(
            "The schema contains an endless reference loop through {}.",
            visible(&circle)
        ));
    }
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(BACKTRACKS)
                .size_limit(PATTERN_BYTES)
                .dfa_size_limit(PATTERN_BYTES),
        )
        .build(&schema)
        .map_err(|error| schema_sentence(&error))
}

/// A reference that leads back to itself without stepping into the value: following it would
/// never end.
fn circle(schema: &Value) -> Option<String> {
    // Only schemas at places that references name can be part of a circle.
    let mut targets = Vec::new();
    let mut rest = vec![schema];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(members) => {
                if let Some(target) = reference(value)
                    && !targets.contains(&target)
                    && targets.len() < 1000
                {
                    targets.push(target);
                }
                rest.extend(members.values());
            }
            Value::Array(items) => rest.extend(items),
            _ => {}
        }
    }
    targets
        .iter()
        .find(|target| leads_back(schema, target))
        .map(|target| (*target).to_owned())
}

fn leads_back(schema: &Value, target: &str) -> bool {
    let mut seen = vec![target];
    let mut next = 0;
    while let Some(at) = seen.get(next).copied() {
        next += 1;
        let Some(value) = at
            .strip_prefix('#')
            .and_then(|pointer| schema.pointer(pointer))
        else {
            continue;
        };
        for reached in same_value(value) {
            if reached == target {
                return true;
            }
            if !seen.contains(&reached) && seen.len() < 1000 {
                seen.push(reached);
            }
        }
    }
    false
}

/// References that a schema applies to the same value that it is applied to itself.
fn same_value(schema: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = vec![schema];
    while let Some(schema) = rest.pop() {
        found.extend(reference(schema));
        for list in ["allOf", "anyOf", "oneOf"] {
            rest.extend(
                schema
                    .get(list)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten(),
            );
        }
        for one in ["not", "if", "then", "else"] {
            rest.extend(schema.get(one));
        }
        rest.extend(
            schema
                .get("dependentSchemas")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|members| members.values()),
        );
    }
    found
}

fn reference(schema: &Value) -> Option<&str> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .find_map(|name| schema.get(name)?.as_str())
}

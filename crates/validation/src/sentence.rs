//! A plain sentence for each rule of JSON Schema, to be read after the name of a field.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ReferencingError, ValidationError};
use serde_json::Value;

use sonde_record::text::{preview, visible};

/// Limit of listed options; the others are counted.
const OPTIONS: usize = 12;
/// Limit of the characters of a value within a sentence.
const VALUE: usize = 60;

/// Returns the fault, without the name of its subject and without a full stop.
pub(super) fn sentence(error: &ValidationError<'_>) -> String {
    let instance = error.instance();
    match error.kind() {
        Kind::Type { kind } => format!(
            "must be {}, not {}",
            joined(&types(kind), "or"),
            describe(instance)
        ),
        Kind::Required { property } => format!("{} is missing", value(property)),
        Kind::Enum { options } => match options.as_array() {
            Some(options) => {
                let names: Vec<String> = options.iter().map(value).collect();
                format!("is not one of: {}", list_names(&names))
            }
            None => "is not one of the allowed values".to_owned(),
        },
        Kind::Constant { expected_value } => format!("must be {}", value(expected_value)),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit: 1 } => "must not be empty".to_owned(),
        Kind::MinLength { limit } => {
            format!(
                "must have at least {limit} characters{}",
                length_of(instance)
            )
        }
        Kind::MaxLength { limit } => {
            format!(
                "must have at most {}{}",
                count(*limit, "character"),
                length_of(instance)
            )
        }
        Kind::MinItems { limit } => {
            format!(
                "must have at least {}{}",
                count(*limit, "item"),
                length_of(instance)
            )
        }
        Kind::MaxItems { limit } => {
            format!(
                "must have at most {}{}",
                count(*limit, "item"),
                length_of(instance)
            )
        }
        Kind::AdditionalItems { limit } => {
            format!(
                "must have at most {}{}",
                count(*limit as u64, "item"),
                length_of(instance)
            )
        }
        Kind::MinProperties { limit } => {
            format!(
                "must have at least {}{}",
                count(*limit, "member"),
                length_of(instance)
            )
        }
        Kind::MaxProperties { limit } => {
            format!(
                "must have at most {}{}",
                count(*limit, "member"),
                length_of(instance)
            )
        }
        Kind::Pattern { pattern } => {
            format!("does not match the pattern {}", preview(pattern, 2 * VALUE))
        }
        Kind::Format { format } => format!("is not {}", format_name(format)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names: Vec<String> = unexpected.iter().map(|name| quoted(name)).collect();
            format!("must not have {}", list_names(&names))
        }
        Kind::UnevaluatedItems { unexpected } => {
            let names: Vec<String> = unexpected.iter().map(|item| preview(item, VALUE)).collect();
            format!("has items that are not allowed: {}", list_names(&names))
        }
        Kind::UniqueItems => "must not contain duplicate items".to_owned(),
        Kind::Contains => "does not contain the items that the schema requires".to_owned(),
        Kind::PropertyNames { error } => format!(
            "has a member whose name is not allowed: {} {}",
            value(error.instance()),
            sentence(error)
        ),
        // Reported for an object that may have no members at all.
        Kind::FalseSchema if false_keyword(error) == "additionalProperties" => {
            "must not have any members".to_owned()
        }
        Kind::FalseSchema => "is not allowed here".to_owned(),
        Kind::Not { .. } => "is not allowed by the schema (not)".to_owned(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            "matches none of the allowed alternatives".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => {
            "matches more than one of the allowed alternatives; exactly one must match".to_owned()
        }
        Kind::ContentEncoding { content_encoding } => {
            format!("is not encoded as {}", visible(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("is not valid {}", visible(content_media_type))
        }
        Kind::FromUtf8 { .. } => "does not contain text".to_owned(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "could not be checked: matching the pattern takes too long".to_owned()
        }
        Kind::Referencing(error) => match missing_target(error) {
            Some(target) => format!("refers to {}, which does not exist", quoted(target)),
            None => format!(
                "refers to something outside itself, and Sonde does not fetch it ({})",
                preview(&error.to_string(), 3 * VALUE)
            ),
        },
        Kind::Custom { message, .. } => visible(message),
    }
}

/// Returns the target of a reference that a known document lacks; `None` for a reference to an unknown document.
pub(super) fn missing_target(error: &ReferencingError) -> Option<&str> {
    match error {
        ReferencingError::PointerToNowhere { pointer }
        | ReferencingError::InvalidPercentEncoding { pointer, .. }
        | ReferencingError::InvalidArrayIndex { pointer, .. } => Some(pointer),
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            Some(anchor)
        }
        _ => None,
    }
}

/// Returns the keyword that has the schema `false`.
pub(super) fn false_keyword(error: &ValidationError<'_>) -> &'static str {
    let path = error.schema_path().as_str();
    let last = path.rsplit('/').next().unwrap_or_default();
    [
        "additionalProperties",
        "unevaluatedProperties",
        "additionalItems",
        "unevaluatedItems",
        "items",
    ]
    .into_iter()
    .find(|keyword| *keyword == last)
    .unwrap_or("false")
}

/// Describes the type or value of an instance, where another type was expected.
fn describe(instance: &Value) -> String {
    match instance {
        Value::String(_) => type_name(JsonType::String).to_owned(),
        Value::Array(_) => type_name(JsonType::Array).to_owned(),
        Value::Object(_) => type_name(JsonType::Object).to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value(instance),
    }
}

/// Returns the names of the allowed types, with articles.
pub(super) fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(one) => vec![type_name(*one).to_owned()],
        TypeKind::Multiple(set) => set.iter().map(|one| type_name(one).to_owned()).collect(),
    }
}

fn type_name(one: JsonType) -> &'static str {
    match one {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn format_name(format: &str) -> String {
    match format {
        "date-time" => "a date and time such as 2026-01-31T12:00:00Z".to_owned(),
        "date" => "a date such as 2026-01-31".to_owned(),
        "time" => "a time such as 12:00:00Z".to_owned(),
        "duration" => "a duration such as P1DT2H".to_owned(),
        "email" | "idn-email" => "an email address".to_owned(),
        "hostname" | "idn-hostname" => "a host name".to_owned(),
        "ipv4" => "an IPv4 address".to_owned(),
        "ipv6" => "an IPv6 address".to_owned(),
        "uri" | "iri" => "a URI such as https://example.com/path".to_owned(),
        "uri-reference" | "iri-reference" => "a URI or a relative reference".to_owned(),
        "uri-template" => "a URI template".to_owned(),
        "uuid" => "a UUID".to_owned(),
        "regex" => "a regular expression".to_owned(),
        "json-pointer" => "a JSON pointer such as /a/0".to_owned(),
        "relative-json-pointer" => "a relative JSON pointer".to_owned(),
        other => format!("of the format {}", preview(other, VALUE)),
    }
}

/// Formats a value within a sentence: a text in quotes, anything else as JSON.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => preview(&other.to_string(), VALUE),
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", preview_whole(text))
}

/// Formats a preview that keeps spaces at the ends.
fn preview_whole(text: &str) -> String {
    match text.char_indices().nth(VALUE) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text),
    }
}

fn list_names(names: &[String]) -> String {
    let shown = names.iter().take(OPTIONS).cloned().collect::<Vec<_>>();
    let rest = names.len() - shown.len();
    if rest == 0 {
        shown.join(", ")
    } else {
        format!("{}, and {rest} more", shown.join(", "))
    }
}

/// Joins names: `a, b or c`.
pub(super) fn joined(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= OPTIONS => {
            format!("{} {word} {last}", first.join(", "))
        }
        _ => list_names(names),
    }
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// Returns the length of a text, array or object as the end of a sentence; empty for other values.
fn length_of(instance: &Value) -> String {
    let number = match instance {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => return String::new(),
    };
    format!(", has {number}")
}

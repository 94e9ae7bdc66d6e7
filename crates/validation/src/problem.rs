//! Conversion of the schema library's errors to problems for the user.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::sentence::{false_keyword, joined, missing_target, sentence, types};
use crate::{ArgumentProblem, MAX_PROBLEMS};

/// Limit of nested alternatives that are examined.
const DEPTH: usize = 8;
/// Limit of each text of a problem, in characters.
const PROBLEM_TEXT: usize = 1_000;

/// Returns true if an error proves nothing, since a pattern took too long to match. The library reports such an error of
/// a schema only if no other keyword fails.
pub(super) fn is_undecided(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => true,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().flatten().any(is_undecided)
        }
        Kind::PropertyNames { error } => is_undecided(error),
        _ => false,
    }
}

/// Appends the problems of an error; for alternatives, the problems of the intended alternative.
pub(super) fn collect(error: &ValidationError<'_>, out: &mut Vec<ArgumentProblem>) {
    collect_at(error, out, 0);
}

fn collect_at(error: &ValidationError<'_>, out: &mut Vec<ArgumentProblem>, depth: usize) {
    if out.len() >= MAX_PROBLEMS {
        return;
    }
    let (Kind::AnyOf { context } | Kind::OneOfNotValid { context }) = error.kind() else {
        out.push(problem(error, sentence(error)));
        return;
    };
    let mut branches: Vec<(Fit, &Vec<ValidationError<'static>>)> = context
        .iter()
        .filter(|branch| !branch.is_empty())
        .map(|branch| (fit(error, branch), branch))
        .collect();
    branches.sort_by_key(|(fit, _)| *fit);
    let meant = branches.iter().filter(|(fit, _)| fit.is_meant()).count();
    let forms = context.len();
    match branches.first() {
        // Only one alternative accepts a value of this type, so it is the intended one.
        Some((fit, branch)) if meant == 1 && fit.is_meant() && depth < DEPTH => {
            for inner in *branch {
                collect_at(inner, out, depth + 1);
            }
        }
        Some((fit, branch)) if meant > 1 && depth < DEPTH => {
            out.push(problem(
                error,
                format!("matches none of the {forms} allowed alternatives"),
            ));
            // Give details only if one alternative is clearly closer than the others.
            if branches.get(1).is_none_or(|(second, _)| fit < second) {
                for inner in *branch {
                    collect_at(inner, out, depth + 1);
                }
            }
        }
        _ => out.push(problem(error, no_form(error, context))),
    }
}

/// Fit of a value to an alternative; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The value has another type.
    wrong_type: bool,
    /// A member shows that another alternative is intended: `{"kind": "circle"}` against `"square"`.
    other_constant: bool,
    errors: usize,
}

impl Fit {
    fn is_meant(self) -> bool {
        !self.wrong_type && !self.other_constant
    }
}

fn fit(whole: &ValidationError<'_>, branch: &[ValidationError<'static>]) -> Fit {
    let level = |error: &ValidationError<'_>| {
        let path =
            |error: &ValidationError<'_>| error.instance_path().as_str().matches('/').count();
        path(error).saturating_sub(path(whole))
    };
    Fit {
        wrong_type: branch.iter().any(|error| {
            level(error) == 0
                && matches!(
                    error.kind(),
                    Kind::Type { .. }
                        | Kind::Constant { .. }
                        | Kind::Enum { .. }
                        | Kind::FalseSchema
                )
        }),
        other_constant: branch.iter().any(|error| {
            level(error) == 1 && matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. })
        }),
        errors: branch.len(),
    }
}

/// Describes a value that has none of the allowed types, or equals none of the constants.
fn no_form(error: &ValidationError<'_>, context: &[Vec<ValidationError<'static>>]) -> String {
    let first = |branch: &Vec<ValidationError<'static>>| {
        branch
            .iter()
            .find(|inner| inner.instance_path() == error.instance_path())
            .and_then(|inner| match inner.kind() {
                Kind::Type { kind } => Some(types(kind)),
                Kind::Constant { expected_value } => {
                    Some(vec![super::sentence::value(expected_value)])
                }
                Kind::Enum { options } => options
                    .as_array()
                    .map(|options| options.iter().map(super::sentence::value).collect()),
                _ => None,
            })
    };
    let mut allowed: Vec<String> = Vec::new();
    for branch in context {
        match first(branch) {
            Some(names) => allowed.extend(names),
            None => {
                return format!("matches none of the {} allowed alternatives", context.len());
            }
        }
    }
    allowed.dedup();
    match allowed.as_slice() {
        [] => "matches none of the allowed alternatives".to_owned(),
        _ => format!("must be {}", joined(&allowed, "or")),
    }
}

fn problem(error: &ValidationError<'_>, message: String) -> ArgumentProblem {
    let missing = match error.kind() {
        Kind::Required {
            property: Value::String(name),
        } => Some(cut(name)),
        _ => None,
    };
    ArgumentProblem {
        instance_path: cut(error.instance_path().as_str()),
        schema_path: cut(error.schema_path().as_str()),
        keyword: match error.kind() {
            Kind::FalseSchema => false_keyword(error),
            kind => kind.keyword(),
        }
        .to_owned(),
        message: cut(&message),
        missing,
    }
}

fn cut(text: &str) -> String {
    sonde_record::text::cut(text, PROBLEM_TEXT)
}

/// Describes why a schema is invalid in its dialect. A compiled pattern may have `pattern_bytes`; the library does not
/// distinguish a pattern that needs more from an invalid pattern.
pub(super) fn schema_sentence(error: &ValidationError<'_>, pattern_bytes: usize) -> String {
    if let Kind::Referencing(reference) = error.kind()
        && missing_target(reference).is_none()
    {
        return format!("The schema cannot be used: it {}.", sentence(error));
    }
    let place = sonde_record::text::visible(error.instance_path().as_str());
    if matches!(error.kind(), Kind::Format { format } if format == "regex") {
        return format!(
            "The schema cannot be used: the pattern{}{place} is not a regular expression, or needs \
             more than its share of memory, which is {} KiB in this schema.",
            if place.is_empty() { "" } else { " at " },
            pattern_bytes >> 10,
        );
    }
    let mut inner = Vec::new();
    collect(error, &mut inner);
    let message = inner
        .first()
        .map_or_else(|| sentence(error), |problem| problem.message.clone());
    if place.is_empty() {
        format!("The schema is not valid: it {message}.")
    } else {
        format!("The schema is not valid: {place} {message}.")
    }
}

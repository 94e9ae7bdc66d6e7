//! Reading the members of an item one by one.

use serde_json::value::RawValue;

use super::item::ItemProblem;
use crate::members::string;

pub(super) fn problem(code: &'static str, message: impl Into<String>) -> ItemProblem {
    ItemProblem {
        code,
        message: message.into(),
    }
}

/// A member that occurs more than once.
pub(super) fn repeated(member: Option<&'static str>, problems: &mut Vec<ItemProblem>) {
    if let Some(member) = member {
        problems.push(problem(
            "repeated-member",
            format!("`{member}` occurs more than once; the last one is used."),
        ));
    }
}

/// A member that every item of its kind has. Empty when it is missing or no string.
pub(super) fn required(
    raw: Option<&RawValue>,
    member: &str,
    noun: &str,
    codes: [&'static str; 2],
    problems: &mut Vec<ItemProblem>,
) -> String {
    let [missing, bad] = codes;
    let Some(raw) = raw else {
        problems.push(problem(missing, format!("The {noun} has no `{member}`.")));
        return String::new();
    };
    let text = string(raw);
    if text.is_none() {
        problems.push(problem(bad, format!("`{member}` is not a string.")));
    }
    text.unwrap_or_default()
}

/// An optional member that is a string.
pub(super) fn text(
    raw: Option<&RawValue>,
    member: &str,
    problems: &mut Vec<ItemProblem>,
) -> Option<String> {
    let text = string(raw?);
    if text.is_none() {
        problems.push(problem("bad-type", format!("`{member}` is not a string.")));
    }
    text
}

/// An optional member that is true or false.
pub(super) fn flag(
    raw: Option<&RawValue>,
    member: &str,
    problems: &mut Vec<ItemProblem>,
) -> Option<bool> {
    match raw?.get() {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            problems.push(problem("bad-type", format!("`{member}` is not a boolean.")));
            None
        }
    }
}

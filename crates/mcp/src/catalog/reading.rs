//! Reading the members of an item one by one.

use serde_json::value::RawValue;

use sonde_findings::{Finding, Location, Rule, rules};

use crate::members::string;

/// A member that occurs more than once.
pub(super) fn repeated(member: Option<&'static str>, findings: &mut Vec<Finding>) {
    if let Some(member) = member {
        findings.push(
            Finding::new(&rules::REPEATED_MEMBER)
                .with("member", member)
                .in_member(member),
        );
    }
}

/// Rules about a name that is missing, and about one that is not a string.
pub(super) const NAME_RULES: [&Rule; 2] = [&rules::MISSING_NAME, &rules::BAD_NAME];

/// Reads a required string. Returns an empty one, with a finding, if the member is missing or not a string.
pub(super) fn required(
    raw: Option<&RawValue>,
    member: &str,
    noun: &str,
    broken: [&'static Rule; 2],
    findings: &mut Vec<Finding>,
) -> String {
    let [missing, bad] = broken;
    let Some(raw) = raw else {
        findings.push(Finding::new(missing).with("item", noun));
        return String::new();
    };
    let text = string(raw);
    if text.is_none() {
        findings.push(Finding::new(bad).in_member(member));
    }
    text.unwrap_or_default()
}

/// An optional member that is a string.
pub(super) fn text(
    raw: Option<&RawValue>,
    member: &str,
    findings: &mut Vec<Finding>,
) -> Option<String> {
    let text = string(raw?);
    if text.is_none() {
        findings.push(bad_type(member, "a string"));
    }
    text
}

/// Reads an optional boolean.
pub(super) fn flag(
    raw: Option<&RawValue>,
    member: &str,
    findings: &mut Vec<Finding>,
) -> Option<bool> {
    match raw?.get() {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            findings.push(bad_type(member, "a boolean"));
            None
        }
    }
}

/// Checks `_meta`, which items of all kinds may have. Its value is read again for the one item that is shown
/// ([`crate::extras`]).
pub(super) fn check_meta(meta: Option<&RawValue>, findings: &mut Vec<Finding>) {
    if meta.is_some_and(|raw| !raw.get().starts_with('{')) {
        findings.push(bad_type("_meta", "an object"));
    }
}

/// A member of another type than `expected`. `member` is a path with dots.
pub(super) fn bad_type(member: &str, expected: &str) -> Finding {
    Finding::new(&rules::BAD_TYPE)
        .with("member", member)
        .with("expected", expected)
        .at(Location::Pointer(format!("/{}", member.replace('.', "/"))))
}

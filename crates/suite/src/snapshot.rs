//! Snapshots: their stored form, and the differences between two.

use serde_json::Value;

use crate::{
    path::PointerPattern,
    predicate::Pattern,
    value::{json_within, pairs, pointer_token, same, show_both, show_or_nothing},
};

/// Limit of reported differences.
const DIFFERENCES: usize = 20;

/// A value that was compared with its snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Name in the suite.
    pub name: String,
    /// The present value, as it would be stored.
    pub text: String,
    /// Comparison with the stored one.
    pub state: SnapshotState,
}

/// Results of a comparison with a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotState {
    /// Nothing is stored.
    Missing,
    /// Equal, apart from ignored differences.
    Same,
    /// Another value is stored.
    Different,
    /// The present value was stored by this run.
    Stored,
}

/// A difference of two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) path: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// Removes ignored parts and replaces texts. `hide` removes secrets from a text.
pub(crate) fn prepared(
    value: &Value,
    ignore: &[PointerPattern],
    replace: &[(Pattern, String)],
    hide: &dyn Fn(&str) -> String,
) -> Value {
    let mut value = value.clone();
    ignore.iter().for_each(|pattern| pattern.remove(&mut value));
    let replace = |text: String| {
        replace.iter().fold(text, |text, (pattern, by)| {
            pattern.regex().replace_all(&text, by.as_str()).into_owned()
        })
    };
    change(&mut value, hide, &replace);
    value
}

/// Takes secrets out of texts, names and numbers, and then replaces parts of texts.
fn change(value: &mut Value, hide: &dyn Fn(&str) -> String, replace: &dyn Fn(String) -> String) {
    match value {
        Value::String(text) => *text = replace(hide(text)),
        Value::Number(number) => {
            let hidden = hide(number.as_str());
            if hidden != number.as_str() {
                *value = Value::String(replace(hidden));
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| change(item, hide, replace)),
        Value::Object(members) => {
            let named = std::mem::take(members).into_iter();
            *members = named.map(|(name, value)| (hide(&name), value)).collect();
            let values = members.values_mut();
            values.for_each(|value| change(value, hide, replace));
        }
        _ => {}
    }
}

/// Returns the file name of a snapshot: within the folder of snapshots, and different for each name.
pub(crate) fn file_name(stem: &str, name: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let mut file = format!("{stem}.");
    for c in name.chars() {
        match safe(c) {
            true => file.push(c),
            false => file.push_str(&format!("%{:X}", u32::from(c))),
        }
    }
    file + ".json"
}

/// The text of a file: pretty JSON with the server's order and digits.
pub(crate) fn file_text(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The first differences between two values.
pub(crate) fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    differ(before, after, "", &mut found);
    found
}

fn differ(before: &Value, after: &Value, path: &str, found: &mut Vec<Difference>) {
    let mut parts: Vec<(String, Option<&Value>, Option<&Value>)> = Vec::new();
    match (before, after) {
        _ if same(before, after) => {}
        (Value::String(old), Value::String(new))
            if let (Some(old), Some(new)) = (json_within(old), json_within(new))
                && !same(&old, &new) =>
        {
            differ(&old, &new, path, found);
        }
        (Value::Object(old), Value::Object(new)) => {
            let members = pairs(old, new);
            parts.extend(members.map(|(key, old, new)| (pointer_token(key), old, new)));
        }
        (Value::Array(old), Value::Array(new)) => {
            let indexes = 0..old.len().max(new.len());
            parts.extend(indexes.map(|at| (at.to_string(), old.get(at), new.get(at))));
        }
        _ => {
            let (before, after) = show_both(&before.to_string(), &after.to_string());
            let path = path.to_owned();
            found.push(Difference {
                path,
                before,
                after,
            });
        }
    }
    for (key, old, new) in parts {
        if found.len() == DIFFERENCES {
            return;
        }
        let path = format!("{path}/{key}");
        match (old, new) {
            (Some(old), Some(new)) => differ(old, new, &path, found),
            (old, new) => found.push(Difference {
                path,
                before: show_or_nothing(old),
                after: show_or_nothing(new),
            }),
        }
    }
}

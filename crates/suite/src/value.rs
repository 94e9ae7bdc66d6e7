//! JSON values in messages, and their equality.

use serde_json::{Map, Value};

use crate::number::Decimal;

/// Longest value in a message, in characters.
const SHOWN: usize = 200;

/// Characters in front of the first difference of two long values.
const SHOWN_BEFORE_DIFFERENCE: usize = 40;

/// The end of a value that was cut.
pub(crate) const CUT: char = '…';

/// Equality: numbers digit by digit, objects in any order.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_str(), other.as_str());
            one == other
                || Decimal::parse(one).is_some_and(|one| Some(one) == Decimal::parse(other))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// Returns the members of two objects by key, in the order of the first object.
pub(crate) fn pairs<'a>(
    old: &'a Map<String, Value>,
    new: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let known = old.iter();
    let known = known.map(|(key, value)| (key.as_str(), Some(value), new.get(key)));
    let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
    known.chain(added.map(|(key, value)| (key.as_str(), None, Some(value))))
}

/// The object or array that a text holds.
pub(crate) fn json_within(text: &str) -> Option<Value> {
    match text.trim_start().starts_with(['{', '[']) {
        true => serde_json::from_str(text).ok(),
        false => None,
    }
}

/// A key as a part of a JSON Pointer.
pub(crate) fn pointer_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A value as JSON text, cut.
pub(crate) fn show(value: &Value) -> String {
    cut(&value.to_string())
}

/// Two texts that differ: of long ones the part around the first difference.
pub(crate) fn show_both(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars());
    let same = same.take_while(|(one, other)| one == other).count();
    if same < SHOWN / 2 {
        return (cut(one), cut(other));
    }
    let from = |text: &str| {
        let start: String = text.chars().skip(same - SHOWN_BEFORE_DIFFERENCE).collect();
        format!("{CUT}{}", cut(&start))
    };
    (from(one), from(other))
}

/// A value as JSON text, cut, or that there is none.
pub(crate) fn show_or_nothing(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), show)
}

/// Cuts a text at the limit.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.to_owned(),
    }
}

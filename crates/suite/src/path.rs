//! JSON Pointers (RFC 6901), JSONPaths (RFC 9535) and pointers with `*`.

use std::fmt;

use serde_json::Value;
use serde_json_path::JsonPath;

use crate::value::json_within;

/// Path into a JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// A JSON Pointer: one node.
    Pointer(String),
    /// A JSONPath: a list of nodes.
    Query {
        /// As written.
        text: String,
        /// As read.
        query: JsonPath,
    },
}

impl Path {
    /// Reads a path: a JSON Pointer is empty or begins with `/`, a JSONPath with `$`.
    ///
    /// # Errors
    /// The fault, one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.starts_with('/') {
            return Ok(Self::Pointer(text.to_owned()));
        }
        if !text.starts_with('$') {
            return Err(format!(
                "`{text}` is not a path. Write a JSON Pointer such as /a/0, or a JSONPath such as $.a[0]."
            ));
        }
        let query = JsonPath::parse(text)
            .map_err(|error| format!("`{text}` is not a JSONPath: {}.", error.message()))?;
        if let Some(number) = inexact_number(text) {
            return Err(format!(
                "A filter of a JSONPath compares numbers as floats, and {number} is not exact there. Select the \
                 value with a JSON Pointer and compare it with `equals`."
            ));
        }
        let text = text.to_owned();
        Ok(Self::Query { text, query })
    }

    /// Returns the nodes that it selects.
    #[must_use]
    pub fn select<'a>(&self, json: &'a Value) -> Vec<&'a Value> {
        match self {
            Self::Pointer(pointer) => json.pointer(pointer).into_iter().collect(),
            Self::Query { query, .. } => query.query(json).all(),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer(text) | Self::Query { text, .. } => f.write_str(text),
        }
    }
}

/// The first number of a JSONPath that a float does not hold.
fn inexact_number(text: &str) -> Option<&str> {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.into_iter().find(|digits| {
        digits
            .parse::<u64>()
            .map_or(digits.len() > 19, |number| number > 1 << 53)
    })
}

/// A JSON Pointer in which `*` stands for any key or index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerPattern(Vec<String>);

impl PointerPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The fault, one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some(rest) = text.strip_prefix('/') else {
            return Err(format!(
                "`{text}` is not a JSON Pointer, which begins with `/`, for example /content/*/text."
            ));
        };
        let unescape = |token: &str| token.replace("~1", "/").replace("~0", "~");
        Ok(Self(rest.split('/').map(unescape).collect()))
    }

    /// Removes the values that the pattern selects. An item of a list becomes null, so that the others keep their indexes,
    /// and an item that would follow the last one is added as null. It also enters texts that contain JSON; these are
    /// written again without white space.
    pub fn remove(&self, json: &mut Value) {
        remove(json, &self.0);
    }
}

fn remove(json: &mut Value, tokens: &[String]) {
    let [token, rest @ ..] = tokens else { return };
    let is_any = token == "*";
    let index = token.parse::<usize>().ok();
    match json {
        Value::Object(members) if rest.is_empty() => {
            members.retain(|key, _| !is_any && key != token);
        }
        Value::Array(items) if rest.is_empty() && is_any => items.clear(),
        Value::Array(items) if rest.is_empty() => match index {
            Some(index) if index < items.len() => items[index] = Value::Null,
            // Only one of two lists may have the last item.
            Some(index) if index == items.len() => items.push(Value::Null),
            _ => {}
        },
        Value::Object(members) => {
            let chosen = members.iter_mut();
            let chosen = chosen.filter(|(key, _)| is_any || *key == token);
            chosen.for_each(|(_, value)| remove(value, rest));
        }
        Value::Array(items) => {
            let chosen = items.iter_mut().enumerate();
            let chosen = chosen.filter(|(place, _)| is_any || index == Some(*place));
            chosen.for_each(|(_, value)| remove(value, rest));
        }
        Value::String(text) => {
            if let Some(mut within) = json_within(text) {
                remove(&mut within, tokens);
                *text = within.to_string();
            }
        }
        _ => {}
    }
}

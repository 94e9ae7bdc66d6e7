//! Values as YAML text, as a person would write them.

use serde_json::{Map, Value};

use crate::node::quoted;

/// Longest value that is written on one line, in characters.
const LINE: usize = 100;
/// Words that YAML, or a reader of YAML 1.1, takes for something other than a text.
const WORDS: [&str; 12] = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "none",
];

/// A value on one line.
#[must_use]
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members.iter();
            let members: Vec<_> = members
                .map(|(key, value)| inline_entry(key, value))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// A key with its value on one line.
#[must_use]
pub(crate) fn inline_entry(key: &str, value: &Value) -> String {
    format!("{}: {}", scalar(key), inline(value))
}

/// The entries of a mapping, one a line, each indented so far. No line break ends it.
#[must_use]
pub(crate) fn block(members: &Map<String, Value>, indent: usize) -> String {
    let lines = members.iter().map(|(key, value)| entry(key, value, indent));
    lines
        .collect::<Vec<_>>()
        .join(&format!("\n{}", " ".repeat(indent)))
}

/// A key with its value. Its first line is not indented.
#[must_use]
pub(crate) fn entry(key: &str, value: &Value, indent: usize) -> String {
    let deeper = indent + 2;
    let line_break = format!("\n{}", " ".repeat(deeper));
    let on_one_line = inline_entry(key, value);
    match value {
        Value::String(text) if is_literal(text) => {
            // `|-` has no line break at its end, `|` has one.
            let (mark, text) = match text.strip_suffix('\n') {
                Some(text) => ("|", text),
                None => ("|-", text.as_str()),
            };
            let lines = text.split('\n');
            let lines = lines.map(|line| match line {
                "" => "\n".to_owned(),
                line => format!("{line_break}{line}"),
            });
            format!("{}: {mark}{}", scalar(key), lines.collect::<String>())
        }
        Value::Object(members) if !members.is_empty() && on_one_line.len() + indent > LINE / 2 => {
            format!("{}:{line_break}{}", scalar(key), block(members, deeper))
        }
        Value::Array(items) if on_one_line.len() + indent > LINE => {
            let items = items.iter().map(|item| match item {
                Value::Object(members) if !members.is_empty() => {
                    format!("{line_break}- {}", block(members, deeper + 2))
                }
                item => format!("{line_break}- {}", inline(item)),
            });
            format!("{}:{}", scalar(key), items.collect::<String>())
        }
        _ => on_one_line,
    }
}

/// True for a multi-line text that a literal block can represent.
fn is_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && !body.starts_with([' ', '\n'])
        && !body.ends_with('\n')
        && text.chars().all(|c| {
            c == '\n' || (c >= ' ' && c != '\u{7f}' && !('\u{80}'..='\u{9f}').contains(&c))
        })
        && !text.contains(['\u{2028}', '\u{2029}', '\u{feff}', '\u{85}'])
}

/// Formats a text, without quotes where possible.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./ ".contains(c);
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_')
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    // JSON leaves these as they are; YAML does not print them.
    let mut escaped = String::new();
    for c in quoted(text).chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

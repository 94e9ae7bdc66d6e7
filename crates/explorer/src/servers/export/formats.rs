//! File formats of clients: TOML, YAML, and the names in them.

use serde_json::Value;

/// Converts a name to letters, digits, `-` and `_`.
pub(super) fn slug(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let name: String = name.chars().map(letter).collect();
    let name = name.trim_matches('-');
    if name.is_empty() {
        "server".to_owned()
    } else {
        name.to_owned()
    }
}

/// Converts a value to TOML. TOML has no `null`, so `null` is omitted. Numbers keep their digits if they fit an `i64`
/// or an `f64`.
pub(super) fn toml_of(value: &Value) -> Option<toml::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => toml::Value::Array(list.iter().filter_map(toml_of).collect()),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.filter_map(|(name, one)| Some((name.clone(), toml_of(one)?)));
            toml::Value::Table(members.collect())
        }
    })
}

/// Writes objects as blocks, and everything in them as JSON, which YAML contains.
pub(super) fn yaml(value: &Value, depth: usize, text: &mut String) {
    let Value::Object(members) = value else {
        return;
    };
    for (name, member) in members {
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let name = if plain {
            name.clone()
        } else {
            Value::from(name.as_str()).to_string()
        };
        text.push_str(&"  ".repeat(depth));
        text.push_str(&name);
        match member {
            Value::Object(inner) if !inner.is_empty() => {
                text.push_str(":\n");
                yaml(member, depth + 1, text);
            }
            _ => {
                text.push_str(": ");
                text.push_str(&member.to_string());
                text.push('\n');
            }
        }
    }
}

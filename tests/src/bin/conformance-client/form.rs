//! Filling of forms as by a user who types as little as possible.

use serde_json::{Map, Value, json};

/// Creates a value that fits the schema: its default if it has one, every property of an object.
pub(crate) fn fill(schema: &Value) -> Value {
    for given in ["default", "const"] {
        if let Some(value) = schema.get(given) {
            return value.clone();
        }
    }
    let first = |list: &str| schema[list].as_array().and_then(|choices| choices.first());
    if let Some(value) = first("enum") {
        return value.clone();
    }
    if let Some(choice) = first("oneOf").or_else(|| first("anyOf")) {
        return fill(choice);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("string") => json!("text"),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(2)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("null") => Value::Null,
        _ => Value::Object(
            schema["properties"]
                .as_object()
                .unwrap_or(&Map::new())
                .iter()
                .map(|(name, schema)| (name.clone(), fill(schema)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_come_first_and_every_property_is_filled() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "default": "John Doe"},
                "age": {"type": "integer", "minimum": 18},
                "status": {"enum": ["active", "idle"]},
                "role": {"oneOf": [{"const": "admin", "title": "Admin"}]},
                "confirmed": {"type": "boolean"},
                "address": {"properties": {"zip": {"type": ["string", "null"]}}},
            },
        });
        assert_eq!(
            fill(&schema),
            json!({
                "name": "John Doe",
                "age": 18,
                "status": "active",
                "role": "admin",
                "confirmed": true,
                "address": {"zip": "text"},
            })
        );
        assert_eq!(fill(&json!(true)), json!({}));
    }
}

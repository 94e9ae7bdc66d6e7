//! Fields of input schemas.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

/// A property of an input schema, which is required if it has no default and is not optional.
pub(super) struct Field {
    name: &'static str,
    schema: Value,
    required: bool,
}

impl Field {
    fn new(name: &'static str, schema: Value) -> Self {
        Self {
            name,
            schema,
            required: false,
        }
    }

    pub(super) fn described(self, description: &str) -> Self {
        self.with("description", json!(description))
    }

    pub(super) fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    pub(super) fn with(mut self, keyword: &str, value: Value) -> Self {
        self.schema[keyword] = value;
        self
    }
}

pub(super) fn integer(
    name: &'static str,
    title: &str,
    range: RangeInclusive<i64>,
    default: i64,
) -> Field {
    let (least, most) = range.into_inner();
    Field::new(
        name,
        json!({ "type": "integer", "title": title, "minimum": least, "maximum": most, "default": default }),
    )
}

pub(super) fn boolean(name: &'static str, title: &str, default: bool) -> Field {
    Field::new(
        name,
        json!({ "type": "boolean", "title": title, "default": default }),
    )
}

pub(super) fn string(name: &'static str, title: &str) -> Field {
    Field::new(name, json!({ "type": "string", "title": title }))
}

/// Creates a choice between values with titles.
pub(super) fn titled_choice(name: &'static str, title: &str, values: &[(&str, &str)]) -> Field {
    let values: Vec<Value> = values
        .iter()
        .map(|(value, title)| json!({ "const": value, "title": title }))
        .collect();
    string(name, title).with("oneOf", json!(values))
}

/// Creates a field for the milliseconds between two steps of a slow tool.
pub(super) fn pause(default: i64) -> Field {
    integer(
        "pause_ms",
        "Pause between steps, in milliseconds",
        0..=10_000,
        default,
    )
}

/// Creates the schema of an object with these properties and no others.
pub(super) fn schema<const N: usize>(fields: [Field; N]) -> Value {
    let mut schema = json!({ "type": "object", "properties": {} });
    let mut required = Vec::new();
    for field in fields {
        if field.required {
            required.push(field.name);
        }
        schema["properties"][field.name] = field.schema;
    }
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema["additionalProperties"] = json!(false);
    schema
}

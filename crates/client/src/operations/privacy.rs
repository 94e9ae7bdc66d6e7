//! Schemas whose values must not be written to disk.

use std::collections::BTreeMap;

use serde_json::{Value, value::RawValue};
use sonde_mcp::CatalogItem;

/// Returns true if values typed for a tool must not be written to disk.
pub fn takes_private_values(tool: &CatalogItem) -> bool {
    let schema = tool.tool().and_then(|tool| tool.input_schema.as_ref());
    schema.is_some_and(|schema| has_private_fields(schema.get()))
}

/// The tool that the params of a `tools/call` name, where they were written by hand.
pub(super) fn tool_of_params(params: &str) -> Option<String> {
    // Raw values, so that deeply nested arguments do not matter.
    let params: BTreeMap<String, &RawValue> = serde_json::from_str(params).ok()?;
    serde_json::from_str(params.get("name")?.get()).ok()
}

/// Looks for fields whose values must not be written to disk: `format: "password"` or `writeOnly: true` anywhere in the
/// schema. A schema that is nested too deeply to parse counts as having them if its text names either.
fn has_private_fields(schema: &str) -> bool {
    if !schema.contains("password") && !schema.contains("writeOnly") {
        return false;
    }
    let Ok(schema) = serde_json::from_str::<Value>(schema) else {
        return true;
    };
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let is = |name: &str, wanted: Value| members.get(name) == Some(&wanted);
                if is("format", "password".into()) || is("writeOnly", true.into()) {
                    return true;
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_write_only_fields_are_found_anywhere() {
        for (schema, private) in [
            (r#"{"properties": {"a": {"type": "string"}}}"#, false),
            (r#"{"properties": {"password": {"type": "string"}}}"#, false),
            (r#"{"properties": {"a": {"writeOnly": false}}}"#, false),
            (r#"{"properties": {"a": {"format": "password"}}}"#, true),
            (r#"{"anyOf": [{}, {"items": {"writeOnly": true}}]}"#, true),
        ] {
            assert_eq!(has_private_fields(schema), private, "{schema}");
        }
        let deep = format!(
            "{}{{\"writeOnly\": true}}{}",
            "[".repeat(10_000),
            "]".repeat(10_000)
        );
        assert!(has_private_fields(&deep));
    }

    #[test]
    fn params_written_by_hand_name_their_tool() {
        let params = r#" { "arguments": {"name": "x"}, "name": "log\u0069n" } "#;
        assert_eq!(tool_of_params(params).as_deref(), Some("login"));
        let deep = format!(
            r#"{{"arguments": {}1{}, "name": "a"}}"#,
            "[".repeat(500),
            "]".repeat(500)
        );
        assert_eq!(tool_of_params(&deep).as_deref(), Some("a"));
        for none in ["[]", "{", r#"{"name": 1}"#, "{}"] {
            assert_eq!(tool_of_params(none), None, "{none}");
        }
    }
}

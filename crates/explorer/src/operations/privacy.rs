//! Schemas whose values must not be written to disk.

use serde_json::Value;

/// Whether a schema has fields whose values must not be written to disk: `format: "password"` or
/// `writeOnly: true` anywhere in it. A text that is nested too deep to be read counts as having some
/// where it names either.
pub(crate) fn has_private_fields(schema: &str) -> bool {
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
}

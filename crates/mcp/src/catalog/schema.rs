//! What a client can do with the schemas of a tool (base protocol, JSON Schema Usage; tools, `$ref`
//! Resolution). Whether a schema is valid is for the validator to say.

use serde_json::Value;
use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use crate::text::brief;

/// The dialects that are known, without `http:`, `https:` and a `#` at the end.
const DIALECTS: [&str; 5] = [
    "//json-schema.org/draft-04/schema",
    "//json-schema.org/draft-06/schema",
    "//json-schema.org/draft-07/schema",
    "//json-schema.org/draft/2019-09/schema",
    "//json-schema.org/draft/2020-12/schema",
];

/// Adds what a client cannot make use of in a schema, the member of this name.
pub(super) fn judge(member: &'static str, schema: &RawValue, found: &mut Findings) {
    let text = schema.get();
    // Most schemas have neither, and need not be read.
    if !text.contains("$schema") && !text.contains("$ref") {
        return;
    }
    let Ok(schema) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let dialect = schema.get("$schema").and_then(Value::as_str);
    if let Some(dialect) = dialect.filter(|dialect| !is_known(dialect)) {
        found.push(
            Finding::new(&rules::UNKNOWN_DIALECT)
                .with("member", member)
                .with("dialect", brief(dialect))
                .in_member(member),
        );
    }
    if let Some(reference) = external_ref(&schema) {
        found.push(
            Finding::new(&rules::EXTERNAL_REF)
                .with("member", member)
                .with("reference", brief(reference))
                .in_member(member),
        );
    }
}

fn is_known(dialect: &str) -> bool {
    let rest = dialect
        .strip_prefix("http:")
        .or_else(|| dialect.strip_prefix("https:"));
    rest.is_some_and(|rest| DIALECTS.contains(&rest.trim_end_matches('#')))
}

/// The first reference to another document. One to an `$id` within the schema is none, and neither is
/// one to the schema of a dialect, which every validator has.
fn external_ref(schema: &Value) -> Option<&str> {
    let (mut references, mut ids) = (Vec::new(), Vec::new());
    let mut to_visit = vec![schema];
    while let Some(schema) = to_visit.pop() {
        let Some(object) = schema.as_object() else {
            continue;
        };
        for (keyword, value) in object {
            match keyword.as_str() {
                "$ref" | "$dynamicRef" => references.extend(value.as_str()),
                "$id" => ids.extend(value.as_str()),
                "properties" | "patternProperties" | "$defs" | "definitions"
                | "dependentSchemas" | "dependencies" => {
                    to_visit.extend(value.as_object().into_iter().flat_map(|all| all.values()));
                }
                // Data, not schemas.
                "enum" | "const" | "default" | "examples" => {}
                _ => match value {
                    Value::Array(items) => to_visit.extend(items),
                    other => to_visit.push(other),
                },
            }
        }
    }
    references.into_iter().find(|reference| {
        let document = reference.split('#').next().unwrap_or_default();
        let absolute = document.contains("://") || document.starts_with("file:");
        absolute
            && !is_known(document)
            && !ids.iter().any(|id| id.trim_end_matches('#') == document)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&'static str> {
        let mut found = Findings::default();
        judge(
            "inputSchema",
            &RawValue::from_string(text.to_owned()).unwrap(),
            &mut found,
        );
        found.into_vec().iter().map(Finding::id).collect()
    }

    #[test]
    fn dialects_are_those_that_validators_know() {
        for known in [
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            assert_eq!(
                of(&format!(r#"{{"$schema":"{known}"}}"#)),
                [""; 0],
                "{known}"
            );
        }
        for unknown in ["https://example.com/dialect", "draft-07", ""] {
            let text = format!(r#"{{"$schema":"{unknown}"}}"#);
            assert_eq!(of(&text), ["unknown-dialect"], "{unknown}");
        }
        // A property of this name says nothing about the dialect.
        assert_eq!(
            of(r#"{"properties":{"$schema":{"type":"string"}}}"#),
            [""; 0]
        );
    }

    #[test]
    fn references_stay_within_the_schema() {
        for inside in [
            r##"{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{}}}"##,
            r##"{"properties":{"a":{"$ref":"https://x/a#/b"}},"$defs":{"A":{"$id":"https://x/a"}}}"##,
            r#"{"properties":{"a":{"$ref":"other"}},"$defs":{"A":{"$id":"other"}}}"#,
            r#"{"$ref":"http://json-schema.org/draft-07/schema#"}"#,
            r#"{"properties":{"$ref":{"type":"string"}},"default":{"$ref":"https://x/a"}}"#,
        ] {
            assert_eq!(of(inside), [""; 0], "{inside}");
        }
        for outside in [
            r#"{"properties":{"a":{"$ref":"https://x/a.json"}}}"#,
            r##"{"anyOf":[{},{"not":{"$ref":"file:///a#/b"}}]}"##,
        ] {
            assert_eq!(of(outside), ["external-ref"], "{outside}");
        }
    }
}

//! Violations of draft-07: the types of the values of its keywords, by its meta-schema.

use serde_json::Value;

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Returns the fault in the value of a keyword, as a clause after "because"; `None` for a keyword that
/// draft-07 does not know.
pub(super) fn problem(keyword: &str, value: &Value) -> Option<String> {
    let expected = expected(keyword, value)?;
    Some(format!("`{keyword}` must be {expected}"))
}

/// Returns the expected value if the value is something else.
fn expected(keyword: &str, value: &Value) -> Option<&'static str> {
    let is_type = |one: &Value| one.as_str().is_some_and(|one| TYPES.contains(&one));
    let is_schema = |one: &Value| one.is_object() || one.is_boolean();
    let count = || value.as_u64().is_some() || value.as_f64().is_some_and(|it| it >= 0.0);
    let (right, expected) = match keyword {
        "type" => (
            match value {
                Value::Array(all) => !all.is_empty() && all.iter().all(is_type),
                one => is_type(one),
            },
            "the name of a type, or a list of them",
        ),
        "properties" | "patternProperties" | "definitions" => (value.is_object(), "an object"),
        "required" => (
            value
                .as_array()
                .is_some_and(|all| all.iter().all(Value::is_string) && are_unique(all)),
            "a list of different strings",
        ),
        "enum" => (value.is_array(), "a list"),
        "allOf" | "anyOf" | "oneOf" => (
            value.as_array().is_some_and(|all| !all.is_empty()),
            "a list with a schema in it",
        ),
        "items" => (
            is_schema(value) || value.is_array(),
            "a schema, or a list of them",
        ),
        "additionalProperties"
        | "additionalItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames" => (is_schema(value), "a schema"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            (value.is_number(), "a number")
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            (count(), "a whole number")
        }
        "uniqueItems" | "readOnly" => (value.is_boolean(), "true or false"),
        "pattern" | "format" | "title" | "description" | "$ref" | "$id" | "$schema"
        | "$comment" => (value.is_string(), "a string"),
        "examples" => (value.is_array(), "a list"),
        _ => return None,
    };
    (!right).then_some(expected)
}

fn are_unique(all: &[Value]) -> bool {
    let mut seen = std::collections::HashSet::new();
    all.iter()
        .filter_map(Value::as_str)
        .all(|one| seen.insert(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_have_the_types_of_the_meta_schema() {
        for (keyword, right, wrong) in [
            ("type", json!("string"), json!("text")),
            ("type", json!(["string", "null"]), json!([])),
            ("required", json!(["a"]), json!(true)),
            ("required", json!([]), json!(["a", "a"])),
            ("exclusiveMinimum", json!(0), json!(true)),
            ("minLength", json!(3), json!(-1)),
            ("items", json!(true), json!("string")),
            ("anyOf", json!([{}]), json!([])),
            ("additionalProperties", json!(false), json!("no")),
            ("enum", json!([1]), json!({})),
            ("description", json!(""), json!(null)),
        ] {
            assert_eq!(problem(keyword, &right), None, "{keyword} {right}");
            assert!(problem(keyword, &wrong).is_some(), "{keyword} {wrong}");
        }
        assert_eq!(problem("prefixItems", &json!(1)), None);
    }
}

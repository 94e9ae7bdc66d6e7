//! Usability of a tool's schemas for a client (base protocol, JSON Schema Usage; tools, `$ref` Resolution).
//! The validator decides if a schema is valid.

use std::collections::HashSet;

use serde_json::{Map, Value, value::RawValue};
use sonde_findings::{Finding, Findings, rules};
use url::Url;

use crate::{
    subschemas::{Step, visit},
    text::brief,
};

/// The dialects that are known, without `http:`, `https:` and a `#` at the end.
const DIALECTS: [&str; 5] = [
    "//json-schema.org/draft-04/schema",
    "//json-schema.org/draft-06/schema",
    "//json-schema.org/draft-07/schema",
    "//json-schema.org/draft/2019-09/schema",
    "//json-schema.org/draft/2020-12/schema",
];

/// Parts of the checked keywords; a schema without any of them need not be read.
const JUDGED: [&str; 4] = ["$schema", "$ref", "\"default\"", "\"max"];

/// Limit of bytes that are resolved in one schema: references and their bases. Beyond it, references are not checked.
const URI_BYTES: usize = 1 << 20;

/// Checks a schema, the member of this name, for parts that a client cannot use.
pub(super) fn judge(member: &'static str, schema: &RawValue, found: &mut Findings) {
    let text = schema.get();
    if !JUDGED.iter().any(|keyword| text.contains(keyword)) {
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
    visit(&schema, &mut Vec::new(), &mut |path, schema| {
        let at = |rule| {
            let found = Finding::new(rule).with("place", place(path));
            found.with("member", member).in_member(member)
        };
        if let Some((low, high)) = empty_range(schema) {
            found.push(at(&rules::EMPTY_RANGE).with("low", low).with("high", high));
        } else if let Some(default) = schema.get("default")
            // Generators write it where there is no default.
            && !default.is_null()
            && !allows(schema, default)
        {
            found.push(at(&rules::IMPOSSIBLE_DEFAULT));
        }
    });
}

/// Formats the beginning of a path.
fn place(path: &[Step<'_>]) -> String {
    if path.is_empty() {
        return "/".to_owned();
    }
    let steps = path.iter().map(|step| match step {
        Step::Name(name) => format!("/{}", brief(name)),
        Step::Index(index) => format!("/{index}"),
    });
    brief(&steps.collect::<String>())
}

/// Pairs of keywords that set a lower and an upper limit.
const RANGES: [(&str, &str); 4] = [
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// Returns the first lower limit that is above its upper limit, each with its keyword.
fn empty_range(schema: &Map<String, Value>) -> Option<(String, String)> {
    RANGES.into_iter().find_map(|(low, high)| {
        let (from, to) = (schema.get(low)?.as_f64()?, schema.get(high)?.as_f64()?);
        let said = |keyword, value| format!("`{keyword}` {value}");
        (from > to).then(|| (said(low, from), said(high, to)))
    })
}

/// True unless a keyword about simple values rejects this value.
fn allows(schema: &Map<String, Value>, value: &Value) -> bool {
    let is_of = |kind: &str| match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // An unknown type is reported separately.
        _ => true,
    };
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let within = |size: f64, [low, high]: [&str; 2]| {
        limit(low).is_none_or(|low| low <= size) && limit(high).is_none_or(|high| size <= high)
    };
    let of_type = match schema.get("type") {
        Some(Value::String(kind)) => is_of(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(is_of),
        _ => true,
    };
    let listed = match schema.get("enum") {
        Some(Value::Array(values)) => values.contains(value),
        _ => true,
    };
    let sized = match value {
        Value::Number(number) => number
            .as_f64()
            .is_none_or(|number| within(number, ["minimum", "maximum"])),
        #[expect(clippy::cast_precision_loss, reason = "no text is that long")]
        Value::String(text) => within(text.chars().count() as f64, ["minLength", "maxLength"]),
        _ => true,
    };
    of_type && listed && sized
}

fn is_known(dialect: &str) -> bool {
    let rest = dialect
        .strip_prefix("http:")
        .or_else(|| dialect.strip_prefix("https:"));
    rest.is_some_and(|rest| DIALECTS.contains(&rest.trim_end_matches('#')))
}

/// Returns the first reference to another document. References to an `$id` within the schema, and to the schema of a
/// dialect, which every validator has, do not count.
fn external_ref(schema: &Value) -> Option<&str> {
    let dialect = schema.get("$schema").and_then(Value::as_str);
    let id = match dialect.is_some_and(|dialect| dialect.contains("draft-04")) {
        true => "id",
        false => "$id",
    };
    // A schema without `$id` needs any base.
    let root = Url::parse("https://schema.invalid/").ok()?;
    let mut documents = HashSet::from([root.clone()]);
    // Each with the path of the schema within which it applies.
    let mut bases = vec![(Vec::new(), root)];
    let (mut references, mut bytes) = (Vec::new(), 0);
    visit(schema, &mut Vec::new(), &mut |path, schema| {
        bases.retain(|(at, _)| path.starts_with(at));
        for keyword in [id, "$ref", "$dynamicRef"] {
            let text = schema.get(keyword).and_then(Value::as_str);
            let Some(text) = text.filter(|text| !text.starts_with('#') && bytes <= URI_BYTES)
            else {
                continue;
            };
            let Some((_, base)) = bases.last() else {
                continue;
            };
            // Resolving copies the base.
            bytes += base.as_str().len() + text.len();
            let Ok(mut uri) = base.join(text) else {
                continue;
            };
            uri.set_fragment(None);
            if keyword == id {
                documents.insert(uri.clone());
                bases.push((path.to_vec(), uri));
            } else {
                references.push((text, uri));
            }
        }
    });
    if bytes > URI_BYTES {
        return None;
    }
    let is_external = |(_, uri): &(&str, Url)| !is_known(uri.as_str()) && !documents.contains(uri);
    Some(references.into_iter().find(is_external)?.0)
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
    fn limits_leave_a_value_and_defaults_are_among_them() {
        let property = |schema: &str| of(&format!(r#"{{"properties":{{"p":{schema}}}}}"#));
        for possible in [
            r#"{"minimum":5,"maximum":5,"default":5}"#,
            r#"{"type":["string","null"],"default":null}"#,
            r#"{"type":"string","default":null}"#,
            r#"{"type":"integer","default":3.0}"#,
            r#"{"enum":["a",1],"default":1}"#,
            r#"{"minLength":2,"default":"äö"}"#,
            r#"{"minimum":"5","maximum":4}"#,
        ] {
            assert_eq!(property(possible), [""; 0], "{possible}");
        }
        for empty in [
            r#"{"minimum":10,"maximum":5,"default":7}"#,
            r#"{"minLength":2,"maxLength":1}"#,
            r#"{"items":{"minItems":2,"maxItems":1}}"#,
        ] {
            assert_eq!(property(empty), ["empty-range"], "{empty}");
        }
        for impossible in [
            r#"{"enum":["fast","slow"],"default":"medium"}"#,
            r#"{"type":"integer","default":"3"}"#,
            r#"{"type":"integer","default":3.5}"#,
            r#"{"maximum":4,"default":5}"#,
            r#"{"maxLength":1,"default":"äö"}"#,
            r#"{"anyOf":[{"type":"string","default":7},{"type":"null"}]}"#,
        ] {
            assert_eq!(property(impossible), ["impossible-default"], "{impossible}");
        }
    }

    #[test]
    fn a_long_name_is_not_copied_for_each_schema_within_it() {
        let within: Vec<String> = (0..100_000)
            .map(|n| format!(r#""a{n}":{{"maximum":1,"default":2}}"#))
            .collect();
        let (name, within) = ("x".repeat(1_000_000), within.join(","));
        let text = format!(r#"{{"properties":{{"{name}":{{"properties":{{{within}}}}}}}}}"#);
        assert_eq!(of(&text).len(), sonde_findings::FINDINGS);
        let references = vec![r#"{"$ref":"a"}"#; 100_000].join(",");
        let text = format!(r#"{{"$id":"https://x/{name}/","anyOf":[{references}]}}"#);
        assert_eq!(of(&text), [""; 0]);
    }

    #[test]
    fn references_stay_within_the_schema() {
        for inside in [
            r##"{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{}}}"##,
            r##"{"properties":{"a":{"$ref":"https://x/a#/b"}},"$defs":{"A":{"$id":"https://x/a"}}}"##,
            r#"{"properties":{"a":{"$ref":"other"}},"$defs":{"A":{"$id":"other"}}}"#,
            r#"{"$ref":"http://json-schema.org/draft-07/schema#"}"#,
            r#"{"properties":{"$ref":{"type":"string"}},"default":{"$ref":"https://x/a"}}"#,
            r#"{"$id":"https://x/root.json","properties":{"a":{"$ref":"https://x/item.json"}},"$defs":{"i":{"$id":"item.json"}}}"#,
            r#"{"properties":{"a":{"$id":"b/"},"c":{"$ref":"c"}},"$defs":{"c":{"$id":"c"}}}"#,
            r#"{"$defs":{"c":{"$id":"c"}},"items":{"$id":"b/"},"properties":{"a":{"$ref":"c"}}}"#,
            r#"{"$schema":"http://json-schema.org/draft-04/schema#","not":{"$ref":"a"},"items":{"id":"a"}}"#,
        ] {
            assert_eq!(of(inside), [""; 0], "{inside}");
        }
        for outside in [
            r#"{"properties":{"a":{"$ref":"https://x/a.json"}}}"#,
            r##"{"anyOf":[{},{"not":{"$ref":"file:///a#/b"}}]}"##,
            r##"{"properties":{"a":{"$ref":"common.json#/$defs/A"}}}"##,
            r#"{"properties":{"a":{"$ref":"urn:example:a"}}}"#,
            r#"{"properties":{"a":{"$id":"b/","$ref":"c"}},"$defs":{"c":{"$id":"c"}}}"#,
        ] {
            assert_eq!(of(outside), ["external-ref"], "{outside}");
        }
    }
}

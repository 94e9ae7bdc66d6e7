use proptest::prelude::*;
use serde_json::{Value, json};

use super::{checker::Checker, *};

async fn check(schema: &Value, instance: &str) -> Vec<ArgumentProblem> {
    Validator::new(None)
        .problems(schema.to_string(), instance.to_owned())
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the reason why a schema cannot validate anything; empty if it can.
fn why(schema: &str) -> String {
    let checked = Checker::default().check(schema.to_owned(), None);
    checked
        .err()
        .map_or_else(String::new, |error| error.to_string())
}

/// Returns `path: message` of each problem.
async fn said(schema: Value, instance: &str) -> Vec<String> {
    check(&schema, instance)
        .await
        .into_iter()
        .map(|problem| format!("{}: {}", problem.instance_path, problem.message))
        .collect()
}

/// Schemas, each with an instance that it does not permit, and the sentence about that.
const SENTENCES: &str = r#"
{"type": "string"} | 1 | must be a string, not 1
{"type": ["integer", "null"]} | 1.5 | must be null or an integer, not 1.5
{"minimum": 1} | 0 | must be at least 1
{"maximum": 9007199254740992} | 9007199254740993 | must be at most 9007199254740992
{"exclusiveMinimum": 0} | 0 | must be more than 0
{"exclusiveMaximum": 2.5} | 2.5 | must be less than 2.5
{"multipleOf": 0.1} | 0.25 | must be a multiple of 0.1
{"enum": ["a", "b", 3]} | "c" | is not one of: “a”, “b”, 3
{"const": {"x": 1}} | 2 | must be {"x":1}
{"minLength": 1} | "" | must not be empty
{"maxLength": 1} | "äö" | must have at most 1 character, has 2
{"minItems": 2} | [1] | must have at least 2 items, has 1
{"maxItems": 0} | [1] | must have at most 0 items, has 1
{"minProperties": 1} | {} | must have at least 1 member, has 0
{"uniqueItems": true} | [1, 1] | must not contain duplicate items
{"pattern": "^a+$"} | "b" | does not match the pattern ^a+$
{"format": "email"} | "b" | is not an email address
{"format": "date-time"} | "b" | is not a date and time such as 2026-01-31T12:00:00Z
{"additionalProperties": false, "properties": {"a": {}}} | {"x\u202e": 1} | must not have “x⟨U+202E⟩”
{"additionalProperties": false} | {"x": 1} | must not have any members
{"contains": {"const": 1}} | [] | does not contain the items that the schema requires
{"propertyNames": {"maxLength": 1}} | {"ab": 1} | has a member whose name is not allowed: “ab” must have at most 1 character, has 2
{"not": {"type": "null"}} | null | is not allowed by the schema (not)
{"oneOf": [{"minimum": 1}, {"minimum": 2}]} | 3 | matches more than one of the allowed alternatives; exactly one must match
"#;

#[tokio::test]
async fn each_rule_has_its_sentence() {
    for row in SENTENCES.trim().lines() {
        let [schema, instance, expected] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let schema = serde_json::from_str(schema).unwrap();
        assert_eq!(said(schema, instance).await, [format!(": {expected}")]);
    }
}

#[tokio::test]
async fn a_missing_member_is_named() {
    let schema = json!({
        "type": "object",
        "properties": {"place": {"type": "object", "required": ["city"]}},
    });
    let problems = check(&schema, r#"{"place": {}}"#).await;
    assert_eq!(
        problems,
        [ArgumentProblem {
            instance_path: "/place".to_owned(),
            schema_path: "/properties/place/required".to_owned(),
            keyword: "required".to_owned(),
            message: "“city” is missing".to_owned(),
            missing: Some("city".to_owned()),
        }]
    );
}

#[tokio::test]
async fn of_alternatives_the_one_that_was_meant_speaks() {
    let shape = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
    ]});
    assert_eq!(
        said(shape.clone(), r#"{"kind": "square", "side": "x"}"#).await,
        ["/side: must be a number, not a string"]
    );
    assert_eq!(said(shape, "7").await, [": must be an object"]);
    let nullable = json!({"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]});
    assert_eq!(said(nullable.clone(), "3").await, [": must be at least 5"]);
    assert_eq!(
        said(nullable, "\"x\"").await,
        [": must be an integer or null"]
    );
    let forms = json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    assert_eq!(
        said(forms, "{}").await,
        [": matches none of the 2 allowed alternatives"]
    );
}

#[tokio::test]
async fn numbers_are_compared_by_all_their_digits() {
    let schema = json!({"const": 0});
    let schema = schema.to_string().replace('0', "9007199254740993");
    let validator = Validator::new(None);
    let problems = |instance: &str| validator.problems(schema.clone(), instance.to_owned());
    assert_eq!(problems("9007199254740993").await.unwrap(), []);
    assert_eq!(problems("9007199254740992").await.unwrap().len(), 1);
    let large = r#"{"minimum": 1e400}"#.to_owned();
    assert_eq!(
        validator
            .problems(large.clone(), "1e399".to_owned())
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        validator.problems(large, "1e401".to_owned()).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn drafts_differ_and_2020_12_is_the_default() {
    let tuple = json!({"prefixItems": [{"type": "string"}]});
    assert_eq!(check(&tuple, "[1]").await.len(), 1);
    let mut draft7 = tuple.clone();
    draft7["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    assert_eq!(check(&draft7, "[1]").await, []);
    let dynamic = json!({"$defs": {"n": {"$anchor": "n", "type": "number"}}, "properties": {"x": {"$ref": "#n"}},
        "dependentSchemas": {"x": {"required": ["y"]}}});
    assert_eq!(said(dynamic, r#"{"x": "1"}"#).await.len(), 2);
}

#[test]
fn schemas_that_cannot_validate_say_why() {
    assert_eq!(why(r#"{"type": "object"}"#), "");
    assert_eq!(
        why("{\"type\": }"),
        "The schema cannot be read. This is not valid JSON: a value was expected at line 1, \
         column 10."
    );
    assert_eq!(why("true"), "The schema is not a JSON object.");
    assert_eq!(
        why(r#"{"$schema": "https://example.com/mine"}"#),
        "The schema uses an unknown dialect: https://example.com/mine."
    );
    assert!(
        why(r#"{"properties": {"a": {"type": "strin"}}}"#)
            .starts_with("The schema is not valid: /properties/a/type ")
    );
    assert!(
        why(r#"{"pattern": "("}"#).contains("/pattern"),
        "{}",
        why(r#"{"pattern": "("}"#)
    );
    for (inside, target) in [("#/$defs/none", "/$defs/none"), ("#none", "none")] {
        assert_eq!(
            why(&json!({"$ref": inside}).to_string()),
            format!("The schema is not valid: it refers to “{target}”, which does not exist.")
        );
    }
    for outside in ["https://example.com/schema.json", "file:///etc/passwd"] {
        let why = why(&json!({"$ref": outside}).to_string());
        assert!(why.contains("does not fetch"), "{why}");
    }
    // Multiplying schemas are refused before compiling: twenty levels of two alternatives, and many patterns that are
    // small alone.
    let doubling: serde_json::Map<String, Value> = (0..20)
        .map(|n| {
            let next = json!({"$ref": format!("#/$defs/a{}", n + 1)});
            (format!("a{n}"), json!({"anyOf": [next, next]}))
        })
        .chain([("a20".to_owned(), json!({"type": "string"}))])
        .collect();
    let doubling = json!({"$defs": doubling, "$ref": "#/$defs/a0"});
    assert!(why(&doubling.to_string()).contains("references multiply"));
    let patterns = |count: usize| {
        let all: Vec<Value> = (0..count)
            .map(|n| json!({"pattern": format!("x{n}\\p{{L}}{{60}}")}))
            .collect();
        why(&json!({"allOf": all}).to_string())
    };
    assert_eq!(patterns(1), "");
    assert_eq!(
        patterns(200),
        "The schema cannot be used: the pattern at /allOf/0/pattern is not a regular expression, or \
         needs more than its share of memory, which is 327 KiB in this schema."
    );
    assert!(patterns(1001).contains("1001 different patterns"));
    let small: Vec<Value> = (0..200)
        .map(|n| json!({"pattern": format!("^[a-z]{{{n}}}$")}))
        .collect();
    assert_eq!(why(&json!({"anyOf": small}).to_string()), "");
    assert!(why(&format!("{{\"title\": \"{}\"}}", "x".repeat(3 << 20))).contains("bytes"));
    let deep = format!("{}true{}", "{\"not\":".repeat(5000), "}".repeat(5000));
    assert!(why(&deep).contains("nested too deeply"));
}

#[tokio::test]
async fn circles_do_not_run_for_ever() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}),
        json!({"anyOf": [{"type": "null"}, {"not": {"$ref": "#"}}]}),
    ] {
        let why = why(&schema.to_string());
        assert!(why.contains("loop"), "{schema}: {why}");
    }
    // A tree refers to itself, but descends one step into the value each time.
    let tree =
        json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
    assert_eq!(
        said(tree, r#"{"left": {"right": 1}}"#).await,
        ["/left/right: must be an object, not 1"]
    );
}

#[tokio::test]
async fn limits_hold() {
    let validator = Validator::new(None);
    let many = format!("[{}]", vec!["1"; 1000].join(","));
    let problems = validator
        .problems(r#"{"items": {"type": "string"}}"#.to_owned(), many)
        .await
        .unwrap();
    assert_eq!(problems.len(), 100);
    let nested = (0..60).fold(
        json!({"type": "string"}),
        |inner, _| json!({"items": inner}),
    );
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    assert_eq!(check(&nested, &deep).await.len(), 1);
    let too_deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(
        validator.problems("{}".to_owned(), too_deep).await,
        Err(ValidateError::TooLarge(_))
    ));
    assert!(matches!(
        validator.problems("{}".to_owned(), "{,}".to_owned()).await,
        Err(ValidateError::NotJson(_))
    ));
    assert!(matches!(
        validator.problems("7".to_owned(), "{}".to_owned()).await,
        Err(ValidateError::Schema { .. })
    ));
    // A pattern that takes too long proves nothing, nor does an alternative with it.
    let slow = json!({"pattern": "^(a|aa)+\\1$"});
    let long = json!({"pattern": "^(?:(?!<script).)*$"});
    for (schema, value) in [
        (&slow, format!("{}!", "a".repeat(200))),
        (&long, "a".repeat(300_000)),
        (
            &json!({"anyOf": [long, {"type": "null"}]}),
            "a".repeat(300_000),
        ),
    ] {
        let checked = validator.problems(schema.to_string(), json!(value).to_string());
        let checked = checked.await;
        assert!(
            matches!(checked, Err(ValidateError::TooLarge(_))),
            "{checked:?}"
        );
    }
    // Another member decides.
    let both = json!({"properties": {"a": long, "b": {"type": "null"}}});
    let any = json!({"anyOf": [both, {"type": "null"}]});
    for schema in [both, any] {
        let value = json!({"a": "a".repeat(300_000), "b": 1}).to_string();
        assert!(!check(&schema, &value).await.is_empty(), "{schema}");
    }
    // What a problem repeats of the value and the schema is cut.
    let name = "x".repeat(900_000);
    let schema = json!({"properties": {&name: {"items": {"required": [&name], "maximum": 0}}}});
    let value = json!({&name: [{}, 1]});
    let problems = check(&schema, &value.to_string()).await;
    assert_eq!(problems.len(), 2);
    for problem in problems {
        assert!(problem.weight() < 5_000, "{}", problem.weight());
    }
}

#[test]
fn more_schemas_than_are_kept() {
    let mut checker = Checker::default();
    for round in 0..2 {
        for limit in 0..50 {
            let schema = json!({"minimum": limit}).to_string();
            let problems = checker.check(schema, Some("-1")).unwrap();
            assert_eq!(
                problems[0].message,
                format!("must be at least {limit}"),
                "{round}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_value_panics(
        instance in "(null|[1-9][0-9]{0,24}|-0\\.5e-7|\"[a-z]{0,3}\"|\\[1,\"x\",\\{\\}\\]|\\{\"a\":[0-9],\"b\":null\\})",
        keyword in 0_usize..8,
        number in 0_u32..5,
    ) {
        let schema = [
            json!({"type": "integer", "multipleOf": number + 1}),
            json!({"anyOf": [{"type": "string", "maxLength": number}, {"properties": {"a": {"const": number}}}]}),
            json!({"oneOf": [{"type": "array", "maxItems": number}, {"enum": [null, "x"]}]}),
            json!({"if": {"type": "number"}, "then": {"minimum": number}, "else": {"required": ["a"]}}),
            json!({"unevaluatedProperties": false, "properties": {"a": true}}),
            json!({"dependentRequired": {"a": ["z"]}, "minProperties": number}),
            json!({"prefixItems": [{"const": number}], "items": false}),
            json!({"not": {"required": ["b"]}, "propertyNames": {"pattern": "^a"}}),
        ][keyword].to_string();
        let problems = Checker::default().check(schema.clone(), Some(&instance)).unwrap();
        let valid = jsonschema::options()
            .build(&serde_json::from_str(&schema).unwrap())
            .unwrap()
            .is_valid(&serde_json::from_str(&instance).unwrap());
        prop_assert_eq!(problems.is_empty(), valid);
        for problem in problems {
            prop_assert!(!problem.message.is_empty());
        }
    }
}

#[test]
fn what_is_wrong_by_its_dialect_is_told_from_what_is_not_read_here() {
    let invalid = |schema: &str| match Checker::default().check(schema.to_owned(), None) {
        Err(ValidateError::Schema { invalid, .. }) => invalid,
        other => panic!("{other:?}"),
    };
    for wrong in [
        r#"{"properties": {"a": {"type": "strin"}}}"#,
        r#"{"required": "a"}"#,
        r#"{"$schema": 7}"#,
        r##"{"$ref": "#/$defs/none"}"##,
        r##"{"$ref": "#"}"##,
    ] {
        assert!(invalid(wrong), "{wrong}");
    }
    for unread in [
        r#"{"$schema": "https://example.com/mine"}"#,
        r#"{"$ref": "https://example.com/schema.json"}"#,
        r##"{"properties": {"a": {"$ref": "#/$defs/none"}, "b": {"$ref": "other.json"}}}"##,
        r#"{"pattern": "("}"#,
        &format!("{{\"title\": \"{}\"}}", "x".repeat(3 << 20)),
    ] {
        assert!(!invalid(unread), "{}", &unread[..unread.len().min(80)]);
    }
}

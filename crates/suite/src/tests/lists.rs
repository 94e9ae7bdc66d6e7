use serde_json::{Value, json};

use super::rows;
use crate::{
    expect::{Baseline, judge},
    format::Suite,
    listing::{ChangeClass, ChangeKind, changes},
    observed::{End, Observed},
    snapshot::SnapshotState,
};

fn tool() -> Value {
    json!({
        "name": "a",
        "title": "A",
        "description": "Does a.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "w": { "$ref": "#/$defs/e" },
                "x": { "type": ["string", "null"], "maxLength": 5, "enum": ["p", "q"], "description": "X." },
                "y": { "type": "array", "uniqueItems": true, "items": { "type": "integer", "minimum": 0 } }
            },
            "$defs": { "d": {}, "e": {} },
            "required": ["x"]
        },
        "outputSchema": {
            "type": "object",
            "properties": { "n": { "type": "integer" } },
            "required": ["n"]
        },
        "annotations": { "readOnlyHint": true, "title": "T" }
    })
}

/// Edits of the tool: a pointer, its new value (`null` removes), the kind of the change, and its path.
const EDITS: &str = r#"
/title | "B" | words
/description | "Does b." | description
/annotations/title | "U" | words
/annotations/readOnlyHint | false | hints
/annotations/destructiveHint | false | hints
/annotations/openWorldHint | false | hints
/inputSchema/properties/x/type | ["string"] | narrowed
/inputSchema/properties/x/type | ["string", "null", "number"] | widened
/inputSchema/properties/x/maxLength | 4 | narrowed
/inputSchema/properties/x/maxLength | 6 | widened
/inputSchema/properties/x/maxLength | null | widened
/inputSchema/properties/x/minLength | 1 | narrowed
/inputSchema/properties/x/pattern | "a" | narrowed
/inputSchema/properties/x/enum | ["p"] | narrowed
/inputSchema/properties/x/enum | ["p", "q", "r"] | widened
/inputSchema/properties/x/description | "Y." | description
/inputSchema/properties/x/title | "X" | words
/inputSchema/properties/y | null | narrowed
/inputSchema/properties/y/items/minimum | 1 | narrowed
/inputSchema/properties/y/items/type | "number" | widened
/outputSchema/properties/n/type | "number" | narrowed
/inputSchema/additionalProperties | {"type": "string"} | narrowed
/inputSchema/properties/y/items/minimum | -1 | widened
/inputSchema/properties/z | {"type": "string"} | widened
/inputSchema/required | ["x", "y"] | narrowed
/inputSchema/required | null | widened
/inputSchema/additionalProperties | false | narrowed
/inputSchema/additionalProperties | true | words
/inputSchema/additionalProperties | {} | words
/inputSchema/properties/x/readOnly | true | words
/outputSchema/properties/n/type | ["integer", "null"] | narrowed
/outputSchema/properties/n/minimum | 0 | widened
/outputSchema/properties/n | null | narrowed
/outputSchema/properties/m | {} | widened
/outputSchema/required | null | narrowed
/outputSchema | null | narrowed
/inputSchema/$defs/d | null | words
/inputSchema/$defs/e | null | narrowed
/inputSchema/properties/y/uniqueItems | false | widened
/inputSchema/properties/y/minItems | 0 | words
/inputSchema/properties/y/minItems | 1 | narrowed
/mimeType | "text/plain" | words
/execution | {"taskSupport": "optional"} | widened
/execution | {"taskSupport": "required"} | narrowed
/execution | {"taskSupport": "forbidden", "other": 1} | words
"#;

fn edited(pointer: &str, value: &str) -> Value {
    let mut tool = tool();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let value: Value = serde_json::from_str(value).unwrap();
    let parent = tool.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Value::Null => drop(parent.shift_remove(key)),
        value => drop(parent.insert(key.to_owned(), value)),
    }
    tool
}

#[test]
fn choices_and_further_properties_may_widen_or_narrow() {
    let kinds = |before: Value, after: Value| -> Vec<&str> {
        let tool = |schema| json!({ "name": "a", "inputSchema": schema });
        let found = changes(&[tool(before)], &[tool(after)], "name").into_iter();
        found.map(|change| change.kind.as_str()).collect()
    };
    let [text, number] = ["string", "number"].map(|name| json!({ "type": name }));
    let any = |branches: &[&Value]| json!({ "anyOf": branches });
    let both = any(&[&text, &number]);
    assert_eq!(
        kinds(both.clone(), any(&[&number, &text])),
        Vec::<&str>::new()
    );
    assert_eq!(kinds(any(&[&text]), both.clone()), ["widened"]);
    assert_eq!(kinds(both.clone(), any(&[&text])), ["narrowed"]);
    assert_eq!(kinds(text.clone(), both.clone()), ["widened"]);
    assert_eq!(kinds(both, text.clone()), ["narrowed"]);
    // Further properties are those that no keyword beside them names.
    let closed = json!({ "properties": { "a": {} }, "additionalProperties": false });
    for split in [
        json!({ "additionalProperties": false, "anyOf": [{ "properties": { "a": {} } }, {}] }),
        json!({ "properties": { "a": {} }, "anyOf": [{ "additionalProperties": false }, { "required": ["a"] }] }),
    ] {
        let found = kinds(closed.clone(), split);
        assert!(found.contains(&"narrowed"), "{found:?}");
    }
    let further = |of: Value| json!({ "additionalProperties": of });
    assert_eq!(
        kinds(further(text.clone()), further(json!(true))),
        ["widened"]
    );
    assert_eq!(kinds(further(text), further(json!(false))), ["narrowed"]);
}

#[test]
fn each_change_of_a_tool_has_its_kind() {
    for [pointer, value, kind] in rows(EDITS) {
        let found = changes(&[tool()], &[edited(pointer, value)], "name");
        assert_eq!(found.len(), 1, "{pointer} {value}: {found:?}");
        assert_eq!(found[0].kind.as_str(), kind, "{pointer} {value}: {found:?}");
        assert!(pointer.starts_with(&found[0].path), "{found:?}");
    }
    let [forbidden, optional] = ["forbidden", "optional"].map(|support| {
        [edited(
            "/execution",
            &json!({ "taskSupport": support }).to_string(),
        )]
    });
    assert_eq!(changes(&[tool()], &forbidden, "name"), []);
    let kind = changes(&optional, &forbidden, "name")[0].kind;
    assert_eq!(kind, ChangeKind::Narrowed);
    let named = |tool: &str| [serde_json::from_str(tool).unwrap()];
    let tool = named(r#"{ "name": "a", "b": 1, "c": { "d": 1, "e": 2 } }"#);
    let reordered = named(r#"{ "c": { "e": 2, "d": 1.0 }, "name": "a", "b": 1 }"#);
    assert_eq!(changes(&tool, &reordered, "name"), []);
}

#[test]
fn items_come_and_go() {
    let named = |name: &str| json!({ "name": name });
    let found = changes(
        &[named("a"), named("b"), named("b"), named("b")],
        &[named("b"), named("c")],
        "name",
    );
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.kind, one.words.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (ChangeKind::Removed, "`a`: it is gone."),
            (ChangeKind::Removed, "`b#2`: it is gone."),
            (ChangeKind::Removed, "`b#3`: it is gone."),
            (ChangeKind::Added, "`c`: it is new."),
        ]
    );
    assert_eq!(ChangeKind::Removed.class(), ChangeClass::Breaking);
    assert_eq!(ChangeKind::Description.class(), ChangeClass::Routing);
}

#[test]
fn arguments_of_prompts_are_compared() {
    let prompt = |arguments: Value| [json!({ "name": "p", "arguments": arguments })];
    let needed = json!({ "name": "a", "required": true });
    let before = prompt(json!([needed, { "name": "b" }]));
    for (after, kind) in [
        (json!([needed]), ChangeKind::Narrowed),
        (
            json!([{ "name": "a" }, { "name": "b" }]),
            ChangeKind::Widened,
        ),
        (
            json!([needed, { "name": "b", "required": true }]),
            ChangeKind::Narrowed,
        ),
        (
            json!([needed, { "name": "b", "description": "B" }]),
            ChangeKind::Description,
        ),
        (
            json!([needed, { "name": "b" }, { "name": "c" }]),
            ChangeKind::Widened,
        ),
    ] {
        let found = changes(&before, &prompt(after.clone()), "name");
        assert_eq!((found.len(), found[0].kind), (1, kind), "{after}");
    }
}

#[test]
fn a_list_is_compared_with_its_snapshot() {
    let text = "sonde: 1\nsteps:\n  - list: tools\n    expect:\n      snapshot: tools\n      allow: [added, cosmetic]\n      \
                ignore: [\"/tools/*/_meta\"]\n      count: 1..2\n      pages: 2\n";
    let step = Suite::read("a", text).unwrap().steps.remove(0);
    let judged = |tools: Value, stored: Option<&str>| {
        let end = End::Result(json!({ "tools": tools }).to_string());
        let observed = Observed {
            end,
            pages: Some(2),
            ..Observed::default()
        };
        judge(
            &step,
            &observed,
            &Baseline {
                snapshot: &|_| Ok(stored.map(str::to_owned)),
                duration: Ok(None),
                hide: &str::to_owned,
            },
        )
    };
    let mut with_meta = tool();
    with_meta["_meta"] = json!({ "at": 1 });
    let first = judged(json!([with_meta]), None);
    assert_eq!(first.failures, []);
    let stored = &first.snapshots[0].text;
    assert!(!stored.contains("_meta"));
    let same = judged(json!([tool()]), Some(stored));
    assert_eq!(same.snapshots[0].state, SnapshotState::Same);
    let allowed = judged(
        json!([edited("/title", "\"B\""), { "name": "new" }]),
        Some(stored),
    );
    assert_eq!(allowed.failures, []);
    assert_eq!(allowed.snapshots[0].state, SnapshotState::Different);
    let refused = judged(json!([edited("/description", "\"B\"")]), Some(stored)).failures;
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].change, Some(ChangeKind::Description));
    assert!(
        refused[0].words.ends_with("(routing: description)"),
        "{}",
        refused[0].words
    );
    let gone = judged(json!([]), Some(stored)).failures;
    assert_eq!(gone.len(), 2, "the count and the tool: {gone:?}");
}

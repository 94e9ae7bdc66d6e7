use serde_json::{Value, json};

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
                "x": { "type": ["string", "null"], "maxLength": 5, "enum": ["p", "q"], "description": "X." },
                "y": { "type": "array", "items": { "type": "integer", "minimum": 0 } }
            },
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
const EDITS: &[(&str, &str, ChangeKind)] = {
    use ChangeKind::{Description, Hints, Narrowed, Widened, Words};
    &[
        ("/title", "\"B\"", Words),
        ("/description", "\"Does b.\"", Description),
        ("/annotations/title", "\"U\"", Words),
        ("/annotations/readOnlyHint", "false", Hints),
        ("/annotations/destructiveHint", "false", Hints),
        ("/annotations/openWorldHint", "false", Hints),
        ("/inputSchema/properties/x/type", "[\"string\"]", Narrowed),
        (
            "/inputSchema/properties/x/type",
            "[\"string\", \"null\", \"number\"]",
            Widened,
        ),
        ("/inputSchema/properties/x/maxLength", "4", Narrowed),
        ("/inputSchema/properties/x/maxLength", "6", Widened),
        ("/inputSchema/properties/x/maxLength", "null", Widened),
        ("/inputSchema/properties/x/minLength", "1", Narrowed),
        ("/inputSchema/properties/x/pattern", "\"a\"", Narrowed),
        ("/inputSchema/properties/x/enum", "[\"p\"]", Narrowed),
        (
            "/inputSchema/properties/x/enum",
            "[\"p\", \"q\", \"r\"]",
            Widened,
        ),
        (
            "/inputSchema/properties/x/description",
            "\"Y.\"",
            Description,
        ),
        ("/inputSchema/properties/x/title", "\"X\"", Words),
        ("/inputSchema/properties/y", "null", Narrowed),
        ("/inputSchema/properties/y/items/minimum", "1", Narrowed),
        ("/inputSchema/properties/y/items/minimum", "-1", Widened),
        (
            "/inputSchema/properties/z",
            "{\"type\": \"string\"}",
            Widened,
        ),
        ("/inputSchema/required", "[\"x\", \"y\"]", Narrowed),
        ("/inputSchema/required", "null", Widened),
        ("/inputSchema/additionalProperties", "false", Narrowed),
        (
            "/outputSchema/properties/n/type",
            "[\"integer\", \"null\"]",
            Narrowed,
        ),
        ("/outputSchema/properties/n/minimum", "0", Widened),
        ("/outputSchema/properties/n", "null", Narrowed),
        ("/outputSchema/properties/m", "{}", Widened),
        ("/outputSchema/required", "null", Narrowed),
        ("/outputSchema", "null", Narrowed),
    ]
};

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
fn each_change_of_a_tool_has_its_kind() {
    for (pointer, value, kind) in EDITS {
        let found = changes(&[tool()], &[edited(pointer, value)], "name");
        assert_eq!(found.len(), 1, "{pointer} {value}: {found:?}");
        assert_eq!(found[0].kind, *kind, "{pointer} {value}: {found:?}");
        assert!(pointer.starts_with(&found[0].path), "{found:?}");
    }
    let reordered = json!({ "annotations": { "title": "T", "readOnlyHint": true }, "b": 1 });
    assert!(changes(&[tool()], &[tool()], "name").is_empty());
    assert_eq!(
        changes(
            std::slice::from_ref(&reordered),
            std::slice::from_ref(&reordered),
            "name"
        ),
        []
    );
}

#[test]
fn items_come_and_go() {
    let named = |name: &str| json!({ "name": name });
    let found = changes(
        &[named("a"), named("b"), named("b")],
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
            (ChangeKind::Added, "`c`: it is new."),
        ]
    );
    assert_eq!(ChangeKind::Removed.class(), ChangeClass::Breaking);
    assert_eq!(ChangeKind::Description.class(), ChangeClass::Routing);
}

#[test]
fn arguments_of_prompts_are_compared() {
    let prompt = |arguments: Value| [json!({ "name": "p", "arguments": arguments })];
    let before = prompt(json!([{ "name": "a", "required": true }, { "name": "b" }]));
    for (after, kind) in [
        (
            json!([{ "name": "a", "required": true }]),
            ChangeKind::Narrowed,
        ),
        (
            json!([{ "name": "a" }, { "name": "b" }]),
            ChangeKind::Widened,
        ),
        (
            json!([{ "name": "a", "required": true }, { "name": "b", "required": true }]),
            ChangeKind::Narrowed,
        ),
        (
            json!([{ "name": "a", "required": true }, { "name": "b", "description": "B" }]),
            ChangeKind::Description,
        ),
        (
            json!([{ "name": "a", "required": true }, { "name": "b" }, { "name": "c" }]),
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
                snapshot: &|_| stored.map(str::to_owned),
                duration: None,
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

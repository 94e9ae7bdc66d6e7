//! Lists: their pages and their items.

use serde_json::{Value, json};
use sonde_client::catalogs::CatalogKind;

use crate::{
    play::{Act, Case},
    server::{Server, of, plain, result, tool, with},
};

pub(crate) fn prompt(members: Value) -> Server {
    let prompt = with(&json!({ "name": "p", "description": "Greets." }), members);
    Server::new()
        .declares(json!({ "prompts": {} }))
        .on("prompts/list", result(json!({ "prompts": [prompt] })))
        .then(Act::List(CatalogKind::Prompts))
}

pub(crate) fn cases() -> Vec<Case> {
    let schema = |schema: Value| tool(json!({ "inputSchema": schema }));
    vec![
        of(
            "list-order-changes",
            |second: [&str; 2]| {
                let named = |name: &str| with(&plain(), json!({ "name": name }));
                let list = |names: [&str; 2]| result(json!({ "tools": names.map(named) }));
                Server::stateless()
                    .on_each("tools/list", vec![list(["a", "b"]), list(second)])
                    .then(Act::Again(CatalogKind::Tools))
            },
            ["b", "a"],
            ["a", "b"],
        ),
        // Before the version that has a default dialect, a schema may be of an older one.
        of(
            "invalid-schema",
            |version: &'static str| {
                let pair = json!({ "type": "array", "items": [{ "type": "string" }, { "type": "number" }] });
                let schema = json!({ "type": "object", "properties": { "a": pair } });
                let tools = json!([with(&plain(), json!({ "inputSchema": schema }))]);
                Server::of(version).on("tools/list", result(json!({ "tools": tools })))
            },
            "2025-11-25",
            "2025-06-18",
        ),
        of(
            "invalid-schema",
            |of: &str| schema(json!({ "type": "object", "properties": { "a": { "type": of } } })),
            "text",
            "string",
        ),
        of(
            "empty-range",
            |minimum: u32| {
                let range = json!({ "minimum": minimum, "maximum": 5 });
                schema(json!({ "type": "object", "properties": { "p": range } }))
            },
            10,
            5,
        ),
        of(
            "hidden-characters",
            |text: &str| tool(json!({ "description": text })),
            "Says which ships\u{e0041} are in.",
            "Says which ships are in.",
        ),
    ]
}

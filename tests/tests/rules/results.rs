//! Results of tools, resources and prompts.

use serde_json::{Value, json};
use sonde_client::catalogs::CatalogKind;

use crate::{
    lists,
    play::{Act, Case, prompting, reading},
    server::{Answer, Server, body, each, of, refusal, result, with},
};

/// Creates a server whose tool has this result.
fn gives(of: Value) -> Server {
    Server::new().on("tools/call", result(of)).called()
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Creates a server whose tool has this content block.
fn block(block: Value) -> Server {
    gives(json!({ "content": [block] }))
}

/// Creates a server with these contents of a resource, which its list describes as three bytes of text.
fn contents(members: Value) -> Server {
    let listed = json!({ "uri": "a:/b", "name": "b", "mimeType": "text/plain", "size": 3 });
    let read = json!({ "uri": "a:/b", "mimeType": "text/plain", "text": "abc" });
    let read = json!({ "contents": [with(&read, members)] });
    Server::new()
        .declares(json!({ "tools": {}, "resources": {} }))
        .on("resources/list", result(json!({ "resources": [listed] })))
        .on("resources/read", result(read))
        .then(Act::List(CatalogKind::Resources))
        .then(Act::Run(reading("a:/b")))
}

/// Creates a server with this result of a prompt.
fn prompts(of: Value) -> Server {
    lists::prompt(json!({}))
        .on("prompts/get", result(of))
        .then(Act::Run(prompting("p")))
}

/// Creates a server whose tool has an output schema, and this result.
fn structured(members: Value) -> Server {
    measured(json!({ "type": "number" }), members)
}

/// Creates a server whose tool has an output schema with this `depth`, and this result.
fn measured(depth: Value, members: Value) -> Server {
    measured_in("2025-11-25", depth, members)
}

/// Creates a server like [`measured`] of this version.
fn measured_in(version: &'static str, depth: Value, members: Value) -> Server {
    let tool = json!({
        "name": "t",
        "description": "Measures.",
        "inputSchema": { "type": "object" },
        "outputSchema": {
            "type": "object",
            "properties": { "depth": depth },
            "required": ["depth"],
        },
    });
    Server::of(version)
        .on("tools/list", result(json!({ "tools": [tool] })))
        .on(
            "tools/call",
            result(with(&json!({ "content": [text("{}")] }), members)),
        )
        .called()
}

#[expect(clippy::too_many_lines, reason = "one case for each rule")]
pub(crate) fn cases() -> Vec<Case> {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let image =
        |kind: &str, data: &str| block(json!({ "type": "image", "mimeType": kind, "data": data }));
    let many = |count: usize| gives(json!({ "content": vec![text("a"); count] }));
    let said = || json!({ "role": "user", "content": text("Hello") });
    // Earlier protocol versions know no output schema.
    let since = |rule, depth: Value, members: Value| {
        let server = move |version| measured_in(version, depth.clone(), members.clone());
        of(rule, server, "2025-06-18", "2025-03-26")
    };
    let others = vec![
        since(
            "missing-structured-content",
            json!({ "type": "number" }),
            json!({}),
        ),
        since(
            "nonconforming-structured-content",
            json!({ "type": "number" }),
            json!({ "structuredContent": { "depth": "deep" } }),
        ),
        since(
            "invalid-schema",
            json!({ "type": "strin" }),
            json!({ "structuredContent": { "depth": 7 } }),
        ),
        of(
            "refused-arguments",
            |answer: Answer| {
                let tool = json!({
                    "name": "t",
                    "description": "Measures.",
                    "inputSchema": {
                        "type": "object",
                        "properties": { "ship": { "type": "string" } },
                        "required": ["ship"],
                    },
                });
                Server::new()
                    .on("tools/list", result(json!({ "tools": [tool] })))
                    .on("tools/call", answer)
                    .called()
            },
            refusal(-32_602, "`ship` is missing"),
            result(json!({ "content": [text("`ship` is missing")], "isError": true })),
        ),
        of(
            "nonconforming-format",
            |depth: &str| {
                let schema = json!({ "type": "string", "format": "date-time" });
                measured(schema, json!({ "structuredContent": { "depth": depth } }))
            },
            "2026-01-31 10:00",
            "2026-01-31T10:00:00Z",
        ),
        // What cannot be read of a schema has nothing to conform to.
        of(
            "nonconforming-structured-content",
            |schema: Value| measured(schema, json!({ "structuredContent": { "depth": 7 } })),
            json!({ "type": "string" }),
            json!({ "type": "string", "$ref": "https://example.com/elsewhere" }),
        ),
        of(
            "bad-base64",
            |data: &str| image("image/png", data),
            "%%%",
            png,
        ),
        of(
            "lone-surrogate",
            |text: &str| {
                let of = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#);
                let text = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{of}}}"#);
                Server::new().on("tools/call", body(text)).called()
            },
            r"\ud800",
            r"\ud83d\ude00",
        ),
        of(
            "too-many-messages",
            |count: usize| prompts(json!({ "messages": vec![said(); count] })),
            1_001,
            1_000,
        ),
        of("too-many-blocks", many, 1_001, 1_000),
        of(
            "host-result-size",
            |size: usize| gives(json!({ "content": [text(&"x".repeat(size))] })),
            45_000,
            4,
        ),
        of(
            "wrong-mime-type",
            |kind: &str| image(kind, png),
            "text/plain",
            "image/png",
        ),
        of(
            "bad-role",
            |role: &str| prompts(json!({ "messages": [with(&said(), json!({ "role": role }))] })),
            "system",
            "user",
        ),
    ];
    let tables = [
        each(
            structured,
            json!([
                ["missing-structured-content", {}, { "structuredContent": { "depth": 7 } }],
                ["nonconforming-structured-content",
                    { "structuredContent": { "depth": "deep" } },
                    { "structuredContent": { "depth": 7 } }],
            ]),
        ),
        each(
            block,
            json!([
                ["bad-content-block", 7, text("a")],
                ["unknown-content-type", { "type": "hologram" }, text("a")],
                ["missing-content-member", { "type": "text" }, text("a")],
                ["bad-content-member", { "type": "text", "text": 7 }, text("a")],
            ]),
        ),
        each(
            contents,
            json!([
                ["empty-resource", { "text": null }, {}],
                ["different-mime-type", { "mimeType": "text/html" }, {}],
                ["different-size", { "text": "abcd" }, {}],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}

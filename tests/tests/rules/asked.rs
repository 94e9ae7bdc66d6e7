//! Requests of servers: forms, addresses and conversations.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    play::Case,
    server::{DONE, Server, each, events, of, with},
};

/// Creates a server that sends this request before it responds to a call.
fn asks(method: &str, params: &Value) -> Server {
    let asked = json!({ "jsonrpc": "2.0", "id": "q", "method": method, "params": params });
    Server::new()
        .on("tools/call", events([asked.to_string(), DONE.to_owned()]))
        .called()
}

/// Creates a server that sends a form with this field.
fn field(name: &str, field: Value) -> Server {
    let schema = json!({ "type": "object", "properties": { name: field } });
    asks(
        "elicitation/create",
        &json!({ "message": "Which ship?", "requestedSchema": schema }),
    )
}

/// Creates a server that sends its user to an address; `null` removes a member.
fn address(members: Value) -> Server {
    let params = json!({
        "mode": "url",
        "message": "Sign here.",
        "url": "https://example.org/",
        "elicitationId": "e",
    });
    asks("elicitation/create", &with(&params, members))
}

/// Creates a server that requests a message of a model; `null` removes a member.
fn sampling(members: Value) -> Server {
    let params = json!({ "maxTokens": 100, "messages": [said("user", text())] });
    asks("sampling/createMessage", &with(&params, members))
}

fn conversation(messages: Value) -> Server {
    sampling(json!({ "messages": messages }))
}

fn text() -> Value {
    json!({ "type": "text", "text": "Hello" })
}

fn said(role: &str, content: impl Serialize) -> Value {
    json!({ "role": role, "content": content })
}

pub(crate) fn cases() -> Vec<Case> {
    let string = || json!({ "type": "string" });
    let uses = || json!({ "type": "tool_use", "id": "u", "name": "t", "input": {} });
    let answers = |id: &str| json!({ "type": "tool_result", "toolUseId": id, "content": [] });
    let whole = || json!([said("assistant", uses()), said("user", answers("u"))]);
    let ship = |of: Value| field("ship", of);
    let url = |url: String| address(json!({ "url": url }));
    let plain = "https://example.org/";
    let others = vec![
        of(
            "undeclared-capability",
            |method: &str| asks(method, &json!({})),
            "roots/list",
            "ping",
        ),
        of(
            "secret-in-form",
            |name: &str| field(name, json!({ "type": "string" })),
            "password",
            "ship",
        ),
        of(
            "missing-elicitation-id",
            address,
            json!({ "elicitationId": null }),
            json!({}),
        ),
    ];
    let tables = [
        each(
            url,
            json!([
                ["bad-elicitation-url", "file:///etc/passwd", plain],
                ["insecure-elicitation-url", "http://example.org/", plain],
                ["credentials-in-url", "https://user:pw@example.org/", plain],
                ["punycode-host", "https://xn--e1afmkfd.com/", plain],
            ]),
        ),
        each(
            sampling,
            json!([
                ["missing-max-tokens", { "maxTokens": null }, {}],
                ["bad-sampling-messages", { "messages": 7 }, {}],
                ["undeclared-context", { "includeContext": "thisServer" }, { "includeContext": "none" }],
            ]),
        ),
        each(
            conversation,
            json!([
                [
                    "bad-sampling-message",
                    [said("system", text())],
                    [said("user", text())]
                ],
                [
                    "mixed-tool-results",
                    [
                        said("assistant", uses()),
                        said("user", [answers("u"), text()])
                    ],
                    whole()
                ],
                [
                    "unanswered-tool-use",
                    [said("assistant", uses()), said("user", text())],
                    whole()
                ],
                [
                    "unknown-tool-use",
                    [
                        said("assistant", uses()),
                        said("user", [answers("u"), answers("v")])
                    ],
                    whole()
                ],
            ]),
        ),
        each(
            ship,
            json!([
                ["bad-form", { "type": "object" }, string()],
                ["bad-form-default",
                    { "type": "string", "default": 7 },
                    { "type": "string", "default": "Gull" }],
                ["url-in-form",
                    { "type": "string", "description": "See https://example.org/." },
                    { "type": "string", "description": "Its name." }],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}

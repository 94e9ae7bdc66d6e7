//! Requests of servers: forms, addresses and conversations.

use serde_json::{Value, json};

use crate::{
    play::Case,
    server::{DONE, Server, events, of, with},
};

/// A server that asks this before it answers a call.
fn asks(method: &str, params: &Value) -> Server {
    let asked = json!({ "jsonrpc": "2.0", "id": "q", "method": method, "params": params });
    Server::new()
        .on("tools/call", events([asked.to_string(), DONE.to_owned()]))
        .called()
}

/// A server that asks with a form that has this field.
fn field(name: &str, field: Value) -> Server {
    let schema = json!({ "type": "object", "properties": { name: field } });
    asks(
        "elicitation/create",
        &json!({ "message": "Which ship?", "requestedSchema": schema }),
    )
}

/// A server that sends its user to an address; `null` takes a member out.
fn address(members: Value) -> Server {
    let params = json!({
        "mode": "url",
        "message": "Sign here.",
        "url": "https://example.org/",
        "elicitationId": "e",
    });
    asks("elicitation/create", &with(&params, members))
}

/// A server that asks for a message of a model; `null` takes a member out.
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

fn said(role: &str, content: Value) -> Value {
    json!({ "role": role, "content": content })
}

pub(crate) fn cases() -> Vec<Case> {
    let string = || json!({ "type": "string" });
    let uses = || json!({ "type": "tool_use", "id": "u", "name": "t", "input": {} });
    let answers = |id: &str| json!({ "type": "tool_result", "toolUseId": id, "content": [] });
    let whole = || json!([said("assistant", uses()), said("user", answers("u"))]);
    let url = |url: &str| address(json!({ "url": url }));
    let plain = "https://example.org/";
    vec![
        of(
            "undeclared-capability",
            |method: &str| asks(method, &json!({})),
            "roots/list",
            "ping",
        ),
        of("bad-elicitation-url", url, "file:///etc/passwd", plain),
        of(
            "insecure-elicitation-url",
            url,
            "http://example.org/",
            plain,
        ),
        of(
            "credentials-in-url",
            url,
            "https://user:pw@example.org/",
            plain,
        ),
        of("punycode-host", url, "https://xn--e1afmkfd.com/", plain),
        of(
            "missing-elicitation-id",
            address,
            json!({ "elicitationId": null }),
            json!({}),
        ),
        of(
            "missing-max-tokens",
            sampling,
            json!({ "maxTokens": null }),
            json!({}),
        ),
        of(
            "bad-sampling-messages",
            sampling,
            json!({ "messages": 7 }),
            json!({}),
        ),
        of(
            "bad-sampling-message",
            conversation,
            json!([said("system", text())]),
            json!([said("user", text())]),
        ),
        of(
            "mixed-tool-results",
            conversation,
            json!([
                said("assistant", uses()),
                said("user", json!([answers("u"), text()]))
            ]),
            whole(),
        ),
        of(
            "unanswered-tool-use",
            conversation,
            json!([said("assistant", uses()), said("user", text())]),
            whole(),
        ),
        of(
            "unknown-tool-use",
            conversation,
            json!([
                said("assistant", uses()),
                said("user", json!([answers("u"), answers("v")]))
            ]),
            whole(),
        ),
        of(
            "undeclared-context",
            sampling,
            json!({ "includeContext": "thisServer" }),
            json!({ "includeContext": "none" }),
        ),
        of(
            "bad-form",
            |of: Value| field("ship", of),
            json!({ "type": "object" }),
            string(),
        ),
        of(
            "bad-form-default",
            |of: Value| field("ship", of),
            json!({ "type": "string", "default": 7 }),
            json!({ "type": "string", "default": "Gull" }),
        ),
        of(
            "secret-in-form",
            |name: &str| field(name, json!({ "type": "string" })),
            "password",
            "ship",
        ),
        of(
            "url-in-form",
            |of: Value| field("ship", of),
            json!({ "type": "string", "description": "See https://example.org/." }),
            json!({ "type": "string", "description": "Its name." }),
        ),
    ]
}

//! Messages of a server: their structure, their subject, and their time.

use serde_json::{Value, json};
use sonde_tests::http_peer::Reply;

use crate::{
    play::Case,
    server::{DONE, Server, body, each, events, of, replies, result, with},
};

/// A server that says this before it answers a call.
fn says(text: String) -> Server {
    Server::new()
        .on("tools/call", events([text, DONE.to_owned()]))
        .called()
}

fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}"#)
}

fn progress(members: &str) -> String {
    notification(
        "progress",
        &format!(r#"{{"progressToken":{{token}},{members}}}"#),
    )
}

/// A server that answers a call with this text.
fn answers(text: String) -> Server {
    Server::new().on("tools/call", body(text)).called()
}

/// A server whose response to the handshake has these members; `null` takes one out.
fn opening(members: Value) -> Server {
    let whole = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "played", "version": "1" },
    });
    Server::new().on("initialize", result(with(&whole, members)))
}

/// A stateless server whose description of itself has these members; `null` takes one out.
fn discovery(members: Value) -> Server {
    let whole = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": { "tools": {} },
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "played", "version": "1" } },
    });
    let whole = with(&whole, members);
    let text = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{whole}}}"#);
    Server::stateless().on("server/discover", body(text))
}

#[expect(clippy::too_many_lines, reason = "one case for each rule")]
pub(crate) fn cases() -> Vec<Case> {
    let none = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;
    let others = vec![
        of(
            "wrong-error-status",
            |status: u16| {
                let text = r#"{"jsonrpc":"2.0","id":{id},"error":{"code":-32601,"message":"m"}}"#;
                let reply = replies(move |asked| {
                    Reply::status(status)
                        .header("content-type", "application/json")
                        .body(asked.fill(text))
                });
                Server::stateless().on("tools/call", reply).called()
            },
            200,
            404,
        ),
        of(
            "subscription-cut",
            |last: &'static str| {
                let about = r#""_meta":{"io.modelcontextprotocol/subscriptionId":{id}}"#;
                let params = format!(r#"{{"notifications":{{"toolsListChanged":true}},{about}}}"#);
                let first = notification("subscriptions/acknowledged", &params);
                let said = [first.as_str(), last]
                    .into_iter()
                    .filter(|text| !text.is_empty());
                Server::stateless()
                    .declares(json!({ "tools": { "listChanged": true } }))
                    .on("subscriptions/listen", events(said))
                    .called()
            },
            "",
            r#"{"jsonrpc":"2.0","id":{id},"result":{"resultType":"complete"}}"#,
        ),
        of(
            "empty-server-info",
            opening,
            json!({ "serverInfo": { "name": " ", "version": "1" } }),
            json!({}),
        ),
        of(
            "missing-server-info",
            discovery,
            json!({ "_meta": null }),
            json!({}),
        ),
        of(
            "bad-form",
            |field: &str| {
                let schema = json!({ "type": "object", "properties": { "a": { "type": field } } });
                let params = json!({ "message": "Which ship?", "requestedSchema": schema });
                let asks = json!({ "jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params });
                says(asks.to_string())
            },
            "object",
            "string",
        ),
    ];
    let tables = [
        each(
            says,
            json!([
                [
                    "bad-jsonrpc",
                    r#"{"jsonrpc":"1.0","method":"notifications/unheard-of"}"#,
                    none
                ],
                [
                    "repeated-member",
                    r#"{"jsonrpc":"2.0","method":"notifications/a","method":"notifications/a"}"#,
                    none
                ],
                [
                    "excess-progress",
                    progress(r#""progress":3,"total":2"#),
                    progress(r#""progress":2,"total":2"#)
                ],
            ]),
        ),
        each(
            answers,
            json!([
                [
                    "mixed-members",
                    r#"{"jsonrpc":"2.0","id":{id},"method":"tools/call","result":{"content":[]}}"#,
                    DONE
                ],
                [
                    "result-and-error",
                    r#"{"jsonrpc":"2.0","id":{id},"result":{"content":[]},"error":{"code":1,"message":"m"}}"#,
                    DONE
                ],
                [
                    "bad-error",
                    r#"{"jsonrpc":"2.0","id":{id},"error":{"code":"x","message":"m"}}"#,
                    r#"{"jsonrpc":"2.0","id":{id},"error":{"code":-32000,"message":"m"}}"#
                ],
                [
                    "result-not-object",
                    r#"{"jsonrpc":"2.0","id":{id},"result":[]}"#,
                    DONE
                ],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}

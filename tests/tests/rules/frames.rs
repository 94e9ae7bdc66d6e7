//! Messages that a server says: how they are built, what they are about, and when they come.

use serde_json::json;
use sonde_client::{catalogs::CatalogKind, config::ProtocolMode};
use sonde_tests::http_peer::Reply;

use crate::{
    play::{Act, Case, reading},
    server::{DONE, Server, body, case, error, events, of, refusal, replies, result, stream, with},
};

/// A server that says this before it answers a call.
fn says(text: impl Into<String>) -> Server {
    says_all([text.into()])
}

fn says_all<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Server {
    let said = texts.into_iter().map(Into::into);
    let all: Vec<String> = said.chain([DONE.to_owned()]).collect();
    Server::new().on("tools/call", events(all)).called()
}

/// A server that says this after it answered a call.
fn says_after(text: &str) -> Server {
    Server::new()
        .on("tools/call", events([DONE, text]))
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
fn answers(text: &str) -> Server {
    Server::new().on("tools/call", body(text)).called()
}

/// A stateless server whose tool has this result.
fn stateless(result_of: serde_json::Value) -> Server {
    let answer = body(format!(
        r#"{{"jsonrpc":"2.0","id":{{id}},"result":{result_of}}}"#
    ));
    Server::stateless().on("tools/call", answer).called()
}

/// A server whose response to the handshake has these members; `null` takes one out.
fn opening(members: serde_json::Value) -> Server {
    let whole = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "played", "version": "1" },
    });
    Server::new().on("initialize", result(with(&whole, members)))
}

/// A stateless server whose description of itself has these members; `null` takes one out.
fn discovery(members: serde_json::Value) -> Server {
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

/// A log message of a server that declares `logging`.
fn logs(data: &str) -> Server {
    says(notification("message", data)).declares(json!({ "tools": {}, "logging": {} }))
}

/// A stateless server that says this on its subscription, after the acknowledgement of `acknowledged`.
fn subscribed(acknowledged: &'static str, said: String) -> Server {
    let answer = replies(move |asked| {
        let about = r#""_meta":{"io.modelcontextprotocol/subscriptionId":{id}}"#;
        let first = match acknowledged {
            "" => String::new(),
            what => notification(
                "subscriptions/acknowledged",
                &format!(r#"{{"notifications":{{"{what}":true}},{about}}}"#),
            ),
        };
        let said = said.replace("{about}", about);
        [first, said]
            .iter()
            .filter(|text| !text.is_empty())
            .fold(stream(), |reply, text| reply.event(&asked.fill(text)))
            .hang()
    });
    Server::stateless()
        .declares(json!({ "tools": { "listChanged": true } }))
        .on("subscriptions/listen", answer)
        .called()
}

#[expect(clippy::too_many_lines, reason = "one case for each rule")]
pub(crate) fn cases() -> Vec<Case> {
    let none = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;
    let log = r#"{"level":"info","data":"a"}"#;
    let key = "AKIAIOSFODNN7EXAMPLE";
    let declaring = json!({ "tools": { "listChanged": true }, "prompts": {} });
    let changed = || says(notification("prompts/list_changed", "{}"));
    let other_id =
        r#"{"jsonrpc":"2.0","id":"{id}","result":{"content":[{"type":"text","text":"done"}]}}"#;
    let meta = |meta: serde_json::Value| {
        let result = json!({ "content": [{ "type": "text", "text": "a" }], "_meta": meta });
        Server::new()
            .on("tools/call", self::result(result))
            .called()
    };
    let about_tools = |about: &str| notification("tools/list_changed", about);
    vec![
        // JSON-RPC.
        of("invalid-json", says, r#"{"jsonrpc":"2.0","#, none),
        of("invalid-message", says, r#"{"jsonrpc":"2.0"}"#, none),
        of(
            "bad-jsonrpc",
            says,
            r#"{"jsonrpc":"1.0","method":"notifications/unheard-of"}"#,
            none,
        ),
        of(
            "repeated-member",
            says,
            r#"{"jsonrpc":"2.0","method":"notifications/a","method":"notifications/a"}"#,
            none,
        ),
        of(
            "bad-id",
            says,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        ),
        of(
            "mixed-members",
            answers,
            r#"{"jsonrpc":"2.0","id":{id},"method":"tools/call","result":{"content":[]}}"#,
            DONE,
        ),
        of(
            "result-and-error",
            answers,
            r#"{"jsonrpc":"2.0","id":{id},"result":{"content":[]},"error":{"code":1,"message":"m"}}"#,
            DONE,
        ),
        of(
            "bad-error",
            answers,
            r#"{"jsonrpc":"2.0","id":{id},"error":{"code":"x","message":"m"}}"#,
            r#"{"jsonrpc":"2.0","id":{id},"error":{"code":-32000,"message":"m"}}"#,
        ),
        of(
            "result-not-object",
            answers,
            r#"{"jsonrpc":"2.0","id":{id},"result":[]}"#,
            DONE,
        ),
        of(
            "batch-not-allowed",
            says,
            format!("[{none}]"),
            none.to_owned(),
        ),
        of("response-id-type", answers, other_id, DONE),
        of(
            "unknown-response-id",
            says,
            r#"{"jsonrpc":"2.0","id":999,"result":{}}"#,
            none,
        ),
        of("duplicate-response", says_after, DONE, none),
        of(
            "notification-with-id",
            says,
            r#"{"jsonrpc":"2.0","id":7,"method":"notifications/unheard-of"}"#,
            none,
        ),
        of(
            "id-too-long",
            |size: usize| {
                let id = "x".repeat(size);
                says(format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping"}}"#))
            },
            5_000,
            50,
        ),
        of(
            "long-error-message",
            |message: &str| Server::new().on("tools/call", refusal(-32_000, message)).called(),
            "It failed.\n    at main (index.js:1:2)\n",
            "It failed.",
        ),
        of(
            "bad-meta-key",
            meta,
            json!({ "a b": 1 }),
            json!({ "example.org/a": 1 }),
        ),
        of(
            "bad-trace-context",
            |trace: &str| {
                let meta = json!({ "traceparent": trace });
                stateless(json!({ "resultType": "complete", "content": [], "_meta": meta }))
            },
            "none",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ),
        // What only stateless servers must not do.
        of(
            "missing-result-type",
            stateless,
            json!({ "content": [] }),
            json!({ "content": [], "resultType": "complete" }),
        ),
        of(
            "bad-result-type",
            stateless,
            json!({ "content": [], "resultType": "odd" }),
            json!({ "content": [], "resultType": "complete" }),
        ),
        of(
            "hints-on-input-required",
            |hints: serde_json::Value| {
                let asks = json!({ "resultType": "input_required", "requestState": "s" });
                let asks = body(format!(
                    r#"{{"jsonrpc":"2.0","id":{{id}},"result":{}}}"#,
                    with(&asks, hints)
                ));
                let done = events([DONE]);
                Server::stateless().on_each("tools/call", vec![asks, done]).called()
            },
            json!({ "ttlMs": 1, "cacheScope": "private" }),
            json!({}),
        ),
        of(
            "forbidden-error-code",
            |code: i64| Server::stateless().on("tools/call", refusal(code, "m")).called(),
            -32_042,
            -32_000,
        ),
        of(
            "request-in-stateless-era",
            |said: &str| {
                let said = events([said, DONE]);
                Server::stateless().on("tools/call", said).called()
            },
            r#"{"jsonrpc":"2.0","id":"a","method":"roots/list"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#,
        ),
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
        // The opening.
        of(
            "bad-protocol-version",
            |version: &str| opening(json!({ "protocolVersion": version })),
            "latest",
            "2025-06-18",
        ),
        of(
            "bad-capabilities",
            |capabilities: serde_json::Value| opening(json!({ "capabilities": capabilities })),
            serde_json::Value::Null,
            json!({}),
        ),
        of(
            "bad-server-info",
            |info: serde_json::Value| opening(json!({ "serverInfo": info })),
            json!({ "version": "1" }),
            json!({ "name": "a", "version": "1" }),
        ),
        of(
            "empty-server-info",
            |name: &str| opening(json!({ "serverInfo": { "name": name, "version": "1" } })),
            " ",
            "a",
        ),
        of(
            "bad-instructions",
            |instructions: serde_json::Value| opening(json!({ "instructions": instructions })),
            json!(7),
            json!("Call t."),
        ),
        of(
            "missing-server-info",
            discovery,
            json!({ "_meta": null }),
            json!({}),
        ),
        of(
            "misplaced-server-info",
            discovery,
            json!({ "_meta": null, "serverInfo": { "name": "a", "version": "1" } }),
            json!({}),
        ),
        of("bad-cache-hints", discovery, json!({ "ttlMs": -1 }), json!({})),
        case(
            "unnamed-versions",
            Server::new().on("initialize", refusal(-32_022, "Unsupported version")),
            Server::new().on_each(
                "initialize",
                vec![error(json!({
                    "code": -32_022,
                    "message": "Unsupported version",
                    "data": { "supported": ["2026-07-28"] },
                }))],
            )
            .protocol(ProtocolMode::Automatic)
            .on("server/discover", result(json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
                "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "a", "version": "1" } },
            }))),
        ),
        of(
            "early-message",
            |said: String| {
                let welcome = replies(move |asked| {
                    let welcome = json!({
                        "protocolVersion": "2025-11-25",
                        "capabilities": { "tools": {}, "logging": {} },
                        "serverInfo": { "name": "a", "version": "1" },
                    });
                    stream().event(&said).event(&asked.result(&welcome)).end()
                });
                Server::new().on("initialize", welcome)
            },
            none.to_owned(),
            notification("message", log),
        ),
        of(
            "missing-method",
            |declares: serde_json::Value| {
                Server::new()
                    .declares(declares)
                    .then(Act::List(CatalogKind::Prompts))
            },
            json!({ "tools": {}, "prompts": {} }),
            json!({ "tools": {} }),
        ),
        of(
            "bad-ping",
            |answer: serde_json::Value| Server::new().on("ping", result(answer)).then(Act::Ping),
            json!({ "pong": true }),
            json!({}),
        ),
        of(
            "not-found-code",
            |responses: [(i64, &'static str); 2]| {
                let responses = responses.map(|(code, message)| refusal(code, message));
                Server::new()
                    .declares(json!({ "tools": {}, "resources": {} }))
                    .on_each("resources/read", responses.into())
                    .then(Act::Run(reading("a:/b")))
                    .then(Act::Run(reading("a:/b")))
            },
            [
                (-32_602, "Resource not found"),
                (-32_603, "The file is closed"),
            ],
            // The method is what is not there.
            [
                (-32_002, "Resource not found"),
                (-32_601, "Method not found"),
            ],
        ),
        of(
            "no-contents",
            |contents: serde_json::Value| {
                Server::stateless()
                    .declares(json!({ "tools": {}, "resources": {} }))
                    .on("resources/read", result(json!({ "contents": contents })))
                    .then(Act::Run(reading("a:/b")))
            },
            json!([]),
            json!([{ "uri": "a:/b", "text": "t" }]),
        ),
        // Notifications.
        of(
            "unknown-progress-token",
            says,
            notification("progress", r#"{"progressToken":"none","progress":1}"#),
            progress(r#""progress":1"#),
        ),
        of(
            "progress-token-type",
            says,
            notification("progress", r#"{"progressToken":"{token}","progress":1}"#),
            progress(r#""progress":1"#),
        ),
        of(
            "bad-progress",
            says,
            progress(r#""progress":"half""#),
            progress(r#""progress":1"#),
        ),
        of(
            "falling-progress",
            says_all,
            [progress(r#""progress":2"#), progress(r#""progress":1"#)],
            [progress(r#""progress":1"#), progress(r#""progress":2"#)],
        ),
        of(
            "excess-progress",
            says,
            progress(r#""progress":3,"total":2"#),
            progress(r#""progress":2,"total":2"#),
        ),
        of(
            "late-progress",
            |said: String| says_after(&said),
            progress(r#""progress":1"#),
            none.to_owned(),
        ),
        of("bad-log-level", logs, r#"{"level":"loud","data":"a"}"#, log),
        of(
            "undeclared-logging",
            |declares: serde_json::Value| says(notification("message", log)).declares(declares),
            json!({ "tools": {} }),
            json!({ "tools": {}, "logging": {} }),
        ),
        of(
            "secret-in-log",
            |data: String| logs(&data),
            format!(r#"{{"level":"info","data":"{key}"}}"#),
            log.to_owned(),
        ),
        case(
            "undeclared-list-changed",
            changed().declares(declaring.clone()),
            says(notification("tools/list_changed", "{}")).declares(declaring),
        ),
        of(
            "unsubscribed-update",
            |uri: &str| {
                let told = notification("resources/updated", &format!(r#"{{"uri":"{uri}"}}"#));
                Server::new()
                    .on("tools/call", events([told, DONE.to_owned()]))
                    .declares(json!({ "tools": {}, "resources": { "subscribe": true } }))
                    .on("resources/subscribe", result(json!({})))
                    .then(Act::Subscribe("a:/b"))
                    .called()
            },
            "a:/c",
            "a:/b",
        ),
        // Subscriptions of stateless sessions.
        of(
            "not-acknowledged-first",
            |acknowledged: &'static str| subscribed(acknowledged, about_tools("{{about}}")),
            "",
            "toolsListChanged",
        ),
        of(
            "subscription-cut",
            |last: &'static str| {
                let about = r#""_meta":{"io.modelcontextprotocol/subscriptionId":{id}}"#;
                let params = format!(r#"{{"notifications":{{"toolsListChanged":true}},{about}}}"#);
                let first = notification("subscriptions/acknowledged", &params);
                let said = [first.as_str(), last].into_iter().filter(|text| !text.is_empty());
                Server::stateless()
                    .declares(json!({ "tools": { "listChanged": true } }))
                    .on("subscriptions/listen", events(said))
                    .called()
            },
            "",
            r#"{"jsonrpc":"2.0","id":{id},"result":{"resultType":"complete"}}"#,
        ),
        of(
            "acknowledged-too-much",
            |acknowledged: &'static str| subscribed(acknowledged, String::new()),
            "promptsListChanged",
            "toolsListChanged",
        ),
        of(
            "wrong-subscription-id",
            |about: &str| subscribed("toolsListChanged", about_tools(about)),
            "{}",
            "{{about}}",
        ),
        of(
            "unknown-cancellation",
            |id: &str| {
                let params = format!(r#"{{"requestId":{id}}}"#);
                subscribed("toolsListChanged", notification("cancelled", &params))
            },
            "777",
            "{id}",
        ),
        of(
            "misplaced-notification",
            |method: &str| {
                let params = format!(r#"{{"level":"info","data":"a",{}}}"#, "{about}");
                subscribed("toolsListChanged", notification(method, &params))
            },
            "message",
            "tools/list_changed",
        ),
        // What needs a resource to be there.
        of(
            "different-cache-scopes",
            |second: &str| {
                let page = |scope: &str, cursor: serde_json::Value| {
                    let page = json!({ "tools": [], "ttlMs": 1, "cacheScope": scope });
                    result(with(&page, json!({ "nextCursor": cursor })))
                };
                let pages = vec![
                    page("private", json!("2")),
                    page(second, serde_json::Value::Null),
                ];
                Server::stateless().on_each("tools/list", pages)
            },
            "public",
            "private",
        ),
        of(
            "missing-elicitations",
            |data: serde_json::Value| {
                let error = json!({ "code": -32_042, "message": "m", "data": data });
                Server::new().on("tools/call", self::error(error)).called()
            },
            json!({}),
            json!({ "elicitations": [{
                "mode": "url",
                "url": "https://example.org/",
                "elicitationId": "e",
                "message": "m",
            }] }),
        ),
        of(
            "unknown-elicitation",
            |id: &str| {
                let asks = r#"{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","url":"https://example.org/","elicitationId":"e","message":"m"}}"#;
                let params = format!(r#"{{"elicitationId":"{id}"}}"#);
                says_all([asks.to_owned(), notification("elicitation/complete", &params)])
            },
            "none",
            "e",
        ),
        of(
            "bad-contents",
            |contents: serde_json::Value| {
                Server::new()
                    .declares(json!({ "tools": {}, "resources": {} }))
                    .on("resources/read", result(contents))
                    .then(Act::Run(reading("a:/b")))
            },
            json!({}),
            json!({ "contents": [{ "uri": "a:/b", "text": "t" }] }),
        ),
    ]
}

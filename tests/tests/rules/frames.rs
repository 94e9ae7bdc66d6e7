//! Messages of a server: their structure, their subject, and their time.

use serde_json::{Value, json};
use sonde_client::{catalogs::CatalogKind, config::ProtocolMode};
use sonde_tests::http_peer::Reply;

use crate::{
    play::{Act, Case, reading},
    server::{
        DONE, Server, body, case, each, error, events, of, refusal, replies, result, stream, with,
    },
};

/// A server that says this before it answers a call.
fn says<T: Into<String>>(text: T) -> Server {
    says_all([text.into()])
}

fn says_all<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Server {
    let said = texts.into_iter().map(Into::into);
    let all: Vec<String> = said.chain([DONE.to_owned()]).collect();
    Server::new().on("tools/call", events(all)).called()
}

/// A server that says this after it answered a call.
fn says_after(text: String) -> Server {
    let said = events([DONE.to_owned(), text]);
    Server::new().on("tools/call", said).called()
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

/// A stateless server whose tool has this result.
fn stateless(result_of: Value) -> Server {
    let answer = body(format!(
        r#"{{"jsonrpc":"2.0","id":{{id}},"result":{result_of}}}"#
    ));
    Server::stateless().on("tools/call", answer).called()
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

/// A log message of a server that declares `logging`.
fn logs(data: String) -> Server {
    says(notification("message", &data)).declares(json!({ "tools": {}, "logging": {} }))
}

/// A stateless server that says this on its subscription, after the acknowledgement of `acknowledged`.
fn subscribed((acknowledged, said): (String, String)) -> Server {
    let answer = replies(move |asked| {
        let about = r#""_meta":{"io.modelcontextprotocol/subscriptionId":{id}}"#;
        let first = match &*acknowledged {
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
    let meta = |meta: Value| {
        let result = json!({ "content": [{ "type": "text", "text": "a" }], "_meta": meta });
        Server::new()
            .on("tools/call", self::result(result))
            .called()
    };
    let about_tools = |about: &str| notification("tools/list_changed", about);
    let others = vec![
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
            "bad-trace-context",
            |trace: &str| {
                let meta = json!({ "traceparent": trace });
                stateless(json!({ "resultType": "complete", "content": [], "_meta": meta }))
            },
            "none",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ),
        of(
            "hints-on-input-required",
            |hints: Value| {
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
            |declares: Value| {
                Server::new()
                    .declares(declares)
                    .then(Act::List(CatalogKind::Prompts))
            },
            json!({ "tools": {}, "prompts": {} }),
            json!({ "tools": {} }),
        ),
        of(
            "bad-ping",
            |answer: Value| Server::new().on("ping", result(answer)).then(Act::Ping),
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
            |contents: Value| {
                Server::stateless()
                    .declares(json!({ "tools": {}, "resources": {} }))
                    .on("resources/read", result(json!({ "contents": contents })))
                    .then(Act::Run(reading("a:/b")))
            },
            json!([]),
            json!([{ "uri": "a:/b", "text": "t" }]),
        ),
        of(
            "undeclared-logging",
            |declares: Value| says(notification("message", log)).declares(declares),
            json!({ "tools": {} }),
            json!({ "tools": {}, "logging": {} }),
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
        // What needs a resource to be there.
        of(
            "different-cache-scopes",
            |second: &str| {
                let page = |scope: &str, cursor: Value| {
                    let page = json!({ "tools": [], "ttlMs": 1, "cacheScope": scope });
                    result(with(&page, json!({ "nextCursor": cursor })))
                };
                let pages = vec![
                    page("private", json!("2")),
                    page(second, Value::Null),
                ];
                Server::stateless().on_each("tools/list", pages)
            },
            "public",
            "private",
        ),
        of(
            "missing-elicitations",
            |data: Value| {
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
            |contents: Value| {
                Server::new()
                    .declares(json!({ "tools": {}, "resources": {} }))
                    .on("resources/read", result(contents))
                    .then(Act::Run(reading("a:/b")))
            },
            json!({}),
            json!({ "contents": [{ "uri": "a:/b", "text": "t" }] }),
        ),
        of(
            "bad-meta-key",
            meta,
            json!({ "a b": 1 }),
            json!({ "example.org/a": 1 }),
        ),
        of(
            "falling-progress",
            says_all,
            [progress(r#""progress":2"#), progress(r#""progress":1"#)],
            [progress(r#""progress":1"#), progress(r#""progress":2"#)],
        ),
    ];
    let tools = "toolsListChanged";
    let cancelled = |id: &str| notification("cancelled", &format!(r#"{{"requestId":{id}}}"#));
    let misplaced = |method| notification(method, r#"{"level":"info","data":"a",{about}}"#);
    let tables = [
        // The opening.
        each(
            opening,
            json!([
                ["bad-protocol-version", { "protocolVersion": "latest" }, { "protocolVersion": "2025-06-18" }],
                ["bad-capabilities", { "capabilities": null }, { "capabilities": {} }],
                ["bad-server-info", { "serverInfo": { "version": "1" } }, {}],
                ["empty-server-info", { "serverInfo": { "name": " ", "version": "1" } }, {}],
                ["bad-instructions", { "instructions": 7 }, { "instructions": "Call t." }],
            ]),
        ),
        each(
            says_after,
            json!([
                ["late-progress", progress(r#""progress":1"#), none],
                ["duplicate-response", DONE, none],
            ]),
        ),
        each(
            logs,
            json!([
                [
                    "secret-in-log",
                    format!(r#"{{"level":"info","data":"{key}"}}"#),
                    log
                ],
                ["bad-log-level", r#"{"level":"loud","data":"a"}"#, log],
            ]),
        ),
        // Subscriptions of stateless sessions: what they acknowledge, and say.
        each(
            subscribed,
            json!([
                [
                    "not-acknowledged-first",
                    ["", about_tools("{{about}}")],
                    [tools, about_tools("{{about}}")]
                ],
                [
                    "acknowledged-too-much",
                    ["promptsListChanged", ""],
                    [tools, ""]
                ],
                [
                    "wrong-subscription-id",
                    [tools, about_tools("{}")],
                    [tools, about_tools("{{about}}")]
                ],
                [
                    "unknown-cancellation",
                    [tools, cancelled("777")],
                    [tools, cancelled("{id}")]
                ],
                [
                    "misplaced-notification",
                    [tools, misplaced("message")],
                    [tools, misplaced("tools/list_changed")]
                ],
            ]),
        ),
        each(
            says::<String>,
            json!([
                // JSON-RPC.
                ["invalid-json", r#"{"jsonrpc":"2.0","#, none],
                ["invalid-message", r#"{"jsonrpc":"2.0"}"#, none],
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
                    "bad-id",
                    r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                    r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
                ],
                ["batch-not-allowed", format!("[{none}]"), none.to_owned()],
                [
                    "unknown-response-id",
                    r#"{"jsonrpc":"2.0","id":999,"result":{}}"#,
                    none
                ],
                [
                    "notification-with-id",
                    r#"{"jsonrpc":"2.0","id":7,"method":"notifications/unheard-of"}"#,
                    none
                ],
                // Notifications.
                [
                    "unknown-progress-token",
                    notification("progress", r#"{"progressToken":"none","progress":1}"#),
                    progress(r#""progress":1"#)
                ],
                [
                    "progress-token-type",
                    notification("progress", r#"{"progressToken":"{token}","progress":1}"#),
                    progress(r#""progress":1"#)
                ],
                [
                    "bad-progress",
                    progress(r#""progress":"half""#),
                    progress(r#""progress":1"#)
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
                ["response-id-type", other_id, DONE],
            ]),
        ),
        each(
            stateless,
            json!([
                // What only stateless servers must not do.
                ["missing-result-type", { "content": [] }, { "content": [], "resultType": "complete" }],
                ["bad-result-type",
                    { "content": [], "resultType": "odd" },
                    { "content": [], "resultType": "complete" }],
            ]),
        ),
        each(
            discovery,
            json!([
                ["missing-server-info", { "_meta": null }, {}],
                ["misplaced-server-info",
                    { "_meta": null, "serverInfo": { "name": "a", "version": "1" } },
                    {}],
                ["bad-cache-hints", { "ttlMs": -1 }, {}],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}

//! Capabilities declared on the wire, and refusals of requests for undeclared ones.

use super::{stateless::options, stateless_operations::tool, *};
use crate::{
    ClientCapabilities, ElicitationCapability, EraChoice, Root, RootsCapability,
    SamplingCapability, declaration,
};

const META: &str = "io.modelcontextprotocol/clientCapabilities";

/// Everything there is, some of it in part.
fn some() -> ClientCapabilities {
    ClientCapabilities {
        elicitation: Some(ElicitationCapability {
            form: false,
            url: true,
        }),
        sampling: Some(SamplingCapability {
            context: true,
            tools: false,
        }),
        roots: Some(RootsCapability {
            list: Vec::new(),
            list_changed: false,
        }),
        tasks: false,
        request_tasks: false,
        extensions: vec![("a/b".to_owned(), r#"{"n": 9007199254740993}"#.to_owned())],
    }
}

fn declaring(era: EraChoice, capabilities: ClientCapabilities) -> SessionOptions {
    let mut options = options(era);
    options.client = Implementation::new("claude-code", "2.1.0");
    options.capabilities = capabilities;
    options
}

/// The session after a handshake, and the `params` of its `initialize`.
async fn shaken(capabilities: ClientCapabilities) -> (Bench, String) {
    let mut bench = Bench::with(declaring(EraChoice::Handshake, capabilities), 1_000);
    bench.opening().await;
    let (_, request) = bench.message().await;
    let result = welcome(Revision::NEWEST_HANDSHAKE, "{}");
    bench.say(answer(&request["id"], &result)).await;
    bench.become_ready().await;
    (bench, request["params"].to_string())
}

#[test]
fn the_extension_for_tasks_is_declared_to_stateless_servers_alone() {
    let told = |tasks, extensions: &[(&str, &str)], revision| {
        let extensions = extensions.iter();
        let capabilities = ClientCapabilities {
            tasks,
            extensions: extensions
                .map(|(name, settings)| ((*name).to_owned(), (*settings).to_owned()))
                .collect(),
            ..ClientCapabilities::default()
        };
        declaration(revision, &declaring(EraChoice::Automatic, capabilities))
    };
    let name = "io.modelcontextprotocol/tasks";
    let [old, new] = [Revision::NEWEST_HANDSHAKE, Revision::NEWEST_STATELESS];
    assert!(told(true, &[], new).contains(r#""extensions":{"io.modelcontextprotocol/tasks":{}}"#));
    assert!(!told(true, &[], old).contains(name));
    assert!(!told(false, &[], new).contains(name));
    // Settings that were typed take precedence.
    let typed = told(true, &[(name, r#"{"a":1}"#)], new);
    assert!(typed.contains(r#"/tasks":{"a":1}}"#), "{typed}");
}

#[tokio::test(start_paused = true)]
async fn a_handshake_declares_what_was_chosen() {
    let sent = |capabilities: &str| {
        format!(
            r#"{{"protocolVersion":"{}","capabilities":{capabilities},"clientInfo":{{"name":"claude-code","version":"2.1.0"}}}}"#,
            Revision::NEWEST_HANDSHAKE
        )
    };
    for (capabilities, expected) in [
        (ClientCapabilities::default(), "{}"),
        (
            some(),
            r#"{"elicitation":{"url":{}},"sampling":{"context":{}},"roots":{},"extensions":{"a/b":{"n":9007199254740993}}}"#,
        ),
    ] {
        let told = declaration(
            Revision::NEWEST_HANDSHAKE,
            &declaring(EraChoice::Handshake, capabilities.clone()),
        );
        let (_, params) = shaken(capabilities).await;
        let [told, params, expected] =
            [told, params, sent(expected)].map(|text| text.replace(": ", ":"));
        assert_eq!(params, expected);
        assert_eq!(told, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn every_stateless_request_declares_what_was_chosen() {
    for (capabilities, expected) in [
        (ClientCapabilities::default(), "{}"),
        (
            some(),
            r#"{"elicitation":{"url":{}},"sampling":{"context":{}},"roots":{},"extensions":{"a/b":{"n":9007199254740993}}}"#,
        ),
    ] {
        let options = declaring(EraChoice::Stateless, capabilities);
        let told: Value =
            serde_json::from_str(&declaration(Revision::NEWEST_STATELESS, &options)).unwrap();
        let mut options = options;
        options.era = EraChoice::Automatic;
        let mut bench = Bench::stateless_with(Carrier::Http, "{}", options).await;
        let (_, message) = bench.start(1, tool("t", "{}")).await;
        let meta = &message["params"]["_meta"];
        assert_eq!(meta[META].to_string(), expected);
        assert_eq!(
            meta["io.modelcontextprotocol/clientInfo"]["name"],
            "claude-code"
        );
        for (name, value) in told.as_object().unwrap() {
            assert_eq!(&meta[name], value, "{name}");
        }
        assert_eq!(told.as_object().unwrap().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_handshake_did_not_declare_is_refused_and_found() {
    let (mut bench, _) = shaken(ClientCapabilities::default()).await;
    for (method, params, code, found) in [
        ("elicitation/create", "{}", -32601, true),
        ("sampling/createMessage", "{}", -32601, true),
        ("roots/list", "{}", -32601, true),
        ("tasks/list", "{}", -32601, true),
        ("tasks/other", "{}", -32601, false),
    ] {
        assert_refused(&mut bench, method, params, code, found).await;
    }
    let (mut bench, _) = shaken(some()).await;
    for (method, params) in [
        (
            "elicitation/create",
            r#"{"message":"m","requestedSchema":{}}"#,
        ),
        ("elicitation/create", r#"{"mode":"voice"}"#),
        ("sampling/createMessage", r#"{"messages":[],"tools":[]}"#),
        (
            "sampling/createMessage",
            r#"{"messages":[],"toolChoice":{}}"#,
        ),
    ] {
        assert_refused(&mut bench, method, params, -32602, true).await;
    }
    bench.request(7, "roots/list", "{}").await;
    assert_eq!(bench.sent().await["result"].to_string(), r#"{"roots":[]}"#);
    // Its changes were not declared, so it is not told of them, and gets them when it asks.
    let root = Root {
        uri: "file:///a".to_owned(),
        name: None,
    };
    bench.handle.set_roots(vec![root]).await.unwrap();
    bench.request(8, "roots/list", "{}").await;
    let sent = bench.sent().await;
    assert_eq!(sent["result"]["roots"][0]["uri"], "file:///a", "{sent}");
}

async fn assert_refused(bench: &mut Bench, method: &str, params: &str, code: i64, found: bool) {
    let seq = bench.request(7, method, params).await;
    let sent = bench.sent().await;
    assert_eq!(sent["error"]["code"], code, "{method} {params}");
    let codes = bench.notes.codes(seq);
    assert_eq!(
        codes.contains(&"undeclared-capability"),
        found,
        "{method} {params}: {codes:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_stateless_request_did_not_declare_is_found_and_left_to_the_user() {
    let options = declaring(EraChoice::Automatic, some());
    let mut bench = Bench::stateless_with(Carrier::Http, "{}", options).await;
    let (outgoing, first) = bench.start(1, tool("t", "{}")).await;
    let asks = r#"{"resultType":"input_required","inputRequests":{"f":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}},"s":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}},"u":{"method":"elicitation/create","params":{"mode":"url","url":"https://a.example"}}}}"#;
    let seq = bench
        .reply(&outgoing, 200, answer(&first["id"], asks))
        .await;
    bench.input_required(1, 1).await;
    for (key, declared) in [("f", false), ("s", false), ("u", true)] {
        let request = bench.server_request().await;
        assert_eq!(
            (request.key.as_deref(), request.declared),
            (Some(key), declared)
        );
        // The card says by itself what was not declared.
        assert!(request.findings.is_empty(), "{:?}", request.findings);
    }
    let codes = bench.notes.codes(seq);
    let found = codes
        .iter()
        .filter(|code| **code == "undeclared-capability");
    assert_eq!(found.count(), 2, "{codes:?}");
}

//! The server over standard input and output.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod peer;

use std::collections::BTreeSet;

use peer::{Server, initialize};
use serde_json::{Value, json};

#[test]
fn content_has_the_kinds_that_the_revision_knows() {
    for (version, unknown) in [
        ("2024-11-05", &["audio", "resource_link"][..]),
        ("2025-03-26", &["resource_link"]),
        ("2025-06-18", &[]),
        ("2025-11-25", &[]),
    ] {
        let mut server = Server::start(&[]);
        server.send(&initialize(version).to_string());
        server.receive();
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let result = server.call("morning_round", &json!({}));
        let (prompt, _) = server.ask(1, "prompts/get", &json!({ "name": "hand_over_the_watch" }));
        let messages = prompt["result"]["messages"].as_array().unwrap();
        for blocks in [
            result["content"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>(),
            messages.iter().map(|message| &message["content"]).collect(),
        ] {
            for kind in ["image", "audio", "resource_link", "resource"] {
                let is_there = blocks.iter().any(|block| block["type"] == kind);
                assert_ne!(is_there, unknown.contains(&kind), "{kind} in {version}");
            }
        }
    }
}

#[test]
fn every_tool_says_what_it_is_and_what_it_does_to_the_world() {
    let mut server = Server::ready(&[]);
    let (answer, _) = server.ask(1, "tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    assert_eq!(answer["result"].get("nextCursor"), None);
    let names: BTreeSet<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), tools.len(), "names are unique");
    for tool in tools {
        for text in ["title", "description"] {
            assert!(!tool[text].as_str().unwrap().is_empty(), "{tool}");
        }
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint} of {tool}");
        }
        assert_eq!(tool["annotations"]["openWorldHint"], false);
    }
    let with_hint = |hint: &str, value: bool| -> Vec<&str> {
        let fits = |tool: &&Value| tool["annotations"][hint] == json!(value);
        tools
            .iter()
            .filter(fits)
            .map(|tool| tool["name"].as_str().unwrap())
            .collect()
    };
    assert_eq!(with_hint("destructiveHint", true), ["blow_fuse"]);
    assert_eq!(
        with_hint("readOnlyHint", false),
        ["write_logbook", "boathouse_doors", "blow_fuse"]
    );
}

#[test]
fn every_listed_tool_answers_its_defaults() {
    let mut server = Server::ready(&["--tools", "2"]);
    let quick = json!({
        "climb_tower": { "pause_ms": 0 },
        "scan_horizon": { "pause_ms": 0 },
        "listen_to_radio": { "pause_ms": 0 },
        "polish_lens": { "seconds": 1 },
        "salvage_wreck": { "seconds": 1 },
        "write_logbook": { "entry": "All is well." },
        "plan_voyage": { "ship": { "name": "Tern" } },
    });
    for name in server.tool_names() {
        if name == "blow_fuse" {
            continue;
        }
        let arguments = quick.get(&name).cloned().unwrap_or(json!({}));
        let (answer, _) = server.ask(
            1,
            "tools/call",
            &json!({ "name": name, "arguments": arguments }),
        );
        match name.as_str() {
            // A task only, where there are such.
            "survey_reef" => assert_eq!(answer["error"]["code"], -32_601),
            "call_wrong_number" => assert_eq!(answer["error"]["code"], -32_050),
            "open_rusty_door" => assert_eq!(answer["result"]["isError"], true),
            _ => assert_eq!(answer["result"]["isError"], false, "{name}: {answer}"),
        }
    }
}

#[test]
fn ten_thousand_items_of_each_kind_are_listed_page_by_page_and_used() {
    let count = "10000";
    let mut server = Server::ready(&[
        "--tools",
        count,
        "--resources",
        count,
        "--prompts",
        count,
        "--page",
        "999",
    ]);
    for (method, items, id, begin) in [
        ("tools/list", "tools", "name", "read_buoy_"),
        (
            "resources/list",
            "resources",
            "uri",
            "lighthouse://gull-rock/buoys/",
        ),
        ("prompts/list", "prompts", "name", "ask_about_buoy_"),
    ] {
        let mut names = BTreeSet::new();
        let mut cursor = None::<String>;
        let mut pages = 0;
        loop {
            let params = cursor
                .take()
                .map_or(json!({}), |cursor| json!({ "cursor": cursor }));
            let (answer, _) = server.ask(1, method, &params);
            let page = answer["result"][items].as_array().unwrap();
            assert!(page.len() <= 999);
            names.extend(
                page.iter()
                    .map(|item| item[id].as_str().unwrap().to_owned()),
            );
            pages += 1;
            match answer["result"].get("nextCursor") {
                Some(next) => cursor = Some(next.as_str().unwrap().to_owned()),
                None => break,
            }
        }
        let generated = names.iter().filter(|name| name.starts_with(begin));
        assert_eq!((generated.count(), pages), (10_000, 11), "{method}");
        let (refused, _) = server.ask(2, method, &json!({ "cursor": "elsewhere" }));
        assert_eq!(refused["error"]["code"], -32_602, "{method}");
    }
    let buoy = server.call("read_buoy_10000", &json!({}));
    let says = |value: &Value, begin: &str| {
        assert!(value.as_str().unwrap().starts_with(begin), "{value}");
    };
    says(&buoy["content"][0]["text"], "Buoy 10000:");
    let card = json!({ "uri": "lighthouse://gull-rock/buoys/10000" });
    let (answer, _) = server.ask(3, "resources/read", &card);
    says(&answer["result"]["contents"][0]["text"], "Buoy 10000:");
    let (answer, _) = server.ask(4, "prompts/get", &json!({ "name": "ask_about_buoy_10000" }));
    says(
        &answer["result"]["messages"][0]["content"]["text"],
        "What is buoy 10000 for",
    );
}

#[test]
fn only_known_resources_are_subscribed_to_and_only_until_the_end() {
    let uri = "lighthouse://gull-rock/logbook";
    let write = json!({ "name": "write_logbook", "arguments": { "entry": "Gale." } });
    let mut server = Server::ready(&[]);
    let (unknown, _) = server.ask(1, "resources/subscribe", &json!({ "uri": "elsewhere:/" }));
    assert!(unknown["error"]["code"].is_i64(), "{unknown}");
    let (subscribed, _) = server.ask(2, "resources/subscribe", &json!({ "uri": uri }));
    assert_eq!(subscribed["result"], json!({}));
    server.ask(3, "resources/unsubscribe", &json!({ "uri": uri }));
    let (_, before) = server.ask(4, "tools/call", &write);
    let (_, later) = server.ask(5, "ping", &json!({}));
    assert_eq!([before, later].concat(), Vec::<Value>::new());

    let listen = json!({
        "notifications": { "resourceSubscriptions": [uri, "elsewhere:/"] },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {}
        }
    });
    let mut server = Server::start(&[]);
    server.send(
        &json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listen })
            .to_string(),
    );
    let acknowledged = &server.receive()["params"]["notifications"];
    assert_eq!(acknowledged["resourceSubscriptions"], json!([uri]));
}

#[test]
fn closing_its_input_ends_it_even_in_the_middle_of_work() {
    let mut server = Server::busy();
    server.close_stdin();
    assert!(server.ended().0.success());
}

#[test]
fn closing_its_input_before_the_handshake_is_no_failure() {
    let mut server = Server::start(&[]);
    server.close_stdin();
    let (status, stdout, stderr) = server.ended();
    assert!(status.success(), "{stderr:?}");
    assert!(
        stdout.is_empty() && stderr.is_empty(),
        "{stdout:?} {stderr:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_termination_signal_ends_it_in_order() {
    let server = Server::busy();
    server.terminate();
    let (status, _, stderr) = server.ended();
    assert!(status.success(), "{status:?} {stderr:?}");
}

#[test]
fn a_wrong_command_line_is_explained() {
    let (status, stdout, stderr) = Server::start(&["--colour"]).ended();
    assert_eq!(status.code(), Some(2));
    assert!(stdout.is_empty());
    assert!(stderr[0].contains("'--colour'"), "{stderr:?}");
}

#[test]
fn clients_without_a_handshake_get_what_each_request_asks_for() {
    let mut server = Server::start(&[]);
    let with = |mut params: Value, level: Option<&str>| {
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {}
        });
        if let Some(level) = level {
            meta["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        params["_meta"] = meta;
        params
    };
    let (discovered, _) = server.ask(1, "server/discover", &with(json!({}), None));
    let versions = discovered["result"]["supportedVersions"]
        .as_array()
        .unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");

    let radio = json!({ "name": "listen_to_radio", "arguments": { "pause_ms": 0 } });
    let (_, silent) = server.ask(2, "tools/call", &with(radio.clone(), None));
    assert_eq!(silent, Vec::<Value>::new());
    let (_, urgent) = server.ask(3, "tools/call", &with(radio, Some("alert")));
    assert_eq!(urgent.len(), 2);

    let listen = with(
        json!({ "notifications": { "toolsListChanged": true } }),
        None,
    );
    let request =
        json!({ "jsonrpc": "2.0", "id": 4, "method": "subscriptions/listen", "params": listen });
    server.send(&request.to_string());
    let acknowledged = server.receive();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    let doors = with(
        json!({ "name": "boathouse_doors", "arguments": { "open": true } }),
        None,
    );
    let (_, before) = server.ask(5, "tools/call", &doors);
    let change = before
        .into_iter()
        .next()
        .unwrap_or_else(|| server.receive());
    assert_eq!(change["method"], "notifications/tools/list_changed");
    assert_eq!(
        change["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        4
    );
}

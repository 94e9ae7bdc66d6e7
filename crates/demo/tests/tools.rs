//! Wire messages of each tool.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod peer;

use peer::{LEVELS, Server, initialize};
use serde_json::{Value, json};

/// Starts a server and shakes hands as a client with these capabilities.
fn declaring(capabilities: &Value) -> Server {
    let mut server = Server::start(&[]);
    let mut hello = initialize("2025-11-25");
    hello["params"]["capabilities"] = capabilities.clone();
    server.send(&hello.to_string());
    server.receive();
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    server
}

#[test]
fn a_client_is_asked_only_for_what_it_declares() {
    let mut server = Server::ready(&[]);
    for name in ["visit_office", "compose_verse", "list_folders"] {
        let (answer, before) = server.ask(1, "tools/call", &json!({ "name": name }));
        assert!(
            before.is_empty() && answer["result"]["isError"] == false,
            "{answer}"
        );
    }
    // Tools are only for a client that declares them.
    let mut server = declaring(&json!({ "sampling": {} }));
    server.send(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compose_verse"}}"#,
    );
    let question = server.receive();
    assert_eq!(question["method"], "sampling/createMessage", "{question}");
    assert_eq!(question["params"]["tools"], Value::Null);
}

#[test]
fn a_client_without_forms_is_not_asked() {
    for declared in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let mut server = declaring(&declared);
        server.send(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hail_pilot"}}"#,
        );
        let answer = server.receive();
        assert_eq!(answer["result"]["isError"], false, "{declared}: {answer}");
    }
    // Nor is one of a stateless revision.
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let mut stateless = Server::start(&[]);
    let ask = |server: &mut Server, meta: &Value, more: Value| {
        let mut params = json!({ "name": "hail_pilot", "_meta": meta });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        server.ask(1, "tools/call", &params).0["result"].clone()
    };
    stateless.ask(0, "server/discover", &json!({ "_meta": meta }));
    let answer = ask(&mut stateless, &meta, json!({}));
    assert_eq!(answer["isError"], false, "{answer}");
    // One that shows forms gets the question as the result, and asks again with the answer.
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
    let question = ask(&mut stateless, &meta, json!({}));
    assert_eq!(question["resultType"], "input_required", "{question}");
    let asked = &question["inputRequests"]["question"];
    assert_eq!(asked["method"], "elicitation/create");
    let accepted = json!({ "action": "accept", "content": { "ship": "Tern", "length": 12 } });
    let answers = json!({ "inputResponses": { "question": accepted } });
    let answer = ask(&mut stateless, &meta, answers);
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("comes aboard the Tern"), "{text}");
}

#[test]
fn log_messages_cover_all_levels_and_obey_the_one_asked_for() {
    let mut server = Server::ready(&[]);
    let radio = json!({ "name": "listen_to_radio", "arguments": { "pause_ms": 0 } });
    let levels = |messages: &[Value]| -> Vec<String> {
        messages
            .iter()
            .map(|message| message["params"]["level"].as_str().unwrap().into())
            .collect()
    };
    let (_, before) = server.ask(1, "tools/call", &radio);
    assert_eq!(levels(&before), LEVELS);
    let (answer, _) = server.ask(2, "logging/setLevel", &json!({ "level": "critical" }));
    assert!(answer.get("error").is_none(), "{answer}");
    let (_, before) = server.ask(3, "tools/call", &radio);
    assert_eq!(levels(&before), LEVELS[5..]);

    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let params = json!({ "level": "critical", "_meta": meta });
    let (refused, _) = Server::start(&[]).ask(4, "logging/setLevel", &params);
    assert_eq!(refused["error"]["code"], -32_601, "{refused}");
}

#[test]
fn a_storm_skips_no_log_message_and_keeps_their_order() {
    let mut server = Server::ready(&[]);
    let storm = json!({ "name": "ride_out_storm", "arguments": { "progress": 0, "logs": 2_000 } });
    let (_, before) = server.ask(1, "tools/call", &storm);
    let logs = before
        .iter()
        .map(|message| message["params"]["data"].clone());
    assert!(logs.eq((1..=2_000).map(|gust| format!("Gust {gust} of 2000"))));
}

#[test]
fn links_say_what_reading_gives() {
    let mut server = Server::ready(&[]);
    let links = server.call("find_charts", &json!({}))["content"].clone();
    let mut sizes = 0;
    for link in links.as_array().unwrap() {
        let (read, _) = server.ask(1, "resources/read", &json!({ "uri": link["uri"] }));
        let contents = read["result"]["contents"].as_array().unwrap();
        if link["name"] == "charts" {
            assert_eq!(contents.len(), 3, "{read}");
            continue;
        }
        assert_eq!(contents[0]["uri"], link["uri"], "{read}");
        assert_eq!(contents[0]["mimeType"], link["mimeType"], "{read}");
        if let (Some(size), Some(text)) = (link["size"].as_u64(), contents[0]["text"].as_str()) {
            assert_eq!(size, text.len() as u64, "{read}");
            sizes += 1;
        }
    }
    assert!(sizes > 0, "{links}");
}

#[test]
fn a_crash_leaves_its_last_words_and_its_code() {
    let mut server = Server::ready(&[]);
    server.send(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"blow_fuse","arguments":{"code":42}}}"#,
    );
    let (status, stdout, stderr) = server.ended();
    assert_eq!(status.code(), Some(42));
    assert_eq!(stdout, Vec::<String>::new());
    assert_eq!(stderr.len(), 3);
    assert!(stderr[2].ends_with("fuse blown, lights out (exit code 42)"));
}

#[test]
fn complaints_go_to_standard_error_only() {
    let mut server = Server::ready(&[]);
    server.call("shout_to_engine_room", &json!({ "lines": 300 }));
    server.close_stdin();
    let (status, stdout, stderr) = server.ended();
    assert!(status.success());
    assert_eq!((stdout.len(), stderr.len()), (0, 300));
    assert_eq!(
        stderr[299],
        "engine room: line 300 of 300: more steam, please"
    );
}

#[test]
fn a_stateless_client_that_knows_tasks_gets_one() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {},
            "extensions": { "io.modelcontextprotocol/tasks": {} }
        }
    });
    let mut server = Server::start(&[]);
    let mut asked = 0;
    let mut ask = |method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        asked += 1;
        server.ask(asked, method, &params).0["result"].clone()
    };
    let discovered = ask("server/discover", json!({}));
    let extensions = &discovered["capabilities"]["extensions"];
    assert_eq!(
        extensions["io.modelcontextprotocol/tasks"],
        json!({}),
        "{discovered}"
    );
    assert_eq!(extensions["io.modelcontextprotocol/ui"], json!({}));
    let call = json!({ "name": "salvage_wreck", "arguments": { "seconds": 1 } });
    let task = ask("tools/call", call);
    assert_eq!(
        (&task["resultType"], &task["status"]),
        (&json!("task"), &json!("working"))
    );
    let id = json!({ "taskId": task["taskId"] });
    // It asks at once, since it takes no more than a second.
    let mut question = ask("tasks/get", id.clone());
    while question["status"] == "working" {
        question = ask("tasks/get", id.clone());
    }
    assert_eq!(
        question["inputRequests"]["cargo"]["method"], "elicitation/create",
        "{question}"
    );
    let reply = json!({ "action": "accept", "content": { "cargo": "Keep it" } });
    let mut update = id.clone();
    update["inputResponses"] = json!({ "cargo": reply });
    ask("tasks/update", update);
    let mut end = ask("tasks/get", id.clone());
    while end["status"] != "completed" {
        end = ask("tasks/get", id.clone());
    }
    let said = end["result"]["content"][0]["text"].as_str().unwrap();
    assert!(said.ends_with("The bells are yours."), "{end}");

    // Another is cancelled.
    let call = json!({ "name": "salvage_wreck", "arguments": { "seconds": 300, "ask": false } });
    let id = json!({ "taskId": ask("tools/call", call)["taskId"] });
    ask("tasks/cancel", id.clone());
    let mut end = ask("tasks/get", id.clone());
    while end["status"] == "working" {
        end = ask("tasks/get", id.clone());
    }
    assert_eq!(end["status"], "cancelled");
}

#[test]
fn a_client_that_does_not_declare_tasks_is_told_so() {
    let meta = |extensions: Value| {
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": { "extensions": extensions }
        })
    };
    let declared = meta(json!({ "io.modelcontextprotocol/tasks": {} }));
    let mut server = Server::start(&[]);
    let call = json!({ "name": "survey_reef", "arguments": { "seconds": 300 }, "_meta": declared });
    let task = server.ask(1, "tools/call", &call).0["result"]["taskId"].clone();
    assert!(task.is_string(), "{task}");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = |meta: &Value| json!({ "taskId": task, "inputResponses": {}, "_meta": meta });
        let refused = server.ask(2, method, &params(&meta(json!({})))).0;
        assert_eq!(refused["error"]["code"], -32_021, "{method}: {refused}");
        let required = &refused["error"]["data"]["requiredCapabilities"]["extensions"];
        assert!(
            required["io.modelcontextprotocol/tasks"].is_object(),
            "{refused}"
        );
        let answered = server.ask(3, method, &params(&declared)).0;
        assert!(answered["result"].is_object(), "{method}: {answered}");
    }
    // What a version does not know is left alone.
    let asked = json!({ "name": "say_hello", "arguments": {}, "task": {}, "_meta": declared });
    let greeted = server.ask(5, "tools/call", &asked).0;
    assert_eq!(greeted["result"]["isError"], false, "{greeted}");
    // Such a client waits for the answer.
    let plain =
        json!({ "name": "survey_reef", "arguments": { "seconds": 1 }, "_meta": meta(json!({})) });
    let answered = server.ask(4, "tools/call", &plain).0;
    assert_eq!(answered["result"]["isError"], false, "{answered}");
}

#[test]
fn after_a_handshake_tasks_are_asked_for_listed_told_of_and_cancelled() {
    let mut server = Server::ready(&["--page", "1"]);
    // `--page` cuts all lists.
    let support: Vec<_> = server
        .all("tools/list", "tools")
        .into_iter()
        .filter(|tool| tool["execution"].is_object())
        .map(|tool| (tool["name"].clone(), tool["execution"].clone()))
        .collect();
    assert_eq!(
        support,
        [
            (json!("salvage_wreck"), json!({ "taskSupport": "optional" })),
            (json!("survey_reef"), json!({ "taskSupport": "required" })),
        ]
    );
    let begin = |server: &mut Server, seconds: u64| {
        let call = json!({ "name": "survey_reef", "arguments": { "seconds": seconds }, "task": { "ttl": 60_000 } });
        let task = server.ask(1, "tools/call", &call).0["result"]["task"].clone();
        assert_eq!(task["status"], "working", "{task}");
        json!({ "taskId": task["taskId"] })
    };
    let (short, long) = (begin(&mut server, 1), begin(&mut server, 300));
    let listed: Vec<_> = server
        .all("tasks/list", "tasks")
        .iter()
        .map(|task| task["taskId"].clone())
        .collect();
    assert_eq!(listed, [short["taskId"].clone(), long["taskId"].clone()]);
    let told = server.receive();
    assert_eq!(told["method"], "notifications/tasks/status");
    assert_eq!(
        (&told["params"]["taskId"], &told["params"]["status"]),
        (&short["taskId"], &json!("completed"))
    );
    assert!(told["params"]["ttl"].is_u64() && told["params"]["pollInterval"].is_u64());
    let result = server.ask(2, "tasks/result", &short).0;
    let related = &result["result"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(related["taskId"], short["taskId"], "{result}");
    let cancelled = server.ask(3, "tasks/cancel", &long).0;
    assert_eq!(cancelled["result"]["status"], "cancelled", "{cancelled}");
    assert_eq!(cancelled["result"]["taskId"], long["taskId"]);
    let refused = server.ask(3, "tasks/cancel", &short).0;
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
    // A tool without support, and one that has to be a task.
    let task = json!({ "name": "say_hello", "arguments": {}, "task": {} });
    assert_eq!(
        server.ask(4, "tools/call", &task).0["error"]["code"],
        -32_601
    );
    let plain = json!({ "name": "survey_reef", "arguments": {} });
    assert_eq!(
        server.ask(5, "tools/call", &plain).0["error"]["code"],
        -32_601
    );

    // The versions before have no tasks: the tool is one like any other.
    let mut server = Server::start(&[]);
    server.send(&initialize("2025-06-18").to_string());
    let capabilities = server.receive()["result"]["capabilities"].clone();
    assert!(capabilities["tasks"].is_null(), "{capabilities}");
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(
        server.call("survey_reef", &json!({ "seconds": 1 }))["isError"],
        false
    );
    let asked = json!({ "name": "salvage_wreck", "arguments": { "seconds": 1 }, "task": {} });
    let answered = server.ask(5, "tools/call", &asked).0;
    assert_eq!(answered["result"]["isError"], false, "{answered}");
    let listed = server.ask(6, "tasks/list", &json!({})).0;
    assert_eq!(listed["error"]["code"], -32_601, "{listed}");
}

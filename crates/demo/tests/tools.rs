//! Wire messages of each tool.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod peer;

use peer::{LEVELS, Server, initialize};
use serde_json::{Value, json};

#[test]
fn each_kind_of_content_arrives_whole() {
    let mut server = Server::ready(&[]);
    let first =
        |server: &mut Server, tool: &str| server.call(tool, &json!({}))["content"][0].clone();

    let hello = server.call("say_hello", &json!({ "name": "Ada" }));
    assert!(
        hello["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Ada")
    );
    assert!(
        first(&mut server, "daily_report")["text"]
            .as_str()
            .unwrap()
            .starts_with("# Gull Rock")
    );

    let image = first(&mut server, "paint_view");
    assert_eq!(
        (&image["type"], &image["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    assert!(
        image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"),
        "the PNG signature"
    );

    let audio = first(&mut server, "sound_foghorn");
    assert_eq!(
        (&audio["type"], &audio["mimeType"]),
        (&json!("audio"), &json!("audio/wav"))
    );
    assert!(
        audio["data"].as_str().unwrap().starts_with("UklGR"),
        "the RIFF signature"
    );

    let document = first(&mut server, "read_logbook");
    assert_eq!(document["type"], "resource");
    assert!(
        document["resource"]["text"]
            .as_str()
            .unwrap()
            .starts_with("# Logbook")
    );

    let roll = first(&mut server, "fetch_barograph");
    assert!(!roll["resource"]["blob"].as_str().unwrap().is_empty());

    let links = server.call("find_charts", &json!({}))["content"].clone();
    for link in links.as_array().unwrap() {
        assert_eq!(link["type"], "resource_link");
        let (read, _) = server.ask(2, "resources/read", &json!({ "uri": link["uri"] }));
        let contents = &read["result"]["contents"];
        if link["name"] == "charts" {
            assert_eq!(contents.as_array().unwrap().len(), 3, "{read}");
            continue;
        }
        let contents = &contents[0];
        assert_eq!(contents["uri"], link["uri"], "{read}");
        assert_eq!(contents["mimeType"], link["mimeType"]);
        if let (Some(size), Some(text)) = (link["size"].as_u64(), contents["text"].as_str()) {
            assert_eq!(size, text.len() as u64);
        }
    }

    let mixed = server.call("morning_round", &json!({}))["content"].clone();
    let kinds: Vec<_> = mixed
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "text",
            "image",
            "audio",
            "resource_link",
            "resource",
            "text"
        ]
    );
}

#[test]
fn structured_content_is_a_table_and_also_text() {
    let mut server = Server::ready(&[]);
    let result = server.call("list_ships", &json!({ "kind": "ferry", "limit": 3 }));
    let ships = result["structuredContent"]["ships"].as_array().unwrap();
    assert_eq!(ships.len(), 3);
    assert!(ships.iter().all(|ship| ship["kind"] == "ferry"));
    assert_eq!(result["structuredContent"]["total"], 15);
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
}

#[test]
fn waves_are_a_series_of_numbers() {
    let mut server = Server::ready(&[]);
    let result = server.call("measure_waves", &json!({ "hours": 72 }));
    let readings = result["structuredContent"]["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 72);
    for (hour, reading) in (0..).zip(readings) {
        assert_eq!(reading["hour"], json!(hour));
        let metres = reading["waves"].as_f64().unwrap();
        assert!((0.5..4.0).contains(&metres), "{reading}");
        assert!(reading["wind"].as_f64().unwrap() > 0.0, "{reading}");
    }
    let refused = server.call("measure_waves", &json!({ "hours": 1 }));
    assert_eq!(refused["isError"], true);
}

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
fn the_pilot_asks_and_hears_the_answer() {
    let mut server = declaring(&json!({ "elicitation": {} }));
    let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"hail_pilot"}}"#;
    for (answer, words) in [
        (
            json!({ "action": "accept", "content": { "ship": "Tern", "length": 12, "tug": true } }),
            "comes aboard the Tern: 12 metres, a tug is on its way",
        ),
        (json!({ "action": "decline" }), "stays ashore"),
        (json!({ "action": "cancel" }), "goes back to her tea"),
    ] {
        server.send(call);
        let question = server.receive();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let form = &question["params"]["requestedSchema"];
        assert_eq!(form["required"], json!(["ship", "length"]));
        let fields: Vec<_> = form["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields, ["ship", "length", "flag", "tug"]);
        let response = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
        server.send(&response.to_string());
        let (said, _) = server.answer(7);
        assert_eq!(said["result"]["isError"], false, "{said}");
        let text = said["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_page_and_a_model_are_asked_for_where_they_are_declared() {
    let mut server =
        declaring(&json!({ "elicitation": { "url": {} }, "sampling": {}, "roots": {} }));
    let verse = json!({
        "role": "assistant",
        "content": { "type": "text", "text": "The sea is wide." },
        "model": "hand",
        "stopReason": "endTurn"
    });
    for (name, method, answer, words) in [
        (
            "visit_office",
            "elicitation/create",
            json!({ "action": "accept" }),
            "agreed to open",
        ),
        (
            "list_folders",
            "roots/list",
            json!({ "roots": [{ "uri": "file:///work", "name": "Work" }] }),
            "Work: `file:///work`",
        ),
        (
            "compose_verse",
            "sampling/createMessage",
            verse,
            "hand wrote:\n\nThe sea is wide.",
        ),
    ] {
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": name } });
        server.send(&call.to_string());
        let question = server.receive();
        assert_eq!(question["method"], method, "{question}");
        // Tools are only for a client that declares them.
        assert_eq!(question["params"]["tools"], Value::Null);
        if method == "elicitation/create" {
            let asked = &question["params"];
            assert_eq!(asked["mode"], "url");
            assert!(
                asked["elicitationId"]
                    .as_str()
                    .is_some_and(|id| !id.is_empty())
            );
        }
        let response = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
        server.send(&response.to_string());
        let (said, _) = server.answer(7);
        let text = said["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{text}");
    }
    // A client that declares neither is not asked.
    let mut other = Server::ready(&[]);
    for name in ["visit_office", "compose_verse", "list_folders"] {
        let (answer, before) = other.ask(1, "tools/call", &json!({ "name": name }));
        assert!(
            before.is_empty() && answer["result"]["isError"] == false,
            "{answer}"
        );
    }
}

/// Response of a model that looks at the sea first, and also uses an unknown tool.
fn looks_first() -> Value {
    let tool_use =
        |id: &str, name: &str| json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
    json!({
        "role": "assistant",
        "content": [tool_use("one", "look_at_sea"), tool_use("two", "look_at_moon")],
        "model": "hand",
        "stopReason": "toolUse"
    })
}

/// Checks that the second request to the model has the results of the first response's tools.
fn tells_what_was_seen(params: &Value) {
    let messages = params["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3, "{params}");
    assert_eq!(messages[1]["content"], looks_first()["content"]);
    let [seen, unknown] = messages[2]["content"].as_array().unwrap().as_slice() else {
        panic!("one result for each use: {params}");
    };
    assert_eq!(messages[2]["role"], "user");
    assert_eq!(
        (&seen["type"], &seen["toolUseId"]),
        (&json!("tool_result"), &json!("one"))
    );
    assert!(
        seen["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Grey and calm"),
        "{seen}"
    );
    assert_eq!(
        (&unknown["toolUseId"], &unknown["isError"]),
        (&json!("two"), &json!(true))
    );
}

#[test]
fn a_model_may_use_a_tool_for_its_verse() {
    let verse = json!({
        "role": "assistant",
        "content": { "type": "text", "text": "A grey swell." },
        "model": "hand"
    });
    let declared = json!({ "sampling": { "tools": {} } });
    let mut server = declaring(&declared);
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "compose_verse" } });
    server.send(&call.to_string());
    for answer in [looks_first(), verse.clone()] {
        let question = server.receive();
        let params = &question["params"];
        assert_eq!(params["tools"][0]["name"], "look_at_sea", "{question}");
        assert_eq!(params["toolChoice"]["mode"], "auto");
        if answer == verse {
            tells_what_was_seen(params);
        }
        let response = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
        server.send(&response.to_string());
    }
    let (said, _) = server.answer(7);
    let text = said["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, "hand wrote:\n\nA grey swell.");

    // Without a handshake the call ends with each question and comes again with the answer.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": declared
    });
    let mut stateless = Server::start(&[]);
    let mut ask = |answers: Value| {
        let params = json!({ "name": "compose_verse", "_meta": meta, "inputResponses": answers });
        stateless.ask(1, "tools/call", &params).0["result"].clone()
    };
    let first = ask(json!({}));
    assert_eq!(first["resultType"], "input_required", "{first}");
    let second = ask(json!({ "question": looks_first() }));
    tells_what_was_seen(&second["inputRequests"]["question"]["params"]);
    let last = ask(json!({ "question": verse }));
    assert_eq!(last["content"][0]["text"], "hand wrote:\n\nA grey swell.");
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
fn progress_carries_the_token_and_comes_before_the_result() {
    let mut server = Server::ready(&[]);
    for token in [json!("up"), json!(7), json!(9_007_199_254_740_993_u64)] {
        let params = json!({
            "name": "climb_tower",
            "arguments": { "landings": 4, "pause_ms": 0 },
            "_meta": { "progressToken": token }
        });
        let (answer, before) = server.ask(1, "tools/call", &params);
        assert_eq!(answer["result"]["isError"], false);
        assert_eq!(before.len(), 4);
        for (step, report) in (1_i32..).zip(&before) {
            assert_eq!(report["method"], "notifications/progress");
            let params = &report["params"];
            assert_eq!(params["progressToken"], token);
            assert_eq!(params["progress"].as_f64(), Some(f64::from(step)));
            assert_eq!(params["total"].as_f64(), Some(4.0));
            assert_eq!(params["message"], format!("Landing {step} of 4"));
        }
    }
    let params = json!({
        "name": "scan_horizon",
        "arguments": { "ships": 2, "pause_ms": 0 },
        "_meta": { "progressToken": "scan" }
    });
    let (_, before) = server.ask(2, "tools/call", &params);
    assert_eq!(before.len(), 2);
    assert!(
        before
            .iter()
            .all(|report| report["params"].get("total").is_none()),
        "{before:?}"
    );
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
fn the_logbook_is_written_and_read() {
    let mut server = Server::ready(&[]);
    server.call("write_logbook", &json!({ "entry": "A whale, close by." }));
    let page = server.call("read_logbook", &json!({}));
    let page = page["content"][0]["resource"]["text"].as_str().unwrap();
    assert!(page.contains("A whale, close by."), "{page}");
}

#[test]
fn failures_differ_as_the_protocol_says() {
    let mut server = Server::ready(&[]);
    let door = server.call("open_rusty_door", &json!({ "push": "firmly" }));
    assert_eq!(door["isError"], true);
    let wrong = server.call("climb_tower", &json!({ "landings": "many" }));
    assert_eq!(wrong["isError"], true);
    assert!(
        wrong["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("does not fit"),
        "{wrong}"
    );
    for arguments in [
        json!({ "landings": 0 }),
        json!({ "landings": 1001 }),
        json!({ "floors": 3 }),
    ] {
        let wrong = server.call("climb_tower", &arguments);
        assert_eq!(wrong["isError"], true, "{arguments}");
    }
    let wrong = server.call("open_rusty_door", &json!({ "push": "softly" }));
    let words = wrong["content"][0]["text"].as_str().unwrap();
    assert!(words.contains("none of the choices"), "{words}");

    let params = json!({ "name": "call_wrong_number", "arguments": { "code": -31_999 } });
    let (answer, _) = server.ask(1, "tools/call", &params);
    assert_eq!(answer["error"]["code"], -31_999);
    assert_eq!(answer["error"]["data"]["tries"], 2);
    let (answer, _) = server.ask(2, "tools/call", &json!({ "name": "no_such_tool" }));
    assert_eq!(answer["error"]["code"], -32_602);
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
fn large_answers_have_exactly_their_size() {
    let mut server = Server::ready(&[]);
    let almanac = server.call("print_almanac", &json!({ "bytes": 52_428_800 }));
    assert_eq!(
        almanac["content"][0]["text"].as_str().unwrap().len(),
        52_428_800
    );
    let catalogue = server.call("export_star_catalogue", &json!({ "nodes": 54_321 }));
    assert_eq!(nodes(&catalogue["structuredContent"]), 54_321);
    let refused = server.call("print_almanac", &json!({ "bytes": 52_428_801 }));
    assert_eq!(refused["isError"], true);
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(members) => members.values().map(nodes).sum(),
        _ => 0,
    }
}

#[test]
fn a_storm_skips_nothing_and_keeps_the_order() {
    let mut server = Server::ready(&[]);
    let params = json!({
        "name": "ride_out_storm",
        "arguments": { "progress": 3_000, "logs": 2_000 },
        "_meta": { "progressToken": 1 }
    });
    let (answer, before) = server.ask(1, "tools/call", &params);
    assert_eq!(answer["result"]["isError"], false);
    let progress: Vec<f64> = before
        .iter()
        .filter_map(|message| message["params"]["progress"].as_f64())
        .collect();
    let logs: Vec<&str> = before
        .iter()
        .filter_map(|message| message["params"]["data"].as_str())
        .collect();
    assert_eq!(progress, (1..=3_000).map(f64::from).collect::<Vec<_>>());
    assert_eq!(
        logs,
        (1..=2_000)
            .map(|gust| format!("Gust {gust} of 2000"))
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_voyage_is_repeated_as_it_was_sent() {
    let mut server = Server::ready(&[]);
    let arguments = concat!(
        r#"{"zebra":9007199254740993,"a":1.0,"half":2.50,"tiny":0.1000,"minus":-0,"#,
        r#""big":123456789012345678901234567890,"open":null,"empty":"","none":[],"nested":{"b":1,"a":[2,{"c":3.00}]}}"#
    );
    server.send(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"plan_voyage","arguments":{arguments}}}}}"#
    ));
    let line = server.line();
    let structured = format!(r#""structuredContent":{{"received":{arguments}}}"#);
    assert!(line.contains(&structured), "{line}");
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], arguments);

    let absent = server
        .ask(2, "tools/call", &json!({ "name": "plan_voyage" }))
        .0;
    assert_eq!(absent["result"]["isError"], true);
}

#[test]
fn the_voyage_schema_reaches_the_wire_with_its_digits() {
    let mut server = Server::ready(&[]);
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let line = server.line();
    for part in [
        r#""default":9007199254740993"#,
        r#""default":2.50"#,
        r#""$anchor":"position""#,
    ] {
        assert!(line.contains(part), "{part}");
    }
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

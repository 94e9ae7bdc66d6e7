//! Commands with one server.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Demo, Done, Sonde, demo, greeting, refusing, scripted, sonde};

/// Runs `sonde WORDS -- sonde-demo`.
fn on_demo(words: &str) -> Done {
    Sonde::new().words(words).command(&demo()).run()
}

#[test]
fn a_call_prints_its_result_over_both_transports_and_ways_of_the_protocol() {
    let http = Demo::http();
    for revision in ["auto", "2025-11-25", "2026-07-28"] {
        let greeting = greeting("Ada");
        let call = format!("say_hello name=Ada --revision {revision}");
        on_demo(&format!("call {call}")).expect(0, &greeting);
        sonde(&format!("call {} {call}", http.url)).expect(0, &greeting);
    }
}

#[test]
fn servers_come_from_the_list_of_the_app_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"version": 1, "servers": [
        {"id": "a", "name": "Demo server", "transport": {"type": "demo"}},
        {"id": "b", "name": "Unseen", "transport": {"type": "stdio", "command": "x", "args": []}},
    ]});
    fs::write(folder.path().join("servers.json"), list.to_string()).unwrap();
    let run = |words: &str| Sonde::new().data(folder.path()).words(words).run();
    run("call demo-server say_hello name=Bo").expect(0, &greeting("Bo"));
    let done = run("list");
    assert!(done.stdout.starts_with("Demo server  Built in"), "{done:?}");
    run("list unseen").expect_error(2, "was not confirmed yet");
    run("list elsewhere").expect_error(2, "Sonde's list has: Demo server, Unseen.");
    // What the program reads it leaves as it is.
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");

    let file = folder.path().join("mcp.json");
    let text = r#"{"mcpServers": {"light": {"command": "${DEMO_PROGRAM}", "args": []}}}"#;
    fs::write(&file, text).unwrap();
    let words = format!("call light say_hello name=Cy --config {}", file.display());
    let done = Sonde::new()
        .env("DEMO_PROGRAM", demo().to_str().unwrap())
        .words(&words)
        .run();
    done.expect(0, &greeting("Cy"));
    let list = format!("list --config {}", file.display());
    let done = Sonde::new().env("DEMO_PROGRAM", "demo").words(&list).run();
    assert!(done.stdout.starts_with("light  "), "{done:?}");
    sonde(&words).expect_error(2, "DEMO_PROGRAM is not set");
    fs::write(
        &file,
        r#"{"mcpServers": {"light": {"comand": "x"}, "lamp": {"command": "x"}}}"#,
    )
    .unwrap();
    let done = sonde(&list);
    done.expect_part(3, "lamp  x");
    assert!(done.stderr.contains("light: It has neither"), "{done:?}");
    fs::write(&file, "\n").unwrap();
    sonde(&list).expect_error(2, "mcp.json is empty.");
}

#[test]
fn a_value_of_the_environment_in_an_address_is_in_no_log_and_no_script() {
    let folder = tempfile::tempdir().unwrap();
    let [log, script] = ["log.jsonl", "load.js"].map(|name| folder.path().join(name));
    let http = Demo::http();
    let url = |key: &str| format!("{}?page=whole&key={key}", http.url);
    let of_client = json!({ "mcpServers": { "light": { "url": url("${KEY}") } } });
    let of_suites = format!(
        "sonde-servers: 1\nservers:\n  light:\n    http: {{ url: '{}', headers: {{ X-Lamp: '${{env.KEY}}' }} }}\n",
        url("${env.KEY}")
    );
    for (name, servers) in [
        ("mcp.json", of_client.to_string()),
        ("sonde.servers.yaml", of_suites),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, servers).unwrap();
        let run = |words: &str| {
            let words = format!("{words} --config {}", file.display());
            Sonde::new()
                .env("KEY", "very-secret-key")
                .words(&words)
                .run()
        };
        run(&format!(
            "call light say_hello name=Cy --log {}",
            log.display()
        ))
        .expect(0, &greeting("Cy"));
        let written = fs::read_to_string(&log).unwrap();
        assert!(written.contains("page=whole"), "{written}");
        assert!(!written.contains("very-secret-key"), "{written}");
        let load = format!("load light say_hello name=Cy --k6 {}", script.display());
        run(&load).expect_error(2, "would show the value");
        assert!(!script.exists());
        run("open light --link").expect_error(2, "would show the value");
        for list in ["list", "list --json"] {
            let done = run(list);
            done.expect_part(0, "page=whole");
            assert!(!done.stdout.contains("very-secret-key"), "{done:?}");
        }
    }
}

#[test]
fn wrong_usage_is_2_and_says_what_is_meant() {
    for (words, said) in [
        ("call hello", "Did you mean: say_hello"),
        ("call say_helol", "Did you mean: say_hello"),
        ("call climb_tower landings=many", "of the type integer"),
        ("call climb_tower landings", "name=value"),
        ("call say_hello -j {", "not valid JSON"),
        ("call say_hello name=a -j {}", "not both"),
        ("list toools", "is not a list"),
        ("list --revision 2020-01-01", "is not a protocol version"),
        ("check --hosts netscape", "not a host that Sonde knows"),
        ("list --nonsense", "unexpected argument"),
        ("list -H X-A:b", "A header belongs to an address"),
        ("diff a --log a.jsonl", "opens two"),
        (
            "load say_hello --sessions 2 --log a.jsonl",
            "with one session",
        ),
        ("load say_hello --requests 0", "0 is not in 1.."),
        ("load say_hello --rate 2000000", "at most 1000000"),
    ] {
        on_demo(words).expect_error(2, said);
    }
    for (words, said) in [
        ("list elsewhere", "no server `elsewhere`"),
        ("list 127.0.0.1:9/mcp", "An address begins with http://"),
        ("diff elsewhere.json a", "There is no file elsewhere.json."),
    ] {
        sonde(words).expect_error(2, said);
    }
    assert!(!sonde("list --nonsense").stderr.contains("tip:"));
    let url = Sonde::new().words("list https://a.example --url https://a.example/ -H");
    url.word("Authorization: Bearer abc")
        .run()
        .expect_error(2, "is a secret");
}

#[test]
fn a_result_that_cannot_be_kept_is_incomplete() {
    on_demo("snapshot --output /nowhere/to/be/found.json").expect_error(3, "cannot be written");
}

#[test]
fn a_list_that_is_cut_is_incomplete() {
    let tool = json!({ "name": "echo", "inputSchema": { "type": "object" } });
    let url = scripted(json!({ "tools": [tool], "nextCursor": "again" }), json!({}));
    for (command, prints) in [("list", true), ("snapshot", false)] {
        let done = sonde(&format!("{command} {url}"));
        done.expect_error(3, "The list of tools is not complete.");
        assert_eq!(done.stdout.contains("echo"), prints, "{done:?}");
    }
}

#[test]
fn a_version_that_is_not_spoken_establishes_nothing() {
    let tools = json!([{ "name": "echo", "inputSchema": { "type": "object" } }]);
    let result = json!({ "result": { "content": [] } });
    let url = scripted(tools, result);
    for (words, code) in [
        ("snapshot", 3),
        ("check", 3),
        ("load echo --requests 1", 3),
        ("list", 0),
        ("call echo", 0),
        ("call missing", 2),
    ] {
        let (command, words) = words.split_once(' ').unwrap_or((words, ""));
        let done = sonde(&format!(
            "{command} {url} {words} --revision 2026-07-28 --quiet"
        ));
        done.expect_error(code, "Nothing shows that the server speaks 2026-07-28");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_does_not_follow_the_progress_in_its_line() {
    let printed = crate::support::on_terminal("call climb_tower landings=3 pause_ms=10");
    let (before, _) = printed.split_once("Up on the gallery").expect(&printed);
    assert!(printed.contains("progress:"), "{printed:?}");
    assert!(before.ends_with(['\n', 'K']), "{printed:?}");
}

#[test]
fn words_of_a_server_begin_no_line() {
    let schema = json!({ "type": "object", "properties": { "count": { "type": "integer" } } });
    let tools = json!([{ "name": "echo", "inputSchema": schema }]);
    let said =
        json!({ "error": { "code": -32000, "message": "boom\n::error::forged\nerror: forged" } });
    let done = sonde(&format!("call {} echo cuont=1", scripted(tools, said)));
    done.expect_error(6, "boom\n    │ ::error::forged");
    done.expect_error(6, "The tool has no parameter `cuont`. It has: count.");
}

#[test]
fn a_server_that_does_not_start_or_dies_is_4() {
    Sonde::new()
        .words("list")
        .command(Path::new("no-such-program"))
        .run()
        .expect_error(4, "The command `no-such-program` was not found.");
    sonde("list http://127.0.0.1:9/mcp").expect_code(4);
    on_demo("call blow_fuse code=9").expect_error(4, "fuse blown");
}

#[test]
fn a_server_that_wants_a_sign_in_is_5() {
    let done = sonde(&format!("list {}", refusing()));
    done.expect_code(5);
    assert!(done.stderr.starts_with("error: "), "{done:?}");
}

#[test]
fn failures_of_tools_and_errors_are_6() {
    on_demo("call open_rusty_door push=firmly").expect_error(
        6,
        "The north door stays shut. It groans, but does not move.",
    );
    let done = on_demo("call call_wrong_number code=-32050");
    done.expect_error(6, "error -32050: Wrong number");
    assert_eq!(done.stdout, "");
    let done = on_demo("call call_wrong_number code=-32050 --json");
    let error = done.json();
    assert_eq!((done.code, &error["error"]["code"]), (6, &json!(-32050)));
    on_demo("call climb_tower landings:=\"x\"").expect_error(6, "argument: /landings");
}

#[test]
fn a_time_limit_is_7() {
    on_demo("call polish_lens seconds=60 --timeout 1s")
        .expect_error(7, "The time limit of 1 s passed.");
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_is_cancelled_and_the_server_ends() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("wire.mcplog");
    let words = format!("call polish_lens seconds=60 --log {}", log.display());
    let running = Sonde::new().words(&words).command(&demo()).start();
    running.wait_for("Polishing");
    running.interrupt().expect_error(130, "Interrupted.");
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.starts_with("{\"mcplog\":1,"), "{log}");
    assert!(log.contains("notifications/cancelled"), "{log}");
    assert!(log.contains("\"k\":\"exit\""), "{log}");
}

#[test]
fn what_a_server_says_meanwhile_goes_to_standard_error() {
    let done = on_demo("call climb_tower landings=3 pause_ms=10");
    done.expect(0, "Up on the gallery after 3 landings. What a view!\n");
    assert!(done.stderr.contains("progress:"), "{done:?}");
    let done = on_demo("call shout_to_engine_room lines=2");
    done.expect(0, "Shouted 2 lines down the tube.\n");
    assert!(
        done.stderr.contains("server: engine room: line 2 of 2"),
        "{done:?}"
    );
    let done = on_demo("call shout_to_engine_room lines=2 --quiet");
    done.expect(0, "Shouted 2 lines down the tube.\n");
    assert_eq!(done.stderr, "");
}

#[test]
fn a_question_is_declined_where_nobody_can_answer() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let done = on_demo(&format!("call hail_pilot --revision {revision}"));
        done.expect(
            0,
            "You would rather not say. The pilot waves and stays ashore.\n",
        );
        assert!(
            done.stderr
                .contains("The request was declined, as there is no terminal"),
            "{done:?}"
        );
    }
}

#[test]
fn json_is_exactly_what_was_received() {
    let arguments = r#"{"name": "9007199254740993 1.10"}"#;
    let call = Sonde::new().words("call say_hello --json -j");
    let done = call.word(arguments).command(&demo()).run();
    done.expect_code(0);
    let result = done.json();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("9007199254740993 1.10"), "{text}");
    let tools = json!([{ "name": "a", "inputSchema": { "type": "object" } }]);
    let structured = json!({ "result": { "content": [], "structuredContent": { "n": 1 } } });
    let done = sonde(&format!("call {} a", scripted(tools, structured)));
    done.expect(0, "{\"n\":1}\n");
    assert!(!done.stderr.contains("no content"), "{done:?}");
    let lists = on_demo("list all --json").json();
    assert!(lists["tools"].as_array().unwrap().len() > 10);
    assert!(lists["resourceTemplates"].as_array().unwrap().len() == 1);
}

#[test]
fn lists_resources_and_prompts_are_printed() {
    let done = on_demo("list");
    assert!(done.stdout.contains("say_hello"), "{done:?}");
    let done = on_demo("list prompts --long");
    assert!(
        done.stdout
            .contains("harbour (text): Where the ship is going."),
        "{done:?}"
    );
    let done = on_demo("list tools --long");
    assert!(
        done.stdout.contains("landings (integer, optional)"),
        "{done:?}"
    );
    let done = on_demo("read lighthouse://gull-rock/logbook");
    assert!(done.code == 0 && !done.stdout.is_empty(), "{done:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flag");
    let read = "read lighthouse://gull-rock/flag --output";
    on_demo(&format!("{read} {}", file.display())).expect(0, "");
    assert!(fs::metadata(&file).unwrap().len() > 100);
    let get = Sonde::new().words("get ask_for_a_berth");
    let get = get.word("harbour=Seal Bay").word("berth=Coal pier");
    let done = get.command(&demo()).run();
    assert!(
        done.stdout.starts_with("user:\n") && done.stdout.contains("Seal Bay"),
        "{done:?}"
    );
    let done = on_demo("get ask_for_a_berth");
    done.expect_error(6, "error -32602");
    done.expect_error(6, "The prompt has the arguments: harbour, berth, ship.");
    on_demo("get ask_for_berth").expect_error(6, "Did you mean: ask_for_a_berth");
    on_demo("read lighthouse://nowhere").expect_error(6, "error");
}

#[test]
fn a_snapshot_is_the_same_twice() {
    let [one, two] = ["snapshot", "snapshot --json"].map(on_demo);
    one.expect_code(0);
    assert_eq!(one.stdout, two.stdout);
    let snapshot: Value = serde_json::from_str(&one.stdout).unwrap();
    assert_eq!(snapshot["sonde-snapshot"], 1);
    assert!(snapshot["tools"].as_array().unwrap().len() > 10);
}

#[test]
fn a_check_has_a_gate_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let folder = folder.path().display();
    let done = on_demo(&format!(
        "check --sarif {folder}/a.sarif --junit {folder}/a.xml --html {folder}/a.html --md {folder}/a.md --tap {folder}/a.tap"
    ));
    done.expect_part(0, "The gate passed.");
    assert!(done.stdout.contains("Cost of the tools"), "{done:?}");
    let read: Value = serde_json::from_str(&fs::read_to_string(file("a.sarif")).unwrap()).unwrap();
    assert_eq!(read["version"], "2.1.0");
    let junit = fs::read_to_string(file("a.xml")).unwrap();
    assert!(junit.contains("<testsuites"), "{junit}");
    let html = fs::read_to_string(file("a.html")).unwrap();
    assert!(html.starts_with("<!doctype html>"), "{html}");
    let open = on_demo("check --hosts cursor --fail-on never");
    open.expect_part(3, "The gate is open. Not established: Works in Cursor.");
    let without = scripted(Value::Null, json!({}));
    sonde(&format!("check {without}")).expect_part(0, "The gate passed.");
    let hosts = sonde(&format!("check {without} --hosts claude"));
    hosts.expect_part(3, "The gate is open. Not established: Works in Claude.");
    let tool = json!([{ "name": "a\n::error::forged", "inputSchema": { "type": "object" } }]);
    let forged = sonde(&format!("check {} --all", scripted(tool, json!({}))));
    let begins = |line: &str| line.trim_start().starts_with("::");
    assert!(forged.stdout.contains("forged"), "{forged:?}");
    assert!(!forged.stdout.lines().any(begins), "{forged:?}");
    let without_schema: Vec<_> = (0..150)
        .map(|number| json!({ "name": format!("tool-{number}") }))
        .collect();
    let url = scripted(json!(without_schema), json!({}));
    let check = |words: &str| sonde(&format!("check {url} {words}"));
    let many = check("");
    many.expect_part(1, "Not listed: 50 more findings of this rule.");
    many.expect_part(1, "\n150 errors, ");
    assert_eq!(check("--json").json()["counts"]["errors"], 150);
    let nothing = scripted(json!([]), json!({}));
    let nothing = sonde(&format!("check {nothing} --junit {folder}/a.xml"));
    nothing.expect_part(3, "The gate is open. Not established: All lists judged.");
    let junit = fs::read_to_string(file("a.xml")).unwrap();
    assert!(junit.contains("errors=\"1\""), "{junit}");
    assert!(junit.contains("<testsuite name=\"scripted\""), "{junit}");
    let absent = Sonde::new().words(&format!("check --sarif {folder}/a.sarif"));
    let absent = absent.command(Path::new("no-such-program")).run();
    absent.expect_code(4);
    let sarif = fs::read_to_string(file("a.sarif")).unwrap();
    assert!(sarif.contains("\"uri\": \"no-such-program\""), "{sarif}");
    let unreached = sonde(&format!(
        "check http://127.0.0.1:9/mcp --junit {folder}/a.xml"
    ));
    unreached.expect_code(4);
    let junit = fs::read_to_string(file("a.xml")).unwrap();
    assert!(junit.contains("errors=\"1\""), "{junit}");
    // The report was made: that a file of it cannot be written is no second report.
    let unwritten = on_demo(&format!("check --json --junit {folder}/none/a.xml"));
    let printed: Value = serde_json::from_str(&unwritten.stdout).expect("one document");
    assert_ne!(printed["report"]["groups"][0]["cases"][0]["name"], "Begin");
    assert!(unwritten.stderr.contains("a.xml"), "{unwritten:?}");
    on_demo("check --budget 10-tokens").expect_part(1, "The gate failed: Costs at most 10 tokens.");
    let report = on_demo("check --hosts claude,vscode --json").json();
    let cases = report["report"]["groups"][0]["cases"].as_array().unwrap();
    assert!(
        cases.iter().any(|case| case["name"] == "Works in VS Code"),
        "{report}"
    );
}

#[test]
fn a_doctor_names_the_step_that_fails() {
    on_demo("doctor").expect_part(0, "0 failed");
    let server = scripted(Value::Null, json!({}));
    sonde(&format!("doctor {server}")).expect_part(0, "There are no tools.");
    // It dies when its tools are asked for.
    let mortal = r#"while read -r line; do id=${line##*'"id":'}; id=${id%%[,\}]*}; case $line in
        *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25",
            "capabilities":{"tools":{}},"serverInfo":{"name":"mortal","version":"1"}}}' | tr -d '\n'; echo;;
        *'"tools/list"'*) exit 1;;
        *'"id":'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"Method not found"}}';;
        esac; done"#;
    let program = Sonde::new().words("doctor -- sh -c").word(mortal);
    program.run().expect_part(4, "the connection ended");
    // The system's proxy looks up the name, also for a WebSocket.
    for scheme in ["http", "ws"] {
        let program = Sonde::new().env("HTTP_PROXY", "http://127.0.0.1:9");
        let done = program.words(&format!("doctor {scheme}://nowhere.invalid/mcp"));
        done.run()
            .expect_part(4, "not evaluated  A proxy does this.");
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.mcplog");
    let done = on_demo(&format!("doctor --format markdown --log {}", log.display()));
    let written = fs::read_to_string(&log).unwrap();
    assert!(written.contains("tools/list"), "{written}");
    assert!(done.stdout.starts_with("# Diagnosis of "), "{done:?}");
    let done = on_demo("doctor --json");
    let diagnosis = done.json();
    assert_eq!(diagnosis["state"], "done");
}

#[test]
fn load_measures_and_has_a_gate() {
    let done = on_demo("load say_hello name=x --requests 20 --sessions 2 --json");
    done.expect_code(0);
    let measured = done.json();
    assert_eq!(measured["requests"], 20);
    assert!(measured["times"]["p99_us"].as_u64() >= measured["times"]["p50_us"].as_u64());
    on_demo("load say_hello name=x --requests 5 --max-p95 0.001ms").expect_code(1);
    let done = on_demo("load open_rusty_door push=firmly --duration 300ms --rate 20");
    done.expect_part(6, "× The tool reported a failure: ");
    assert!(!done.stdout.contains("p95"), "{done:?}");
    let done = on_demo("load blow_fuse code=9 --requests 5");
    done.expect_error(4, "fuse blown");
    assert!(done.stdout.contains("1 request in"), "{done:?}");
    // It runs already, so that the limit is one of the calls.
    let http = Demo::http();
    let words = "say_hello name=x --duration 60s --timeout 1s";
    let done = sonde(&format!("load {} {words}", http.url));
    done.expect_error(7, "The time limit of 1 s passed.");
    assert!(done.stdout.contains("p95"), "{done:?}");
}

#[test]
fn help_completions_and_man_page_are_printed() {
    let run = |words: &str| {
        let done = sonde(words);
        done.expect_code(0);
        done.stdout
    };
    let help = run("--help");
    assert!(
        help.contains("sonde call everything echo") && help.contains("130  Interrupted"),
        "{help}"
    );
    assert!(run("call --help").contains("name:=json"));
    assert!(run("completions bash").contains("sonde"));
    assert!(run("man").starts_with(".ie"));
    assert!(run("man test").contains(".TH sonde-test 1"));
    let link = run("open --link https://a.example/mcp");
    assert!(
        link.starts_with("sonde://add?name=a.example&config="),
        "{link}"
    );
    let folder = tempfile::tempdir().unwrap();
    let servers = "sonde-servers: 1\nservers: { files: { stdio: { command: files } } }\n";
    fs::write(folder.path().join("sonde.servers.yaml"), servers).unwrap();
    let link = Sonde::new()
        .within(folder.path())
        .words("open files --link --config sonde.servers.yaml")
        .run();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    link.expect_part(0, name);
}

/// A schema with a choice at its top, in which a host that knows objects alone refuses the whole request.
fn with_a_choice_at_the_top(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Changes a page or a database.",
        "inputSchema": {
            "type": "object",
            "oneOf": [
                { "properties": { "page_id": { "type": "string" } }, "required": ["page_id"] },
                { "properties": { "database_id": { "type": "string" } }, "required": ["database_id"] },
            ],
        },
    })
}

#[test]
fn a_schema_that_breaks_every_tool_in_a_host_is_named_with_the_hosts() {
    let names: Vec<_> = (1..=27).map(|number| format!("tool-{number}")).collect();
    let tools = names.iter().map(|name| with_a_choice_at_the_top(name));
    let plain = json!({ "name": "plain", "inputSchema": { "type": "object" } });
    let url = scripted(tools.chain([plain]).collect(), json!({}));
    let run = |words: &str| sonde(&format!("check {url} --revision 2025-11-25 {words}"));
    let done = run("--hosts claude-code,anthropic-api,vscode");
    done.expect_code(1);
    for row in ["Claude Code    1 work, 27 fail", "Anthropic API  all fail"] {
        assert!(done.stdout.contains(row), "{done:?}");
    }
    let last = "The gate failed: Works in Claude Code, Works in Anthropic API.";
    assert!(done.stdout.contains(last), "{done:?}");
    let done = run("--json");
    let report = done.json();
    let cases = report["report"]["groups"][0]["cases"].as_array().unwrap();
    let problems = cases
        .iter()
        .flat_map(|case| case["problems"].as_array().unwrap());
    for name in names {
        let subject = format!("tool/{name}");
        let mut problems = problems.clone();
        assert!(
            problems.any(|one| one["subject"].as_str().unwrap().starts_with(&subject)
                && one["message"]
                    .as_str()
                    .unwrap()
                    .contains("not accepted by: Claude Code, OpenAI API, Anthropic API")),
            "{name}: {done:?}"
        );
    }
}

#[test]
fn a_host_fails_the_gate_for_sure_or_leaves_it_open() {
    let long = json!({
        "name": "x".repeat(60),
        "description": "Finds a berth.",
        "inputSchema": { "type": "object" },
    });
    for (tool, words, code, last) in [
        // Its name is perhaps too long, and other facts about the host are unknown.
        (
            long,
            "--hosts cursor",
            3,
            "The gate is open. Not established: Works in Cursor.",
        ),
        (
            with_a_choice_at_the_top("a"),
            "--hosts claude --fail-on warning",
            0,
            "The gate passed.",
        ),
    ] {
        let url = scripted(json!([tool]), json!({}));
        let done = sonde(&format!("check {url} --revision 2025-11-25 {words}"));
        assert!(done.stdout.contains("1 may fail"), "{done:?}");
        done.expect_part(code, last);
    }
}

#[test]
fn words_of_a_server_do_not_steer_the_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}gone";
    let tools = json!([{ "name": "a", "inputSchema": { "type": "object" } }]);
    for response in [
        json!({ "error": { "code": -32000, "message": evil, "data": evil } }),
        json!({ "result": { "isError": true, "content": [{ "type": "text", "text": evil }] } }),
    ] {
        let url = scripted(tools.clone(), response);
        let done = sonde(&format!("call {url} a --revision 2025-11-25"));
        done.expect_code(6);
        assert!(
            done.stderr.contains("␛]0;title␇␛[2J⟨U+202E⟩gone"),
            "{done:?}"
        );
        assert!(!done.stderr.contains(['\u{1b}', '\u{202e}']), "{done:?}");
    }
    let url = scripted(tools, json!({}));
    let done = sonde(&format!("call {url} no\u{1b}[2J --revision 2025-11-25"));
    assert!(done.stderr.contains("no␛[2J"), "{done:?}");
}

#[test]
fn a_load_becomes_a_script_for_k6_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("load.js");
    let path = file.to_str().unwrap();
    let http = Demo::http();
    for (revision, opening) in [("2025-11-25", true), ("2026-07-28", false)] {
        let load = format!("load {} say_hello name=Ada --revision {revision}", http.url);
        let plan = "--sessions 7 --rate 2.5 --duration 1m --max-p95 200ms";
        let program = Sonde::new().env("TOKEN", "very-secret-token");
        let program = program.words(&format!("{load} {plan} --k6 {path} --header"));
        program
            .word("Authorization: Bearer ${TOKEN}")
            .run()
            .expect(0, "");
        let script = fs::read_to_string(&file).unwrap();
        for part in [
            "\"rate\": 2500",
            "\"preAllocatedVUs\": 7",
            "p(95)<=200",
            "\"Authorization\":__ENV.AUTHORIZATION",
            "// Made by Sonde ",
            "say_hello",
            revision,
        ] {
            assert!(script.contains(part), "{part}\n{script}");
        }
        assert!(!script.contains("very-secret"), "{script}");
        assert_eq!(
            script.contains("notifications/initialized"),
            opening,
            "{script}"
        );
        assert_eq!(
            script
                .to_lowercase()
                .contains("\"mcp-name\": \"say_hello\""),
            !opening,
            "{script}"
        );
        for (plan, part) in [
            ("--sessions 9 --requests 4", "\"vus\": 4"),
            ("--rate 50 --requests 1000", "count<=50"),
        ] {
            sonde(&format!("{load} {plan} --k6 {path}")).expect(0, "");
            let script = fs::read_to_string(&file).unwrap();
            assert!(script.contains(part), "{part}\n{script}");
        }
        let short = sonde(&format!("{load} --rate 500 --k6 {path}"));
        short.expect_error(2, "at least 1 second");
    }
    on_demo(&format!("load say_hello name=Ada --k6 {path}"))
        .expect_error(2, "k6 reaches servers over HTTP only");
}

/// As in an image that has nothing but the program.
#[test]
fn a_plain_address_is_reached_without_certificates_of_the_system() {
    let server = Demo::http();
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none").display().to_string();
    let call = |url: &str| {
        let sonde = Sonde::new()
            .env("SSL_CERT_FILE", &none)
            .env("SSL_CERT_DIR", &none);
        sonde.words(&format!("call {url} say_hello name=Ada")).run()
    };
    call(&server.url).expect_code(0);
    let refused = call("https://127.0.0.1:9/mcp");
    refused.expect_code(4);
    assert!(refused.stderr.contains("certificates"), "{refused:?}");
}

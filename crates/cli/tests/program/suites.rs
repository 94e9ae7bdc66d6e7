//! `sonde test`, `diff` and `schema`, with the demo server.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Done, Sonde, demo, greeting, refusing, scripted, sonde};

/// A suite with these steps.
fn suite(steps: &str) -> String {
    format!("sonde: 1\nname: Lighthouse\nserver: {{ demo: stdio }}\nsteps:\n{steps}")
}

const PASSES: &str = "  - call: say_hello
    with: { name: Ada }
    expect: { text: { contains: \"Good evening, Ada\" } }
";
const FAILS: &str = "  - name: a wrong greeting
    call: say_hello
    with: { name: Ada }
    expect: { text: { contains: Goodbye } }
";

/// Writes a suite into a folder and runs `sonde test` there.
fn tested(folder: &Path, text: &str, words: &str) -> Done {
    fs::write(folder.join("light.sonde.yaml"), text).unwrap();
    let sonde = Sonde::new().within(folder);
    sonde.words(&format!("test {words}")).run()
}

#[test]
fn a_value_that_was_not_captured_leaves_its_steps_open_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&format!(
        "{}    capture: {{ greeting: /content }}\n  - name: uses it\n    call: say_hello\n    \
         with: {{ name: '${{greeting}}' }}\n{PASSES}",
        FAILS
    ));
    let done = tested(folder.path(), &suite, "");
    assert_eq!(done.code, 1, "{done:?}");
    for part in [
        "1 passed, 1 failed, 1 broken",
        "`greeting` has no value, since the step that captures it did not pass.",
    ] {
        assert!(done.stdout.contains(part), "{part}\n{done:?}");
    }
}

#[test]
fn a_suite_names_a_server_of_the_app_whose_command_was_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let list = json!({"version": 1, "servers": [
        {"id": "a", "name": "Demo server", "transport": {"type": "demo"}},
        {"id": "b", "name": "Unseen", "transport": {"type": "stdio", "command": "touch", "args": ["ran"]}},
    ]});
    fs::write(data.join("servers.json"), list.to_string()).unwrap();
    let tested = |name: &str| {
        let text = format!("sonde: 1\nserver: {name}\nsteps:\n{PASSES}");
        fs::write(folder.path().join("light.sonde.yaml"), text).unwrap();
        let sonde = Sonde::new().data(&data).within(folder.path());
        sonde.words("test").run()
    };
    tested("demo-server").expect_part(0, "1 passed");
    for (name, words) in [
        ("Unseen", "was not confirmed yet"),
        ("Elsewhere", "Sonde's list has: Demo server, Unseen."),
    ] {
        let done = tested(name);
        done.expect_part(2, words);
        assert!(done.stdout.contains("light.sonde.yaml:2:9"), "{done:?}");
    }
    assert!(!folder.path().join("ran").exists());
    // A servers file comes first.
    let servers = "sonde-servers: 1\nservers:\n  Unseen: { stdio: { command: no-such-program } }\n  \
                   needy: { stdio: { command: '${env.NOPE}' } }\n";
    fs::write(folder.path().join("sonde.servers.yaml"), servers).unwrap();
    let done = tested("Unseen");
    assert!(done.stdout.contains("no-such-program"), "{done:?}");
    tested("Demo server").expect_code(0);
    let known = "sonde.servers.yaml has: Unseen, needy.";
    tested("Elsewhere").expect_part(2, known);
    let run = |words: &str| Sonde::new().within(folder.path()).words(words).run();
    run("list elsewhere").expect_error(2, known);
    run("list").expect_error(0, "The variable `env.NOPE`");
    // What the program reads it leaves as it is.
    assert_eq!(fs::read_dir(&data).unwrap().count(), 1);
}

#[test]
fn suites_pass_fail_and_say_where() {
    let folder = tempfile::tempdir().unwrap();
    tested(folder.path(), &suite(PASSES), "").expect_part(0, "1 passed");
    let text = suite(&format!("{PASSES}{FAILS}"));
    let done = tested(folder.path(), &text, "--junit a.xml --sarif a.sarif");
    done.expect_part(1, "✗ a wrong greeting");
    assert!(done.stdout.contains("light.sonde.yaml:11:"), "{done:?}");
    assert!(done.stdout.contains("1 passed, 1 failed"), "{done:?}");
    let junit = fs::read_to_string(folder.path().join("a.xml")).unwrap();
    assert!(
        junit.contains("failures=\"1\"") && junit.contains("a wrong greeting"),
        "{junit}"
    );
    let sarif = fs::read_to_string(folder.path().join("a.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "light.sonde.yaml");
    assert_eq!(location["region"]["startLine"], 11);
    let text = suite(&format!("{FAILS}{PASSES}"));
    let done = tested(folder.path(), &text, "--bail --json");
    let report = done.json();
    done.expect_code(1);
    let counts = &report["counts"];
    assert_eq!([&counts["failed"], &counts["skipped"]], [1, 1]);
}

#[test]
fn bail_stops_at_a_failure_but_not_at_a_version_that_is_not_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let url = scripted(json!([]), json!({}));
    let text = suite("  - list: tools\n    expect: { count: 1 }\n")
        .replace("{ demo: stdio }", &format!("{{ url: \"{url}\" }}"))
        .replace(
            "steps:",
            "matrix: { revision: [\"2026-07-28\", \"2025-11-25\", \"2025-06-18\"] }\nsteps:",
        );
    // The first case has no connection, the second fails, and the third does not run.
    let counts = "0 passed, 1 failed, 1 broken, 2 skipped";
    tested(folder.path(), &text, "--bail").expect_part(1, counts);
}

#[test]
fn faults_of_files_are_2_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let reports = "--md a.md --tap a.tap --sarif a.sarif";
    tested(folder.path(), &suite("  - cal: say_hello\n"), reports)
        .expect_error(2, "light.sonde.yaml:5:");
    for (file, place) in [
        ("a.md", "light.sonde.yaml:5:"),
        ("a.tap", "light.sonde.yaml:5:"),
        ("a.sarif", "\"startLine\": 5"),
    ] {
        let report = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(report.contains(place), "{report}");
    }
    let text = suite(PASSES).replace("{ demo: stdio }", "elsewhere");
    tested(folder.path(), &text, "").expect_part(2, "light.sonde.yaml:3:");
    tested(folder.path(), &suite(PASSES), "--revision 2025-11-26")
        .expect_error(2, "is not a protocol version");
    sonde("test /nowhere/x.sonde.yaml").expect_error(2, "cannot be read");
}

#[test]
fn what_was_not_established_is_3() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = Sonde::new().within(folder.path()).words("test").run();
    nothing.expect_error(3, "no suites to run");
    let text = suite("  - list: tools\n    expect: { snapshot: tools }\n");
    tested(folder.path(), &text, "--ci").expect_code(3);
    assert!(!folder.path().join("__snapshots__").exists());
    tested(folder.path(), &text, "").expect_part(0, "The snapshot `tools` was stored.");
    tested(folder.path(), &text, "--ci").expect_code(0);
    let skipped = suite("  - call: say_hello\n    skip: later\n");
    tested(folder.path(), &skipped, "").expect_part(3, "every step was skipped");
    let call = "  - call: say_hello\n    with: { name: Ada }\n";
    let slow = suite(&format!(
        "{call}    expect: {{ duration: {{ factor: 99999 }} }}\n"
    ));
    tested(folder.path(), &slow, "--ci").expect_code(3);
    // One that establishes nothing is not hidden by another that passes.
    fs::write(folder.path().join("empty.sonde.yaml"), suite("    []\n")).unwrap();
    tested(folder.path(), &suite(PASSES), "")
        .expect_part(3, "empty.sonde.yaml: The suite has no steps");
    let other = tempfile::tempdir().unwrap();
    let deep = "a/".repeat(17);
    for left_out in [".git", "node_modules", "target", "__snapshots__", &deep] {
        let left_out = other.path().join(left_out);
        fs::create_dir_all(&left_out).unwrap();
        fs::write(left_out.join("light.sonde.yaml"), suite(PASSES)).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), other.path().join("link")).unwrap();
    let words = format!("light.sonde.yaml {}", other.path().display());
    tested(folder.path(), &suite(PASSES), &words).expect_error(3, "no suites to run in");
}

#[test]
fn no_report_and_no_snapshot_has_a_secret() {
    const SECRETS: [(&str, &str); 4] = [
        ("QUERY", "qu3ry-s3cret-value"),
        ("NAMED", "n4med-s3cret-value"),
        ("HEADER", "he4der-s3cret-value"),
        ("DIGITS", "4099104099104099"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let [query, named, header, digits] = SECRETS.map(|(_, value)| value);
    let long = format!("{}{named} {header} {query}", "x".repeat(190));
    let tools = json!([{ "name": "tell", "inputSchema": { "type": "object" } }]);
    let said = json!({ "result": {
        "content": [{ "type": "text", "text": long }],
        "structuredContent": { named: digits.parse::<u64>().unwrap(), "echo": [named, header, query] },
    } });
    let url = scripted(tools, said);
    let text = "sonde: 1
server: light
client: { revision: \"2025-11-25\" }
secrets: [NAMED, DIGITS]
steps:
  - call: tell
    with: { a: \"${secrets.NAMED}\" }
    expect: { text: other, at: { /gone: \"${secrets.NAMED}\" } }
  - call: tell
    expect: { result: { snapshot: all } }
  - call: tell
    verify:
      - call: tell
        vars: { place: \"/${secrets.NAMED}\" }
        expect: { at: { \"${place}\": 1 } }
  - call: tell
    expect: { duration: \"${secrets.NAMED}\" }
";
    let servers = format!(
        "sonde-servers: 1
servers:
  light: {{ http: {{ url: \"{url}?key=${{env.QUERY}}\", headers: {{ X-Lamp: \"${{env.HEADER}}\" }} }} }}
"
    );
    fs::write(folder.path().join("sonde.servers.yaml"), servers).unwrap();
    let words = "test --junit a.xml --sarif a.sarif --tap a.tap --md a.md --html a.html";
    fs::write(folder.path().join("light.sonde.yaml"), text).unwrap();
    let mut sonde = Sonde::new().within(folder.path()).words(words);
    for (name, value) in SECRETS {
        sonde = sonde.env(name, value);
    }
    let done = sonde.run();
    assert!(done.stdout.contains("‹secret NAMED›"), "{done:?}");
    let reports = ["a.xml", "a.sarif", "a.tap", "a.md", "a.html"].into_iter();
    let files = reports.chain(["__snapshots__/light.all.json"]);
    let read = files.map(|file| fs::read_to_string(folder.path().join(file)).unwrap());
    let texts: Vec<_> = read.chain([done.stdout, done.stderr]).collect();
    for text in &texts {
        for secret in SECRETS.map(|(_, value)| &value[..8]) {
            assert!(!text.contains(secret), "{secret}\n{text}");
        }
    }
}

#[test]
fn a_suite_that_passes_when_it_runs_again_is_flaky() {
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("a.xml");
    // The first run finds no file, and leaves one.
    let program = demo();
    let script = format!(
        "test -e ran && exec {}; touch ran; exec false",
        program.display()
    );
    let text = suite(PASSES).replace(
        "{ demo: stdio }",
        &format!("{{ command: sh, args: [-c, {}] }}", json!(script)),
    );
    // Detecting the version would start it twice.
    let text = text.replace("steps:", "client: { revision: \"2025-11-25\" }\nsteps:");
    let again = "--retry-failed 2 --junit a.xml";
    tested(folder.path(), &text, "").expect_code(4);
    fs::remove_file(folder.path().join("ran")).unwrap();
    let done = tested(folder.path(), &text, again);
    done.expect_part(0, "Runs again (1 of 2)");
    assert!(done.stdout.contains("1 passed (1 flaky) in"), "{done:?}");
    let report = fs::read_to_string(&junit).unwrap();
    assert!(report.contains("<flakyError"), "{report}");
    let text = suite(&format!("{PASSES}{FAILS}"));
    tested(folder.path(), &text, again).expect_code(1);
    let report = fs::read_to_string(&junit).unwrap();
    assert_eq!(report.matches("<rerunFailure").count(), 2, "{report}");
}

#[test]
fn suites_run_side_by_side_in_the_order_of_their_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        let text = suite(PASSES).replace("name: Lighthouse", &format!("name: Suite {name}"));
        fs::write(folder.path().join(format!("{name}.sonde.yaml")), text).unwrap();
    }
    let report = tested(folder.path(), &suite(PASSES), "--jobs 3 --json").json();
    let groups = report["report"]["groups"].as_array().unwrap().iter();
    let names: Vec<_> = groups
        .map(|group| group["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Suite a", "Suite b", "Suite c", "Lighthouse"]);
    let done = tested(folder.path(), &suite(PASSES), "--jobs 3");
    // The lines of one suite stay together.
    assert_eq!(done.stdout.matches("✓ call say_hello").count(), 4);
    for name in ["Suite a", "Suite b", "Suite c", "Lighthouse"] {
        assert!(
            done.stdout.contains(&format!("{name}\n  ✓ call say_hello")),
            "{done:?}"
        );
    }
}

#[test]
fn coverage_names_what_no_step_uses() {
    let folder = tempfile::tempdir().unwrap();
    let text = suite(&format!(
        "{PASSES}  - read: lighthouse://gull-rock/logbook\n"
    ));
    let report = tested(folder.path(), &text, "--coverage --json").json();
    let kinds = report["report"]["coverage"][0]["kinds"].as_array().unwrap();
    let open = |kind: &str| {
        let found = kinds.iter().find(|one| one["kind"] == kind).unwrap();
        let open = found["without_step"].as_array().unwrap().clone();
        assert_eq!(
            found["offered"].as_u64().unwrap(),
            open.len() as u64 + u64::from(kind != "prompts")
        );
        open
    };
    let (tools, resources) = (open("tools"), open("resources"));
    assert!(tools.contains(&json!("echo")) && !tools.contains(&json!("say_hello")));
    assert!(!resources.contains(&json!("lighthouse://gull-rock/logbook")));
    assert!(!open("prompts").is_empty());
    let done = tested(folder.path(), &text, "--coverage");
    assert!(
        done.stdout.contains("Coverage of ")
            && done.stdout.contains(" tools\n    without a step: "),
        "{done:?}"
    );
    // A server that dies at once has listed its tools.
    let text = suite("  - call: blow_fuse\n    with: { code: 9 }\n");
    let report = tested(folder.path(), &text, "--coverage --json").json();
    let tools = &report["report"]["coverage"][0]["kinds"][0];
    let open = tools["without_step"].as_array().unwrap();
    assert_eq!(tools["offered"], open.len() + 1);
}

#[test]
fn servers_that_die_hang_or_refuse_have_codes_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let dies = suite("  - call: blow_fuse\n    with: { code: 9 }\n");
    tested(folder.path(), &dies, "").expect_code(4);
    fs::write(folder.path().join("next.sonde.yaml"), suite(PASSES)).unwrap();
    for server in ["{ demo: stdio }", "{ demo: stdio, restart: step }"] {
        let text = format!("{dies}{PASSES}").replace("{ demo: stdio }", server);
        tested(folder.path(), &text, "--bail").expect_part(4, "0 passed, ");
    }
    fs::remove_file(folder.path().join("next.sonde.yaml")).unwrap();
    let text = suite(PASSES).replace("{ demo: stdio }", "{ command: no-such-program }");
    tested(folder.path(), &text, "").expect_code(4);
    let text = suite(PASSES).replace("{ demo: stdio }", &format!("{{ url: \"{}\" }}", refusing()));
    tested(folder.path(), &text, "").expect_code(5);
    let slow = suite("  - call: polish_lens\n    with: { seconds: 60 }\n");
    tested(folder.path(), &slow, "--timeout 1s").expect_code(7);
    let silent = suite("  - call: climb_tower\n    with: { landings: 1, pause_ms: 10000 }\n");
    let silent = silent.replace("steps:", "client: { timeout: 1s }\nsteps:");
    tested(folder.path(), &silent, "").expect_part(7, "The server was silent for longer");
}

#[test]
fn no_output_replaces_another_or_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for reports in [
        "--junit a --sarif ./a",
        "--junit light.sonde.yaml",
        "--html sonde.servers.yaml",
        "--config mcp.json --tap mcp.json",
    ] {
        tested(folder.path(), &suite(PASSES), reports).expect_error(2, "cannot be written");
    }
    let text = fs::read_to_string(folder.path().join("light.sonde.yaml")).unwrap();
    assert_eq!(text, suite(PASSES));
    let reports = "--junit no/a --md a.md";
    tested(folder.path(), &suite(PASSES), reports).expect_error(3, "no/a cannot be written");
    assert!(folder.path().join("a.md").exists());
    let check = "check --hosts nobody --junit a.xml -- no-such-program";
    let check = Sonde::new().within(folder.path()).words(check).run();
    check.expect_error(2, "not a host");
    assert!(folder.path().join("a.xml").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("a.xml");
    let text = suite(&format!(
        "{PASSES}  - call: polish_lens\n    with: {{ seconds: 60 }}\n"
    ));
    fs::write(folder.path().join("light.sonde.yaml"), text).unwrap();
    let sonde = Sonde::new().within(folder.path());
    let mut running = sonde.words("test --junit a.xml --md a.md").start();
    running.wait_for_printed("call say_hello");
    running.interrupt().expect_code(130);
    let junit = fs::read_to_string(junit).unwrap();
    assert!(
        junit.contains("say_hello") && junit.contains("It was not finished."),
        "{junit}"
    );
    let markdown = fs::read_to_string(folder.path().join("a.md")).unwrap();
    let said = "Interrupted; the remaining steps did not run.";
    assert!(markdown.contains(said), "{markdown}");
}

#[test]
fn servers_come_from_a_file_above_or_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let program = demo();
    let servers = format!(
        "sonde-servers: 1\nservers:\n  light:\n    stdio: {{ command: \"{}\" }}\n",
        program.display()
    );
    fs::write(folder.path().join("sonde.servers.yaml"), servers).unwrap();
    let below = folder.path().join("tests");
    fs::create_dir(&below).unwrap();
    let text = suite(PASSES).replace("{ demo: stdio }", "light");
    let file = folder.path().join("sonde.servers.yaml");
    let text_of_servers = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text_of_servers
            .replace("\"", "'")
            .replace("command: '", "command: '${env.NOPE}"),
    )
    .unwrap();
    let done = tested(&below, &text, "");
    done.expect_code(2);
    assert!(
        done.stdout
            .contains("sonde.servers.yaml:4:23: The variable `env.NOPE`"),
        "{done:?}"
    );
    fs::write(&file, text_of_servers).unwrap();
    for words in ["", "light.sonde.yaml"] {
        tested(&below, &text, words).expect_code(0);
    }
    let sonde = Sonde::new().within(&below);
    sonde
        .words("call light say_hello name=Di")
        .run()
        .expect(0, &greeting("Di"));
    let text = suite(PASSES).replace("server: { demo: stdio }\n", "");
    fs::write(below.join("light.sonde.yaml"), text).unwrap();
    let sonde = Sonde::new().within(&below).words("test");
    sonde.command(&program).run().expect_code(0);
    for (words, said) in [
        ("--env staging", "no such file is used here"),
        ("-H X-A:b", "A header belongs to an address"),
    ] {
        let sonde = Sonde::new().within(&below).words(&format!("test {words}"));
        sonde.command(&program).run().expect_error(2, said);
    }
}

#[cfg(unix)]
#[test]
fn a_clients_file_serves_suites_as_it_serves_calls() {
    let folder = tempfile::tempdir().unwrap();
    let config = json!({ "servers": {
        "Light house": {
            "command": "sh",
            "args": ["-c", "test \"$LEVEL\" = own && exec \"$PROGRAM\""],
            "env": { "LEVEL": "own" },
            "envFile": "${workspaceFolder}/.env",
        },
        "unset": { "command": "${DEMO_PROGRAM}" },
    }});
    fs::write(folder.path().join("mcp.json"), config.to_string()).unwrap();
    let run = |name: &str, words: &str| {
        let text = suite(PASSES).replace("{ demo: stdio }", name);
        fs::write(folder.path().join("light.sonde.yaml"), text).unwrap();
        let sonde = Sonde::new().within(folder.path());
        sonde.words(&format!("{words} --config mcp.json")).run()
    };
    let call = || run("light-house", "call light-house say_hello name=Ed");
    call().expect_error(2, ".env cannot be read");
    let env = folder.path().join(".env");
    let variables = format!(
        "# Where it is\nPROGRAM=\"{}\"\nLEVEL=file\n",
        demo().display()
    );
    fs::write(&env, format!("{variables}hush-hush\n")).unwrap();
    let broken = run("light-house", "test");
    broken.expect_part(2, ".env:4: This is not a variable.");
    assert!(!format!("{broken:?}").contains("hush-hush"), "{broken:?}");
    fs::write(&env, variables).unwrap();
    call().expect(0, &greeting("Ed"));
    run("light-house", "test").expect_code(0);
    run("unset", "test").expect_part(2, "DEMO_PROGRAM is not set");
    run("lamp", "test").expect_part(2, "mcp.json has: Light house, unset.");
}

#[test]
fn differences_have_classes_and_a_gate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("before.json");
    let path = file.to_str().unwrap();
    let on_demo = |words: &str| Sonde::new().words(words).command(&demo()).run();
    on_demo(&format!("snapshot --output {path}")).expect(0, "");
    let diff = |words: &str| on_demo(&format!("diff {path} {words}"));
    diff("").expect(0, "No differences.\n");
    let mut snapshot: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    snapshot["tools"][0]["description"] = json!("Something else.");
    fs::write(&file, format!("\u{feff}{snapshot}")).unwrap();
    let done = diff("");
    done.expect_code(0);
    assert!(done.stdout.starts_with("routing (1)"), "{done:?}");
    diff("--fail-on breaking,routing").expect_code(1);
    let gone = json!({"name": "gone", "inputSchema": {"type": "object"}});
    snapshot["tools"].as_array_mut().unwrap().push(gone);
    fs::write(&file, snapshot.to_string()).unwrap();
    let done = diff("--json");
    let changes = done.json();
    assert_eq!((done.code, &changes[0]["class"]), (1, &json!("breaking")));
    fs::write(&file, "{\"sonde-snapshot\": 1, \"prompts\": []}").unwrap();
    diff("").expect_error(2, "it has no list of tools");
    on_demo("diff --revisions 2025-11-25,2026-07-28 --fail-on never").expect_code(0);
    // It answers in whatever version it is asked, and does not know `server/discover`.
    let url = scripted(json!([]), json!({}));
    let done = sonde(&format!("diff --revisions 2025-11-25,2026-07-28 {url}"));
    done.expect_error(3, "Nothing shows that the server speaks 2026-07-28");
    sonde(&format!("diff {path}")).expect_error(2, "Name two sides");
}

#[test]
fn schemas_are_printed() {
    for format in ["suite", "servers"] {
        let schema = sonde(&format!("schema {format}")).json();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
    }
}

#[test]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
fn a_secret_of_a_suite_is_stored_used_and_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("SONDE_TEST_{}", std::process::id());
    let text = suite(&format!(
        "  - call: echo\n    with: {{ message: \"${{secrets.{name}}}\" }}\n    expect: {{ text: other }}\n"
    ));
    let text = text.replace("steps:", &format!("secrets: [{name}]\nsteps:"));
    let secret = |action: &str, input: &str| {
        let sonde = Sonde::new().input(input);
        sonde.words(&format!("secret {action} {name}")).run()
    };
    secret("set", "\n").expect_code(2);
    let missing = tested(folder.path(), &text, "");
    missing.expect_code(2);
    let advice = format!("sonde secret set {name}");
    assert!(missing.stdout.contains(&advice), "{missing:?}");
    let stored = secret("set", "hush-of-the-keyring\nnext\n");
    stored.expect_code(0);
    let used = tested(folder.path(), &text, "");
    used.expect_code(1);
    let told = format!(
        "{}{}{}{}",
        stored.stdout, stored.stderr, used.stdout, used.stderr
    );
    assert!(
        told.contains(&format!("‹secret {name}›")) && !told.contains("hush"),
        "{told}"
    );
    // The environment comes first.
    fs::write(folder.path().join("light.sonde.yaml"), &text).unwrap();
    let sonde = Sonde::new().within(folder.path()).env(&name, "other");
    sonde.words("test").run().expect_code(0);
    secret("remove", "").expect_code(0);
    tested(folder.path(), &text, "").expect_code(2);
}

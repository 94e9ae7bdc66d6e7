//! Suites run against the demo server, over stdio and HTTP, with a handshake and stateless.
//!
//! The tests start it as a process: `cargo build -p sonde-demo`.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod foreign;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde_json::json;

use sonde_client::{DemoProgram, Services};
use sonde_suite::{
    format::Suite,
    run::{
        Case, CaseReport, Caution, Event, NoConnection, RunOptions, Runner, StopReason, Stored,
        Update, Verdict,
    },
    servers::Servers,
};
use sonde_tests::stdio_peer::{Step, binary, program, script};
use sonde_validation::MAX_PROBLEMS;

const LIGHTHOUSE: &str = include_str!("../../../crates/suite/tests/suites/lighthouse.sonde.yaml");

pub(crate) fn options() -> RunOptions {
    let mut services = Services::in_memory();
    services.demo = Some(DemoProgram {
        program: binary("sonde-demo").into(),
        args: Vec::new(),
    });
    RunOptions::new(Arc::new(services))
}

pub(crate) async fn run(options: RunOptions, text: &str, folder: &Path) -> Vec<CaseReport> {
    let suite = Suite::read("a.sonde.yaml", text).unwrap();
    let mut runner = Runner::new(options);
    let mut reports = Vec::new();
    for case in runner.cases(&suite) {
        reports.push(
            runner
                .run(&suite, folder, &case, &|_, _| true, &mut |_| {})
                .await,
        );
    }
    runner.close().await;
    reports
}

pub(crate) fn failures(report: &CaseReport) -> Vec<String> {
    let steps = report.steps.iter();
    let steps = steps.filter(|step| !matches!(step.verdict, Verdict::Passed | Verdict::Skipped(_)));
    let told = steps.map(|step| format!("{}: {:?} {:#?}", step.title, step.verdict, step.failures));
    told.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_holds_in_both_ways_of_the_protocol_over_both_transports() {
    for transport in ["stdio", "http"] {
        let folder = tempfile::tempdir().unwrap();
        let text = LIGHTHOUSE.replace("demo: stdio", &format!("demo: {transport}"));
        // The program behind the demo's address has its standard error in the log as well.
        let mut options = options();
        options.update = Update::Missing;
        let reports = run(options, &text, folder.path()).await;
        let revisions: Vec<_> = reports
            .iter()
            .map(|report| report.case.revision.clone().unwrap())
            .collect();
        assert_eq!(revisions, ["2025-11-25", "2026-07-28"]);
        for report in &reports {
            let label = format!("{transport}, {}", report.case.label());
            assert_eq!(report.stopped, None, "{label}");
            assert_eq!(failures(report), Vec::<String>::new(), "{label}");
            assert_eq!(report.steps.len(), 48, "{label}");
            assert_eq!(
                report.count(|verdict| matches!(verdict, Verdict::Skipped(_))),
                1
            );
            let server = report.server.as_ref().unwrap();
            assert_eq!(Some(&server.revision), report.case.revision.as_ref());
        }
        let stored = std::fs::read_to_string(folder.path().join("__snapshots__/a.tools.json"));
        assert!(stored.unwrap().contains("\"echo\""));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_presentation_of_the_demo_server_is_a_suite_that_holds() {
    let text = include_str!("../../../crates/explorer/src/presentations/demo.sonde.yaml");
    let quick = text.replace("pause_ms: 500", "pause_ms: 1");
    let folder = tempfile::tempdir().unwrap();
    let reports = run(options(), &quick, folder.path()).await;
    assert_eq!(reports[0].stopped, None);
    assert_eq!(failures(&reports[0]), Vec::<String>::new());
}

/// Each server keeps what was written to it: the two servers have separate connections, which last as long as the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_run_on_the_servers_that_they_name() {
    let text = "
sonde: 1
server: one
servers:
  one: { demo: stdio, revision: '2025-06-18' }
  two: { demo: http }
steps:
  - { server: two, call: write_logbook, with: { entry: of two } }
  - { call: write_logbook, with: { entry: of one } }
  - read: lighthouse://gull-rock/logbook
    expect: { text: { contains: of one, not-contains: of two } }
  - server: two
    read: lighthouse://gull-rock/logbook
    expect: { text: { contains: of two, not-contains: of one } }
";
    let folder = tempfile::tempdir().unwrap();
    let reports = run(options(), text, folder.path()).await;
    assert_eq!(reports[0].stopped, None);
    assert_eq!(failures(&reports[0]), Vec::<String>::new());
    let server = reports[0].server.as_ref().unwrap();
    assert_eq!(server.revision, "2025-06-18");
}

const SERVERS: &str = "\
sonde-servers: 1
servers:
  demo:
    http: { start: 'PROGRAM --http --port ${port}', url: 'http://127.0.0.1:${port}/mcp' }
    stdio: { command: 'PROGRAM' }
    restart: step
environments:
  other: { vars: { word: other } }
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_named_server_is_started_for_each_step() {
    let program = binary("sonde-demo");
    let servers = SERVERS.replace("PROGRAM", &format!("\"{program}\""));
    let mut options = options();
    options.servers = Some(Arc::new(
        Servers::read("sonde.servers.yaml", &servers).unwrap(),
    ));
    options.environment = Some("other".to_owned());
    let text = "
sonde: 1
server: demo
matrix: { transport: [stdio, http] }
vars: { word: mine }
steps:
  - call: write_logbook
    with: { entry: 'word ${vars.word}' }
  - name: a fresh process knows nothing of it
    read: lighthouse://gull-rock/logbook
    expect: { text: { not-contains: word other } }
  - call: echo
    with: { message: '${vars.word}' }
    expect: { text: other }
";
    let folder = tempfile::tempdir().unwrap();
    for report in run(options, text, folder.path()).await {
        assert_eq!(report.stopped, None, "{report:#?}");
        assert_eq!(failures(&report), Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suites_share_a_server_only_if_they_mean_the_same() {
    let program = binary("sonde-demo");
    let servers = format!(
        "sonde-servers: 1
servers:
  light:
    http: {{ start: '\"{program}\" --http --port ${{port}}', url: 'http://127.0.0.1:${{port}}${{vars.path}}' }}
    restart: run
"
    );
    let mut options = options();
    let servers = Servers::read("sonde.servers.yaml", &servers).unwrap();
    options.servers = Some(Arc::new(servers));
    let mut runner = Runner::new(options);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let own = "{ demo: stdio, restart: run }";
    let absent = "{ command: no-such-program, restart: run }";
    let of_file = |revision: &str, path: &str| {
        format!("light\nclient: {{ revision: '{revision}' }}\nvars: {{ path: {path} }}")
    };
    let mut seen = Vec::new();
    for (folder, server) in [
        (0, of_file("2025-06-18", "/mcp")),
        (1, of_file("2025-06-18", "/mcp")),
        (0, of_file("2025-11-25", "/mcp")),
        (0, of_file("2025-11-25", "/elsewhere")),
        (0, own.to_owned()),
        (1, own.to_owned()),
        (1, absent.to_owned()),
    ] {
        let text = format!(
            "sonde: 1
server: {server}
steps:
  - {{ call: write_logbook, with: {{ entry: again }} }}
  - {{ read: 'lighthouse://gull-rock/logbook', expect: {{ text: {{ matches: 'again[^$]*again' }} }} }}
"
        );
        let suite = Suite::read("a.sonde.yaml", &text).unwrap();
        let (folder, case) = (folders[folder].path(), Case::default());
        let report = runner
            .run(&suite, folder, &case, &|_, _| true, &mut |_| {})
            .await;
        let again = report.count(|verdict| *verdict == Verdict::Passed) == 2;
        seen.push((report.server.map(|server| server.revision), again));
    }
    runner.close().await;
    let seen: Vec<_> = seen
        .iter()
        .map(|(one, again)| (one.as_deref(), *again))
        .collect();
    let (old, new) = (Some("2025-06-18"), Some("2025-11-25"));
    let newest = Some("2026-07-28");
    assert_eq!(
        seen,
        [
            (old, false),
            (old, true),
            (new, false),
            (None, false),
            (newest, false),
            (newest, false),
            (None, false)
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_hold_is_told_with_its_place() {
    let text = "\
sonde: 1
server: { demo: stdio }
steps:
  - call: echo
    with: { message: a }
    expect:
      text: b
  - name: refused by the tool's schema
    call: write_logbook
    with: {}
    expect: { findings: none }
  - name: sent anyway
    call: write_logbook
    with: {}
    send-anyway: true
    expect: { text: { contains: nothing like this } }
  - name: nobody asks
    call: echo
    answers: [{ sampling: {}, reply: { text: hi } }]
  - name: nobody answers
    call: compose_verse
  - name: nothing is stored
    list: prompts
    expect: { snapshot: prompts }
  - name: captured from nowhere
    call: echo
    capture: { x: /nothing }
  - name: tried three times
    call: echo
    with: { message: a }
    expect: { text: b }
    retry: { times: 3, every: 1ms }
  - name: by a schema of the suite
    call: list_ships
    expect: { at: { /total: { schema: { type: string } } } }
";
    let folder = tempfile::tempdir().unwrap();
    let reports = run(options(), text, folder.path()).await;
    let steps = &reports[0].steps;
    let words: Vec<_> = steps
        .iter()
        .map(|step| step.failures.first().map_or("", |failure| &failure.words))
        .collect();
    for (words, expected) in words.iter().zip([
        "text: expected \"b\", found \"a\".",
        "the tool's schema refuses them",
        "expected",
        "no such request",
        "none for sampling/createMessage",
        "",
        "capture.x: expected one value at /nothing, found nothing.",
        "text: expected",
        "/total: expected a value that the schema permits",
    ]) {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    assert_eq!(
        (
            steps[0].failures[0].span.line,
            steps[0].failures[0].span.column
        ),
        (7, 13)
    );
    assert_eq!(
        steps[5].verdict,
        Verdict::Incomplete("The snapshot `prompts` is missing.".to_owned())
    );
    assert_eq!(steps[1].failures.len(), 1, "{:?}", steps[1].failures);
    assert_eq!(steps[7].attempts, 3);
    assert!(!folder.path().join("__snapshots__").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_cannot_go_on_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let stopped = async |text: &str| {
        let report = run(options(), text, folder.path()).await.remove(0);
        (report.stopped.unwrap(), report.steps)
    };
    let steps = "steps: [{ call: echo }, { call: blow_fuse }, { call: echo }]";
    let (died, ran) = stopped(&format!("sonde: 1\nserver: {{ demo: stdio }}\n{steps}\n")).await;
    assert!(
        matches!(&died, StopReason::Died(why) if why.contains("exit")),
        "{died:?}"
    );
    assert_eq!(ran.len(), 2);
    assert!(matches!(ran[1].verdict, Verdict::Broken(_)));

    let (gone, ran) = stopped(&format!(
        "sonde: 1\nserver: {{ command: no-such-program-here }}\n{steps}\n"
    ))
    .await;
    assert!(
        matches!(&gone, StopReason::NotConnected { words, why: NoConnection::Failed } if words.contains("no-such-program-here")),
        "{gone:?}"
    );
    assert!(ran.is_empty());

    // It answers whatever it is asked, in another version.
    let unknown =
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#;
    let tools = BTreeMap::from([("tools/list".to_owned(), json!({ "tools": [] }))]);
    let args = script([
        Step::Expect,
        Step::emit(format!("{unknown}\n")),
        Step::Serve {
            results: tools,
            until: None,
        },
    ]);
    let server = json!({ "command": program(), "args": args });
    let text =
        format!("sonde: 1\nserver: {server}\nclient: {{ revision: '2026-07-28' }}\n{steps}\n");
    let (other, ran) = stopped(&text).await;
    assert!(
        matches!(&other, StopReason::NotConnected { words, why: NoConnection::OtherVersion } if words.contains("server/discover")),
        "{other:?}"
    );
    assert!(ran.is_empty());

    for (expect, further) in [
        ("text: b, ", ""),
        ("", ", capture: { x: /nothing }"),
        ("", ", verify: [{ call: echo, expect: { text: b } }]"),
    ] {
        let failing = format!(
            "sonde: 1\nserver: {{ demo: stdio }}\nsteps: [{{ call: echo, with: {{ message: a }}, expect: {{ {expect}\
             result: {{ snapshot: a }}, duration: {{ factor: 9 }} }}{further} }}]\n"
        );
        let mut stores = options();
        stores.update = Update::All;
        let report = run(stores, &failing, folder.path()).await.remove(0);
        assert_eq!(report.steps[0].verdict, Verdict::Failed);
        assert!(
            !folder.path().join("__snapshots__").exists(),
            "a result that is wrong is no baseline"
        );
    }

    let skips = "sonde: 1\nserver: { demo: stdio }\nvars: { no: false, yes: true }\nsteps:\n  \
                 - { call: echo, with: { message: a }, skip: '${vars.no}' }\n  \
                 - { call: echo, with: { message: a }, skip: '${env.NO_SUCH_VARIABLE}' }\n  - { call: echo, skip: '${vars.yes}' }\n";
    let report = run(options(), skips, folder.path()).await.remove(0);
    let verdicts: Vec<_> = report.steps.iter().map(|step| &step.verdict).collect();
    assert_eq!(
        verdicts,
        [
            &Verdict::Passed,
            &Verdict::Passed,
            &Verdict::Skipped(String::new())
        ]
    );

    let unset = "sonde: 1\nserver: { demo: stdio }\nsteps: [{ call: echo, with: { message: '${vars.x}' } }]\n";
    let (unset, _) = stopped(unset).await;
    assert!(
        matches!(&unset, StopReason::Files(problems) if problems[0].span.line == 3),
        "{unset:?}"
    );

    let (unknown, _) = stopped("sonde: 1\nserver: shop\nsteps: [{ ping: true }]\n").await;
    assert!(
        matches!(&unknown, StopReason::Files(problems) if problems[0].message.contains("there is none"))
    );

    let secret = "sonde: 1\nserver: { demo: stdio }\nsecrets: [NO_SUCH_SECRET_HERE]\nsteps: [{ ping: true }]\n";
    let (secret, _) = stopped(secret).await;
    assert!(
        matches!(&secret, StopReason::Files(problems) if problems[0].message.contains("NO_SUCH_SECRET_HERE"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heuristic_findings_and_formats_make_nothing_fail() {
    let at = json!({ "type": "string", "format": "date-time" });
    let tool = json!({
        "name": "t",
        "description": "Reads the clock.<!-- Quickly. -->",
        "inputSchema": { "type": "object" },
        "outputSchema": { "type": "object", "properties": { "at": { "items": at } } },
    });
    // Beyond the limit of reported problems, the number is not seen.
    let mut many = vec![json!("noon"); MAX_PROBLEMS];
    many.push(json!(5));
    for (at, verdict) in [
        (vec![json!("noon")], Verdict::Passed),
        (many, Verdict::Failed),
    ] {
        let info = json!({ "name": "clock", "version": "1" });
        let content = json!([{ "type": "text", "text": "noon" }]);
        let results = [
            (
                "initialize",
                json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} }, "serverInfo": info }),
            ),
            ("tools/list", json!({ "tools": [tool] })),
            (
                "tools/call",
                json!({ "content": content, "structuredContent": { "at": at } }),
            ),
        ];
        let results = results.map(|(method, result)| (method.to_owned(), result));
        let args = script([Step::Serve {
            results: BTreeMap::from(results),
            until: None,
        }]);
        let server = json!({ "command": program(), "args": args });
        let steps = "steps:
  - { list: tools, expect: { findings: none } }
  - { call: t, expect: { schema: valid, findings: none } }
";
        let client = "client: { revision: '2025-11-25' }";
        let text = format!("sonde: 1\nserver: {server}\n{client}\n{steps}");
        let folder = tempfile::tempdir().unwrap();
        let report = run(options(), &text, folder.path()).await.remove(0);
        assert_eq!(report.stopped, None);
        let verdicts: Vec<_> = report.steps.iter().map(|step| &step.verdict).collect();
        assert_eq!(
            verdicts,
            [&Verdict::Passed, &verdict],
            "{:?}",
            failures(&report)
        );
    }
}

/// The demo server does not survive `blow_fuse`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verifying_step_calls_no_destructive_tool() {
    let text = "
sonde: 1
server: { demo: stdio }
vars: { tool: blow_fuse, method: tools/call }
steps:
  - { list: tools, verify: [{ call: '${vars.tool}' }] }
  - { list: tools, verify: [{ raw: { method: '${vars.method}', params: { name: blow_fuse } } }] }
  - call: echo
    with: { message: '{\"tool\": \"blow_fuse\"}' }
    capture: { captured: { from: /tool, in: text } }
    verify: [{ call: '${captured}' }]
";
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.caution = Caution::Destructive;
    let report = run(options, text, folder.path()).await.remove(0);
    assert_eq!(report.stopped, None);
    let verdicts: Vec<_> = report.steps.iter().map(|step| &step.verdict).collect();
    assert!(
        matches!(&verdicts[..], [Verdict::Skipped(_), Verdict::Skipped(_), Verdict::Incomplete(why)]
            if why.starts_with("call ${captured}: The tool says that it is destructive.")),
        "{verdicts:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captures_of_verifying_steps_are_lost_with_their_step() {
    let text = "
sonde: 1
server: { demo: stdio }
steps:
  - call: echo
    with: { message: a }
    expect: { text: b }
    verify: [{ list: tools, capture: { tool: /tools/0/name } }]
  - { call: echo, with: { message: '${tool}' } }
  - list: prompts
    verify:
      - { list: tools, capture: { tool: /tools/0/name } }
      - { call: echo, with: { message: '${tool}' } }
  - list: prompts
    verify:
      - { list: tools, capture: { other: /nothing } }
      - { call: echo, with: { message: '${other}' } }
";
    let folder = tempfile::tempdir().unwrap();
    let report = run(options(), text, folder.path()).await.remove(0);
    assert_eq!(report.stopped, None);
    let verdicts: Vec<_> = report.steps.iter().map(|step| &step.verdict).collect();
    use Verdict::{Failed, Incomplete, Passed};
    assert!(
        matches!(verdicts[..], [Failed, Incomplete(_), Passed, Failed]),
        "{verdicts:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_that_fails_says_what_it_left_open() {
    let text = "
sonde: 1
server: { demo: stdio }
steps:
  - { list: prompts, expect: { snapshot: prompts }, verify: [{ list: tools }] }
  - { list: prompts, expect: { snapshot: prompts }, capture: { prompt: /prompts/0/name } }
  - { list: prompts, expect: { snapshot: prompts, duration: { factor: 2 } } }
  - { list: prompts, verify: [{ list: prompts, expect: { snapshot: prompts } }] }
  - { list: prompts, capture: { x: /nothing }, verify: [{ get: '${x}' }] }
";
    let folder = tempfile::tempdir().unwrap();
    let stored = Stored::new(folder.path(), "a");
    stored.put_snapshot("prompts", "{}").unwrap();
    let report = run(options(), text, folder.path()).await.remove(0);
    let open = report.steps.iter().map(|step| step.unjudged.is_some());
    assert_eq!(open.collect::<Vec<_>>(), [true, true, true, false, true]);
    assert_eq!(report.count(|verdict| *verdict == Verdict::Failed), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn durations_are_stored_by_titles_as_written() {
    let text = "
sonde: 1
server: { demo: stdio }
steps:
  - name: at ${uuid}
    list: tools
    expect: { duration: { factor: FACTOR } }
    verify: [{ name: 'at ${uuid}', list: tools, expect: { duration: { factor: FACTOR } } }]
";
    let folder = tempfile::tempdir().unwrap();
    let verdict = async |factor: &str, update: Update| {
        let mut options = options();
        options.update = update;
        let text = text.replace("FACTOR", factor);
        let mut report = run(options, &text, folder.path()).await.remove(0);
        report.steps.remove(0).verdict
    };
    let [never, always] = ["1e-6", "1e9"];
    assert_eq!(verdict(always, Update::Missing).await, Verdict::Passed);
    let stored = std::fs::read(folder.path().join("__snapshots__/a.durations.json")).unwrap();
    let stored: BTreeMap<String, u64> = serde_json::from_slice(&stored).unwrap();
    assert!(
        stored.keys().eq(["at ${uuid}", "at ${uuid} #2"]),
        "{stored:?}"
    );
    assert_eq!(verdict(always, Update::Never).await, Verdict::Passed);
    assert_eq!(verdict(never, Update::Never).await, Verdict::Failed);
    assert_eq!(verdict(never, Update::All).await, Verdict::Passed);
    std::fs::remove_dir_all(folder.path().join("__snapshots__")).unwrap();
    std::fs::write(folder.path().join("__snapshots__"), "").unwrap();
    let not_stored = verdict(always, Update::Missing).await;
    assert!(
        matches!(&not_stored, Verdict::Incomplete(why) if why.contains("could not be written")),
        "{not_stored:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_tells_its_progress_and_can_be_cancelled() {
    let text =
        "sonde: 1\nserver: { demo: stdio }\nsteps: [{ call: echo }, { call: polish_lens }]\n";
    let suite = Suite::read("a.sonde.yaml", text).unwrap();
    let options = options();
    let cancel = options.cancel.clone();
    let mut runner = Runner::new(options);
    let mut told = Vec::new();
    let mut tell = |event: Event<'_>| {
        told.push(match event {
            Event::CaseStarted(_) => "case".to_owned(),
            Event::StepStarted {
                index,
                title,
                attempt,
            } => {
                if index == 1 {
                    cancel.cancel();
                }
                format!("{index} {title} {attempt}")
            }
            Event::StepFinished(step) => format!("{:?}", step.verdict),
            Event::CaseFinished(report) => format!("{:?}", report.stopped),
        });
    };
    let case = Case::default();
    let report = runner
        .run(&suite, Path::new("."), &case, &|_, _| true, &mut tell)
        .await;
    assert_eq!(report.stopped, Some(StopReason::Cancelled));
    runner.close().await;
    assert_eq!(
        told,
        [
            "case",
            "0 call echo 1",
            "Passed",
            "1 call polish_lens 1",
            "Some(Cancelled)"
        ]
    );
}

//! An MCP server that sends too much, sends without end, or falls silent.

use std::{
    io, panic,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted, one_text},
    client::{scripted, welcome},
    processes::{peak, restart_peak},
    stdio_peer::Step,
};
use tracing_subscriber::filter::LevelFilter;

const TOOLS: &str = r#"{"tools":{}}"#;
/// Told where a server ends what it says, and lives.
const CLOSED: &str =
    "The server closed its stdout, so no response can arrive. Its process is being ended.";
const ONE_TOOL: &str = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}}\n";

/// Returns the steps of a server up to the request for its tools.
fn begin() -> Vec<Step> {
    vec![
        Step::Expect,
        Step::emit(welcome(TOOLS)),
        Step::Expect,
        Step::Expect,
    ]
}

/// Returns the steps of a server with one tool, up to its call, which is request 3.
fn called() -> Vec<Step> {
    let mut steps = begin();
    steps.extend([Step::emit(ONE_TOOL), Step::Expect]);
    steps
}

fn then(mut steps: Vec<Step>, more: impl IntoIterator<Item = Step>) -> TransportDraft {
    steps.extend(more);
    scripted(steps)
}

fn messages(findings: &[FindingView]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.message).collect()
}

/// Connects the demo server, to check that the attack does not affect it.
async fn bystander(app: &App) -> ServerId {
    app.join("Bystander", Transport::Demo { http: false }).await
}

/// The reason why a connection closes.
async fn closing(app: &App, server: &str) -> String {
    app.until("why it closes", |seen| {
        let health = seen.connections.get(server)?.health.as_ref()?;
        Some(health.sentence.clone())
    })
    .await
}

async fn is_untouched(app: &App, server: &str) {
    let view = app
        .run_tool(server, "echo", r#"{"message":"still here"}"#)
        .await;
    assert_eq!(one_text(&view), "still here");
    assert_eq!(app.seen().sessions[server].phase, SessionPhase::Ready);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_eight_million_numbers_costs_little_more_than_its_text() {
    let app = App::start().await;
    let other = bystander(&app).await;
    let before = restart_peak().unwrap();
    let list = [
        Step::emit("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":["),
        Step::EmitMany {
            count: 8_000_000,
            text: "1,".to_owned(),
        },
        Step::emit("1]}}\n"),
        Step::Hang,
    ];
    let server = app.add("Numbers", then(begin(), list)).await;
    let catalog = app.ready(&server).await;
    // The text of 16 MiB is there as it was read, and once more while its line grows.
    let grown = peak().unwrap() - before;
    assert!(grown < 120, "{grown} MiB");
    assert_eq!((catalog.count, catalog.findings.len()), (0, 100));
    let said = messages(&catalog.findings);
    assert_eq!(
        said[0],
        "The list has more than 50000 items; the rest was not read."
    );
    assert_eq!(said[1], "Item 1 on page 1 of the list is not an object.");
    assert_eq!(
        said[99],
        "There are 49902 more findings, which are not kept."
    );
    is_untouched(&app, &other).await;
}

/// Returns the response with prompts of 330 bytes that take 30 KB each, because all of their arguments are wrong.
fn prompts() -> [Step; 4] {
    [
        Step::emit("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"prompts\":["),
        Step::EmitMany {
            count: 49_999,
            text: format!(
                r#"{{"name":"p{{n}}","arguments":[{}]}},"#,
                vec!["{}"; 100].join(",")
            ),
        },
        Step::emit("{\"name\":\"last\"}]}}\n"),
        Step::Hang,
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lists_of_all_servers_have_one_limit_and_leave_room_for_others() {
    let app = App::start().await;
    let other = bystander(&app).await;
    let before = restart_peak().unwrap();
    let mut read = Vec::new();
    for name in ["First", "Second", "Third"] {
        let mut steps = vec![
            Step::Expect,
            Step::emit(welcome(r#"{"tools":{},"prompts":{}}"#)),
            Step::Expect,
            Step::Expect,
            Step::emit(ONE_TOOL),
            Step::Expect,
        ];
        steps.extend(prompts());
        let server = app.join(name, scripted(steps)).await;
        let catalog = app.refresh(&server, CatalogKind::Prompts).await;
        assert_eq!(
            messages(&catalog.findings),
            [
                "The lists of all servers share 256 MiB of memory, and one server gets at most half of what \
                 the others leave; the rest of this list was not read."
            ]
        );
        assert!(catalog.count > 100, "{name}: {}", catalog.count);
        read.push(catalog.count);
    }
    // Half of what the others leave, each.
    for pair in read.windows(2) {
        let about_half = pair[1] * 9 / 5 < pair[0] && pair[0] < pair[1] * 11 / 5;
        assert!(about_half, "{read:?}");
    }
    // 128, 64 and 32 MiB, the text of 17 MiB of each in its log, and what is being read. All three lists
    // whole would be 5 GB.
    let grown = peak().unwrap() - before;
    assert!(grown < 224 + 3 * 17 + 150, "{grown} MiB");
    // Room enough for whoever comes after them.
    let late = bystander(&app).await;
    let catalog = app.refresh(&late, CatalogKind::Tools).await;
    let said = messages(&catalog.findings).join(" ");
    assert!(!said.contains("of memory"), "{said}");
    is_untouched(&app, &late).await;
    is_untouched(&app, &other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_hundred_megabytes_of_progress_take_no_more_than_the_log_may() {
    let app = App::start().await;
    let other = bystander(&app).await;
    let before = restart_peak().unwrap();
    let progress = (0..300).map(|n| Step::EmitLong {
        before: format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":3,"progress":{n},"message":""#
        ),
        size: 1 << 20,
        after: "\"}}\n".to_owned(),
    });
    let answer = "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}\n";
    let steps = progress.chain([Step::emit(answer), Step::Hang]);
    let server = app.join("Progress", then(called(), steps)).await;
    let view = app.run_tool(&server, "t", "{}").await;
    let progress = view.progress.unwrap();
    assert_eq!(progress.count, 300);
    let message = progress.latest.message.unwrap();
    assert!(message.ends_with("x…") && message.chars().count() == 4_001);
    // 256 MiB in the log, 16 MiB in each of three queues, and what is being worked on.
    let grown = peak().unwrap() - before;
    assert!(grown < 256 + 100, "{grown} MiB");
    is_untouched(&app, &other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_logs_of_all_servers_and_the_documents_have_one_limit() {
    const SIZE: u64 = 1 << 20;
    let app = App::start().await;
    let budget = Arc::clone(app.explorer.explorer().budget());
    let mut least = 0;
    for name in ["First", "Second"] {
        let list = Step::EmitLong {
            before: ONE_TOOL.replace("{\"type\":\"object\"}}]}}\n", "{\"description\":\""),
            size: SIZE,
            after: "\"}}]}}\n".to_owned(),
        };
        let server = app.join(name, then(begin(), [list, Step::Hang])).await;
        least += SIZE;
        assert!(budget.held() >= least, "{name}: {}", budget.held());
        let log = app.open_log(server.clone(), LogFilter::default());
        assert_eq!(log.await.unwrap().max_bytes_of_all, budget.limit());

        let source = DocumentSource::Definition {
            server,
            kind: CatalogKind::Tools,
            key: "t".to_owned(),
        };
        granted(app.open_document(source, DocumentMode::Raw, 80)).await;
        least += SIZE;
        assert!(budget.held() >= least, "{name}: {}", budget.held());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_instructions_without_end_a_part_is_kept() {
    let app = App::start().await;
    let instructions = Step::EmitLong {
        before: welcome(TOOLS).replace("}}}\n", r#"},"instructions":""#),
        size: 5 << 20,
        after: "\"}}\n".to_owned(),
    };
    let steps = [
        Step::Expect,
        instructions,
        Step::Expect,
        Step::Expect,
        Step::emit(ONE_TOOL),
        Step::Hang,
    ];
    let server = app.join("Instructive", scripted(steps)).await;
    let kept = app.document(DocumentSource::Instructions { server }).await;
    assert_eq!(kept.len(), (4 << 20) + "…".len());
    assert!(kept.ends_with("x…"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_says_of_itself_is_cut_for_the_window_and_whole_in_a_document() {
    let app = App::start().await;
    let long = |before: &str, after: &str| Step::EmitLong {
        before: before.to_owned(),
        size: 1 << 20,
        after: after.to_owned(),
    };
    let mut steps = vec![
        Step::Expect,
        long(
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"experimental":{""#,
            r#"":{}}},"serverInfo":{"name":""#,
        ),
        long("", r#"","version":""#),
        long("", r#"","title":""#),
        long("", "\"},\"instructions\":\""),
        long("", "\"}}\n"),
        Step::Expect,
        Step::Expect,
        long(
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":""#,
            r#"","title":""#,
        ),
        long("", r#"","description":""#),
        long(
            "",
            "\",\"inputSchema\":{\"type\":\"object\",\"description\":\"",
        ),
        long("", "\"}}]}}\n"),
        Step::Expect,
    ];
    steps.extend([
        long(
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":""#,
            r#"","data":""#,
        ),
        long("", "\"}}\n"),
        Step::Hang,
    ]);
    let server = app.add("Talkative", scripted(steps)).await;
    let catalog = app.ready(&server).await;
    let identity = app.seen().sessions[&server].identity.clone().unwrap();
    for (text, most) in [
        (identity.name.as_ref(), 300),
        (identity.version.as_ref(), 300),
        (identity.title.as_ref(), 300),
        (Some(&identity.capabilities), 66_000),
        (identity.instructions.as_ref(), 66_000),
    ] {
        let text = text.unwrap();
        assert!(text.ends_with("x…") && text.len() < most, "{}", text.len());
    }
    let key = catalog.first.clone().unwrap();
    assert!(key.ends_with("x…") && key.len() < 1_010);
    let detail = granted(app.tool_detail(server.clone(), key.clone())).await;
    assert!(detail.item.description.unwrap().len() < 66_000);
    assert_eq!(detail.input_schema, None);
    assert_eq!(
        detail.schema_error.as_deref(),
        Some("The input schema has 1.0 MiB, more than the 1.0 MiB that a form is made of.")
    );
    assert!(detail.item.raw.ends_with('…') && detail.item.raw.len() <= (1 << 20) + 3);
    // All of what is cut here is a document.
    let of = || server.clone();
    let definition = DocumentSource::Definition {
        server: of(),
        kind: CatalogKind::Tools,
        key: key.clone(),
    };
    for (source, size) in [
        (DocumentSource::Instructions { server: of() }, 1 << 20),
        (DocumentSource::Capabilities { server: of() }, 1 << 20),
        (definition, 4 << 20),
    ] {
        let text = app.document(source.clone()).await;
        assert!(text.len() >= size && !text.ends_with('…'));
        let opened = granted(app.open_document(source, DocumentMode::Tree, 80)).await;
        assert!(opened.bytes >= size as u64);
    }

    let call = app.call(&server, &key, "{}").await;
    let view = app.finished(call).await;
    assert!(view.target.unwrap().len() < 1_010);
    let Some(OperationOutcome::ProtocolError { message, .. }) = &view.outcome else {
        panic!("{:?}", view.outcome);
    };
    assert!(message.ends_with("x…") && message.chars().count() == 4_001);
    // The tool was called by its whole name, and the whole error is a document.
    let whole = DocumentSource::Answer { operation: call };
    let document = granted(app.open_document(whole, DocumentMode::Raw, 80)).await;
    assert!(document.bytes > 2 << 20, "{document:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_closes_its_output_and_lives_is_not_connected_any_more() {
    let app = App::start().await;
    let other = bystander(&app).await;
    let steps = [
        Step::stderr("I will say nothing more.\n"),
        Step::IgnoreTerminate,
        Step::CloseStdout,
        Step::Hang,
    ];
    let server = app.join("Silent", then(called(), steps)).await;
    let call = app.call(&server, "t", "{}").await;
    // It takes a while to end the process; the call does not wait for that.
    app.phase(&server, SessionPhase::Closing).await;
    assert_eq!(closing(&app, &server).await, CLOSED);
    let view = app.finished(call).await;
    let Some(OperationOutcome::Lost { code, .. }) = view.outcome else {
        panic!("{view:?}");
    };
    assert_eq!(code, LostCode::ConnectionLost);
    let phase = app.seen().sessions[&server].phase;
    assert_eq!(phase, SessionPhase::Closing, "the process lives");
    let session = app.phase(&server, SessionPhase::Failed).await;
    let failure = session.failure.unwrap();
    assert_eq!(failure.code, "stdout_closed");
    assert_eq!(
        failure.title,
        "The server closed its stdout and kept running."
    );
    assert_eq!(
        failure.cause,
        "No response can arrive without it, so Sonde ended the process. Last output: I will say \
         nothing more."
    );
    assert!(!failure.advice.is_empty());
    let said = app
        .until("why it was lost", |seen| {
            match &seen.operations[&call].outcome {
                Some(OperationOutcome::Lost { reason, .. })
                    if reason.contains("closed its stdout") =>
                {
                    Some(reason.clone())
                }
                _ => None,
            }
        })
        .await;
    assert!(said.starts_with(&failure.title), "{said}");
    is_untouched(&app, &other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_closes_its_output_before_it_answers_is_not_waited_for() {
    let app = App::start().await;
    let other = bystander(&app).await;
    let steps = [
        Step::stderr("I will say nothing at all.\n"),
        Step::IgnoreTerminate,
        Step::Expect,
        Step::CloseStdout,
        Step::Hang,
    ];
    for era in [ProtocolMode::Handshake, ProtocolMode::Automatic] {
        let mute = scripted(steps.clone());
        let server = app.add_as(era.clone(), "Mute", mute).await;
        app.connect(&server).await;
        // Said while the process still lives.
        assert_eq!(closing(&app, &server).await, CLOSED);
        let session = app.phase(&server, SessionPhase::Failed).await;
        let failure = session.failure.unwrap();
        assert_eq!(failure.code, "stdout_closed");
        assert_eq!(
            failure.cause,
            "No response can arrive without it, so Sonde ended the process. Last output: I will \
             say nothing at all."
        );
        let started = match era {
            // It may be the question that the server did not survive.
            ProtocolMode::Automatic => 2,
            _ => 1,
        };
        assert_eq!(session.stderr_lines, started, "one line per start");
        let phases = app.phases(&server);
        assert!(phases.contains(&SessionPhase::Closing), "{phases:?}");
        assert!(!phases.contains(&SessionPhase::Ready), "{phases:?}");
    }
    is_untouched(&app, &other).await;
}

/// Panics, once, when the app's own log names a method that no server has.
struct PanicAt(&'static str);

/// Message of the panic.
const WANTED: &str = "as the test wants it";

static PANICKED: AtomicBool = AtomicBool::new(false);

impl io::Write for PanicAt {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let named = String::from_utf8_lossy(line).contains(self.0);
        if named && !PANICKED.swap(true, Ordering::Relaxed) {
            panic!("{WANTED}");
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Needs a process of its own, because it replaces the log and the panic hook.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_in_a_session_ends_that_session_and_no_other() {
    // A report of it would look like a test that fails.
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        if panicked.payload_as_str() != Some(WANTED) {
            report(panicked);
        }
    }));
    // A session writes into the log of the app when it sends a request: in its own task.
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::DEBUG)
        .with_ansi(false)
        .with_writer(|| PanicAt("hostile/panic"))
        .init();
    let app = App::start().await;
    let other = bystander(&app).await;
    let server = app.join("Unlucky", then(called(), [Step::Hang])).await;
    let waiting = app.call(&server, "t", "{}").await;
    let fatal = OperationInput {
        method: "hostile/panic".to_owned(),
        ..OperationInput::default()
    };
    let fatal = app.start_run(&server, fatal).await;
    let session = app.phase(&server, SessionPhase::Failed).await;
    let failure = session.failure.unwrap();
    assert_eq!(
        (failure.code.as_str(), failure.title.as_str()),
        ("internal", "Something went wrong inside Sonde.")
    );
    assert!(!failure.advice.is_empty());
    for operation in [waiting, fatal] {
        let view = app.finished(operation).await;
        let Some(OperationOutcome::Lost { reason, .. }) = view.outcome else {
            panic!("{view:?}");
        };
        assert!(reason.starts_with(&failure.title), "{reason}");
    }
    is_untouched(&app, &other).await;
    // And it can be connected again.
    app.ready(&server).await;
}

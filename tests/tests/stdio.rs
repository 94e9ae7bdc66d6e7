//! The stdio transport against real processes.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::sync::Arc;

use sonde_tests::{
    record::{
        Recorder, close, exited, failure, next, next_text, outgoing, post, requested, tell,
        to_the_end, within,
    },
    stdio_peer::{Step, program, script},
};
use sonde_wire::{
    Body, Cause, Closed, Command, EntryKind, ExchangeId, ExitStatus, Incoming, Limits, SpawnError,
    StreamEnd, Verb, Wire, WireError,
    stdio::{ProcessInfo, ShutdownTimeouts, StdioSpec, inherited_env, spawn},
};

fn spec(steps: impl IntoIterator<Item = Step>) -> StdioSpec {
    let mut spec = StdioSpec::new(program());
    spec.args = script(steps);
    spec
}

async fn start(spec: StdioSpec) -> (Wire, ProcessInfo, Arc<Recorder>) {
    let recorder = Recorder::new();
    let (wire, info) = spawn(spec, recorder.clone()).await.unwrap();
    (wire, info, recorder)
}

/// Returns the story without the start and the steps of the shutdown.
fn frames(recorder: &Recorder) -> Vec<String> {
    recorder
        .story()
        .into_iter()
        .filter(|line| !line.starts_with("< note") && !line.starts_with("< started"))
        .collect()
}

#[tokio::test]
async fn messages_go_both_ways_and_are_recorded_in_order() {
    let (mut wire, info, recorder) = start(spec([Step::Echo { count: None }])).await;
    for id in 0..3 {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x","params":{{"n":{id}}}}}"#);
        post(&wire, id, &text).await;
        assert_eq!(
            *next_text(&mut wire).await,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"n":{id}}}}}"#)
        );
    }
    let (rest, closed) = close(&mut wire).await;
    assert!(rest.is_empty());
    assert_eq!(requested(closed), Some(ExitStatus::Code(0)));
    let entries = recorder.entries();
    assert!(matches!(
        &entries[0].kind,
        EntryKind::Started { command, pid } if command[0] == program() && *pid == info.pid
    ));
    assert_eq!(entries[1].exchange, Some(ExchangeId(0)));
    let story = frames(&recorder);
    assert!(story[0].starts_with("> message") && story[1].starts_with("< message"));
    assert_eq!(story.len(), 7);
    assert_eq!(story[6], "< exited Code(0)");
}

#[tokio::test]
async fn quirks_of_the_output_are_findings_and_end_nothing() {
    let steps = [
        Step::emit("\u{FEFF}{\"a\":1}\r\n"),
        Step::emit("Server 1.0 listening\n"),
        Step::emit("\n"),
        Step::emit("  [1]\r\n"),
        Step::emit("{\"half\":"),
        Step::Sleep { ms: 20 },
        Step::emit("true}\n"),
        Step::EmitBytes {
            bytes: b"{\"b\":\"\xFF\"}\n".to_vec(),
        },
        Step::EmitBytes {
            bytes: b"\xFE\n".to_vec(),
        },
        // Latin-1: the last byte begins a character of UTF-8.
        Step::EmitBytes {
            bytes: b"caf\xE9\n".to_vec(),
        },
        Step::emit("{\"last\":1}"),
    ];
    let (mut wire, _, recorder) = start(spec(steps)).await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert_eq!(exited(closed), ExitStatus::Code(0));
    let texts = items
        .iter()
        .map(|item| match item {
            Incoming::Message { text, .. } => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect::<Vec<_>>();
    assert_eq!(
        texts,
        [
            "{\"a\":1}",
            "  [1]",
            "{\"half\":true}",
            "{\"b\":\"\u{FFFD}\"}",
            "{\"last\":1}"
        ]
    );
    assert_eq!(
        frames(&recorder),
        [
            "< message {\"a\":1} [bom] [crlf]",
            "< non_message Server 1.0 listening [not-a-message]",
            "< non_message [blank-line]",
            "< message   [1]",
            "< message {\"half\":true}",
            "< message b\"{\\\"b\\\":\\\"\\xff\\\"}\" [invalid-utf8]",
            "< non_message b\"\\xfe\" [not-a-message] [invalid-utf8]",
            "< non_message b\"caf\\xe9\" [not-a-message] [invalid-utf8]",
            "< message {\"last\":1} [missing-newline]",
            "< exited Code(0)",
        ]
    );
}

#[tokio::test]
async fn an_output_cut_in_a_message_is_kept_but_not_delivered() {
    // The output ends inside a character, which the encoding is not to blame for.
    let bytes = "{\"result\":[1,\"é".as_bytes();
    let bytes = bytes[..bytes.len() - 1].to_vec();
    let steps = [Step::EmitBytes { bytes }, Step::Die];
    let (mut wire, _, recorder) = start(spec(steps)).await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert!(items.is_empty());
    assert_eq!(exited(closed), ExitStatus::Signal(9));
    assert_eq!(
        frames(&recorder),
        [
            "< non_message b\"{\\\"result\\\":[1,\\\"\\xc3\" [partial-line]",
            "< exited Signal(9)"
        ]
    );
    assert_eq!(recorder.entries().last().unwrap().label.cause, None);
}

#[tokio::test]
async fn a_large_line_arrives_whole_and_an_oversized_one_is_reported() {
    let size = 50 * 1024 * 1024;
    let long = |size| Step::EmitLong {
        before: "{\"result\":{\"text\":\"".to_owned(),
        size,
        after: "\"},\"jsonrpc\":\"2.0\",\"id\":7}\n".to_owned(),
    };
    let steps = [
        long(size),
        long(size + 20 * 1024 * 1024),
        Step::emit("{}\n"),
    ];
    let (mut wire, _, recorder) = start(spec(steps)).await;
    let whole = next_text(&mut wire).await;
    assert_eq!(whole.len() as u64, size + 45);
    let all = size + 20 * 1024 * 1024 + 45;
    let Limits { kept, message } = Limits::default();
    assert!(matches!(
        next(&mut wire).await,
        Incoming::Oversized { id: Some(id), head, size, limit, .. }
            if id == "7" && head.len() == kept && size == all && limit == message
    ));
    assert_eq!(*next_text(&mut wire).await, "{}");
    to_the_end(&mut wire).await;
    let entries = recorder.entries();
    let cut = entries.iter().find(|entry| entry.dropped > 0).unwrap();
    assert!(matches!(cut.kind, EntryKind::NonMessage));
    assert_eq!(cut.dropped, all - kept as u64);
    assert_eq!(cut.findings[0].id(), "oversized");
}

#[tokio::test]
async fn standard_error_is_recorded_line_by_line_and_blocks_nothing() {
    let steps = [
        Step::stderr("first\r\nsecond\n\n"),
        // Much more than a pipe holds, while nobody writes to standard output.
        Step::StderrMany {
            count: 20_000,
            text: "line of standard error\n".to_owned(),
        },
        Step::emit("{}\n"),
        // A line above the limit of standard error.
        Step::StderrMany {
            count: 20,
            text: "€".repeat(20_000),
        },
        Step::stderr("\nno line end"),
        Step::Exit { code: 3 },
    ];
    let (mut wire, _, recorder) = start(spec(steps)).await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert_eq!(items.len(), 1);
    assert_eq!(exited(closed), ExitStatus::Code(3));
    let story = recorder.story();
    assert_eq!(
        story[1..4],
        ["< stderr first", "< stderr second", "< stderr"]
    );
    let lines = story.iter().filter(|line| line.starts_with("< stderr"));
    assert_eq!(lines.count(), 20_005);
    let entries = recorder.entries();
    let cut = entries.iter().find(|entry| entry.dropped > 0).unwrap();
    assert!(matches!(&cut.body, Body::Text(text) if text.ends_with('€')));
    assert!(cut.findings.is_empty(), "it is free text");
    assert!(story.contains(&"< stderr no line end".to_owned()));
    assert_eq!(story.last().unwrap(), "< exited Code(3)");
}

#[tokio::test]
async fn a_session_that_does_not_read_slows_the_server_and_loses_nothing() {
    let count = 50_000;
    let steps = [Step::EmitMany {
        count,
        text: "{\"n\":{n}}\n".to_owned(),
    }];
    let (mut wire, _, recorder) = start(spec(steps)).await;
    // The queue fills and then reading stops: nobody buffers the rest.
    let mut before = usize::MAX;
    while before != recorder.entries().len() {
        before = recorder.entries().len();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(before < 1_000, "{before} lines were read ahead");
    let (items, _) = to_the_end(&mut wire).await;
    assert_eq!(items.len() as u64, count);
    assert!(matches!(
        items.last(),
        Some(Incoming::Message { text, .. }) if text.as_str() == "{\"n\":49999}"
    ));
}

#[tokio::test]
async fn a_server_that_reads_nothing_does_not_block_its_output_or_the_end() {
    let mut spec = spec([Step::emit("{\"hello\":1}\n"), Step::Hang]);
    spec.shutdown = ShutdownTimeouts {
        stdin: std::time::Duration::from_millis(100),
        ..ShutdownTimeouts::default()
    };
    let (mut wire, _, recorder) = start(spec).await;
    let big = format!("{{\"fill\":\"{}\"}}", "x".repeat(1 << 20));
    for exchange in 0..10 {
        post(&wire, exchange, &big).await;
    }
    assert_eq!(*next_text(&mut wire).await, "{\"hello\":1}");
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), Some(ExitStatus::Signal(15)));
    assert_eq!(recorder.story().last().unwrap(), "< exited Signal(15)");
    let cause = recorder.entries().last().unwrap().label.cause;
    assert_eq!(cause, Some(Cause::Lifecycle), "it did not fail");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_and_the_wire_goes_on() {
    let (mut wire, _, recorder) = start(spec([Step::Echo { count: None }])).await;
    tell(&wire, Command::Send(outgoing(1, Verb::Get, None))).await;
    post(&wire, 2, "{\n}").await;
    for id in 1..=2 {
        let (exchange, error) = failure(&mut wire).await;
        assert!(matches!(error, WireError::Unsupported { .. }), "{error:?}");
        assert_eq!(exchange, ExchangeId(id));
    }
    post(&wire, 3, r#"{"id":1,"params":[]}"#).await;
    next_text(&mut wire).await;
    let sent = frames(&recorder);
    assert_eq!(sent.iter().filter(|line| line.starts_with('>')).count(), 1);
}

/// Needs a process of its own: a process that another test is starting has a copy of this one's pipe until its own
/// program runs.
#[tokio::test]
async fn a_closed_standard_input_fails_the_messages_but_not_the_wire() {
    let steps = [
        Step::CloseStdin,
        Step::emit("{\"n\":1}\n"),
        Step::Sleep { ms: 300 },
        Step::emit("{\"n\":2}\n"),
        Step::Hang,
    ];
    let (mut wire, _, _) = start(spec(steps)).await;
    next_text(&mut wire).await;
    for id in 1..=2 {
        post(&wire, id, "{}").await;
    }
    // What the process writes meanwhile may come before, between or after the failures.
    let (mut failed, mut texts) = (Vec::new(), Vec::new());
    while failed.len() < 2 || texts.is_empty() {
        match next(&mut wire).await {
            Incoming::End {
                exchange,
                end: StreamEnd::Failed(WireError::Broken { .. }),
            } => failed.push(exchange),
            Incoming::Message { text, .. } => texts.push(text.to_string()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(failed, [ExchangeId(1), ExchangeId(2)]);
    assert_eq!(texts, ["{\"n\":2}"]);
    drop(wire);
}

#[tokio::test]
async fn the_environment_is_small_and_the_users_entries_are_there() {
    let passed_on = inherited_env();
    let kept_back = std::env::vars()
        .map(|(name, _)| name)
        .find(|name| passed_on.iter().all(|(other, _)| other != name.as_str()))
        .expect("cargo sets variables that are none of a server's business");
    let folder = tempfile::tempdir().unwrap();
    let mut spec = spec([Step::EmitEnvironment]);
    spec.env = vec![("SONDE_USER_ENTRY".into(), "a=b c".into())];
    spec.path = Some("/usr/bin:/bin".into());
    spec.cwd = Some(folder.path().to_path_buf());
    let shown = format!("{spec:?}");
    assert!(shown.contains("SONDE_USER_ENTRY") && !shown.contains("a=b c"));
    let (mut wire, info, _) = start(spec).await;
    assert_eq!(info.path, "/usr/bin:/bin");
    let text = next_text(&mut wire).await;
    let env = serde_json::from_str::<serde_json::Value>(&text).unwrap();
    assert_eq!(env["env"]["SONDE_USER_ENTRY"], "a=b c");
    assert_eq!(env["env"]["PATH"], "/usr/bin:/bin");
    assert!(env["env"].get(&kept_back).is_none());
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_why() {
    let tap = Recorder::new;
    let mut missing = StdioSpec::new("sonde-no-such-program");
    missing.path = Some("/usr/bin:/bin".into());
    match spawn(missing, tap()).await {
        Err(SpawnError::NotFound { command, searched }) => {
            assert_eq!(command, "sonde-no-such-program");
            assert_eq!(searched, ["/usr/bin", "/bin"].map(std::path::PathBuf::from));
        }
        other => panic!("{other:?}"),
    }

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plain.txt");
    std::fs::write(&file, "text").unwrap();
    let plain = StdioSpec::new(file.to_str().unwrap());
    assert!(matches!(
        spawn(plain, tap()).await,
        Err(SpawnError::NotExecutable { path }) if path == file
    ));

    let mut lost = StdioSpec::new("sh");
    lost.cwd = Some(folder.path().join("missing"));
    assert!(matches!(
        spawn(lost, tap()).await,
        Err(SpawnError::BadWorkingDirectory { .. })
    ));
}

#[tokio::test]
async fn ten_thousand_round_trips_finish() {
    let (mut wire, _, recorder) = start(spec([Step::Echo { count: None }])).await;
    within("the round trips", async {
        for id in 0..10_000 {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            post(&wire, id, &text).await;
            next_text(&mut wire).await;
        }
    })
    .await;
    drop(wire);
    within("the end of the process", async {
        while !recorder
            .story()
            .iter()
            .any(|line| line.starts_with("< exited"))
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    let messages = recorder
        .entries()
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::Message))
        .count();
    assert_eq!(messages, 20_000);
    assert!(matches!(recorder.entries()[1].body, Body::Text(_)));
}

#[tokio::test]
async fn a_kill_ends_the_process_as_a_crash_would() {
    let (mut wire, _, recorder) = start(spec([Step::Echo { count: None }])).await;
    post(&wire, 1, r#"{"id":1}"#).await;
    next_text(&mut wire).await;
    tell(&wire, Command::Kill).await;
    let (_, closed) = to_the_end(&mut wire).await;
    assert!(
        matches!(closed, Closed::ProcessExited { exit } if exit != ExitStatus::Code(0)),
        "{closed:?}"
    );
    assert!(
        recorder
            .story()
            .iter()
            .any(|line| line.contains("Killing the process"))
    );
}

//! Use of the demo server, as by a person.

use std::sync::{Arc, Mutex};

use sonde_explorer::SavePlace;
use sonde_ipc::*;
use sonde_tests::app::{
    App, Desktop, denied, draft, entry, first_block, granted, one_text, options,
};

/// Starts a call that takes ten minutes and reports its progress; returns when it runs.
async fn slow_call(app: &App, server: &str) -> OperationNumber {
    let call = app.call(server, "polish_lens", r#"{"seconds": 600}"#).await;
    runs(app, call).await;
    call
}

async fn runs(app: &App, call: OperationNumber) {
    app.holds("it runs", |seen| {
        seen.operations
            .get(&call)
            .is_some_and(|one| one.state == OperationState::Running)
    })
    .await;
}

fn all_done(session: &SessionView) -> bool {
    session
        .steps
        .iter()
        .all(|step| step.state == StepState::Done)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connect_list_call_and_disconnect() {
    let app = App::start().await;
    let server = app.first().await;
    let tools = app.ready(&server).await;
    assert!(tools.supported && tools.reading.is_none() && tools.error.is_none());
    let rows = app.rows(&server, CatalogKind::Tools, "").await;
    assert_eq!(rows.len(), tools.count as usize);
    assert!(rows.iter().any(|tool| tool.name == "echo"));
    let session = app.phase(&server, SessionPhase::Ready).await;
    assert!(all_done(&session) && session.steps.iter().all(|step| step.millis.is_some()));
    let identity = session.identity.unwrap();
    assert_eq!(
        (identity.name.as_deref(), identity.revision.as_str()),
        (Some("sonde-demo"), "2026-07-28")
    );
    assert_eq!(session.process.unwrap().argv.len(), 1);

    let detail = granted(app.tool_detail(server.clone(), "echo".to_owned())).await;
    assert_eq!(detail.parameters, 1);
    assert!(detail.input_schema.unwrap().contains("message"));
    assert_eq!(detail.schema_error, None);

    let arguments = r#"{ "message":"9007199254740993 \u00fc" }"#;
    let call = app.call(&server, "echo", arguments).await;
    let view = app.finished(call).await;
    assert_eq!(one_text(&view), "9007199254740993 ü");
    assert_eq!(view.arguments.as_deref(), Some(arguments));
    assert_eq!(view.key.as_deref(), Some("echo"));
    assert_eq!(view.title, detail.item.row.title);
    assert!(view.micros.is_some() && view.deadline.is_none());

    // The request in the log is what was typed, and its answer is found from it.
    let (request, answer) = app
        .until("both log entries", |seen| {
            let view = seen.operations.get(&call)?;
            Some((view.request_seq?, view.response_seq?))
        })
        .await;
    let row = app.log_detail(server.clone(), request).await.unwrap().row;
    assert_eq!(
        (row.method.as_deref(), row.operation, row.out),
        (Some("tools/call"), Some(call), true)
    );
    assert_eq!(row.partner, Some(answer));
    let sent = app.document(entry(&server, request));
    assert!(sent.await.contains(arguments));
    let content = app.document(first_block(call));
    assert_eq!(content.await, "9007199254740993 ü");
    for source in [
        DocumentSource::Structured { operation: call },
        DocumentSource::Content {
            operation: call,
            index: 9,
        },
        DocumentSource::Arguments { operation: 999 },
    ] {
        denied(app.read_bytes(source), ErrorCode::NotFound).await;
    }

    app.ping(server.clone()).await.unwrap();
    app.until("the ping", |seen| seen.sessions.get(&server)?.ping_micros)
        .await;

    let session = app.end(&server).await;
    assert!(session.process.is_none() && session.failure.is_none());
    assert!(session.identity.is_some(), "what the server said is kept");
    let tools = app.seen().tools(&server).unwrap().count;
    assert!(tools > 0, "they are kept");
    let refused = app.start_operation(server.clone(), OperationInput::tool("echo", None));
    denied(refused, ErrorCode::NotConnected).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_messages_and_cancelling() {
    let app = App::start().await;
    let server = app.demo().await;
    let slow = slow_call(&app, &server).await;
    let tower = app
        .call(&server, "climb_tower", r#"{"landings": 5, "pause_ms": 20}"#)
        .await;
    let view = app.finished(tower).await;
    let progress = view.progress.unwrap();
    assert_eq!(progress.latest.total, Some(5.0));
    let has_rate = progress.rate.is_some_and(|rate| rate > 0.0);
    assert!(progress.count >= 5 && has_rate, "{progress:?}");

    let deadline = app
        .until("the slow call's progress", |seen| {
            let view = seen.operations.get(&slow)?;
            view.progress.as_ref().and(view.deadline)
        })
        .await;
    app.extend_operation(slow, 5_000).await.unwrap();
    app.until("more time", |seen| {
        let later = seen.operations[&slow].deadline?;
        (later.idle_at > deadline.idle_at + 4_000_000 && later.hard_at > deadline.hard_at)
            .then_some(())
    })
    .await;
    let refused = app.delete_operations(vec![tower, slow]);
    denied(refused, ErrorCode::InvalidInput).await;

    app.cancel_operation(slow).await.unwrap();
    let view = app.finished(slow).await;
    // The demo server answers a cancelled call all the same, or keeps silent: both are ends.
    match view.outcome.unwrap() {
        OperationOutcome::Cancelled => assert!(!view.answered_after_cancel),
        _ => assert!(view.answered_after_cancel),
    }

    let storm = app
        .call(
            &server,
            "ride_out_storm",
            r#"{"progress": 300, "logs": 300}"#,
        )
        .await;
    let view = app.finished(storm).await;
    let per_call = view.messages;
    let messages = async || granted(app.operation_messages(storm, 0, 1_000)).await.len() as u64;
    assert_eq!(messages().await, per_call);
    // What comes behind the result is no longer the operation's, but the log has all of it.
    let filter = LogFilter {
        text: "Gust".to_owned(),
        methods: vec!["notifications/message".to_owned()],
        ..LogFilter::default()
    };
    let opened = app.open_log(server.clone(), filter).await.unwrap();
    let log = app
        .until("all messages", |seen| {
            let now = seen.logs.get(&opened.view).unwrap_or(&opened);
            (now.rows >= 300).then(|| now.clone())
        })
        .await;
    let told = granted(app.log_rows(log.view, log.epoch, 0, 500))
        .await
        .into_iter();
    let told: Vec<_> = told.filter_map(|row| row.summary).collect();
    let last = told.iter().any(|text| text.contains("Gust 300 of 300"));
    assert!(last, "{told:?}");
    app.close_log(log.view).await.unwrap();

    let kept: Vec<_> = app.seen().operations.keys().copied().collect();
    assert!(kept.contains(&tower), "one that runs keeps all from going");
    let one = app.delete_operations(vec![tower]).await.unwrap();
    let nothing = app.delete_operations(vec![tower]).await.unwrap();
    assert!(one.is_some() && nothing.is_none());
    let rest = app.delete_operations(kept.clone()).await.unwrap();
    app.holds("an empty history", |seen| seen.operations.is_empty())
        .await;
    for deletion in [rest, one].into_iter().flatten() {
        app.undo_deletion(deletion).await.unwrap();
        denied(app.undo_deletion(deletion), ErrorCode::NotFound).await;
    }
    app.holds("the history as it was", |seen| {
        seen.operations.keys().eq(kept.iter())
    })
    .await;
    assert_eq!(messages().await, per_call, "whole");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_fails_pending_operations_with_its_last_words_and_restart_works() {
    let app = App::start().await;
    let server = app.demo().await;
    let pending = slow_call(&app, &server).await;
    app.call(&server, "blow_fuse", r#"{"code": 7}"#).await;
    let session = app.phase(&server, SessionPhase::Failed).await;
    let failure = session.failure.unwrap();
    assert_eq!(failure.code, "process_exited");
    assert!(failure.title.contains("exit code 7"), "{failure:?}");
    let last_words = failure.stderr_tail.last().unwrap();
    assert!(last_words.contains("fuse blown"), "{failure:?}");
    assert_eq!(session.closed.unwrap().exit_code, Some(7));
    assert!(session.process.is_none());
    let lines = app.stderr_lines(server.clone(), 0, 100).await.unwrap();
    assert_eq!(lines.len() as u64, session.stderr_lines);
    app.until("the reason", |seen| {
        match &seen.operations[&pending].outcome {
            Some(OperationOutcome::Lost { reason, .. }) if reason.contains("exit code 7") => {
                Some(())
            }
            _ => None,
        }
    })
    .await;
    let filter = LogFilter {
        operation: Some(pending),
        kinds: vec![LogKind::Request],
        ..LogFilter::default()
    };
    let rows = app.log(&server, filter).await;
    let why: Vec<_> = rows.iter().map(|row| row.no_response).collect();
    assert_eq!(why, [Some(LogNoResponse::Exited)]);

    app.restart(server.clone()).await.unwrap();
    let session = app.phase(&server, SessionPhase::Ready).await;
    assert_eq!((session.generation, session.failure), (2, None));
    let call = app.call(&server, "echo", r#"{"message": "again"}"#).await;
    assert_eq!(one_text(&app.finished(call).await), "again");
    app.restart(server.clone()).await.unwrap();
    app.phase_of(&server, 3, SessionPhase::Ready).await;
    app.shutdown().await;
    let is_kept = app.seen().operations.contains_key(&call);
    assert!(is_kept, "calls outlive reconnects");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_over_http_and_what_happens_when_its_process_dies() {
    let app = App::start().await;
    let server = app
        .join("Demo over HTTP", Transport::Demo { http: true })
        .await;
    let session = app.phase(&server, SessionPhase::Ready).await;
    assert_eq!(session.steps.len(), 5);
    assert!(all_done(&session), "{session:#?}");
    let call = app
        .call(&server, "echo", r#"{"message": "over HTTP"}"#)
        .await;
    assert_eq!(one_text(&app.finished(call).await), "over HTTP");
    let seq = app
        .until("the request", |seen| seen.operations[&call].request_seq)
        .await;
    let curl = app.log_curl(server.clone(), seq).await.unwrap();
    assert!(curl.starts_with("curl"), "{curl}");

    app.call(&server, "blow_fuse", r#"{"code": 5}"#).await;
    let session = app.phase(&server, SessionPhase::Failed).await;
    let failure = session.failure.unwrap();
    assert_eq!(failure.code, "process_exited");
    assert!(failure.title.contains("exit code 5"), "{failure:?}");

    app.explorer.connect(server.clone(), None).await.unwrap();
    app.phase(&server, SessionPhase::Ready).await;
    app.end(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_the_list_and_every_kind_of_answer() {
    let app = App::start().await;
    let server = app
        .add("With a handshake", Transport::Demo { http: false })
        .await;
    let tools = app.ready(&server).await;
    let count = tools.count;
    app.run_tool(&server, "boathouse_doors", r#"{"open": true}"#)
        .await;
    let tools = app
        .until("one more tool", |seen| {
            let tools = seen.tools(&server)?;
            (tools.count == count + 1).then(|| tools.clone())
        })
        .await;
    let diff = tools.diff.clone().unwrap().diff;
    assert_eq!((diff.added.count, diff.removed.count), (1, 0));
    let rows = app.rows(&server, CatalogKind::Tools, "").await;
    let added = rows
        .iter()
        .filter(|row| row.change == Some(CatalogChange::Added));
    let added: Vec<_> = added.map(|row| row.key.clone()).collect();
    assert_eq!(added, diff.added.names);

    let call = app.call(&server, "call_wrong_number", "{}").await;
    match app.finished(call).await.outcome.unwrap() {
        OperationOutcome::ProtocolError {
            code,
            data,
            meaning,
            ..
        } => {
            assert_eq!(code, -32_050);
            assert!(data.unwrap().contains("bakery") && !meaning.is_empty());
        }
        other => panic!("{other:?}"),
    }
    let error = app.document(DocumentSource::Answer { operation: call });
    let error: serde_json::Value = serde_json::from_str(&error.await).unwrap();
    assert_eq!(error["data"]["tries"], 2);

    let refused = app.run_tool(&server, "open_rusty_door", "{}").await.outcome;
    assert!(matches!(
        refused.unwrap(),
        OperationOutcome::Result { is_error: true, .. }
    ));

    // A large result: nothing of it travels, all of it can be read.
    let call = app
        .call(&server, "print_almanac", r#"{"bytes": 20000000}"#)
        .await;
    match app.finished(call).await.outcome.unwrap() {
        OperationOutcome::Result { content, .. } => {
            let large = (content[0].bytes, content[0].text.as_ref());
            assert_eq!(large, (20_000_000, None));
        }
        other => panic!("{other:?}"),
    }
    let text = app.document(first_block(call));
    assert_eq!(text.await.len(), 20_000_000);

    let refused = app.start_operation(
        server.clone(),
        OperationInput::tool("echo", Some("{oops".to_owned())),
    );
    denied(refused, ErrorCode::ArgumentsNotJson).await;
    let refused = app.start_operation(server.clone(), OperationInput::tool("gone", None));
    denied(refused, ErrorCode::NotFound).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_of_the_window_loses_nothing() {
    let app = App::start().await;
    let server = app.demo().await;
    let call = slow_call(&app, &server).await;
    let log = granted(app.open_log(server.clone(), LogFilter::default())).await;
    app.reload().await;
    runs(&app, call).await;
    let before = app.seen().operations[&call]
        .progress
        .as_ref()
        .map_or(0, |progress| progress.count);
    app.until("more progress", |seen| {
        (seen.operations[&call].progress.as_ref()?.count > before).then_some(())
    })
    .await;
    assert_eq!(app.seen().tools(&server).unwrap().revision, 1);
    let error = app.log_rows(log.view, log.epoch, 0, 10).await.unwrap_err();
    assert_eq!(
        error.code,
        ErrorCode::NotFound,
        "views of the old window are closed"
    );
    let log = granted(app.open_log(server.clone(), LogFilter::default())).await;
    app.until("rows", |seen| {
        (seen.logs.get(&log.view)?.rows > 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saving_opening_and_the_report() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let opened: Arc<Mutex<Vec<String>>> = Arc::default();
    let browser = opened.clone();
    let places = Arc::new(Mutex::new(Vec::new()));
    let next = places.clone();
    let mut options = options(folder.path());
    options.host = Arc::new(Desktop {
        open_url: Some(Box::new(move |url| {
            browser.lock().unwrap().push(url.to_owned());
            Ok(())
        })),
        downloads: Some(folder.path().join("Downloads")),
        folder: Some("/home/ada/My work".into()),
        file: Some("/opt/my server/run".into()),
        choose_file: Some(Box::new(move |name| {
            let place = next.lock().unwrap().pop();
            place.map_or(SavePlace::Downloads, |place| {
                assert_eq!(name, "Load echo - result.txt");
                place
            })
        })),
        ..Desktop::default()
    });
    let app = App::open(options, folder).await;
    let server = app.demo().await;
    let call = app.call(&server, "echo", r#"{"message": "kept"}"#).await;
    app.finished(call).await;
    let source = first_block(call);
    let one = app.save_document(source.clone()).await.unwrap().unwrap();
    let two = app.save_document(source.clone()).await.unwrap().unwrap();
    assert_ne!(one, two);
    assert_eq!(std::fs::read_to_string(two).unwrap(), "kept");
    let chosen = app.folder.path().join("chosen.txt");
    for (place, saved) in [
        (SavePlace::Nowhere, None),
        (
            SavePlace::File(chosen.clone()),
            Some(chosen.display().to_string()),
        ),
    ] {
        places.lock().unwrap().push(place);
        let path = app.save_document(source.clone()).await.unwrap();
        assert_eq!(path, saved);
    }
    assert_eq!(std::fs::read_to_string(chosen).unwrap(), "kept");

    let work = app.choose_folder().await.unwrap();
    assert_eq!(work.as_deref(), Some("/home/ada/My work"));
    let program = app.choose_file().await.unwrap();
    assert_eq!(program.as_deref(), Some("/opt/my server/run"));

    granted(app.open_external("https://example.com/a b".to_owned())).await;
    for url in ["file:///etc/passwd", "javascript:alert(1)", "nonsense"] {
        let error = app.open_external(url.to_owned()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{url}");
    }
    assert_eq!(*opened.lock().unwrap(), ["https://example.com/a%20b"]);

    std::fs::create_dir_all(app.folder.path().join("crashes")).unwrap();
    std::fs::write(app.folder.path().join("crashes/1.txt"), "it broke").unwrap();
    let report = app.app_report().await.unwrap();
    assert_eq!(report.crashes, ["it broke"]);
    assert!(report.keyring.contains("memory"));
    app.shutdown().await;
    denied(app.explorer.connect(server, None), ErrorCode::Internal).await;
    // Nothing can be told any more, and nothing hangs.
    granted(app.add_server(draft("Late", Transport::Demo { http: false }))).await;
}

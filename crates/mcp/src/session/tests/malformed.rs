use super::{stateless_operations::tool, *};

/// Checks that the session still answers a ping.
async fn answers_a_ping(bench: &mut Bench) {
    bench.request("\"still there?\"", "ping", "{}").await;
    loop {
        let outgoing = bench.outgoing().await;
        let text = outgoing.text.expect("no session_delete is said");
        if *text == r#"{"jsonrpc":"2.0","id":"still there?","result":{}}"# {
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn odd_frames_are_marked_and_end_nothing() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_object = answer(
        format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000)),
        "{}",
    );
    let result_of = |id: &str| answer(id, "{}");
    let cases: [(String, &[&str]); 20] = [
        ("".into(), &["invalid-json"]),
        ("Server started on port 3000".into(), &["invalid-json"]),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"resul".into(),
            &["invalid-json"],
        ),
        (answer(1, "{\"a\":\u{fffd}}"), &["invalid-json"]),
        ("\u{0}\u{1}".into(), &["invalid-json"]),
        ("[1,2".into(), &["invalid-json"]),
        ("null".into(), &["invalid-message"]),
        ("[]".into(), &["batch-not-allowed", "invalid-message"]),
        (deep, &["batch-not-allowed", "invalid-message"]),
        (deep_object, &["bad-id"]),
        (result_of("99"), &["unknown-response-id"]),
        (result_of("\"99\""), &["unknown-response-id"]),
        (result_of("-1"), &["unknown-response-id"]),
        (
            result_of("99999999999999999999999"),
            &["unknown-response-id"],
        ),
        (result_of("1"), &["duplicate-response"]),
        (refusal("null", -32700, "null"), &["unknown-response-id"]),
        (result_of("null"), &["bad-id"]),
        (request("[]", "ping", "{}"), &["bad-id"]),
        (notification("unheard-of", "7"), &[]),
        (
            notification("cancelled", r#"{"requestId":1}"#),
            &["unknown-request-cancelled"],
        ),
    ];
    let mut bench = Bench::ready().await;
    for (text, codes) in cases {
        let shown: String = text.chars().take(60).collect();
        let seq = bench.say(text).await;
        bench.quiet().await;
        assert_eq!(bench.notes.codes(seq), codes, "{shown}");
        assert_eq!(bench.notes.of(seq).len(), 1, "{shown}");
    }
    answers_a_ping(&mut bench).await;
}

#[tokio::test(start_paused = true)]
async fn batches_are_read_everywhere_and_marked_where_forbidden() {
    for revision in Revision::HANDSHAKE {
        let mut bench = Bench::ready_with(revision, "{}").await;
        let (one, two) = (bench.call(1).await, bench.call(2).await);
        let told = progress(one, r#""progress":1"#);
        let seq = bench
            .say(format!("[{}, {told}, 7, {}]", result(two), result(one)))
            .await;
        assert!(matches!(bench.finished(2).await, Outcome::Result { .. }));
        bench.progresses(1).await;
        assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
        // The first version does not mention them.
        let allowed = revision <= Revision::R2025Mar;
        assert_eq!(
            !bench.notes.codes(seq).contains(&"batch-not-allowed"),
            allowed
        );
        assert!(bench.notes.codes(seq).contains(&"invalid-message"));
        let label = bench.label(seq).await;
        assert_eq!(label.kind, Some(sonde_wire::MessageKind::Batch));
        assert_eq!(label.operation, Some(2));
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_on_its_own_is_judged_by_what_it_declared() {
    let capabilities = r#"{"tools":{"listChanged":true},"prompts":{},"logging":{}}"#;
    let changed = |what: &str, params: &str| notification(&format!("{what}/list_changed"), params);
    let secret = r#"{"level":"info","data":"AKIAIOSFODNN7EXAMPLE"}"#;
    let undeclared = "undeclared-list-changed";
    let cases: [(String, &[&str]); 7] = [
        (changed("tools", "{}"), &[]),
        (changed("prompts", "{}"), &[undeclared]),
        (
            changed("prompts", r#"{"_meta":{"a b":1}}"#),
            &[undeclared, "bad-meta-key"],
        ),
        (LOG.to_owned(), &[]),
        (notification("message", secret), &["secret-in-log"]),
        (
            request(7, "notifications/x", "{}"),
            &["notification-with-id"],
        ),
        (request(7, "ping", "{}"), &["reused-request-id"]),
    ];
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, capabilities).await;
    for (text, codes) in cases {
        let seq = bench.say(text.clone()).await;
        assert_eq!(bench.codes(seq).await, codes, "{text}");
    }
    // One finding is enough for a server that does not declare what it does all the time.
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, "{}").await;
    for codes in [&["undeclared-logging"][..], &[]] {
        let seq = bench.say(LOG).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
}

#[tokio::test(start_paused = true)]
async fn a_large_result_keeps_every_byte() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    let text = "é\\n\\u00e9 0123456789".repeat(500_000);
    let body = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#);
    bench.say(answer(id, &body)).await;
    match bench.finished(1).await {
        Outcome::Result { raw, .. } => assert!(raw.get() == body),
        other => panic!("unexpected outcome {other:?}"),
    }
}

/// Sends a text repeatedly while nobody receives the events; returns the number of times that the session accepted it.
async fn taken_unheard(bench: &mut Bench, text: &str, times: usize) -> usize {
    for count in 0..times {
        let said = tokio::time::timeout(secs(5), bench.say(text)).await;
        if said.is_err() {
            return count;
        }
    }
    times
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_its_reader_is_bounded_in_bytes() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    let words = "x".repeat(1024 * 1024);
    let log = notification(
        "message",
        &format!(r#"{{"level":"info","data":"{words}"}}"#),
    );
    // Sixteen each before, in and after the session.
    let taken = taken_unheard(&mut bench, &log, 300).await;
    assert!((16..=51).contains(&taken), "{taken} MiB wait");
    // Nothing of it is lost.
    for _ in 0..taken {
        assert!(matches!(
            bench.call_event(1).await,
            OperationEvent::Log(message) if message.data.as_ref().unwrap().get().len() > words.len()
        ));
    }
    let progress = progress(id, &format!(r#""progress":1,"message":"{words}""#));
    bench.say(progress).await;
    loop {
        // The last log message may have been under way.
        match bench.call_event(1).await {
            OperationEvent::Log(_) => {}
            OperationEvent::Progress(progress) => {
                let message = progress.message.unwrap();
                assert_eq!(message.chars().count(), crate::limits::PROGRESS_MESSAGE + 1);
                assert!(message.ends_with("x…"));
                break;
            }
            other => panic!("unexpected event {other:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_that_is_too_long_to_repeat_is_not_answered() {
    let mut bench = Bench::ready().await;
    let ping = |id: &str| request(format!("\"{id}\""), "ping", "{}");
    let seq = bench.say(ping(&"x".repeat(5_000))).await;
    answers_a_ping(&mut bench).await;
    assert_eq!(bench.notes.codes(seq), ["id-too-long"]);
    let longest = "x".repeat(crate::limits::REQUEST_ID - 2);
    let seq = bench.say(ping(&longest)).await;
    assert_eq!(bench.sent().await["id"], longest);
    assert_eq!(bench.notes.codes(seq), [""; 0]);
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    /// Texts near enough to messages to get past the first check, and far enough to be wrong.
    fn text() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("1".to_owned()),
            Just("2".to_owned()),
            Just("\"2\"".to_owned()),
            Just("null".to_owned()),
            Just("-0.5e9".to_owned()),
            Just("[]".to_owned()),
            Just("{}".to_owned()),
            Just("{\"code\":-1,\"message\":\"m\"}".to_owned()),
            Just("{\"content\":[],\"isError\":1}".to_owned()),
            Just("{\"tools\":[{\"name\":1}],\"nextCursor\":\"c\"}".to_owned()),
            Just("{\"progressToken\":2,\"progress\":1}".to_owned()),
            Just("{\"level\":\"info\",\"data\":[]}".to_owned()),
            Just("\"tools/call\"".to_owned()),
            Just("\"notifications/progress\"".to_owned()),
            Just("\"notifications/message\"".to_owned()),
            Just("\"notifications/tools/list_changed\"".to_owned()),
            Just("\"2.0\"".to_owned()),
            any::<String>().prop_map(|text| Value::String(text).to_string()),
            ".{0,12}",
        ];
        let key = prop_oneof![
            Just("jsonrpc"),
            Just("id"),
            Just("method"),
            Just("params"),
            Just("result"),
            Just("error"),
            Just("other"),
        ];
        let object = proptest::collection::vec((key, value), 0..7).prop_map(|members| {
            let members: Vec<String> = members
                .into_iter()
                .map(|(key, value)| format!("\"{key}\":{value}"))
                .collect();
            format!("{{{}}}", members.join(","))
        });
        prop_oneof![
            4 => object.clone(),
            1 => proptest::collection::vec(object.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            1 => (object, any::<prop::sample::Index>()).prop_map(|(text, at)| {
                let end = at.index(text.len());
                text.chars().take(end).collect()
            }),
            1 => any::<String>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// No text ends the session: it still answers a ping, and ends when told to.
        #[test]
        fn leaves_the_session_alive(
            texts in proptest::collection::vec((text(), any::<bool>()), 1..12),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap();
            runtime.block_on(async {
                let mut bench = Bench::ready().await;
                let (id, exchange) = bench.call_with(1, OperationOptions::default()).await;
                prop_assert_eq!(id, 2);
                for (text, on_stream) in texts {
                    if on_stream {
                        bench.say_on(exchange, text).await;
                    } else {
                        bench.say(text).await;
                    }
                }
                answers_a_ping(&mut bench).await;
                bench.handle.close();
                while !matches!(bench.command().await, Command::Close) {}
                bench.take(Incoming::Closed(Closed::Requested { exit: None })).await;
                let mut last = None;
                while let Some(event) = bench.events.recv().await {
                    last = Some(event);
                }
                prop_assert!(matches!(last, Some(Event::Phase(Phase::Closed(CloseReason::Requested)))));
                bench.task.await.unwrap();
                Ok(())
            })?;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_that_is_not_json_ends_its_request_and_no_other() {
    for text in [
        r#"{"jsonrpc":"2.0","id":@ID@,"result":{"mean":NaN}}"#,
        r#"{"result":{"mean":NaN},"jsonrpc":"2.0","id":@ID@}"#,
    ] {
        let mut bench = Bench::ready().await;
        let (_, first) = bench.start(1, tool("tool", "{}")).await;
        bench.start(2, tool("tool", "{}")).await;
        let seq = bench
            .say(text.replace("@ID@", &first["id"].to_string()))
            .await;
        let Outcome::BadShape { problem, seq: at } = bench.finished(1).await else {
            panic!("no bad shape");
        };
        assert_eq!(at, sonde_wire::Seq(seq));
        assert!(problem.contains("`NaN` at column"), "{problem}");
        bench.quiet().await;
        assert_eq!(bench.notes.codes(seq), ["invalid-json"]);
    }
    // A request of the server may have the same id.
    let mut bench = Bench::ready().await;
    let (_, first) = bench.start(1, tool("tool", "{}")).await;
    bench.request(&first["id"], "ping", r#"{"a":NaN}"#).await;
    bench.quiet().await;
}

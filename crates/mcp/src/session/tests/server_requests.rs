//! Requests of the server to the user, and faults that a tester injects.

use super::*;
use crate::{
    ClientCapabilities, ElicitationCapability, Fault, RootsCapability, SamplingCapability,
    TimeoutKind, limits::SERVER_REQUESTS,
};

const FORM: &str = r#"{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}"#;

fn declaring(capabilities: ClientCapabilities) -> SessionOptions {
    SessionOptions {
        capabilities,
        ..SessionOptions::new(client())
    }
}

/// A session that declared forms.
async fn ready() -> Bench {
    let forms = ElicitationCapability {
        form: true,
        url: false,
    };
    let options = declaring(ClientCapabilities {
        elicitation: Some(forms),
        ..ClientCapabilities::default()
    });
    Bench::ready_as(options).await
}

/// A session that declared everything, after a handshake with this revision.
async fn willing(revision: Revision) -> Bench {
    let options = declaring(ClientCapabilities {
        elicitation: Some(ElicitationCapability::ALL),
        sampling: Some(SamplingCapability {
            context: false,
            tools: true,
        }),
        ..ClientCapabilities::default()
    });
    let mut bench = Bench::with(options, 1_000);
    bench.send_initialize(revision, "{}").await;
    bench
}

impl Bench {
    async fn asked(&mut self, id: &str, params: &str) -> ServerRequest {
        self.request(id, "elicitation/create", params).await;
        self.server_request().await
    }

    /// Checks that the user is no longer awaited; returns the time until the hard limit.
    async fn clocks_go_on(&mut self, call: u64) -> Duration {
        match self.call_event(call).await {
            OperationEvent::Extended { hard, .. } => hard,
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn fault(&mut self, fault: Fault) {
        self.handle.fault(fault).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_answers_and_the_answer_goes_out_as_written() {
    let mut bench = ready().await;
    bench.call(1).await;
    let question = bench.asked("\"q-1\"", FORM).await;
    assert_eq!(question.operation, Some(OperationId(1)));
    assert!(question.declared && question.key.is_none());
    assert_eq!(question.params.as_deref().map(|raw| raw.get()), Some(FORM));
    // A user may take longer than any idle limit.
    bench.quiet().await;
    tokio::time::sleep(secs(600)).await;
    bench.quiet().await;
    // Invalid JSON is not sent, and the request stays open.
    let reply = |text: &str| Reply::Result(text.to_owned());
    bench.handle.answer(question.id, reply("{")).await.unwrap();
    let content = "{\"action\":\"accept\",\n\"content\":{\"n\":9007199254740993}}";
    bench.answer(&question, content).await;
    bench.clocks_go_on(1).await;
    let sent = bench.outgoing().await.text.unwrap();
    let content = r#"{"action":"accept","content":{"n":9007199254740993}}"#;
    assert_eq!(*sent, answer("\"q-1\"", content));
    // A second answer is ignored.
    bench.handle.answer(question.id, reply("{}")).await.unwrap();
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn requests_are_withdrawn_refused_or_obsolete() {
    let mut bench = ready().await;
    let first = bench.asked("1", FORM).await;
    bench
        .say(notification("cancelled", r#"{"requestId":1}"#))
        .await;
    bench.closed_as(&first, ServerRequestEnd::Withdrawn).await;
    let second = bench.asked("2", FORM).await;
    let refusal = Reply::Error {
        code: -1,
        message: "No.".to_owned(),
    };
    bench.answer_with(&second, refusal).await;
    assert_eq!(bench.sent().await["error"]["code"], -1);
    // A mode that was not declared (elicitation, Error Handling), a capability that was not.
    for (method, params, code) in [
        ("elicitation/create", r#"{"mode":"url"}"#, -32602),
        ("sampling/createMessage", "{}", -32601),
        ("tasks/get", r#"{"taskId":"t"}"#, -32601),
        ("tasks/result", r#"{"taskId":"t"}"#, -32601),
        ("tasks/cancel", r#"{"taskId":"t"}"#, -32601),
        ("tasks/list", "{}", -32601),
    ] {
        bench.request(7, method, params).await;
        assert_eq!(bench.sent().await["error"]["code"], code);
    }
    let third = bench.asked("3", FORM).await;
    bench.handle.close();
    bench.closing().await;
    bench.closed_as(&third, ServerRequestEnd::Obsolete).await;
}

#[tokio::test(start_paused = true)]
async fn more_requests_than_a_person_can_answer_are_refused() {
    let mut bench = ready().await;
    for id in 0..SERVER_REQUESTS {
        bench.asked(&id.to_string(), FORM).await;
    }
    bench.request("\"more\"", "elicitation/create", FORM).await;
    let refused = bench.sent().await;
    assert_eq!(refused["id"], "more");
    assert_eq!(refused["error"]["code"], -32603);
}

#[tokio::test(start_paused = true)]
async fn more_answers_than_that_are_not_held_back() {
    let mut bench = ready().await;
    let delay = |seconds: u64| Fault::DelayAnswers {
        millis: seconds * 1_000,
    };
    bench.fault(delay(5)).await;
    bench.event().await;
    let mut seq = 0;
    for id in 0..2 * SERVER_REQUESTS {
        seq = bench.request(id, "ping", "{}").await;
    }
    bench.logged(seq).await;
    for id in 0..SERVER_REQUESTS {
        assert_eq!(bench.sent().await["id"], id);
    }
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn answers_are_held_back_in_order_and_let_go() {
    let mut bench = ready().await;
    let delay = |seconds: u64| Fault::DelayAnswers {
        millis: seconds * 1_000,
    };
    bench.fault(delay(5)).await;
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: false, delay } if delay == secs(5)
    ));
    for id in [1, 2] {
        let seq = bench.request(id, "ping", "{}").await;
        bench.logged(seq).await;
    }
    let before = tokio::time::Instant::now();
    assert_eq!(bench.sent().await["id"], 1);
    assert!(before.elapsed() >= secs(4));
    assert_eq!(bench.sent().await["id"], 2);
    let seq = bench.request(3, "ping", "{}").await;
    bench.logged(seq).await;
    bench.fault(delay(0)).await;
    assert_eq!(bench.sent().await["id"], 3);
    assert!(matches!(bench.event().await, Event::Faults { .. }));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_read_while_the_user_wants_it_so() {
    let mut bench = ready().await;
    bench.fault(Fault::PauseReading { paused: true }).await;
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: true, .. }
    ));
    bench.request(3, "ping", "{}").await;
    bench.quiet().await;
    bench.fault(Fault::PauseReading { paused: false }).await;
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: false, .. }
    ));
    assert_eq!(bench.sent().await["id"], 3);
    // The end does not wait for the user.
    bench.fault(Fault::PauseReading { paused: true }).await;
    bench.event().await;
    bench.handle.close();
    assert!(matches!(bench.hang_up().await, CloseReason::Requested));
}

#[tokio::test(start_paused = true)]
async fn raw_frames_and_force_reach_the_transport() {
    let mut bench = ready().await;
    let text = "{not json";
    bench
        .fault(Fault::RawFrame {
            text: text.to_owned(),
        })
        .await;
    let frame = bench.outgoing().await;
    assert_eq!(frame.text.as_deref().map(String::as_str), Some(text));
    assert_eq!(frame.label.cause, Some(sonde_wire::Cause::Fault));
    bench.fault(Fault::Kill).await;
    assert!(matches!(bench.command().await, Command::Kill));
}

#[tokio::test(start_paused = true)]
async fn the_user_is_sent_to_an_address_and_the_server_says_when_it_is_done() {
    let mut bench = willing(Revision::NEWEST_HANDSHAKE).await;
    bench.call(1).await;
    let url =
        r#"{"mode":"url","message":"Sign in.","url":"https://a.example/x","elicitationId":"e-1"}"#;
    let question = bench.asked("1", url).await;
    assert!(question.declared && question.findings.is_empty());
    bench.answer(&question, r#"{"action":"accept"}"#).await;
    assert_eq!(bench.sent().await["result"]["action"], "accept");
    let complete = |id: &str| {
        notification(
            "elicitation/complete",
            &format!(r#"{{"elicitationId":"{id}"}}"#),
        )
    };
    // One that the server has never named is a finding, and one that is done already is nothing new.
    let unknown = bench.say(complete("e-2")).await;
    let known = bench.say(complete("e-1")).await;
    assert!(matches!(bench.event().await, Event::ElicitationCompleted(id) if id == "e-1"));
    bench.say(complete("e-1")).await;
    bench.quiet().await;
    assert_eq!(bench.notes.codes(unknown), ["unknown-elicitation"]);
    assert_eq!(bench.notes.codes(known), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_needs_an_address_first_names_it() {
    let mut bench = willing(Revision::NEWEST_HANDSHAKE).await;
    let message = bench.call(1).await;
    let named = bench.say(needs_an_address(message)).await;
    let OperationEvent::UrlsRequired(Some(data)) = bench.call_event(1).await else {
        panic!("the addresses are named");
    };
    assert!(data.get().contains("https://a"));
    assert!(matches!(
        bench.finished(1).await,
        Outcome::ProtocolError {
            code: -32042,
            data: Some(_),
            ..
        }
    ));
    let complete = notification("elicitation/complete", r#"{"elicitationId":"e-9"}"#);
    bench.say(complete).await;
    assert!(matches!(bench.event().await, Event::ElicitationCompleted(id) if id == "e-9"));
    assert!(!bench.notes.codes(named).contains(&"missing-elicitations"));
    let message = bench.call(2).await;
    let unnamed = bench.say(refusal(message, -32042, "{}")).await;
    bench.call_event(2).await;
    bench.fails_with(2, -32042).await;
    assert_eq!(bench.notes.codes(unnamed), ["missing-elicitations"]);
}

fn needs_an_address(id: u64) -> String {
    let page = r#"{"mode":"url","url":"https://a","elicitationId":"e-9","message":"m"}"#;
    refusal(id, -32042, &format!(r#"{{"elicitations":[{page}]}}"#))
}

/// The newest version with a handshake introduced the error; the next version forbids it.
#[tokio::test(start_paused = true)]
async fn other_versions_have_no_error_for_addresses() {
    let [first, second, third, _] = Revision::HANDSHAKE;
    for revision in [first, second, third] {
        let mut bench = willing(revision).await;
        let message = bench.call(1).await;
        let seq = bench.say(needs_an_address(message)).await;
        bench.fails_with(1, -32042).await;
        assert_eq!(bench.notes.codes(seq), [""; 0], "{revision}");
    }
    let mut bench = Bench::stateless(Carrier::Pipe, "{}").await;
    for (call, code) in [(1, -32042), (2, -32002), (3, -32050), (4, -32000)] {
        let message = bench.call(call).await;
        let error = needs_an_address(message).replace("-32042", &code.to_string());
        let seq = bench.say(error).await;
        bench.fails_with(call, code).await;
        let expected = if code == -32000 {
            &[][..]
        } else {
            &["forbidden-error-code"]
        };
        assert_eq!(bench.notes.codes(seq), expected, "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_without_elicitation_knows_no_such_request() {
    let [first, second, ..] = Revision::HANDSHAKE;
    for revision in [first, second] {
        let mut bench = willing(revision).await;
        let seq = bench.request(7, "elicitation/create", FORM).await;
        assert_eq!(bench.sent().await["error"]["code"], -32601, "{revision}");
        assert_eq!(bench.notes.codes(seq), ["undeclared-capability"]);
    }
}

#[tokio::test(start_paused = true)]
async fn no_clock_runs_for_a_run_that_may_be_what_the_user_is_asked_for() {
    let mut bench = ready().await;
    for call in [1, 2] {
        bench.call(call).await;
    }
    let question = bench.asked("1", FORM).await;
    assert_eq!(question.operation, None);
    assert_eq!(question.candidates, [OperationId(1), OperationId(2)]);
    let other = bench.asked("2", FORM).await;
    tokio::time::sleep(secs(600)).await;
    bench.quiet().await;
    bench.answer(&question, "{}").await;
    bench.sent().await;
    // The other one is still open.
    tokio::time::sleep(secs(600)).await;
    bench.quiet().await;
    bench.answer(&other, "{}").await;
    for call in [1, 2] {
        bench.clocks_go_on(call).await;
    }
    bench.sent().await;
    let since = tokio::time::Instant::now();
    for call in [1, 2] {
        let outcome = bench.finished(call).await;
        assert!(matches!(outcome, Outcome::TimedOut(TimeoutKind::Idle)));
    }
    assert_eq!(since.elapsed(), secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_the_user_counts_for_no_limit() {
    let mut bench = ready().await;
    bench.call_with(1, limited(90, Some(90))).await;
    tokio::time::sleep(secs(30)).await;
    let asked = bench.asked("1", FORM).await;
    tokio::time::sleep(secs(600)).await;
    bench.quiet().await;
    bench.answer(&asked, "{}").await;
    assert_eq!(bench.clocks_go_on(1).await, secs(60));
    let since = tokio::time::Instant::now();
    let outcome = bench.finished(1).await;
    assert!(matches!(outcome, Outcome::TimedOut(TimeoutKind::Hard)));
    assert_eq!(since.elapsed(), secs(60));
}

#[tokio::test(start_paused = true)]
async fn an_earlier_version_has_forms_only() {
    let [.., third, _] = Revision::HANDSHAKE;
    let mut bench = willing(third).await;
    for mode in ["url", "other"] {
        let params = format!(r#"{{"mode":"{mode}","url":"https://a"}}"#);
        bench.request(7, "elicitation/create", &params).await;
        assert_eq!(bench.sent().await["error"]["code"], -32602);
    }
    bench.asked("8", FORM).await;
}

#[tokio::test(start_paused = true)]
async fn a_sampling_request_is_shown_with_what_is_wrong_with_it() {
    let mut bench = willing(Revision::NEWEST_HANDSHAKE).await;
    let params = r#"{"messages":[{"role":"user","content":{"type":"video"}}]}"#;
    let seq = bench.request(4, "sampling/createMessage", params).await;
    let request = bench.server_request().await;
    let ids: Vec<_> = request
        .findings
        .iter()
        .map(sonde_findings::Finding::id)
        .collect();
    assert_eq!(ids, ["missing-max-tokens", "bad-sampling-message"]);
    bench.logged(seq).await;
    let refusal = Reply::Error {
        code: -1,
        message: "User rejected sampling request".to_owned(),
    };
    bench.answer_with(&request, refusal).await;
    let sent = bench.sent().await;
    assert_eq!(sent["id"], 4);
    assert_eq!(sent["error"]["code"], -1);
}

fn roots(names: &[&str]) -> Vec<crate::Root> {
    names
        .iter()
        .map(|name| crate::Root {
            uri: format!("file:///{name}"),
            name: (*name == "b").then(|| "B \"quoted\"".to_owned()),
        })
        .collect()
}

/// Declares a folder, and that their list may change.
fn naming_folders() -> SessionOptions {
    let roots = RootsCapability {
        list: roots(&["a"]),
        list_changed: true,
    };
    declaring(ClientCapabilities {
        roots: Some(roots),
        ..ClientCapabilities::default()
    })
}

#[tokio::test(start_paused = true)]
async fn folders_are_named_without_asking_and_their_change_is_told() {
    let options = naming_folders();
    let mut bench = Bench::ready_as(options).await;
    let list = || request(5, "roots/list", "{}");
    bench.say(list()).await;
    let sent = bench.sent().await;
    assert_eq!(
        sent["result"].to_string(),
        r#"{"roots":[{"uri":"file:///a"}]}"#
    );
    assert!(matches!(
        bench.event().await,
        Event::RootsAnswered(Reply::Result(list)) if list == r#"{"roots":[{"uri":"file:///a"}]}"#
    ));
    // The same list is no change.
    bench.handle.set_roots(roots(&["a"])).await.unwrap();
    bench.handle.set_roots(roots(&["a", "b"])).await.unwrap();
    let told = bench.outgoing().await;
    assert_eq!(told.label.cause, Some(sonde_wire::Cause::User));
    assert_eq!(
        told.text.as_deref().map(String::as_str),
        Some(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#)
    );
    bench.say(list()).await;
    let sent = bench.sent().await;
    assert_eq!(sent["result"]["roots"][1]["name"], "B \"quoted\"");
}

#[tokio::test(start_paused = true)]
async fn a_request_for_folders_is_handed_on_where_somebody_else_answers() {
    let options = SessionOptions {
        hand_on_roots: true,
        ..naming_folders()
    };
    let mut bench = Bench::ready_as(options).await;
    let list = || request(5, "roots/list", "{}");
    bench.say(list()).await;
    let asked = bench.server_request().await;
    assert!(asked.declared && asked.method == "roots/list");
    let no = Reply::Error {
        code: -32_603,
        message: "no".into(),
    };
    bench.handle.answer(asked.id, no.clone()).await.unwrap();
    assert_eq!(bench.sent().await["error"]["code"], -32_603);
    assert!(matches!(
        bench.event().await,
        Event::ServerRequestClosed(..)
    ));
    assert!(matches!(bench.event().await, Event::RootsAnswered(reply) if reply == no));
    bench.handle.hand_on_roots(false).await.unwrap();
    bench.say(list()).await;
    assert_eq!(bench.sent().await["result"]["roots"][0]["uri"], "file:///a");
}

#[tokio::test(start_paused = true)]
async fn folders_that_were_not_declared_are_not_named() {
    let mut bench = ready().await;
    bench.handle.set_roots(roots(&["a"])).await.unwrap();
    bench.request(5, "roots/list", "{}").await;
    assert_eq!(bench.sent().await["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_without_end_does_not_hold_up_the_end() {
    let mut bench = Bench::ready().await;
    // Nobody takes what the session sends, as when the process reads nothing.
    let ping = |n: u64| request(format!("\"p{n}\""), "ping", "{}");
    let mut asked = 0;
    while timeout(secs(1), bench.say(ping(asked))).await.is_ok() {
        asked += 1;
    }
    assert!(asked > 500, "{asked}");
    bench.handle.close();
    bench.closing().await;
    // The server keeps asking as long as the session reads.
    let (sent, began) = (bench.far.incoming.clone(), tokio::time::Instant::now());
    let flood = tokio::spawn(async move {
        let mut seq = 1_000_000;
        loop {
            seq += 1;
            let item = Incoming::Message {
                exchange: None,
                event_id: None,
                text: Arc::new(ping(seq)),
                seq: Seq(seq),
            };
            if sent.send(item).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    assert!(matches!(bench.closed().await, CloseReason::Requested));
    assert!(began.elapsed() < secs(10));
    flood.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn nothing_that_comes_during_the_end_is_for_the_user() {
    let mut bench = ready().await;
    bench.handle.close();
    bench.closing().await;
    assert!(matches!(bench.command().await, Command::Close));
    bench.request(1, "elicitation/create", FORM).await;
    bench
        .take(Incoming::Closed(Closed::Requested { exit: None }))
        .await;
    // No other event comes before that.
    assert!(matches!(bench.closed().await, CloseReason::Requested));
}

//! What the server asks of the user, and what a tester does to the session.

use super::*;
use crate::{
    ClientCapabilities, Fault, Reply, ServerRequest, ServerRequestEnd, ServerRequestId,
    limits::SERVER_REQUESTS,
};

const FORM: &str = r#"{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}"#;

async fn ready() -> Bench {
    let options = SessionOptions {
        capabilities: ClientCapabilities {
            elicitation: true,
            ..ClientCapabilities::default()
        },
        ..SessionOptions::new(client())
    };
    let mut bench = Bench::with(options, 1_000);
    bench.send_initialize(Revision::NEWEST_LEGACY, "{}").await;
    bench
}

impl Bench {
    async fn asked(&mut self, id: &str, params: &str) -> ServerRequest {
        self.say(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"elicitation/create","params":{params}}}"#
        ))
        .await;
        match self.event().await {
            Event::ServerRequest(question) => question,
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn server_request_closed(&mut self) -> (ServerRequestId, ServerRequestEnd) {
        match self.event().await {
            Event::ServerRequestClosed(id, end) => (id, end),
            other => panic!("unexpected event {other:?}"),
        }
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
    // What is no JSON stays unsent, and the question open.
    let reply = |text: &str| Reply::Result(text.to_owned());
    bench.handle.answer(question.id, reply("{")).await.unwrap();
    let content = "{\"action\":\"accept\",\n\"content\":{\"n\":9007199254740993}}";
    bench
        .handle
        .answer(question.id, reply(content))
        .await
        .unwrap();
    assert_eq!(
        bench.server_request_closed().await,
        (question.id, ServerRequestEnd::Answered)
    );
    let answer = bench.outgoing().await.text.unwrap();
    assert_eq!(
        *answer,
        r#"{"jsonrpc":"2.0","id":"q-1","result":{"action":"accept","content":{"n":9007199254740993}}}"#
    );
    // A second answer is none.
    bench.handle.answer(question.id, reply("{}")).await.unwrap();
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn requests_are_withdrawn_refused_or_obsolete() {
    let mut bench = ready().await;
    let first = bench.asked("1", FORM).await;
    bench
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    assert_eq!(
        bench.server_request_closed().await,
        (first.id, ServerRequestEnd::Withdrawn)
    );
    let second = bench.asked("2", FORM).await;
    let refusal = Reply::Error {
        code: -1,
        message: "No.".to_owned(),
    };
    bench.handle.answer(second.id, refusal).await.unwrap();
    bench.server_request_closed().await;
    assert_eq!(bench.sent().await["error"]["code"], -1);
    // A mode that was not declared (elicitation, Error Handling), a capability that was not.
    for (method, params, code) in [
        ("elicitation/create", r#"{"mode":"url"}"#, -32602),
        ("sampling/createMessage", "{}", -32601),
    ] {
        bench
            .say(format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#
            ))
            .await;
        assert_eq!(bench.sent().await["error"]["code"], code);
    }
    let third = bench.asked("3", FORM).await;
    bench.handle.close();
    assert!(matches!(bench.event().await, Event::Phase(Phase::Closing)));
    assert_eq!(
        bench.server_request_closed().await,
        (third.id, ServerRequestEnd::Obsolete)
    );
}

#[tokio::test(start_paused = true)]
async fn more_requests_than_a_person_can_answer_are_refused() {
    let mut bench = ready().await;
    for id in 0..SERVER_REQUESTS {
        bench.asked(&id.to_string(), FORM).await;
    }
    bench
        .say(format!(
            r#"{{"jsonrpc":"2.0","id":"more","method":"elicitation/create","params":{FORM}}}"#
        ))
        .await;
    let refused = bench.sent().await;
    assert_eq!(refused["id"], "more");
    assert_eq!(refused["error"]["code"], -32603);
}

#[tokio::test(start_paused = true)]
async fn more_answers_than_that_are_not_held_back() {
    let mut bench = ready().await;
    let delay = |seconds| Fault::DelayAnswers(secs(seconds));
    bench.handle.fault(delay(5)).await.unwrap();
    bench.event().await;
    let mut seq = 0;
    for id in 0..2 * SERVER_REQUESTS {
        seq = bench
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
            .await;
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
    let delay = |seconds| Fault::DelayAnswers(secs(seconds));
    bench.handle.fault(delay(5)).await.unwrap();
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: false, delay } if delay == secs(5)
    ));
    for id in [1, 2] {
        let seq = bench
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
            .await;
        bench.logged(seq).await;
    }
    let before = tokio::time::Instant::now();
    assert_eq!(bench.sent().await["id"], 1);
    assert!(before.elapsed() >= secs(4));
    assert_eq!(bench.sent().await["id"], 2);
    let seq = bench
        .say(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
        .await;
    bench.logged(seq).await;
    bench.handle.fault(delay(0)).await.unwrap();
    assert_eq!(bench.sent().await["id"], 3);
    assert!(matches!(bench.event().await, Event::Faults { .. }));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_read_while_the_user_wants_it_so() {
    let mut bench = ready().await;
    bench.handle.fault(Fault::PauseReading(true)).await.unwrap();
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: true, .. }
    ));
    bench
        .say(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
        .await;
    bench.quiet().await;
    bench
        .handle
        .fault(Fault::PauseReading(false))
        .await
        .unwrap();
    assert!(matches!(
        bench.event().await,
        Event::Faults { paused: false, .. }
    ));
    assert_eq!(bench.sent().await["id"], 3);
    // The end does not wait for the user.
    bench.handle.fault(Fault::PauseReading(true)).await.unwrap();
    bench.event().await;
    bench.handle.close();
    assert!(matches!(bench.hang_up().await, CloseReason::Requested));
}

#[tokio::test(start_paused = true)]
async fn raw_frames_and_force_reach_the_transport() {
    let mut bench = ready().await;
    let text = "{not json";
    bench
        .handle
        .fault(Fault::RawFrame(text.to_owned()))
        .await
        .unwrap();
    let frame = bench.outgoing().await;
    assert_eq!(frame.text.as_deref().map(String::as_str), Some(text));
    assert_eq!(frame.label.cause, Some(sonde_wire::Cause::Fault));
    bench.handle.fault(Fault::Kill).await.unwrap();
    assert!(matches!(bench.command().await, Command::Kill));
}

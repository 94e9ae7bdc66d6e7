//! Events that worsen the health of a session, and events that restore it.

use sonde_wire::WireError;

use super::{
    http::{broken, ready_on, value},
    *,
};
use crate::{Lost, RequestProblem, StreamOver, StreamProblem};

const REJECTED: &str = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}"#;

fn refused() -> StreamEnd {
    StreamEnd::Failed(WireError::Refused {
        address: "127.0.0.1:1".into(),
    })
}

fn failed(why: &str) -> Option<RequestProblem> {
    Some(RequestProblem::Failed { why: why.into() })
}

fn unreachable() -> Option<RequestProblem> {
    Some(RequestProblem::Unreachable {
        why: "127.0.0.1:1 refused the connection".into(),
    })
}

/// A session over HTTP whose server offers no listener.
async fn ready() -> Bench {
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(bench, Revision::NEWEST_HANDSHAKE, "s-1").await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 405, &[]).await;
    for _ in 0..2 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }
    assert!(matches!(bench.command().await, Command::Abandon(_)));
    bench.over(get.exchange, StreamEnd::Abandoned).await;
    bench
}

/// The same with an open listener.
async fn listening() -> (Bench, ExchangeId) {
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(bench, Revision::NEWEST_HANDSHAKE, "s-1").await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 200, &[SSE]).await;
    for _ in 0..2 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }
    (bench, get.exchange)
}

impl Bench {
    async fn begin_call(&mut self, call: u64) -> (u64, ExchangeId) {
        self.call_with(call, OperationOptions::default()).await
    }

    /// Makes a call that is refused, and returns the health after it.
    async fn refused_call(&mut self, call: u64) -> Health {
        let (_, exchange) = self.begin_call(call).await;
        self.over(exchange, refused()).await;
        let health = self.health().await;
        assert!(matches!(self.has_lost(call).await, Lost::Exchange(_)));
        health
    }

    /// A call that works.
    async fn answer_call(&mut self, call: u64) {
        let (id, exchange) = self.begin_call(call).await;
        self.respond(exchange, 200, result(id)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_call_is_a_doubt_and_a_second_one_is_none() {
    let mut bench = ready().await;
    let health = bench.refused_call(1).await;
    assert_eq!(
        health.requests,
        failed("127.0.0.1:1 refused the connection")
    );
    assert_eq!(bench.refused_call(2).await.requests, unreachable());
    // A response proves the contrary, even one that refuses.
    let (id, exchange) = bench.begin_call(3).await;
    bench.respond(exchange, 200, refusal(id, 1, "null")).await;
    assert_eq!(bench.health().await, Health::default());
    bench.fails_with(3, 1).await;
    // From then on the next one is the first again.
    let health = bench.refused_call(4).await;
    assert!(matches!(
        health.requests,
        Some(RequestProblem::Failed { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn what_a_server_does_to_one_call_says_nothing_of_the_next() {
    let mut bench = ready().await;
    for call in [1, 2, 3] {
        let (_, exchange) = bench.begin_call(call).await;
        bench.head(exchange, 500, &[]).await;
        bench.over(exchange, StreamEnd::Complete).await;
        bench.finished(call).await;
    }
    let (_, exchange) = bench.begin_call(4).await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert_eq!(
        bench.health().await.requests,
        failed("the server ended the response without a message")
    );
    bench.finished(4).await;
    bench.answer_call(5).await;
    assert_eq!(bench.health().await, Health::default());
    bench.finished(5).await;
    // A call that the user cancels does not count as a failure.
    let (_, exchange) = bench.begin_call(6).await;
    bench.cancel(6).await;
    bench.call_event(6).await;
    bench.outgoing().await;
    bench.over(exchange, broken()).await;
    bench.finished(6).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_stream_and_a_refused_call_are_two_signs() {
    let (mut bench, exchange) = listening().await;
    bench.over(exchange, broken()).await;
    for _ in 0..2 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }
    let health = bench.health().await;
    assert_eq!(
        (health.stream, health.requests),
        (Some(StreamProblem::Lost), None)
    );
    let health = bench.refused_call(1).await;
    assert_eq!(health.requests, unreachable());
    assert_eq!(health.stream, Some(StreamProblem::Lost));
    // The stream opens again: that proves both.
    assert!(matches!(bench.event().await, Event::Stream(_)));
    let get = bench.outgoing().await;
    bench.head(get.exchange, 200, &[SSE]).await;
    assert!(matches!(bench.event().await, Event::Stream(_)));
    assert_eq!(bench.health().await, Health::default());
}

#[tokio::test(start_paused = true)]
async fn attempts_that_are_refused_need_no_call_to_be_believed() {
    let (mut bench, exchange) = listening().await;
    bench.over(exchange, broken()).await;
    for _ in 0..3 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }
    let get = bench.outgoing().await;
    bench.over(get.exchange, refused()).await;
    assert_eq!(bench.health().await.requests, unreachable());
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_refused_with_400_is_opened_anew_on_demand() {
    let mut bench = ready().await;
    let (_, exchange) = bench.begin_call(1).await;
    let seq = bench.respond(exchange, 400, REJECTED).await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert_eq!(
        bench.health().await.requests,
        Some(RequestProblem::SessionRejected)
    );
    let Outcome::Lost(Lost::SessionRejected { said }) = bench.finished(1).await else {
        panic!("nothing was run");
    };
    assert_eq!(said, "Bad Request: No valid session ID provided");
    assert_eq!(bench.label(seq).await.operation, Some(1));
    // There was no 404, so nothing is done without the user.
    bench.quiet().await;

    bench.handle.reopen().await.unwrap();
    assert!(matches!(bench.event().await, Event::Reopening));
    assert_eq!(bench.health().await, Health::default());
    assert!(
        bench
            .notes
            .remarks()
            .iter()
            .any(|said| said.starts_with("You asked for a new session"))
    );
    bench.opening().await;
    let initialize = bench.outgoing().await;
    assert_eq!(value(&initialize, "Mcp-Session-Id"), None);
    assert!(initialize.text.unwrap().contains(r#""initialize""#));
}

#[tokio::test(start_paused = true)]
async fn a_400_in_plain_text_and_one_on_the_stream_are_understood_too() {
    let mut bench = ready().await;
    let (_, exchange) = bench.begin_call(1).await;
    bench.head(exchange, 400, &[]).await;
    let seq = bench.next_seq();
    bench
        .take(Incoming::NonMessage {
            exchange,
            content_type: None,
            snippet: "Invalid or missing session ID".into(),
            seq,
        })
        .await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(
        bench.has_lost(1).await,
        Lost::SessionRejected { .. }
    ));

    let (mut bench, exchange) = listening().await;
    bench.over(exchange, broken()).await;
    for _ in 0..3 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }
    let get = bench.outgoing().await;
    let refusal = bench.respond(get.exchange, 400, REJECTED).await;
    bench.over(get.exchange, StreamEnd::Complete).await;
    // An error in the body of a refusal is no response on a stream.
    assert!(!bench.notes.codes(refusal).contains(&"response-on-listener"));
    assert_eq!(
        bench.health().await.requests,
        Some(RequestProblem::SessionRejected)
    );
    let Event::Stream(report) = bench.event().await else {
        panic!("the stream ends");
    };
    assert!(matches!(
        report.event,
        crate::StreamEvent::Over(StreamOver::Refused(_))
    ));
}

#[tokio::test(start_paused = true)]
async fn a_400_about_a_call_is_its_response() {
    let mut bench = ready().await;
    let (id, exchange) = bench.begin_call(1).await;
    let refusal = refusal(id, -32602, "null").replace("no", "sessionId is required");
    bench.respond(exchange, 400, refusal).await;
    bench.fails_with(1, -32_602).await;
    bench.over(exchange, StreamEnd::Complete).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_process_has_no_session_to_open_anew() {
    let mut bench = Bench::ready().await;
    bench.handle.reopen().await.unwrap();
    bench.quiet().await;
}

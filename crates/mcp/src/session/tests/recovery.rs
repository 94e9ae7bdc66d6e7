//! Streams that break and are picked up again.

use sonde_wire::Cause;

use super::{
    http::{broken, ready_on, value},
    *,
};
use crate::{DelaySource, Lost, StreamEvent, StreamId, StreamOver};

/// A session over HTTP whose listener is on its way.
async fn listening(session: &str) -> (Bench, ExchangeId) {
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(bench, Revision::NEWEST_HANDSHAKE, session).await;
    bench.streams(StreamEvent::Opening).await;
    let get = bench.outgoing().await;
    assert_eq!(
        (get.verb, get.label.cause),
        (Verb::Get, Some(Cause::Listen))
    );
    assert_eq!(
        value(&get, "Mcp-Session-Id"),
        Some(session).filter(|id| !id.is_empty())
    );
    (bench, get.exchange)
}

/// The same, and the listener is open.
async fn ready() -> (Bench, ExchangeId) {
    let (mut bench, exchange) = listening("s-1").await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.streams(StreamEvent::Opened).await;
    (bench, exchange)
}

impl Bench {
    async fn stream(&mut self) -> (StreamId, StreamEvent) {
        match self.event().await {
            Event::Stream(report) => (report.stream, report.event),
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects this event of any stream.
    async fn streams(&mut self, expected: StreamEvent) {
        assert_eq!(self.stream().await.1, expected);
    }

    /// Expects the id of an event of a stream.
    async fn event_id(&mut self) {
        assert!(matches!(self.stream().await.1, StreamEvent::EventId { .. }));
    }

    async fn degraded(&mut self) -> bool {
        self.health().await != Health::default()
    }

    async fn lost(&mut self) -> StreamId {
        match self.stream().await {
            (id, StreamEvent::Lost { .. }) => id,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// The announced attempt: its number, its delay and what it continues from.
    async fn waiting(&mut self) -> (u32, Duration, DelaySource, Option<Arc<str>>) {
        match self.stream().await.1 {
            StreamEvent::Waiting {
                attempt,
                delay,
                source,
                last_event_id,
                ..
            } => (attempt, delay, source, last_event_id),
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn control(&mut self, exchange: ExchangeId, id: Option<&str>, retry: Option<u64>) {
        let seq = self.next_seq();
        self.take(Incoming::Event {
            exchange,
            name: None,
            data: String::new(),
            event_id: id.map(Arc::from),
            retry,
            seq,
        })
        .await;
    }

    async fn say_with_id(
        &mut self,
        exchange: ExchangeId,
        id: &str,
        text: impl Into<String>,
    ) -> u64 {
        let seq = self.next_seq();
        self.take(Incoming::Message {
            exchange: Some(exchange),
            event_id: Some(id.into()),
            text: Arc::new(text.into()),
            seq,
        })
        .await;
        seq.0
    }

    /// A call whose server closes the stream after a first event, as polling servers do.
    async fn polling_call(&mut self, retry: Option<u64>) -> (u64, StreamId) {
        let (id, exchange) = self.call_with(1, OperationOptions::default()).await;
        self.head(exchange, 200, &[SSE]).await;
        self.control(exchange, Some("e-1"), retry).await;
        self.over(exchange, StreamEnd::Complete).await;
        (id, self.lost().await)
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_listener_is_left_in_peace() {
    let (mut bench, exchange) = listening("").await;
    bench.head(exchange, 405, &[]).await;
    let head = bench.seq;
    bench
        .streams(StreamEvent::Over(StreamOver::NotOffered))
        .await;
    bench.abandons(exchange).await;
    bench.over(exchange, StreamEnd::Abandoned).await;
    bench.quiet().await;
    assert_eq!(bench.notes.codes(head), [""; 0]);
}

/// HTTP 404 to the first GET is no word about the session; to a later one it is.
#[tokio::test(start_paused = true)]
async fn a_listener_that_was_never_there_is_no_forgotten_session() {
    let (mut bench, exchange) = listening("s-1").await;
    bench.head(exchange, 404, &[]).await;
    let head = bench.seq;
    let missing = "The server returned HTTP status 404.".to_owned();
    bench
        .streams(StreamEvent::Over(StreamOver::Refused(missing.clone())))
        .await;
    assert!(bench.degraded().await);
    assert_eq!(bench.codes(head).await, ["bad-listener-response"]);
    bench.abandons(exchange).await;
    bench.over(exchange, StreamEnd::Abandoned).await;
    bench.quiet().await;

    let (mut bench, exchange) = listening("s-1").await;
    bench.head(exchange, 503, &[]).await;
    bench.over(exchange, StreamEnd::Complete).await;
    bench.lost().await;
    bench.waiting().await;
    assert!(bench.degraded().await);
    bench.streams(StreamEvent::Resuming { attempt: 1 }).await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 404, &[]).await;
    bench
        .streams(StreamEvent::Over(StreamOver::Refused(missing)))
        .await;

    let (mut bench, exchange) = ready().await;
    bench.over(exchange, broken()).await;
    bench.lost().await;
    bench.waiting().await;
    bench.streams(StreamEvent::Resuming { attempt: 1 }).await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 404, &[]).await;
    assert!(matches!(bench.event().await, Event::Reopening));
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_breaks_is_announced_and_opened_again() {
    let (mut bench, exchange) = ready().await;
    bench.control(exchange, Some("e-7"), Some(2_500)).await;
    bench
        .streams(StreamEvent::RetryTime { millis: 2_500 })
        .await;
    assert!(matches!(
        bench.stream().await.1,
        StreamEvent::EventId { id } if &*id == "e-7"
    ));
    bench.over(exchange, broken()).await;
    let id = bench.lost().await;
    assert_eq!(
        bench.waiting().await,
        (
            1,
            Duration::from_millis(2_500),
            DelaySource::Server,
            Some("e-7".into())
        )
    );
    assert!(bench.degraded().await);
    let before = tokio::time::Instant::now();
    bench.streams(StreamEvent::Resuming { attempt: 1 }).await;
    assert!(before.elapsed() >= Duration::from_millis(2_500));
    let get = bench.outgoing().await;
    assert_eq!(value(&get, "Last-Event-ID"), Some("e-7"));
    assert_eq!(get.label.cause, Some(Cause::Resume));
    bench.head(get.exchange, 200, &[SSE]).await;
    assert_eq!(bench.stream().await, (id, StreamEvent::Resumed));
    assert!(!bench.degraded().await);
    // What came before is not delivered twice.
    let seq = bench.say_with_id(get.exchange, "e-7", LOG).await;
    bench.event_id().await;
    let next = bench.say_with_id(get.exchange, "e-8", LOG).await;
    bench.event_id().await;
    assert!(matches!(bench.event().await, Event::Log(message) if message.seq.0 == next));
    assert_eq!(bench.notes.codes(seq), ["duplicate-event-id"]);
    assert_eq!(bench.notes.codes(next), ["undeclared-logging"]);
}

#[tokio::test(start_paused = true)]
async fn the_budget_ends_and_the_user_gets_another() {
    let (mut bench, mut exchange) = ready().await;
    let mut id = StreamId(0);
    for attempt in 1..=5 {
        bench.over(exchange, broken()).await;
        id = bench.lost().await;
        let (number, delay, source, _) = bench.waiting().await;
        assert_eq!((number, source), (attempt, DelaySource::Backoff));
        assert!(delay >= Duration::from_millis(750 << (attempt - 1)));
        assert!(delay <= secs(1 << (attempt - 1)));
        if attempt == 1 {
            assert!(bench.degraded().await);
        }
        bench.streams(StreamEvent::Resuming { attempt }).await;
        exchange = bench.outgoing().await.exchange;
    }
    bench.over(exchange, broken()).await;
    bench.lost().await;
    bench
        .streams(StreamEvent::Over(StreamOver::OutOfAttempts))
        .await;
    assert!(bench.degraded().await, "for good, in other words");
    bench.quiet().await;
    bench.handle.reconnect_now(id).await.unwrap();
    assert_eq!(bench.waiting().await.0, 1);
    assert!(bench.degraded().await);
    assert!(matches!(
        bench.stream().await.1,
        StreamEvent::Resuming { .. }
    ));
    let get = bench.outgoing().await;
    bench.head(get.exchange, 503, &[]).await;
    bench.over(get.exchange, StreamEnd::Complete).await;
    bench.lost().await;
    assert_eq!(bench.waiting().await.0, 2);
    bench.handle.give_up(id).await.unwrap();
    bench.streams(StreamEvent::Over(StreamOver::GivenUp)).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_listener_that_stays_open_keeps_its_budget() {
    let (mut bench, mut exchange) = ready().await;
    // One that closes at once uses it up.
    for (open, expected) in [(0, 1), (29, 2), (30, 1), (0, 2), (60, 1)] {
        tokio::time::sleep(secs(open)).await;
        bench.over(exchange, StreamEnd::Complete).await;
        bench.lost().await;
        assert_eq!(bench.waiting().await.0, expected);
        bench.stream().await;
        exchange = bench.outgoing().await.exchange;
        bench.head(exchange, 200, &[SSE]).await;
        bench.streams(StreamEvent::Resumed).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_polled_answer_comes_on_another_stream_and_once() {
    let (mut bench, _) = ready().await;
    let (request, id) = bench.polling_call(Some(500)).await;
    assert_eq!(
        bench.waiting().await,
        (
            1,
            Duration::from_millis(500),
            DelaySource::Server,
            Some("e-1".into())
        )
    );
    assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
    // The server may close again and again, as long as it delivers.
    for round in 2..100 {
        bench.streams(StreamEvent::Resuming { attempt: 1 }).await;
        let get = bench.outgoing().await;
        assert_eq!(get.label.operation, Some(1));
        bench.head(get.exchange, 200, &[SSE]).await;
        assert_eq!(bench.stream().await, (id, StreamEvent::Resumed));
        let event = format!("e-{round}");
        bench.control(get.exchange, Some(&event), None).await;
        bench.event_id().await;
        bench.over(get.exchange, StreamEnd::Complete).await;
        bench.lost().await;
        assert_eq!(bench.waiting().await.3.as_deref(), Some(event.as_str()));
        assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
    }
    bench.streams(StreamEvent::Resuming { attempt: 1 }).await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 200, &[SSE]).await;
    bench.streams(StreamEvent::Resumed).await;
    bench
        .say_with_id(get.exchange, "e-last", result(request))
        .await;
    bench.event_id().await;
    bench.streams(StreamEvent::Over(StreamOver::Done)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
    assert!(matches!(bench.command().await, Command::Abandon(_)));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_stream_is_no_silence_of_the_server() {
    let (mut bench, _) = ready().await;
    // Longer than the idle limit of a minute would ever allow twice.
    let (_, _) = bench.polling_call(Some(29_000)).await;
    for _ in 0..4 {
        bench.waiting().await;
        assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
        assert!(matches!(
            bench.stream().await.1,
            StreamEvent::Resuming { .. }
        ));
        let get = bench.outgoing().await;
        bench.over(get.exchange, broken()).await;
        bench.lost().await;
    }
    bench.waiting().await;
    assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_cannot_be_continued_is_lost_with_a_reason() {
    // The server does not continue streams.
    let (mut bench, _) = ready().await;
    bench.polling_call(None).await;
    bench.waiting().await;
    assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
    bench.stream().await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 405, &[]).await;
    bench
        .streams(StreamEvent::Over(StreamOver::NotOffered))
        .await;
    assert!(matches!(bench.has_lost(1).await, Lost::StreamLost { .. }));
    bench.abandons(get.exchange).await;

    // It takes the event id back.
    bench.polling_call(None).await;
    bench.waiting().await;
    assert!(matches!(bench.call_event(1).await, OperationEvent::Waiting));
    bench.stream().await;
    let get = bench.outgoing().await;
    bench.head(get.exchange, 200, &[SSE]).await;
    bench.streams(StreamEvent::Resumed).await;
    bench.control(get.exchange, Some(""), None).await;
    bench.event_id().await;
    bench.over(get.exchange, StreamEnd::Complete).await;
    bench.lost().await;
    bench
        .streams(StreamEvent::Over(StreamOver::NotResumable))
        .await;
    assert!(matches!(bench.has_lost(1).await, Lost::StreamLost { .. }));

    // Without an event id there is nothing to continue from, and nothing is sent again.
    let (_, exchange) = bench.call_with(2, OperationOptions::default()).await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.over(exchange, broken()).await;
    assert!(matches!(bench.has_lost(2).await, Lost::Exchange(_)));
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn the_listener_ends_with_the_session() {
    let (mut bench, _) = ready().await;
    bench.handle.close();
    bench.closing().await;
    bench
        .streams(StreamEvent::Over(StreamOver::SessionOver))
        .await;
    assert_eq!(bench.outgoing().await.verb, Verb::Delete);
}

#[tokio::test(start_paused = true)]
async fn revisions_without_a_listener_open_none() {
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let [first, ..] = Revision::HANDSHAKE;
    let mut bench = ready_on(bench, first, "s").await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_response_on_the_listener_and_a_stream_without_a_first_id_are_found() {
    let (mut bench, listener) = ready().await;
    let (id, call) = bench.call_with(1, OperationOptions::default()).await;
    bench.head(call, 200, &[SSE]).await;
    // The first event with an id is a message: until then nothing could have been continued.
    let unprimed = bench.say_with_id(call, "e-1", LOG).await;
    let primed = bench.say_with_id(call, "e-2", LOG).await;
    let misled = bench.say_on(listener, result(id)).await;
    bench.logged(misled).await;
    let has = |seq, code| bench.notes.codes(seq).contains(&code);
    assert!(has(unprimed, "unprimed-stream"));
    assert!(!has(primed, "unprimed-stream"));
    assert!(has(misled, "response-on-listener"));
    assert!(!has(primed, "response-on-listener"));
}

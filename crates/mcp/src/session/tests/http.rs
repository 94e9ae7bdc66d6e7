use sonde_wire::WireError;

use super::*;
use crate::{Lost, NextAttempt, OpenFailure, SessionDelete};

const OPENING: ExchangeId = ExchangeId(1);

pub(super) fn value<'a>(outgoing: &'a Outgoing, name: &str) -> Option<&'a str> {
    let mut found = outgoing
        .headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case(name));
    let value = found.next().map(|header| header.value.as_str());
    assert!(found.next().is_none(), "{name} is sent once");
    value
}

pub(super) fn broken() -> StreamEnd {
    StreamEnd::Failed(WireError::Broken {
        reason: "reset".into(),
    })
}

fn noise(exchange: ExchangeId, snippet: &str) -> Incoming {
    Incoming::NonMessage {
        exchange,
        content_type: Some("text/html; charset=utf-8".into()),
        snippet: snippet.into(),
        seq: Seq(900),
    }
}

/// A session over HTTP, with a session id unless it is empty.
async fn ready(revision: Revision, session: &str) -> Bench {
    ready_on(Bench::new(), revision, session).await
}

/// Opens the session on a given bench.
pub(super) async fn ready_on(bench: Bench, revision: Revision, session: &str) -> Bench {
    ready_declaring(bench, revision, session, "{}").await
}

pub(super) async fn ready_declaring(
    mut bench: Bench,
    revision: Revision,
    session: &str,
    capabilities: &str,
) -> Bench {
    bench.event().await;
    let initialize = bench.outgoing().await;
    assert_eq!(initialize.exchange, OPENING);
    assert!(initialize.headers.is_empty(), "nothing is settled yet");
    let headers = [JSON, ("mcp-session-id", session)];
    let count = if session.is_empty() { 1 } else { 2 };
    bench.head(OPENING, 200, &headers[..count]).await;
    bench
        .say_on(OPENING, answer(1, &welcome(revision, capabilities)))
        .await;
    bench.over(OPENING, StreamEnd::Complete).await;
    bench.negotiated().await;
    let initialized = bench.outgoing().await;
    let version = Some(revision.as_str()).filter(|_| revision.row().version_header);
    assert_eq!(value(&initialized, "MCP-Protocol-Version"), version);
    assert_eq!(
        value(&initialized, "Mcp-Session-Id"),
        Some(session).filter(|session| !session.is_empty())
    );
    bench.head(initialized.exchange, 202, &[]).await;
    bench.over(initialized.exchange, StreamEnd::Complete).await;
    bench
}

/// Responds to the handshake like this, to the end.
async fn opening_fails_after(
    head: Option<(u16, &str)>,
    said: Option<Incoming>,
    end: StreamEnd,
) -> OpenFailure {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    if let Some((status, content_type)) = head {
        bench
            .head(OPENING, status, &[("content-type", content_type)])
            .await;
    }
    if let Some(said) = said {
        bench.take(said).await;
    }
    bench.over(OPENING, end).await;
    match bench.hang_up().await {
        CloseReason::OpenFailed(failure) => failure,
        other => panic!("unexpected end {other:?}"),
    }
}

fn body(text: &str) -> Incoming {
    Incoming::Message {
        exchange: Some(OPENING),
        event_id: None,
        text: Arc::new(text.into()),
        seq: Seq(801),
    }
}

#[tokio::test(start_paused = true)]
async fn headers_follow_the_revision_and_the_session_is_ended() {
    for revision in Revision::HANDSHAKE {
        let mut bench = ready(revision, "s-1").await;
        let (id, exchange) = bench.call_with(1, OperationOptions::default()).await;
        // Many servers repeat the id.
        bench
            .head(exchange, 200, &[JSON, ("Mcp-Session-Id", "s-1")])
            .await;
        let repeated = bench.seq;
        bench.say_on(exchange, result(id)).await;
        assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
        assert_eq!(bench.notes.codes(repeated), [""; 0]);
        bench.over(exchange, StreamEnd::Complete).await;

        bench.handle.close();
        let session_delete = bench.outgoing().await;
        assert_eq!(session_delete.verb, Verb::Delete);
        assert!(session_delete.text.is_none());
        assert_eq!(value(&session_delete, "Mcp-Session-Id"), Some("s-1"));
        let exchange = session_delete.exchange;
        bench.head(exchange, 405, &[]).await;
        // A refusal may have such a body.
        let refusal = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}"#;
        let seq = bench.say_on(exchange, refusal).await;
        assert_eq!(bench.notes.codes(seq), [""; 0]);
        bench.closing().await;
        assert!(matches!(
            bench.event().await,
            Event::SessionDelete(SessionDelete::Status(405))
        ));
        assert!(matches!(bench.gone().await, CloseReason::Requested));
    }
}

/// Offers tools and stops where `notifications/initialized` was sent.
async fn introducing() -> (Bench, ExchangeId) {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    bench.head(OPENING, 200, &[SSE]).await;
    let welcome = welcome(Revision::NEWEST_HANDSHAKE, r#"{"tools":{}}"#);
    bench.say_on(OPENING, answer(1, &welcome)).await;
    bench.negotiated().await;
    let initialized = bench.outgoing().await;
    let text = initialized.text.as_deref().unwrap();
    assert!(text.contains("notifications/initialized"), "{text}");
    let tool = OperationRequest::tool("tool", None);
    bench.operate(1, tool).await;
    (bench, initialized.exchange)
}

async fn expect_the_list_and_then_the_call(bench: &mut Bench) {
    bench.loading().await;
    assert_eq!(bench.sent().await["method"], "tools/list");
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::Sent { .. }
    ));
    assert_eq!(bench.sent().await["method"], "tools/call");
}

#[tokio::test(start_paused = true)]
async fn no_request_overtakes_the_last_word_of_the_handshake() {
    let (mut bench, initialized) = introducing().await;
    bench.quiet().await;
    bench.head(initialized, 202, &[]).await;
    expect_the_list_and_then_the_call(&mut bench).await;

    // It could not be delivered: the next message will show the consequence.
    let (mut bench, initialized) = introducing().await;
    bench.over(initialized, broken()).await;
    expect_the_list_and_then_the_call(&mut bench).await;

    // A server that never acknowledges it holds up nothing for long.
    let (mut bench, _) = introducing().await;
    expect_the_list_and_then_the_call(&mut bench).await;

    // Closing during the handshake leaves nothing behind.
    let (mut bench, _) = introducing().await;
    bench.handle.close();
    bench.closing().await;
    assert!(matches!(bench.has_lost(1).await, Lost::TransportGone));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_whose_stream_just_ends_is_cancelled() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let (_, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
}

/// Two streams of HTTP have no order among them.
#[tokio::test(start_paused = true)]
async fn a_cancellation_may_overtake_its_request() {
    let ready_bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(ready_bench, Revision::NEWEST_HANDSHAKE, "s-1").await;
    // The stream for the server's own messages.
    assert!(matches!(bench.event().await, Event::Stream(_)));
    assert_eq!(bench.outgoing().await.verb, Verb::Get);
    let cancelled = notification("cancelled", r#"{"requestId":1}"#);
    let cancelled = bench.say(cancelled).await;
    let late = bench.request(1, "ping", "{}").await;
    assert_eq!(bench.sent().await["id"], 1);
    assert!(bench.notes.codes(cancelled).is_empty() && bench.notes.codes(late).is_empty());
}

#[tokio::test(start_paused = true)]
async fn without_a_session_id_nothing_is_deleted() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    bench.handle.close();
    assert!(matches!(bench.hang_up().await, CloseReason::Requested));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_goodbye_is_left() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "s-1").await;
    bench.handle.close();
    assert_eq!(bench.outgoing().await.verb, Verb::Delete);
    bench.closing().await;
    assert!(matches!(
        bench.event().await,
        Event::SessionDelete(SessionDelete::NoResponse)
    ));
    assert!(matches!(bench.gone().await, CloseReason::Requested));
}

#[tokio::test(start_paused = true)]
async fn an_unusable_session_id_is_marked_and_not_sent() {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    bench
        .head(OPENING, 200, &[JSON, ("Mcp-Session-Id", "a b")])
        .await;
    let welcome = welcome(Revision::NEWEST_HANDSHAKE, "{}");
    bench.say_on(OPENING, answer(1, &welcome)).await;
    assert_eq!(value(&bench.outgoing().await, "Mcp-Session-Id"), None);
    assert_eq!(bench.notes.codes(1), ["bad-session-id"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_mcp_answer_ends_the_opening_with_its_status_and_words() {
    let json = "application/json";
    let whole = async |status, kind: &str, said| {
        opening_fails_after(Some((status, kind)), said, StreamEnd::Complete).await
    };
    let html = whole(200, "text/html", Some(noise(OPENING, "<html>"))).await;
    assert!(matches!(
        html,
        OpenFailure::Http { status: 200, content_type: Some(kind), snippet }
            if kind == "text/html; charset=utf-8" && snippet == "<html>"
    ));
    let refused = whole(401, json, Some(body(r#"{"error":"unauthorized"}"#))).await;
    assert!(matches!(
        refused,
        OpenFailure::Http { status: 401, content_type: Some(kind), snippet }
            if kind == "application/json" && snippet.contains("unauthorized")
    ));
    let empty = whole(404, "text/plain", None).await;
    assert!(matches!(empty, OpenFailure::Http { status: 404, snippet, .. } if snippet.is_empty()));
    for (status, said) in [(200, Some(body(r#"{"hello":"world"}"#))), (202, None)] {
        let shape = whole(status, json, said).await;
        assert!(matches!(shape, OpenFailure::BadShape { .. }), "{status}");
    }
    let rejected = whole(400, json, Some(body(&refusal("null", -32000, "null")))).await;
    assert!(matches!(
        rejected,
        OpenFailure::Rejected { code: -32000, .. }
    ));
    assert_eq!(rejected.next_attempt(), Some(NextAttempt::HttpSse));
    let failed = opening_fails_after(None, None, broken()).await;
    assert!(matches!(
        failed,
        OpenFailure::Exchange(WireError::Broken { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn an_exchange_that_ends_first_loses_its_call_alone() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let other = bench.call_with(9, OperationOptions::default()).await;

    let (_, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench.over(exchange, broken()).await;
    assert!(matches!(bench.has_lost(1).await, Lost::Exchange(_)));

    let (_, exchange) = bench.call_with(2, OperationOptions::default()).await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(bench.has_lost(2).await, Lost::NoAnswer));

    let (_, exchange) = bench.call_with(3, OperationOptions::default()).await;
    bench
        .head(exchange, 502, &[("Content-Type", "text/html")])
        .await;
    bench.take(noise(exchange, "<h1>Bad Gateway")).await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(
        bench.finished(3).await,
        Outcome::Lost(Lost::Http { status: 502, snippet }) if snippet == "<h1>Bad Gateway"
    ));
    assert_eq!(bench.label(900).await.operation, Some(3));

    // Without a session id a 404 means nothing more than itself.
    let (_, exchange) = bench.call_with(4, OperationOptions::default()).await;
    bench.head(exchange, 404, &[]).await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(
        bench.has_lost(4).await,
        Lost::Http { status: 404, .. }
    ));

    let (id, exchange) = bench.call_with(5, OperationOptions::default()).await;
    bench
        .respond(exchange, 500, refusal(id, -32603, "null"))
        .await;
    bench.fails_with(5, -32603).await;

    let (_, exchange) = bench.call_with(6, OperationOptions::default()).await;
    bench.respond(exchange, 200, "[1,").await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(bench.finished(6).await, Outcome::BadShape { .. }));

    bench.say_on(other.1, result(other.0)).await;
    assert!(matches!(bench.finished(9).await, Outcome::Result { .. }));
}

#[tokio::test(start_paused = true)]
async fn what_comes_on_a_calls_own_stream_is_its_own() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let (first, one) = bench.call_with(1, OperationOptions::default()).await;
    let (_, two) = bench.call_with(2, OperationOptions::default()).await;
    for (exchange, call) in [(one, 1), (two, 2), (one, 1)] {
        bench.head(exchange, 200, &[SSE]).await;
        bench.say_on(exchange, LOG).await;
        assert!(matches!(
            bench.call_event(call).await,
            OperationEvent::Log(_)
        ));
    }
    bench.say_on(one, result(first)).await;
    bench.finished(1).await;
    // Even after its end; a message on another stream belongs to no call.
    bench.say_on(one, LOG).await;
    assert!(matches!(bench.call_event(1).await, OperationEvent::Log(_)));
    let seq = bench.say_on(ExchangeId(77), LOG).await;
    assert!(matches!(bench.event().await, Event::Log(_)));
    let label = bench.label(seq).await;
    assert_eq!((label.operation, label.level), (None, Some(1)));
    let seq = bench.say_on(two, request(5, "roots/list", "{}")).await;
    assert_eq!(bench.label(seq).await.operation, Some(2));
}

#[tokio::test(start_paused = true)]
async fn progress_of_one_call_on_the_stream_of_another_is_found() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let (first, one) = bench.call_with(1, OperationOptions::default()).await;
    let (second, _) = bench.call_with(2, OperationOptions::default()).await;
    bench.head(one, 200, &[SSE]).await;
    for (of, call, codes) in [(first, 1, &[][..]), (second, 2, &["unrelated-progress"])] {
        let seq = bench.say_on(one, progress(of, r#""progress":1"#)).await;
        bench.progresses(call).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
    // It may have been sent before the response, on a stream that is read later.
    bench.say_on(one, result(first)).await;
    bench.finished(1).await;
    let (_, other) = bench.call_with(3, OperationOptions::default()).await;
    bench.head(other, 200, &[SSE]).await;
    for (on, codes) in [(other, &[][..]), (one, &["late-progress"])] {
        let seq = bench.say_on(on, progress(first, r#""progress":2"#)).await;
        bench.late(1).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_an_id_belongs_to_its_stream() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let (_, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench
        .respond(
            exchange,
            400,
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}"#,
        )
        .await;
    bench.fails_with(1, -32600).await;
}

#[tokio::test(start_paused = true)]
async fn the_stream_of_a_call_that_is_given_up_is_closed_after_a_grace() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let options = limited(10, None);
    let (_, exchange) = bench.call_with(1, options).await;
    assert!(matches!(bench.finished(1).await, Outcome::TimedOut(_)));
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    bench.quiet().await;
    bench.abandons(exchange).await;
    bench.over(exchange, StreamEnd::Abandoned).await;

    // Unless it ends by itself.
    let (_, exchange) = bench.call_with(2, options).await;
    assert!(matches!(bench.finished(2).await, Outcome::TimedOut(_)));
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    bench.over(exchange, StreamEnd::Complete).await;
    tokio::time::sleep(secs(60)).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_stays_open_after_its_response_is_closed_after_a_grace() {
    let [without_listener, ..] = Revision::HANDSHAKE;
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(bench, without_listener, "").await;
    let (id, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench.head(exchange, 200, &[SSE]).await;
    bench.say_on(exchange, result(id)).await;
    bench.finished(1).await;
    bench.quiet().await;
    bench.say_on(exchange, LOG).await;
    assert!(matches!(bench.call_event(1).await, OperationEvent::Log(_)));
    bench.abandons(exchange).await;
    bench.over(exchange, StreamEnd::Abandoned).await;

    let (id, exchange) = bench.call_with(2, OperationOptions::default()).await;
    bench.respond(exchange, 200, result(id)).await;
    bench.finished(2).await;
    bench.over(exchange, StreamEnd::Complete).await;
    tokio::time::sleep(secs(60)).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_above_the_limit_ends_its_call_at_once() {
    let mut bench = ready(Revision::NEWEST_HANDSHAKE, "").await;
    let oversized = |exchange, id: Option<&str>, head: &str| Incoming::Oversized {
        exchange,
        id: id.map(str::to_owned),
        head: head.to_owned(),
        size: 1_000,
        limit: 10,
        seq: Seq(700),
    };
    let (id, _) = bench.call_with(1, OperationOptions::default()).await;
    let id = id.to_string();
    // A request of the server with the same id is not the answer.
    let request = r#"{"jsonrpc":"2.0","method":"sampling/createMessage","params":{"result":"#;
    bench.take(oversized(None, Some(&id), request)).await;
    bench
        .take(oversized(None, Some("\"x\""), r#"{"result":"#))
        .await;
    bench.take(oversized(None, None, "")).await;
    bench.quiet().await;
    bench
        .take(oversized(None, Some(&id), r#"{"jsonrpc":"2.0","result":{"#))
        .await;
    assert!(matches!(
        bench.has_lost(1).await,
        Lost::TooLarge {
            size: 1_000,
            limit: 10,
            seq: Seq(700)
        }
    ));
    // On a stream, without a visible id, the end of the stream decides.
    let (_, exchange) = bench.call_with(2, OperationOptions::default()).await;
    bench.head(exchange, 200, &[JSON]).await;
    bench.take(oversized(Some(exchange), None, "[[[[")).await;
    bench.quiet().await;
    bench.over(exchange, StreamEnd::Complete).await;
    assert!(matches!(bench.has_lost(2).await, Lost::TooLarge { .. }));
}

#[tokio::test(start_paused = true)]
async fn what_is_odd_about_the_heads_of_responses_is_found() {
    let bench = Bench::on(Carrier::Http, SessionOptions::new(client()), 1_000);
    let mut bench = ready_on(bench, Revision::R2025Jun, "").await;
    let listener = bench.outgoing().await;
    assert_eq!(listener.verb, Verb::Get);
    bench.head(listener.exchange, 200, &[JSON]).await;
    let odd = bench.seq;
    assert_eq!(bench.codes(odd).await, ["bad-listener-response"]);
    let body = bench
        .say_on(listener.exchange, r#"{"name":"greeting"}"#)
        .await;
    assert_eq!(bench.codes(body).await, [""; 0]);
    assert!(matches!(bench.command().await, Command::Abandon(_)));
    for _ in 0..2 {
        assert!(matches!(bench.event().await, Event::Stream(_)));
    }

    // Once for a session.
    for (call, codes) in [(1, &["late-session-id"][..]), (2, &[])] {
        let id = bench.call(call).await;
        let headers = [JSON, ("Mcp-Session-Id", "0123456789abcdef")];
        bench.head(ExchangeId(id), 200, &headers).await;
        let late = bench.seq;
        let answered = bench.say_on(ExchangeId(id), result(id)).await;
        bench.logged(answered).await;
        bench.finished(call).await;
        assert_eq!(bench.notes.codes(late), codes);
    }

    let id = bench.call(3).await;
    bench.cancel(3).await;
    let cancelled = loop {
        let outgoing = bench.outgoing().await;
        if outgoing.exchange != ExchangeId(id) {
            break outgoing;
        }
    };
    let taken = cancelled.exchange;
    bench.head(taken, 200, &[JSON]).await;
    let seq = bench.seq;
    assert_eq!(bench.codes(seq).await, ["not-accepted"]);
}

//! Breaks at every place of a streamed answer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_mcp::{Lost, OperationEvent, OperationOptions, Outcome, TimeoutKind};
use sonde_tests::http_peer::{HttpPeer, Reply, Request};

use super::{Session, handshake, number};

/// The events of a streamed answer: a primer, progress, a log message, the result. `id` is the
/// request's, which is its progress token too; `call` keeps event ids apart.
fn events(call: usize, id: &str, retry: &str) -> Vec<String> {
    vec![
        format!("id: {call}-1\nretry: {retry}\ndata: \n\n"),
        format!(
            "id: {call}-2\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":{id},\"progress\":1}}}}\n\n"
        ),
        format!(
            "id: {call}-3\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":\"é\"}}}}\n\n"
        ),
        format!(
            "id: {call}-4\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[]}}}}\n\n"
        ),
    ]
}

/// Length of the answer to a call whose numbers have as many digits as these.
fn length(call: usize, id: &str) -> usize {
    events(call, id, "0").concat().len()
}

/// A server whose answers can be resumed. `first` makes the first answer of a call.
async fn resumable(
    first: impl Fn(usize, Vec<String>) -> Reply + Send + Sync + 'static,
) -> HttpPeer {
    let ids: Arc<Mutex<HashMap<usize, String>>> = Arc::default();
    HttpPeer::start(move |request: &Request| {
        if let Some(reply) = handshake(request) {
            return reply;
        }
        if let Some(call) = number(request) {
            let id = request.id().unwrap();
            ids.lock().unwrap().insert(call, id.clone());
            return first(call, events(call, &id, "0"));
        }
        let Some(last) = request.header("last-event-id") else {
            return Reply::status(405);
        };
        let (call, event) = last.split_once('-').unwrap();
        let (call, event): (usize, usize) = (call.parse().unwrap(), event.parse().unwrap());
        let id = ids.lock().unwrap()[&call].clone();
        events(call, &id, "0")[event..]
            .iter()
            .fold(Reply::event_stream(), |reply, event| reply.chunk(event))
            .end()
    })
    .await
}

fn count(story: &[OperationEvent], which: impl Fn(&OperationEvent) -> bool) -> usize {
    story.iter().filter(|event| which(event)).count()
}

fn is_progress(event: &OperationEvent) -> bool {
    matches!(event, OperationEvent::Progress(_))
}

fn is_log(event: &OperationEvent) -> bool {
    matches!(event, OperationEvent::Log(_))
}

#[tokio::test]
async fn a_stream_cut_after_any_byte_is_picked_up_or_said_to_be_lost() {
    let peer = resumable(|call, events| {
        let text = events.concat();
        let cut = call.min(text.len());
        let reply = Reply::event_stream();
        match cut {
            0 => reply.chunk(":\n").cut(),
            _ => reply.chunk(&text.as_bytes()[..cut]).cut(),
        }
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    let (mut lost, mut answered) = (0, 0);
    let longest = length(999, "999");
    for cut in 0..=longest {
        let (story, outcome) = session.call(cut as u64).await;
        match outcome {
            // No event id had come: nothing can be continued, and nothing is sent again.
            Outcome::Lost(Lost::Exchange(_) | Lost::NoAnswer) => {
                let primer = events(cut, "1", "0").remove(0).len();
                assert!(cut < primer, "lost after {cut} bytes: {story:?}");
                lost += 1;
            }
            Outcome::Result { .. } => {
                assert_eq!(count(&story, is_progress), 1, "{cut}: {story:?}");
                assert_eq!(count(&story, is_log), 1, "{cut}: {story:?}");
                answered += 1;
            }
            other => panic!("after {cut} bytes: {other:?} {story:?}"),
        }
    }
    assert!(lost > 10 && answered > 250, "{lost} {answered}");
    let calls = peer
        .requests()
        .iter()
        .filter(|request| number(request).is_some())
        .count();
    assert_eq!(calls, longest + 1, "no call is sent twice");
}

#[tokio::test]
async fn the_pieces_of_a_stream_may_end_anywhere() {
    let peer = resumable(|call, events| {
        let text = events.concat();
        let (head, tail) = text.as_bytes().split_at(call.clamp(1, text.len() - 1));
        Reply::event_stream().chunk(head).chunk(tail).end()
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    for cut in 0..=length(999, "999") {
        let (story, outcome) = session.call(cut as u64).await;
        assert!(
            matches!(outcome, Outcome::Result { .. }),
            "{cut}: {outcome:?}"
        );
        assert_eq!(count(&story, is_progress), 1, "{cut}: {story:?}");
        assert_eq!(count(&story, is_log), 1, "{cut}: {story:?}");
    }
    let resumed = peer
        .requests()
        .iter()
        .any(|request| request.header("last-event-id").is_some());
    assert!(!resumed, "nothing was broken");
}

#[tokio::test]
async fn odd_retry_times_neither_hang_nor_hurry() {
    for retry in [
        "0",
        "99999999999999999999",
        "18446744073709551615",
        "-5",
        "soon",
        "1.5",
        "",
    ] {
        let peer = HttpPeer::start(move |request: &Request| {
            if let Some(reply) = handshake(request) {
                return reply;
            }
            match (number(request), request.header("last-event-id")) {
                (Some(call), _) => {
                    let events = events(call, &request.id().unwrap(), retry);
                    Reply::event_stream().chunk(&events[0]).end()
                }
                (None, Some(_)) => {
                    let events = events(1, "2", "0");
                    Reply::event_stream().chunk(&events[3]).end()
                }
                (None, None) => Reply::status(405),
            }
        })
        .await;
        let mut session = Session::open(&peer.url()).await;
        let (story, outcome) = session.call(1).await;
        assert!(
            matches!(outcome, Outcome::Result { .. }),
            "{retry}: {outcome:?}"
        );
        assert_eq!(
            count(&story, |event| matches!(event, OperationEvent::Waiting)),
            1,
            "{retry}"
        );
    }
}

#[tokio::test]
async fn what_a_server_replays_too_much_is_not_shown_twice() {
    let peer = HttpPeer::start(|request: &Request| {
        if let Some(reply) = handshake(request) {
            return reply;
        }
        match (number(request), request.header("last-event-id")) {
            // Out of order: the progress before the primer.
            (Some(call), _) => {
                let events = events(call, &request.id().unwrap(), "0");
                Reply::event_stream()
                    .chunk(&events[1])
                    .chunk(&events[2])
                    .chunk(&events[0])
                    .end()
            }
            // Everything from the beginning.
            (None, Some(_)) => events(1, "2", "0")
                .iter()
                .fold(Reply::event_stream(), |reply, event| reply.chunk(event))
                .end(),
            (None, None) => Reply::status(405),
        }
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    let (story, outcome) = session.call(1).await;
    assert!(matches!(outcome, Outcome::Result { .. }), "{outcome:?}");
    assert_eq!(count(&story, is_progress), 1, "{story:?}");
    assert_eq!(count(&story, is_log), 1, "{story:?}");
    // What came last counts, not what is greatest.
    let requests = peer.requests();
    let resumed = requests
        .iter()
        .find_map(|request| request.header("last-event-id"));
    assert_eq!(resumed, Some("1-1"));
}

#[tokio::test]
async fn a_server_that_never_answers_holds_up_nothing_else() {
    let peer = HttpPeer::start(|request: &Request| {
        handshake(request).unwrap_or_else(|| match number(request) {
            Some(1) => Reply::silence().hang(),
            Some(_) => {
                let id = request.id().unwrap();
                Reply::json(format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#
                ))
            }
            // The listener, which gets no head either.
            None => Reply::silence().hang(),
        })
    })
    .await;
    let mut session = Session::open(&peer.url()).await;
    let patience = OperationOptions {
        idle: Some(Duration::from_millis(150)),
        ..OperationOptions::default()
    };
    let (_, outcome) = session.call_with(1, patience).await;
    assert!(
        matches!(outcome, Outcome::TimedOut(TimeoutKind::Idle)),
        "{outcome:?}"
    );
    let (_, outcome) = session.call(2).await;
    assert!(matches!(outcome, Outcome::Result { .. }), "{outcome:?}");
}

//! Breaks at every place of a streamed response.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_mcp::{Lost, OperationEvent, OperationOptions, Outcome, TimeoutKind};
use sonde_tests::http_peer::{HttpPeer, Reply};

use super::{Session, number, server};

/// Creates the events of a streamed response: a primer, progress, a log message, the result. `id` is the request's,
/// which is its progress token too; `call` distinguishes event ids.
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

/// Returns the length of the response to a call whose numbers have as many digits as these.
fn length(call: usize, id: &str) -> usize {
    events(call, id, "0").concat().len()
}

/// Starts a server whose responses can be resumed. `first` creates the first response of a call.
async fn resumable(
    first: impl Fn(usize, Vec<String>) -> Reply + Send + Sync + 'static,
) -> HttpPeer {
    let ids: Arc<Mutex<HashMap<usize, String>>> = Arc::default();
    server(move |request| {
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
        streamed(&events(call, &id, "0")[event..])
    })
    .await
}

/// A stream that has these events, and ends.
fn streamed(events: &[String]) -> Reply {
    let stream = Reply::event_stream();
    events
        .iter()
        .fold(stream, |reply, event| reply.chunk(event))
        .end()
}

/// Progress and the log message were told once each.
fn told_once(story: &[OperationEvent], what: &str) {
    let count =
        |which: fn(&OperationEvent) -> bool| story.iter().filter(|event| which(event)).count();
    let progress = count(|event| matches!(event, OperationEvent::Progress(_)));
    let logs = count(|event| matches!(event, OperationEvent::Log(_)));
    assert_eq!((progress, logs), (1, 1), "{what}: {story:?}");
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
                told_once(&story, &cut.to_string());
                answered += 1;
            }
            other => panic!("after {cut} bytes: {other:?} {story:?}"),
        }
    }
    assert!(lost > 10 && answered > 250, "{lost} {answered}");
    let requests = peer.requests();
    let calls = requests.iter().filter_map(number);
    assert_eq!(calls.count(), longest + 1, "no call is sent twice");
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
        let story = session.succeeds(cut as u64).await;
        told_once(&story, &cut.to_string());
    }
    let resumed = peer
        .requests()
        .iter()
        .any(|request| request.header("last-event-id").is_some());
    assert!(!resumed, "nothing was broken");
}

#[tokio::test]
async fn odd_retry_times_neither_hang_nor_hurry() {
    let (most, more) = ("18446744073709551615", "99999999999999999999");
    for retry in ["0", more, most, "-5", "soon", "1.5", ""] {
        let peer =
            server(
                move |request| match (number(request), request.header("last-event-id")) {
                    (Some(call), _) => streamed(&events(call, &request.id().unwrap(), retry)[..1]),
                    (None, Some(_)) => streamed(&events(1, "2", "0")[3..]),
                    (None, None) => Reply::status(405),
                },
            )
            .await;
        let mut session = Session::open(&peer.url()).await;
        let story = session.succeeds(1).await;
        let waits = story
            .iter()
            .filter(|event| matches!(event, OperationEvent::Waiting));
        assert_eq!(waits.count(), 1, "{retry}");
    }
}

#[tokio::test]
async fn what_a_server_replays_too_much_is_not_shown_twice() {
    let peer = server(
        |request| match (number(request), request.header("last-event-id")) {
            // Out of order: the progress before the primer.
            (Some(call), _) => {
                let mut events = events(call, &request.id().unwrap(), "0");
                events.truncate(3);
                events.rotate_left(1);
                streamed(&events)
            }
            // Everything from the beginning.
            (None, Some(_)) => streamed(&events(1, "2", "0")),
            (None, None) => Reply::status(405),
        },
    )
    .await;
    let mut session = Session::open(&peer.url()).await;
    told_once(&session.succeeds(1).await, "replayed");
    // What came last counts, not what is greatest.
    let requests = peer.requests();
    let resumed = requests
        .iter()
        .find_map(|request| request.header("last-event-id"));
    assert_eq!(resumed, Some("1-1"));
}

#[tokio::test]
async fn a_server_that_never_answers_holds_up_nothing_else() {
    let peer = server(|request| match number(request) {
        // The listener gets no head either.
        Some(1) | None => Reply::silence(),
        Some(_) => {
            let id = request.id().unwrap();
            Reply::json(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#
            ))
        }
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
    session.succeeds(2).await;
}

//! Sessions over streams that break in every way: every event is shown once, a lost response is reported as lost, and
//! no call is ever sent twice.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod breaks;
mod network;
mod many;

use std::{sync::Arc, time::Duration};

use sonde_mcp::{
    CloseReason, Event, Implementation, OperationEvent, OperationId, OperationOptions,
    OperationRequest, Outcome, Phase, SessionHandle, SessionOptions, StreamOptions, open,
};
use sonde_tests::{
    http_peer::{HttpPeer, Reply, Request},
    record::{Recorder, within},
};
use sonde_wire::{
    Wire,
    http::{self, HttpSpec},
    queue,
};

/// A session that resumes streams at once.
struct Session {
    handle: SessionHandle,
    events: queue::Receiver<Event>,
    recorder: Arc<Recorder>,
}

fn options() -> SessionOptions {
    let mut options = SessionOptions::new(Implementation::new("sonde-tests", "0"));
    options.streams = StreamOptions {
        attempts: 5,
        floor: Duration::from_millis(10),
        cap: Duration::from_millis(40),
    };
    options
}

impl Session {
    /// Connects and waits until calls work.
    async fn open(url: &str) -> Session {
        Session::over(HttpSpec::new(url)).await
    }

    async fn over(spec: HttpSpec) -> Session {
        let recorder = Recorder::new();
        let wire = http::open(spec, recorder.clone()).unwrap();
        let mut session = Session::on(wire, recorder);
        session.ready().await;
        session
    }

    fn on(wire: Wire, recorder: Arc<Recorder>) -> Session {
        let (sender, events) = queue::channel(256);
        let (handle, _) = open(wire, recorder.clone(), options(), sender);
        Session {
            handle,
            events,
            recorder,
        }
    }

    async fn ready(&mut self) {
        loop {
            match self.event().await {
                Event::Phase(Phase::Ready) => return,
                Event::Phase(Phase::Closed(reason)) => panic!("closed: {reason:?}"),
                _ => {}
            }
        }
    }

    /// Follows the session to its end.
    ///
    /// # Panics
    ///
    /// When calls work before.
    async fn closed(&mut self) -> CloseReason {
        loop {
            match self.event().await {
                Event::Phase(Phase::Closed(reason)) => return reason,
                Event::Phase(Phase::Ready) => panic!("it was let in"),
                _ => {}
            }
        }
    }

    async fn event(&mut self) -> Event {
        within("an event", self.events.recv()).await.unwrap()
    }

    /// Calls a tool with this number and follows the call to its end.
    async fn call(&mut self, number: u64) -> (Vec<OperationEvent>, Outcome) {
        self.call_with(number, OperationOptions::default()).await
    }

    /// The same for a call that has a result.
    async fn succeeds(&mut self, number: u64) -> Vec<OperationEvent> {
        let (story, outcome) = self.call(number).await;
        let has_result = matches!(outcome, Outcome::Result { .. });
        assert!(has_result, "{number}: {outcome:?} {story:?}");
        story
    }

    async fn call_with(
        &mut self,
        number: u64,
        options: OperationOptions,
    ) -> (Vec<OperationEvent>, Outcome) {
        let call = OperationRequest::tool("t", Some(format!(r#"{{"n":{number}}}"#)));
        let called = self
            .handle
            .start_operation(OperationId(number), call, options);
        called.await.unwrap();
        let mut story = Vec::new();
        loop {
            if let Event::Operation(OperationId(id), event) = self.event().await {
                assert_eq!(id, number);
                match event {
                    OperationEvent::Finished(outcome) => return (story, outcome),
                    other => story.push(other),
                }
            }
        }
    }
}

/// A server with a session, without tools. `answers` makes the answers to all but the handshake.
async fn server(answers: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> HttpPeer {
    HttpPeer::start(move |request| handshake(request).unwrap_or_else(|| answers(request))).await
}

/// The same where `answer` makes the answer to a call by its number and the id of its request. There is no listener.
async fn callable(answer: impl Fn(usize, String) -> Reply + Send + Sync + 'static) -> HttpPeer {
    server(move |request| match number(request) {
        Some(call) => answer(call, request.id().unwrap()),
        None => Reply::status(405),
    })
    .await
}

/// The handshake of a server with a session, without tools; `None` for everything else.
fn handshake(request: &Request) -> Option<Reply> {
    if request.body.contains(r#""method":"initialize""#) {
        let id = request.id().unwrap_or_default();
        let reply = Reply::status(200).header("mcp-session-id", "s-1");
        return Some(reply.json_body(welcome(&id)));
    }
    (request.method == "DELETE" || request.body.contains("notifications/")).then(Reply::accepted)
}

/// The result of `initialize`.
fn welcome(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
    )
}

/// The number in the arguments of a call.
fn number(request: &Request) -> Option<usize> {
    let (_, rest) = request.body.split_once(r#""arguments":{"n":"#)?;
    rest.split('}').next()?.trim().parse().ok()
}

//! The actor against a server that the test plays as raw text.

mod completions;
mod operations;
mod http;
mod lists;
mod malformed;
mod stateless;
mod stateless_operations;
mod stateless_streams;
mod opening;
mod server_requests;
mod request_tasks;
mod declared;
mod recovery;
mod parking;
mod reopening;
mod resource_subscriptions;
mod health;
mod tasks;
mod other_tasks;
mod hostile_tasks;

use std::{
    fmt::Display,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use sonde_wire::{
    Annotation, Carrier, Closed, Command, Entry, EntryKind, ExchangeId, ExitStatus, Header,
    Incoming, Label, Outgoing, Peer, Seq, StreamEnd, Tap, Verb, Wire, queue,
};
use tokio::{
    task::JoinHandle,
    time::{Duration, timeout},
};

use super::{SessionHandle, open};
use crate::{
    CatalogEvent, CatalogKind, CloseReason, Event, Health, Implementation, Listing, Lost,
    Negotiated, NoResponse, OperationEvent, OperationId, OperationOptions, OperationRequest,
    Outcome, Phase, Reply, Revision, ServerRequest, ServerRequestEnd, SessionOptions, TimeoutKind,
};

pub(super) const JSON: (&str, &str) = ("content-type", "application/json");
pub(super) const SSE: (&str, &str) = ("content-type", "text/event-stream");

/// Records the session's annotations of the log.
#[derive(Default)]
pub(super) struct Notes {
    annotations: Mutex<Vec<(Seq, Annotation)>>,
    remarks: Mutex<Vec<String>>,
}

impl Tap for Notes {
    fn record(&self, entry: Entry) -> Seq {
        if let EntryKind::Note(text) = entry.kind {
            self.remarks.lock().unwrap().push(text);
        }
        Seq(0)
    }
    fn annotate(&self, seq: Seq, annotation: Annotation) {
        self.annotations.lock().unwrap().push((seq, annotation));
    }
}

impl Notes {
    /// The codes of all findings for one entry.
    pub(super) fn codes(&self, seq: u64) -> Vec<&'static str> {
        self.of(seq)
            .into_iter()
            .flat_map(|note| note.findings)
            .map(|finding| finding.id())
            .collect()
    }

    /// Returns the notes since the last call.
    pub(super) fn remarks(&self) -> Vec<String> {
        std::mem::take(&mut *self.remarks.lock().unwrap())
    }

    pub(super) fn of(&self, seq: u64) -> Vec<Annotation> {
        let notes = self.annotations.lock().unwrap();
        notes
            .iter()
            .filter(|(at, _)| *at == Seq(seq))
            .map(|(_, note)| note.clone())
            .collect()
    }
}

/// A session with the server's end of its wire in the test's hands.
pub(super) struct Bench {
    pub(super) handle: SessionHandle,
    pub(super) events: queue::Receiver<Event>,
    pub(super) far: Peer,
    pub(super) notes: Arc<Notes>,
    pub(super) task: JoinHandle<()>,
    is_pipe: bool,
    seq: u64,
}

pub(super) fn client() -> Implementation {
    Implementation::new("sonde", "0")
}

pub(super) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl Bench {
    pub(super) fn with(options: SessionOptions, room: usize) -> Bench {
        Bench::on(Carrier::Pipe, options, room)
    }

    pub(super) fn on(carrier: Carrier, options: SessionOptions, room: usize) -> Bench {
        let (wire, far) = Wire::pair(carrier);
        let notes = Arc::new(Notes::default());
        let (sender, events) = queue::channel(room);
        let tap: Arc<dyn Tap> = Arc::clone(&notes) as _;
        let (handle, task) = open(wire, tap, options, sender);
        Bench {
            handle,
            events,
            far,
            notes,
            task,
            is_pipe: carrier == Carrier::Pipe,
            seq: 0,
        }
    }

    pub(super) fn new() -> Bench {
        Bench::with(SessionOptions::new(client()), 1_000)
    }

    /// A session that is ready, without tools.
    pub(super) async fn ready() -> Bench {
        Bench::ready_with(Revision::NEWEST_HANDSHAKE, "{}").await
    }

    pub(super) async fn ready_with(revision: Revision, capabilities: &str) -> Bench {
        let mut bench = Bench::new();
        bench.send_initialize(revision, capabilities).await;
        bench
    }

    /// A session with these options, after a handshake.
    pub(super) async fn ready_as(options: SessionOptions) -> Bench {
        let mut bench = Bench::with(options, 1_000);
        bench
            .send_initialize(Revision::NEWEST_HANDSHAKE, "{}")
            .await;
        bench
    }

    pub(super) async fn send_initialize(
        &mut self,
        revision: Revision,
        capabilities: &str,
    ) -> Arc<Negotiated> {
        self.opening().await;
        let request = self.sent().await;
        assert_eq!(request["method"], "initialize");
        self.say(answer(&request["id"], &welcome(revision, capabilities)))
            .await;
        self.become_ready().await
    }

    pub(super) async fn become_ready(&mut self) -> Arc<Negotiated> {
        let negotiated = self.negotiated().await;
        assert_eq!(self.sent().await["method"], "notifications/initialized");
        negotiated
    }

    /// Expects the end of the opening.
    pub(super) async fn negotiated(&mut self) -> Arc<Negotiated> {
        let Event::Negotiated(negotiated) = self.event().await else {
            panic!("no negotiation");
        };
        assert!(matches!(self.event().await, Event::Phase(Phase::Ready)));
        negotiated
    }

    /// Expects the handshake to begin.
    pub(super) async fn opening(&mut self) {
        assert!(matches!(self.event().await, Event::Phase(Phase::Opening)));
    }

    /// Expects the session to begin its end.
    pub(super) async fn closing(&mut self) {
        assert!(matches!(self.event().await, Event::Phase(Phase::Closing)));
    }

    pub(super) async fn event(&mut self) -> Event {
        loop {
            let event = timeout(secs(3_600), self.events.recv())
                .await
                .expect("an event comes within an hour")
                .expect("the session reports");
            // Statistics are ignored here, and health unless a test asks for it.
            if !matches!(
                event,
                Event::RoundTrip { .. } | Event::NoResponse { .. } | Event::Health(_)
            ) {
                return event;
            }
        }
    }

    /// Expects the next report to be about the health of the session.
    pub(super) async fn health(&mut self) -> Health {
        loop {
            let event = timeout(secs(3_600), self.events.recv()).await;
            match event.expect("an event comes within an hour") {
                Some(Event::RoundTrip { .. } | Event::NoResponse { .. }) => {}
                Some(Event::Health(health)) => return health,
                other => panic!("unexpected event {other:?}"),
            }
        }
    }

    /// Expects a report that nobody waits for the response to this request any more.
    pub(super) async fn gives_up(&mut self, request: impl Display, why: NoResponse) {
        loop {
            let event = timeout(secs(3_600), self.events.recv()).await;
            match event.expect("an event comes within an hour") {
                Some(Event::RoundTrip { .. } | Event::Health(_)) => {}
                Some(Event::NoResponse {
                    request: id,
                    why: reason,
                }) => {
                    assert_eq!((&*id, reason), (&*request.to_string(), why));
                    return;
                }
                other => panic!("unexpected event {other:?}"),
            }
        }
    }

    /// Waits until the session has read this entry of the log.
    pub(super) async fn logged(&mut self, seq: u64) {
        while self.notes.of(seq).is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// The codes of all findings for an entry, once the session has read it.
    pub(super) async fn codes(&mut self, seq: u64) -> Vec<&'static str> {
        self.logged(seq).await;
        self.notes.codes(seq)
    }

    /// The label of an entry, once the session has read it.
    pub(super) async fn label(&mut self, seq: u64) -> Label {
        self.logged(seq).await;
        self.notes.of(seq)[0].label.clone().expect("a label")
    }

    /// Nothing is reported and nothing sent, however long one waits (short of any deadline).
    pub(super) async fn quiet(&mut self) {
        tokio::select! {
            event = self.events.recv() => panic!("unexpected event {event:?}"),
            command = self.far.commands.recv() => panic!("unexpected command {command:?}"),
            () = tokio::time::sleep(secs(1)) => {}
        }
    }

    pub(super) async fn command(&mut self) -> Command {
        timeout(secs(3_600), self.far.commands.recv())
            .await
            .expect("a command comes within an hour")
            .expect("the session holds its wire")
    }

    /// Expects an exchange to be given up.
    pub(super) async fn abandons(&mut self, expected: ExchangeId) {
        match self.command().await {
            Command::Abandon(exchange) => assert_eq!(exchange, expected),
            other => panic!("unexpected command {other:?}"),
        }
    }

    pub(super) async fn outgoing(&mut self) -> Outgoing {
        match self.command().await {
            Command::Send(outgoing) => outgoing,
            other => panic!("unexpected command {other:?}"),
        }
    }

    /// The next message that the session sends.
    pub(super) async fn sent(&mut self) -> Value {
        let outgoing = self.outgoing().await;
        assert_eq!(outgoing.verb, Verb::Post);
        serde_json::from_str(&outgoing.text.expect("a message has text")).expect("it is JSON")
    }

    pub(super) async fn take(&mut self, item: Incoming) {
        self.far
            .incoming
            .send(item)
            .await
            .expect("the session runs");
    }

    pub(super) fn next_seq(&mut self) -> Seq {
        self.seq += 1;
        Seq(self.seq)
    }

    /// The server sends a message, as on stdio. Returns its log entry.
    pub(super) async fn say(&mut self, text: impl Into<String>) -> u64 {
        let seq = self.next_seq();
        assert!(self.far.deliver(seq, text).await, "the session runs");
        seq.0
    }

    /// The server sends a message on the stream of an exchange, as over HTTP.
    pub(super) async fn say_on(&mut self, exchange: ExchangeId, text: impl Into<String>) -> u64 {
        let seq = self.next_seq();
        self.take(Incoming::Message {
            exchange: Some(exchange),
            event_id: None,
            text: Arc::new(text.into()),
            seq,
        })
        .await;
        seq.0
    }

    pub(super) async fn head(
        &mut self,
        exchange: ExchangeId,
        status: u16,
        headers: &[(&str, &str)],
    ) {
        let seq = self.next_seq();
        let headers = headers
            .iter()
            .map(|(name, value)| Header {
                name: (*name).to_owned(),
                value: (*value).to_owned(),
            })
            .collect();
        self.take(Incoming::Head {
            exchange,
            status,
            headers,
            seq,
        })
        .await;
    }

    /// The head and the body of a response in JSON.
    pub(super) async fn respond(
        &mut self,
        exchange: ExchangeId,
        status: u16,
        text: impl Into<String>,
    ) -> u64 {
        self.head(exchange, status, &[JSON]).await;
        self.say_on(exchange, text).await
    }

    /// The process ends.
    pub(super) async fn exits(&mut self, exit: ExitStatus) {
        self.take(Incoming::Closed(Closed::ProcessExited { exit }))
            .await;
    }

    /// The server asks for something.
    pub(super) async fn request(&mut self, id: impl Display, method: &str, params: &str) -> u64 {
        self.say(request(id, method, params)).await
    }

    pub(super) async fn over(&mut self, exchange: ExchangeId, end: StreamEnd) {
        self.take(Incoming::End { exchange, end }).await;
    }

    /// Starts a call and returns the id of its request.
    pub(super) async fn call(&mut self, call: u64) -> u64 {
        self.call_with(call, OperationOptions::default()).await.0
    }

    pub(super) async fn call_with(
        &mut self,
        call: u64,
        options: OperationOptions,
    ) -> (u64, ExchangeId) {
        let tool = OperationRequest::tool("tool", Some("{}".into()));
        self.handle
            .start_operation(OperationId(call), tool, options)
            .await
            .expect("the session runs");
        let outgoing = self.outgoing().await;
        assert_eq!(outgoing.label.operation, Some(call));
        let text = outgoing.text.expect("a call has text");
        let message: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(message["method"], "tools/call");
        assert_eq!(message["params"]["_meta"]["progressToken"], message["id"]);
        let event = self.call_event(call).await;
        assert!(matches!(event, OperationEvent::Sent { .. }), "{event:?}");
        (
            message["id"].as_u64().expect("ids are numbers"),
            outgoing.exchange,
        )
    }

    /// The user starts an operation.
    pub(super) async fn operate(&mut self, call: u64, request: OperationRequest) {
        let options = OperationOptions::default();
        let started = self
            .handle
            .start_operation(OperationId(call), request, options);
        started.await.expect("the session runs");
    }

    /// The user cancels an operation.
    pub(super) async fn cancel(&mut self, call: u64) {
        let cancelled = self.handle.cancel(OperationId(call), None).await;
        cancelled.expect("the session runs");
    }

    /// Expects the user to be asked for something.
    pub(super) async fn server_request(&mut self) -> ServerRequest {
        match self.event().await {
            Event::ServerRequest(request) => request,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects a request of the server to be over.
    pub(super) async fn closed_as(&mut self, request: &ServerRequest, expected: ServerRequestEnd) {
        match self.event().await {
            Event::ServerRequestClosed(id, end) => assert_eq!((id, end), (request.id, expected)),
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// The user answers a request of the server.
    pub(super) async fn answer_with(&mut self, request: &ServerRequest, reply: Reply) {
        let answered = self.handle.answer(request.id, reply).await;
        answered.expect("the session runs");
        self.closed_as(request, ServerRequestEnd::Answered).await;
    }

    /// The user answers a request of the server with this result.
    pub(super) async fn answer(&mut self, request: &ServerRequest, result: &str) {
        self.answer_with(request, Reply::Result(result.to_owned()))
            .await;
    }

    pub(super) async fn call_event(&mut self, call: u64) -> OperationEvent {
        match self.event().await {
            Event::Operation(OperationId(id), event) if id == call => event,
            other => panic!("unexpected event {other:?}"),
        }
    }

    pub(super) async fn finished(&mut self, call: u64) -> Outcome {
        match self.call_event(call).await {
            OperationEvent::Finished(outcome) => outcome,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects an operation to end without a response.
    pub(super) async fn has_lost(&mut self, call: u64) -> Lost {
        match self.finished(call).await {
            Outcome::Lost(lost) => lost,
            other => panic!("unexpected end {other:?}"),
        }
    }

    /// Expects an operation to take too long.
    pub(super) async fn timed_out(&mut self, call: u64) -> TimeoutKind {
        match self.finished(call).await {
            Outcome::TimedOut(limit) => limit,
            other => panic!("unexpected end {other:?}"),
        }
    }

    pub(super) async fn cancelling(&mut self, call: u64) {
        let event = self.call_event(call).await;
        assert!(matches!(event, OperationEvent::Cancelling), "{event:?}");
    }

    pub(super) async fn progresses(&mut self, call: u64) {
        let event = self.call_event(call).await;
        assert!(matches!(event, OperationEvent::Progress(_)), "{event:?}");
    }

    /// Expects something without a response to come after the end of an operation.
    pub(super) async fn late(&mut self, call: u64) {
        let event = self.call_event(call).await;
        let is_late = matches!(event, OperationEvent::Late { outcome: None, .. });
        assert!(is_late, "{event:?}");
    }

    /// Expects an operation to end with this error of the server.
    pub(super) async fn fails_with(&mut self, call: u64, code: i64) {
        match self.finished(call).await {
            Outcome::ProtocolError { code: found, .. } => assert_eq!(found, code),
            other => panic!("unexpected end {other:?}"),
        }
    }

    /// Expects an operation to be sent again in this round.
    pub(super) async fn again(&mut self, call: u64, expected: u32) {
        let event = self.call_event(call).await;
        assert!(matches!(event, OperationEvent::Again { round } if round == expected));
    }

    /// Expects the server to ask for something in this round of an operation.
    pub(super) async fn input_required(&mut self, call: u64, expected: u32) {
        let event = self.call_event(call).await;
        assert!(matches!(event, OperationEvent::InputRequired { round } if round == expected));
    }

    /// The user reads a catalog again.
    pub(super) async fn refresh(&mut self, kind: CatalogKind) {
        let asked = self.handle.refresh_catalog(kind).await;
        asked.expect("the session runs");
    }

    /// Expects a reading of a catalog to begin.
    pub(super) async fn loading(&mut self) {
        match self.event().await {
            Event::Catalog {
                event: CatalogEvent::Loading,
                ..
            } => {}
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects a catalog that was read.
    pub(super) async fn listed(&mut self) -> Listing {
        match self.event().await {
            Event::Catalog {
                event: CatalogEvent::Listed(listing),
                ..
            } => listing,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// The last events of the session, after the transport has ended.
    pub(super) async fn closed(&mut self) -> CloseReason {
        match self.event().await {
            Event::Phase(Phase::Closed(reason)) => {
                assert!(self.events.recv().await.is_none(), "it was the last event");
                reason
            }
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects the orderly end and plays the transport's part.
    pub(super) async fn hang_up(&mut self) -> CloseReason {
        self.closing().await;
        self.gone().await
    }

    /// Ends the transport as requested.
    pub(super) async fn gone(&mut self) -> CloseReason {
        assert!(matches!(self.command().await, Command::Close));
        self.take(Incoming::Closed(Closed::Requested { exit: None }))
            .await;
        self.closed().await
    }
}

/// A log message.
pub(super) const LOG: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;

pub(super) fn answer(id: impl Display, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

pub(super) fn result(id: u64) -> String {
    answer(id, r#"{"content":[]}"#)
}

pub(super) fn refusal(id: impl Display, code: i64, data: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no","data":{data}}}}}"#
    )
}

pub(super) fn request(id: impl Display, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

pub(super) fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}"#)
}

pub(super) fn progress(token: impl Display, rest: &str) -> String {
    notification(
        "progress",
        &format!(r#"{{"progressToken":{token},{rest}}}"#),
    )
}

/// The result of the handshake.
pub(super) fn welcome(revision: Revision, capabilities: &str) -> String {
    format!(
        r#"{{"protocolVersion":"{revision}","capabilities":{capabilities},"serverInfo":{{"name":"s","version":"1"}}}}"#
    )
}

/// Limits of an operation, in seconds.
pub(super) fn limited(idle: u64, hard: Option<u64>) -> OperationOptions {
    OperationOptions {
        idle: Some(secs(idle)),
        hard: hard.map(secs),
        ..OperationOptions::default()
    }
}

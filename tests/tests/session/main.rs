//! Sessions with servers that nobody here wrote. They are installed by the step before the end-to-end tests;
//! run these with `cargo test -p sonde-tests --test session -- --ignored` afterwards.

mod peers;
mod multi_round_trip;

use std::sync::Arc;

use sonde_mcp::{
    CatalogEvent, CloseReason, ElicitationCapability, EraChoice, Event, Implementation, Listing,
    Negotiated, OperationEvent, OperationId, OperationOptions, OperationRequest, Outcome, Phase,
    SamplingCapability, SessionHandle, SessionOptions, open,
};
use sonde_tests::{
    LIMIT,
    record::{Recorder, within},
};
use sonde_wire::{
    queue,
    stdio::{StdioSpec, spawn},
};
use tokio::task::JoinHandle;

struct Session {
    handle: SessionHandle,
    events: queue::Receiver<Event>,
    task: JoinHandle<()>,
}

impl Session {
    async fn open(spec: StdioSpec, era: EraChoice) -> Session {
        let recorder = Recorder::new();
        let (wire, _) = spawn(spec, recorder.clone())
            .await
            .expect("the server starts");
        let (sender, events) = queue::channel(64);
        let mut options = SessionOptions::new(Implementation::new("sonde-tests", "0"));
        options.era = era;
        // Servers of other people take long to start on a busy machine.
        (options.timeouts.probe, options.timeouts.handshake) = (*LIMIT / 2, *LIMIT / 2);
        options.capabilities.elicitation = Some(ElicitationCapability::default());
        options.capabilities.sampling = Some(SamplingCapability::default());
        options.capabilities.request_tasks = true;
        let (handle, task) = open(wire, recorder, options, sender);
        Session {
            handle,
            events,
            task,
        }
    }

    async fn event(&mut self) -> Event {
        within("an event", self.events.recv())
            .await
            .expect("the session reports")
    }

    /// Reads events up to the tool list.
    async fn ready_with_tools(&mut self) -> (Arc<Negotiated>, Listing) {
        let mut negotiated = None;
        loop {
            match self.event().await {
                Event::Negotiated(found) => negotiated = Some(found),
                Event::Catalog {
                    event: CatalogEvent::Listed(listing),
                    ..
                } => {
                    return (negotiated.expect("it was negotiated before"), listing);
                }
                Event::Phase(Phase::Closed(reason)) => panic!("closed: {reason:?}"),
                _ => {}
            }
        }
    }

    async fn call(&self, id: u64, name: &str, arguments: &str) {
        self.start(id, OperationRequest::tool(name, Some(arguments.into())))
            .await;
    }

    async fn start(&self, id: u64, request: OperationRequest) {
        let options = OperationOptions::default();
        let started = self
            .handle
            .start_operation(OperationId(id), request, options);
        started.await.expect("the session runs");
    }

    /// Returns the events of one call up to its end, skipping others.
    async fn story(&mut self, id: u64) -> (Vec<OperationEvent>, Outcome) {
        let mut story = Vec::new();
        loop {
            match self.event().await {
                Event::Operation(OperationId(call), OperationEvent::Finished(outcome))
                    if call == id =>
                {
                    return (story, outcome);
                }
                Event::Operation(OperationId(call), event) if call == id => story.push(event),
                _ => {}
            }
        }
    }

    /// Returns the result of a successful call.
    async fn result(&mut self, id: u64) -> String {
        match self.story(id).await.1 {
            Outcome::Result {
                raw,
                is_error: false,
                ..
            } => raw.get().to_owned(),
            other => panic!("unexpected outcome {other:?}"),
        }
    }

    /// Calls a tool that does not exist, and expects the error.
    async fn call_nothing(&mut self, id: u64) {
        self.call(id, "no_such_tool", "{}").await;
        assert!(matches!(
            self.story(id).await.1,
            Outcome::ProtocolError { .. } | Outcome::Result { is_error: true, .. }
        ));
    }

    /// Waits for the response to a ping.
    async fn pong(&mut self) {
        loop {
            match self.event().await {
                Event::Pong { .. } => return,
                Event::PingFailed { message, .. } => panic!("{message}"),
                _ => {}
            }
        }
    }

    async fn closed(mut self) -> CloseReason {
        loop {
            if let Event::Phase(Phase::Closed(reason)) = self.event().await {
                assert!(self.events.recv().await.is_none());
                within("the task", self.task).await.expect("it ends well");
                return reason;
            }
        }
    }
}

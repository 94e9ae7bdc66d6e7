//! Counts that do not depend on the machine, each with its limit: allocations of a call, wake-ups of a silent session.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use allocation_counter::measure;
use sonde_mcp::{
    CatalogEvent, EraChoice, Event, Implementation, OperationEvent, OperationId, OperationOptions,
    OperationRequest, Outcome, Phase, SessionHandle, SessionOptions,
};
use sonde_record::log::{LogLimits, WireLog};
use sonde_wire::{
    Body, Command, Direction, Entry, EntryKind, Incoming, Label, Peer, Tap, Wire, queue,
};
use tokio::{
    runtime::{Builder, Runtime},
    time::sleep,
};

/// Limit of the allocations of a call, from the command to its result, with both messages recorded and including those
/// of this test's server.
const ALLOCATIONS: u64 = 32;

/// Number of measured calls.
const CALLS: u64 = 100;

/// Creates a runtime whose clock stands still while there is work to do.
fn runtime(parked: &Arc<AtomicU64>) -> Runtime {
    let parked = Arc::clone(parked);
    Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .on_thread_park(move || {
            parked.fetch_add(1, Ordering::Relaxed);
        })
        .build()
        .expect("a runtime")
}

/// Responds to each request at once, and records as a transport does. Allocates little, since its allocations count
/// too.
async fn serve(mut peer: Peer, tap: Arc<dyn Tap>) {
    const INITIALIZE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"budget","version":"1"}}"#;
    const TOOLS: &str = r#"{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}"#;
    const RESULT: &str = r#"{"content":[{"type":"text","text":"hello"}]}"#;
    while let Some(command) = peer.commands.recv().await {
        let Command::Send(message) = command else {
            continue;
        };
        let text = message.text.expect("a message");
        let id = message.label.id.clone();
        let result = match message.label.method.as_deref() {
            Some("initialize") => INITIALIZE,
            Some("tools/list") => TOOLS,
            _ => RESULT,
        };
        tap.record(entry(Direction::Out, &text, message.label));
        if let Some(id) = id {
            let reply = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
            let text = Arc::new(reply);
            let seq = tap.record(entry(Direction::In, &text, Label::default()));
            let message = Incoming::Message {
                exchange: None,
                event_id: None,
                text,
                seq,
            };
            if peer.incoming.send(message).await.is_err() {
                return;
            }
        }
    }
}

fn entry(direction: Direction, text: &Arc<String>, label: Label) -> Entry {
    let body = Body::Text(Arc::clone(text));
    Entry {
        label,
        ..Entry::new(direction, EntryKind::Message, body)
    }
}

/// Opens a session and reads its list of tools.
async fn session() -> (SessionHandle, queue::Receiver<Event>) {
    let log = WireLog::new("budget".to_owned(), LogLimits::default());
    let tap: Arc<dyn Tap> = log;
    let (wire, peer) = Wire::memory();
    tokio::spawn(serve(peer, Arc::clone(&tap)));
    let (sender, mut events) = queue::channel(256);
    let mut options = SessionOptions::new(Implementation::new("sonde-tests", "0"));
    options.era = EraChoice::Handshake;
    let (session, _) = sonde_mcp::open(wire, tap, options, sender);
    let mut ready = false;
    loop {
        let event = events.recv().await.expect("the session lives");
        ready |= matches!(event, Event::Phase(Phase::Ready));
        let listed = matches!(
            event,
            Event::Catalog {
                event: CatalogEvent::Listed(_),
                ..
            }
        );
        if ready && listed {
            return (session, events);
        }
    }
}

async fn call(session: &SessionHandle, events: &mut queue::Receiver<Event>, id: u64) {
    let echo = OperationRequest::tool("echo", Some(r#"{"text":"hello"}"#.to_owned()));
    let options = OperationOptions::default();
    let started = session
        .start_operation(OperationId(id), echo, options)
        .await;
    started.expect("the session lives");
    loop {
        match events.recv().await.expect("the session lives") {
            Event::Operation(_, OperationEvent::Finished(Outcome::Result { .. })) => return,
            Event::Operation(_, OperationEvent::Finished(other)) => panic!("{other:?}"),
            _ => {}
        }
    }
}

#[test]
fn a_call_allocates_no_more_than_its_budget() {
    let runtime = runtime(&Arc::default());
    let (session, mut events) = runtime.block_on(session());
    let mut number = 0;
    let mut calls = |count: u64| {
        runtime.block_on(async {
            for _ in 0..count {
                number += 1;
                call(&session, &mut events, number).await;
            }
        });
    };
    // Tables and queues have grown to their size.
    calls(10);
    let counted = measure(|| calls(CALLS));
    let each = counted.count_total / CALLS;
    assert!(
        each <= ALLOCATIONS,
        "{each} allocations, {} bytes",
        counted.bytes_total / CALLS
    );
}

#[test]
fn a_silent_session_wakes_nobody() {
    let wake_ups = |with_session: bool| {
        let parked = Arc::new(AtomicU64::new(0));
        let runtime = runtime(&parked);
        runtime.block_on(async {
            let mut kept = None;
            if with_session {
                let (session, mut events) = session().await;
                call(&session, &mut events, 1).await;
                kept = Some((session, events));
            }
            // What follows a call.
            sleep(Duration::from_secs(1)).await;
            let before = parked.load(Ordering::Relaxed);
            // Longer than any deadline of the call.
            sleep(Duration::from_hours(1)).await;
            drop(kept);
            parked.load(Ordering::Relaxed) - before
        })
    };
    assert_eq!(wake_ups(true), wake_ups(false));
}

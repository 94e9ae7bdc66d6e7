//! One session: a task that waits, and components with separate concerns.
//!
//! From the bottom up: shared services (`context` and below it), requests in flight, the components, the
//! `router` that hands them their input, the `actor` that waits. No file imports one above it.

mod handle;

mod actor;
mod router;
mod commands;
mod parts;

mod opening;
mod probing;
mod lifecycle;
mod stage;

mod operations;
mod multi_round_trip;
mod task_list;
mod tasks;
mod running_task;
mod task_inputs;
mod catalogs;
mod server_requests;
mod request_tasks;
mod notifications;
mod ping;
mod completions;
mod log_level;

mod resource_subscriptions;
mod subscription_stream;
mod streams;
mod subscription;
mod recovery;
mod health;
mod stream_table;
mod backoff;

mod faults;

mod effect;
mod matching;
mod recent_ids;
mod in_flight;
mod round_trip;
mod purpose;
mod http_response;
mod response;
mod judge;
mod roots;
mod time_limits;

mod context;
mod requests;
mod deadlines;
mod batch;
pub mod envelope;

#[cfg(test)]
mod tests;

pub use handle::{SessionGone, SessionHandle};
pub use roots::roots_result;

use std::sync::Arc;

use sonde_wire::{Tap, Wire, queue};
use tokio::{
    sync::{Notify, mpsc},
    task::JoinHandle,
};

use crate::{Event, SessionOptions};

/// Queue length of commands from handles.
const COMMANDS: usize = 64;

/// Opens a session on `wire`: spawns its task, which starts the handshake at once and sends events to `events`. The
/// last event is [`crate::Phase::Closed`]; then the channel closes and the task ends.
///
/// The session closes on command, when every handle is dropped, or when the receiver of `events` is dropped. While
/// `events` is full, the session reads nothing (so its transport stops reading too) and no deadline passes.
///
/// # Panics
/// Outside a tokio runtime with time enabled.
pub fn open(
    wire: Wire,
    tap: Arc<dyn Tap>,
    options: SessionOptions,
    events: queue::Sender<Event>,
) -> (SessionHandle, JoinHandle<()>) {
    let (sender, commands) = mpsc::channel(COMMANDS);
    let close = Arc::new(Notify::new());
    let handle = SessionHandle::new(sender, Arc::clone(&close));
    let actor = actor::Actor::new(wire, tap, options, events, commands, close);
    (handle, tokio::spawn(actor.run()))
}

//! The session actor: one task owns everything about one session.

mod actor;
mod notifications;
mod backoff;
mod calls;
mod deadlines;
mod ending;
mod envelope;
mod exchanges;
mod faults;
mod handle;
mod listing;
mod lists;
mod opening;
mod parking;
mod pending;
mod probing;
mod server_requests;
mod receive;
mod recovery;
mod reopening;
mod multi_round_trip;
mod streams;
mod subscription;
#[cfg(test)]
mod tests;
mod tools;
mod stage;

pub use handle::{SessionGone, SessionHandle};

use std::sync::Arc;

use sonde_wire::{Tap, Wire};
use tokio::{
    sync::{Notify, mpsc},
    task::JoinHandle,
};

use crate::{Event, SessionOptions};

/// How many wishes of handles wait for the actor before the next one has to wait.
const ASKS: usize = 64;

/// Opens a session on `wire`: spawns its one task, which starts the handshake at once and reports
/// to `events`. The last event is [`crate::Phase::Closed`]; then the channel closes and the task
/// ends.
///
/// The session ends orderly when it is told to, when every handle is dropped, or when the receiver
/// of `events` is dropped. While `events` is full the session reads nothing more (its transport
/// then stops reading too) and no deadline passes.
///
/// # Panics
/// Outside a tokio runtime with time enabled.
pub fn open(
    wire: Wire,
    tap: Arc<dyn Tap>,
    options: SessionOptions,
    events: mpsc::Sender<Event>,
) -> (SessionHandle, JoinHandle<()>) {
    let (asks, asked) = mpsc::channel(ASKS);
    let close = Arc::new(Notify::new());
    let handle = SessionHandle::new(asks, Arc::clone(&close));
    let actor = actor::Actor::new(wire, tap, options, events, asked, close);
    (handle, tokio::spawn(actor.run()))
}

//! Bytes to frames and back.
//!
//! A transport is a [`Wire`]: a pair of bounded channels of *text* messages plus the events of the
//! stream or process that carries them. This crate knows JSON-RPC framing, HTTP and processes; it
//! knows no method name, no handshake and no protocol revision (those belong to `sonde-mcp`).
//!
//! Every frame is handed to the [`Tap`] before it is interpreted: what cannot be parsed is still
//! a frame. Malformed input is data with [`Finding`]s attached; only I/O ends a wire.
//!
//! ```no_run
//! # use std::{error::Error, sync::Arc};
//! # use sonde_wire::{Command, Incoming, Outgoing, Tap, stdio::{self, StdioSpec}};
//! # async fn talk(tap: Arc<dyn Tap>, message: Outgoing) -> Result<(), Box<dyn Error>> {
//! let (mut wire, process) = stdio::spawn(StdioSpec::new("my-server"), tap).await?;
//! println!("process {}", process.pid);
//! wire.commands.send(Command::Send(message)).await?;
//! while let Some(incoming) = wire.incoming.recv().await {
//!     match incoming {
//!         Incoming::Message { text, .. } => println!("{text}"),
//!         Incoming::Closed(reason) => println!("{reason:?}"),
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

// The contract: frames, their record, and errors.
mod frame;
pub mod queue;
mod send_queue;
mod pair;
mod tap;
mod text_part;

mod error;
mod limits;

// The transports.
pub mod stdio;

pub mod http;
pub mod http_sse;
pub mod sse;
pub mod websocket;

mod by_scheme;

// Shared parts of the transports.
pub mod json;
pub mod id_scan;
mod text;
mod unfinished;

pub use by_scheme::open_by_scheme;
pub use error::{RedirectReason, SpawnError, WireError};
pub use frame::{
    Cause, Closed, Command, ExchangeId, ExitStatus, Header, Incoming, Label, MessageKind, Outgoing,
    Seq, StreamEnd, Verb,
};
pub use limits::Limits;
pub use pair::{Carrier, Peer, QUEUE, Wire};
pub use send_queue::SendQueue;
pub use sonde_findings::Finding;
pub use tap::{Annotation, Body, Direction, Entry, EntryKind, NoTap, Tap};
pub use text_part::TextPart;

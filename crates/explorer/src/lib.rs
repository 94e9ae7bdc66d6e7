//! The use cases of Sonde: servers, operations, wire log, validation, and what crosses to the window.
//! Knows nothing of Tauri: the whole app works and is tested without a window.
//!
//! [`Explorer`] is the whole of it: one async method per command of the window
//! (`ipc/commands.rs`), and one subscriber that is told what changed (`bus.rs`). What it knows
//! lives in `core.rs` behind one short lock; each connection is a task of its own (`sessions/`).

pub mod ipc;

mod options;
mod explorer;
mod core;
mod servers;
mod catalogs;
mod sessions;
mod auth;
mod operations;
mod bus;
mod pages;
mod drafts;
mod report;
mod files;
mod ring;
mod limits;
mod problem;

pub use explorer::Explorer;
pub use options::{DemoProgram, Host, Options};
use sonde_record::text;
pub use sonde_record::{clock, document, log};

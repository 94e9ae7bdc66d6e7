//! The use cases of Sonde: servers, connections, catalogs, operations, requests of servers, signing
//! in, validation. Knows nothing of Tauri, nor of what a window shows: the whole app works and is
//! tested without one.
//!
//! [`Explorer`] is the whole of it. What it knows lives in `core.rs` behind one short lock; each
//! connection is a task of its own (`sessions/`). Whoever shows it is told what changed
//! ([`Observer`]), and reads what it is like now ([`Explorer::read`]).

mod error;
mod json_error;
mod changes;
mod options;
mod explorer;
mod core;
pub mod servers;
pub mod settings;
pub mod catalogs;
pub mod baselines;
pub mod sessions;
pub mod auth;
pub mod skills;
pub mod operations;
pub mod apps;
pub mod completions;
pub mod resource_subscriptions;
pub mod task_list;
pub mod issues;
pub mod diagnosis;
pub mod saved_inputs;
pub mod presentations;
pub mod notices;
pub mod deletions;
mod drafts;
mod markdown;
mod files;
mod ring;
pub mod limits;
pub mod icons;

pub use changes::{Change, Observer};
pub use core::State;
pub use error::Error;
pub use explorer::Explorer;
pub use options::{DATA_LOCK, DemoProgram, Host, Options, SavePlace};
pub use ring::Ring;
pub use sonde_record::{clock, log};
use sonde_record::{document, text};

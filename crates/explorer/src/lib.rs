//! The use cases of Sonde: servers, connections, catalogs, operations, requests of servers, signing in, validation. The
//! crate knows neither Tauri nor the views of a window, so the whole app works and is tested without one.
//!
//! [`Explorer`] is the entry point. Its state is in `core.rs` behind one lock; each server of the list has a
//! [`Connection`]. An [`Observer`] receives change events, and [`Explorer::read`] reads the state.

mod changes;
mod options;
mod explorer;
mod core;
mod owner;
mod config_uses;
pub mod servers;
pub mod settings;
pub mod catalogs;
pub mod baselines;
pub mod sessions;
pub mod auth;
pub mod operations;
pub mod apps;
pub mod issues;
pub mod diagnosis;
pub mod checks;
pub mod saved_inputs;
pub mod presentations;
pub mod notices;
pub mod deletions;
mod drafts;
mod markdown;
mod files;
mod per_server;
pub mod limits;

pub use changes::{Change, Observer};
pub use core::State;
pub use explorer::Explorer;
pub use options::{DATA_LOCK, Host, Options, SavePlace};
pub use sonde_client::{
    Connection, DemoProgram, Error, Ring, blocking, completions, icons, lock,
    resource_subscriptions, skills, task_list,
};
use sonde_record::text;
pub use sonde_record::{clock, log};

//! The whole app without a window: real processes, real HTTP, real files.
//!
//! Needs the demo server and the scripted process beside the tests:
//! `cargo build -p sonde-demo -p sonde-tests --bins`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod demo;
mod apps;
mod catalogs;
mod definitions;
mod hosts;
mod messages;
mod prompts;
mod connection;
mod declaration;
mod request_rules;
mod server_requests;
mod health;
mod icons;
mod issues;
mod diagnosis;
mod checks;
mod foreign;
mod reported;
mod servers;
mod resumed_tasks;
mod history;
mod importing;
mod presentations;
mod resources;
mod skills;
mod load;

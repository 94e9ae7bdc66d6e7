//! One connection: real processes, real HTTP, and the messages about them.
//!
//! Needs the demo server and the scripted process beside the tests: `cargo build -p sonde-demo -p sonde-tests --bins`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod failures;
mod panel;
mod tasks;

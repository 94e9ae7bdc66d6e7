//! The built program against the demo server: its output on both streams, and each of its exit codes.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod support;
mod commands;
mod suites;

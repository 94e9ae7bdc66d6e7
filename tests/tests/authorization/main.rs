//! Signing in, seen from the window's side and from the server's: the whole engine against a
//! scripted authorization server and the MCP server that it guards.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod app;
mod sign_in;
mod identity;
mod refusals;
mod reported;
mod boundaries;
mod refresh;
mod keeping;
mod living;
mod races;
#[cfg(unix)]
mod crash;
mod leaks;
#[cfg(target_os = "linux")]
mod python_sdk;
#[cfg(target_os = "linux")]
mod typescript_sdk;

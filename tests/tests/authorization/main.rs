//! Signing in, seen by the user and by the server: connections to a server that a scripted authorization server guards.
//! The app's tests cover the list of servers and the window.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod listed;
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
mod typescript_sdk;

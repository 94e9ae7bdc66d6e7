//! Signing in, seen from the user's side and from the server's: connections to a server that is guarded by a scripted
//! authorization server. What concerns the list of servers or the window is tested with the app.
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
mod python_sdk;
#[cfg(target_os = "linux")]
mod typescript_sdk;

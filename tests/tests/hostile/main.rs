//! Peers that attack: the most that each can do, and the messages that the user reads.

#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

#[cfg(unix)]
mod launch;
mod presentation;
mod authorization_server;
mod sign_in_limits;
mod data_folder;
mod proxy_secret;
mod schemas;
mod contents;
mod server;

//! Peers that attack: what each can do at most, and what the user reads about it.

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

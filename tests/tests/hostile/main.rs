//! Peers that attack: what each can do at most, and what the user reads about it.

#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

#[path = "../authorization/app.rs"]
#[expect(dead_code, reason = "the tests of signing in need more of it")]
mod app;
#[path = "../explorer/window.rs"]
#[expect(dead_code, reason = "the tests of the whole app need more of it")]
mod window;

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

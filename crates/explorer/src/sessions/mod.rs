//! Connections: each is one task that opens a transport and a session, follows what it reports,
//! and says in plain words why it failed or ended.

mod state;
mod steps;
mod streams;
mod stats;
mod connection;
mod server_requests;
mod connect_tap;
mod link;
mod introduction;
mod attempts;
mod plan;
mod connect;
mod event_loop;
mod exit;
mod failure;
mod commands;
mod panel;

pub(crate) use self::{connection::Connection, server_requests::ServerRequests, state::Session};

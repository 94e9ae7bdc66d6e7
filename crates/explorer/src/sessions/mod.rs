//! Connections: each is one task that opens a transport and a session, follows what it reports,
//! and says in plain words why it failed or ended.

mod state;
mod steps;
mod tools;
mod watch;
mod link;
mod connect;
mod follow;
mod exit;
mod failure;
mod commands;

pub(crate) use self::{state::Session, tools::ToolBook};

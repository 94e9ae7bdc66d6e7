//! Options of a connection.

use std::sync::Arc;

use sonde_mcp::LogLevel;

use crate::{
    changes::Owner,
    config::{ServerConfig, ServerId},
    services::Services,
};

/// Options to make a [`Connection`](crate::Connection) with.
pub struct ConnectionOptions {
    /// Names the server in its log, in its runs and in the secret store.
    pub server: ServerId,
    /// Configuration of the server.
    pub config: ServerConfig,
    /// The least severe log messages that the server is asked for; `None` leaves it to the server.
    pub log_level: Option<LogLevel>,
    /// The rules whose findings do not count.
    pub muted: Vec<String>,
    /// A user is present who can sign in.
    pub with_user: bool,
    /// Receives the events.
    pub owner: Arc<dyn Owner>,
    /// Resources that it shares with other connections.
    pub services: Arc<Services>,
}

impl ConnectionOptions {
    /// A connection without a user or an owner, to a server of this name.
    pub fn new(server: impl Into<ServerId>, config: ServerConfig, services: Arc<Services>) -> Self {
        Self {
            server: server.into(),
            config,
            log_level: None,
            muted: Vec::new(),
            with_user: false,
            owner: Arc::new(()),
            services,
        }
    }
}

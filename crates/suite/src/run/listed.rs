//! Servers of the app's list.

use std::{fmt, sync::Arc};

use sonde_client::{
    Services,
    config::{LogLevel, RequestRules, ServerConfig, Transport},
};

use crate::{
    format::Client,
    servers::{Server, ServerPlan, apply},
    variables::Variables,
};

/// A server of the app's list, which may be connected to.
#[derive(Clone)]
pub struct ListedServer {
    /// Its id, under which its secrets and its sign-in are stored.
    pub id: String,
    /// Its configuration.
    pub config: ServerConfig,
    /// Least severe log messages to ask for, where the suite does not say so.
    pub log_level: Option<LogLevel>,
    /// Services with its secrets and sign-in.
    pub services: Arc<Services>,
}

impl fmt::Debug for ListedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListedServer").field(&self.id).finish()
    }
}

/// Finds a server of the app's list by its name. A server that cannot be used is a sentence that says why.
pub type ListedLookup = Arc<dyn Fn(&str) -> Result<ListedServer, String> + Send + Sync>;

/// A server that replaces the one of suites.
#[derive(Clone, Debug)]
pub enum Replacement {
    /// As a suite would describe it.
    Described(Box<Server>),
    /// One of the app's list.
    Listed(Box<ListedServer>),
}

impl ListedServer {
    /// Makes the configuration for a suite. Requests of the server are answered by the suite alone.
    pub(super) fn plan(
        &self,
        transport: Option<&str>,
        client: &Client,
        variables: &Variables,
    ) -> Result<ServerPlan, String> {
        let mut config = self.config.clone();
        let has = match &config.transport {
            Transport::Stdio { .. } | Transport::Demo { http: false } => "stdio",
            Transport::Http { .. } | Transport::Demo { http: true } => "http",
        };
        if let Some(other) = transport.filter(|transport| *transport != has) {
            return Err(format!(
                "The server `{}` has no transport {other}.",
                config.name
            ));
        }
        apply(client, variables, &mut config)?;
        config.request_rules = RequestRules::default();
        Ok(ServerPlan::new(config))
    }
}

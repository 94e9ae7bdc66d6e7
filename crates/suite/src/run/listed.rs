//! Servers that no suite and no servers file describes: of the app's list, of a client's file, of the command line.

use std::{fmt, sync::Arc};

use sonde_client::{
    Services,
    config::{LogLevel, RequestRules, ServerConfig, Transport},
};

use crate::{
    format::Client,
    servers::{ServerPlan, apply},
    variables::Variables,
};

/// A server that may be connected to.
#[derive(Clone)]
pub struct ListedServer {
    /// Its id, under which its secrets and its sign-in are stored.
    pub id: String,
    /// Its configuration.
    pub config: ServerConfig,
    /// Least severe log messages to ask for, if the suite does not choose.
    pub log_level: Option<LogLevel>,
    /// Services with its secrets and sign-in.
    pub services: Arc<Services>,
}

impl fmt::Debug for ListedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListedServer").field(&self.id).finish()
    }
}

/// Finds a server by its name. For a server that cannot be used, the error is a sentence with the reason.
pub type ListedLookup = Arc<dyn Fn(&str) -> Result<ListedServer, String> + Send + Sync>;

impl ListedServer {
    /// Returns the plan for a suite, in which only the suite answers requests of the server.
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

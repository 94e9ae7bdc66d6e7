//! Servers that a command can name: of a file, of the app's list, by URL, or by a command.

mod env_file;
mod placeholders;
mod server;
mod sources;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sonde_explorer::servers::{ProtocolMode, RootFolder};
use sonde_suite::run::ListedServer;

use self::{
    server::is_url,
    sources::{in_file, nearest},
};
pub(crate) use self::{
    server::{Server, fresh_services, stored},
    sources::{NamedServers, SERVERS_FILE, all, listed, listed_in, read_servers, servers_file},
};
use crate::{
    exit::{Failed, Result},
    units::duration,
};

/// Options that name a server and say how to reach it.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerArgs {
    /// File with servers: sonde.servers.yaml, or the mcp.json of any client
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address of the server, in place of its name
    #[arg(long, conflicts_with = "config")]
    url: Option<String>,
    /// Header for an address; ${NAME} is taken from the environment
    #[arg(long, short = 'H', value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// Command of the server with its arguments, in place of its name
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["url", "config"])]
    command: Vec<String>,
    /// Protocol version, or `handshake` or `stateless`
    #[arg(long, value_name = "VERSION")]
    pub(crate) revision: Option<String>,
    /// Folder that the server may work in (root); can be repeated
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Vec<PathBuf>,
    /// Longest time for all of it, for example 30s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Save every message to a file, as the window's wire log does
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

impl ServerArgs {
    /// True if the words of the command begin with the name of a server.
    pub(crate) fn is_named(&self) -> bool {
        self.url.is_none() && self.command.is_empty()
    }

    /// Finds the server, and returns it with the other words of the command.
    pub(crate) fn resolve(&self, words: &[String]) -> Result<(Server, Vec<String>)> {
        if !self.is_named() {
            return Ok((self.unnamed()?, words.to_vec()));
        }
        let Some((name, rest)) = words.split_first() else {
            return Err(Failed::usage(
                "Name a server, or give its address with --url or its command after --.",
            ));
        };
        Ok((self.named(name)?, rest.to_vec()))
    }

    /// Finds the server that is named by the only word.
    pub(crate) fn only(&self, words: &[String]) -> Result<Server> {
        let (server, rest) = self.resolve(words)?;
        match rest.first() {
            Some(word) => Err(Failed::usage(format!("`{word}` is one word too many."))),
            None => Ok(server),
        }
    }

    /// Finds the server with this name.
    pub(crate) fn named(&self, name: &str) -> Result<Server> {
        let no_address = |failed: Failed| {
            let advice = "An address begins with http://, https://, ws:// or wss://.";
            failed.more(name.contains(':').then(|| advice.to_owned()))
        };
        let server = if is_url(name) {
            Server::at(name, &self.header)?
        } else if !self.header.is_empty() {
            return Err(header_without_address());
        } else if let Some(file) = &self.config {
            in_file(file, name).map_err(no_address)?
        } else {
            nearest(Path::new("."), name).map_err(no_address)?
        };
        self.adjust(server)
    }

    /// The server of `--url` or of the command.
    fn unnamed(&self) -> Result<Server> {
        let server = match &self.url {
            Some(url) => Server::at(url, &self.header)?,
            None if !self.header.is_empty() => return Err(header_without_address()),
            None => Server::started(&self.command)?,
        };
        self.adjust(server)
    }

    /// Returns the server of `--url` or of the command, to replace the servers of suites.
    pub(crate) async fn replacement(&self) -> Result<Option<ListedServer>> {
        if self.is_named() && self.header.is_empty() {
            return Ok(None);
        }
        // The time limit is for the whole run.
        let requests = Self {
            timeout: None,
            ..self.clone()
        };
        Ok(Some(requests.unnamed()?.into_listed().await))
    }

    /// Applies the options that hold for any server.
    fn adjust(&self, mut server: Server) -> Result<Server> {
        let config = &mut server.entry.config;
        if let Some(revision) = &self.revision {
            config.protocol = protocol(revision)?;
        }
        for root in &self.root {
            let folder = std::path::absolute(root)
                .ok()
                .and_then(|path| path.into_os_string().into_string().ok());
            let folder = folder.ok_or_else(|| {
                Failed::usage(format!("The folder {} cannot be used.", root.display()))
            })?;
            config.roots.push(RootFolder { folder, name: None });
        }
        if let Some(timeout) = self.timeout {
            let seconds = u32::try_from(timeout.as_secs() + 1).unwrap_or(u32::MAX);
            config.idle_seconds = Some(seconds);
            config.hard_seconds = Some(seconds);
        }
        Ok(server)
    }
}

fn header_without_address() -> Failed {
    Failed::usage("A header belongs to an address: give it with --url or in place of the name.")
}

/// Reads a protocol version.
pub(crate) fn protocol(revision: &str) -> Result<ProtocolMode> {
    Ok(match revision {
        "auto" => ProtocolMode::Automatic,
        // Suites call them so.
        "handshake" | "legacy" => ProtocolMode::Handshake,
        "stateless" | "modern" => ProtocolMode::Stateless,
        name => {
            let known = sonde_mcp::Revision::ALL;
            match known.iter().find(|one| one.as_str() == name) {
                Some(revision) => (*revision).into(),
                None => {
                    let names: Vec<_> = known.iter().map(|one| one.as_str()).collect();
                    return Err(Failed::usage(format!(
                        "`{name}` is not a protocol version. Known are {}, auto, handshake and stateless.",
                        names.join(", ")
                    )));
                }
            }
        }
    })
}

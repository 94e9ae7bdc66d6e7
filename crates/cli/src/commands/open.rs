//! `sonde open`: shows a server in Sonde's window.

use std::{env, process::Command};

use sonde_explorer::servers::Transport;

use crate::{
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
};

/// Start Sonde's window, with a server to add if one is named
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde open\n       sonde open [OPTIONS] SERVER\n       sonde open -- COMMAND...",
    after_help = "\
The window shows the server and asks before it adds or starts anything. Secrets do not travel with it.

Examples:
  sonde open
  sonde open https://example.com/mcp
  sonde open -- node my-server.js"
)]
pub(crate) struct Open {
    /// Server
    #[arg(value_name = "SERVER")]
    words: Vec<String>,
    /// Print the link in place of opening it
    #[arg(long)]
    link: bool,
    #[command(flatten)]
    server: ServerArgs,
}

impl Open {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut link = None;
        if !(self.words.is_empty() && self.server.is_named()) {
            let (server, _) = self.server.resolve(&self.words)?;
            let config = &server.entry.config;
            if !server.hidden.is_empty() {
                return Err(Failed::usage(
                    "The link would show the value from the environment that is in the address. Add the server in the \
                     window.",
                ));
            }
            // The window has the servers of its list already.
            if !server.in_app {
                link = Some(address(&config.name, &config.transport)?);
            }
        }
        if self.link {
            crate::console::print_text(link.as_deref().unwrap_or("sonde://"));
            return Ok(Exit::Success);
        }
        let name = format!("sonde-desktop{}", env::consts::EXE_SUFFIX);
        let beside = env::current_exe().ok().map(|own| own.with_file_name(&name));
        let program = beside
            .filter(|path| path.exists())
            .unwrap_or_else(|| name.into());
        #[expect(
            clippy::disallowed_methods,
            reason = "the window outlives this program"
        )]
        let started = Command::new(&program).args(link).spawn();
        started.map_err(|error| {
            Failed::incomplete("Sonde's window could not be started.")
                .more([format!("{}: {error}", program.display())])
        })?;
        Ok(Exit::Success)
    }
}

/// The link that offers a server to the window, without secrets.
fn address(name: &str, transport: &Transport) -> Result<String> {
    let config = match transport {
        Transport::Stdio { command, args, .. } => {
            serde_json::json!({ "command": command, "args": args })
        }
        Transport::Http { url, .. } => serde_json::json!({ "url": url }),
        Transport::Demo { .. } => {
            return Err(Failed::usage(
                "The demo server is in the window's list already.",
            ));
        }
    };
    let mut link =
        url::Url::parse("sonde://add").map_err(|error| Failed::incomplete(error.to_string()))?;
    link.query_pairs_mut()
        .append_pair("name", name)
        .append_pair("config", &config.to_string());
    Ok(link.into())
}

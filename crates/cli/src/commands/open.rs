//! `sonde open`: shows a server in Sonde's window.

use std::{env, process::Command};

use sonde_explorer::servers::{Transport, link_of};

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
            let (mut server, _) = self.server.resolve(&self.words)?;
            let config = &mut server.entry.config;
            if !server.hidden.is_empty() {
                return Err(Failed::usage(
                    "The link would show the value from the environment that is in the address. Add the server in the \
                     window.",
                ));
            }
            // The window has the servers of its list already.
            if !server.in_app {
                // The window runs in another folder.
                if let Transport::Stdio { cwd: Some(cwd), .. } = &mut config.transport
                    && !cwd.starts_with('~')
                    && let Ok(absolute) = std::path::absolute(&cwd)
                {
                    *cwd = absolute.display().to_string();
                }
                link = Some(link_of(config).map_err(Failed::usage)?);
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

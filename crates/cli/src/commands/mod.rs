//! The commands, one file each.

mod call;
mod check;
mod completions;
mod diff;
mod doctor;
mod get;
mod list;
mod load;
mod open;
mod read;
mod schema;
mod secret;
mod snapshot;
mod test;

use clap::{Parser, Subcommand};

use crate::{
    Context,
    exit::{Exit, Result},
};

/// Call, list, check, test and diagnose MCP servers from the command line
#[derive(Debug, Parser)]
#[command(
    name = "sonde",
    version,
    disable_help_subcommand = true,
    after_help = "\
Where the server comes from:
  sonde list everything                     A server of Sonde's list
  sonde list shop                           A server of sonde.servers.yaml, here or above
  sonde list shop --config mcp.json         A server of any client's file
  sonde list https://example.com/mcp        An address
  sonde list -- npx -y my-server            A command

Examples:
  sonde call everything echo message=hi     Run a tool
  sonde test --junit sonde.xml              Run the suites of this folder
  sonde check everything --hosts claude     Judge its lists; exit code 1 on errors
  sonde doctor everything                   Find out why it does not connect

Results go to standard output, everything else to standard error."
)]
pub(crate) struct Sonde {
    /// Leave out progress and what the server logs
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Test(test::Test),
    Call(call::Call),
    List(list::List),
    Read(read::Read),
    Get(get::Get),
    Check(check::Check),
    Doctor(doctor::Doctor),
    Snapshot(snapshot::Snapshot),
    Diff(diff::Diff),
    Load(load::Load),
    Schema(schema::Schema),
    Secret(secret::Secret),
    Open(open::Open),
    Completions(completions::Completions),
    Man(completions::Man),
}

impl Command {
    /// One thread, since each step waits for the one before and handing it over takes longer than the step; several for
    /// many sessions at once.
    pub(crate) fn runtime(&self) -> tokio::runtime::Builder {
        match self {
            Self::Load(_) => tokio::runtime::Builder::new_multi_thread(),
            _ => tokio::runtime::Builder::new_current_thread(),
        }
    }

    pub(crate) async fn run(self, context: &Context) -> Result<Exit> {
        match self {
            Self::Test(command) => command.run(context).await,
            Self::Call(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Read(command) => command.run(context).await,
            Self::Get(command) => command.run(context).await,
            Self::Check(command) => command.run(context).await,
            Self::Doctor(command) => command.run(context).await,
            Self::Snapshot(command) => command.run(context).await,
            Self::Diff(command) => command.run(context).await,
            Self::Load(command) => command.run(context).await,
            Self::Schema(command) => Ok(command.run()),
            Self::Secret(command) => command.run(context).await,
            Self::Open(command) => command.run(),
            Self::Completions(command) => Ok(command.run()),
            Self::Man(command) => command.run(),
        }
    }
}

/// Adds the table of exit codes to the help of the program and of each command.
pub(crate) fn with_exit_codes(command: clap::Command) -> clap::Command {
    let after = command.get_after_help().map(ToString::to_string);
    let after = after.map(|after| format!("{after}\n\n{}", Exit::help()));
    let names: Vec<_> = command
        .get_subcommands()
        .map(|one| one.get_name().to_owned())
        .collect();
    let command = match after {
        Some(after) => command.after_long_help(after),
        None => command.after_long_help(Exit::help()),
    };
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, with_exit_codes)
    })
}

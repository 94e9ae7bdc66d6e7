//! The client that the official conformance suite judges.
//!
//! A thin adapter over the engine that the app uses: it opens the same sessions and does what a
//! user would click. It knows the scenarios by name and nothing of the protocol.
//!
//! The suite starts it with the server's address as the last argument and tells the rest in
//! `MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION` and `MCP_CONFORMANCE_CONTEXT`.
//! With `SONDE_CONFORMANCE_AUTOMATIC` the session finds out by itself what the server speaks.
//! The exit code is 0 when everything went as a user would expect; otherwise the last line of
//! standard error says what did not.

mod desk;
mod form;
mod scenarios;
mod sign_in;
mod skills;
mod transcript;

use std::{env, process::ExitCode, time::Duration};

use anyhow::{Context, Result, bail};
use sonde_mcp::Revision;

/// The suite's own limit is 30 seconds, and ends only the shell between it and this program.
const LIMIT: Duration = Duration::from_secs(25);

/// What the suite asks for.
pub(crate) struct Task {
    pub(crate) url: String,
    pub(crate) scenario: String,
    pub(crate) revision: Revision,
    /// Find out what the server speaks, whatever the revision.
    pub(crate) automatic: bool,
    /// JSON with what the scenario needs to know.
    pub(crate) context: Option<String>,
}

impl Task {
    fn read() -> Result<Task> {
        let url = env::args().next_back().context("no address")?;
        let scenario = env::var("MCP_CONFORMANCE_SCENARIO").context("no scenario")?;
        let name = env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").context("no revision")?;
        let Some(revision) = Revision::parse(&name) else {
            bail!("the revision {name} is not known");
        };
        Ok(Task {
            url,
            scenario,
            revision,
            automatic: env::var_os("SONDE_CONFORMANCE_AUTOMATIC").is_some(),
            context: env::var("MCP_CONFORMANCE_CONTEXT").ok(),
        })
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => {
            eprintln!("done");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let task = Task::read()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        tokio::time::timeout(LIMIT, scenarios::play(&task))
            .await
            .unwrap_or_else(|_| bail!("not done after {} s", LIMIT.as_secs()))
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

//! The client that the official conformance suite judges.
//!
//! It uses one connection of the app, and plays its user. It knows the scenarios by name, but nothing of the protocol.
//!
//! The suite starts it with the server's address as the last argument and passes the other data in
//! `MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION` and `MCP_CONFORMANCE_CONTEXT`. With
//! `SONDE_CONFORMANCE_AUTOMATIC` the client detects the server's protocol version and transport itself. The exit code
//! is 0 if everything went as a user would expect; otherwise the last line of standard error has the first problem. The
//! client must find exactly the faults of a scenario's server: a line that begins with `wrong findings` reports
//! differences, whatever the exit code may be.

mod scenarios;
mod user;
mod form;
mod server;
mod browser;
mod skills;
mod transcript;
mod violations;

use std::{env, process::ExitCode, time::Duration};

use anyhow::{Context, Error, Result, bail};
use sonde_client::Connection;
use tokio::time;

/// The suite's own limit is 170 seconds, and ends only the shell between it and this program.
const LIMIT: Duration = Duration::from_secs(150);
/// Time limit for an orderly end.
const END: Duration = Duration::from_secs(3);

/// Task given by the suite.
pub(crate) struct Task {
    pub(crate) url: String,
    pub(crate) scenario: String,
    pub(crate) revision: String,
    /// Detect the server's protocol version, whatever the suite names.
    pub(crate) automatic: bool,
    /// JSON with further data of the scenario.
    pub(crate) context: Option<String>,
}

impl Task {
    fn read() -> Result<Task> {
        Ok(Task {
            url: env::args().next_back().context("no address")?,
            scenario: env::var("MCP_CONFORMANCE_SCENARIO").context("no scenario")?,
            revision: env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").context("no revision")?,
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
    let done = runtime.block_on(play(&task));
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Plays the scenario, and prints the wire log.
async fn play(task: &Task) -> Result<()> {
    let connection = server::connection(task).await?;
    let browser = tokio::spawn(browser::sign_in(connection.clone()));
    let played = time::timeout(LIMIT, scenarios::play(connection.clone(), task))
        .await
        .unwrap_or_else(|_| bail!("not done after {} s", LIMIT.as_secs()));
    transcript::write(&connection)?;
    let played = match played {
        Err(error) if task.scenario.starts_with("auth/") => Err(reason(&connection, error).await),
        played => played,
    };
    if let Err(error) = violations::check(&connection, task, &played).await {
        eprintln!("wrong findings: {error:#}");
    }
    if time::timeout(END, connection.close()).await.is_err() {
        eprintln!("! the connection did not end in {} s", END.as_secs());
    }
    browser.abort();
    played
}

/// Adds the reason of a failed sign-in to the error. It may be known a little later than the failure itself.
async fn reason(connection: &Connection, error: Error) -> Error {
    let problem = connection.wait_for(|state| state.auth.as_ref()?.problem.clone());
    match time::timeout(END, problem).await {
        Ok(problem) => error.context(format!("(sign_in_{}) {problem}", problem.code)),
        Err(_) => error,
    }
}

//! `sonde-demo`: the MCP server that ships with Sonde.
//!
//! It plays a small lighthouse, Gull Rock, whose story shows everything that the protocol can do without further
//! explanation. It speaks over stdio, or over Streamable HTTP on the loopback address; it opens no file and no other
//! network connection.

mod call;
mod cli;
mod completion;
mod handshake_tasks;
mod http;
mod media;
mod prompts;
mod resources;
mod skills;
mod server;
mod sessions;
mod state;
mod stdio;
mod tools;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use tokio_util::sync::CancellationToken;

use crate::cli::Options;
use crate::state::State;

fn main() -> ExitCode {
    let options = Options::parse();
    // One thread serves everything: the work is tiny, and messages are sent in the order in which they were written.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let closing = CancellationToken::new();
    let state = Arc::new(State::new(options.generated, closing.clone()));
    let ended = runtime.block_on(async {
        let serve = async {
            if options.http {
                http::serve(state, options.port, !options.stateless).await
            } else {
                stdio::serve(state).await
            }
        };
        tokio::select! {
            ended = serve => ended,
            ended = terminated(closing) => ended,
        }
    });
    // A read of stdin that is still pending must not keep the process alive.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &std::io::Error) -> ExitCode {
    eprintln!("sonde-demo: {error}");
    ExitCode::FAILURE
}

/// Starts a graceful end when the system asks for it, and does not complete before the grace period is over.
async fn terminated(closing: CancellationToken) -> std::io::Result<()> {
    stop_signal().await?;
    closing.cancel();
    tokio::time::sleep(GRACE).await;
    Ok(())
}

/// Limit for running calls to respond after a request to stop.
const GRACE: std::time::Duration = std::time::Duration::from_secs(3);

#[cfg(unix)]
async fn stop_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn stop_signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

//! `sonde-demo`: the MCP server that ships with Sonde.
//!
//! It plays a small lighthouse, Gull Rock, so that everything the protocol can do is shown by a
//! story that needs no explanation. It speaks over stdio, or over Streamable HTTP on the loopback
//! address; it opens no file and reaches no network beyond that.

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
mod station;
mod stdio;
mod tools;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::cli::{Command, Listen};
use crate::station::Station;

fn main() -> ExitCode {
    let options = match cli::parse(std::env::args().skip(1)) {
        Ok(Command::Serve(options)) => options,
        Ok(Command::Print(text)) => {
            return match writeln!(std::io::stdout(), "{text}") {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            };
        }
        Err(message) => {
            eprintln!("sonde-demo: {message}\n\n{}", cli::USAGE);
            return ExitCode::from(2);
        }
    };
    // One thread serves everything: the work is tiny, and messages leave in the order in which
    // they were written.
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("sonde-demo: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let closing = CancellationToken::new();
    let station = Arc::new(Station::new(options.generated, closing.clone()));
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = async {
                match options.listen {
                    Listen::Stdio => stdio::serve(station).await,
                    Listen::Http { port, sessions } => http::serve(station, port, sessions).await,
                }
            } => ended,
            ended = terminated(closing) => ended,
        }
    });
    // A read of stdin that is still pending must not keep the process alive.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sonde-demo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Starts a graceful end when the system asks for it, and never completes before the grace is over.
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

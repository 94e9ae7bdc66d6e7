//! A client in a process that can be killed at every step of a refresh.
//!
//! `refresh-victim <folder> <secrets> <address> [point]`: `secrets` is `files:<folder>` or `keyring:<service>`,
//! `folder` has the index of stored credentials. It connects, prints events on standard output, one line each, and
//! obeys `refresh`, `sign-out` and `call` on standard input. From the first two on it prints every step of the secret
//! store as `point <n> <name>`; at the point named in the arguments everything stops, until the process is killed.

mod stops;

use std::{
    io::{BufRead as _, Write as _},
    path::Path,
    sync::Arc,
};

use anyhow::{Context as _, Result, bail};
use sonde_auth::{Keyring, SecretStore};
use sonde_client::{
    Connection, ConnectionOptions, Error, State,
    catalogs::CatalogKind,
    operations::{OperationInput, OperationOutcome, OperationState},
    sessions::{ConnectInput, SessionPhase},
};
use sonde_tests::{
    client::{handshake, http},
    guarded::{FIRST, services},
    secret_files::SecretFiles,
};
use tokio::sync::mpsc;

use stops::Stops;

/// Sends a line to the test.
fn tell(text: &str) {
    let mut out = std::io::stdout().lock();
    // A test that no longer reads kills this process next.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(run())?;
    runtime.shutdown_background();
    Ok(())
}

async fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().context("no folder")?;
    let secrets = args.next().context("no secrets")?;
    let address = args.next().context("no address")?;
    let point = args.next().map(|point| point.parse()).transpose()?;
    let inner: Box<dyn SecretStore> = match secrets.split_once(':') {
        Some(("files", folder)) => Box::new(SecretFiles::new(folder)),
        Some(("keyring", service)) => Box::new(Keyring::for_service(service)),
        _ => bail!("no such secrets: {secrets}"),
    };
    let stops = Arc::new(Stops::new(inner, point));
    let services = services(Path::new(&folder), stops.clone());
    let connection = Connection::new(ConnectionOptions {
        with_user: true,
        ..ConnectionOptions::new(FIRST, handshake(http(address)), services)
    });
    tokio::spawn(follow(connection.clone()));
    connection.connect(ConnectInput::default())?;

    let (sender, mut orders) = mpsc::channel(4);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    while let Some(order) = orders.recv().await {
        if let Err(error) = obey(&connection, &stops, &order).await {
            tell(&format!("refused {error}"));
        }
    }
    connection.close().await;
    Ok(())
}

async fn obey(connection: &Connection, stops: &Stops, order: &str) -> Result<(), Error> {
    match order {
        "refresh" => {
            stops.arm();
            connection.refresh_token().await?;
            tell("refreshed");
        }
        "sign-out" => {
            stops.arm();
            connection.sign_out().await?;
            tell("signed out");
        }
        "call" => {
            let call = OperationInput::tool("read", Some("{}".to_owned()));
            connection.start_operation(call).await?;
        }
        other => tell(&format!("refused no such order: {other}")),
    }
    Ok(())
}

/// Prints events, each once.
async fn follow(connection: Connection) {
    let mut told = Vec::new();
    let mut changes = connection.changes();
    loop {
        let lines = connection.read(lines);
        for line in lines.iter().filter(|line| !told.contains(*line)) {
            tell(line);
        }
        told = lines;
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Returns all lines about a state.
fn lines(state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    let tools = state.catalogs.get(CatalogKind::Tools);
    if tools.is_some_and(|tools| !tools.listed.keys.is_empty()) {
        lines.push("ready".to_owned());
    }
    if state.session.phase == SessionPhase::Failed {
        let failure = state.session.failure.as_ref();
        let title = failure.map(|failure| &*failure.title);
        lines.push(format!("failed {}", title.unwrap_or_default()));
    }
    if let Some(prompt) = state.auth.as_ref().and_then(|auth| auth.prompt.as_ref()) {
        lines.push(format!("prompt {}", prompt.reason));
    }
    for call in state.operations.iter() {
        if call.state == OperationState::Finished {
            lines.push(match &call.outcome {
                Some(OperationOutcome::Result { .. }) => "called".to_owned(),
                other => format!("call failed {other:?}"),
            });
        }
    }
    lines
}

//! The engine in a process that can be killed at every step of a refresh.
//!
//! `refresh-victim <data folder> <secrets> <server> [point]`: `secrets` is `files:<folder>` or
//! `keyring:<service>`. It connects, tells on standard output what happens, one line each, and obeys
//! `refresh`, `sign-out` and `call` on standard input. From the first two on every step of the secret
//! store is told, as `point <n> <name>`; at the point that was named in the arguments everything
//! stops, until the process is killed.

mod stops;

use std::{
    io::{BufRead as _, Write as _},
    sync::{Arc, Mutex},
};

use anyhow::{Context as _, Result, bail};
use sonde_auth::{Keyring, SecretStore};
use sonde_headless::{Error, Headless, Options};
use sonde_ipc::{Batch, CatalogKind, OperationOutcome, OperationState, SessionPhase, UiEvent};
use sonde_tests::secret_files::SecretFiles;
use tokio::sync::mpsc;

use stops::Stops;

/// Tells the test something.
fn tell(text: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever does not listen any more kills this process next.
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
    let folder = args.next().context("no data folder")?;
    let secrets = args.next().context("no secrets")?;
    let server = args.next().context("no server")?;
    let point = args.next().map(|point| point.parse()).transpose()?;
    let inner: Box<dyn SecretStore> = match secrets.split_once(':') {
        Some(("files", folder)) => Box::new(SecretFiles::new(folder)),
        Some(("keyring", service)) => Box::new(Keyring::for_service(service)),
        _ => bail!("no such secrets: {secrets}"),
    };
    let stops = Arc::new(Stops::new(inner, point));
    let told = Mutex::new(String::new());
    let options = Options::new(folder)
        .secrets(stops.clone())
        .observer(move |batch| {
            if let Ok(mut told) = told.lock() {
                follow(batch, &mut told);
            }
        });
    let app = Headless::open(options).await?;
    app.connect(&server).await?;

    let (sender, mut orders) = mpsc::channel(4);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    while let Some(order) = orders.recv().await {
        if let Err(error) = obey(&app, &stops, &server, &order).await {
            tell(&format!("refused {error}"));
        }
    }
    app.shutdown().await;
    Ok(())
}

async fn obey(app: &Headless, stops: &Stops, server: &str, order: &str) -> Result<(), Error> {
    match order {
        "refresh" => {
            stops.arm();
            app.backend().refresh_token(server.to_owned()).await?;
            tell("refreshed");
        }
        "sign-out" => {
            stops.arm();
            app.backend().sign_out(server.to_owned()).await?;
            tell("signed out");
        }
        "call" => {
            app.start_tool(server, "read", Some("{}")).await?;
        }
        other => tell(&format!("refused no such order: {other}")),
    }
    Ok(())
}

/// Tells what a window would show, each thing once.
fn follow(batch: &Batch, told: &mut String) {
    let Batch::Events { events, .. } = batch else {
        return;
    };
    for event in events {
        let line = match event {
            UiEvent::Catalog(catalog)
                if catalog.kind == CatalogKind::Tools && catalog.count > 0 =>
            {
                "ready".to_owned()
            }
            UiEvent::Session(session) if session.phase == SessionPhase::Failed => {
                let failure = session.failure.as_ref().map(|failure| &*failure.title);
                format!("failed {}", failure.unwrap_or_default())
            }
            UiEvent::Auth(auth) => match &auth.prompt {
                Some(prompt) => format!("prompt {}", prompt.reason),
                None => continue,
            },
            UiEvent::Operation(call) if call.state == OperationState::Finished => {
                match &call.outcome {
                    Some(OperationOutcome::Result { .. }) => "called".to_owned(),
                    other => format!("call failed {other:?}"),
                }
            }
            _ => continue,
        };
        if line != *told {
            tell(&line);
            *told = line;
        }
    }
}

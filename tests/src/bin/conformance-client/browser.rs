//! The user's browser: it opens each address that the app shows and goes where that leads, which is
//! back to the app.

use std::sync::Arc;

use anyhow::{Context, Result};
use reqwest::Url;
use sonde_headless::{Error, Headless};
use sonde_wire::http::Network;
use tokio::sync::mpsc;

/// Signs in whenever the user has to, until the app ends.
pub(crate) async fn sign_in(
    app: Arc<Headless>,
    server: String,
    mut opened: mpsc::Receiver<String>,
) {
    let mut last = 0;
    tokio::spawn(confirm(Arc::clone(&app), server.clone()));
    loop {
        let prompt = match app.prompt(&server, last).await {
            Ok(prompt) => prompt,
            // Nobody has asked yet.
            Err(Error::TimedOut { .. }) => continue,
            Err(_) => return,
        };
        last = prompt.attempt;
        let visited = async {
            app.open_prompt(&server, &prompt).await?;
            visit(&opened.recv().await.context("no browser")?).await
        };
        if let Err(error) = visited.await {
            eprintln!("! nobody could sign in: {error:#}");
            // It may be over already.
            let _ = app.backend().cancel_sign_in(server.clone()).await;
        }
    }
}

/// Trusts the authorization server that the suite plays.
async fn confirm(app: Arc<Headless>, server: String) {
    loop {
        let asked = match app.confirmation(&server).await {
            Ok(asked) => asked,
            Err(Error::TimedOut { .. }) => continue,
            Err(_) => return,
        };
        let confirmed = app.backend().confirm_issuer(server.clone(), asked.attempt);
        // It may be over already.
        let _ = confirmed.await;
        let gone = app.wait_for("the end of the confirmation", |state| {
            let waits = &state.auth.get(&server)?.confirmation;
            (waits.as_ref() != Some(&asked)).then_some(())
        });
        if gone.await.is_err() {
            return;
        }
    }
}

async fn visit(address: &str) -> Result<()> {
    let browser = Network::default().client(&Url::parse(address)?)?.build()?;
    let page = browser.get(address).send().await?;
    eprintln!(
        "# the browser ends at {}: {}",
        page.url().path(),
        page.status()
    );
    Ok(())
}

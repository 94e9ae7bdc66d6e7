//! The user's browser: it opens each address and follows its redirects, which lead back to the client.

use anyhow::Result;
use reqwest::Url;
use sonde_client::Connection;
use sonde_wire::http::Network;

/// Signs in whenever the user has to, until the program ends.
pub(crate) async fn sign_in(connection: Connection) {
    tokio::join!(visit_prompts(&connection), confirm_issuers(&connection));
}

async fn visit_prompts(connection: &Connection) {
    let mut last = 0;
    loop {
        last = connection.wait_for_prompt(last).await.attempt;
        let visited = async { visit(&connection.open_prompt(last)?).await };
        if let Err(error) = visited.await {
            eprintln!("! nobody could sign in: {error:#}");
            // The sign-in may be over already.
            let _ = connection.cancel_sign_in().await;
        }
    }
}

/// Trusts the authorization server of the suite.
async fn confirm_issuers(connection: &Connection) {
    let mut last = None;
    loop {
        let asked = connection
            .wait_for(|state| {
                let asked = state.auth.as_ref()?.confirmation.as_ref()?;
                (last.as_ref() != Some(asked)).then(|| asked.clone())
            })
            .await;
        // The sign-in may be over already.
        let _ = connection.confirm_issuer(asked.attempt).await;
        last = Some(asked);
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

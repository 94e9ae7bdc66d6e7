//! Shared setup of the sign-in tests: a protected server, the app in its window, and the browser.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    auth_peer::{
        AuthPeer,
        browser::{self, Page},
    },
    opener::Opener,
    steps::*,
    window::{Start, Window},
};
use tempfile::TempDir;
use tokio::time::{Duration, sleep, timeout};

use crate::leaks::Canary;

/// A protected server, the app in its window, and the browser.
pub(crate) struct Stage {
    pub(crate) server: AuthPeer,
    pub(crate) opener: Opener,
    pub(crate) window: Window,
    pub(crate) data: TempDir,
    pub(crate) canary: Canary,
}

impl Stage {
    /// The server is in the list by its address alone and selected; nothing was connected yet.
    pub(crate) async fn set() -> Result<Self> {
        let server = AuthPeer::start().await;
        let canary = Canary::new(&server.canary());
        let opener = Opener::new()?;
        let data = tempfile::Builder::new().prefix("sonde-e2e-").tempdir()?;
        let window = start(&data, &opener).await?;
        import(&window, json!({ "protected": { "url": server.url() } })).await?;
        Ok(Self {
            server,
            opener,
            window,
            data,
            canary,
        })
    }

    /// Connected, after the user signed in.
    pub(crate) async fn signed_in() -> Result<Self> {
        let stage = Self::set().await?;
        stage.connect(1).await?;
        Ok(stage)
    }

    /// Connects and signs in. `number` counts what was opened.
    pub(crate) async fn connect(&self, number: usize) -> Result<()> {
        self.window.click("button", "Connect").await?;
        let address = self.open(number).await?;
        self.land(&address).await?;
        connected(&self.window).await
    }

    /// The whole address as the card shows it.
    pub(crate) async fn shown_address(&self) -> Result<String> {
        self.window.see("Sign in to protected").await?;
        let text = self.window.until("the whole address", ADDRESS).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Waits for the card, opens its address in the browser, and answers it. `number` counts what
    /// was opened.
    pub(crate) async fn open(&self, number: usize) -> Result<String> {
        self.shown_address().await?;
        self.window
            .click_native("button", "Open in browser")
            .await?;
        self.opener.wait_for(number).await
    }

    /// The user signs in, and the browser comes back to the app.
    pub(crate) async fn land(&self, address: &str) -> Result<()> {
        let page = browser::follow(address).await?;
        is_friendly(&page, &self.canary)
    }

    /// Runs the tool that takes a token of the first sign-in.
    pub(crate) async fn call(&self) -> Result<()> {
        let served = self.server.served().len();
        select_tool(&self.window, "read").await?;
        run(&self.window).await?;
        newest_run_is(&self.window, "Done").await?;
        ensure!(self.server.served().len() == served + 1);
        Ok(())
    }
}

/// Waits until the authorization server was told of the sign-out, and at most this number of refresh tokens is valid.
pub(crate) async fn revoked(server: &AuthPeer, left: usize) -> Result<()> {
    let waiting = async {
        while server.auth_server_requests_to("/revoke").is_empty()
            || server.valid_refresh_tokens() > left
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(*LIMIT, waiting)
        .await
        .context("nothing was revoked")
}

/// Starts the app with these data.
pub(crate) async fn start(data: &TempDir, opener: &Opener) -> Result<Window> {
    let start = Start {
        data: Some(data.path().to_owned()),
        env: opener.environment(),
        ..Start::default()
    };
    Window::start(start).await
}

/// The text of the address in the card.
const ADDRESS: &str = "
const place = document.querySelector('[aria-label=\"Sign-in URL\"] p');
return place && place.getBoundingClientRect().height > 0 ? place.innerText.trim() : null;";

/// The page at which the browser ends: Sonde's, for people, without the code of the sign-in.
pub(crate) fn is_friendly(page: &Page, canary: &Canary) -> Result<()> {
    ensure!(page.status == 200, "{} {}", page.status, page.body);
    let kind = page.header("Content-Type").unwrap_or_default();
    ensure!(kind.starts_with("text/html"), "{kind}");
    ensure!(page.body.contains("Sonde"), "{}", page.body);
    ensure!(
        !canary.is_in(page.body.as_bytes()),
        "the last page repeats the code"
    );
    Ok(())
}

/// Signs out, as the sign-in's own page offers it.
pub(crate) async fn sign_out(window: &Window) -> Result<()> {
    window.click("tab", "Authentication…").await?;
    window.click("button", "Sign out").await?;
    window
        .click_in(Some("Sign out?"), "button", "Sign out")
        .await?;
    window.find("button", "Signed out").await?;
    Ok(())
}

/// Counts the stored tokens: as listed by the backend, checked against the keyring from outside.
pub(crate) async fn token_entries(window: &Window, canary: &Canary) -> Result<usize> {
    let listed = window
        .client
        .execute_async(
            "const done = arguments[0];
             window.__TAURI_INTERNALS__.invoke('stored_secrets', {}).then(done, (e) => done({ error: String(e) }))",
            vec![],
        )
        .await?;
    let secrets = listed["secrets"]
        .as_array()
        .with_context(|| listed.to_string())?;
    let of_kind = |kind: &str| {
        secrets
            .iter()
            .filter(|secret| secret["kind"] == kind)
            .count()
    };
    let outside = canary.in_keyring()?;
    ensure!(
        outside <= of_kind("token") + of_kind("client"),
        "the keyring has more than is listed: {outside} and {listed}"
    );
    Ok(of_kind("token"))
}

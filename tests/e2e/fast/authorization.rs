//! Signing in with the real keyring. The browser is a script that notes addresses, and a plain HTTP client that follows
//! them.

use anyhow::Result;
use reqwest::Url;
use sonde_tests::steps::*;

use crate::stage::{Stage, revoked, sign_out, start, token_entries};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_sign_in_is_seen_before_it_opens_outlives_a_restart_and_ends_with_a_sign_out()
-> Result<()> {
    let stage = Stage::set().await?;
    let (server, canary) = (&stage.server, &stage.canary);
    the_whole_address_is_shown(&stage).await?;
    stage.call().await?;
    stage.window.find("button", "Signed in…").await?;
    stage.window.see("expires in").await?;
    stage.window.shot("signed-in").await?;
    assert_eq!(stage.opener.opened()?.len(), 1);
    assert!(canary.in_keyring()? > 0, "the keyring has the token");
    canary.is_in_no_file(stage.data.path())?;
    canary.is_not_in_page(&stage.window).await?;
    assert_eq!(server.token_requests("authorization_code").len(), 1);
    stage.window.close().await?;

    let again = start(&stage.data, &stage.opener).await?;
    again.click("button", "protected…").await?;
    connect(&again).await?;
    select_tool(&again, "read").await?;
    run(&again).await?;
    newest_run_is(&again, "Done").await?;
    again.find("button", "Signed in…").await?;
    for path in ["/authorize", "/register"] {
        assert_eq!(server.auth_server_requests_to(path).len(), 1, "{path}");
    }
    assert_eq!(stage.opener.opened()?.len(), 1);
    canary.is_in_no_file(stage.data.path())?;

    sign_out(&again).await?;
    // The authorization server is told last.
    revoked(server, 0).await?;
    assert_eq!(
        token_entries(&again, canary).await?,
        0,
        "the keyring still has a token"
    );
    again.shot("signed-out").await?;

    // The next connect asks again.
    again.click("button", "Disconnect").await?;
    again.click("button", "Connect").await?;
    again.see("Sign in to protected").await?;
    again.close().await
}

/// Connects: the address in the card is whole, and nothing else opens in the browser, where the user signs in.
async fn the_whole_address_is_shown(stage: &Stage) -> Result<()> {
    let window = &stage.window;
    window.click("button", "Connect").await?;
    let shown = stage.shown_address().await?;
    window.shot("sign-in-card").await?;
    assert_eq!(axe(window).await?, [""; 0], "the card, for a screen reader");
    assert_eq!(stage.opener.opened()?, [""; 0], "nobody pressed anything");
    let url = Url::parse(&shown)?;
    let asked = |name: &str| {
        let mut pairs = url.query_pairs();
        pairs
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    assert!(
        shown.starts_with(&format!("{}/authorize?", stage.server.issuer())),
        "{shown}"
    );
    assert_eq!(asked("code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(asked("resource"), Some(stage.server.url()));
    let back = asked("redirect_uri").unwrap_or_default();
    assert!(back.starts_with("http://127.0.0.1:"), "{back}");
    assert_eq!(asked("scope").as_deref(), Some("read"));

    window.click_native("button", "Open in browser").await?;
    assert_eq!(
        stage.opener.wait_for(1).await?,
        shown,
        "what was shown is what opens"
    );
    window.see("Waiting for the browser").await?;
    window.shot("sign-in-browser").await?;
    stage.land(&shown).await?;
    connected(window).await
}

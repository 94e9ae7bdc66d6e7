//! Apps of servers in the real window: that of the demo server, and one that tries to get out of its frame.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{
    http_peer::{HttpPeer, Reply, Request},
    steps::*,
    window::Window,
};

use crate::{
    ends::{end_from_outside, logged, page},
    frames::{LOG, click_in_app, hostile, in_app, with_app},
};

/// A site that any page may read from.
async fn site() -> HttpPeer {
    let reply = |_: &Request| {
        Reply::status(200)
            .header("access-control-allow-origin", "*")
            .body("there")
    };
    HttpPeer::start(reply).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_app_reaches_what_it_declares_and_nothing_else() -> Result<()> {
    let (declared, other) = (site().await, site().await);
    let at = |peer: &HttpPeer| format!("http://{}", peer.address());
    let page = include_str!("reaching-app.html")
        .replace("@DECLARED@", &at(&declared))
        .replace("@OTHER@", &at(&other));
    let csp = json!({ "ui": { "csp": { "connectDomains": [at(&declared)] } } });
    let peer = HttpPeer::start(with_app(page, csp)).await;
    let window = Window::open().await?;
    import(&window, json!({ "trap": { "url": peer.url() } })).await?;
    connect(&window).await?;
    select_tool(&window, "trap").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    // Nothing of it runs before its sites were seen.
    window
        .see("This app exchanges data with other sites")
        .await?;
    window.see(&at(&declared)).await?;
    ensure!(declared.requests().is_empty(), "it ran unseen");
    window.click("button", "Show app").await?;
    in_app(
        &window,
        "what it declared",
        "return document.title === 'declared: there, other: refused'",
    )
    .await?;
    ensure!(
        other.requests().is_empty(),
        "it reached what it did not declare"
    );

    // A press in it gives it no clipboard: what was copied before stays.
    window.click("button", "More actions for this run").await?;
    window.click_native("menuitem", "Copy as curl").await?;
    window.copied("curl").await?;
    click_in_app(&window, "#copy").await?;
    in_app(&window, "the press", "return pressed.value === 'yes'").await?;
    window.copied("curl").await?;

    // From the next press on it takes the focus again and again. What is typed is Sonde's nevertheless, and the app is ended.
    click_in_app(&window, "#take").await?;
    window.click_native("field", "secret").await?;
    window.keys("Tr0ub4dor+3").await?;
    window
        .see("The app took the keyboard focus without a click")
        .await?;
    let typed = window.value("secret").await?;
    ensure!(typed.contains("Tr0ub4dor+3"), "the field has “{typed}”");

    // It leads its frame nowhere, the window's own page included.
    window.click("button", "Reload").await?;
    click_in_app(&window, "#leave").await?;
    window.see("The app’s page is gone").await?;
    window.click("tab", "Wire log").await?;
    window.click("button", "Apps").await?;
    window.see_in(LOG, "into its frame").await?;
    assert_eq!(
        other.accepted(),
        0,
        "a connection to what it did not declare"
    );
    window.close().await
}

/// Shows an app that begins endless work once it has its result.
async fn show_endless(window: &Window, work: &str) -> Result<HttpPeer> {
    let page = include_str!("endless-app.html").replace("@WORK@", work);
    let peer = HttpPeer::start(hostile(page)).await;
    import(window, json!({ "trap": { "url": peer.url() } })).await?;
    connect(window).await?;
    select_tool(window, "trap").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("button", "Show app").await?;
    Ok(peer)
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_app_that_never_comes_to_an_end_is_ended() -> Result<()> {
    let window = Window::open().await?;
    let peer = show_endless(&window, "loop").await?;
    // The driver's session ends with the page's process: from here on, it is seen from outside.
    page(&window, 2).await?;
    for said in ["the page does not respond", "an app was closed"] {
        ensure!(logged(&window, said)? == 1, "the log does not say: {said}");
    }
    let read = |peer: &HttpPeer| {
        let requests = peer.requests();
        requests
            .iter()
            .filter(|one| one.body.contains("resources/read"))
            .count()
    };
    ensure!(read(&peer) == 1, "the app was opened again");
    end_from_outside(window).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_app_that_is_endlessly_told_something_by_itself_can_be_closed() -> Result<()> {
    let window = Window::open().await?;
    let _peer = show_endless(&window, "messages").await?;
    window.see("which calls itself “Endless”").await?;
    in_app(&window, "the messages", "return document.title === 'Busy'").await?;
    window.shot("endless-app").await?;
    window.click("button", "Close app").await?;
    window.find("button", "Show app").await?;
    ensure!(
        logged(&window, "an app was closed")? == 0,
        "the page was ended"
    );
    window.close().await
}

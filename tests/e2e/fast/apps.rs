//! Apps of servers in the real window: that of the demo server, and one that tries to get out of its frame.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{
    http_peer::{HttpPeer, Reply},
    steps::*,
    window::Window,
};

use crate::{
    frames::{LOG, app_messages_say, click_in_app, hostile, in_app},
    keys::find_anything,
};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_app_of_the_demo_server_is_shown_and_asks_before_it_calls() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "List the ships in sight").await?;
    window.fill("How many at most…", "12").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    window.see("which calls itself “Ships in sight”").await?;
    in_app(
        &window,
        "its input and its result",
        "return asked.innerText.includes('all kinds') && state.innerText.startsWith('12 of ') && ships.children.length === 12",
    )
    .await?;
    window.shot("app").await?;
    assert_eq!(axe(&window).await?, [""; 0], "for a screen reader");

    // The settings would take the place of the run, and so end the app.
    find_anything(&window, "dark theme", "Use the dark theme").await?;
    in_app(
        &window,
        "the dark theme",
        "return document.documentElement.dataset.theme === 'dark'",
    )
    .await?;

    // It calls nothing before it may, and then an ordinary run.
    let before = runs(&window).await?;
    click_in_app(&window, "#look").await?;
    window.see("The app wants to call").await?;
    ensure!(
        runs(&window).await? == before,
        "it was called before it was allowed"
    );
    window.shot("app-asks").await?;
    window
        .click_in(Some("The app asks"), "button", "Refuse")
        .await?;
    in_app(
        &window,
        "the refusal",
        "return state.innerText === 'Refused by the user'",
    )
    .await?;
    click_in_app(&window, "#look").await?;
    window
        .click_in(Some("The app asks"), "button", "Always for this server")
        .await?;
    in_app(
        &window,
        "the new result",
        "return / of \\d+ ships/.test(state.innerText)",
    )
    .await?;
    window.see("by an app").await?;
    window
        .see("Allowed to apps of this server without asking (1)")
        .await?;

    window.click("button", "Full size").await?;
    in_app(
        &window,
        "the whole window",
        "return innerWidth > 1200 && innerHeight > 600",
    )
    .await?;
    window.shot("app-full-size").await?;
    window.click("button", "Leave full size").await?;
    click_in_app(&window, "#page").await?;
    window
        .see_in("The app asks", "https://example.com/harbour")
        .await?;
    window
        .click_in(Some("The app asks"), "button", "Refuse")
        .await?;

    // What else it may ask for.
    click_in_app(&window, "#chart").await?;
    window.see_in("The app asks", "charts/approach").await?;
    window
        .click_in(Some("The app asks"), "button", "Allow once")
        .await?;
    in_app(
        &window,
        "what it read",
        "return state.innerText.length > 0 && !/of \\d+ ships|refused/i.test(state.innerText)",
    )
    .await?;
    click_in_app(&window, "#context").await?;
    window.see("Context for a model").await?;
    click_in_app(&window, "#large").await?;
    window
        .click_in(Some("The app asks"), "button", "Allow once")
        .await?;
    in_app(
        &window,
        "full size",
        "return state.innerText === 'Shown fullscreen.'",
    )
    .await?;
    window.click("button", "Leave full size").await?;

    // Begun anew it gets its input in pieces first; closed it is told before.
    window.click("button", "Source").await?;
    window.click("checkbox", "Partial input…").await?;
    window.click("button", "Reload").await?;
    in_app(
        &window,
        "the result once more",
        "return ships.children.length === 12",
    )
    .await?;
    window.click("button", "Close app").await?;
    window.find("button", "Show app").await?;

    window.click("tab", "Wire log").await?;
    app_messages_say(
        &window,
        &[
            "ui/initialize",
            "ui/notifications/tool-input-partial",
            "ui/notifications/tool-input",
            "ui/notifications/host-context-changed",
            "ui/open-link",
            "ui/resource-teardown",
        ],
    )
    .await?;
    window.shot("app-wire-log").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_hostile_app_stays_in_its_frame() -> Result<()> {
    let elsewhere = HttpPeer::start(|_| {
        Reply::status(200)
            .header("access-control-allow-origin", "*")
            .body("got through")
    })
    .await;
    let page = include_str!("hostile-app.html")
        .replace("@ELSEWHERE@", &format!("http://{}", elsewhere.address()));
    let peer = HttpPeer::start(hostile(page)).await;
    let window = Window::open().await?;
    import(&window, json!({ "trap": { "url": peer.url() } })).await?;
    connect(&window).await?;
    select_tool(&window, "trap").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    // The last thing that it tries takes its page away.
    window.see("The app was ended.").await?;
    // The driver's first press after a frame is gone can be lost.
    window
        .until(
            "what it wrote for a model",
            "const messages = [...document.querySelectorAll('summary')]
               .find((one) => one.innerText.startsWith('Messages for a conversation (1)'));
             if (messages && !messages.parentElement.open) messages.click();
             return document.body.innerText.includes('every attempt was made')",
        )
        .await?;
    let text = window.text().await?;
    window.shot("hostile-app").await?;
    ensure!(!text.contains("GOT THROUGH"), "{text}");
    let refused = text.matches(": refused (").count();
    ensure!(
        refused == 35,
        "only {refused} attempts were refused:\n{text}"
    );

    // It went nowhere, and nothing went out.
    window.click("tab", "Wire log").await?;
    window.see_in(LOG, "into its frame").await?;
    let asked: Vec<_> = elsewhere
        .requests()
        .iter()
        .map(|one| one.target.clone())
        .collect();
    ensure!(asked.is_empty(), "it reached {asked:?}");
    ensure!(elsewhere.open_connections() == 0, "it is connected");
    ensure!(
        !window.text().await?.contains("Intruder"),
        "it reached the commands of the window"
    );
    let called = peer.requests();
    ensure!(
        !called
            .iter()
            .any(|request| request.body.contains("\"hidden\"")),
        "the tool that is not for apps was called"
    );
    // Sonde itself says what was refused, whatever the app says. Another document gives no sign of having been asked for.
    app_messages_say(
        &window,
        &[
            "tried to use the program of the window",
            "tried to use the clipboard",
            "tried to use localStorage",
            "tried to use sessionStorage",
            "tried to use indexedDB",
            "tried to use cookies",
            "tried to use another window",
            "refused it (connect-src)",
            "refused it (img-src)",
            "refused it (script-src-elem)",
            "refused it (style-src-elem)",
        ],
    )
    .await?;
    window.shot("hostile-app-wire-log").await?;
    window.close().await
}

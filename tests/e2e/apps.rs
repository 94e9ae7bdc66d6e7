//! Apps of servers in the real window: that of the demo server, and one that tries to get out of its frame.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use serde_json::{Value, json};
use sonde_tests::{
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer,
    steps::*,
    window::Window,
};

use crate::{
    keyboard::find_anything,
    lifetime::{end_from_outside, logged, page},
};

const LOG: &str = "Wire log entries, oldest first";

/// Waits until the app's frame is there, and looks into it.
async fn enter(window: &Window) -> Result<()> {
    window
        .until("an app", "return document.querySelector('iframe') !== null")
        .await?;
    Ok(window.client.enter_frame(0).await?)
}

/// Waits inside the frame of the app until a script there answers something true.
pub(crate) async fn in_app(window: &Window, what: &str, script: &str) -> Result<()> {
    enter(window).await?;
    let seen = window.until(what, script).await;
    window.client.enter_parent_frame().await?;
    seen.map(drop)
}

/// Looks for each of these among the messages of apps in the wire log, which is open.
pub(crate) async fn app_messages_say(window: &Window, texts: &[&str]) -> Result<()> {
    window.click("button", "Apps").await?;
    for text in texts {
        window.fill("Search the wire log…", text).await?;
        window.see_in(LOG, text).await?;
    }
    Ok(())
}

pub(crate) async fn click_in_app(window: &Window, button: &str) -> Result<()> {
    enter(window).await?;
    let there = window.client.wait().for_element(Locator::Css(button)).await;
    let middle = window
        .client
        .execute(
            "const { top, height } = document.querySelector(arguments[0]).getBoundingClientRect(); return top + height / 2",
            vec![json!(button)],
        )
        .await;
    window.client.enter_parent_frame().await?;
    there?;
    // The driver scrolls inside the frame only.
    window
        .js(
            "const frame = document.querySelector('iframe');
             frame.closest('[data-scroll]')?.scrollBy(0, frame.getBoundingClientRect().top + arguments[0] - innerHeight / 2)",
            vec![middle?],
        )
        .await?;
    enter(window).await?;
    let clicked = window.click_on(Locator::Css(button)).await;
    window.client.enter_parent_frame().await?;
    clicked
}

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
    window.see("“Ships in sight”, an app of the server").await?;
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

/// A server with a tool that has this app, and one tool that is not for apps.
fn hostile(page: String) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    with_app(page, json!({}))
}

/// The same; the app's resource has this `_meta`.
fn with_app(page: String, meta: Value) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    move |request| {
        let capabilities = json!({ "tools": {}, "resources": {} });
        mcp_peer::reply(request, "trap", &capabilities, |method| match method {
            "tools/list" => Some(json!({ "tools": [
                {
                    "name": "trap",
                    "inputSchema": { "type": "object", "properties": { "secret": { "type": "string" } } },
                    "_meta": { "ui": { "resourceUri": "ui://trap/page" } },
                },
                {
                    "name": "hidden",
                    "inputSchema": { "type": "object" },
                    "_meta": { "ui": { "visibility": ["model"] } },
                },
            ] })),
            "tools/call" => Some(json!({ "content": [{ "type": "text", "text": "sprung" }] })),
            "resources/read" => Some(json!({ "contents": [{
                "uri": "ui://trap/page",
                "mimeType": "text/html;profile=mcp-app",
                "text": page,
                "_meta": meta,
            }] })),
            _ => None,
        })
    }
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

    // It takes the focus again and again. What is typed into the form goes to the form.
    window.fill("secret", "hunter2").await?;
    assert_eq!(window.value("secret").await?, "hunter2");
    in_app(&window, "no key", "return keys.value === ''").await?;

    // A press in it gives it no clipboard: what was copied before stays.
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Copy as curl").await?;
    window.copied("curl").await?;
    click_in_app(&window, "#copy").await?;
    in_app(&window, "the press", "return pressed.value === 'yes'").await?;
    window.copied("curl").await?;

    // It leads its frame nowhere, the window's own page included.
    click_in_app(&window, "#leave").await?;
    window.click("tab", "Wire log").await?;
    window.click("button", "Apps").await?;
    window.see_in(LOG, "into its frame").await?;
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
    for said in [
        "the page does not respond while an app is shown",
        "an app was closed",
    ] {
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
    window.see("“Endless”, an app of the server").await?;
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

/// A server with a tool whose app cannot be read.
fn without_its_app(request: &Request) -> Reply {
    let capabilities = json!({ "tools": {}, "resources": {} });
    mcp_peer::reply(request, "lost", &capabilities, |method| match method {
        "tools/list" => Some(json!({ "tools": [{
            "name": "lost",
            "inputSchema": { "type": "object" },
            "_meta": { "ui": { "resourceUri": "ui://lost/page" } },
        }] })),
        "tools/call" => {
            Some(json!({ "content": [{ "type": "text", "text": "The text is there." }] }))
        }
        _ => None,
    })
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_result_whose_app_cannot_be_read_is_shown_as_text() -> Result<()> {
    let peer = HttpPeer::start(without_its_app).await;
    let window = Window::open().await?;
    import(&window, json!({ "lost": { "url": peer.url() } })).await?;
    connect(&window).await?;
    select_tool(&window, "lost").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    window.see("The app could not be opened.").await?;
    window.see("Method not found").await?;
    window.see("The text is there.").await?;
    window.shot("app-not-read").await?;
    window.close().await
}

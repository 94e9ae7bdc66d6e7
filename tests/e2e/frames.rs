//! Frames of the apps of servers, and servers that have one.

use anyhow::{Result, ensure};
use fantoccini::{
    Locator,
    actions::{InputSource as _, MouseActions, PointerAction},
    error::CmdError,
};
use serde_json::{Value, json};
use sonde_tests::{
    LIMIT,
    http_peer::{Reply, Request},
    mcp_peer,
    window::Window,
};
use tokio::time::{Duration, Instant, sleep};

pub(crate) const LOG: &str = "Wire log entries, oldest first";

/// A point of the app's frame that nothing covers.
const POINT: &str = "
    const frame = document.querySelector('iframe');
    if (frame === null) return null;
    const { left, top, width, height } = frame.getBoundingClientRect();
    for (const part of [0.5, 0.1, 0.9]) {
        const [x, y] = [Math.round(left + width / 2), Math.round(top + height * part)];
        if (document.elementFromPoint(x, y) === frame) return [x, y];
    }
    return null";

/// Moves the pointer away and onto the app, as a user does: the driver gives the focus to each frame that it looks into,
/// and an app that gets it without the pointer has stolen it. The frame may move meanwhile, so it is aimed at again.
async fn point_at_app(window: &Window) -> Result<()> {
    let begun = Instant::now();
    loop {
        let point: Option<(f64, f64)> = serde_json::from_value(window.js(POINT, vec![]).await?)?;
        let Some((x, y)) = point else { return Ok(()) };
        let to = |x, y| PointerAction::MoveTo {
            duration: None,
            x,
            y,
        };
        let moves = MouseActions::new("mouse".to_owned())
            .then(to(0.0, 0.0))
            .then(to(x, y));
        window.client.perform_actions(moves).await?;
        let hovered = window
            .js(
                "return document.querySelector('iframe')?.matches(':hover') ?? true",
                vec![],
            )
            .await?;
        if hovered == json!(true) {
            return Ok(());
        }
        ensure!(
            begun.elapsed() < *LIMIT,
            "the pointer does not arrive over the app"
        );
        sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until the app's frame is there, and looks into it. One that begins anew is gone for a moment.
async fn enter(window: &Window) -> Result<()> {
    let begun = Instant::now();
    loop {
        leave(window).await?;
        window
            .until("an app", "return document.querySelector('iframe') !== null")
            .await?;
        point_at_app(window).await?;
        match window.client.enter_frame(0).await {
            Err(_) if begun.elapsed() < *LIMIT => sleep(Duration::from_millis(50)).await,
            entered => return Ok(entered?),
        }
    }
}

/// Back to the page, also from a frame that is gone.
async fn leave(window: &Window) -> Result<()> {
    let page = window.client.window().await?;
    Ok(window.client.switch_to_window(page).await?)
}

/// Waits inside the frame of the app until a script there answers something true.
pub(crate) async fn in_app(window: &Window, what: &str, script: &str) -> Result<()> {
    let begun = Instant::now();
    loop {
        enter(window).await?;
        let seen = window.until(what, script).await;
        leave(window).await?;
        match seen {
            // The frame went away while it was looked into.
            Err(error) if error.is::<CmdError>() && begun.elapsed() < *LIMIT => {}
            seen => return seen.map(drop),
        }
    }
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
    leave(window).await?;
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
    let clicked = window.click_native_on(button).await;
    leave(window).await?;
    clicked
}

/// A server with a tool that has this app, and one tool that is not for apps.
pub(crate) fn hostile(page: String) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    with_app(page, json!({}))
}

/// The same; the app's resource has this `_meta`.
pub(crate) fn with_app(
    page: String,
    meta: Value,
) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
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

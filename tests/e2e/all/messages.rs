//! Log messages: to which run they belong, which of them the server sends, and the Console.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{http_server::HttpServer, steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_level_is_told_and_a_line_of_the_console_leads_to_its_run() -> Result<()> {
    const TOOL: &str = "start-notification-stream";
    let server = HttpServer::simple().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({
            "simple": { "url": server.url() },
            "contents": python_server("contents_server.py"),
        }),
    )
    .await?;
    connect(&window).await?;
    let talk = async |times: &str| {
        select_tool(&window, TOOL).await?;
        window.fill("interval…", "100").await?;
        window.fill("count…", times).await?;
        run(&window).await?;
        newest_run_is(&window, "Done").await
    };
    talk("5").await?;
    window.click("tab", "Console…").await?;
    window.see("Periodic notification #5").await?;
    window.pick("Server log level", "error").await?;
    talk("5").await?;
    window.click("tab", "Console…").await?;
    window.pick("Server log level", "debug").await?;
    talk("6").await?;
    window.click("tab", "Console…").await?;
    window.see("Periodic notification #6").await?;
    // Those of the second run would have come before: the stream keeps their order.
    window
        .fill("Search the console…", "notification #1 at")
        .await?;
    window.see("2 lines").await?;
    window.pick("Level", "4").await?;
    window.see("No matching lines").await?;
    window.pick("Level", "1").await?;
    window.see("2 lines").await?;
    window.shot("console-levels").await?;

    // Over stdio a message is that of the only run there is.
    window.click("button", "contents…").await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Talk").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "3 messages").await?;
    window.click("tab", "Console…").await?;
    window.see("It is too late.").await?;
    window.pick("Logger", "contents.end").await?;
    window.see("2 lines").await?;
    window
        .until(
            "a line that leads to its run",
            "const link = document.querySelector('[role=listbox] [role=option] [data-run-of]');
             link?.click();
             return !!link",
        )
        .await?;
    window
        .until(
            "the run of the message",
            "const heads = [...document.querySelectorAll('[aria-label=\"Runs, newest first\"] article [data-card-head]')];
             return heads.length === 1 && heads[0].innerText.includes('Talk') && heads[0].getAttribute('aria-expanded') === 'true'",
        )
        .await?;
    window.close().await
}

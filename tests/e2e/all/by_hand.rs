//! Self-descriptions of third-party servers, and messages to them written by hand.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{http_server::HttpServer, steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_server_introduces_itself_and_gets_what_was_typed() -> Result<()> {
    let simple = HttpServer::simple().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({
            "contents": python_server("contents_server.py"),
            "simple": { "url": simple.url() },
        }),
    )
    .await?;
    confirm_and_connect(&window).await?;

    // A picture that is part of the message is shown. A server over stdio has no origin to fetch another from.
    window.click("tab", "About…").await?;
    window.see("https://example.com/contents").await?;
    window
        .until(
            "one picture of two icons",
            "const icons = [...document.querySelectorAll('[aria-label=Icons] > li')];
             return icons.length === 2 && icons[0].querySelector('img')?.naturalWidth === 16 && !icons[1].querySelector('img')",
        )
        .await?;
    window.see("this server is not reached by a URL").await?;
    window
        .until(
            "the instructions as Markdown",
            "return [...document.querySelectorAll('main strong')].some((word) => word.innerText === 'readme')",
        )
        .await?;
    window.shot("about-python").await?;

    // Metadata of a run.
    select_tool(&window, "Show metadata").await?;
    window.click("button", "Metadata (_meta)").await?;
    window.click("button", "New traceparent").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "\"traceparent\": \"00-").await?;

    // The same for prompts and readings, each with its own.
    open_item(&window, "prompts", "Metadata of a prompt").await?;
    window.click("button", "Metadata (_meta)").await?;
    window.click("button", "New traceparent").await?;
    run_by(&window, "Get prompt").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "\"traceparent\": \"00-").await?;
    open_item(&window, "resource templates", "Metadata of a reading").await?;
    window.fill("of", "this").await?;
    run_by(&window, "Read").await?;
    newest_run_says(&window, "Metadata of this: ").await?;
    newest_run_shows(
        &window,
        "nothing of the prompt's",
        "!card.innerText.includes('traceparent')",
    )
    .await?;
    window.click("button", "Metadata (_meta)").await?;
    window.click("button", "New traceparent").await?;
    run_by(&window, "Read").await?;
    newest_run_says(&window, "\"traceparent\": \"00-").await?;
    window.shot("metadata-of-a-reading").await?;

    // Any method, known or not; an answer that is an error is one.
    window.click("tab", "Raw request…").await?;
    window.pick("Known methods", "completion/complete").await?;
    window
        .until(
            "the method that was chosen",
            "return [...document.querySelectorAll('main input')].some((field) => field.value === 'completion/complete')",
        )
        .await?;
    params(
        &window,
        r#"{"ref":{"type":"ref/prompt","name":"letter"},"argument":{"name":"country","value":"N"}}"#,
    )
    .await?;
    run_by(&window, "Send request").await?;
    newest_run_is(&window, "Done").await?;
    choose_in(&window, Some("Runs, newest first"), "Pretty").await?;
    newest_run_says(&window, "Norway").await?;
    window.shot("raw-request").await?;
    window.fill("Method", "com.example/unknown").await?;
    run_by(&window, "Send request").await?;
    newest_run_is(&window, "Error").await?;
    newest_run_says(&window, "Method not found").await?;

    window.click("button", "simple…").await?;
    connect(&window).await?;
    window.click("tab", "About…").await?;
    window
        .see("https://github.com/modelcontextprotocol/typescript-sdk")
        .await?;
    window.see("./mcp.svg").await?;
    window
        .until(
            "no picture",
            "return document.querySelectorAll('[aria-label=Icons] > li').length === 1 && !document.querySelector('[aria-label=Icons] img')",
        )
        .await?;
    window.click("tab", "Raw request…").await?;
    choose(&window, "Notification").await?;
    window
        .fill("Method", "notifications/com.example/seen")
        .await?;
    run_by(&window, "Send notification").await?;
    newest_run_is(&window, "Sent").await?;
    window.click("tab", "Wire log").await?;
    window.see("notifications/com.example/seen").await?;
    window.close().await
}

/// Replaces the params of the message.
async fn params(window: &Window, text: &str) -> Result<()> {
    window
        .until(
            "the large editor, which is loaded when it is looked at",
            "return !!document.querySelector('.cm-content[aria-label=Params]')",
        )
        .await?;
    window.fill("Params", text).await
}

//! Prompts of servers that nobody here wrote: their form with suggestions, every kind of content, and what is copied.

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sonde_tests::{steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn prompts_of_server_everything_and_of_the_python_sdk() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({
            "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] },
            "contents": python_server("contents_server.py"),
        }),
    )
    .await?;
    window.click("button", "everything…").await?;
    confirm_and_connect(&window).await?;
    open_item(&window, "prompts", "Team Management").await?;
    take_suggestion(&window, "department…", "E", &["Engineering"]).await?;
    take_suggestion(&window, "name…", "", &["Alice", "Bob", "Charlie"]).await?;
    window.shot("prompts-everything").await?;
    run_by(&window, "Get prompt").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(
        &window,
        "Please promote Alice to the head of the Engineering team.",
    )
    .await?;
    open_item(&window, "prompts", "Resource Prompt").await?;
    window.fill("resourceType…", "Text").await?;
    window.fill("resourceId…", "3").await?;
    run_by(&window, "Get prompt").await?;
    newest_run_says(&window, "Resource 3: This is a plaintext resource").await?;

    window.click("button", "contents…").await?;
    confirm_and_connect(&window).await?;
    open_item(&window, "prompts", "Every kind").await?;
    run_by(&window, "Get prompt").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_shows(
        &window,
        "a conversation of each kind of content, in order",
        "(() => {
           const messages = [...card.querySelectorAll('[aria-label=\"7 messages\"] > li')];
           const kinds = messages.map((one) => one.querySelector('[aria-label*=\", block \"]')?.getAttribute('aria-label').split(',')[0]);
           const roles = messages.map((one) => one.dataset.role);
           return kinds.join() === 'Text,Image,Audio,Resource link,Embedded resource,Embedded resource,Text'
             && roles.join() === 'user,user,user,assistant,assistant,assistant,assistant'
             && card.querySelector('img')?.naturalWidth === 48;
         })()",
    )
    .await?;
    window.shot("prompts-python-kinds").await?;
    let copy = async |item: &str, begin: &str| {
        window.click("button", "Copy messages").await?;
        window.click_native("menuitem", item).await?;
        window.copied(begin).await
    };
    let text = copy("As text", "user:").await?;
    ensure!(text.contains("What is all this?"), "{text}");
    let result: Value = serde_json::from_str(&copy("As JSON", "{").await?)?;
    ensure!(result["messages"][6]["role"] == "assistant", "{result}");
    let messages: Value = serde_json::from_str(&copy("For the API of Anthropic", "[").await?)?;
    ensure!(
        messages[0]["role"] == "user" && messages[1].to_string().contains("image/png"),
        "{messages}"
    );
    window.close().await
}

//! What passed between Sonde and a server, as the wire log and the console tell it.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::servers::sum_of_everything;

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_exchange_is_one_row_that_opens_and_leads_to_its_response() -> Result<()> {
    let (server, window) = sum_of_everything().await?;
    window.click("tab", "Wire log").await?;
    // The listener is an exchange of its own, whose row is its head.
    let call = "const http = [...document.querySelectorAll('[role=grid] [data-kind=http]')]
        .filter((row) => !row.querySelector('[data-act=group]'));
      const calls = [...document.querySelectorAll('[role=grid] [data-row]')]
        .filter((row) => row.innerText.includes('tools/call'));
      const request = calls.find((row) => row.dataset.kind === 'request');
      const group = request?.querySelector('[data-act=group]');";
    window
        .until(
            "a call and its response, and nothing of HTTP beside the heads of exchanges",
            &format!(
                "{call}
                 return calls.length === 2 && http.length === 0 && request.innerText.includes('get-sum')
                   && /POST \\/mcp\\s+200/.test(group.textContent)"
            ),
        )
        .await?;
    window.shot("wire-grouped").await?;
    window
        .until(
            "its frames",
            &format!(
                "{call}
                 if (group?.getAttribute('aria-expanded') === 'false') group.click();
                 return http.length >= 2"
            ),
        )
        .await?;
    window.shot("wire-exchange").await?;
    window
        .until(
            "a selected request",
            &format!("{call} request?.click(); return !!request"),
        )
        .await?;
    window.see("Request · tools/call").await?;
    // The request as a command, with the session asked for: that is a secret.
    window.click("button", "Copy as curl").await?;
    let command = window.copied("curl ").await?;
    ensure!(
        command.contains(&server.url())
            && command.contains("tools/call")
            && command.contains("get-sum")
            && command.contains("MCP_SESSION_ID"),
        "{command}"
    );
    window
        .until(
            "the list that has the focus",
            "const grid = document.querySelector('[role=grid]'); grid.focus(); return document.activeElement === grid",
        )
        .await?;
    // Its row has it as a program, in its menu.
    window
        .until(
            "the menu of the selected row",
            "const row = document.querySelector('[role=grid] [aria-selected=true]');
             if (!row) return false;
             const { left, top } = row.getBoundingClientRect();
             const at = { bubbles: true, cancelable: true, button: 2, clientX: left + 20, clientY: top + 5 };
             row.dispatchEvent(new MouseEvent('contextmenu', at));
             return true",
        )
        .await?;
    window.click("menuitem", "Copy as TypeScript").await?;
    let program = window.copied("// npm install").await?;
    ensure!(program.contains("get-sum"), "{program}");
    window
        .until(
            "the list that has the focus again",
            "const grid = document.querySelector('[role=grid]'); grid.focus(); return document.activeElement === grid",
        )
        .await?;
    window.keys("j").await?;
    window.see("Response · tools/call").await?;
    window.keys("j").await?;
    window.see("Request · tools/call").await?;
    // Every entry by itself is one click away.
    window.click("checkbox", "Group").await?;
    window
        .until(
            "no groups",
            "return document.querySelectorAll('[data-act=group]').length === 0",
        )
        .await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_console_keeps_what_was_written_over_connections() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    window.click("tab", "Console…").await?;
    let lines = |least: usize| {
        format!(
            "const lines = [...document.querySelectorAll('[role=listbox] [role=option]')];
             return lines.filter((line) => line.innerText.includes('Starting default')).length >= {least}"
        )
    };
    window.until("a line of stderr", &lines(1)).await?;
    window.click("button", "Restart").await?;
    window
        .until("the lines of both connections", &lines(2))
        .await?;
    window.shot("console").await?;
    window
        .fill("Search the console…", "Starting default")
        .await?;
    window.see("2 lines").await?;
    window.close().await
}

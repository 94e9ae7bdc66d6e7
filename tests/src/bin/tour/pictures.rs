//! The pictures of the README and the guide: `cargo xtask screenshots` takes all of them. The test of the documents
//! reads their names from here (`ui/src/features/help/docs.test.ts`).

use anyhow::{Context as _, Result};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    auth_peer::AuthPeer,
    http_peer::HttpPeer,
    mcp_peer,
    steps::*,
    window::{Window, files},
};

/// Presentation and tool of the demo server.
const PRESENTATION: &str = "A visit to the lighthouse";
const SHIPS: &str = "List the ships in sight";

/// Takes all pictures, each in both themes.
pub(crate) async fn take(window: &Window) -> Result<()> {
    choose_theme(window, "Light").await?;
    window.see("Connect").await?;
    both(window, "start").await?;

    connect(window).await?;
    tools(window).await?;
    running(window).await?;
    connection(window).await?;
    trouble(window).await?;
    hosts(window).await?;
    checks(window).await?;
    asked(window).await?;
    other_items(window).await?;
    by_hand(window).await?;
    history(window).await?;
    palette(window).await?;
    presentation(window).await?;
    servers(window).await?;
    issues(window).await?;
    sign_in(window).await
}

/// Takes a list, a form and results.
async fn tools(window: &Window) -> Result<()> {
    select_tool(window, "Polish the lens").await?;
    run(window).await?;
    select_tool(window, SHIPS).await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    all_tools(window).await?;
    both(window, "tools").await?;

    window.click("button", "Maximize run").await?;
    window.find("button", "Restore run").await?;
    both(window, "table").await?;
    window.click("button", "Restore run").await?;

    select_tool(window, SHIPS).await?;
    window.fill("How many at most…", "3").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("button", "More actions for this run").await?;
    window
        .click("menuitem", "Compare with the previous run of this tool")
        .await?;
    window.see("ships[3]").await?;
    both(window, "compare").await?;
    window.click("button", "Close").await?;
    Ok(())
}

/// Takes a run with its progress.
async fn running(window: &Window) -> Result<()> {
    // Slow enough for both pictures.
    select_tool(window, "Climb the tower").await?;
    window.fill("Pause between steps…", "1500").await?;
    run(window).await?;
    all_tools(window).await?;
    progress_moves(window).await?;
    both(window, "progress").await?;
    Ok(())
}

/// Takes the messages of a connection, and its negotiation.
async fn connection(window: &Window) -> Result<()> {
    window.click("tab", "Wire log").await?;
    // Only messages: the row of the process would show this machine's path of the demo server.
    for kind in ["Requests", "Responses", "Notifications"] {
        window.click("button", kind).await?;
    }
    window.see_not("started (pid").await?;
    window.see("tools/call").await?;
    both(window, "wire").await?;
    window.click("tab", "Connection…").await?;
    window.see("Latency").await?;
    both(window, "connection").await?;
    Ok(())
}

/// Takes failures, and the places that explain them.
async fn trouble(window: &Window) -> Result<()> {
    select_tool(window, "Trouble: a door that will not open").await?;
    run(window).await?;
    newest_run_is(window, "Tool error").await?;
    both(window, "error").await?;

    select_tool(window, "Trouble: shouting to the engine room").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("tab", "Console…").await?;
    // Only this: the line of the process would show this machine's path of the demo server.
    window.fill("Search the console…", "engine room").await?;
    window.see_not("started (pid").await?;
    window
        .until(
            "lines in the console",
            "return document.querySelectorAll('[role=listbox] [role=option]').length >= 5",
        )
        .await?;
    both(window, "console").await
}

/// Takes the hosts in which the tools work.
async fn hosts(window: &Window) -> Result<()> {
    window.click("tab", "Hosts…").await?;
    window.see("Works").await?;
    both(window, "hosts").await
}

/// Takes checks, one of which fails since its file was edited.
async fn checks(window: &Window) -> Result<()> {
    select_tool(window, "Trouble: a door that will not open").await?;
    run(window).await?;
    newest_run_is(window, "Tool error").await?;
    keep_check(window, "The door stays shut").await?;
    select_tool(window, SHIPS).await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    keep_check(window, "Ships in sight").await?;
    select_tool(window, "Say hello to the keeper").await?;
    window.fill("Your name", "Ada").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    keep_check(window, "Greets by name").await?;
    let mut files = files(window.data_folder())?.into_iter();
    let suite = files.find(|path| path.ends_with("checks.sonde.yaml"));
    let suite = suite.context("no suite was written")?;
    let text = std::fs::read_to_string(&suite)?;
    std::fs::write(&suite, text.replace("Ada", "Grace"))?;
    window.click("tab", "Checks…").await?;
    window.click("button", "Run all").await?;
    window.see("2 pass, 1 fail").await?;
    let select = "const rows = [...document.querySelectorAll('[role=option]')]; \
                  const row = rows.find((one) => one.innerText.includes('Greets by name')); row?.click(); return !!row";
    window.until("the check that fails", select).await?;
    window.see("Ignore this path").await?;
    window
        .click_in(Some("Done just now"), "button", "Close")
        .await?;
    // The folder shows where this machine keeps the files of tests.
    let hide = "document.querySelectorAll('code').forEach((one) => { \
                if (one.innerText.startsWith('/')) one.innerText = '…/checks'; })";
    window.js(hide, vec![]).await?;
    both(window, "checks").await
}

async fn keep_check(window: &Window, name: &str) -> Result<()> {
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Keep as a check…").await?;
    window.fill("Name", name).await?;
    window.see(&format!("name: {name}")).await?;
    window.click("button", "Keep").await?;
    window.see_not(&format!("name: {name}")).await
}

/// Takes a question of the server.
async fn asked(window: &Window) -> Result<()> {
    select_tool(window, "Hail the pilot").await?;
    run(window).await?;
    window.see("The pilot wants to know your ship").await?;
    all_tools(window).await?;
    window.fill("Name of the ship…", "Aurora").await?;
    both(window, "server-request").await?;
    window.click("button", "Send").await?;
    newest_run_is(window, "Done").await
}

/// Takes prompts, resources and skills.
async fn other_items(window: &Window) -> Result<()> {
    window.click("tab", "Prompts…").await?;
    window
        .click_in(Some("Prompts"), "option", "Ask for a berth…")
        .await?;
    for (argument, value) in [("harbour…", "Gullhaven"), ("berth…", "Fish quay")] {
        window.fill(argument, value).await?;
        // Closes the suggestions.
        window.keys(&char::from(Key::Escape).to_string()).await?;
    }
    window.click("button", "Get prompt").await?;
    newest_run_says(window, "Gullhaven").await?;
    both(window, "prompts").await?;

    window.click("tab", "Resources…").await?;
    window
        .click_in(Some("Resources"), "option", "Chart of the approach…")
        .await?;
    window.click("button", "Read").await?;
    window
        .until(
            "Markdown as it is shown",
            "return [...document.querySelectorAll('strong')].some((one) => one.innerText === '040 degrees')",
        )
        .await?;
    both(window, "resources").await?;

    window.click("tab", "Skills…").await?;
    window.click("button", "Read").await?;
    newest_run_is(window, "Done").await?;
    both(window, "skills").await
}

/// Takes a message written by hand.
async fn by_hand(window: &Window) -> Result<()> {
    window.click("tab", "Raw request…").await?;
    window
        .until(
            "the editor of the params",
            "return !!document.querySelector('.cm-content')",
        )
        .await?;
    window.fill("Method…", "resources/templates/list").await?;
    window.click("button", "Send request").await?;
    newest_run_says(window, "resourceTemplates").await?;
    both(window, "raw-request").await
}

/// Takes stored runs, one of them with a name, and the hits of a search.
async fn history(window: &Window) -> Result<()> {
    select_tool(window, SHIPS).await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("button", "Pin this run").await?;
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Name and note…").await?;
    window
        .fill_in(Some("Name and note"), "Name", "Before the change")
        .await?;
    window.keys(&char::from(Key::Enter).to_string()).await?;
    window.see_in("Runs", "Before the change").await?;
    all_tools(window).await?;
    choose(window, "All").await?;
    window.fill("Search the runs", "aurora").await?;
    window.see_in("Runs", "Hail the pilot").await?;
    both(window, "history").await?;
    window.fill("Search the runs", "").await
}

/// Takes the palette.
async fn palette(window: &Window) -> Result<()> {
    let keys = [Key::Control.into(), 'k', Key::Null.into()];
    window.keys(&String::from_iter(keys)).await?;
    window
        .fill("Find tools, runs, servers and actions", "ship")
        .await?;
    window.see_in("Found", SHIPS).await?;
    both(window, "palette").await?;
    window.keys(&char::from(Key::Escape).to_string()).await
}

/// Takes a presentation while it is edited and while it is presented.
async fn presentation(window: &Window) -> Result<()> {
    window.click("button", "Presentations").await?;
    window.click("button", &format!("{PRESENTATION}…")).await?;
    window.see("Add a step").await?;
    both(window, "prepare").await?;
    window
        .click("button", &format!("Start {PRESENTATION}"))
        .await?;
    window.see("Step 1 of").await?;
    window.click("button", "Next").await?;
    window.see("Step 2 of").await?;
    window.click("button", "Run").await?;
    window.find("button", "Run again").await?;
    both(window, "presentation").await?;
    window.click("button", "Leave").await?;
    window.click("button", "Close").await?;
    Ok(())
}

/// Takes servers being added, and one that does not respond.
async fn servers(window: &Window) -> Result<()> {
    window.click("button", "Add a server").await?;
    choose(window, "Local command (stdio)").await?;
    window.fill("Name…", "Everything").await?;
    window.fill("Command", "npx").await?;
    for argument in ["-y", "@modelcontextprotocol/server-everything"] {
        // The new argument gets the focus.
        window.click("button", "Add argument").await?;
        window.keys(argument).await?;
    }
    both(window, "local").await?;
    window.click("button", "Discard").await?;
    window
        .click_in(Some("Done just now"), "button", "Close")
        .await?;

    // Port 9 (discard) is closed everywhere today.
    let weather = json!({ "weather": { "url": "http://127.0.0.1:9/mcp" } });
    window.click("button", "Import servers").await?;
    window
        .fill(
            "URL, command or configuration",
            &json!({ "mcpServers": weather }).to_string(),
        )
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "weather")
        .await?;
    both(window, "import").await?;
    window.click("button", "Add 1 server").await?;
    window.click("button", "weather…").await?;
    window.click_in(None, "button", "Connect").await?;
    window.see("refused the connection").await?;
    both(window, "failure").await
}

/// Takes the issues of a server.
async fn issues(window: &Window) -> Result<()> {
    let tools = json!({ "tools": [
        { "name": "list_moorings", "inputSchema": { "type": "object" }, "outputSchema": { "type": "list" } },
        { "name": "list_moorings", "inputSchema": { "type": "object" } },
        { "name": "hoist flag", "inputSchema": { "type": "object", "required": "flag" } },
    ] });
    let peer = HttpPeer::start(move |request| {
        mcp_peer::reply(request, "moorings", &json!({ "tools": {} }), |method| {
            (method == "tools/list").then(|| tools.clone())
        })
    })
    .await;
    import(window, json!({ "moorings": { "url": peer.url() } })).await?;
    connect(window).await?;
    window.click("tab", "Issues…").await?;
    let select =
        "const row = document.querySelector('[role=option]:has(code)'); row?.click(); return !!row";
    window.until("an issue", select).await?;
    window.see("Why it matters").await?;
    both(window, "issues").await
}

/// Takes the dialog before the browser opens.
async fn sign_in(window: &Window) -> Result<()> {
    let peer = AuthPeer::start().await;
    import(window, json!({ "harbour": { "url": peer.url() } })).await?;
    window.click_in(None, "button", "Connect").await?;
    window.see("Sign in to harbour").await?;
    window.find("button", "Open in browser").await?;
    both(window, "sign-in").await
}

/// Ends the search for a tool.
async fn all_tools(window: &Window) -> Result<()> {
    window.fill("Search tools", "").await?;
    window.see("Climb the tower").await
}

/// Takes a picture in each theme without changing the setting.
async fn both(window: &Window, name: &str) -> Result<()> {
    for theme in ["dark", "light"] {
        window
            .js(
                "document.documentElement.dataset.theme = arguments[0]",
                vec![json!(theme)],
            )
            .await?;
        window.shot(&format!("{name}-{theme}")).await?;
    }
    Ok(())
}

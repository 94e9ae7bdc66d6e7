//! What servers that nobody here wrote ask for: forms, pages, responses of a model, folders; answered by hand and by
//! rule.

use anyhow::{Result, anyhow, ensure};
use serde_json::{Value, json};
use sonde_tests::{
    opener::Opener,
    stdio_peer::{Step, script},
    steps::*,
    window::{Start, Window},
};

/// What stands in a label of the card.
const FORM: &str = "The server needs your input";
const PAGE: &str = "The server asks you to open a page";
const MODEL: &str = "Sampling request";

async fn open(opener: &Opener) -> Result<Window> {
    Window::start(Start {
        env: opener.environment(),
        ..Start::default()
    })
    .await
}

async fn import_everything(window: &Window) -> Result<()> {
    import(
        window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await
}

/// After a handshake: requests of the server, one after the other.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_asks_for_a_form_a_page_and_a_model() -> Result<()> {
    let opener = Opener::new()?;
    let window = open(&opener).await?;
    import_everything(&window).await?;
    confirm_and_connect(&window).await?;

    // Every kind of field, with its default; what is not touched is sent as the server proposed it.
    select_tool(&window, "Trigger Elicitation Request Tool").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    // Without what is required nothing is sent: what is wrong, the way to it and Send are in sight, in a small window too.
    window.resize(900, 600).await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    window.see_in(FORM, "1 problem with the response.").await?;
    window
        .click_in(Some(FORM), "button", "Go to the problem")
        .await?;
    window
        .until(
            "the field with the problem to have the focus, and Send to be in sight",
            "const { top, bottom } = document.querySelector('[data-send]').getBoundingClientRect();
             return document.activeElement.matches('input') && top >= 0 && bottom <= innerHeight",
        )
        .await?;
    window.shot("asked-form-problem").await?;
    window.resize(1280, 800).await?;
    window.fill_in(Some(FORM), "String…", "Ada").await?;
    choose_option(&window, "titledSingleSelectEnum", "Wonder Woman").await?;
    window.click_in(Some(FORM), "checkbox", "Salmon").await?;
    window.shot("asked-form").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    for sent in [
        r#""name": "Ada""#,
        r#""firstLine": "It was a dark and stormy night.""#,
        r#""integer": 42"#,
        r#""number": 3.14"#,
        r#""untitledSingleSelectEnum": "Monica""#,
        r#""untitledMultipleSelectEnum": [ "Guitar" ]"#,
        r#""titledSingleSelectEnum": "hero-3""#,
        r#""titledMultipleSelectEnum": [ "fish-1", "fish-2" ]"#,
        r#""legacyTitledEnum": "pet-1""#,
    ] {
        newest_run_says(&window, sent).await?;
    }

    // A page: nothing is opened before it was asked for, and the whole address stands there.
    const ADDRESS: &str = "https://example.com/pay?for=tea";
    select_tool(&window, "Trigger URL Elicitation Tool").await?;
    window.fill("url…", ADDRESS).await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    address_is(&window, ADDRESS, "example.com").await?;
    ensure!(opener.opened()?.is_empty(), "{:?}", opener.opened()?);
    window.shot("asked-page").await?;
    window
        .click_in(Some(PAGE), "button", "Open in the browser")
        .await?;
    ensure!(opener.wait_for(1).await? == ADDRESS);
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "User completed the URL elicitation flow.").await?;

    // An error that names a page: it is opened, and the user's click runs the tool again.
    choose_in(&window, Some("errorPath"), "Yes").await?;
    run(&window).await?;
    newest_run_is(&window, "Error").await?;
    window
        .see("The server wants you to open a page first.")
        .await?;
    address_is(
        &window,
        "https://modelcontextprotocol.io",
        "modelcontextprotocol.io",
    )
    .await?;
    newest_run_begins_in_view(&window).await?;
    window.shot("asked-required-page").await?;
    window.click("button", "Open in the browser").await?;
    opener.wait_for(2).await?;
    window.click("button", "Run again").await?;
    newest_run_is(&window, "Needs input").await?;
    window.click_in(Some(PAGE), "button", "Decline").await?;
    newest_run_says(&window, "User declined to open the URL").await?;

    // A conversation, answered by hand.
    select_tool(&window, "Trigger Sampling Request Tool").await?;
    window.fill("prompt…", "How high is the tide?").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    window.see("You are a helpful test server.").await?;
    window.fill_in(Some(MODEL), "Text", "Three metres.").await?;
    window.fill_in(Some(MODEL), "Model", "by-hand-1").await?;
    window.shot("asked-model").await?;
    // Saved under a name, for a rule.
    window
        .click_in(Some(MODEL), "button", "Save this answer…")
        .await?;
    window
        .fill_in(Some(MODEL), "Save this answer as", "The usual tide")
        .await?;
    window.click_in(Some(MODEL), "button", "Save").await?;
    window
        .find_in(
            Some(MODEL),
            "button",
            "Delete the saved answer “The usual tide”",
        )
        .await?;
    window.click_in(Some(MODEL), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, r#""model": "by-hand-1""#).await?;

    // From now on by rule, at once: forms are declined, and the answer is the one that was saved.
    edit(&window, "everything").await?;
    window.click("button", "Rules for server requests").await?;
    choose_option(&window, "Forms (elicitation)", "Decline").await?;
    choose_option(
        &window,
        "Requests for a model (sampling)",
        "Answer with “The usual tide”",
    )
    .await?;
    window.shot("asked-rules").await?;
    window.click("button", "Save").await?;
    window.click("tab", "Tools…").await?;
    select_tool(&window, "Trigger Sampling Request Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "Three metres.").await?;
    select_tool(&window, "Trigger Elicitation Request Tool").await?;
    run(&window).await?;
    newest_run_says(
        &window,
        "User declined to provide the requested information",
    )
    .await?;
    window.see("1 server request answered by rule").await?;
    window.click("tab", "Console…").await?;
    window.see("Answered by rule for forms: declined").await?;
    window.shot("asked-console").await?;
    window.close().await
}

/// Without a handshake: everything in one result, which is answered in any order and sent in one request.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_stateless_python_server_asks_for_everything_at_once() -> Result<()> {
    let opener = Opener::new()?;
    let window = open(&opener).await?;
    import(
        &window,
        json!({ "contents": python_server("contents_server.py") }),
    )
    .await?;
    edit(&window, "contents").await?;
    add_root(&window, 1, "/srv/library").await?;
    window.click("button", "Save").await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Ask for everything").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    // All of them beside the run, none in front of another.
    for label in [FORM, PAGE, MODEL] {
        window.find_in(Some(label), "region", "").await?;
    }
    address_is(
        &window,
        "https://library.example.com/login?for=ada",
        "library.example.com",
    )
    .await?;
    window.see_in(MODEL, "Which town is this?").await?;
    window.see_in(MODEL, "1 tool").await?;
    window.shot("asked-at-once").await?;
    // The message about the settings lies over the form.
    window.click("button", "Close").await?;
    window.fill_in(Some(MODEL), "Text", "Bergen.").await?;
    window.fill_in(Some(MODEL), "Model", "by-hand-2").await?;
    window.click_in(Some(MODEL), "button", "Send").await?;
    window
        .click_in(Some(PAGE), "button", "Open in the browser")
        .await?;
    opener.wait_for(1).await?;
    newest_run_is(&window, "Needs input").await?;
    window.fill_in(Some(FORM), "name…", "Grace").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    for given in [
        r#""name": "Grace""#,
        r#""age": 36"#,
        r#""colour": "g""#,
        r#""shelves": ["n"]"#,
        r#""model": "by-hand-2""#,
        "file:///srv/library",
    ] {
        newest_run_says(&window, given).await?;
    }

    // Whoever rejects one of them ends the run, as there is no response without it.
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    window
        .click_in(Some(MODEL), "button", "Reject and cancel the run")
        .await?;
    newest_run_is(&window, "Cancelled").await?;
    window.close().await
}

/// A response that uses a tool of the request, which then tells what the tool gave.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_response_may_use_tools_and_is_checked_before_it_is_sent() -> Result<()> {
    let window = Window::open().await?;
    for (protocol, version) in [
        ("automatic", "MCP 2026-07-28"),
        ("handshake", "MCP 2025-11-25"),
    ] {
        edit(&window, DEMO).await?;
        let field = window.find("field", "Protocol mode").await?;
        field.select_by_value(protocol).await?;
        window.click("button", "Save").await?;
        connect(&window).await?;
        window.see(version).await?;
        select_tool(&window, "Compose a verse").await?;
        run(&window).await?;
        newest_run_is(&window, "Needs input").await?;
        window.see_in(MODEL, "1 tool").await?;
        window
            .click_in(Some(MODEL), "button", "Add a tool use")
            .await?;
        window
            .fill_in(Some(MODEL), "Arguments as JSON", "[]")
            .await?;
        window
            .see_in(MODEL, "The arguments of look_at_sea must be a JSON object.")
            .await?;
        ensure!(!can_send(&window).await?, "what is wrong could be sent");
        window
            .fill_in(Some(MODEL), "Arguments as JSON", "{}")
            .await?;
        window.fill_in(Some(MODEL), "Id", "").await?;
        window.see_in(MODEL, "Each tool use needs an id.").await?;
        window.fill_in(Some(MODEL), "Id", "look-1").await?;
        window.fill_in(Some(MODEL), "Model", "").await?;
        window.see_in(MODEL, "Enter the name of a model.").await?;
        ensure!(!can_send(&window).await?, "what is wrong could be sent");
        window.fill_in(Some(MODEL), "Model", "by-hand-3").await?;
        window
            .shot(&format!("asked-model-tools-{protocol}"))
            .await?;
        window.click_in(Some(MODEL), "button", "Send").await?;

        // The next request has the whole conversation.
        window
            .see_in(MODEL, "Grey and calm, with a long swell from the west.")
            .await?;
        window.see_in(MODEL, "look-1").await?;
        window
            .shot(&format!("asked-model-tool-result-{protocol}"))
            .await?;
        window.fill_in(Some(MODEL), "Text", "A grey swell.").await?;
        window.click_in(Some(MODEL), "button", "Send").await?;
        newest_run_is(&window, "Done").await?;
        newest_run_says(&window, "A grey swell.").await?;
        window.click("button", "Disconnect").await?;
        window.find("button", "Connect").await?;
    }
    window.close().await
}

/// The response as it stands can be sent.
async fn can_send(window: &Window) -> Result<bool> {
    let enabled = "return document.querySelector('[data-send]:enabled') !== null";
    Ok(window.js(enabled, vec![]).await? == json!(true))
}

/// A server that says when the user is done with a page, and one that asks more than anybody can answer.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_page_is_done_when_the_server_says_so_and_a_flood_of_requests_is_bounded() -> Result<()> {
    const ADDRESS: &str = "https://example.com/consent";
    /// More than may be open at once.
    const MANY: u64 = 3_000;
    let request = |id: &str, method: &str, params: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        format!("{message}\n")
    };
    let page =
        json!({ "mode": "url", "elicitationId": "e", "message": "Please agree.", "url": ADDRESS });
    let done = json!({ "jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": { "elicitationId": "e" } });
    let message = json!({ "role": "user", "content": { "type": "text", "text": "Again?" } });
    let sampling = json!({ "messages": [message], "maxTokens": 10 });
    let welcome = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "asks", "version": "1" },
    });
    let tools = json!({ "tools": [
        { "name": "ask", "inputSchema": { "type": "object" } },
        { "name": "rest", "inputSchema": { "type": "object" } },
    ] });
    let serve = || Step::Serve {
        results: [
            ("initialize".to_owned(), welcome.clone()),
            ("tools/list".to_owned(), tools.clone()),
        ]
        .into(),
        until: Some("tools/call".to_owned()),
    };
    let steps = [
        serve(),
        Step::emit(request("page", "elicitation/create", page)),
        Step::Expect,
        Step::emit(format!("{done}\n")),
        Step::EmitLong {
            before: "{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Agreed.\"}]}}\n"
                .to_owned(),
            size: 0,
            after: String::new(),
        },
        serve(),
        Step::EmitMany {
            count: MANY,
            text: request("q{n}", "sampling/createMessage", sampling),
        },
        Step::AwaitEof,
    ];
    let opener = Opener::new()?;
    let window = open(&opener).await?;
    import(
        &window,
        json!({ "asks": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(steps) } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "ask").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    address_is(&window, ADDRESS, "example.com").await?;
    window
        .click_in(Some(PAGE), "button", "Open in the browser")
        .await?;
    ensure!(opener.wait_for(1).await? == ADDRESS);
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Agreed.").await?;
    newest_run_says(&window, "the server says that you have finished there").await?;

    // No more than may be open wait for the user, and the window still works.
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    window
        .until(
            "as many requests as may be open",
            "return document.querySelectorAll('[data-server-request]').length === 64",
        )
        .await?;
    window.click("tab", "Wire log…").await?;
    window.see("sampling/createMessage").await?;
    window.shot("asked-flood-wire").await?;
    select_tool(&window, "rest").await?;
    select_tool(&window, "ask").await?;
    newest_run_is(&window, "Needs input").await?;
    window.shot("asked-flood").await?;
    window.click("button", "Disconnect").await?;
    window.find("button", "Connect").await?;
    window.close().await
}

/// A list of folders, asked for at connect and again when it changes.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_hears_of_its_folders_and_of_a_poorer_client() -> Result<()> {
    let window = Window::open().await?;
    import_everything(&window).await?;
    edit(&window, "everything").await?;
    add_root(&window, 1, "/srv/first").await?;
    window.click("button", "Save").await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Get Roots List Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "URI: file:///srv/first").await?;
    edit(&window, "everything").await?;
    add_root(&window, 2, "/srv/second").await?;
    window.click("button", "Save").await?;
    window.click("tab", "Connection…").await?;
    window.see("2 roots were sent").await?;
    window.shot("asked-roots").await?;
    select_tool(&window, "Get Roots List Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "URI: file:///srv/second").await?;

    // A client that declares nothing gets no tool that would ask it.
    window.find("button", "Run").await?;
    edit(&window, "everything").await?;
    window.click("button", "Client capabilities").await?;
    choose_option(&window, "Declared as", "Nothing").await?;
    window
        .until(
            "nothing in the preview",
            "return document.querySelector('[aria-label=\"Sent in initialize\"]')?.innerText.includes('\"capabilities\": {}')",
        )
        .await?;
    window.shot("declared-nothing").await?;
    window.click("button", "Save and restart").await?;
    // The list of the former connection goes away while it is typed in.
    window.click("tab", "Connection…").await?;
    window.see("Declares no capability").await?;
    window.shot("declared-nothing-connection").await?;
    window.click("tab", "Tools…").await?;
    window.see("No match").await?;
    window.fill("Search tools", "Trigger").await?;
    window
        .until(
            "only the tool that asks for nothing",
            "const rows = [...document.querySelectorAll('[role=listbox][aria-label=Tools] [role=option]')];
             return rows.length === 1 && rows[0].innerText.includes('Trigger Long Running Operation Tool')",
        )
        .await?;

    // As a host declares itself: what it shows comes back, what it has not stays away.
    edit(&window, "everything").await?;
    choose_option(&window, "Declared as", "Cursor").await?;
    window.see("Cursor speaks").await?;
    window
        .until(
            "the capabilities of the host in the preview",
            "const sent = document.querySelector('[aria-label=\"Sent in initialize\"]')?.innerText ?? '';
             return sent.includes('\"elicitation\"') && !sent.includes('\"sampling\"')",
        )
        .await?;
    window.shot("declared-as-host").await?;
    window.click("button", "Save and restart").await?;
    window.click("tab", "Tools…").await?;
    window.fill("Search tools", "Trigger").await?;
    window
        .until(
            "the tools for a client with forms and without a model",
            "const rows = [...document.querySelectorAll('[role=listbox][aria-label=Tools] [role=option]')].map((row) => row.innerText);
             return rows.some((row) => row.includes('Trigger Elicitation')) && !rows.some((row) => row.includes('Trigger Sampling'))",
        )
        .await?;
    window.close().await
}

/// Waits until the head of the newest run's card stands where the runs begin to be seen.
async fn newest_run_begins_in_view(window: &Window) -> Result<()> {
    newest_run_shows(
        window,
        "its head in view",
        "card.getBoundingClientRect().top >= card.closest('[data-scroll]').getBoundingClientRect().top - 1",
    )
    .await
}

/// Waits until the address of a page stands there whole, with its host standing out.
async fn address_is(window: &Window, address: &str, host: &str) -> Result<()> {
    window
        .until_with(
            &format!("the address {address}"),
            "return [...document.querySelectorAll('[aria-label=\"Address of the page\"]')].some((place) =>
               place.textContent === arguments[0] && place.querySelector('strong')?.textContent === arguments[1])",
            vec![json!(address), json!(host)],
        )
        .await?;
    Ok(())
}

/// Opens the settings of a server.
pub(crate) async fn edit(window: &Window, server: &str) -> Result<()> {
    window
        .click("button", &format!("More actions for {server}"))
        .await?;
    window.click("menuitem", "Edit").await?;
    window.see(&format!("Edit {server}")).await
}

/// Adds a folder to the settings that are open; the rows before it are there.
async fn add_root(window: &Window, number: usize, folder: &str) -> Result<()> {
    if number == 1 {
        window.click("button", "Roots").await?;
    }
    window.click("button", "Add root").await?;
    window
        .fill(&format!("Folder of root {number}"), folder)
        .await
}

/// Chooses an option of a list that opens.
pub(crate) async fn choose_option(window: &Window, list: &str, option: &str) -> Result<()> {
    // Where it is drawn anew at that moment, once more.
    let mut last = None;
    for _ in 0..10 {
        let select = window.find("field", &format!("{list}…")).await?;
        // Away from what lies over the edges: the buttons of a form, and messages.
        let shown = "document.querySelectorAll('select').forEach((each) => { if (each === arguments[0]) each.scrollIntoView({ block: 'center' }) })";
        window
            .client
            .execute(shown, vec![serde_json::to_value(&select)?])
            .await
            .ok();
        match select.select_by_label(option).await {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow!("there is no such list"), Into::into))
}

//! Uses the app in its real window, as installed from its package.
//!
//! Usage: `installed-app <installed|upgraded> <folder for screenshots> <data folder>`, with `SONDE_APP` naming the
//! program that the desktop has to start: first an older version with a new folder, then a newer one with data of an
//! early commit (`tests/data/older`).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;
use sonde_tests::{
    LIMIT, processes,
    steps::*,
    window::{Start, Window, root},
};
use tokio::time::timeout;

/// The menu entry.
const ENTRY: &str = "/usr/share/applications/Sonde.desktop";
/// A link that would add a server.
const LINK: &str = "sonde://add?name=linked&config=%7B%22command%22%3A%22touch%22%2C%22args%22%3A%5B%22ran%22%5D%7D";
/// A presentation as copied to another computer.
const FILE: &str = "crates/explorer/src/presentations/demo.sonde.yaml";

const GREETS: &str = "Say hello to the keeper";
const NAME: &str = "Your name…";

/// Contents of `tests/data/older`.
mod older {
    pub(super) const SERVER: &str = "Tide tables";
    pub(super) const ADDRESS: &str = "http://127.0.0.1:9/mcp";
    pub(super) const RUNS: [&str; 2] = ["Grace", "Frances of the"];
    pub(super) const DRAFT: &str = "Mary";
    pub(super) const INPUT: &str = "Margaret";
    pub(super) const PRESENTATION: &str = "An evening in the harbour";
    pub(super) const STEP: &str = "Who is on board?";
    pub(super) const NOTES: &str = "Ask the audience for a name.";
    /// Number of runs stored for each server.
    pub(super) const LIMIT: &str = "123";
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args.next().context("installed or upgraded")?;
    let shots = PathBuf::from(args.next().context("a folder for the screenshots")?);
    let data = PathBuf::from(args.next().context("the data folder")?);
    let desktop = Desktop { shots, data };
    match what.as_str() {
        "installed" => {
            installed(&desktop).await?;
            link_starts(&desktop).await?;
            file_starts(&desktop).await
        }
        "upgraded" => upgraded(&desktop).await,
        other => bail!("neither installed nor upgraded: {other}"),
    }
}

/// Starts the app for its user.
struct Desktop {
    shots: PathBuf,
    data: PathBuf,
}

impl Desktop {
    async fn start(&self, args: [&str; 2]) -> Result<Window> {
        Window::start(Start {
            shots: Some(self.shots.clone()),
            data: Some(self.data.clone()),
            desktop: Some(args.map(str::to_owned).to_vec()),
            ..Start::default()
        })
        .await
    }
}

fn say(text: &str) {
    println!("  • {text}");
}

async fn installed(desktop: &Desktop) -> Result<()> {
    let window = desktop.start(["launch", ENTRY]).await?;
    window.see(DEMO).await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    window.fill(NAME, "Grace").await?;
    run(&window).await?;
    newest_run_says(&window, "Grace").await?;
    window.shot("installed").await?;
    say("The app that the menu entry starts has run a tool of its demo server.");
    open(LINK, window.data_folder()).await?;
    sees_link(&window).await?;
    window.shot("link").await?;
    say("A link that the desktop opened shows the server that it would add.");
    window.close().await
}

/// Opens a link as a click in another program does: the desktop chooses the program.
#[expect(clippy::disallowed_methods, reason = "what desktops open links with")]
async fn open(link: &str, data: &Path) -> Result<()> {
    let mut open = tokio::process::Command::new("gio");
    open.args(["open", link]).env("SONDE_DATA_DIR", data);
    let mut open = processes::spawn(&mut open)?;
    let status = timeout(*LIMIT, open.wait())
        .await
        .context("`gio open` did not end")??;
    ensure!(status.success(), "`gio open` ended with {status}");
    Ok(())
}

async fn sees_link(window: &Window) -> Result<()> {
    window
        .see("Recognized: A link that adds a server to Sonde")
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "linked")
        .await?;
    window.see("touch ran").await?;
    let listed = window
        .js(
            "return document.querySelectorAll('[data-server]').length",
            vec![],
        )
        .await?;
    ensure!(listed == json!(1), "the link added a server by itself");
    Ok(())
}

async fn link_starts(desktop: &Desktop) -> Result<()> {
    let window = desktop.start(["open", LINK]).await?;
    sees_link(&window).await?;
    say("A link starts the app.");
    window.close().await
}

async fn file_starts(desktop: &Desktop) -> Result<()> {
    let file = root().join(FILE);
    let file = file.to_str().context("a folder with a plain name")?;
    let window = desktop.start(["open", file]).await?;
    window.see("Import a presentation").await?;
    window
        .see_in("Presentation", "A visit to the lighthouse")
        .await?;
    window.shot("file").await?;
    say("A presentation in a file starts the app, and shows what it would add.");
    window.close().await
}

async fn upgraded(desktop: &Desktop) -> Result<()> {
    let window = desktop.start(["launch", ENTRY]).await?;
    window
        .until(
            "the theme of the older version",
            "return document.documentElement.dataset.theme === 'dark'",
        )
        .await?;
    for run in older::RUNS {
        window.see_in("Runs, newest first", run).await?;
    }
    run_of_is(&window, GREETS, "Done").await?;
    ensure!(runs(&window).await? == 2, "{} runs", runs(&window).await?);
    say("The runs of the older version are there, in its colours.");

    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    let draft = window.value(NAME).await?;
    ensure!(draft == older::DRAFT, "the form has {draft:?}");
    window.click("button", "Saved inputs…").await?;
    window.click("menuitem", older::INPUT).await?;
    let filled = window.value(NAME).await?;
    ensure!(filled == older::INPUT, "the saved input has {filled:?}");
    ensure!(
        run(&window).await? == 3,
        "a new run beside those of the older version"
    );
    newest_run_says(&window, older::INPUT).await?;
    window.shot("upgraded").await?;
    say("What was typed and the saved inputs are there, and the newer version runs one.");

    window.click("button", "Presentations").await?;
    window
        .click("button", &format!("{}…", older::PRESENTATION))
        .await?;
    window.click_in(Some("Steps"), "button", "1 …").await?;
    let notes = window
        .find_in(Some("Step 1"), "field", "Speaker's notes")
        .await?;
    let notes = notes.prop("value").await?;
    ensure!(
        notes.as_deref() == Some(older::NOTES),
        "the notes are {notes:?}"
    );
    window
        .click("button", &format!("Start {}", older::PRESENTATION))
        .await?;
    window
        .until_with(
            "the title of the step",
            "return document.querySelector('main h1')?.innerText.trim() === arguments[0]",
            vec![json!(older::STEP)],
        )
        .await?;
    window.click("button", "Run").await?;
    window.see("Mind the stairs").await?;
    window.shot("given").await?;
    window.click("button", "Leave").await?;
    window.see("Prepare a presentation").await?;
    say("The presentation is there, and is given.");

    window.click("button", "Settings").await?;
    let limit = window.value("Runs stored per server").await?;
    ensure!(limit == older::LIMIT, "{limit} runs are stored per server");
    window
        .click("button", &format!("{}…", older::SERVER))
        .await?;
    window.see(older::ADDRESS).await?;
    say("So are the other server and the settings.");
    window.close().await
}

//! A whole demonstration: prepared with two servers, carried to another computer as one file, and given there by
//! somebody with the keyboard alone or with the pointer alone.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    LIMIT, processes,
    steps::*,
    window::{Start, Window, files},
};
use tokio::time::timeout;

use crate::keys::press;

const GREETING: &str = "Say hello to the keeper";
const LONG: &str = "Trigger Long Running Operation Tool";
const PILOT: &str = "Hail the pilot";
const SLOW: &str = "Polish the lens";
const DOOR: &str = "Trouble: a door that will not open";
const SUM: &str = "Get Sum Tool";
const STEPS: [&str; 6] = [GREETING, LONG, PILOT, SLOW, DOOR, SUM];
/// Sets a theme, or none; answers the one that was set before.
const THEME: &str = "const { dataset } = document.documentElement;
    const before = dataset.theme;
    if (arguments[0] !== null) dataset.theme = arguments[0];
    return before";

/// Ways to give the presentation.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Hand {
    Keys,
    Pointer,
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_demonstration_is_prepared_carried_over_and_given() -> Result<()> {
    let carried = tempfile::tempdir()?;
    let file = prepare(carried.path()).await?;
    let data = tempfile::tempdir()?;
    let home = tempfile::tempdir()?;
    let window = start(data.path(), home.path()).await?;
    window.find("button", &format!("{DEMO}…")).await?;
    open_with(&window, &file).await?;
    window
        .click("button", "Import the presentation and 1 server")
        .await?;
    window.see("Prepare a presentation").await?;
    let rounds = [
        (Hand::Keys, 1024, 768, "light"),
        (Hand::Pointer, 1024, 768, "dark"),
        (Hand::Keys, 1920, 1080, "dark"),
        (Hand::Pointer, 1920, 1080, "light"),
    ];
    for (round, (hand, width, height, theme)) in rounds.into_iter().enumerate() {
        window.resize(width, height).await?;
        let look = format!("{theme}-{width}x{height}");
        let stage = Stage {
            window: &window,
            hand,
            steps: STEPS.len(),
            look,
        };
        // The program of the other server was never started here.
        stage.give(theme, round == 0).await?;
    }
    window.resize(1280, 800).await?;
    // Its runs are runs like any other.
    window.click("button", &format!("{DEMO}…")).await?;
    show_all_runs(&window).await?;
    run_of_is(&window, GREETING, "Done").await?;
    run_of_is(&window, SLOW, "Cancelled").await?;
    run_of_is(&window, DOOR, "Tool error").await?;
    window.close().await
}

/// Prepares the demonstration on one computer, and exports it to a file below this folder.
async fn prepare(home: &Path) -> Result<PathBuf> {
    let data = tempfile::tempdir()?;
    let window = start(data.path(), home).await?;
    connect(&window).await?;
    select_tool(&window, SLOW).await?;
    window.fill("How long, in seconds…", "300").await?;
    save_input(&window, "For a long time").await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, LONG).await?;
    window.fill("duration…", "4").await?;
    window.fill("steps…", "8").await?;
    save_input(&window, "In eight steps").await?;

    window.click("button", "Presentations").await?;
    window.click("button", "New presentation").await?;
    window.fill("Title", "Two servers").await?;
    window.click("button", "Add a step").await?;
    for tool in STEPS {
        add_step(&window, tool).await?;
    }
    window
        .click_in(Some("Add a step"), "button", "Done")
        .await?;
    window.stores(SUM).await?;
    window.click("button", "Export to a file").await?;
    window.see_in("Done just now", "Saved as").await?;
    window.close().await?;
    files(home)?
        .into_iter()
        .find(|file| file.to_string_lossy().ends_with(".sonde.yaml"))
        .context("there is an exported file")
}

/// Saves what is filled in under a name.
async fn save_input(window: &Window, name: &str) -> Result<()> {
    press(window, Key::Control, 's').await?;
    window.fill("Save these values as", name).await?;
    window.keys(&char::from(Key::Enter).to_string()).await?;
    window
        .find("button", &format!("Saved inputs: {name}"))
        .await?;
    Ok(())
}

/// The window in which the presentation is given.
pub(crate) struct Stage<'a> {
    pub(crate) window: &'a Window,
    pub(crate) hand: Hand,
    /// Number of steps in the presentation.
    pub(crate) steps: usize,
    /// For the names of the pictures.
    pub(crate) look: String,
}

impl Stage<'_> {
    /// All steps once. `unknown`: the program of the other server has to be confirmed before the first step.
    async fn give(&self, theme: &str, unknown: bool) -> Result<()> {
        let window = self.window;
        match self.hand {
            Hand::Keys => {
                self.key(Key::F5).await?;
                // It goes on where it was left.
                if !unknown {
                    self.press("Start over").await?;
                    self.press("Yes, start over").await?;
                }
            }
            Hand::Pointer => window.click("button", "Start Two servers").await?,
        }
        if unknown {
            window
                .see("Start the program for “everything” on this computer?")
                .await?;
            window.see("mcp-server-everything").await?;
            self.look_at("confirm").await?;
            self.press("Start this program").await?;
            window.see("Ready to begin").await?;
            self.press("Begin").await?;
        }
        self.step(1, GREETING).await?;
        self.wear(theme).await?;
        self.run().await?;
        window.see("Mind the stairs").await?;
        self.look_at("text").await?;

        self.next().await?;
        self.step(2, LONG).await?;
        self.run().await?;
        window.see("of 8").await?;
        self.look_at("progress").await?;
        window.find("button", "Run again").await?;
        window.see("Long running operation completed").await?;

        self.next().await?;
        self.step(3, PILOT).await?;
        self.run().await?;
        window.see("The pilot wants to know your ship").await?;
        self.look_at("question").await?;
        self.fill("Name of the ship", "Aurora").await?;
        match self.hand {
            Hand::Keys => self.control_enter().await?,
            Hand::Pointer => window.click("button", "Answer").await?,
        }
        window.see("The pilot comes aboard the Aurora").await?;

        self.next().await?;
        self.step(4, SLOW).await?;
        self.run().await?;
        window.see("Working on it…").await?;
        // Later than a double click on Run, which does not stop.
        window
            .until(
                "the time to go on",
                "return /[1-9]/.test(document.querySelector('[role=timer]')?.innerText ?? '')",
            )
            .await?;
        self.press("Stop").await?;
        window.see("Stopped.").await?;
        self.look_at("stopped").await?;

        self.next().await?;
        self.step(5, DOOR).await?;
        self.run().await?;
        window.see("That did not work.").await?;
        window.see("does not move").await?;
        self.look_at("error").await?;

        self.next().await?;
        self.step(6, SUM).await?;
        self.fill("A", "19").await?;
        self.fill("B", "23").await?;
        match self.hand {
            Hand::Keys => self.control_enter().await?,
            Hand::Pointer => self.run().await?,
        }
        window.see("The sum of 19 and 23 is 42").await?;
        self.look_at("sum").await?;

        self.press("All steps").await?;
        window.find("button", &format!("1 {GREETING}…")).await?;
        self.look_at("steps").await?;
        match self.hand {
            // The first time closes what is open, the second time asks, since something was run.
            Hand::Keys => {
                self.key(Key::Escape).await?;
                window.see("The sum of 19 and 23 is 42").await?;
                self.key(Key::Escape).await?;
                window.see("Leave the presentation?").await?;
                self.look_at("leaving").await?;
                self.key(Key::Enter).await?;
            }
            Hand::Pointer => window.click("button", "Leave").await?,
        }
        window.see("Prepare a presentation").await
    }

    /// Waits until a step is on show.
    pub(crate) async fn step(&self, place: usize, title: &str) -> Result<()> {
        self.window
            .see(&format!("Step {place} of {}", self.steps))
            .await?;
        self.window
            .until_with(
                &format!("the title “{title}”"),
                "return document.querySelector('main h1')?.innerText.trim() === arguments[0]",
                vec![json!(title)],
            )
            .await?;
        Ok(())
    }

    /// Takes the theme, unless it is there already.
    pub(crate) async fn wear(&self, theme: &str) -> Result<()> {
        let other = if theme == "dark" { "Light" } else { "Dark" };
        let offers =
            format!("return !!document.querySelector('[aria-label=\"{other} background\"]')");
        if self.window.js(&offers, vec![]).await? != json!(true) {
            let wanted = if theme == "dark" { "Dark" } else { "Light" };
            self.press(&format!("{wanted} background")).await?;
            self.window.until("the other theme", &offers).await?;
            if self.hand == Hand::Keys {
                self.tab_to("Run").await?;
            }
        }
        Ok(())
    }

    pub(crate) async fn next(&self) -> Result<()> {
        match self.hand {
            Hand::Keys => self.key(Key::PageDown).await,
            Hand::Pointer => self.window.click("button", "Next").await,
        }
    }

    pub(crate) async fn run(&self) -> Result<()> {
        match self.hand {
            Hand::Keys => {
                self.window
                    .until(
                        "the button to have the focus",
                        "return document.activeElement.innerText.trim() === 'Run' && !document.activeElement.disabled",
                    )
                    .await?;
                self.key(Key::Enter).await
            }
            Hand::Pointer => self.window.click("button", "Run").await,
        }
    }

    pub(crate) async fn press(&self, button: &str) -> Result<()> {
        match self.hand {
            Hand::Keys => {
                self.window.find("button", button).await?;
                self.tab_to(button).await?;
                self.key(Key::Enter).await
            }
            Hand::Pointer => self.window.click("button", button).await,
        }
    }

    async fn fill(&self, field: &str, text: &str) -> Result<()> {
        match self.hand {
            Hand::Keys => {
                self.window.find("field", &format!("{field}…")).await?;
                self.tab_to(field).await?;
                press(self.window, Key::Control, 'a').await?;
                self.window.keys(text).await
            }
            Hand::Pointer => self.window.fill(&format!("{field}…"), text).await,
        }
    }

    pub(crate) async fn key(&self, key: Key) -> Result<()> {
        self.window.keys(&char::from(key).to_string()).await
    }

    async fn control_enter(&self) -> Result<()> {
        press(self.window, Key::Control, char::from(Key::Enter)).await
    }

    /// Goes on with the Tab key until something of this name has the focus.
    async fn tab_to(&self, name: &str) -> Result<()> {
        const NAME: &str = "const at = document.activeElement;
            const name = at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.innerText ?? '';
            return name.replace('*', '').replace(/\\s+/g, ' ').trim()";
        for _ in 0..60 {
            let at = self.window.js(NAME, vec![]).await?;
            let at = at.as_str().unwrap_or_default();
            if at == name || at == format!("{name} required") {
                return Ok(());
            }
            self.key(Key::Tab).await?;
        }
        bail!("the Tab key does not lead to “{name}”")
    }

    /// Takes a picture in each theme, and axe finds nothing there; no word of Sonde's own is a term of the protocol.
    pub(crate) async fn look_at(&self, what: &str) -> Result<()> {
        let terms: Vec<String> =
            serde_json::from_str(include_str!("../../../ui/tests/protocolTerms.json"))?;
        let found = self
            .window
            .js(
                &format!(
                    "const words = (() => {{ {} }})();
                     const technical = new RegExp(`(^|[^\\\\p{{L}}\\\\d])(${{arguments[0]}})($|[^\\\\p{{L}}\\\\d])`, 'iu');
                     return {{ count: words.length, technical: words.filter((said) => technical.test(said)) }};",
                    include_str!("../../../ui/tests/ownWords.js")
                ),
                vec![json!(terms.join("|"))],
            )
            .await?;
        ensure!(
            found["count"].as_u64() > Some(3),
            "the words of the presentation were not found: {found}"
        );
        ensure!(
            found["technical"] == json!([]),
            "{what}: {}",
            found["technical"]
        );
        let worn = self.window.js(THEME, vec![json!(null)]).await?;
        // That which is worn comes last, so that it is still worn afterwards.
        let mut themes = ["dark", "light"];
        themes.sort_by_key(|theme| worn == json!(theme));
        for theme in themes {
            self.window.js(THEME, vec![json!(theme)]).await?;
            let name = format!("give-{what}-{}-in-{theme}", self.look);
            self.window.shot(&name).await?;
            let wrong = axe(self.window).await?;
            ensure!(wrong.is_empty(), "{name}: {wrong:#?}");
        }
        self.window.js(THEME, vec![worn]).await?;
        Ok(())
    }
}

/// Starts the app as the system does for a link or a file, while it runs.
#[expect(
    clippy::disallowed_methods,
    reason = "the app itself, as the system starts it"
)]
pub(super) async fn open_with(window: &Window, argument: impl AsRef<OsStr>) -> Result<()> {
    let mut second = tokio::process::Command::new(std::env::var("SONDE_APP")?);
    second
        .arg(argument)
        .env("SONDE_DATA_DIR", window.data_folder());
    let mut second = processes::spawn(&mut second)?;
    let status = timeout(*LIMIT, second.wait())
        .await
        .context("the second instance stayed")??;
    assert!(status.success(), "{status}");
    Ok(())
}

/// Starts the app with these data and a home of its own, where exported files go.
async fn start(data: &Path, home: &Path) -> Result<Window> {
    let environment = [
        ("HOME", home.to_owned()),
        ("XDG_CONFIG_HOME", home.join(".config")),
    ];
    Window::start(Start {
        data: Some(data.to_owned()),
        env: environment
            .map(|(name, folder)| (name.to_owned(), folder.display().to_string()))
            .into(),
        ..Start::default()
    })
    .await
}

async fn add_step(window: &Window, tool: &str) -> Result<()> {
    window.fill("Search the tools of all servers", tool).await?;
    window
        .click_in(Some("Add a step"), "option", &format!("{tool}…"))
        .await
}

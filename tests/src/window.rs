//! The built app in its real window, driven through WebKitWebDriver.
//!
//! Elements are found by role and accessible name, as a person with a screen reader finds them, so
//! that a test reads like what a user does and breaks when a name is lost. Every wait has a limit.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use fantoccini::{
    Client, Locator,
    actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
    elements::{Element, ElementRef},
    error::CmdError,
    key::Key,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    LIMIT,
    driver::{Desktop, Driver},
    processes::{self, Process},
    x11,
};

/// For how long is clicked on what moves, is drawn anew or has something above it.
const CLICKING: Duration = Duration::from_secs(30);
/// How often a wait looks again.
const LOOK: Duration = Duration::from_millis(50);
/// The member of a JSON object that refers to an element (WebDriver, section 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A running app.
pub struct Window {
    /// The WebDriver session, for what the methods here do not cover.
    pub client: Client,
    driver: Driver,
    app: Process,
    data: Data,
    shots: PathBuf,
    ended: bool,
}

enum Data {
    Own(TempDir),
    Given(PathBuf),
}

/// How to start the app.
#[derive(Default)]
pub struct Start {
    /// The program; the one that `SONDE_APP` names by default.
    pub app: Option<String>,
    /// The app's data folder; a fresh one by default.
    pub data: Option<PathBuf>,
    /// The arguments with which `gio` has the desktop start the app, for example `open` and an address.
    pub desktop: Option<Vec<String>>,
    /// Environment on top of the test's own.
    pub env: Vec<(String, String)>,
    /// Where screenshots go; `artifacts/e2e` by default.
    pub shots: Option<PathBuf>,
    /// The window keeps the size with which it comes up, instead of 1280x800.
    pub as_left: bool,
}

impl Window {
    /// Starts the app named by `SONDE_APP` with fresh data and waits until its page is there.
    pub async fn open() -> Result<Window> {
        Window::start(Start::default()).await
    }

    /// Starts the app and waits until its page is there.
    pub async fn start(start: Start) -> Result<Window> {
        let app = match start.app {
            Some(app) => app,
            None => std::env::var("SONDE_APP")
                .context("SONDE_APP must name the built app; `cargo xtask test` sets it")?,
        };
        let data = match start.data {
            Some(folder) => Data::Given(folder),
            None => Data::Own(tempfile::Builder::new().prefix("sonde-e2e-").tempdir()?),
        };
        let desktop = start.desktop.as_deref().map(Desktop::new).transpose()?;
        let mut driver = Driver::start(start.env, data.path())?;
        let (client, process) = match driver.open(&app, desktop.as_ref()).await {
            Ok(opened) => opened,
            Err(error) => {
                driver.kill();
                return Err(error);
            }
        };
        let shots = start.shots.unwrap_or_else(|| root().join("artifacts/e2e"));
        std::fs::create_dir_all(&shots)?;
        let window = Window {
            client,
            driver,
            app: process,
            data,
            shots,
            ended: false,
        };
        if !start.as_left {
            window.resize(1280, 800).await?;
        }
        window
            .until(
                "the page to be ready",
                "return document.readyState === 'complete' && !!document.querySelector('main')",
            )
            .await?;
        Ok(window)
    }

    /// The app's data folder.
    #[must_use]
    pub fn data_folder(&self) -> &Path {
        self.data.path()
    }

    /// The app's process.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.app
    }

    /// Sets the window's size in CSS pixels, and waits until the page has it.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.client.set_window_size(width, height).await?;
        self.until_with(
            &format!("the page to be {width}x{height}"),
            "return innerWidth === arguments[0] && innerHeight === arguments[1]",
            vec![json!(width), json!(height)],
        )
        .await?;
        Ok(())
    }

    /// Runs a script as the body of a function in the page.
    pub async fn js(&self, script: &str, args: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(script, args).await?)
    }

    /// Waits until a script answers something true.
    pub async fn until(&self, what: &str, script: &str) -> Result<Value> {
        self.until_with(what, script, vec![]).await
    }

    /// Waits until a script with arguments answers something true.
    pub async fn until_with(&self, what: &str, script: &str, args: Vec<Value>) -> Result<Value> {
        let waiting = async {
            loop {
                let value = match self.client.execute(script, args.clone()).await {
                    // What it found was drawn anew at that moment.
                    Err(error) if error.is_stale_element_reference() => Value::Null,
                    answer => answer?,
                };
                if !matches!(value, Value::Null | Value::Bool(false)) {
                    return Ok::<_, anyhow::Error>(value);
                }
                sleep(LOOK).await;
            }
        };
        match timeout(LIMIT, waiting).await {
            Ok(value) => value,
            Err(_) => {
                self.shot("timeout").await.ok();
                let page = self.js("return document.body.innerText", vec![]).await;
                let page = page
                    .ok()
                    .and_then(|v| v.as_str().map(str::to_owned))
                    .unwrap_or_default();
                bail!(
                    "waited {LIMIT:?} in vain for {what} (the app {}); the window says:\n{page}",
                    if self.app.runs() { "runs" } else { "has ended" }
                )
            }
        }
    }

    /// Waits for an element with this role and accessible name that is not disabled. A name that ends
    /// in `…` is a prefix.
    pub async fn find(&self, role: &str, name: &str) -> Result<Element> {
        self.find_in(None, role, name).await
    }

    /// Waits for an element inside a labelled region.
    pub async fn find_in(&self, region: Option<&str>, role: &str, name: &str) -> Result<Element> {
        let what = format!(
            "{role} “{name}”{}",
            region.map(|r| format!(" in “{r}”")).unwrap_or_default()
        );
        let found = self
            .until_with(
                &what,
                include_str!("window.js"),
                vec![json!(role), json!(name), json!(region)],
            )
            .await?;
        let id = found
            .get(ELEMENT)
            .and_then(Value::as_str)
            .with_context(|| format!("{what} is no element"))?;
        Ok(Element::from_element_id(
            self.client.clone(),
            ElementRef::from(id.to_owned()),
        ))
    }

    /// Clicks an element with this role and name.
    pub async fn click(&self, role: &str, name: &str) -> Result<()> {
        self.click_in(None, role, name).await
    }

    async fn is_selected(&self, region: Option<&str>, tab: &str) -> Result<bool> {
        let tab = self.find_in(region, "tab", tab).await?;
        Ok(tab.attr("aria-selected").await?.as_deref() == Some("true"))
    }

    /// Clicks an element inside a labelled region.
    pub async fn click_in(&self, region: Option<&str>, role: &str, name: &str) -> Result<()> {
        // The element may be drawn anew between finding and clicking it, or move: the user clicks again then.
        let mut last = None;
        let begun = Instant::now();
        while begun.elapsed() < CLICKING {
            match self.hit(self.find_in(region, role, name).await?).await {
                Ok(true) if role != "tab" || self.is_selected(region, name).await? => return Ok(()),
                Ok(_) => {}
                Err(error) => last = Some(error),
            }
            sleep(LOOK).await;
        }
        Err(self.missed(last).await).with_context(|| format!("clicking {role} “{name}”"))
    }

    /// Presses an element, moves the pointer by so many CSS pixels, in as many equal moves, and lets go.
    pub async fn drag(&self, element: Element, (x, y): (f64, f64), moves: u32) -> Result<()> {
        let part = f64::from(moves);
        let pressed = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveToElement {
                element,
                duration: None,
                x: 0.0,
                y: 0.0,
            })
            .then(PointerAction::Down {
                button: MOUSE_BUTTON_LEFT,
            });
        let moved = (0..moves).fold(pressed, |drag, _| {
            drag.then(PointerAction::MoveBy {
                duration: None,
                x: x / part,
                y: y / part,
            })
        });
        let drag = moved.then(PointerAction::Up {
            button: MOUSE_BUTTON_LEFT,
        });
        Ok(self.client.perform_actions(drag).await?)
    }

    /// Waits for the element that a CSS selector or XPath finds, and clicks it: for what has no role and name of its own.
    pub async fn click_on(&self, place: Locator<'_>) -> Result<()> {
        let mut last = None;
        let begun = Instant::now();
        while begun.elapsed() < CLICKING {
            match self.hit(self.locate(place).await?).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => last = Some(error),
            }
            sleep(LOOK).await;
        }
        Err(self.missed(last).await).with_context(|| format!("clicking {place:?}"))
    }

    /// Waits for the element that a CSS selector or XPath finds.
    async fn locate(&self, place: Locator<'_>) -> Result<Element> {
        let begun = Instant::now();
        loop {
            match self.client.find(place).await {
                // What it found was drawn anew at that moment.
                Err(error)
                    if (error.is_no_such_element() || error.is_stale_element_reference())
                        && begun.elapsed() < LIMIT =>
                {
                    sleep(LOOK).await;
                }
                found => return found.with_context(|| format!("waiting for {place:?}")),
            }
        }
    }

    /// Why nothing was clicked, with a picture of it.
    async fn missed(&self, last: Option<anyhow::Error>) -> anyhow::Error {
        let _ = self.shot("missed").await;
        // An error of the driver may have no words, but always has a kind.
        last.map_or_else(
            || anyhow!("each click missed it"),
            |error| match error.downcast_ref::<CmdError>() {
                Some(error) => anyhow!("{error:?}"),
                None => error,
            },
        )
    }

    /// Clicks an element. `false` if something else was there at that moment, since the page was laid out anew, or if the
    /// click arrived nowhere, as it can while a frame changes its size. A press that is let go of beside the element, as it
    /// has moved meanwhile, is a click on what both are in.
    async fn hit(&self, element: Element) -> Result<bool> {
        let wanted = json!({ ELEMENT: element.element_id().as_ref() });
        self.js(
            "const [wanted] = arguments; \
             window.clickMissed = 'nothing was clicked'; \
             const look = (event) => { window.clickMissed = !event.composedPath().includes(wanted); }; \
             window.addEventListener('click', look, { capture: true, once: true });",
            vec![wanted.clone()],
        )
        .await?;
        if let Err(error) = element.click().await {
            // The driver does not always scroll to what a pane has out of sight.
            let scroll = "document.contains(arguments[0]) && arguments[0].scrollIntoView({ block: 'center' })";
            self.js(scroll, vec![wanted]).await.ok();
            return Err(error.into());
        }
        // The click may have ended the page.
        let missed = self.js("return window.clickMissed", vec![]).await;
        Ok(!matches!(missed, Ok(Value::Bool(true) | Value::String(_))))
    }

    /// Replaces what a field holds, key by key.
    pub async fn fill(&self, field: &str, text: &str) -> Result<()> {
        self.fill_in(None, field, text).await
    }

    /// Replaces what a field inside a labelled region holds.
    pub async fn fill_in(&self, region: Option<&str>, field: &str, text: &str) -> Result<()> {
        // Where the page changes at that moment, once more: nothing that was typed stays then.
        let mut last = None;
        for _ in 0..10 {
            match self.try_fill(region, field, text).await {
                Ok(()) => return Ok(()),
                Err(error) if error.is::<CmdError>() => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| anyhow!("nothing was typed")))
            .with_context(|| format!("typing into “{field}”"))
    }

    async fn try_fill(&self, region: Option<&str>, field: &str, text: &str) -> Result<()> {
        self.click_in(region, "field", field).await?;
        let element = self.find_in(region, "field", field).await?;
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        element.send_keys(&all).await?;
        element
            .send_keys(&char::from(Key::Backspace).to_string())
            .await?;
        if !text.is_empty() {
            element.send_keys(text).await?;
        }
        Ok(())
    }

    /// What a field holds.
    pub async fn value(&self, field: &str) -> Result<String> {
        let value = self.find("field", field).await?.prop("value").await?;
        Ok(value.unwrap_or_default())
    }

    /// Presses keys where the focus is.
    pub async fn keys(&self, keys: &str) -> Result<()> {
        // A button that has nothing left to do keeps the focus, and the driver types into nothing that is disabled.
        // What a user types there goes to the page.
        const LEAVE: &str =
            "if (document.activeElement.matches(':disabled')) document.activeElement.blur()";
        let mut last = None;
        for _ in 0..10 {
            self.js(LEAVE, vec![]).await?;
            match self.client.active_element().await?.send_keys(keys).await {
                // Disabled a moment after it was looked at: nothing was typed.
                Err(error) if error.is_element_not_interactable() => last = Some(error),
                done => return Ok(done?),
            }
            sleep(LOOK).await;
        }
        Err(last.map_or_else(|| anyhow!("no key was taken"), Into::into))
    }

    /// Waits until the element with this role and name has the focus.
    pub async fn has_focus(&self, role: &str, name: &str) -> Result<()> {
        self.until_with(
            &format!("{role} “{name}” to have the focus"),
            &focused(),
            vec![json!(role), json!(name), Value::Null],
        )
        .await?;
        Ok(())
    }

    /// Presses a key again and again until the element with this role and name has the focus, and answers how
    /// often that was.
    ///
    /// # Errors
    ///
    /// When the key does not lead there.
    pub async fn press_up_to(&self, key: Key, role: &str, name: &str) -> Result<usize> {
        const MOST: usize = 60;
        let wanted = vec![json!(role), json!(name), Value::Null];
        for pressed in 0..=MOST {
            if self.js(&focused(), wanted.clone()).await? == json!(true) {
                return Ok(pressed);
            }
            self.keys(&char::from(key).to_string()).await?;
        }
        self.shot("not-reached").await.ok();
        bail!("{MOST} times {key:?} lead to no {role} “{name}”")
    }

    /// Puts a text into the clipboard, as if it had been copied in another program.
    pub async fn copy(&self, text: &str) -> Result<x11::Copied> {
        let text = text.to_owned();
        tokio::task::spawn_blocking(move || x11::copy(&text)).await?
    }

    /// Waits until the clipboard holds a text that begins so, and answers it as another program gets it.
    pub async fn copied(&self, begin: &str) -> Result<String> {
        let looking = async {
            loop {
                let text = tokio::task::spawn_blocking(x11::clipboard).await??;
                if let Some(text) = text.filter(|text| text.starts_with(begin)) {
                    return Ok::<_, anyhow::Error>(text);
                }
                sleep(LOOK).await;
            }
        };
        timeout(LIMIT, looking)
            .await
            .with_context(|| format!("waited {LIMIT:?} for “{begin}…” in the clipboard"))?
    }

    /// Waits until this text is visible in the window.
    pub async fn see(&self, text: &str) -> Result<()> {
        self.until_with(
            &format!("the text “{text}”"),
            "return document.body.innerText.replace(/\\s+/g, ' ').toLowerCase().includes(arguments[0].toLowerCase())",
            vec![json!(text)],
        )
        .await?;
        Ok(())
    }

    /// Waits until this text is not visible.
    pub async fn see_not(&self, text: &str) -> Result<()> {
        self.until_with(
            &format!("the text “{text}” to go"),
            "return !document.body.innerText.replace(/\\s+/g, ' ').toLowerCase().includes(arguments[0].toLowerCase())",
            vec![json!(text)],
        )
        .await?;
        Ok(())
    }

    /// Waits until a labelled region shows this text, spaces apart.
    pub async fn see_in(&self, region: &str, text: &str) -> Result<()> {
        let find = include_str!("window.js");
        let script = format!(
            "const region = (function () {{ {find} }})('region', '', arguments[0]);
             return !!region && region.innerText.replace(/\\s+/g, ' ').includes(arguments[1]);"
        );
        self.until_with(
            &format!("“{text}” in “{region}”"),
            &script,
            vec![json!(region), json!(text)],
        )
        .await?;
        Ok(())
    }

    /// Waits until a file of the app holds this text.
    pub async fn stores(&self, text: &str) -> Result<()> {
        let folder = self.data_folder();
        let waiting = async {
            loop {
                let files = files(folder)?;
                let found = files.iter().any(|file| {
                    std::fs::read(file)
                        .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
                });
                if found {
                    return Ok(());
                }
                sleep(LOOK).await;
            }
        };
        match timeout(LIMIT, waiting).await {
            Ok(stored) => stored,
            Err(_) => bail!(
                "waited {LIMIT:?} for “{text}” in a file of the app; there are {:?}",
                files(folder)?
            ),
        }
    }

    /// All the visible text.
    pub async fn text(&self) -> Result<String> {
        let text = self.js("return document.body.innerText", vec![]).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Saves a screenshot under this name.
    pub async fn shot(&self, name: &str) -> Result<PathBuf> {
        // What was changed a moment ago is not painted yet. Painting may be suspended altogether.
        let painted = "const done = arguments[arguments.length - 1];
             let late = setTimeout(done, 500);
             requestAnimationFrame(() => requestAnimationFrame(() => {
               clearTimeout(late);
               late = setTimeout(done, 50);
             }));";
        self.client.execute_async(painted, vec![]).await?;
        let path = self.shots.join(format!("{name}.png"));
        std::fs::write(&path, self.client.screenshot().await?)?;
        Ok(path)
    }

    /// Closes the window as its user does, and waits for the end of the app and of everything that it
    /// started.
    ///
    /// # Errors
    ///
    /// When the app had ended before, or when anything stays.
    pub async fn close(self) -> Result<()> {
        ensure!(
            self.app.runs(),
            "the app ended before its window was closed; {}",
            self.driver.report()
        );
        // Not by the driver: its end of a session leaves an app that is busy running.
        let pid = self.app.pid;
        let asking = async {
            while tokio::task::spawn_blocking(move || x11::close_windows(pid)).await?? == 0 {
                sleep(LOOK).await;
            }
            Ok::<_, anyhow::Error>(())
        };
        match timeout(LIMIT, asking).await {
            Ok(asked) => asked?,
            Err(_) => bail!(
                "waited {LIMIT:?} for a window of the app ({}) on the screen; {}",
                self.app.describe(),
                self.driver.report()
            ),
        }
        if timeout(LIMIT, self.app.ended()).await.is_err() {
            bail!(
                "closed the window, and waited {LIMIT:?} in vain for the app to end ({}); {}",
                self.app.describe(),
                self.driver.report()
            );
        }
        self.end().await
    }

    /// Waits until the app has a window of this title on the screen, whatever its page is doing.
    pub async fn titled(&self, title: &str) -> Result<()> {
        let pid = self.app.pid;
        let looking = async {
            while !tokio::task::spawn_blocking(move || x11::titles(pid))
                .await??
                .iter()
                .any(|each| each == title)
            {
                sleep(LOOK).await;
            }
            Ok::<_, anyhow::Error>(())
        };
        timeout(LIMIT, looking)
            .await
            .with_context(|| format!("waited {LIMIT:?} for a window with the title “{title}”"))?
    }

    /// Kills the app and waits for its end. [`Window::end`] has to follow.
    pub async fn kill(&self) -> Result<()> {
        self.app.kill();
        match timeout(LIMIT, self.app.ended()).await {
            Ok(ended) => ended,
            Err(_) => bail!("waited {LIMIT:?} for the killed app to be gone"),
        }
    }

    /// Ends the driver of an app that is gone, and waits for the end of everything that either
    /// started.
    ///
    /// # Errors
    ///
    /// When anything stays.
    pub async fn end(mut self) -> Result<()> {
        self.driver.end().await?;
        let left = processes::outlive(&processes::strays()?, LIMIT).await?;
        ensure!(
            left.is_empty(),
            "outlived the app and its driver by {LIMIT:?}:\n{}",
            processes::describe(&left)
        );
        self.ended = true;
        Ok(())
    }
}

/// A test that failed leaves nothing behind either.
impl Drop for Window {
    fn drop(&mut self) {
        if !self.ended {
            self.driver.kill();
            for process in processes::strays().unwrap_or_default() {
                process.kill();
            }
        }
    }
}

impl Data {
    fn path(&self) -> &Path {
        match self {
            Data::Own(folder) => folder.path(),
            Data::Given(folder) => folder,
        }
    }
}

/// Whether the element that `window.js` finds has the focus, in JavaScript.
fn focused() -> String {
    let find = include_str!("window.js");
    format!(
        "const found = (function () {{ {find} }})(...arguments);
         return !!found && found === document.activeElement;"
    )
}

/// The project's root folder.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// All files below a folder.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    Ok(found)
}

//! The built app in its real window, driven through WebKitWebDriver.
//!
//! Elements are found by role and accessible name, as a person with a screen reader finds them, so that a test reads
//! like a user's actions and breaks when a name is lost. Every wait has a limit.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use fantoccini::{
    Client, Locator,
    actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
    elements::{Element, ElementRef},
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

/// Interval for polling in a wait.
const LOOK: Duration = Duration::from_millis(50);
/// The member of a JSON object that refers to an element (WebDriver, section 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Waits until the page has no pending work.
const IDLE: &str = "const done = arguments[arguments.length - 1];
    Promise.resolve(window.sondeIdle?.()).then(() => done(), () => done());";
/// Defines the function `find` in the page.
const FIND: &str = concat!(
    "const find = function () {",
    include_str!("window.js"),
    "};"
);
/// Presses an element, in JavaScript.
const PRESS: &str = concat!(
    "const find = function () {",
    include_str!("window.js"),
    "};",
    include_str!("press.js")
);
/// Notes whether the next click hits an element, in JavaScript.
const WATCH: &str = "const [wanted] = arguments;
    window.clickHit = false;
    addEventListener('click', (event) => (window.clickHit = event.composedPath().includes(wanted)), { capture: true, once: true });";

/// A running app.
pub struct Window {
    /// The WebDriver session, for actions without a method here.
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

/// Options for starting the app.
#[derive(Default)]
pub struct Start {
    /// The program; by default the one in `SONDE_APP`.
    pub app: Option<String>,
    /// The app's data folder; by default a new one.
    pub data: Option<PathBuf>,
    /// The arguments with which `gio` has the desktop start the app, for example `open` and an address.
    pub desktop: Option<Vec<String>>,
    /// Environment in addition to the test's own.
    pub env: Vec<(String, String)>,
    /// Folder for screenshots; `artifacts/e2e` by default.
    pub shots: Option<PathBuf>,
    /// Keeps the window's first size instead of 1280x800.
    pub as_left: bool,
    /// Draws the page as the app chooses for this machine. By default it has layers: without them, a driver's
    /// screenshot of a page that does not change waits for a frame that never comes.
    pub draws_as_shipped: bool,
}

impl Window {
    /// Starts the app of `SONDE_APP` with new data and waits until its page is there.
    pub async fn open() -> Result<Window> {
        Window::start(Start::default()).await
    }

    /// Starts the app of `SONDE_APP` with these data and waits until its page is there.
    pub async fn open_with(data: &Path) -> Result<Window> {
        Window::start(Start {
            data: Some(data.to_owned()),
            ..Start::default()
        })
        .await
    }

    /// Starts the app and waits until its page is there.
    pub async fn start(start: Start) -> Result<Window> {
        let mut env = start.env;
        if !start.draws_as_shipped {
            env.push(("WEBKIT_DISABLE_COMPOSITING_MODE".to_owned(), "0".to_owned()));
        }
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
        let mut driver = Driver::start(env, data.path())?;
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
                "return document.readyState === 'complete' && !!document.querySelector('main') && !!window.sondeIdle",
            )
            .await?;
        Ok(window)
    }

    /// Returns the app's data folder.
    #[must_use]
    pub fn data_folder(&self) -> &Path {
        self.data.path()
    }

    /// Returns the app's process.
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

    /// Waits until a script returns a true value.
    pub async fn until(&self, what: &str, script: &str) -> Result<Value> {
        self.until_with(what, script, vec![]).await
    }

    /// Waits until a script with arguments returns a true value.
    pub async fn until_with(&self, what: &str, script: &str, args: Vec<Value>) -> Result<Value> {
        let waiting = async {
            loop {
                let value = match self.client.execute(script, args.clone()).await {
                    // The element that it found was rendered again at that moment.
                    Err(error) if error.is_stale_element_reference() => Value::Null,
                    answer => answer?,
                };
                if !matches!(value, Value::Null | Value::Bool(false)) {
                    return Ok::<_, anyhow::Error>(value);
                }
                sleep(LOOK).await;
            }
        };
        match timeout(*LIMIT, waiting).await {
            Ok(value) => value,
            Err(_) => Err(self
                .failed(&format!("waited {LIMIT:?} in vain for {what}"))
                .await),
        }
    }

    /// Waits until the page has no pending work, so that no action meets a page that is about to change.
    async fn idle(&self) {
        // If the page is closed meanwhile, the action itself notices that.
        self.client.execute_async(IDLE, vec![]).await.ok();
    }

    /// Saves the evidence of a failure, and returns the error.
    async fn failed(&self, problem: &str) -> anyhow::Error {
        let page = self.text().await.unwrap_or_default();
        let folder = evidence();
        let saved = async {
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join("page.txt"), format!("{problem}\n\n{page}"))?;
            std::fs::write(folder.join("page.png"), self.client.screenshot().await?)?;
            anyhow::Ok(())
        };
        saved.await.ok();
        anyhow!(
            "{problem} (the app {}; see {}); the window says:\n{page}",
            if self.app.runs() { "runs" } else { "has ended" },
            folder.display()
        )
    }

    /// Waits for an element with this role and accessible name that is not disabled. A name that ends
    /// in `…` is a prefix.
    pub async fn find(&self, role: &str, name: &str) -> Result<Element> {
        self.find_in(None, role, name).await
    }

    /// Waits for an element inside a labelled region.
    pub async fn find_in(&self, region: Option<&str>, role: &str, name: &str) -> Result<Element> {
        let what = called(region, role, name);
        self.idle().await;
        let args = vec![json!(role), json!(name), json!(region)];
        let found = self
            .until_with(&what, include_str!("window.js"), args)
            .await?;
        self.element(&found)
            .with_context(|| format!("{what} is no element"))
    }

    /// Returns the element that a script has returned.
    fn element(&self, answer: &Value) -> Option<Element> {
        let id = ElementRef::from(answer.get(ELEMENT)?.as_str()?.to_owned());
        Some(Element::from_element_id(self.client.clone(), id))
    }

    /// Clicks an element with this role and name.
    pub async fn click(&self, role: &str, name: &str) -> Result<()> {
        self.click_in(None, role, name).await
    }

    /// Clicks an element inside a labelled region.
    pub async fn click_in(&self, region: Option<&str>, role: &str, name: &str) -> Result<()> {
        self.press(region, role, name, false).await.map(drop)
    }

    /// Presses an element in the page, as soon as it exists and nothing covers it. `select` selects all of its text,
    /// and returns it.
    async fn press(
        &self,
        region: Option<&str>,
        role: &str,
        name: &str,
        select: bool,
    ) -> Result<Option<Element>> {
        let args = vec![json!(role), json!(name), json!(region), json!(select)];
        let begun = Instant::now();
        loop {
            let missed = match self.client.execute_async(PRESS, args.clone()).await {
                Ok(Value::String(missed)) => missed,
                Ok(answer) => return Ok(self.element(&answer)),
                // The page may have been closed and loaded again meanwhile.
                Err(error) => format!("{error:?}"),
            };
            if begun.elapsed() > *LIMIT {
                let what = called(region, role, name);
                return Err(self
                    .failed(&format!("nobody can press {what}: {missed}"))
                    .await);
            }
            sleep(LOOK).await;
        }
    }

    /// Clicks with the driver's pointer, which counts as the user's own, for actions that require it.
    pub async fn click_native(&self, role: &str, name: &str) -> Result<()> {
        self.hit(role, async || self.find(role, name).await).await
    }

    /// Clicks with the driver's pointer on the element of a CSS selector, for example inside a frame.
    pub async fn click_native_on(&self, selector: &str) -> Result<()> {
        let find = async || Ok(self.client.find(Locator::Css(selector)).await?);
        self.hit(selector, find).await
    }

    /// Clicks until the element was hit: it may move between finding it and the click, and a click can be lost while a
    /// frame changes its size.
    async fn hit(&self, what: &str, find: impl AsyncFn() -> Result<Element>) -> Result<()> {
        let click = async || {
            let element = find().await?;
            let wanted = json!({ ELEMENT: element.element_id().as_ref() });
            self.js(WATCH, vec![wanted]).await?;
            element.click().await?;
            // The click may have ended the page.
            Ok(self.js("return window.clickHit", vec![]).await.ok() != Some(json!(false)))
        };
        let begun = Instant::now();
        loop {
            let missed = match click().await {
                Ok(true) => return Ok(()),
                Ok(false) => anyhow!("the click missed it"),
                Err(error) => error,
            };
            if begun.elapsed() > *LIMIT {
                return Err(self.failed(&format!("clicking {what}: {missed:?}")).await);
            }
            sleep(LOOK).await;
        }
    }

    /// Presses an element, moves the pointer by these CSS pixels in `moves` equal moves, and releases it.
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

    /// Replaces the text of a field, key by key.
    pub async fn fill(&self, field: &str, text: &str) -> Result<()> {
        self.fill_in(None, field, text).await
    }

    /// Replaces the text of a field inside a labelled region.
    pub async fn fill_in(&self, region: Option<&str>, field: &str, text: &str) -> Result<()> {
        let pressed = self.press(region, "field", field, true).await?;
        let element = pressed.with_context(|| format!("“{field}” is no element"))?;
        let keys = match text {
            "" => &char::from(Key::Backspace).to_string(),
            text => text,
        };
        element
            .send_keys(keys)
            .await
            .with_context(|| format!("typing into “{field}”"))
    }

    /// Chooses an option of a drop-down list by its value. An option whose value is its text has no attribute with it.
    pub async fn pick(&self, field: &str, value: &str) -> Result<()> {
        let list = self.find("field", field).await?;
        let place = self
            .js(
                "return [...arguments[0].options].findIndex((option) => option.value === arguments[1])",
                vec![serde_json::to_value(&list)?, json!(value)],
            )
            .await?;
        let place = place
            .as_u64()
            .with_context(|| format!("{field} has no option {value}"))?;
        Ok(list.select_by_index(usize::try_from(place)?).await?)
    }

    /// Returns the value of a field.
    pub async fn value(&self, field: &str) -> Result<String> {
        let value = self.find("field", field).await?.prop("value").await?;
        Ok(value.unwrap_or_default())
    }

    /// Presses keys where the focus is.
    pub async fn keys(&self, keys: &str) -> Result<()> {
        // A disabled button keeps the focus, and the driver refuses to type into disabled elements. A real user's keys
        // would go to the page.
        const LEAVE: &str =
            "if (document.activeElement.matches(':disabled')) document.activeElement.blur()";
        let begun = Instant::now();
        loop {
            self.idle().await;
            self.js(LEAVE, vec![]).await?;
            match self.client.active_element().await?.send_keys(keys).await {
                // The element was disabled after the check, and nothing was typed.
                Err(error) if error.is_element_not_interactable() && begun.elapsed() < *LIMIT => {}
                done => return Ok(done?),
            }
            sleep(LOOK).await;
        }
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

    /// Presses a key until the element with this role and name has the focus, and returns the number of presses.
    ///
    /// # Errors
    ///
    /// If the key does not lead there.
    pub async fn press_up_to(&self, key: Key, role: &str, name: &str) -> Result<usize> {
        const MOST: usize = 60;
        let wanted = vec![json!(role), json!(name), Value::Null];
        for pressed in 0..=MOST {
            if self.js(&focused(), wanted.clone()).await? == json!(true) {
                return Ok(pressed);
            }
            self.keys(&char::from(key).to_string()).await?;
        }
        let problem = format!("{MOST} times {key:?} lead to no {role} “{name}”");
        Err(self.failed(&problem).await)
    }

    /// Puts a text into the clipboard, as if it had been copied in another program.
    pub async fn copy(&self, text: &str) -> Result<x11::Copied> {
        let text = text.to_owned();
        tokio::task::spawn_blocking(move || x11::copy(&text)).await?
    }

    /// Waits until the clipboard has a text that begins with `begin`, and returns it as another program gets it.
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
        timeout(*LIMIT, looking)
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

    /// Waits until a labelled region shows this text, ignoring white space.
    pub async fn see_in(&self, region: &str, text: &str) -> Result<()> {
        let script = format!(
            "{FIND} const region = find('region', '', arguments[0]);
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

    /// Waits until a file of the app contains this text.
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
        match timeout(*LIMIT, waiting).await {
            Ok(stored) => stored,
            Err(_) => bail!(
                "waited {LIMIT:?} for “{text}” in a file of the app; there are {:?}",
                files(folder)?
            ),
        }
    }

    /// Returns all visible text.
    pub async fn text(&self) -> Result<String> {
        let text = self.js("return document.body.innerText", vec![]).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Saves a screenshot under this name.
    pub async fn shot(&self, name: &str) -> Result<PathBuf> {
        // A recent change is not painted yet. Painting may be suspended altogether.
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

    /// Closes the window as its user does, and waits for the end of the app and of everything that it started.
    ///
    /// # Errors
    ///
    /// If the app had ended before, or anything it started still runs.
    pub async fn close(self) -> Result<()> {
        ensure!(
            self.app.runs(),
            "the app ended before its window was closed; {}",
            self.driver.report()
        );
        // The driver cannot do this: it ends a session but leaves a busy app running.
        let pid = self.app.pid;
        let asking = async {
            while tokio::task::spawn_blocking(move || x11::close_windows(pid)).await?? == 0 {
                sleep(LOOK).await;
            }
            Ok::<_, anyhow::Error>(())
        };
        match timeout(*LIMIT, asking).await {
            Ok(asked) => asked?,
            Err(_) => bail!(
                "waited {LIMIT:?} for a window of the app ({}) on the screen; {}",
                self.app.describe(),
                self.driver.report()
            ),
        }
        if timeout(*LIMIT, self.app.ended()).await.is_err() {
            bail!(
                "closed the window, and waited {LIMIT:?} in vain for the app to end ({}); {}",
                self.app.describe(),
                self.driver.report()
            );
        }
        self.end().await
    }

    /// Waits until the app has a window with this title on the screen, whatever its page is doing.
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
        timeout(*LIMIT, looking)
            .await
            .with_context(|| format!("waited {LIMIT:?} for a window with the title “{title}”"))?
    }

    /// Kills the app and waits for its end. Call [`Window::end`] afterwards.
    pub async fn kill(&self) -> Result<()> {
        self.app.kill();
        match timeout(*LIMIT, self.app.ended()).await {
            Ok(ended) => ended,
            Err(_) => bail!("waited {LIMIT:?} for the killed app to be gone"),
        }
    }

    /// Saves the output and the logs of a failed test's app.
    fn save_logs(&self) -> Result<()> {
        let folder = evidence();
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("app.txt"), self.driver.report())?;
        for log in files(&self.data_folder().join("logs"))? {
            if let Some(name) = log.file_name() {
                std::fs::copy(&log, folder.join(name))?;
            }
        }
        Ok(())
    }

    /// Ends the driver of an app that has ended, and waits for the end of everything that either started.
    ///
    /// # Errors
    ///
    /// If anything still runs.
    pub async fn end(mut self) -> Result<()> {
        self.driver.end().await?;
        let left = processes::outlive(&processes::strays()?, *LIMIT).await?;
        ensure!(
            left.is_empty(),
            "outlived the app and its driver by {LIMIT:?}:\n{}",
            processes::describe(&left)
        );
        self.ended = true;
        Ok(())
    }
}

/// A failed test leaves nothing behind either.
impl Drop for Window {
    fn drop(&mut self) {
        if !self.ended {
            self.save_logs().ok();
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

/// Returns JavaScript that tells if the element found by `window.js` has the focus.
fn focused() -> String {
    format!(
        "{FIND} const found = find(...arguments);
         return !!found && found === document.activeElement;"
    )
}

/// Describes an element.
fn called(region: Option<&str>, role: &str, name: &str) -> String {
    let place = region.map_or_else(String::new, |region| format!(" in “{region}”"));
    format!("{role} “{name}”{place}")
}

/// Returns the folder for evidence of this test's failure, with dots for the colons of its name.
fn evidence() -> PathBuf {
    let thread = std::thread::current();
    let named = std::env::var("NEXTEST_TEST_NAME").ok();
    let test = named.as_deref().or(thread.name()).unwrap_or("window");
    root().join("artifacts/e2e").join(test.replace("::", "."))
}

/// Returns the project's root folder.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Lists all files below a folder.
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

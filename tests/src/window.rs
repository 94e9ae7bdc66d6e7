//! The built app in its real window, driven through WebKitWebDriver.
//!
//! Elements are found by role and accessible name, as a person with a screen reader finds them, so
//! that a test reads like what a user does and breaks when a name is lost. Every wait has a limit.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail};
use fantoccini::{
    Client, ClientBuilder,
    elements::{Element, ElementRef},
    key::Key,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    process::{Child, Command},
    time::{sleep, timeout},
};

/// How long a wait may take before the test fails. Generous: it only matters when it fails.
const LIMIT: Duration = Duration::from_secs(30);
/// How often a wait looks again.
const LOOK: Duration = Duration::from_millis(50);
/// The member of a JSON object that refers to an element (WebDriver, section 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A running app.
pub struct Window {
    /// The WebDriver session, for what the methods here do not cover.
    pub client: Client,
    driver: Child,
    data: Data,
    shots: PathBuf,
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
    /// Environment on top of the test's own.
    pub env: Vec<(String, String)>,
    /// Where screenshots go; `artifacts/e2e` by default.
    pub shots: Option<PathBuf>,
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
        let port = free_port()?;
        let mut command = driver_command();
        command
            .arg(format!("--port={port}"))
            // Without this the app never answers the driver's request for a session.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("SONDE_DATA_DIR", data.path())
            .envs(start.env)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            // A driver that outlives its test would hold the test runner's pipes for ever.
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let driver = command.spawn().context("starting WebKitWebDriver")?;
        let client = timeout(LIMIT, connect(port, &app))
            .await
            .map_err(|_| anyhow!("the app did not open a window in time"))??;
        let shots = start.shots.unwrap_or_else(|| root().join("artifacts/e2e"));
        std::fs::create_dir_all(&shots)?;
        let window = Window {
            client,
            driver,
            data,
            shots,
        };
        window.resize(1280, 800).await?;
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

    /// Sets the window's size in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.client.set_window_size(width, height).await?;
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
                let value = self.js(script, args.clone()).await?;
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
                bail!("waited in vain for {what}; the window says:\n{page}")
            }
        }
    }

    /// Waits for an element with this role and accessible name. A name that ends in `…` is a
    /// prefix.
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

    /// Clicks an element inside a labelled region.
    pub async fn click_in(&self, region: Option<&str>, role: &str, name: &str) -> Result<()> {
        // The element may be drawn anew between finding and clicking it.
        let mut last = None;
        for _ in 0..10 {
            match self.find_in(region, role, name).await?.click().await {
                Ok(()) => return Ok(()),
                Err(error) => last = Some(error),
            }
            sleep(LOOK).await;
        }
        Err(last.map_or_else(|| anyhow!("no click"), anyhow::Error::from))
            .with_context(|| format!("clicking {role} “{name}”"))
    }

    /// Replaces what a field holds, key by key.
    pub async fn fill(&self, field: &str, text: &str) -> Result<()> {
        self.fill_in(None, field, text).await
    }

    /// Replaces what a field inside a labelled region holds.
    pub async fn fill_in(&self, region: Option<&str>, field: &str, text: &str) -> Result<()> {
        let element = self.find_in(region, "field", field).await?;
        element.click().await?;
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
        self.client.active_element().await?.send_keys(keys).await?;
        Ok(())
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

    /// Ends the session: the driver closes the window, and the app its servers.
    pub async fn close(mut self) -> Result<()> {
        let _ = timeout(Duration::from_secs(20), self.client.clone().close()).await;
        if let Some(pid) = self.driver.id() {
            // The driver ends what it started only on a polite request.
            let _ = kill(pid).await;
        }
        if timeout(Duration::from_secs(10), self.driver.wait())
            .await
            .is_err()
        {
            self.driver.kill().await?;
        }
        Ok(())
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

/// The project's root folder.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the driver is a tool of the tests, not a server"
)]
fn driver_command() -> Command {
    Command::new("WebKitWebDriver")
}

#[expect(clippy::disallowed_methods, reason = "a signal without unsafe code")]
async fn kill(pid: u32) -> std::io::Result<std::process::ExitStatus> {
    Command::new("kill").arg(pid.to_string()).status().await
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

async fn connect(port: u16, app: &str) -> Result<Client> {
    let capabilities = json!({
        "webkitgtk:browserOptions": { "binary": app, "args": [] },
    });
    let Value::Object(capabilities) = capabilities else {
        bail!("capabilities are an object")
    };
    let connector = hyper_util::client::legacy::connect::HttpConnector::new();
    let mut builder = ClientBuilder::new(connector);
    builder.capabilities(capabilities);
    let address = format!("http://127.0.0.1:{port}");
    loop {
        match tokio::net::TcpStream::connect(("127.0.0.1", port)).await {
            Ok(_) => break,
            Err(_) => sleep(LOOK).await,
        }
    }
    builder
        .connect(&address)
        .await
        .context("asking the driver for a session")
}

//! WebKitWebDriver, which starts the app and speaks for its page.

use std::{
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempPath};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::{
    LIMIT,
    port::Port,
    processes::{self, Process},
};

/// Interval for polling whether the driver listens.
const LOOK: Duration = Duration::from_millis(20);
/// Length of the driver's output shown in an error, in bytes.
const TAIL: u64 = 4000;

/// Has the desktop start the app instead of the driver. The driver starts a script in place of the app; the app then
/// finds the driver by the script's environment.
pub(crate) struct Desktop {
    script: TempPath,
}

impl Desktop {
    /// Creates the desktop with these arguments of `gio`.
    pub(crate) fn new(args: &[String]) -> Result<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        let quoted = args
            .iter()
            .map(|arg| format!(" '{}'", arg.replace('\'', "'\\''")));
        // `gio` ends as soon as the app is started, but the driver expects a process that lasts as long as the app.
        let text = format!(
            "#!/bin/sh\ngio{} || exit\nwhile kill -0 \"$PPID\" 2>/dev/null; do sleep 0.1; done\n",
            quoted.collect::<String>()
        );
        let script = NamedTempFile::new()?.into_temp_path();
        std::fs::write(&script, text)?;
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700))?;
        Ok(Self { script })
    }

    fn script(&self) -> &Path {
        &self.script
    }
}

/// A running driver.
pub(crate) struct Driver {
    child: Child,
    process: Process,
    port: Port,
    /// Output of the driver and the app. A file, since a process that outlives a test must not hold a pipe of its
    /// runner.
    output: NamedTempFile,
}

impl Driver {
    /// Starts the driver with these variables in addition to the test's own environment.
    pub(crate) fn start(
        variables: impl IntoIterator<Item = (String, String)>,
        data: &Path,
    ) -> Result<Self> {
        let port = Port::reserve()?;
        let output = NamedTempFile::new()?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the driver is a tool of the tests, not a server"
        )]
        let mut command = Command::new("WebKitWebDriver");
        command
            .arg(format!("--port={}", port.number()))
            // Without this the app never responds to the driver's request for a session.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("SONDE_DATA_DIR", data)
            .envs(variables)
            .stdin(Stdio::null())
            .stdout(output.as_file().try_clone()?)
            .stderr(output.as_file().try_clone()?);
        let child = processes::spawn(&mut command)?;
        let process = child.id().and_then(Process::of);
        Ok(Self {
            process: process.context("WebKitWebDriver ended at once")?,
            child,
            port,
            output,
        })
    }

    /// Starts the app, directly or by the desktop. Returns the session with its page, and its process.
    pub(crate) async fn open(
        &mut self,
        app: &str,
        desktop: Option<&Desktop>,
    ) -> Result<(Client, Process)> {
        let started = desktop.map_or(Path::new(app), Desktop::script);
        match timeout(*LIMIT, self.session(started)).await {
            Ok(Ok(client)) => {
                let parent = match desktop {
                    None => self.process.pid,
                    // The desktop detaches the app, so the test itself adopts it.
                    Some(_) => std::process::id(),
                };
                let process = self.app(app, parent)?;
                Ok((client, process))
            }
            Ok(Err(error)) => Err(error.context(self.report())),
            Err(_) => bail!(
                "waited {LIMIT:?} for {app} to open a window; {}",
                self.report()
            ),
        }
    }

    async fn session(&mut self, app: &Path) -> Result<Client> {
        let address = self.port.address();
        while let Err(error) = TcpStream::connect(address).await {
            if let Some(status) = self.child.try_wait()? {
                bail!(
                    "WebKitWebDriver ended ({status}) instead of listening at {address}: {error}"
                );
            }
            sleep(LOOK).await;
        }
        let Value::Object(capabilities) = json!({
            "webkitgtk:browserOptions": { "binary": app, "args": [] },
            "timeouts": { "script": LIMIT.as_millis() },
        }) else {
            bail!("capabilities are an object")
        };
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        ClientBuilder::new(connector)
            .capabilities(capabilities)
            .connect(&format!("http://{address}"))
            .await
            .context("asking the driver for a session")
    }

    /// Finds the app's process: the child of `parent`.
    fn app(&self, app: &str, parent: u32) -> Result<Process> {
        let program = std::fs::canonicalize(app).with_context(|| app.to_owned())?;
        let below = processes::below(parent)?;
        let found = below.iter().find(|process| {
            process.parent == parent
                && std::fs::read_link(format!("/proc/{}/exe", process.pid))
                    .is_ok_and(|file| file == program)
        });
        found.cloned().with_context(|| {
            format!(
                "nobody started {app}; these run:\n{}",
                processes::describe(&below)
            )
        })
    }

    /// Lists all processes below the driver.
    pub(crate) fn below(&self) -> Vec<Process> {
        processes::below(self.process.pid).unwrap_or_default()
    }

    /// Returns the processes below the driver, and the end of the output of driver and app.
    pub(crate) fn report(&self) -> String {
        format!(
            "below the driver run:\n{}\nthe driver and the app said:\n{}",
            processes::describe(&self.below()),
            self.said().unwrap_or_else(|error| error.to_string())
        )
    }

    fn said(&self) -> std::io::Result<String> {
        let mut output = self.output.reopen()?;
        let length = output.metadata()?.len();
        let mut text = Vec::new();
        output.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        output.read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Ends the driver after its app has ended.
    pub(crate) async fn end(&mut self) -> Result<ExitStatus> {
        self.process.terminate();
        match timeout(*LIMIT, self.child.wait()).await {
            Ok(status) => Ok(status?),
            Err(_) => bail!(
                "waited {LIMIT:?} for WebKitWebDriver to end on request; {}",
                self.report()
            ),
        }
    }

    /// Kills the driver and everything below it.
    pub(crate) fn kill(&mut self) {
        let below = self.below();
        self.process.kill();
        for process in below {
            process.kill();
        }
    }
}

//! A protected server on the official Python SDK, with a login form: `tests/peers/auth_server.py`.

use std::{path::Path, process::Stdio, time::Duration};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::{LIMIT, browser::Browser, processes, target_folder};

/// Interval for polling a counter.
const LOOK: Duration = Duration::from_millis(100);

/// The user that the login form knows.
pub const USER: &str = "demo";
/// That user's password.
pub const PASSWORD: &str = "demo";

/// A protected server that runs until it is dropped.
#[derive(Debug)]
pub struct AuthServer {
    url: String,
    control: Browser,
    _child: Child,
}

impl AuthServer {
    /// Starts the server. Access tokens live for that many seconds (0: for ever); every code, token and client secret
    /// begins with `prefix`, so that leaks can be searched for.
    pub async fn start(lifetime: u32, prefix: &str) -> Result<Self> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("the tests lie in the project")?;
        let mut child = spawn(
            &target_folder().join("peers/venv/bin/python"),
            &[
                &project.join("tests/peers/auth_server.py").to_string_lossy(),
                "--lifetime",
                &lifetime.to_string(),
                "--prefix",
                prefix,
            ],
        )?;
        let output = child.stdout.take().context("its output is piped")?;
        let mut lines = BufReader::new(output).lines();
        let line = timeout(*LIMIT, lines.next_line())
            .await
            .with_context(|| format!("waited {LIMIT:?} for the protected server to start"))??
            .unwrap_or_default();
        let Some(url) = line.strip_prefix("listening ") else {
            bail!("the protected server says “{line}” instead of its address");
        };
        Ok(Self {
            url: url.to_owned(),
            control: Browser::new()?,
            _child: child,
        })
    }

    /// Returns the address of its MCP endpoint.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the issuer: its address without a path.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.url.trim_end_matches("/mcp")
    }

    /// Returns the server's counters: the members of `GET /admin/state`.
    pub async fn state(&self) -> Result<Value> {
        let address = format!("{}/admin/state", self.issuer());
        let page = self.control.get(&address).await?;
        Ok(serde_json::from_str(&page.body)?)
    }

    /// Returns one of its counters, for example `refreshes`.
    pub async fn count(&self, name: &str) -> Result<u64> {
        let state = self.state().await?;
        state
            .get(name)
            .and_then(Value::as_u64)
            .with_context(|| format!("the protected server does not count {name}: {state}"))
    }

    /// Waits until a counter has this value.
    pub async fn reaches(&self, name: &str, value: u64) -> Result<()> {
        let waiting = async {
            while self.count(name).await? != value {
                sleep(LOOK).await;
            }
            Ok(())
        };
        match timeout(*LIMIT, waiting).await {
            Ok(reached) => reached,
            Err(_) => bail!(
                "waited {LIMIT:?} for {name} to be {value}: {}",
                self.state().await?
            ),
        }
    }

    /// Makes all access tokens invalid now.
    pub async fn expire(&self) -> Result<()> {
        self.end_tokens("/admin/expire").await
    }

    /// Makes all access and refresh tokens invalid now.
    pub async fn forget(&self) -> Result<()> {
        self.end_tokens("/admin/expire?refresh=true").await
    }

    async fn end_tokens(&self, path: &str) -> Result<()> {
        let address = format!("{}{path}", self.issuer());
        let page = self.control.post(&address, &[]).await?;
        anyhow::ensure!(page.status == 200, "{address} answers {}", page.status);
        Ok(())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a server that the app does not start"
)]
fn spawn(program: &Path, args: &[&str]) -> Result<Child> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    processes::spawn(&mut command).context("`cargo xtask test --only e2e` installs it")
}

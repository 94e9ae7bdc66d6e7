//! Servers of other authors that listen at an address; the app does not start them itself.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, bail};
use tempfile::NamedTempFile;
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::timeout,
};

use crate::{LIMIT, port::Port, processes, target_folder};

/// Interval for polling whether the server listens.
const LOOK: Duration = Duration::from_millis(50);

/// Placeholder for the server's port among the arguments.
const PORT: &str = "{port}";

/// A server that listens on a port of this computer until it is dropped.
#[derive(Debug)]
pub struct HttpServer {
    program: String,
    args: Vec<String>,
    path: &'static str,
    port: Port,
    /// Port of the authorization server of servers that have one.
    authority: Port,
    child: Child,
    /// Output of the server.
    output: NamedTempFile,
}

impl HttpServer {
    /// Starts the reference server over one of its HTTP transports.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn everything(transport: &str, path: &'static str) -> Result<Self> {
        let program = peers().join("node_modules/.bin/mcp-server-everything");
        Self::start(
            program.display().to_string(),
            vec![transport.to_owned()],
            path,
        )
        .await
    }

    /// Starts the SDK's example of a server that closes its streams and lets clients poll.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn polling() -> Result<Self> {
        Self::example("ssePollingExample", "/mcp").await
    }

    /// Starts an example of the TypeScript SDK, even one with a fixed port.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn example(name: &str, path: &'static str) -> Result<Self> {
        let args = vec![
            "--import".to_owned(),
            peers().join("any-port.mjs").display().to_string(),
            sdk_example(name),
        ];
        Self::start("node".to_owned(), args, path).await
    }

    /// Starts the SDK's example with some of everything and its own authorization server, which forgets everything when
    /// it ends and accepts tokens only for this server.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn guarded() -> Result<Self> {
        let example = sdk_example("simpleStreamableHttp");
        let args = [&example, "--oauth", "--oauth-strict"];
        Self::start("node".to_owned(), args.map(str::to_owned).to_vec(), "/mcp").await
    }

    /// Starts the server made with FastMCP.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn fastmcp() -> Result<Self> {
        let script = peers().join("fastmcp_server.py").display().to_string();
        Self::start(python_program("python"), vec![script], "/mcp").await
    }

    /// Starts the demo server, with further options.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn demo(program: &Path, options: &[&str]) -> Result<Self> {
        let args = ["--http", "--port", PORT].iter().chain(options);
        let args = args.map(|&arg| arg.to_owned()).collect();
        Self::start(program.display().to_string(), args, "/mcp").await
    }

    /// Starts a program; `{port}` among its arguments stands for the port.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn program(program: &str, args: &[&str], path: &'static str) -> Result<Self> {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        Self::start(program.to_owned(), args, path).await
    }

    async fn start(program: String, args: Vec<String>, path: &'static str) -> Result<Self> {
        let (port, authority) = (Port::reserve()?, Port::reserve()?);
        let (child, output) = spawn(&program, &args, [&port, &authority])?;
        let mut server = Self {
            program,
            args,
            path,
            port,
            authority,
            child,
            output,
        };
        server.listens().await?;
        Ok(server)
    }

    /// Returns its endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port.number(), self.path)
    }

    /// Kills it.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing the server")
    }

    /// Starts it again at the same address.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not listen.
    pub async fn revive(&mut self) -> Result<()> {
        let ports = [&self.port, &self.authority];
        (self.child, self.output) = spawn(&self.program, &self.args, ports)?;
        self.listens().await
    }

    async fn listens(&mut self) -> Result<()> {
        let address = self.port.address();
        let connecting = async {
            while TcpStream::connect(address).await.is_err() {
                if let Some(status) = self.child.try_wait()? {
                    bail!("it ended ({status})");
                }
                tokio::time::sleep(LOOK).await;
            }
            Ok(())
        };
        let listens = match timeout(*LIMIT, connecting).await {
            Ok(listens) => listens,
            Err(_) => Err(anyhow!("waited {LIMIT:?} in vain")),
        };
        listens.with_context(|| {
            let said = std::fs::read_to_string(self.output.path()).unwrap_or_default();
            format!(
                "`{}` does not listen at {address}; it said:\n{said}",
                self.program
            )
        })
    }
}

/// Returns the folder with servers of other authors and of their SDKs.
#[must_use]
pub fn peers() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// Returns the path of an example of the TypeScript SDK, for `node`.
#[must_use]
pub fn sdk_example(name: &str) -> String {
    let examples = "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server";
    let path = peers().join(examples).join(format!("{name}.js"));
    path.display().to_string()
}

/// Returns the path of a program in the Python environment that the chores created.
#[must_use]
pub fn python_program(name: &str) -> String {
    let environment = target_folder().join("peers/venv/bin");
    environment.join(name).display().to_string()
}

/// Starts a server with its output in the file.
#[expect(
    clippy::disallowed_methods,
    reason = "a server that the app does not start"
)]
fn spawn(
    program: &str,
    args: &[String],
    [port, authority]: [&Port; 2],
) -> Result<(Child, NamedTempFile)> {
    let output = NamedTempFile::new()?;
    let mut command = Command::new(program);
    let args = args.iter().map(|arg| match arg.as_str() {
        PORT => port.number().to_string(),
        other => other.to_owned(),
    });
    command
        .args(args)
        .env("PORT", port.number().to_string())
        .env("MCP_PORT", port.number().to_string())
        .env("MCP_AUTH_PORT", authority.number().to_string())
        // Kept open as long as the server is needed: the demo server ends with it.
        .stdin(Stdio::piped())
        .stdout(output.as_file().try_clone()?)
        .stderr(output.as_file().try_clone()?);
    Ok((processes::spawn(&mut command)?, output))
}

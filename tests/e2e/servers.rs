//! Foreign servers that the app does not start itself.

use std::{process::Stdio, time::Duration};

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    port::Port,
    processes,
    steps::{connect, import, newest_run_is, npm_program, run, select_tool},
    window::{Window, root},
};
use tempfile::NamedTempFile;
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::timeout,
};

/// A window with the reference server over Streamable HTTP, of which the sum of 19 and 23 was just asked for.
pub(crate) async fn sum_of_everything() -> Result<(HttpServer, Window)> {
    let server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    select_tool(&window, "Get Sum Tool").await?;
    window.fill("a…", "19").await?;
    window.fill("b…", "23").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    Ok((server, window))
}

/// How often is tried whether it does.
const LOOK: Duration = Duration::from_millis(50);

/// A server that listens on a port of this computer until it is dropped.
pub(crate) struct HttpServer {
    program: String,
    args: Vec<String>,
    path: &'static str,
    port: Port,
    /// For those that have an authorization server beside them.
    authority: Port,
    child: Child,
    /// What it prints.
    output: NamedTempFile,
}

impl HttpServer {
    /// The reference server over one of its HTTP transports.
    pub(crate) async fn everything(transport: &str, path: &'static str) -> Result<Self> {
        let program = npm_program("mcp-server-everything");
        Self::start(program, vec![transport.to_owned()], path).await
    }

    /// The SDK's example of a server that closes its streams and lets clients poll.
    pub(crate) async fn polling() -> Result<Self> {
        let peers = root().join("tests/peers");
        let example =
            "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/ssePollingExample.js";
        let args = vec![
            "--import".to_owned(),
            peers.join("any-port.mjs").display().to_string(),
            peers.join(example).display().to_string(),
        ];
        Self::start("node".to_owned(), args, "/mcp").await
    }

    /// The SDK's example of a server with a bit of everything.
    pub(crate) async fn simple() -> Result<Self> {
        let args = vec![simple_streamable_http()];
        Self::start("node".to_owned(), args, "/mcp").await
    }

    /// The same example with its own authorization server, which forgets everything when it ends and
    /// takes tokens for this very server only.
    pub(crate) async fn guarded() -> Result<Self> {
        let example = simple_streamable_http();
        let args = [&example, "--oauth", "--oauth-strict"];
        Self::start("node".to_owned(), args.map(str::to_owned).to_vec(), "/mcp").await
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

    /// Its endpoint.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port.number(), self.path)
    }

    /// Ends it without a word.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing the server")
    }

    /// Starts it again at the same address.
    pub(crate) async fn revive(&mut self) -> Result<()> {
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
        let listens = match timeout(LIMIT, connecting).await {
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

/// An example of the TypeScript SDK.
fn simple_streamable_http() -> String {
    let example =
        "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js";
    let path = root().join("tests/peers").join(example);
    path.display().to_string()
}

/// Starts a server; what it prints goes to the file.
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
    command
        .args(args)
        .env("PORT", port.number().to_string())
        .env("MCP_PORT", port.number().to_string())
        .env("MCP_AUTH_PORT", authority.number().to_string())
        .stdin(Stdio::null())
        .stdout(output.as_file().try_clone()?)
        .stderr(output.as_file().try_clone()?);
    Ok((processes::spawn(&mut command)?, output))
}

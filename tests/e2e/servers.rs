//! Foreign servers that the app does not start itself.

use std::{process::Stdio, time::Duration};

use anyhow::{Context as _, Result, bail};
use sonde_tests::{steps::npm_program, window::root};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
};

/// A server that listens on a port of this computer until it is dropped.
pub(crate) struct HttpServer {
    program: String,
    args: Vec<String>,
    path: &'static str,
    port: u16,
    /// For those that have an authorization server beside them.
    authority: u16,
    child: Child,
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

    /// The SDK's example with its own authorization server, which forgets everything when it ends and
    /// takes tokens for this very server only.
    pub(crate) async fn guarded() -> Result<Self> {
        let example = root().join("tests/peers").join(
            "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js",
        );
        let args = [&example.display().to_string(), "--oauth", "--oauth-strict"];
        Self::start("node".to_owned(), args.map(str::to_owned).to_vec(), "/mcp").await
    }

    async fn start(program: String, args: Vec<String>, path: &'static str) -> Result<Self> {
        let (port, authority) = (free_port()?, free_port()?);
        let child = spawn(&program, &args, [port, authority])?;
        let server = Self {
            program,
            args,
            path,
            port,
            authority,
            child,
        };
        server.listens().await?;
        Ok(server)
    }

    /// Its endpoint.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.path)
    }

    /// Ends it without a word.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        self.child.kill().await.context("killing the server")
    }

    /// Starts it again at the same address.
    pub(crate) async fn revive(&mut self) -> Result<()> {
        self.child = spawn(&self.program, &self.args, [self.port, self.authority])?;
        self.listens().await
    }

    async fn listens(&self) -> Result<()> {
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        bail!("`{}` does not listen", self.program)
    }
}

fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a server that the app does not start"
)]
fn spawn(program: &str, args: &[String], [port, authority]: [u16; 2]) -> Result<Child> {
    Command::new(program)
        .args(args)
        .env("PORT", port.to_string())
        .env("MCP_PORT", port.to_string())
        .env("MCP_AUTH_PORT", authority.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("starting `{program}`"))
}

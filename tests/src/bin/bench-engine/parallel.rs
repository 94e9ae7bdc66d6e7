//! Many calls in flight over each transport: Sonde's engine with recording on, rmcp's client, and bare HTTP. Then many
//! servers at once: what they cost while nothing happens.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, Result};
use sonde_client::{
    Connection, ConnectionOptions, Services, catalogs::CatalogKind, config::ServerConfig,
    sessions::ConnectInput,
};
use sonde_tests::{client, figures::plain};
use tokio::runtime::{Builder, Runtime};

use crate::{
    Run,
    clients::{self, micros, on},
};

const IN_FLIGHT: u32 = 64;

pub(crate) fn run(run: &Run, runtime: &Runtime) -> Result<()> {
    let calls = IN_FLIGHT * run.size(200, 2);
    let [mut engine, mut rmcp] = [f64::MAX; 2];
    for _ in 0..run.rounds() {
        let server = || run.server.clone();
        engine = engine.min(on(
            runtime,
            clients::sonde_stdio(server(), calls, IN_FLIGHT),
        )?);
        rmcp = rmcp.min(on(
            runtime,
            clients::rmcp_stdio(server(), calls, IN_FLIGHT),
        )?);
    }
    report("stdio", calls, engine, rmcp, None);
    for (name, option) in [("HTTP with JSON", "--json"), ("HTTP with SSE", "--sse")] {
        let server = HttpServer::start(&run.server, option)?;
        let [mut engine, mut rmcp, mut bare] = [f64::MAX; 3];
        for _ in 0..run.rounds() {
            let url = || server.url.clone();
            bare = bare.min(on(runtime, clients::bare_http(url(), calls, IN_FLIGHT))?);
            engine = engine.min(on(runtime, clients::sonde_http(url(), calls, IN_FLIGHT))?);
            rmcp = rmcp.min(on(runtime, clients::rmcp_http(url(), calls, IN_FLIGHT))?);
        }
        report(name, calls, engine, rmcp, Some(bare));
    }
    many_servers(run)
}

fn report(transport: &str, calls: u32, engine: f64, rmcp: f64, bare: Option<f64>) {
    let per_call = |client: &str, seconds: f64| {
        plain(
            format!("{transport}: {client}, per call"),
            micros(seconds, calls),
            "µs",
        )
        .of(calls.into(), "calls")
        .print();
    };
    if let Some(bare) = bare {
        per_call("bare requests", bare);
    }
    per_call("rmcp's client", rmcp);
    per_call("Sonde's engine, recording", engine);
    plain(
        format!("{transport}: engine beside rmcp"),
        engine / rmcp,
        "×",
    )
    .at_most(1.0)
    .print();
    if let Some(bare) = bare {
        plain(
            format!("{transport}: engine beside bare requests"),
            engine / bare,
            "×",
        )
        .print();
    }
}

/// The plain server over HTTP. It ends when it is dropped.
struct HttpServer {
    url: String,
    child: Child,
}

impl HttpServer {
    fn start(program: &str, option: &str) -> Result<Self> {
        let mut command = Command::new(program);
        let mut child = command
            .arg(option)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut url = String::new();
        let output = child.stdout.take().context("stdout")?;
        BufReader::new(output).read_line(&mut url)?;
        url.truncate(url.trim_end().len());
        Ok(Self { url, child })
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // It ends with its standard input.
        self.child.stdin.take();
        let _ = self.child.wait();
    }
}

/// Opens many connections, and counts the wake-ups while they are silent.
fn many_servers(run: &Run) -> Result<()> {
    let count = run.size(200, 10);
    let silent = Duration::from_secs(run.size(10, 1).into());
    let parked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&parked);
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .on_thread_park(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        })
        .build()?;
    let (wake_ups, memory) = runtime.block_on(async {
        // The first connection also allocates what all share.
        let first = connect(&run.server).await?;
        let before = resident_bytes()?;
        let mut connections = vec![first];
        for _ in 0..count {
            connections.push(connect(&run.server).await?);
        }
        // The lists are judged by then.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let memory = resident_bytes()?.saturating_sub(before);
        let begun = parked.load(Ordering::Relaxed);
        tokio::time::sleep(silent).await;
        let wake_ups = parked.load(Ordering::Relaxed) - begun;
        for connection in connections {
            connection.close().await;
        }
        Ok::<_, anyhow::Error>((wake_ups, memory))
    })?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "far below the digits of a float"
    )]
    let (wake_ups, memory) = (wake_ups as f64, memory as f64 / 1024.0 / f64::from(count));
    plain("wake-ups while all are silent", wake_ups, "")
        .of(count.into(), "servers")
        .at_most(0.0)
        .print();
    plain("memory of a connection", memory, "KiB")
        .of(count.into(), "servers")
        .print();
    Ok(())
}

async fn connect(server: &str) -> Result<Connection> {
    let config = ServerConfig::new("Plain", client::stdio(server, &[]));
    let services = Arc::new(Services::in_memory());
    let connection = Connection::new(ConnectionOptions::new("plain", config, services));
    connection.connect(ConnectInput::default())?;
    connection.wait_until_open().await?;
    connection.wait_for_catalog(CatalogKind::Tools).await?;
    Ok(connection)
}

/// Resident memory of this process. Linux only, as the other benchmarks of memory are.
fn resident_bytes() -> Result<u64> {
    let statm = fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split(' ').nth(1).context("resident pages")?;
    Ok(pages.parse::<u64>()? * 4096)
}

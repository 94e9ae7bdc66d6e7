//! The official MCP Inspector with the benchmarks' servers and tools: `tests/peers/inspector/drive.mjs` drives its page
//! in a browser.

use std::{env, fmt, process::Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use sonde_tests::{figures::median, port::Port, processes, steps::demo_program, window::root};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Command,
};

use crate::{flood, large, lists::List, process, size::Size};

/// Limit of each measurement, in seconds.
const LIMIT: u64 = 60;

/// The Inspector, installed by `cargo xtask bench`.
pub(crate) struct Inspector {
    /// Command line of the Inspector.
    command: [String; 2],
    size: Size,
}

/// Milliseconds, or the reason why there are none.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Outcome {
    Measured(f64),
    Lost(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Measured(value) => value.fmt(f),
            Outcome::Lost(reason) => reason.fmt(f),
        }
    }
}

impl Inspector {
    /// Returns the Inspector of `INSPECTOR` (its program) and `INSPECTOR_NODE`, if they are set.
    pub(crate) fn given(size: Size) -> Option<Self> {
        let command = [
            env::var("INSPECTOR_NODE").ok()?,
            env::var("INSPECTOR").ok()?,
        ];
        Some(Self { command, size })
    }

    pub(crate) async fn start(&self) -> Result<()> {
        let mut times = Vec::new();
        let mut lost = None;
        for round in 0..=self.size.starts {
            match self.drive(json!({})).await?.0 {
                // The first start only warms the disk cache.
                Outcome::Measured(time) if round > 0 => times.push(time),
                Outcome::Measured(_) => {}
                Outcome::Lost(reason) => lost = Some(Outcome::Lost(reason)),
            }
        }
        let time = lost.unwrap_or_else(|| Outcome::Measured(median(&times)));
        print("start to interactive (median)", time);
        let job = json!({ "server": demo(&[]), "tools": 1 });
        let (connected, memory) = self.drive(job).await?;
        let memory = match connected {
            Outcome::Measured(_) => Outcome::Measured(memory),
            lost @ Outcome::Lost(_) => lost,
        };
        print("memory, demo server connected", memory);
        Ok(())
    }

    pub(crate) async fn list(&self, list: &List) -> Result<()> {
        for (name, paging) in list.pages() {
            let items = self.size.items;
            let args = list.arguments(self.size, paging);
            let job = json!({ "server": demo(&args), "tools": items });
            let (listed, memory) = self.drive(job).await?;
            print(&format!("{name}: click to usable list"), listed);
            print(&format!("{name}: memory"), memory);
        }
        Ok(())
    }

    pub(crate) async fn flood(&self) -> Result<()> {
        let each = self.size.messages;
        let (shown, memory) = self
            .call(flood::TOOL, &[each, each], &flood::result(each))
            .await?;
        print("click to result shown", shown);
        print("memory afterwards", memory);
        Ok(())
    }

    pub(crate) async fn large(&self) -> Result<()> {
        let Size { text, nodes, .. } = self.size;
        for (name, tool, argument, shown) in [
            (large::text_name(self.size), large::TEXT, text, "Day 1:"),
            (large::json_name(self.size), large::JSON, nodes, "stars"),
        ] {
            let (result, memory) = self.call(tool, &[argument], shown).await?;
            print(&format!("{name}: click to shown"), result);
            print(&format!("{name}: memory afterwards"), memory);
        }
        Ok(())
    }

    /// Runs a tool of the demo server until `shown` is in its result. Returns the time, and the memory afterwards.
    async fn call(&self, tool: &str, arguments: &[u64], shown: &str) -> Result<(Outcome, f64)> {
        let call = json!({ "tool": tool, "arguments": arguments, "shown": shown });
        let job = json!({ "server": demo(&[]), "tools": 1, "call": call });
        self.drive(job).await
    }

    /// Starts the Inspector and a browser for a job of `drive.mjs`. Returns the time of its last step, and the memory
    /// of both with the server, in MiB.
    async fn drive(&self, mut job: Value) -> Result<(Outcome, f64)> {
        let folder = tempfile::tempdir()?;
        let port = Port::reserve()?;
        job["inspector"] = json!(self.command);
        job["folder"] = json!(folder.path());
        job["port"] = json!(port.number());
        job["limit"] = json!(LIMIT);
        let mut command = Command::new("node");
        command
            .arg(root().join("tests/peers/inspector/drive.mjs"))
            .arg(job.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = processes::spawn(&mut command)?;
        let pid = child.id().context("drive.mjs ended at once")?;
        let output = child.stdout.take().context("its output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let outcome = serde_json::from_str(&line.context("drive.mjs measured nothing")?)?;
        tokio::time::sleep(self.size.rest).await;
        let below = processes::below(pid)?;
        let mut memory = 0.0;
        for process in below.iter().filter(|process| process.parent == pid) {
            memory += process::total(&process::memory(process.pid)?);
        }
        drop(child.stdin.take());
        let status = child.wait().await?;
        // A hanging page leaves its browser behind.
        below.iter().for_each(processes::Process::kill);
        ensure!(status.success(), "drive.mjs failed ({status})");
        Ok((outcome, memory))
    }
}

/// Returns the configuration of the demo server with these arguments.
fn demo(args: &[String]) -> Value {
    json!({ "command": demo_program(), "args": args })
}

/// Prints the Inspector's value of a figure of Sonde, which has the unit.
fn print(name: &str, value: impl fmt::Display) {
    println!("inspector\t{name}\t{value}");
}

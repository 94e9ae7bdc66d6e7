//! `cargo xtask bench`: measures, and prints ratios. It never fails because of a figure.

mod table;

use std::{
    ffi::OsStr,
    fs,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::{
    packages::{self, Need},
    project, sandbox, step, ui,
};
use table::Table;

/// A benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bench {
    /// Start to interactive and memory, beside an empty window.
    Start,
    /// 10,000 sequential calls, beside a bare pipe and rmcp's client.
    Echo,
    /// 50,000 progress and 50,000 log notifications.
    Flood,
    /// 10,000 tools.
    Tools,
    /// A 50 MB text and a JSON of a million nodes.
    Large,
}

impl Bench {
    fn title(self) -> &'static str {
        match self {
            Bench::Start => "Start and memory, beside an empty window",
            Bench::Echo => "10,000 echo calls over stdio",
            Bench::Flood => "50,000 progress and 50,000 log notifications",
            Bench::Tools => "10,000 tools",
            Bench::Large => "A 50 MB text and a JSON of 1,000,000 nodes",
        }
    }
}

/// Builds everything optimised, as it ships, then runs the benchmarks one after the other.
pub(crate) fn run(only: &[Bench]) -> Result<()> {
    packages::ensure(Need::Window)?;
    build()?;
    let mut tables = Vec::new();
    let mut failed = Vec::new();
    for bench in Bench::value_variants() {
        if !only.is_empty() && !only.contains(bench) {
            continue;
        }
        // One that cannot be measured must not hide the others.
        match step::step(bench.title(), || measure(*bench)) {
            Ok(table) => {
                println!("\n{}", table.text());
                tables.push(table);
            }
            Err(error) => {
                println!("  {error:#}");
                failed.push(bench.title());
            }
        }
    }
    let file = project::root().join("artifacts/bench.json");
    fs::create_dir_all(project::root().join("artifacts"))?;
    fs::write(&file, table::json(&tables))
        .with_context(|| format!("writing {}", file.display()))?;
    println!("The figures lie in {}", file.display());
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("could not be measured: {}", failed.join("; "))
    }
}

/// One build for all, so that the app and the empty window share every library.
fn build() -> Result<()> {
    ui::build()?;
    let mut build = project::cargo();
    build.args(["build", "--release", "--bins"]);
    for package in ["sonde", "sonde-demo", "empty-window", "sonde-tests"] {
        build.args(["--package", package]);
    }
    build.args(["--features", "sonde-tests/bench"]);
    step::quiet("Build the app and the benchmarks (release)", &mut build)
}

fn measure(bench: Bench) -> Result<Table> {
    let mut command = if bench == Bench::Echo {
        let mut command = Command::new(project::program("bench-echo", true));
        command
            .arg(project::program("plain-server", true))
            .args(["10000", "3"]);
        command
    } else {
        let name = bench.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        let program = project::program("bench-window", true);
        let mut command = sandbox::desktop(true, program.as_os_str(), &[OsStr::new(name)])?;
        command
            .env("SONDE_APP", project::program("sonde", true))
            .env("EMPTY_APP", project::program("empty-window", true));
        command
    };
    let output = command
        .current_dir(project::root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let table = Table::read(bench.title(), &text)?;
    if !output.status.success() {
        println!("\n{}", table.text());
        bail!("it ended early ({})", output.status);
    }
    Ok(table)
}

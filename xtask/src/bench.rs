//! `cargo xtask bench`: measures, and prints ratios. It never fails because of a figure.

mod inspector;
mod table;

use std::{
    ffi::OsStr,
    fs,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::{
    build,
    node_program::NodeProgram,
    packages::{self, BUILD, KEYRING, WINDOW},
    project::{self, Profile},
    sandbox, step, ui,
};
use table::Table;

/// A benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bench {
    /// Start to interactive and memory, beside an empty window.
    Start,
    /// 10,000 sequential calls, beside a bare pipe and rmcp's client; the command line.
    Echo,
    /// 64 calls in flight over each transport, beside rmcp's client and bare HTTP; 200 servers at once.
    Parallel,
    /// 50,000 progress and 50,000 log notifications.
    Flood,
    /// 10,000 tools.
    Tools,
    /// 10,000 resources.
    Resources,
    /// 10,000 prompts.
    Prompts,
    /// A 50 MB text and a JSON of a million nodes.
    Large,
}

/// A program that is measured beside Sonde.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Peer {
    /// The official MCP Inspector, in a browser.
    Inspector,
}

impl Bench {
    /// True if the benchmark also has figures of other programs.
    fn compares(self) -> bool {
        !matches!(self, Bench::Parallel | Bench::Resources | Bench::Prompts)
    }

    fn title(self) -> &'static str {
        match self {
            Bench::Start => "Start and memory, beside an empty window",
            Bench::Echo => "Echo calls over stdio",
            Bench::Parallel => "Calls in flight, and many servers at once",
            Bench::Flood => "Progress and log notifications in a flood",
            Bench::Tools => "A list of very many tools",
            Bench::Resources => "A list of very many resources",
            Bench::Prompts => "A list of very many prompts",
            Bench::Large => "A very long text and a JSON of very many nodes",
        }
    }
}

/// Builds everything, then runs the benchmarks one after the other. They use a profile, usually the one that ships;
/// with `smoke`, they run as tests with little to do, to see that each still works. Returns the measured tables.
pub(crate) fn run(
    only: &[Bench],
    smoke: bool,
    profile: Profile,
    against: Option<Peer>,
) -> Result<String> {
    packages::ensure(&[BUILD, KEYRING, WINDOW])?;
    let inspector = match against {
        Some(Peer::Inspector) => Some(inspector::install()?),
        None => None,
    };
    let chosen = |bench: Bench| match only {
        [] => against.is_none() || bench.compares(),
        _ => only.contains(&bench),
    };
    if smoke {
        build::everything()?;
    } else {
        build(profile)?;
    }
    let mut tables = Vec::new();
    let mut failed = Vec::new();
    for bench in Bench::value_variants() {
        if !chosen(*bench) {
            continue;
        }
        // A benchmark that fails must not hide the others.
        match step::step(bench.title(), || {
            measure(*bench, smoke, profile, inspector.as_ref())
        }) {
            Ok(table) => {
                if !smoke {
                    println!("\n{}", table.text());
                }
                if let Some(comparison) = table.comparison() {
                    println!("\n{comparison}");
                }
                tables.push(table);
            }
            Err(error) => {
                println!("  {error:#}");
                failed.push(bench.title());
            }
        }
    }
    if !failed.is_empty() {
        bail!("could not be measured: {}", failed.join("; "));
    }
    let figures: usize = tables.iter().map(Table::len).sum();
    if !smoke {
        let file = project::root().join("artifacts/bench.json");
        fs::create_dir_all(project::root().join("artifacts"))?;
        fs::write(&file, serde_json::to_string_pretty(&tables)?)
            .with_context(|| format!("writing {}", file.display()))?;
        println!("The figures lie in {}", file.display());
    }
    Ok(format!("{} benchmarks, {figures} figures", tables.len()))
}

/// Builds everything at once, so that the app and the empty window share every library.
fn build(profile: Profile) -> Result<()> {
    ui::build()?;
    let mut build = project::build(profile);
    let packages = [
        project::APP,
        project::DEMO,
        project::CLI,
        "empty-window",
        "sonde-tests",
    ];
    for package in packages {
        build.args(["--package", package]);
    }
    // Without programs that only tests start: with the profile that ships, each takes a minute to link.
    for program in [
        project::APP,
        project::HELPER,
        project::DEMO,
        project::CLI,
        "empty-window",
        "bench-engine",
        "bench-window",
        "plain-server",
    ] {
        build.args(["--bin", program]);
    }
    build.args(["--features", "sonde-tests/bench"]);
    step::quiet("Build the app and the benchmarks", &mut build)
}

fn measure(
    bench: Bench,
    smoke: bool,
    profile: Profile,
    inspector: Option<&NodeProgram>,
) -> Result<Table> {
    let profile = if smoke { Profile::Dev } else { profile };
    let program = |name| project::program(name, profile);
    let size = if smoke { "smoke" } else { "full" };
    // Kept until the command has ended.
    let mut desktop;
    let mut alone;
    let name = project::name_of(&bench);
    let command = if matches!(bench, Bench::Echo | Bench::Parallel) {
        alone = Command::new(program("bench-engine"));
        alone
            .arg(&name)
            .arg(program("plain-server"))
            .arg(program(project::CLI))
            .arg(size)
    } else {
        desktop = sandbox::desktop(
            true,
            program("bench-window").as_os_str(),
            &[OsStr::new(&name), OsStr::new(size)],
        )?;
        desktop
            .command
            .env("SONDE_APP", program(project::APP))
            .env("EMPTY_APP", program("empty-window"))
    };
    if let Some(inspector) = inspector {
        command
            .env("INSPECTOR", &inspector.script)
            .env("INSPECTOR_NODE", &inspector.node);
    }
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
    if table.len() == 0 {
        bail!("it measured nothing");
    }
    if smoke && let Some(name) = table.unmeasured() {
        bail!("“{name}” was not measured");
    }
    Ok(table)
}

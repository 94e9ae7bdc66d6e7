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
    build,
    packages::{self, Need},
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

impl Bench {
    fn title(self) -> &'static str {
        match self {
            Bench::Start => "Start and memory, beside an empty window",
            Bench::Echo => "Echo calls over stdio",
            Bench::Flood => "Progress and log notifications in a flood",
            Bench::Tools => "A list of very many tools",
            Bench::Resources => "A list of very many resources",
            Bench::Prompts => "A list of very many prompts",
            Bench::Large => "A very long text and a JSON of very many nodes",
        }
    }
}

/// Builds everything, then runs the benchmarks one after the other: with a profile, as a rule the one that
/// ships, or (`smoke`) as the tests run it and with little to do, to see that each still works. Answers what
/// was measured.
pub(crate) fn run(only: &[Bench], smoke: bool, profile: Profile) -> Result<String> {
    packages::ensure(&[Need::Build, Need::Keyring, Need::Window])?;
    if smoke {
        build::everything()?;
    } else {
        build(profile)?;
    }
    let mut tables = Vec::new();
    let mut failed = Vec::new();
    for bench in Bench::value_variants() {
        if !only.is_empty() && !only.contains(bench) {
            continue;
        }
        // One that cannot be measured must not hide the others.
        match step::step(bench.title(), || measure(*bench, smoke, profile)) {
            Ok(table) if smoke => tables.push(table),
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
    if !failed.is_empty() {
        bail!("could not be measured: {}", failed.join("; "));
    }
    let figures: usize = tables.iter().map(Table::len).sum();
    if !smoke {
        let file = project::root().join("artifacts/bench.json");
        fs::create_dir_all(project::root().join("artifacts"))?;
        fs::write(&file, table::json(&tables))
            .with_context(|| format!("writing {}", file.display()))?;
        println!("The figures lie in {}", file.display());
    }
    Ok(format!("{} benchmarks, {figures} figures", tables.len()))
}

/// One build for all, so that the app and the empty window share every library.
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
    // Not what only tests start: with the profile that ships, each takes a minute to link.
    for program in [
        project::APP,
        project::HELPER,
        project::DEMO,
        project::CLI,
        "empty-window",
        "bench-echo",
        "bench-window",
        "plain-server",
    ] {
        build.args(["--bin", program]);
    }
    build.args(["--features", "sonde-tests/bench"]);
    step::quiet("Build the app and the benchmarks", &mut build)
}

fn measure(bench: Bench, smoke: bool, profile: Profile) -> Result<Table> {
    let profile = if smoke { Profile::Dev } else { profile };
    let program = |name| project::program(name, profile);
    let size = if smoke { "smoke" } else { "full" };
    // Kept until the command has ended.
    let mut desktop;
    let mut alone;
    let command = if bench == Bench::Echo {
        alone = Command::new(program("bench-echo"));
        alone
            .arg(program("plain-server"))
            .arg(program(project::CLI))
            .arg(size)
    } else {
        let name = bench.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        desktop = sandbox::desktop(
            true,
            program("bench-window").as_os_str(),
            &[OsStr::new(name), OsStr::new(size)],
        )?;
        desktop
            .command
            .env("SONDE_APP", program(project::APP))
            .env("EMPTY_APP", program("empty-window"))
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
    if table.len() == 0 {
        bail!("it measured nothing");
    }
    if smoke && let Some(name) = table.unmeasured() {
        bail!("“{name}” was not measured");
    }
    Ok(table)
}

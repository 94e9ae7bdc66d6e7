//! `cargo xtask fuzz`: random inputs for code that reads bytes of strangers.

use std::{
    fs,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{
    build,
    project::{self, Profile},
    step, ui,
};

/// File extension of the TypeScript targets, in `ui/fuzz`.
const PAGE: &str = ".fuzz.ts";
/// Practically for ever, in seconds, where a number is needed.
const ENDLESS: u64 = 1_000_000;
/// Exit code of a Rust target that has printed why it failed. Any other exit was caused by the input.
const TOLD: i32 = 1;

/// Targets to run, and their time.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Only these targets; all without it.
    pub(crate) targets: Vec<String>,
    /// Time for each target, in seconds; without it, a target runs until it is stopped.
    #[arg(long)]
    pub(crate) seconds: Option<u64>,
    /// Repeats the run that printed this seed.
    #[arg(long)]
    pub(crate) seed: Option<u32>,
}

/// Builds the targets and runs each in a process of its own: as many at a time as there are processors, or all at once
/// without a time limit. Returns a summary.
pub(crate) fn run(options: &Options) -> Result<String> {
    build::everything()?;
    let all = targets()?;
    for name in &options.targets {
        if !all.contains(name) {
            bail!("there is no target {name}, but {}", all.join(", "));
        }
    }
    let chosen: Vec<String> = all
        .into_iter()
        .filter(|name| options.targets.is_empty() || options.targets.contains(name))
        .collect();
    let any = || RandomState::new().build_hasher().finish() >> 33;
    let seed = match options.seed {
        Some(seed) => seed,
        None => u32::try_from(any())?,
    };
    println!("  The seed is {seed}");
    let at_once = match options.seconds {
        Some(_) => thread::available_parallelism().map_or(1, usize::from),
        None => chosen.len(),
    };
    let results = step::in_threads(&chosen, at_once, |name| {
        run_one(name, seed, options.seconds).map_err(|error| {
            // The others continue, perhaps for ever.
            println!("  {error:#}");
            name.as_str()
        })
    });
    let failed: Vec<&str> = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .copied()
        .collect();
    if !failed.is_empty() {
        bail!("these failed with the seed {seed}: {}", failed.join(", "));
    }
    let runs: u64 = results.into_iter().flatten().sum();
    Ok(format!("{} targets, {runs} runs", chosen.len()))
}

/// Returns the names of all targets, those of the page first.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    let folder = project::root().join("ui/fuzz");
    for file in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let name = file?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(PAGE).map(str::to_owned));
    }
    names.sort();
    let output = fuzz().arg("list").output().context("listing the targets")?;
    names.extend(String::from_utf8(output.stdout)?.lines().map(str::to_owned));
    Ok(names)
}

fn fuzz() -> Command {
    let mut command = Command::new(project::program("fuzz", Profile::Dev));
    command.current_dir(project::root()).stdin(Stdio::null());
    command
}

/// Runs a target and returns the number of tried inputs.
fn run_one(name: &str, seed: u32, seconds: Option<u64>) -> Result<u64> {
    let of_the_page = project::root().join(format!("ui/fuzz/{name}{PAGE}"));
    let of_the_page = of_the_page.exists();
    let mut command = if of_the_page {
        page(name, seed, seconds)
    } else {
        let mut command = fuzz();
        command.args(["run", name, "--seed", &seed.to_string()]);
        if let Some(seconds) = seconds {
            command.args(["--seconds", &seconds.to_string()]);
        }
        command
    };
    let output = command
        .output()
        .with_context(|| format!("starting {name}"))?;
    let (said, told) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    if output.status.success() {
        let (line, runs) = runs(name, &said).with_context(|| format!("{name} ran nothing"))?;
        println!("  {line}");
        return Ok(runs);
    }
    if of_the_page || output.status.code() == Some(TOLD) {
        bail!("{}\n{}", said.trim_end(), told.trim_end());
    }
    let kept = keep(name, seed)?;
    bail!(
        "{name} ended its process ({}); the input is kept as {}\n{}",
        output.status,
        kept.display(),
        told.trim_end()
    )
}

/// Finds the line `NAME: 123 runs, …` and its number.
fn runs<'a>(name: &str, text: &'a str) -> Option<(&'a str, u64)> {
    text.lines().find_map(|line| {
        let rest = line.strip_prefix(name)?.strip_prefix(": ")?;
        Some((line, rest.split_once(" runs")?.0.parse().ok()?))
    })
}

/// Stores the input that ended a process as a case.
fn keep(name: &str, seed: u32) -> io::Result<PathBuf> {
    let root = project::root();
    let kept = root.join(format!("tests/fuzz/corpus/{name}/found-{seed:08x}"));
    fs::copy(root.join("target/fuzz").join(name), &kept)?;
    Ok(kept)
}

/// Creates the command for a target of the page.
fn page(name: &str, seed: u32, seconds: Option<u64>) -> Command {
    let mut command = ui::npm("ui");
    command
        .args(["run", "fuzz", "--", &format!("{name}{PAGE}")])
        .env("SONDE_FUZZ_SEED", seed.to_string())
        .env("SONDE_FUZZ_SECONDS", seconds.unwrap_or(ENDLESS).to_string())
        .stdin(Stdio::null());
    command
}

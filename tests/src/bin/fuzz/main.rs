//! Random inputs for code that reads bytes of strangers; `cargo xtask fuzz` starts it.
//!
//! `fuzz list` prints the targets. `fuzz run TARGET --seed N [--seconds N]` mutates the target's corpus
//! until the time is over or an input fails, and keeps that input as a case. `fuzz replay` runs all
//! cases of all targets once.

#![allow(
    clippy::disallowed_methods,
    reason = "it measures its own time; the bans protect the app"
)]

mod random;
mod mutation;
mod choices;
mod seen;
mod corpus;
mod targets;
mod run;

use std::{process::ExitCode, time::Duration};

use anyhow::{Context as _, Result, bail};

use targets::Target;

/// Limit of a run's address space, in bytes: an input that makes the code request more ends the run.
#[cfg(target_os = "linux")]
const ADDRESS_SPACE: u64 = 2 << 30;

fn main() -> ExitCode {
    match chosen() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn chosen() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["list"] => {
            for target in targets::ALL {
                println!("{}", target.name);
            }
            Ok(())
        }
        ["replay"] => {
            limit_memory()?;
            run::replay()
        }
        ["run", name, "--seed", seed] => run_one(name, seed, None),
        ["run", name, "--seed", seed, "--seconds", seconds] => run_one(name, seed, Some(seconds)),
        _ => bail!("usage: fuzz list | fuzz replay | fuzz run TARGET --seed N [--seconds N]"),
    }
}

fn run_one(name: &str, seed: &str, seconds: Option<&str>) -> Result<()> {
    let target: &'static Target = targets::ALL
        .iter()
        .find(|target| target.name == name)
        .with_context(|| format!("there is no target {name}; `fuzz list` prints them"))?;
    let seed = seed.parse().context("the seed is a number")?;
    let seconds: Option<u64> = seconds.map(str::parse).transpose()?;
    limit_memory()?;
    run::run(target, seed, seconds.map(Duration::from_secs))
}

#[cfg(target_os = "linux")]
fn limit_memory() -> Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit {
        current: Some(ADDRESS_SPACE),
        maximum: Some(ADDRESS_SPACE),
    };
    setrlimit(Resource::As, limit).context("limiting the memory")
}

#[cfg(not(target_os = "linux"))]
fn limit_memory() -> Result<()> {
    Ok(())
}

//! The project's chores. `cargo xtask help` lists them.

#![allow(
    clippy::disallowed_methods,
    reason = "chores start compilers and measure their time; the bans protect the app"
)]

mod bench;
mod build;
mod bundle;
mod conformance;
mod cpu;
mod files;
mod fuzz;
mod installed;
mod mutations;
mod node_program;
mod notices;
mod packages;
mod peers;
mod policy;
mod project;
mod published;
mod results;
mod run;
mod sandbox;
mod static_cli;
mod step;
mod test;
mod tool;
mod ui;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Chores of the Sonde project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what is missing, build the app and start it. Without a display: take the demo tour
    /// on a virtual one and leave screenshots.
    Run {
        /// As it ships: fully optimised, which takes much longer to build.
        #[arg(long)]
        release: bool,
        /// Take the demo tour even where there is a display.
        #[arg(long)]
        tour: bool,
    },
    /// Prove the project: format, lints, unit, integration, state and window tests, the conformance suite. With `--all`
    /// everything that there is to prove.
    Test(test::Options),
    /// Say whether the committed files are those of the last recorded proof.
    Proven,
    /// Let the official MCP conformance suite judge the engine; prints a line per scenario and revision.
    Conformance(conformance::Options),
    /// Build the app as it ships and make packages of it, in artifacts/packages.
    Bundle {
        /// Only these kinds, of which none may fail; all that this machine can make without it.
        #[arg(long, value_delimiter = ',')]
        only: Vec<bundle::Kind>,
    },
    /// Build the command line as one program without libraries (Linux), into artifacts/packages.
    StaticCli,
    /// Measure, and print the ratios as tables.
    Bench {
        /// Only these benchmarks; all without it.
        #[arg(long, value_delimiter = ',')]
        only: Vec<bench::Bench>,
        /// Not to measure, but to see that each works: little to do, unoptimised programs, no aims.
        #[arg(long)]
        smoke: bool,
        /// Build profile of the programs.
        #[arg(long, default_value = "release", conflicts_with = "smoke")]
        profile: project::Profile,
        /// Measure another program beside Sonde; without `--only`, in the benchmarks that have such figures.
        #[arg(long)]
        against: Option<bench::Peer>,
    },
    /// Feed random inputs to what reads the bytes of strangers. One that fails is kept in
    /// tests/fuzz/corpus as a case of the tests.
    Fuzz(fuzz::Options),
    /// Break the product on purpose, once for each file of tests/mutations, and demand that the test that
    /// the file names turns red. Not a part of the proof: it takes long.
    Mutations {
        /// Only those whose name contains this.
        #[arg(long)]
        only: Option<String>,
    },
    /// Look for known vulnerabilities of all that is shipped. Needs the databases of RustSec and of npm.
    Advisories,
    /// Write ui/src/ipc/bindings.ts from the Rust types.
    Bindings,
    /// Take the pictures of the README and the guide from the real window, in both themes.
    Screenshots,
    /// (internal) The test of the Debian package, where it may change the system.
    #[command(hide = true)]
    Installed {
        /// The package of an older version.
        older: PathBuf,
        /// The package.
        newer: PathBuf,
        /// The package of the other kind.
        rpm: PathBuf,
    },
    /// (internal) Runs a command with an unlocked keyring, inside `dbus-run-session`.
    #[command(hide = true, trailing_var_arg = true)]
    Inside {
        /// The command.
        command: Vec<String>,
    },
}

fn main() {
    let chore = Cli::parse().chore;
    let result = project::own_program().and_then(|_| match chore {
        Chore::Run { release, tour } => run::run(release, tour),
        Chore::Test(options) => test::run(&options),
        Chore::Proven => test::proven(),
        Chore::Advisories => policy::advisories(),
        Chore::Conformance(options) => conformance::run(&options),
        Chore::Bundle { only } => bundle::run(&only),
        Chore::StaticCli => static_cli::run(),
        Chore::Bench {
            only,
            smoke,
            profile,
            against,
        } => bench::run(&only, smoke, profile, against).map(drop),
        Chore::Fuzz(options) => fuzz::run(&options).map(|done| println!("{done}")),
        Chore::Mutations { only } => mutations::named(only.as_deref()),
        Chore::Bindings => test::write_bindings(),
        Chore::Screenshots => run::screenshots(),
        Chore::Installed { older, newer, rpm } => installed::inside(&older, &newer, &rpm),
        Chore::Inside { command } => sandbox::inside(&command),
    });
    if let Err(error) = result {
        eprintln!("\nerror: {error:#}");
        std::process::exit(1);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn workflow() -> String {
        let path = project::root().join(".github/workflows/release.yml");
        fs::read_to_string(path).expect("the release workflow")
    }

    /// Returns every value of a key in the workflow.
    fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
        text.lines()
            .filter_map(|line| {
                line.trim_start_matches([' ', '-'])
                    .strip_prefix(key)?
                    .strip_prefix(": ")
            })
            .collect()
    }

    #[test]
    fn the_release_workflow_runs_chores_and_scripts_that_there_are() {
        let text = workflow();
        let mut chores = 0;
        for run in values(&text, "run") {
            if let Some(args) = run.strip_prefix("cargo xtask ") {
                for kinds in values(&text, "kinds") {
                    let args = args.replace("${{ matrix.kinds }}", kinds);
                    let parsed =
                        Cli::try_parse_from(["cargo xtask"].into_iter().chain(args.split(' ')));
                    assert!(parsed.is_ok(), "{args}: {:?}", parsed.err());
                    chores += 1;
                }
            } else if run.starts_with("packaging/") {
                let script = run.split(' ').next().unwrap_or_default();
                assert!(project::root().join(script).is_file(), "{script}");
            } else {
                // Installing the compiler, and publishing the release at the end.
                assert!(
                    run.starts_with("rustup ") || run.starts_with("gh release create "),
                    "not a chore: {run}"
                );
            }
        }
        assert!(chores > 0, "{text}");
    }

    /// Keys are given to the scripts that sign, which start no code of strangers but the packers. Each system gets its
    /// own alone.
    #[test]
    fn the_release_workflow_gives_keys_to_the_scripts_that_sign() {
        let mut given = Vec::new();
        let text = workflow();
        for step in text.split("\n      - ") {
            let keys: Vec<&str> = step
                .lines()
                .filter_map(|line| line.split_once("secrets.")?.1.split(' ').next())
                .collect();
            if keys.is_empty() {
                continue;
            }
            let (system, prefix) = match values(step, "run")[..] {
                ["packaging/sign.sh rpm artifacts/packages"] => {
                    ("deb,rpm", "TAURI_SIGNING_RPM_KEY")
                }
                ["packaging/sign.sh dmg artifacts/packages"] => ("macOS", "APPLE_"),
                ["packaging/sign.ps1"] => ("Windows", "WINDOWS_"),
                ["packaging/checksums.sh artifacts/packages"] => ("", "CHECKSUMS_SIGNING_KEY"),
                _ => panic!("{step}"),
            };
            assert!(step.contains(system), "{step}");
            for key in keys {
                assert!(key.starts_with(prefix), "{step}");
                let line = format!("{key}: ${{{{ secrets.{key} }}}}");
                assert!(step.lines().any(|each| each.trim() == line), "{line}");
                given.push(key);
            }
        }
        assert_eq!(given.len(), text.matches("secrets.").count());
        assert_eq!(given.len(), 14);
    }

    #[test]
    fn the_actions_of_the_release_workflow_are_pinned() {
        for action in values(&workflow(), "uses") {
            let commit = action
                .split_once('@')
                .map(|(_, rest)| rest.split(' ').next());
            let commit = commit.flatten().unwrap_or_default();
            assert!(
                commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit()),
                "{action}"
            );
        }
    }

    #[test]
    fn the_release_workflow_has_the_compiler_that_the_project_asks_for() {
        let manifest = project::root().join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("the manifest");
        let oldest = manifest
            .lines()
            .find_map(|line| line.strip_prefix("rust-version = "))
            .expect("a version")
            .trim_matches('"');
        let used = workflow();
        let used = values(&used, "RUST");
        assert_eq!(used, [format!("\"{oldest}.0\"")]);
    }
}

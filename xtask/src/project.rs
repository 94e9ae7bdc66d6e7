//! Paths of the project, and calls of cargo and rustc.

use std::{env, path::PathBuf, process::Command, sync::OnceLock};

use anyhow::{Context, Result};
use clap::ValueEnum;

/// The package of the window, and its program.
pub(crate) const APP: &str = "sonde-desktop";
/// The program of the watchdog and of the checks against schemas, in the window's package.
pub(crate) const HELPER: &str = "sonde-helper";
/// The package of the demo server, and its program.
pub(crate) const DEMO: &str = "sonde-demo";
/// The package of the command line, and its program.
pub(crate) const CLI: &str = "sonde";
/// The packages whose programs ship.
pub(crate) const SHIPPED: [&str; 3] = [APP, DEMO, CLI];

/// Profiles of cargo (`[profile]` in Cargo.toml).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Unoptimised: for tests.
    Dev,
    /// Optimised where it matters, and quick to build: for `cargo xtask run`.
    DevOpt,
    /// As it ships.
    Release,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Dev => "dev",
            Profile::DevOpt => "dev-opt",
            Profile::Release => "release",
        }
    }

    /// Returns the profile's folder in cargo's target folder.
    fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            other => other.name(),
        }
    }
}

/// Returns the name of a value on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Returns the project's root folder. Cargo names it at run time: clones may share compiled programs, including this
/// one.
pub(crate) fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().unwrap_or(&manifest).to_owned()
}

/// Returns this program's file, looked up once at the start: cargo may replace the file while a chore runs, and the
/// system then names a file that no longer exists.
pub(crate) fn own_program() -> Result<PathBuf> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = PATH.get() {
        return Ok(path.clone());
    }
    let path = env::current_exe().context("finding this program's own file")?;
    Ok(PATH.get_or_init(|| path).clone())
}

/// Creates a command of the cargo that runs this chore.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    as_from_a_shell(&mut command);
    command
}

/// Removes cargo's variables about this package, such as the folder of this clone, from the environment of a command
/// that compiles. Otherwise build scripts that read them would run again in each clone and after each `cargo build`
/// from a shell, and everything depending on them would be compiled again.
pub(crate) fn as_from_a_shell(command: &mut Command) {
    let of_a_package = |name: &str| {
        name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "OUT_DIR"
    };
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(of_a_package) {
            command.env_remove(name);
        }
    }
}

/// Creates `cargo build` with a profile. Shipped programs are compiled from the locked dependencies, and do not reveal
/// where their sources are on this machine.
pub(crate) fn build(profile: Profile) -> Command {
    let mut command = cargo();
    command.args(["build", "--profile", profile.name()]);
    if profile == Profile::Release {
        command.arg("--locked");
        command.env("CARGO_ENCODED_RUSTFLAGS", release_flags());
    }
    command
}

/// Returns the flags of the environment, and those that remove this machine's folders from compiled programs.
fn release_flags() -> String {
    let mut flags: Vec<String> = match env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(flags) => flags.split('\x1f').map(str::to_owned).collect(),
        Err(_) => env::var("RUSTFLAGS")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    };
    flags.retain(|flag| !flag.is_empty());
    for (folder, name) in folders() {
        flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
    }
    flags.join("\x1f")
}

/// Returns the folders of this machine that a compiler sees, and their names in shipped programs.
pub(crate) fn folders() -> Vec<(PathBuf, &'static str)> {
    let folders = [
        (Some(root()), "sonde"),
        (cargo_home(), "cargo"),
        // Generated code is in this folder.
        (Some(target_folder()), "target"),
    ];
    let known = folders
        .into_iter()
        .filter_map(|(folder, name)| Some((std::path::absolute(folder?).ok()?, name)));
    known.collect()
}

/// Returns the folder in which cargo keeps the sources of dependencies.
fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Returns rustc's output about itself.
pub(crate) fn rustc(args: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(args)
        .output()
        .context("asking rustc about itself")?;
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> Result<String> {
    let about = rustc(&["-vV"])?;
    about
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc does not say what it compiles for")
}

/// Returns a path below cargo's target folder, which keeps all that is made and installed. Clones share it if the
/// environment names one.
pub(crate) fn cache_path(path: &str) -> PathBuf {
    target_folder().join(path)
}

/// Returns cargo's target folder.
fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns the folder of cargo's output for a profile.
pub(crate) fn target(profile: Profile) -> PathBuf {
    target_folder().join(profile.folder())
}

/// Returns the path of a program that cargo built.
pub(crate) fn program(name: &str, profile: Profile) -> PathBuf {
    target(profile).join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Returns true in continuous integration.
pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// True if nobody can be asked: in continuous integration, or without a terminal.
pub(crate) fn unattended() -> bool {
    use std::io::IsTerminal;
    in_ci() || !std::io::stdin().is_terminal()
}

/// Returns true if a program is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the compiler flags that a build sets, and its arguments.
    fn flags(profile: Profile) -> (Vec<String>, Vec<String>) {
        let build = build(profile);
        let text = |value: &std::ffi::OsStr| value.to_string_lossy().into_owned();
        let flags = build
            .get_envs()
            .find(|(name, _)| *name == "CARGO_ENCODED_RUSTFLAGS")
            .and_then(|(_, value)| value.map(text))
            .unwrap_or_default();
        (
            flags.split('\x1f').map(str::to_owned).collect(),
            build.get_args().map(text).collect(),
        )
    }

    #[test]
    fn what_ships_names_no_folder_of_this_machine() {
        let (flags, args) = flags(Profile::Release);
        let folders = folders();
        let names: Vec<&str> = folders.iter().map(|(_, name)| *name).collect();
        assert_eq!(names, ["sonde", "cargo", "target"]);
        for (folder, name) in folders {
            assert!(folder.is_absolute(), "{}", folder.display());
            let flag = format!("--remap-path-prefix={}={name}", folder.display());
            assert!(flags.contains(&flag), "{flag} in {flags:?}");
        }
        assert!(args.contains(&"--locked".to_owned()), "{args:?}");
    }

    #[test]
    fn no_build_learns_that_a_chore_started_it() {
        let removed: Vec<_> = cargo()
            .get_envs()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name.to_owned())
            .collect();
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
            assert!(env::var_os(name).is_some(), "{name} is set by cargo");
            assert!(removed.iter().any(|each| each == name), "{name}");
        }
    }

    #[test]
    fn other_builds_take_the_flags_of_the_environment() {
        for profile in [Profile::Dev, Profile::DevOpt] {
            let (flags, args) = flags(profile);
            assert_eq!(flags, [""], "{args:?}");
        }
    }
}

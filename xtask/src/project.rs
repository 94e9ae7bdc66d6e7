//! Where things lie in the project.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use anyhow::{Context, Result};

/// The project's root folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// This program's file. Asked for once at the start: cargo may replace the file while a chore runs, and
/// the system then names a file that is no more.
pub(crate) fn own_program() -> Result<PathBuf> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = PATH.get() {
        return Ok(path.clone());
    }
    let path = env::current_exe().context("finding this program's own file")?;
    Ok(PATH.get_or_init(|| path).clone())
}

/// Cargo, the one that runs this chore.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where cargo puts what it builds.
pub(crate) fn target(release: bool) -> PathBuf {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join(if release { "release" } else { "debug" })
}

/// A program that cargo built.
pub(crate) fn program(name: &str, release: bool) -> PathBuf {
    target(release).join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Whether nobody is there to be asked: continuous integration, or root without a terminal.
pub(crate) fn unattended() -> bool {
    use std::io::IsTerminal;
    env::var_os("CI").is_some() || !std::io::stdin().is_terminal()
}

/// Whether a program is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

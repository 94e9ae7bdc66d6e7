//! The web part: its packages and its bundle.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::Result;

use crate::{project, signing, step};

/// npx, which runs the programs of the page's packages.
pub(crate) fn npx() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npx.cmd" } else { "npx" });
    command
        .arg("--no-install")
        .current_dir(project::root().join("ui"));
    signing::withhold(&mut command);
    command
}

/// npm, in a folder of the project.
pub(crate) fn npm(folder: impl AsRef<Path>) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(project::root().join(folder));
    signing::withhold(&mut command);
    command
}

/// Installs the packages of the lock file in a folder of the project, unless that was done already.
pub(crate) fn install(folder: &str) -> Result<()> {
    install_in(&project::root().join(folder))
}

/// The same in any folder.
pub(crate) fn install_in(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    let done = folder.join("node_modules/.package-lock.json");
    if newest(&[&lock]) <= newest(&[&done]) {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    step::quiet(
        &format!("Install the packages of {name}"),
        // Not `npm ci`: it insists that the lock file names the native parts of every platform, which
        // npm leaves out where a registry does not carry them. The locked versions hold either way.
        npm(folder).args(["install", "--no-save", "--no-audit", "--no-fund"]),
    )
}

/// Builds `ui/dist`, unless it is newer than everything it is made of.
pub(crate) fn build() -> Result<()> {
    install("ui")?;
    let ui = project::root().join("ui");
    let sources = [
        ui.join("src"),
        ui.join("index.html"),
        ui.join("package-lock.json"),
        ui.join("vite.config.ts"),
        // The pages of the help, with their pictures.
        project::root().join("docs/guide"),
        project::root().join("docs/images"),
    ];
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    if newest(&sources) < newest(&[&ui.join("dist/index.html")]) {
        return Ok(());
    }
    step::quiet("Build the UI", npm("ui").args(["run", "build"]))
}

/// Returns the time of the newest file below these paths; the distant past if there is none.
fn newest(paths: &[&Path]) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut open: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    while let Some(path) = open.pop() {
        let Ok(meta) = fs::metadata(&path) else {
            continue;
        };
        if meta.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|e| e.path()),
            );
        }
        if let Ok(time) = meta.modified() {
            newest = newest.max(time);
        }
    }
    newest
}

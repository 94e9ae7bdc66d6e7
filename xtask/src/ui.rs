//! The web part: its packages and its bundle.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::Result;

use crate::{files, project, step};

/// Creates a command of npx, which runs programs of the page's packages.
pub(crate) fn npx() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npx.cmd" } else { "npx" });
    command
        .arg("--no-install")
        .current_dir(project::root().join("ui"));
    command
}

/// Creates a command of npm in a folder. A relative path is one of the project.
pub(crate) fn npm(folder: impl AsRef<Path>) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(project::root().join(folder));
    command
}

/// Installs the packages of the lock file in a folder, unless that was done already. A relative path is one of the
/// project.
pub(crate) fn install(folder: impl AsRef<Path>) -> Result<()> {
    let folder = project::root().join(folder);
    let lock = folder.join("package-lock.json");
    let done = folder.join("node_modules/.package-lock.json");
    if newest(&[&lock]) <= newest(&[&done]) {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    step::quiet(
        &format!("Install the packages of {name}"),
        // Not `npm ci`, which requires the native parts of every platform in the lock file; npm leaves them out if a
        // registry lacks them. The locked versions apply either way.
        npm(&folder).args(["install", "--no-save", "--no-audit", "--no-fund"]),
    )
}

/// Builds `ui/dist`, unless the last build is newer than all its inputs.
pub(crate) fn build() -> Result<()> {
    install("ui")?;
    let ui = project::root().join("ui");
    let sources = [
        ui.join("src"),
        ui.join("public"),
        ui.join("index.html"),
        ui.join("package.json"),
        ui.join("package-lock.json"),
        ui.join("vite.config.ts"),
        // The pages of the help, with their pictures.
        project::root().join("docs/guide"),
        project::root().join("docs/images"),
    ];
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let (dist, fresh) = (ui.join("dist"), ui.join("node_modules/.dist"));
    let built = ui.join("node_modules/.built");
    if dist.join("index.html").exists() && newest(&sources) < newest(&[&built]) {
        return Ok(());
    }
    // Dated at the begin of the build: later changes are for the next one.
    let begun = built.with_extension("begun");
    fs::write(&begun, "")?;
    step::quiet(
        "Build the UI",
        npx()
            .args(["vite", "build", "--emptyOutDir", "--outDir"])
            .arg(&fresh),
    )?;
    replace(&dist, &fresh)?;
    Ok(fs::rename(begun, built)?)
}

/// Replaces a folder with another one unless they are equal, because everything that embeds it would be compiled and
/// linked again.
fn replace(old: &Path, new: &Path) -> Result<()> {
    if old.exists() {
        if files(old)? == files(new)? {
            return Ok(fs::remove_dir_all(new)?);
        }
        fs::remove_dir_all(old)?;
    }
    Ok(fs::rename(new, old)?)
}

/// Returns the files below a folder with their content.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let files = files::below(folder)?.into_iter();
    files
        .map(|path| Ok((path.strip_prefix(folder)?.to_owned(), fs::read(&path)?)))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_like_the_one_before_leaves_its_files_untouched() {
        let folder = project::cache_path("tmp/replaced-page");
        let _ = fs::remove_dir_all(&folder);
        let (old, new) = (folder.join("old"), folder.join("new"));
        let write = |folder: &Path, text| {
            fs::create_dir_all(folder.join("assets")).expect("a folder");
            fs::write(folder.join("assets/a.js"), text).expect("a file");
        };
        let time = || newest(&[&old.join("assets/a.js")]);
        write(&new, "one");
        replace(&old, &new).expect("nothing was there");
        let first = time();
        for (text, is_kept) in [("one", true), ("two", false)] {
            write(&new, text);
            replace(&old, &new).expect("replaced");
            assert_eq!(time() == first, is_kept, "{text}");
            assert!(!new.exists());
            let read = fs::read_to_string(old.join("assets/a.js"));
            assert_eq!(read.expect("the file"), text);
        }
    }
}

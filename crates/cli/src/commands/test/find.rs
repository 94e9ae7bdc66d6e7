//! Suites of files and folders.

use std::{
    io,
    path::{Path, PathBuf},
};

use sonde_suite::{
    format::{SKIPPED_FOLDERS, SUITE_ENDING, Suite},
    problem::Problem,
};

use crate::{
    exit::{Failed, Result},
    servers::servers_file,
};

/// Folders below each other that are searched.
const DEPTH: usize = 16;

/// A suite with its place.
pub(super) struct FoundSuite {
    /// As it is shown.
    pub(super) file: String,
    pub(super) folder: PathBuf,
    pub(super) suite: Suite,
    /// The servers file that it uses.
    pub(super) servers: Option<PathBuf>,
}

impl FoundSuite {
    /// Name in reports.
    pub(super) fn name(&self) -> String {
        let own = self.suite.name.as_ref();
        own.unwrap_or(&self.file).clone()
    }
}

/// Reads the suites of these files and folders, or of the present folder. `config` is the servers file for all.
pub(super) fn suites(paths: &[PathBuf], config: Option<&Path>) -> Result<Vec<FoundSuite>> {
    let here = [PathBuf::from(".")];
    let paths = match paths.is_empty() {
        true => &here[..],
        false => paths,
    };
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                let before = files.len();
                search(path, DEPTH, &mut files)?;
                if files.len() == before {
                    let folder = path.display();
                    return Err(Failed::incomplete(format!(
                        "There are no suites to run in {folder}."
                    ))
                    .more([format!(
                        "A suite is a file whose name ends with {SUITE_ENDING}."
                    )]));
                }
            }
            false if files.contains(path) => {}
            false => files.push(path.clone()),
        }
    }
    let mut problems = Vec::new();
    let mut suites = Vec::new();
    for path in files {
        let file = path.display().to_string();
        let file = file.strip_prefix("./").unwrap_or(&file).to_owned();
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| Failed::not_read(&file, &error))?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        match Suite::read(&own, &text) {
            Ok(suite) => suites.push(FoundSuite {
                // The one that was named, or the nearest beside it or above it.
                servers: match config {
                    Some(config) => Some(config.to_owned()),
                    None => servers_file(&folder_of(&path)),
                },
                folder: folder_of(&path),
                file,
                suite,
            }),
            Err(found) => problems.extend(found.list.into_iter().map(|one| one.of_file(&file))),
        }
    }
    match problems.is_empty() {
        true => Ok(suites),
        false => {
            let lines = problems.iter().map(|one| at("", one));
            Err(Failed {
                problems: problems.clone(),
                ..Failed::usage("Suites cannot be read.").more(lines)
            })
        }
    }
}

/// A problem with its place.
pub(super) fn at(file: &str, problem: &Problem) -> String {
    let span = problem.span;
    let file = problem.file.as_deref().unwrap_or(file);
    match span.line {
        0 => format!("{file}: {}", problem.message),
        line => format!("{file}:{line}:{}: {}", span.column, problem.message),
    }
}

/// Adds the suites of a folder and below, in the order of their names.
fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.collect::<io::Result<Vec<_>>>())
        .map_err(|error| Failed::not_read(folder.display(), &error))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link to a folder may lead in a circle.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&&*name) {
            search(&entry.path(), depth - 1, found)?;
        } else if !is_folder && name.ends_with(SUITE_ENDING) {
            found.push(entry.path());
        }
    }
    Ok(())
}

pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

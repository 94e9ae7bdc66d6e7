//! Suites of a folder, read within limits.

use std::{
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
};

use sonde_suite::{
    edit::SuiteText,
    format::{SKIPPED_FOLDERS, SUITE_ENDING, Suite},
    problem::{Problem, Problems, Span},
    run::Stored,
};

use super::types::CheckProblem;
use crate::Error;

/// Folders below each other that are searched.
const DEPTH: usize = 8;
/// Limit of files and folders that are visited.
const ENTRIES: usize = 20_000;
/// Suites of a folder.
const FILES: usize = 200;
/// Bytes of a suite.
const FILE: usize = 1024 * 1024;
/// Bytes of all suites.
const BYTES: usize = 8 * 1024 * 1024;
/// Steps of all suites.
const STEPS: usize = 1_000;
/// Longest reason that is shown, in characters.
pub(super) const WORDS: usize = 1_000;
/// Limit of shown problems per file.
const PROBLEMS: usize = 20;

/// Suites of a folder.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) root: PathBuf,
    /// It is the server's own, in the data folder.
    pub(super) own: bool,
    pub(super) files: Vec<SuiteFile>,
    /// Files and steps beyond the limits.
    pub(super) too_many: usize,
    /// Reason why the folder cannot be read, one sentence.
    pub(super) problem: Option<String>,
}

impl Folder {
    /// The file of this path.
    pub(super) fn file(self, file: &str) -> Option<SuiteFile> {
        self.files.into_iter().find(|one| one.file == file)
    }

    /// A new file with this text, not yet written.
    pub(super) fn new_file(&self, file: &str, text: String) -> Result<SuiteFile, Error> {
        // One that is not listed would be replaced: beyond the limit, or with other letters on some systems.
        match fs::symlink_metadata(self.root.join(file)) {
            Ok(_) => Err(Error::invalid(format!(
                "The folder has a file `{file}` that is not listed under this name. Choose a listed file, or rename \
                 this one."
            ))),
            Err(_) => Ok(SuiteFile::new(&self.root, file.to_owned(), Ok(text))),
        }
    }
}

/// A file of checks.
#[derive(Debug)]
pub(super) struct SuiteFile {
    pub(super) path: PathBuf,
    /// Path in the folder, with `/`.
    pub(super) file: String,
    /// Empty where the file cannot be read.
    pub(super) text: String,
    pub(super) suite: Result<Suite, Vec<CheckProblem>>,
}

impl SuiteFile {
    /// A file with this text, or the reason why it cannot be read.
    pub(super) fn new(root: &Path, file: String, text: Result<String, String>) -> Self {
        let mut read = Self {
            path: root.join(&file),
            file,
            text: String::new(),
            suite: Err(Vec::new()),
        };
        read.suite = match text {
            Ok(text) => {
                read.text = text;
                let suite = Suite::read(read.name(), &read.text);
                suite.map_err(|bad| bad.list.iter().take(PROBLEMS).map(at).collect())
            }
            // A fault of the whole file.
            Err(message) => Err(vec![at(&Problem::new(Span::default(), message))]),
        };
        read
    }

    fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// Folder of the file, in which its snapshots are.
    pub(super) fn folder(&self) -> PathBuf {
        self.path.parent().unwrap_or(&self.path).to_owned()
    }

    /// Stored values of its checks.
    pub(super) fn stored(&self) -> Stored {
        let name = self.name();
        let stem = name.strip_suffix(SUITE_ENDING).unwrap_or(name);
        Stored::new(&self.folder(), stem)
    }

    /// Its text, to be edited.
    pub(super) fn edit(&self) -> Result<SuiteText, Error> {
        SuiteText::new(&self.file, self.text.clone()).map_err(invalid)
    }

    /// Parses an edited text of this file.
    pub(super) fn parse(&self, text: &str) -> Result<Suite, Error> {
        Suite::read(self.name(), text).map_err(invalid)
    }

    /// Replaces the text of the file.
    pub(super) fn write(&self, text: &str) -> Result<(), Error> {
        sonde_files::rewrite(&self.path, text.as_bytes()).map_err(storage)
    }
}

/// Reads the suites of a folder and below. Links are not followed. A folder that is not there is empty if it is the
/// server's `own`. Blocks.
pub(super) fn read(root: &Path, own: bool) -> Folder {
    let mut folder = Folder {
        root: root.to_owned(),
        own,
        ..Folder::default()
    };
    let mut search = Search::default();
    match search.add(root, "", DEPTH) {
        Err(error) if own && error.kind() == std::io::ErrorKind::NotFound => return folder,
        Err(error) => {
            folder.problem = Some(format!("The folder cannot be read: {error}."));
            return folder;
        }
        Ok(()) if search.looked > ENTRIES => {
            folder.problem = Some(format!(
                "The folder has more than {ENTRIES} files; Sonde looked for suites among the first ones."
            ));
        }
        Ok(()) => {}
    }
    search.found.sort();
    folder.too_many = search.found.len().saturating_sub(FILES);
    search.found.truncate(FILES);
    let (mut bytes, mut steps) = (0, 0);
    for file in search.found {
        let text = match read_text(&root.join(&file)) {
            Ok(text) if bytes + text.len() > BYTES => {
                let mib = BYTES / 1024 / 1024;
                Err(format!(
                    "The suites of a folder may have at most {mib} MiB in total."
                ))
            }
            text => text,
        };
        let mut one = SuiteFile::new(root, file, text);
        bytes += one.text.len();
        if let Ok(suite) = &mut one.suite {
            let kept = suite.steps.len().min(STEPS - steps);
            folder.too_many += suite.steps.len() - kept;
            suite.steps.truncate(kept);
            steps += kept;
        }
        folder.files.push(one);
    }
    folder
}

/// Reads one suite, whole. Blocks.
fn read_text(path: &Path) -> Result<String, String> {
    let bad = |error: std::io::Error| format!("The file cannot be read: {error}.");
    let found = fs::symlink_metadata(path).map_err(bad)?;
    if !found.is_file() {
        return Err("This is a link, which Sonde does not follow here.".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(bad)?;
    file.take(FILE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(bad)?;
    if bytes.len() > FILE {
        let mib = FILE / 1024 / 1024;
        return Err(format!("A suite has at most {mib} MiB."));
    }
    String::from_utf8(bytes).map_err(|_| "The file is not in UTF-8.".to_owned())
}

fn at(problem: &Problem) -> CheckProblem {
    CheckProblem {
        line: problem.span.line,
        column: problem.span.column,
        message: sonde_record::text::cut(&problem.message, WORDS),
    }
}

/// The error of an edit that leads to no suite.
pub(super) fn invalid(problems: Problems) -> Error {
    let first = problems.list.first();
    Error::InvalidInput {
        message: first.map_or_else(String::new, |problem| problem.message.clone()),
        detail: Some(problems.to_string()),
    }
}

pub(super) fn storage(error: std::io::Error) -> Error {
    Error::invalid(format!("The file could not be written: {error}."))
}

#[derive(Default)]
struct Search {
    found: Vec<String>,
    looked: usize,
}

impl Search {
    /// Adds the suites of a folder and below. `within` is its path in the root, with `/` at the end.
    fn add(&mut self, folder: &Path, within: &str, depth: usize) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            self.looked += 1;
            if self.looked > ENTRIES {
                return Ok(());
            }
            let Ok(entry) = entry else { continue };
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = format!("{within}{name}");
            if kind.is_dir() {
                let skipped = name.starts_with('.') || SKIPPED_FOLDERS.contains(&name.as_str());
                if depth > 0 && !skipped {
                    // An unreadable folder hides no other.
                    let _ = self.add(&entry.path(), &format!("{path}/"), depth - 1);
                }
            } else if name.ends_with(SUITE_ENDING) {
                self.found.push(path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = "sonde: 1\nsteps:\n  - ping: true\n";

    #[test]
    fn a_hostile_folder_is_read_within_limits() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("a/b/c/d/e/f/g/h/i/j")).unwrap();
        fs::write(root.join("a/b/c/d/e/f/g/h/i/j/deep.sonde.yaml"), STEP).unwrap();
        for number in 0..FILES + 30 {
            fs::write(root.join(format!("b{number:05}.sonde.yaml")), STEP).unwrap();
        }
        let large = File::create(root.join("a-large.sonde.yaml")).unwrap();
        large.set_len(100 * 1024 * 1024).unwrap();
        fs::write(root.join("a-latin.sonde.yaml"), b"\xe9").unwrap();
        fs::create_dir(root.join("a-node.sonde.yaml")).unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("x.sonde.yaml"), STEP).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, root.join("out")).unwrap();
            std::os::unix::fs::symlink(
                outside.join("x.sonde.yaml"),
                root.join("a-link.sonde.yaml"),
            )
            .unwrap();
            std::os::unix::fs::symlink(&root, root.join("circle")).unwrap();
        }
        let read = read(&root, false);
        assert_eq!(read.files.len(), FILES);
        assert!(read.too_many > 0 && read.problem.is_none());
        let broken: Vec<_> = read.files.iter().filter(|one| one.suite.is_err()).collect();
        let names: Vec<_> = broken.iter().map(|one| one.file.as_str()).collect();
        let expected = [
            "a-large.sonde.yaml",
            "a-latin.sonde.yaml",
            "a-link.sonde.yaml",
        ];
        let links = usize::from(cfg!(unix));
        assert!(
            expected[..2 + links].iter().all(|one| names.contains(one)),
            "{names:?}"
        );
        assert!(read.files.iter().all(|one| !one.file.starts_with("out/")
            && !one.file.contains("circle")
            && !one.file.contains("deep")));
    }

    #[test]
    fn an_own_folder_that_is_not_there_is_empty_and_another_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        assert!(read(&gone, true).problem.is_none());
        assert!(
            read(&gone, false)
                .problem
                .unwrap()
                .contains("cannot be read")
        );
    }

    #[test]
    fn a_file_that_is_not_listed_is_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let folder = read(root.path(), true);
        folder.new_file("new.sonde.yaml", STEP.to_owned()).unwrap();
        fs::write(root.path().join("new.sonde.yaml"), STEP).unwrap();
        folder
            .new_file("new.sonde.yaml", STEP.to_owned())
            .unwrap_err();
    }

    #[test]
    fn an_edited_suite_of_a_subfolder_keeps_its_stem() {
        let text = Ok(STEP.to_owned());
        let file = SuiteFile::new(Path::new("root"), "sub/a.sonde.yaml".to_owned(), text);
        assert_eq!(file.parse(STEP).unwrap().stem(), "a");
        assert_eq!(file.suite.unwrap().stem(), "a");
    }

    #[test]
    fn steps_beyond_the_limit_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let steps = "  - ping: true\n".repeat(STEPS - 1);
        for name in ["a", "b"] {
            let text = format!("sonde: 1\nsteps:\n{steps}");
            fs::write(folder.path().join(format!("{name}.sonde.yaml")), text).unwrap();
        }
        let read = read(folder.path(), false);
        assert_eq!(read.too_many, STEPS - 2);
    }
}

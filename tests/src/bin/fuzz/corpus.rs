//! The stored cases: inputs to begin with, and inputs that once failed.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target)
}

/// Reads the cases of a target with their file names, in order.
pub(crate) fn read(target: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = folder(target);
    let mut cases = Vec::new();
    let files = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    for file in files {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        cases.push((name, fs::read(file.path())?));
    }
    cases.sort();
    Ok(cases)
}

/// Stores an input that failed; returns its path.
pub(crate) fn keep(target: &str, input: &[u8]) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = folder(target).join(format!("found-{:016x}", hasher.finish()));
    fs::write(&path, input).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

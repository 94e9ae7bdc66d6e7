//! Report of the app about itself.

use std::{
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sonde_explorer::blocking;
use ts_rs::TS;

use crate::{backend::Backend, error::IpcError};

/// Limit in bytes of the part of the newest log file that is read.
const LOG: u64 = 256 * 1024;
/// Limit of the log lines that are shown.
const LINES: usize = 400;
/// Limit of the number of crash reports, and limit in bytes of each.
const CRASHES: usize = 5;
const CRASH: u64 = 32 * 1024;

/// Report of the app about itself, for a bug report. Holds no secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AppReport {
    /// The app's version.
    pub version: String,
    /// Operating system and architecture.
    pub system: String,
    /// Folder of the app's data.
    pub data_folder: String,
    /// Address of newer versions, if the builder of the app set one.
    pub releases: Option<String>,
    /// Description of the storage of secrets, one plain sentence.
    pub keyring: String,
    /// The newest lines of the app's log, oldest first.
    pub log: Vec<String>,
    /// Reports of crashes of the app itself, newest first, as text.
    pub crashes: Vec<String>,
}

impl Backend {
    /// Returns the app's report about itself, for a bug report.
    ///
    /// # Errors
    /// None: files that cannot be read are left out.
    pub async fn app_report(&self) -> Result<AppReport, IpcError> {
        let keyring = self.explorer().keyring().await;
        let folder = self.explorer().data_folder().to_owned();
        let report = blocking(move || AppReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            data_folder: folder.display().to_string(),
            releases: option_env!("SONDE_RELEASES_URL").map(str::to_owned),
            keyring,
            log: last_lines(&folder.join("logs")),
            crashes: newest(&folder.join("crashes"))
                .into_iter()
                .take(CRASHES)
                .filter_map(|path| read_end(&path, CRASH))
                .collect(),
        });
        Ok(report.await?)
    }
}

fn last_lines(folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    // The newest file may be nearly empty.
    for path in newest(folder).into_iter().take(2) {
        let Some(text) = read_end(&path, LOG) else {
            continue;
        };
        let mut older: Vec<String> = text.lines().map(str::to_owned).collect();
        older.append(&mut lines);
        lines = older;
        if lines.len() >= LINES {
            break;
        }
    }
    lines.split_off(lines.len().saturating_sub(LINES))
}

/// Returns the files of a folder, newest first.
fn newest(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let found = entry.metadata().ok()?;
            found
                .is_file()
                .then(|| (found.modified().ok(), entry.path()))
        })
        .collect();
    // Names break ties: rotated files are named by date.
    files.sort_by(|one, other| other.cmp(one));
    files.into_iter().map(|(_, path)| path).collect()
}

/// Reads the last bytes of a file, beginning with a whole line.
fn read_end(path: &Path, bytes: u64) -> Option<String> {
    let mut file = std::fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let start = size.saturating_sub(bytes);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut read = Vec::new();
    file.take(bytes).read_to_end(&mut read).ok()?;
    let text = String::from_utf8_lossy(&read).into_owned();
    match text.split_once('\n') {
        Some((_, rest)) if start > 0 => Some(rest.to_owned()),
        _ => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_come_last() {
        let folder = tempfile::tempdir().unwrap();
        assert!(last_lines(&folder.path().join("none")).is_empty());
        std::fs::write(folder.path().join("sonde.2026-01-01"), "old 1\nold 2\n").unwrap();
        std::fs::write(folder.path().join("sonde.2026-01-02"), "new 1\nnew 2\n").unwrap();
        assert_eq!(
            last_lines(folder.path()),
            ["old 1", "old 2", "new 1", "new 2"]
        );
        let many: String = (0..50_000).map(|line| format!("line {line}\n")).collect();
        std::fs::write(folder.path().join("sonde.2026-01-03"), many).unwrap();
        let lines = last_lines(folder.path());
        assert_eq!(lines.len(), LINES);
        assert_eq!(
            (lines[0].as_str(), lines[LINES - 1].as_str()),
            ("line 49600", "line 49999")
        );
    }
}

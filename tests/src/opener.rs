//! The system's program for opening addresses, replaced by a script that only writes them down.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Result, bail};
use tempfile::TempDir;

use crate::LIMIT;

/// Interval for polling the opened addresses.
const LOOK: Duration = Duration::from_millis(50);

/// Records the addresses that the app opens. Works where addresses are opened with `xdg-open`.
#[derive(Debug)]
pub struct Opener {
    folder: TempDir,
}

impl Opener {
    /// Creates an opener without addresses.
    pub fn new() -> Result<Self> {
        let opener = Self {
            folder: tempfile::Builder::new().prefix("sonde-opener-").tempdir()?,
        };
        let script = opener.folder.path().join("xdg-open");
        fs::write(
            &script,
            format!(
                "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n",
                opener.notes().display()
            ),
        )?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        }
        Ok(opener)
    }

    /// Returns the variables that the app's environment needs.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let path = std::env::var("PATH").unwrap_or_default();
        vec![(
            "PATH".to_owned(),
            format!("{}:{path}", self.folder.path().display()),
        )]
    }

    /// Returns every address so far, oldest first.
    pub fn opened(&self) -> Result<Vec<String>> {
        match fs::read_to_string(self.notes()) {
            Ok(notes) => Ok(notes.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits for the address with this number, counted from 1, and returns it.
    pub async fn wait_for(&self, number: usize) -> Result<String> {
        let begin = tokio::time::Instant::now();
        loop {
            let mut opened = self.opened()?;
            if opened.len() >= number {
                return Ok(opened.swap_remove(number - 1));
            }
            if begin.elapsed() > *LIMIT {
                bail!(
                    "waited {LIMIT:?} for address {number} to be opened; opened were: {opened:?}"
                );
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn notes(&self) -> PathBuf {
        self.folder.path().join("opened")
    }
}

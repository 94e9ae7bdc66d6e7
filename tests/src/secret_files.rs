//! Secrets in plain files of a test's own folder, for two processes without a keyring.

use std::{io::Write as _, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sonde_auth::{Secret, SecretError, SecretStore};

/// One file for each secret, replaced whole.
#[derive(Clone, Debug)]
pub struct SecretFiles(PathBuf);

impl SecretFiles {
    /// Creates a store in this folder, which must exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    fn path(&self, owner: &str, name: &str) -> PathBuf {
        let name = URL_SAFE_NO_PAD.encode(format!("{owner}/{name}"));
        // The name may be longer than file names may be; its end distinguishes it as well as its beginning.
        let start = name.len().saturating_sub(200);
        self.0.join(&name[start..])
    }
}

fn failed(error: impl std::fmt::Display) -> SecretError {
    SecretError::Failed {
        reason: error.to_string(),
    }
}

impl SecretStore for SecretFiles {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        match std::fs::read_to_string(self.path(owner, name)) {
            Ok(text) => Ok(Some(Secret::new(text))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        let mut file = tempfile::NamedTempFile::new_in(&self.0).map_err(failed)?;
        file.write_all(secret.expose().as_bytes()).map_err(failed)?;
        file.persist(self.path(owner, name)).map_err(failed)?;
        Ok(())
    }

    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        match std::fs::remove_file(self.path(owner, name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    fn describe(&self) -> String {
        "Secrets are stored in files of a test.".to_owned()
    }
}

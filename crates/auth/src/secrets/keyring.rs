//! The operating system's keyring: Keychain, Credential Manager, Secret Service.

use keyring::{Entry, Error};

use super::{
    Secret, SecretError, SecretStore,
    entries::{self, Entries},
};

/// The service name of all entries: `secret-tool search --all service dev.sonde.app` lists them.
pub const SERVICE: &str = "dev.sonde.app";

/// The operating system's keyring.
#[derive(Clone, Debug)]
pub struct Keyring {
    service: String,
}

impl Default for Keyring {
    fn default() -> Self {
        Self::new()
    }
}

impl Keyring {
    /// Creates the keyring under the app's service name. Does not contact the system yet.
    #[must_use]
    pub fn new() -> Self {
        Self::for_service(SERVICE)
    }

    /// Creates the keyring under another service name, for tests that must not see the user's entries.
    #[must_use]
    pub fn for_service(service: impl Into<String>) -> Self {
        Self {
            service: service.into(),
        }
    }

    fn entry(&self, user: &str) -> Result<Entry, SecretError> {
        Entry::new(&self.service, user).map_err(refused)
    }
}

impl Entries for Keyring {
    fn read(&self, user: &str) -> Result<Option<Vec<u8>>, SecretError> {
        match self.entry(user)?.get_secret() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    fn write(&self, user: &str, bytes: &[u8]) -> Result<(), SecretError> {
        self.entry(user)?.set_secret(bytes).map_err(refused)
    }

    fn delete(&self, user: &str) -> Result<bool, SecretError> {
        match self.entry(user)?.delete_credential() {
            Ok(()) => Ok(true),
            Err(Error::NoEntry) => Ok(false),
            Err(error) => Err(refused(error)),
        }
    }
}

fn user(owner: &str, name: &str) -> String {
    format!("{owner}/{name}")
}

impl SecretStore for Keyring {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        entries::get(self, &user(owner, name)).map(|secret| secret.map(Secret::new))
    }

    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        entries::set(self, &user(owner, name), secret.expose())
    }

    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        entries::remove(self, &user(owner, name))
    }

    fn is_usable(&self) -> bool {
        Entry::store_status().is_ok()
    }

    fn describe(&self) -> String {
        match Entry::store_status() {
            Ok(()) if cfg!(target_os = "macos") => "Secrets are stored in the macOS keychain.",
            Ok(()) if cfg!(windows) => "Secrets are stored in the Windows Credential Manager.",
            Ok(()) => "Secrets are stored in the system's keyring (Secret Service).",
            Err(_) => "No keyring is available: secrets stay in memory until Sonde quits.",
        }
        .to_owned()
    }
}

/// Classifies the keyring's errors by what the user can do about them. The texts come from the system; variants that
/// carry stored bytes are not formatted.
fn refused(error: Error) -> SecretError {
    match error {
        Error::NoDefaultStore => SecretError::Unavailable {
            reason: match Entry::store_status() {
                Err(Error::PlatformFailure(source)) => source.to_string(),
                Err(error) => error.to_string(),
                Ok(()) => "it did not start".to_owned(),
            },
        },
        Error::PlatformFailure(source) => SecretError::Unavailable {
            reason: source.to_string(),
        },
        Error::NoStorageAccess(source) => SecretError::Locked {
            reason: source.to_string(),
        },
        Error::BadEncoding(_) | Error::BadDataFormat(..) => SecretError::Damaged {
            reason: "the keyring could not decode it".to_owned(),
        },
        Error::Ambiguous(_) => SecretError::Damaged {
            reason: "the keyring holds it more than once".to_owned(),
        },
        Error::TooLong(what, limit) => SecretError::Failed {
            reason: format!("its {what} can have at most {limit} characters"),
        },
        other => SecretError::Failed {
            reason: other.to_string(),
        },
    }
}

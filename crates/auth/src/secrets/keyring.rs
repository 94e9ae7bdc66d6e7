//! The operating system's keyring: Keychain, Credential Manager, Secret Service.

use keyring::{Entry, Error};

use super::{Secret, SecretError, SecretStore, parts};

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
    /// The keyring under the app's service name. Nothing is asked of the system yet.
    #[must_use]
    pub fn new() -> Self {
        Self::for_service(SERVICE)
    }

    /// The keyring under another service name, for tests that must not see the user's entries.
    #[must_use]
    pub fn for_service(service: impl Into<String>) -> Self {
        Self {
            service: service.into(),
        }
    }

    fn entry(&self, user: &str) -> Result<Entry, SecretError> {
        Entry::new(&self.service, user).map_err(refused)
    }

    fn read(&self, user: &str) -> Result<Option<Vec<u8>>, SecretError> {
        match self.entry(user)?.get_secret() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(error)),
        }
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

fn part(owner: &str, name: &str, number: usize) -> String {
    format!("{owner}/{name}#{number}")
}

impl SecretStore for Keyring {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        let Some(entry) = self.read(&user(owner, name))? else {
            return Ok(None);
        };
        let head = parts::head(&entry)?;
        let mut rest = Vec::with_capacity(head.parts);
        for number in 1..=head.parts {
            rest.push(self.read(&part(owner, name, number))?.ok_or_else(|| {
                SecretError::Damaged {
                    reason: "a part of it is missing".to_owned(),
                }
            })?);
        }
        parts::join(head, &rest).map(|secret| Some(Secret::new(secret)))
    }

    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        let (head, parts) = parts::split(secret.expose());
        // Parts first: until the new head is there, the old one no longer matches them, and a
        // half-written secret reads as damaged instead of as a wrong value.
        for (index, bytes) in parts.iter().enumerate() {
            self.entry(&part(owner, name, index + 1))?
                .set_secret(bytes)
                .map_err(refused)?;
        }
        self.entry(&user(owner, name))?
            .set_secret(&head)
            .map_err(refused)?;
        // What a longer secret before left behind.
        let mut number = parts.len() + 1;
        while self.delete(&part(owner, name, number))? {
            number += 1;
        }
        Ok(())
    }

    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        self.delete(&user(owner, name))?;
        let mut number = 1;
        while self.delete(&part(owner, name, number))? {
            number += 1;
        }
        Ok(())
    }

    fn describe(&self) -> String {
        match Entry::store_status() {
            Ok(()) if cfg!(target_os = "macos") => "Secrets are kept in the macOS keychain.",
            Ok(()) if cfg!(windows) => "Secrets are kept in the Windows Credential Manager.",
            Ok(()) => "Secrets are kept in the system's keyring (Secret Service).",
            Err(_) => "No keyring is available: secrets stay in memory until the app ends.",
        }
        .to_owned()
    }
}

/// Sorts the keyring's errors by what the user can do about them. The texts come from the system;
/// variants that carry stored bytes are not formatted.
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
            reason: format!("its {what} may have {limit} characters at most"),
        },
        other => SecretError::Failed {
            reason: other.to_string(),
        },
    }
}

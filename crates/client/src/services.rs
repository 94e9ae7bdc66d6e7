//! Resources that the connections of a program share.

use std::{
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use sonde_auth::{CredentialStore, MemoryStore, SecretCache};
use sonde_mcp::CatalogBudget;
use sonde_record::Budget;
use sonde_validation::Validator;
use sonde_wire::stdio::Watchdog;
use tokio_util::sync::CancellationToken;

use crate::{clock, log::SecretText};

/// The demo server's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoProgram {
    /// Path of the program.
    pub program: PathBuf,
    /// First arguments; `--http` is added where needed.
    pub args: Vec<String>,
}

/// Resources that the connections of a program share: limits over all of them, stored secrets, helper processes.
pub struct Services {
    /// Values of the configurations that are secrets.
    pub secrets: Arc<SecretCache>,
    /// Further values that the logs of all connections hide.
    pub hidden: Vec<SecretText>,
    /// Tokens and registrations.
    pub credentials: Arc<CredentialStore>,
    /// Over the logs and documents of all connections.
    pub budget: Arc<Budget>,
    /// Over the catalogs of all connections.
    pub catalogs: Arc<CatalogBudget>,
    /// Checks values against schemas.
    pub validator: Validator,
    /// The demo server, if there is one.
    pub demo: Option<DemoProgram>,
    /// Extensions to declare beyond those that Sonde serves, by identifier, with their settings as JSON text.
    pub extensions: Vec<(String, String)>,
    /// The program was not started from a terminal, so its environment may lack what a shell sets.
    pub from_desktop: bool,
    /// The executable that ends child processes of a program that was killed, when started with
    /// [`sonde_wire::stdio::watchdog::ARGUMENT`].
    pub watchdog: Option<PathBuf>,
    /// Cancelled when the program is ending: all connections are closed.
    pub closing: CancellationToken,
    /// Number of the newest operation.
    pub last_operation: AtomicU64,
    /// Number of the newest server request.
    pub last_server_request: AtomicU64,
    /// Started with the first child; `None` if it could not be.
    pub started_watchdog: OnceLock<Option<Arc<Watchdog>>>,
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}

impl Services {
    /// Services with these stores: no demo server, no watchdog, no limits but the usual.
    #[must_use]
    pub fn new(
        secrets: Arc<SecretCache>,
        credentials: Arc<CredentialStore>,
        validator: Validator,
    ) -> Self {
        Self {
            secrets,
            hidden: Vec::new(),
            credentials,
            budget: Arc::default(),
            catalogs: Arc::default(),
            validator,
            demo: None,
            extensions: Vec::new(),
            from_desktop: false,
            watchdog: None,
            closing: CancellationToken::new(),
            last_operation: AtomicU64::new(0),
            last_server_request: AtomicU64::new(0),
            started_watchdog: OnceLock::new(),
        }
    }

    /// Services that keep secrets in memory, and check values in this process.
    #[must_use]
    pub fn in_memory() -> Self {
        let secrets = Arc::new(SecretCache::new(Arc::new(MemoryStore::default())));
        let credentials = CredentialStore::new(Arc::clone(&secrets), None, Arc::new(clock::millis));
        Self::new(secrets, Arc::new(credentials), Validator::new(None))
    }

    /// A number for the next operation.
    pub(crate) fn next_operation(&self) -> u64 {
        self.last_operation.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A number for the next request of a server.
    pub(crate) fn next_server_request(&self) -> u64 {
        self.last_server_request.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The process that ends children of a program that was killed; `None` where there is none. Starting it blocks.
    ///
    /// # Errors
    /// Why it could not be started, the first time.
    pub(crate) fn watchdog(&self) -> Result<Option<Arc<Watchdog>>, String> {
        let Some(exe) = &self.watchdog else {
            return Ok(None);
        };
        let mut failed = Ok(());
        let started = self.started_watchdog.get_or_init(|| {
            let started = Watchdog::start(exe.clone());
            started
                .map_err(|error| failed = Err(error.to_string()))
                .ok()
        });
        failed.map(|()| started.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_once() {
        let services = Services::in_memory();
        services.last_operation.store(7, Ordering::Relaxed);
        assert_eq!(
            [services.next_operation(), services.next_operation()],
            [8, 9]
        );
        let requests = [
            services.next_server_request(),
            services.next_server_request(),
        ];
        assert_eq!(requests, [1, 2]);
    }
}

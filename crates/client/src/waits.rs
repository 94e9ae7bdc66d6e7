//! Waits for events of a connection. None has a time limit.

use std::sync::Arc;

use crate::{
    Connection, Error, State,
    auth::{AuthState, SignInPrompt},
    catalogs::{Catalog, CatalogKind, Listed},
    operations::{OperationNumber, OperationRecord},
    sessions::{Failure, OpenServerRequest, SessionPhase, given_up},
};

impl Connection {
    /// Waits until `found` finds something in the state, under the conditions of [`Connection::read`]. It is asked after
    /// each change.
    pub async fn wait_for<T>(&self, mut found: impl FnMut(&State) -> Option<T>) -> T {
        let mut changes = self.changes();
        loop {
            if let Some(found) = self.read(&mut found) {
                return found;
            }
            // The sender lives as long as this.
            let _ = changes.changed().await;
        }
    }

    /// Waits until operations work.
    ///
    /// # Errors
    /// The failure of the connect, or that it was cancelled.
    pub async fn wait_until_open(&self) -> Result<(), Failure> {
        self.wait_for(|state| match state.session.phase {
            SessionPhase::Ready => Some(Ok(())),
            SessionPhase::Failed | SessionPhase::Idle => {
                let failure = state.session.failure.clone();
                Some(Err(failure.unwrap_or_else(given_up)))
            }
            SessionPhase::Connecting | SessionPhase::Closing => None,
        })
        .await
    }

    /// Waits until a catalog of an open connection is read; reads it if necessary. A catalog that the server does not
    /// have is empty.
    ///
    /// # Errors
    /// `NotConnected`; `NotListed` if the list could not be read.
    pub async fn wait_for_catalog(&self, kind: CatalogKind) -> Result<Arc<Listed>, Error> {
        if kind != CatalogKind::Tools {
            // Connecting reads the tools.
            self.open_catalog(kind).await?;
        }
        self.wait_for_reading(kind, |catalog| {
            catalog.current || !catalog.supported || catalog.error.is_some()
        })
        .await
    }

    /// Reads a catalog again, also where the server has not declared that it has one.
    ///
    /// # Errors
    /// As [`Connection::wait_for_catalog`].
    pub async fn read_catalog(&self, kind: CatalogKind) -> Result<Arc<Listed>, Error> {
        self.core.ready()?;
        // Cleared, so that a later error belongs to this reading.
        let before = self.update(|state| {
            let catalog = state.catalogs.get_mut(kind)?;
            catalog.error = None;
            Some(catalog.revision)
        });
        self.refresh_catalog(kind).await?;
        self.wait_for_reading(kind, |catalog| {
            catalog.revision > before.unwrap_or(0) || catalog.error.is_some()
        })
        .await
    }

    async fn wait_for_reading(
        &self,
        kind: CatalogKind,
        was_read: impl Fn(&Catalog) -> bool,
    ) -> Result<Arc<Listed>, Error> {
        self.wait_for(|state| {
            if state.session.phase != SessionPhase::Ready {
                return Some(Err(Error::NotConnected));
            }
            let catalog = state.catalogs.get(kind)?;
            if catalog.reading.is_some() || !was_read(catalog) {
                return None;
            }
            Some(match &catalog.error {
                Some(error) => Err(Error::NotListed(error.clone())),
                None => Ok(Arc::clone(&catalog.listed)),
            })
        })
        .await
    }

    /// Waits until an operation is over, and reads from it.
    ///
    /// # Errors
    /// `NoOperation` if it is not, or no longer, in the history.
    pub async fn wait_for_operation<T>(
        &self,
        operation: OperationNumber,
        read: impl FnOnce(&OperationRecord) -> T,
    ) -> Result<T, Error> {
        let mut read = Some(read);
        self.wait_for(|state| {
            let Some(record) = state.operations.get(operation) else {
                return Some(Err(Error::NoOperation(operation)));
            };
            let read = read.take_if(|_| record.finished())?;
            Some(Ok(read(record)))
        })
        .await
    }

    /// Waits for a request of the server: the oldest open one with a number above `after`.
    pub async fn wait_for_server_request(&self, after: u64) -> OpenServerRequest {
        self.wait_for(|state| {
            let mut open = state.server_requests.iter();
            open.find(|request| request.number > after).cloned()
        })
        .await
    }

    /// Waits until the user has to sign in: for a prompt whose attempt is above `after`. Attempts count up from 1.
    pub async fn wait_for_prompt(&self, after: u64) -> SignInPrompt {
        self.wait_for(|state| {
            let auth = state.auth.as_ref()?;
            let prompt = auth.prompt.as_ref()?;
            (auth.state == AuthState::Prompt && prompt.attempt > after).then(|| prompt.clone())
        })
        .await
    }
}

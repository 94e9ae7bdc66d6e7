//! The commands about deletions.

use super::store::{Deleted, DeletionNumber};
use crate::{
    Error, Explorer, changes::Change, core::State, operations::OperationNumber, servers::ServerId,
};

impl Explorer {
    /// Deletes finished operations from the history and from its files, those that are still in it. `None` when there
    /// were none.
    ///
    /// # Errors
    /// `InvalidInput` when one of them still runs; then none is deleted.
    pub async fn delete_operations(
        &self,
        operations: Vec<OperationNumber>,
    ) -> Result<Option<DeletionNumber>, Error> {
        let deletion = self.core.state(|state| {
            let mut known = operations
                .iter()
                .filter_map(|one| state.operations.get(*one));
            if known.any(|record| !record.finished()) {
                return Err(Error::invalid(
                    "This run is still in progress. Cancel it first.",
                ));
            }
            let records = state.operations.take(&operations);
            for record in &records {
                self.core.stored_runs.deleted(&record.server, record.number);
            }
            Ok((!records.is_empty()).then(|| state.deletions.keep(Deleted::Operations(records))))
        })?;
        for operation in operations {
            self.core.observer.changed(Change::Operation(operation));
        }
        Ok(deletion)
    }

    /// Empties a server's log. `None` when it was empty. What was wrong with its entries is no longer
    /// counted.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn clear_log(&self, server: ServerId) -> Result<Option<DeletionNumber>, Error> {
        let log = self.core.log(&server)?;
        let cleared = log.clear();
        self.core
            .with_connection(&server, |connection| connection.issues = log.issues());
        Ok(cleared.map(|entries| {
            let deleted = Deleted::Log(server, Box::new(entries));
            self.core.state(|state| state.deletions.keep(deleted))
        }))
    }

    /// Closes a notice. `None` when it is closed already.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn dismiss_notice(&self, id: u64) -> Result<Option<DeletionNumber>, Error> {
        let deletion = self.core.state(|state| {
            let notice = state.notices.take(id)?;
            Some(state.deletions.keep(Deleted::Notice(notice)))
        });
        self.core.observer.changed(Change::Notice(id));
        Ok(deletion)
    }

    /// Brings back what was deleted, whole and in its place.
    ///
    /// # Errors
    /// `NotFound` when the time for that is over, and for what belonged to a server that is removed:
    /// that has to come back first.
    pub async fn undo_deletion(&self, deletion: DeletionNumber) -> Result<(), Error> {
        let core = &self.core;
        let deleted = core.state(|state| {
            let deleted = state.deletions.get(deletion);
            let deleted = deleted.ok_or(Error::NotFound("This can no longer be undone."))?;
            if let Some(server) = removed_owner(state, deleted) {
                return Err(Error::NoServer(server.clone()));
            }
            Ok(state.deletions.take(deletion))
        })?;
        match deleted {
            None => {}
            Some(Deleted::Operations(records)) => {
                let back: Vec<_> = records
                    .iter()
                    .map(|record| (record.server.clone(), record.number))
                    .collect();
                for operation in core.state(|state| state.operations.restore(records)) {
                    core.observer.changed(Change::Operation(operation));
                }
                for (server, operation) in back {
                    core.stored_runs.changed(server, operation);
                }
            }
            Some(Deleted::Server(removed)) => self.restore_server(*removed).await,
            Some(Deleted::Log(server, entries)) => {
                let log = core.log(&server)?;
                log.restore(*entries);
                core.with_connection(&server, |connection| connection.issues = log.issues());
            }
            Some(Deleted::Notice(notice)) => {
                for id in core.state(|state| state.notices.restore(notice)) {
                    core.observer.changed(Change::Notice(id));
                }
            }
        }
        Ok(())
    }

    /// The time to undo a deletion is over: frees what was kept for it.
    ///
    /// # Errors
    /// None: forgetting what is forgotten succeeds.
    pub async fn forget_deletion(&self, deletion: DeletionNumber) -> Result<(), Error> {
        // Dropped with nothing locked.
        drop(self.core.state(|state| state.deletions.take(deletion)));
        Ok(())
    }

    /// The same for all deletions: nobody is left who offers to undo them.
    pub fn forget_deletions(&self) {
        drop(self.core.state(|state| state.deletions.take_all()));
    }
}

/// The server that something belonged to, when that is not in the list.
fn removed_owner<'a>(state: &State, deleted: &'a Deleted) -> Option<&'a ServerId> {
    let server = match deleted {
        Deleted::Operations(records) => &records.first()?.server,
        Deleted::Log(server, _) => server,
        Deleted::Server(_) | Deleted::Notice(_) => return None,
    };
    state.servers.get(server).is_none().then_some(server)
}

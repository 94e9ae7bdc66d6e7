//! Removing a server, and bringing it back.

use super::store::{Deleted, RemovedServer};
use crate::{
    Error, Explorer,
    auth::AuthStatus,
    baselines::Baseline,
    catalogs::lint_all,
    changes::Change,
    checks::ChecksLeft,
    core::DeletionNumber,
    servers::{SecretInputs, ServerId, UNSAVED, secret_names},
};

impl Explorer {
    /// Disconnects and removes a server with its operations, log and secrets. Until the deletion is dropped, they are
    /// only in memory. Files of its checks, and of runs that are not in its history, stay until then.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server(&self, server: ServerId) -> Result<DeletionNumber, Error> {
        let core = &self.core;
        core.server(&server)?;
        // Runs that are only in files must be restorable as well.
        self.load_history(server.clone()).await?;
        core.connection(&server)?.end_session().await;
        let (mut removed, operations) = core.state(|state| {
            // Stored with its name and the names of its saved inputs, while they are known.
            core.store_presentations(state);
            let (index, entry) = state
                .servers
                .remove(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let connection = state
                .connections
                .remove(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let changed = state.changed.remove(&server).unwrap_or_default();
            let diagnosis = state.diagnoses.remove(&server);
            state.checks.remove(&server);
            let numbers = connection.read(|state| {
                let all = state.operations.iter();
                all.map(|record| record.number).collect::<Vec<_>>()
            });
            let removed = RemovedServer {
                entry,
                index,
                connection,
                changed,
                diagnosis,
                drafts: core.drafts.take(&server),
                baseline: Baseline::default(),
                saved_inputs: state.saved_inputs.take(&server),
                secrets: SecretInputs::new(),
                credentials: None,
                files: core.stored_runs.server_removed(&server, numbers.clone()),
                checks: ChecksLeft::new(core, &server),
            };
            core.store_inputs(state);
            Ok::<_, Error>((removed, numbers))
        })?;
        // It may have been connected again meanwhile.
        removed.connection.abandon_session();
        for operation in operations {
            core.observer.changed(Change::Operation(operation));
        }
        core.retract(Some(&server), UNSAVED);
        core.observer.changed(Change::Server(server.clone()));
        core.observer.changed(Change::Presentations);
        core.observer.changed(Change::Order);
        lint_all(core);
        core.save_servers().await;
        for name in secret_names(&removed.entry.config.transport) {
            let secret = core.services.secrets.get(&server, &name).await;
            core.remove_secret(&server, &name).await;
            removed.secrets.push((name, secret.ok().flatten()));
        }
        removed.baseline = self.replace_baseline(&server, Baseline::default()).await;
        removed.connection.close_auth().await;
        removed.credentials = core.services.credentials.server_credentials(&server).await;
        if let Err(error) = core.services.credentials.forget_server(&server).await {
            tracing::warn!(server, %error, "a token could not be removed");
        }
        Ok(core.keep(Deleted::Server(Box::new(removed))))
    }

    /// Puts a server that was removed back in its place, not connected.
    pub(crate) async fn restore_server(&self, removed: RemovedServer) {
        let core = &self.core;
        let server = removed.entry.id.clone();
        // Secrets first: as soon as the server is visible, it can be connected.
        core.store_secrets(&server, removed.secrets).await;
        if let Some(credentials) = removed.credentials
            && let Err(error) = core
                .services
                .credentials
                .give_back(&server, credentials)
                .await
        {
            tracing::warn!(server, %error, "a token is in memory only");
        }
        removed.connection.renew_auth();
        removed
            .connection
            .update(|state| state.auth = state.auth.take().map(AuthStatus::at_rest));
        core.drafts.restore(removed.drafts);
        // Restored before the definitions can be judged.
        self.replace_baseline(&server, removed.baseline).await;
        let connection = removed.connection;
        core.state(|state| {
            state.connections.insert(server.clone(), connection.clone());
            state.changed.insert(server.clone(), removed.changed);
            if let Some(diagnosis) = removed.diagnosis {
                state.diagnoses.put(diagnosis);
            }
            state.servers.insert(removed.index, removed.entry);
            state.saved_inputs.restore(removed.saved_inputs);
            core.store_inputs(state);
        });
        // Its server is in the list again: they stay.
        drop(removed.files);
        removed.checks.keep();
        core.trim_runs(None);
        let (kinds, operations) = connection.read(|state| {
            let kinds: Vec<_> = state.catalogs.iter().map(|catalog| catalog.kind).collect();
            let operations = state.operations.iter().map(|record| record.number);
            (kinds, operations.collect::<Vec<_>>())
        });
        for operation in &operations {
            core.stored_runs.changed(server.clone(), *operation);
        }
        core.observer.changed(Change::Server(server.clone()));
        core.observer.changed(Change::Order);
        core.inputs_changed(&server);
        let parts = [
            Change::Session,
            Change::Connection,
            Change::ResourceSubscriptions,
            Change::Auth,
            Change::Issues,
            Change::Diagnosis,
        ];
        for part in parts {
            core.observer.changed(part(server.clone()));
        }
        for kind in kinds {
            core.observer.changed(Change::Catalog(server.clone(), kind));
        }
        for operation in operations {
            core.observer.changed(Change::Operation(operation));
        }
        lint_all(core);
        core.save_servers().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Explorer, Options, baselines::Changed};

    #[tokio::test]
    async fn changed_definitions_come_back_with_their_server() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let server = explorer.read(|state| state.servers().order()[0].clone());
        let mut changed = Changed::default();
        changed.changes.count = 1;
        let core = &explorer.core;
        core.state(|state| state.changed.insert(server.clone(), Arc::new(changed)));
        let removed = explorer.remove_server(server.clone()).await.unwrap();
        let count = || explorer.read(|state| state.changed(&server).changes.count);
        assert_eq!(count(), 0);
        explorer.undo_deletion(removed).await.unwrap();
        assert_eq!(count(), 1);
        explorer.shutdown().await;
    }
}

//! Removing a server, and bringing it back.

use super::store::{Deleted, DeletionNumber, RemovedServer};
use crate::{
    Error, Explorer,
    baselines::Baseline,
    catalogs::lint_all,
    changes::Change,
    operations::OperationRecord,
    servers::{SecretInputs, ServerId, UNSAVED, secret_names},
    sessions::SessionPhase,
};

impl Explorer {
    /// Disconnects and removes a server, its operations, log and secrets. Until the deletion is
    /// forgotten all of it is in memory, and nowhere else, but for files of runs that this version of the
    /// app does not understand: those are deleted when it is forgotten.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server(&self, server: ServerId) -> Result<DeletionNumber, Error> {
        let core = &self.core;
        core.server(&server)?;
        // What is only in files comes back as well.
        self.load_history(server.clone()).await?;
        self.end_session(&server).await;
        let (mut removed, operations) = core.state(|state| {
            // With its name and those of its saved inputs, while they are known.
            core.store_presentations(state);
            let (index, entry) = state
                .servers
                .remove(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let mut session = state.sessions.remove(&server);
            // It may have been connected once more meanwhile.
            if let Some(session) = session.as_mut().filter(|session| session.is_live()) {
                session.end();
                session.finish(SessionPhase::Idle);
            }
            state.diagnoses.remove(&server);
            let numbers = state.operations.of(&server);
            let mut operations = state.operations.take(&numbers);
            // Nobody is left to say how the others ended.
            operations.retain(OperationRecord::finished);
            let removed = RemovedServer {
                entry,
                index,
                session,
                catalogs: state.catalogs.take(&server),
                auth_status: state.auth.remove(&server),
                auth: None,
                drafts: core.drafts.take(&server),
                baseline: Baseline::default(),
                saved_inputs: state.saved_inputs.take(&server),
                secrets: SecretInputs::new(),
                credentials: None,
                operations,
                files: core.stored_runs.server_removed(&server),
            };
            core.store_inputs(state);
            Ok::<_, Error>((removed, numbers))
        })?;
        core.close_server_requests(&server);
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
            let secret = core.secrets.get(&server, &name).await;
            if let Err(error) = core.secrets.remove(&server, &name).await {
                tracing::warn!(server, name, %error, "a secret could not be removed");
            }
            removed.secrets.push((name, secret.ok().flatten()));
        }
        removed.baseline = self.take_baseline(&server).await;
        removed.auth = core.server_auths.remove(&server);
        if let Some(auth) = &removed.auth {
            auth.tokens.close().await;
        }
        removed.credentials = core.credentials.server_credentials(&server).await;
        if let Err(error) = core.credentials.forget_server(&server).await {
            tracing::warn!(server, %error, "a token could not be removed");
        }
        let removed = Deleted::Server(Box::new(removed));
        Ok(core.state(|state| state.deletions.keep(removed)))
    }

    /// Puts a server that was removed back in its place, not connected.
    pub(crate) async fn restore_server(&self, removed: RemovedServer) {
        let core = &self.core;
        let server = removed.entry.id.clone();
        // Secrets first: whoever sees the server can connect it.
        core.store_secrets(&server, removed.secrets).await;
        if let Some(credentials) = removed.credentials
            && let Err(error) = core.credentials.give_back(&server, credentials).await
        {
            tracing::warn!(server, %error, "a token is in memory only");
        }
        if let Some(auth) = removed.auth {
            core.server_auths.restore(&server, auth);
        }
        core.drafts.restore(removed.drafts);
        // Before it can be judged.
        self.restore_baseline(&server, removed.baseline).await;
        let (kinds, operations) = core.state(|state| {
            if let Some(session) = removed.session {
                state.sessions.insert(server.clone(), session);
            }
            if let Some(status) = removed.auth_status {
                state.auth.insert(server.clone(), status.at_rest());
            }
            state.servers.insert(removed.index, removed.entry);
            state.saved_inputs.restore(removed.saved_inputs);
            core.store_inputs(state);
            (
                state.catalogs.restore(&server, removed.catalogs),
                state.operations.restore(removed.operations),
            )
        });
        // Its server is in the list again: they stay.
        drop(removed.files);
        for number in core.state(|state| state.operations.of(&server)) {
            core.stored_runs.changed(server.clone(), number);
        }
        core.observer.changed(Change::Server(server.clone()));
        core.observer.changed(Change::Order);
        core.inputs_changed(&server);
        core.observer.changed(Change::Session(server.clone()));
        core.observer.changed(Change::Connection(server.clone()));
        core.observer
            .changed(Change::ResourceSubscriptions(server.clone()));
        core.observer.changed(Change::Auth(server.clone()));
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

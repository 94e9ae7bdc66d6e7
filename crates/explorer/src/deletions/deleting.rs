//! Deleting, and undoing it.

use std::{collections::BTreeMap, sync::Arc};

use super::store::Deleted;
use crate::{
    Error, Explorer,
    changes::Change,
    core::{DeletionNumber, State},
    operations::{OperationNumber, OperationRecord},
    presentations, saved_inputs,
    servers::ServerId,
};

impl Explorer {
    /// Deletes finished operations from the history and its files. Returns `None` if none of them exists any more.
    ///
    /// # Errors
    /// `InvalidInput` when one of them still runs; then none is deleted.
    pub async fn delete_operations(
        &self,
        operations: Vec<OperationNumber>,
    ) -> Result<Option<DeletionNumber>, Error> {
        let core = &self.core;
        let deletion = core.state(|state| {
            let mut records = Vec::new();
            let connections = || state.connections.values();
            let runs = connections().any(|connection| {
                connection.read(|state| {
                    let mut known = operations
                        .iter()
                        .filter_map(|one| state.operations.get(*one));
                    known.any(|record| !record.finished())
                })
            });
            if runs {
                return Err(Error::invalid(
                    "This run is still in progress. Cancel it first.",
                ));
            }
            for connection in connections() {
                records.extend(connection.update(|state| {
                    let known = |one: &&OperationNumber| {
                        let record = state.operations.get(**one);
                        record.is_some_and(OperationRecord::finished)
                    };
                    let finished: Vec<_> = operations.iter().filter(known).copied().collect();
                    state.operations.take(&finished)
                }));
            }
            for record in &records {
                core.stored_runs.deleted(&record.server, record.number);
            }
            Ok((!records.is_empty()).then(|| state.deletions.keep(Deleted::Operations(records))))
        })?;
        for operation in operations {
            core.observer.changed(Change::Operation(operation));
        }
        Ok(deletion)
    }

    /// Empties a server's log. Returns `None` if it was empty. Findings about its entries no longer count.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn clear_log(&self, server: ServerId) -> Result<Option<DeletionNumber>, Error> {
        let core = &self.core;
        let cleared = core.log(&server)?.clear();
        core.observer.changed(Change::Issues(server.clone()));
        Ok(cleared.map(|entries| core.keep(Deleted::Log(server, Box::new(entries)))))
    }

    /// Closes a notice.
    ///
    /// # Errors
    /// None: closing a closed notice succeeds.
    pub async fn dismiss_notice(&self, id: u64) -> Result<(), Error> {
        self.core.state(|state| state.notices.close(id));
        self.core.observer.changed(Change::Notice(id));
        Ok(())
    }

    /// Deletes a saved input. Presentations that offer it show it as removed.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn delete_input(&self, input: String) -> Result<DeletionNumber, Error> {
        let core = &self.core;
        let (server, deletion) = core.state(|state| {
            // With its name, while that is known.
            core.store_presentations(state);
            let (index, removed) = state
                .saved_inputs
                .remove(&input)
                .ok_or(saved_inputs::GONE)?;
            core.store_inputs(state);
            let server = removed.server.clone();
            let deleted = Deleted::SavedInput(index, removed);
            Ok::<_, Error>((server, state.deletions.keep(deleted)))
        })?;
        core.inputs_changed(&server);
        Ok(deletion)
    }

    /// Deletes a presentation. The saved inputs that it offers stay.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn delete_presentation(&self, presentation: String) -> Result<DeletionNumber, Error> {
        let core = &self.core;
        let deletion = core.state(|state| {
            let (index, removed) = state
                .presentations
                .remove(&presentation)
                .ok_or(presentations::GONE)?;
            core.store_presentations(state);
            Ok::<_, Error>(state.deletions.keep(Deleted::Presentation(index, removed)))
        })?;
        core.observer.changed(Change::Presentations);
        Ok(deletion)
    }

    /// Brings back what was deleted, whole and in its place.
    ///
    /// # Errors
    /// `NotFound` if it can no longer be undone, or if it belonged to a removed server, which must be restored first.
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
                for operation in self.restore_runs(records) {
                    core.observer.changed(Change::Operation(operation));
                }
                for (server, operation) in back {
                    core.stored_runs.changed(server, operation);
                }
            }
            Some(Deleted::Server(removed)) => self.restore_server(*removed).await,
            // Servers that have joined another group by now stay there.
            Some(Deleted::Group(removed)) => {
                self.change_list(|list| {
                    list.restore_group(removed);
                    Ok(())
                })
                .await?;
            }
            Some(Deleted::Definitions(server, before)) => {
                self.restore_accepted(&server, before).await?;
            }
            Some(Deleted::Check(removed)) => {
                // Its file may be invalid for a moment.
                if let Err(error) = self.restore_check(Arc::clone(&removed)).await {
                    core.state(|state| state.deletions.put_back(deletion, Deleted::Check(removed)));
                    return Err(error);
                }
            }
            Some(Deleted::Configuration(former)) => self.restore_configuration(*former).await?,
            Some(Deleted::Log(server, entries)) => {
                let log = core.log(&server)?;
                log.restore(*entries);
                core.observer.changed(Change::Issues(server));
            }
            Some(Deleted::SavedInput(index, input)) => {
                let server = input.server.clone();
                core.state(|state| {
                    state.saved_inputs.insert(index, input);
                    core.store_inputs(state);
                });
                core.inputs_changed(&server);
            }
            Some(Deleted::Presentation(index, presentation)) => {
                core.state(|state| {
                    state.presentations.insert(index, presentation);
                    core.store_presentations(state);
                });
                core.observer.changed(Change::Presentations);
            }
        }
        Ok(())
    }

    /// Restores operations in the histories of their servers. Returns the numbers of the changed ones.
    fn restore_runs(&self, records: Vec<OperationRecord>) -> Vec<OperationNumber> {
        let mut by_server: BTreeMap<ServerId, Vec<OperationRecord>> = BTreeMap::new();
        for record in records {
            let of_server = by_server.entry(record.server.clone());
            of_server.or_default().push(record);
        }
        let restored = by_server.into_iter().filter_map(|(server, records)| {
            let connection = self.core.connection(&server).ok()?;
            Some(connection.update(|state| state.operations.restore(records)))
        });
        let changed = restored.flatten().collect();
        self.core.trim_runs(None);
        changed
    }

    /// Drops a deletion that can no longer be undone.
    ///
    /// # Errors
    /// None: dropping it twice succeeds.
    pub async fn forget_deletion(&self, deletion: DeletionNumber) -> Result<(), Error> {
        // Dropped with nothing locked.
        drop(self.core.state(|state| state.deletions.take(deletion)));
        Ok(())
    }

    /// Frees all deletions: no window is left that offers to undo them.
    pub fn forget_deletions(&self) {
        drop(self.core.state(|state| state.deletions.take_all()));
    }
}

/// The server that something belonged to, when that is not in the list.
fn removed_owner<'a>(state: &State, deleted: &'a Deleted) -> Option<&'a ServerId> {
    let server = match deleted {
        Deleted::Operations(records) => &records.first()?.server,
        Deleted::Log(server, _) | Deleted::Definitions(server, _) => server,
        Deleted::Configuration(former) => &former.server,
        Deleted::Check(removed) => &removed.server,
        Deleted::SavedInput(_, input) => &input.server,
        Deleted::Server(_) | Deleted::Group(_) | Deleted::Presentation(..) => {
            return None;
        }
    };
    state.servers.get(server).is_none().then_some(server)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use crate::{Explorer, Options};

    #[tokio::test]
    async fn a_check_comes_back_once_its_file_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let server = explorer.read(|state| state.servers().order()[0].clone());
        let checks = || explorer.read(|state| state.checks().get(&server).cloned().unwrap());
        explorer.open_checks(server.clone()).await.unwrap();
        fs::create_dir_all(checks().folder).unwrap();
        let file = Path::new(&checks().folder).join("a.sonde.yaml");
        let kept = "sonde: 1\nsteps:\n  - name: kept\n    ping: true\n";
        fs::write(&file, format!("{kept}  - name: mine\n    list: tools\n")).unwrap();
        explorer.open_checks(server.clone()).await.unwrap();
        let check = checks().suites[0].checks[1].id.clone();
        let removed = explorer.remove_check(server.clone(), check).await.unwrap();
        fs::write(&file, "sonde: 1\nsteps: [").unwrap();
        explorer.undo_deletion(removed).await.unwrap_err();
        fs::write(&file, format!("# Repaired.\n{kept}")).unwrap();
        explorer.undo_deletion(removed).await.unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("# Repaired.") && text.contains("name: mine"));
        explorer.shutdown().await;
    }
}

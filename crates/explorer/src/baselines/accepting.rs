//! Accepts changed definitions.

use std::sync::Arc;

use super::{
    baseline::{Accepted, Baseline},
    changed::{DefinitionChanges, DefinitionSubject},
    judge::{change, compare},
};
use crate::{Error, Explorer, blocking, clock, core::DeletionNumber, servers::ServerId};

impl Explorer {
    /// The definitions of a server that are not as they were accepted.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn definition_changes(&self, server: ServerId) -> Result<DefinitionChanges, Error> {
        self.core.server(&server)?;
        Ok(self.read(|state| state.changed(&server).changes.clone()))
    }

    /// Accepts a present definition of a server, or all that changed. `digest` identifies the change, or all changes,
    /// that the user saw.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` if it has changed again since.
    pub async fn accept_definitions(
        &self,
        server: ServerId,
        which: Option<DefinitionSubject>,
        digest: String,
    ) -> Result<DeletionNumber, Error> {
        let core = Arc::clone(&self.core);
        blocking(move || {
            let replaced = change(&core, &server, |baseline, said| {
                let changed = compare(baseline, said);
                let of_all = which.is_none();
                if of_all && changed.changes.digest != digest {
                    return Err(changed_again());
                }
                let subjects = match which {
                    Some(subject) => vec![subject],
                    None => changed.subjects,
                };
                let mut replaced = Vec::new();
                for subject in subjects {
                    let gone = Error::NotFound("The server does not have this any more.");
                    let now = said.definition(&subject).ok_or(gone)?;
                    if !of_all && now.digest != digest {
                        return Err(changed_again());
                    }
                    let Some(before) = baseline.get(&subject).cloned() else {
                        continue;
                    };
                    let texts = said.texts(&subject);
                    baseline.put(&subject, Accepted::new(now, texts, clock::millis()));
                    replaced.push((subject, before));
                }
                Ok(replaced)
            })?;
            Ok(core.keep((server, replaced)))
        })
        .await?
    }

    /// Restores the definitions that were accepted before.
    pub(crate) async fn restore_accepted(
        &self,
        server: &ServerId,
        before: Vec<(DefinitionSubject, Accepted)>,
    ) -> Result<(), Error> {
        let (core, server) = (Arc::clone(&self.core), server.clone());
        blocking(move || {
            change(&core, &server, |baseline, _| {
                for (subject, accepted) in before {
                    baseline.put(&subject, accepted);
                }
                Ok(())
            })
        })
        .await?
    }

    /// Replaces the accepted definitions of a server that is removed or restored; returns the former ones.
    pub(crate) async fn replace_baseline(&self, server: &ServerId, baseline: Baseline) -> Baseline {
        let (core, server) = (Arc::clone(&self.core), server.clone());
        let replaced = blocking(move || core.baselines.replace(&core, &server, baseline)).await;
        replaced.unwrap_or_else(|error| {
            tracing::error!(%error, "the accepted definitions of a server could not be stored");
            Baseline::default()
        })
    }
}

fn changed_again() -> Error {
    Error::invalid("The definition has changed again since it was shown. Review it once more.")
}

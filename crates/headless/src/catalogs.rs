//! Reading what servers list.

use std::sync::Arc;

use sonde_ipc::{CatalogKind, CatalogRow, CatalogView};

use crate::{Error, Headless};

/// Rows per read.
const ROWS: u32 = 500;

impl Headless {
    /// Asks for a catalog once more, also where the server has not declared that it has it.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotConnected`; [`Error::NotListed`]; those of
    /// [`Headless::wait_for`].
    pub async fn refresh(
        &self,
        server: &str,
        kind: CatalogKind,
    ) -> Result<Arc<CatalogView>, Error> {
        let before = self.state().catalog(server, kind).cloned();
        let revision = before.as_ref().map_or(0, |catalog| catalog.revision);
        let error = before.and_then(|catalog| catalog.error.clone());
        self.backend()
            .refresh_catalog(server.to_owned(), kind)
            .await?;
        let mut loading = false;
        self.wait_for("the list", |state| {
            let catalog = state.catalog(server, kind)?;
            loading |= catalog.reading.is_some();
            if catalog.reading.is_some() {
                return None;
            }
            match &catalog.error {
                Some(now) if loading || error.as_ref() != Some(now) => {
                    Some(Err(Error::NotListed(kind, now.clone())))
                }
                _ => (catalog.revision > revision).then(|| Ok(catalog.clone())),
            }
        })
        .await?
    }

    /// The rows of a catalog that match a search, best first; without a search, all of them in the
    /// server's order. Empty for a server that was never connected.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound`.
    pub async fn rows(
        &self,
        server: &str,
        kind: CatalogKind,
        search: &str,
    ) -> Result<Vec<CatalogRow>, Error> {
        let mut rows = Vec::new();
        let mut revision = self
            .state()
            .catalog(server, kind)
            .map_or(0, |catalog| catalog.revision);
        loop {
            let (search, from) = (search.to_owned(), rows.len() as u64);
            let answer = self
                .backend()
                .catalog_rows(server.to_owned(), kind, revision, search, from, ROWS)
                .await?;
            if answer.revision != revision {
                // It was read again meanwhile.
                revision = answer.revision;
                rows.clear();
                continue;
            }
            let nothing = answer.rows.is_empty();
            rows.extend(answer.rows);
            if nothing || rows.len() >= answer.total as usize {
                return Ok(rows);
            }
        }
    }

    /// The tools of a server as they were listed last.
    ///
    /// # Errors
    /// As [`Headless::rows`].
    pub async fn tools(&self, server: &str) -> Result<Vec<CatalogRow>, Error> {
        self.rows(server, CatalogKind::Tools, "").await
    }
}

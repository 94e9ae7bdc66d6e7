//! The commands about catalogs.

use std::sync::Arc;

use super::{
    catalog::{Found, Listed},
    row,
};
use crate::{
    Explorer,
    ipc::{CatalogKind, CatalogRows, IpcError, ServerId, ToolDetail},
    problem,
};

/// How many rows travel at once.
const ROWS: u32 = 1_000;

/// A catalog as it was read, and what a search found in it.
struct Searched {
    revision: u32,
    listed: Arc<Listed>,
    found: Arc<Found>,
}

impl Explorer {
    /// Rows of a catalog that match the search, by index, best first; without a search, all in the
    /// server's order. At most 1,000 at once. Under another revision than the present one there are
    /// none, and the answer says which that is.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn catalog_rows(
        &self,
        server: ServerId,
        kind: CatalogKind,
        revision: u32,
        search: String,
        from: u64,
        count: u32,
    ) -> Result<CatalogRows, IpcError> {
        let present = self.catalog_revision(&server, kind)?;
        if present != revision {
            return Ok(CatalogRows {
                revision: present,
                ..CatalogRows::default()
            });
        }
        let searched = self.search_catalog(&server, kind, search).await?;
        if searched.revision != revision {
            return Ok(CatalogRows {
                revision: searched.revision,
                ..CatalogRows::default()
            });
        }
        let Searched { listed, found, .. } = searched;
        let total = found.count(&listed);
        let from = u32::try_from(from).unwrap_or(u32::MAX).min(total);
        let to = from.saturating_add(count.min(ROWS)).min(total);
        let rows = (from..to)
            .filter_map(|place| listed.row(found.item(place)?))
            .collect();
        Ok(CatalogRows {
            revision,
            total,
            rows,
        })
    }

    /// The index of an item among those that match the search; `None` when it is not among them.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn catalog_index(
        &self,
        server: ServerId,
        kind: CatalogKind,
        search: String,
        key: String,
    ) -> Result<Option<u64>, IpcError> {
        let Searched { listed, found, .. } = self.search_catalog(&server, kind, search).await?;
        let place = listed.place(&key).and_then(|item| found.place(item));
        Ok(place.map(u64::from))
    }

    /// Reads a catalog again, also where the server has not declared that it has one.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn refresh_catalog(
        &self,
        server: ServerId,
        kind: CatalogKind,
    ) -> Result<(), IpcError> {
        let (handle, _) = self.core.ready(&server)?;
        handle
            .refresh_catalog(kind.into())
            .await
            .map_err(|_| problem::not_connected())
    }

    /// All about one tool.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn tool_detail(&self, server: ServerId, key: String) -> Result<ToolDetail, IpcError> {
        let tool = self.core.tool(&server, &key)?;
        let found = self.core.state(|state| {
            let listed = state.catalogs.get(&server, CatalogKind::Tools)?.listed();
            listed.row(listed.place(&key)?)
        });
        let found = found
            .ok_or_else(|| problem::not_found("This tool is no longer in the server's list."))?;
        let schema = tool.tool().and_then(|tool| tool.input_schema.clone());
        let problem = match schema {
            Some(schema) => {
                self.core
                    .validator
                    .check_schema(schema.get().to_owned())
                    .await
            }
            None => Some("The tool has no input schema.".to_owned()),
        };
        tokio::task::spawn_blocking(move || row::tool_detail(&tool, found, problem))
            .await
            .map_err(problem::internal)
    }

    /// 0 for a server that was never connected.
    fn catalog_revision(&self, server: &str, kind: CatalogKind) -> Result<u32, IpcError> {
        self.core.server(server)?;
        Ok(self.core.state(|state| {
            let catalog = state.catalogs.get(server, kind);
            catalog.map_or(0, |catalog| catalog.view.revision)
        }))
    }

    /// Searches in a catalog, or finds what the last search found once more.
    async fn search_catalog(
        &self,
        server: &str,
        kind: CatalogKind,
        search: String,
    ) -> Result<Searched, IpcError> {
        self.core.server(server)?;
        let known = self.core.state(|state| {
            let catalog = state.catalogs.get(server, kind)?;
            Some((
                catalog.view.revision,
                catalog.listed().clone(),
                catalog.found(&search),
            ))
        });
        let (revision, listed, found) = known.unwrap_or_default();
        if let Some(found) = found {
            return Ok(Searched {
                revision,
                listed,
                found,
            });
        }
        // Ten thousand items take a few milliseconds.
        let items = listed.clone();
        let found = tokio::task::spawn_blocking(move || Arc::new(items.search(search)));
        let found = found.await.map_err(problem::internal)?;
        self.core.state(|state| {
            if let Some(catalog) = state.catalogs.get_mut(server, kind) {
                catalog.keep_found(&listed, found.clone());
            }
        });
        Ok(Searched {
            revision,
            listed,
            found,
        })
    }
}

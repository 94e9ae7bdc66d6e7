//! Reading and searching the lists of a server.

use std::sync::Arc;

use sonde_mcp::CatalogItem;

use super::{
    CatalogKind,
    catalog::{Listed, SearchHits},
};
use crate::{Connection, Error, blocking, clock};

/// A reading of a catalog with the hits of a search in it. Empty, with revision 0, for a server that was never
/// connected.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// Counts readings of the catalog, from 1.
    pub revision: u32,
    /// The items.
    pub listed: Arc<Listed>,
    /// The items that match.
    pub found: Arc<SearchHits>,
}

impl Connection {
    /// Reads a catalog again, also where the server has not declared that it has one.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn refresh_catalog(&self, kind: CatalogKind) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        Ok(handle.refresh_catalog(kind).await?)
    }

    /// Stops the reading of a catalog under way. The items that were read are kept.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn stop_catalog(&self, kind: CatalogKind) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        Ok(handle.stop_catalog(kind).await?)
    }

    /// Reads a catalog when the user opens it, unless its last reading in this session is still fresh (Caching,
    /// 2026-07-28 on), or the server has not declared the catalog. Connecting reads only the tools.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn open_catalog(&self, kind: CatalogKind) -> Result<(), Error> {
        self.core.ready()?;
        let read = self.core.state(|state| {
            let catalog = state.catalogs.get_mut(kind)?;
            catalog.wants_reading(clock::millis()).then_some(())
        });
        match read {
            Some(()) => self.refresh_catalog(kind).await,
            None => Ok(()),
        }
    }

    /// An item of a catalog, by its key in the list.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn item(&self, kind: CatalogKind, key: &str) -> Result<CatalogItem, Error> {
        self.core.item(kind, key)
    }

    /// A tool, by its key in the list.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn tool(&self, key: &str) -> Result<CatalogItem, Error> {
        self.core.tool(key)
    }

    /// Returns the reason why a tool's input schema cannot validate anything, one plain sentence.
    pub async fn schema_problem(&self, tool: &CatalogItem) -> Option<String> {
        match tool.tool().and_then(|tool| tool.input_schema.as_ref()) {
            Some(schema) => {
                let schema = schema.get().to_owned();
                let checked = self.core.services.validator.check_schema(schema).await;
                checked.err().map(|error| error.to_string())
            }
            None => Some("The tool has no input schema.".to_owned()),
        }
    }

    /// The revision of a catalog; 0 for a server that was never connected.
    ///
    /// # Errors
    /// `NotFound`.
    #[must_use]
    pub fn catalog_revision(&self, kind: CatalogKind) -> u32 {
        self.read(|state| {
            let catalog = state.catalogs.get(kind);
            catalog.map_or(0, |catalog| catalog.revision)
        })
    }

    /// Searches a catalog; the hits of the last search are cached. An empty search matches all items, in the server's
    /// order.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn search_catalog(
        &self,
        kind: CatalogKind,
        search: String,
    ) -> Result<Searched, Error> {
        let known = self.core.state(|state| {
            let catalog = state.catalogs.get(kind)?;
            Some((
                catalog.revision,
                catalog.listed.clone(),
                catalog.cached_hits(&search),
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
        let found = blocking(move || Arc::new(items.search(search))).await?;
        self.core.state(|state| {
            if let Some(catalog) = state.catalogs.get_mut(kind) {
                catalog.cache_hits(&listed, found.clone());
            }
        });
        Ok(Searched {
            revision,
            listed,
            found,
        })
    }
}

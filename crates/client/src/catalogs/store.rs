//! The catalogs of a server.

use std::collections::BTreeMap;

use super::{CatalogKind, catalog::Catalog};
use crate::config::ServerId;

/// The catalogs of a server by their kind. Kept after a disconnect.
#[derive(Debug)]
pub struct Catalogs {
    server: ServerId,
    by_kind: BTreeMap<CatalogKind, Catalog>,
}

impl Catalogs {
    pub(crate) fn new(server: ServerId) -> Self {
        Self {
            server,
            by_kind: BTreeMap::new(),
        }
    }

    /// The catalog of this kind.
    #[must_use]
    pub fn get(&self, kind: CatalogKind) -> Option<&Catalog> {
        self.by_kind.get(&kind)
    }

    /// The catalog of this kind, to be changed.
    pub fn get_mut(&mut self, kind: CatalogKind) -> Option<&mut Catalog> {
        self.by_kind.get_mut(&kind)
    }

    /// The catalog, an empty one where there was none.
    pub(crate) fn entry(&mut self, kind: CatalogKind) -> &mut Catalog {
        self.by_kind
            .entry(kind)
            .or_insert_with(|| Catalog::empty(self.server.clone(), kind, true))
    }

    /// All catalogs.
    pub fn iter(&self) -> impl Iterator<Item = &Catalog> {
        self.by_kind.values()
    }
}

//! The catalogs of all servers.

use std::collections::{BTreeMap, HashMap};

use super::{catalog::Catalog, kind::CatalogKind};
use crate::servers::ServerId;

/// The catalogs of all servers, by server and kind. Kept after a disconnect.
#[derive(Debug, Default)]
pub struct Catalogs {
    of: HashMap<ServerId, BTreeMap<CatalogKind, Catalog>>,
}

impl Catalogs {
    /// The catalog of this kind.
    #[must_use]
    pub fn get(&self, server: &str, kind: CatalogKind) -> Option<&Catalog> {
        self.of.get(server)?.get(&kind)
    }

    pub(crate) fn get_mut(&mut self, server: &str, kind: CatalogKind) -> Option<&mut Catalog> {
        self.of.get_mut(server)?.get_mut(&kind)
    }

    /// The catalog, an empty one where there was none.
    pub(crate) fn entry(&mut self, server: &str, kind: CatalogKind) -> &mut Catalog {
        self.of
            .entry(server.to_owned())
            .or_default()
            .entry(kind)
            .or_insert_with(|| Catalog::empty(server.to_owned(), kind, true))
    }

    /// Those of one server.
    pub fn of(&self, server: &str) -> impl Iterator<Item = &Catalog> {
        self.of.get(server).into_iter().flat_map(BTreeMap::values)
    }

    /// Takes out those of one server.
    pub(crate) fn take(&mut self, server: &str) -> Vec<Catalog> {
        let taken = self.of.remove(server).unwrap_or_default();
        taken.into_values().collect()
    }

    /// Puts catalogs that were taken out back. Returns their kinds.
    pub(crate) fn restore(&mut self, server: &str, catalogs: Vec<Catalog>) -> Vec<CatalogKind> {
        let of_server = self.of.entry(server.to_owned()).or_default();
        let mut kinds = Vec::new();
        for catalog in catalogs {
            kinds.push(catalog.kind);
            of_server.insert(catalog.kind, catalog);
        }
        kinds
    }
}

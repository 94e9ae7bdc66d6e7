//! The catalogs of all servers.

use std::collections::{BTreeMap, HashMap};

use super::{CatalogKind, catalog::Catalog};
use crate::servers::ServerId;

/// Coalesces requests to judge the tools of all servers: one run at a time, and one more where asked meanwhile.
#[derive(Debug, Default)]
pub(crate) struct JudgingAll {
    running: bool,
    again: bool,
}

impl JudgingAll {
    /// Asks for it; `true` if it has to be begun.
    pub(super) fn ask(&mut self) -> bool {
        self.again = true;
        !std::mem::replace(&mut self.running, true)
    }

    /// True if a run has to be made, the first or another.
    pub(super) fn next(&mut self) -> bool {
        self.running = std::mem::take(&mut self.again);
        self.running
    }
}

/// The catalogs of all servers, by server and kind. Kept after a disconnect.
#[derive(Debug, Default)]
pub struct Catalogs {
    of: HashMap<ServerId, BTreeMap<CatalogKind, Catalog>>,
    pub(super) judging_all: JudgingAll,
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

    /// Returns the catalogs of one server.
    pub fn of(&self, server: &str) -> impl Iterator<Item = &Catalog> {
        self.of.get(server).into_iter().flat_map(BTreeMap::values)
    }

    /// Removes and returns the catalogs of one server.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_meanwhile_has_it_done_once_more() {
        let mut judging = JudgingAll::default();
        assert!(judging.ask());
        assert!(judging.next());
        assert!(!judging.ask() && !judging.ask(), "it is going on");
        assert!(judging.next(), "once more");
        assert!(!judging.next(), "and not a third time");
        assert!(judging.ask());
    }
}

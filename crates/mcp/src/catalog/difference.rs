//! Differences between two readings of a catalog.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::item::CatalogItem;

/// Changes between two listings, by the items' keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListDiff<K = Vec<String>> {
    /// New items.
    pub added: K,
    /// Removed items.
    pub removed: K,
    /// Items with another definition.
    pub changed: K,
}

impl ListDiff {
    /// Nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// Compares two lists. An item is changed if its text differs; of several items with the same key, only the first is
/// compared.
pub(super) fn difference(before: &[CatalogItem], after: &[CatalogItem]) -> ListDiff {
    fn by_key(items: &[CatalogItem]) -> HashMap<&str, &str> {
        let mut map = HashMap::with_capacity(items.len());
        for item in items {
            map.entry(item.key.as_str()).or_insert(item.raw.get());
        }
        map
    }
    let (old, new) = (by_key(before), by_key(after));
    let mut diff: ListDiff = ListDiff::default();
    let mut seen = HashSet::new();
    for item in after {
        if !seen.insert(item.key.as_str()) {
            continue;
        }
        match old.get(item.key.as_str()) {
            None => diff.added.push(item.key.clone()),
            Some(text) if *text != item.raw.get() => diff.changed.push(item.key.clone()),
            Some(_) => {}
        }
    }
    seen.clear();
    for item in before {
        if !new.contains_key(item.key.as_str()) && seen.insert(item.key.as_str()) {
            diff.removed.push(item.key.clone());
        }
    }
    diff
}

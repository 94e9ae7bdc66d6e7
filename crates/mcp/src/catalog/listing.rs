//! What a reading of a catalog brings.

use std::sync::Arc;

use sonde_findings::Finding;

use super::{budget::CatalogItems, difference::ListDiff};

/// What happens to a catalog. `Loading` comes first, then one of the others.
#[derive(Clone, Debug)]
pub enum CatalogEvent {
    /// It is being read (again).
    Loading,
    /// It was read, wholly or in part.
    Listed(Listing),
    /// Not even its first page could be read; what was known before stays valid.
    Failed {
        /// One plain sentence.
        message: String,
    },
}

/// A list with the difference to the one before.
#[derive(Clone, Debug)]
pub struct Listing {
    /// All items over all pages that were read, in the server's order.
    pub items: Arc<CatalogItems>,
    /// How many pages were read.
    pub pages: usize,
    /// Why the list ends before its end: the page after the last of `pages` could not be read. One
    /// plain sentence; `None` when the list is complete.
    pub error: Option<String>,
    /// Difference to what was known of this catalog before; `None` for the first. A list that is
    /// not complete proves nothing about what is not in it: nothing counts as removed then.
    pub diff: Option<ListDiff>,
    /// What is wrong with the list as a whole: a repeated cursor, an item that is no object.
    pub findings: Vec<Finding>,
    /// How long the server says that the list may be kept (2026-07-28 on).
    pub freshness: Option<Freshness>,
}

/// What a server says about keeping an answer. Shown, not obeyed: a list is read whenever the user
/// or the server asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// `ttlMs` as JSON text as received.
    pub ttl_ms: Option<String>,
    /// `cacheScope` as received.
    pub scope: Option<String>,
}

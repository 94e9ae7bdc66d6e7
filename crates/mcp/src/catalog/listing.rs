//! Results of reading a catalog.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::Finding;

use super::{budget::CatalogItems, difference::ListDiff};
use crate::{
    limits::NAME,
    members::{members, string},
    text::cut,
};

/// Events of reading a catalog: `Loading` comes first, then any number of `Part`, then one of the others.
#[derive(Clone, Debug)]
pub enum CatalogEvent {
    /// A reading began.
    Loading,
    /// The pages read so far, of a list that takes long to read.
    Part(Listing),
    /// It was read, wholly or in part.
    Listed(Listing),
    /// Not even its first page could be read; the items known before stay valid.
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
    /// Number of pages read.
    pub pages: usize,
    /// Reason why the list is incomplete: the page after the last of `pages` could not be read. One plain
    /// sentence; `None` when the list is complete.
    pub error: Option<String>,
    /// The list was read to its end, without an error or a limit.
    pub is_whole: bool,
    /// Difference to the items known before; `None` for the first reading. An incomplete list proves
    /// nothing about the items that it lacks: nothing counts as removed then.
    pub diff: Option<ListDiff>,
    /// Problems of the list as a whole: a repeated cursor, an item that is no object.
    pub findings: Vec<Finding>,
    /// Caching hints of the server (2026-07-28 on).
    pub freshness: Option<Freshness>,
}

/// Caching hints of a result (Caching, 2026-07-28 on).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// `ttlMs` as JSON text as received.
    pub ttl_ms: Option<String>,
    /// `cacheScope` as received.
    pub scope: Option<String>,
}

/// Upper limit of a `ttlMs`, in milliseconds: a year. Longer times are cut to it.
const LONGEST_TTL: u64 = 365 * 24 * 60 * 60 * 1000;

impl Freshness {
    /// Reads the hints of a result; `None` if it has none.
    #[must_use]
    pub fn of_result(result: &str) -> Option<Self> {
        let [ttl, scope] = members(result, &["ttlMs", "cacheScope"]).ok()?.values;
        Self::new(ttl, scope)
    }

    pub(super) fn new(ttl: Option<&RawValue>, scope: Option<&RawValue>) -> Option<Self> {
        (ttl.is_some() || scope.is_some()).then(|| Freshness {
            ttl_ms: ttl.map(|raw| cut(raw.get(), NAME)),
            scope: scope.and_then(string).map(|scope| cut(&scope, NAME)),
        })
    }

    /// Returns how long the result stays fresh, in milliseconds, at most a year. `None` if the server does
    /// not give an allowed number.
    #[must_use]
    pub fn millis(&self) -> Option<u64> {
        let millis: u64 = self.ttl_ms.as_deref()?.parse().ok()?;
        Some(millis.min(LONGEST_TTL))
    }

    /// True if the result may be shared between users with different credentials.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.scope.as_deref() == Some("public")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(result: &str) -> Option<Freshness> {
        Freshness::of_result(result)
    }

    #[test]
    fn only_a_whole_number_of_milliseconds_keeps_an_answer() {
        assert_eq!(said("{}"), None);
        let millis = |result: &str| said(result).and_then(|said| said.millis());
        assert_eq!(
            millis(r#"{"ttlMs":60000,"cacheScope":"private"}"#),
            Some(60_000)
        );
        assert_eq!(millis(r#"{"ttlMs":0}"#), Some(0));
        assert_eq!(
            millis(r#"{"ttlMs":18446744073709551615}"#),
            Some(LONGEST_TTL)
        );
        for bad in [
            "-1",
            "1.5",
            "\"60000\"",
            "null",
            "1e3",
            "18446744073709551616",
        ] {
            assert_eq!(millis(&format!(r#"{{"ttlMs":{bad}}}"#)), None, "{bad}");
        }
    }

    #[test]
    fn a_scope_that_is_not_public_is_private() {
        let public = |scope: &str| {
            said(&format!(r#"{{"ttlMs":1,"cacheScope":{scope}}}"#))
                .is_some_and(|said| said.is_public())
        };
        assert!(public("\"public\""));
        assert!(!public("\"private\"") && !public("\"Public\"") && !public("7"));
    }
}

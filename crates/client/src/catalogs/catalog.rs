//! One catalog of one server: what was read, and searching in it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use sonde_findings::{ByRule, Finding, rules};
use sonde_lint::Lint;
use sonde_mcp::{CatalogItem, CatalogItems, Freshness, ListDiff, Listing};
use ts_rs::TS;

use super::{
    CatalogKind,
    search::{Searchable, search},
    summary::summary,
};
use crate::{config::ServerId, limits::LINE, text::cut};

/// Kinds of change of an item with the last re-read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum CatalogChange {
    Added,
    Changed,
}

/// A catalog of one server. Kept after a disconnect. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The server that lists the items.
    pub server: ServerId,
    /// Kind of the items.
    pub kind: CatalogKind,
    /// Counts readings, from 1; 0 before the first. Results of later checks of a reading count too.
    pub revision: u32,
    /// Number of items read so far while the list is being read (again); `None` otherwise.
    pub reading: Option<usize>,
    /// The server declared that it has such a list.
    pub supported: bool,
    /// Reason why the last reading failed or ended early, one plain sentence.
    pub error: Option<String>,
    /// Requested since the session opened.
    pub(crate) asked: bool,
    /// Read since the session opened.
    pub(crate) current: bool,
    /// The items come from a reading that is still under way.
    shows_part: bool,
    /// Result of the last reading.
    pub listed: Arc<Listed>,
    /// Hits of the last search.
    hits: Option<Arc<SearchHits>>,
    /// Lint results for the tools of this reading, or of an earlier one as long as this one is not judged yet.
    pub lint: Option<Linted>,
    /// Result of checking the schemas of this reading's tools, once that is over.
    schema_check: Option<SchemaCheck>,
}

/// Lint results for a list of tools: findings that are not about the protocol. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Linted {
    /// The results.
    pub lint: Arc<Lint>,
    /// The list that they are about.
    pub listed: Arc<Listed>,
    /// The revision of that list.
    pub revision: u32,
    /// The findings, by rule.
    pub found: Arc<ByRule<FoundByLint>>,
}

/// Extent to which the schemas of a list of tools were checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaCheck {
    /// Tools of which every schema was judged.
    pub judged: usize,
    /// Reasons why others were not, plain sentences; empty where all were.
    pub left_out: Vec<String>,
}

/// A case of a rule that is not about the protocol.
#[derive(Clone, Debug)]
pub struct FoundByLint {
    /// The tool by index; `None` for the list as a whole.
    pub item: Option<u32>,
    /// The finding.
    pub finding: Finding,
}

/// Result of a reading.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The items in the server's order.
    pub items: Arc<CatalogItems>,
    /// By index: unique key that addresses the item.
    pub keys: Vec<String>,
    /// The server's list may go on: a fault or a limit ended the reading before its end.
    pub is_cut: bool,
    /// Findings about the list as a whole.
    pub findings: Vec<Finding>,
    /// Findings about the list and its items, by rule.
    pub found: ByRule<FoundInList>,
    /// Changes since the previous reading, and their time in milliseconds since the Unix epoch.
    pub diff: Option<(ListDiff, u64)>,
    /// The server's caching hints for the list.
    pub freshness: Option<Freshness>,
    /// Time until which the list may be cached, in milliseconds since the Unix epoch; `None` if the server gives none.
    pub fresh_until: Option<u64>,
    places: HashMap<String, u32>,
    searchable: Vec<Searchable>,
    /// Changes of items since the previous reading, by the value that addresses an item.
    changes: HashMap<String, CatalogChange>,
    /// Tools with unusable headers must not be called.
    forbids: bool,
}

/// A case of a broken rule in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundInList {
    /// The item by index; `None` for the list as a whole.
    item: Option<u32>,
    /// Index among the findings of the item or list.
    finding: u32,
}

/// Result of a search.
#[derive(Debug, Default)]
pub struct SearchHits {
    search: String,
    /// Indexes of items, best first; `None`: all.
    hits: Option<Vec<u32>>,
}

impl Catalog {
    /// Creates a catalog that was not read yet.
    #[must_use]
    pub fn empty(server: ServerId, kind: CatalogKind, supported: bool) -> Self {
        Self {
            server,
            kind,
            supported,
            ..Self::default()
        }
    }

    /// Extent to which the schemas of the last reading's tools were checked; `None` until the check is over.
    #[must_use]
    pub fn schema_check(&self) -> Option<&SchemaCheck> {
        self.schema_check.as_ref()
    }

    /// Stores the result of a schema check, unless the list was read again since.
    pub(super) fn keep_schema_check(&mut self, listed: &Arc<Listed>, check: SchemaCheck) {
        if Arc::ptr_eq(&self.listed, listed) {
            self.schema_check = Some(check);
        }
    }

    /// Lint results for the tools, if they are about the current list.
    #[must_use]
    pub fn lint(&self) -> Option<&Linted> {
        let lint = self.lint.as_ref();
        lint.filter(|one| Arc::ptr_eq(&one.listed, &self.listed))
    }

    pub(crate) fn item(&self, key: &str) -> Option<&CatalogItem> {
        self.listed.items.get(self.listed.place(key)? as usize)
    }

    /// Returns the hits of this search, if it was the last one. Without a search, all items match.
    pub(super) fn cached_hits(&self, search: &str) -> Option<Arc<SearchHits>> {
        if search.trim().is_empty() {
            return Some(Arc::default());
        }
        self.hits.clone().filter(|hits| hits.search == search)
    }

    /// Caches the hits of a search, unless the list was read again since.
    pub(super) fn cache_hits(&mut self, listed: &Arc<Listed>, hits: Arc<SearchHits>) {
        if Arc::ptr_eq(&self.listed, listed) {
            self.hits = Some(hits);
        }
    }

    /// Returns the catalog after a complete reading. Takes time in proportion to the items. With `forbids`, clients
    /// must not call tools with unusable headers.
    #[must_use]
    pub fn read(&self, listing: Listing, forbids: bool, at: u64) -> Self {
        Self {
            revision: self.revision + 1,
            reading: None,
            current: true,
            shows_part: false,
            error: listing.error.clone(),
            listed: Arc::new(Listed::new(listing, forbids, at)),
            hits: None,
            schema_check: None,
            ..self.clone()
        }
    }

    /// Returns the catalog during a reading: the pages read so far are shown if there is no earlier list.
    #[must_use]
    pub fn read_part(&self, part: Listing, forbids: bool, at: u64) -> Self {
        let count = part.items.len();
        let is_first = self.revision == 0 || self.shows_part;
        Self {
            reading: Some(count),
            shows_part: is_first,
            ..if is_first {
                self.read(part, forbids, at)
            } else {
                self.clone()
            }
        }
    }

    /// Replaces a reading by the same reading with later findings, unless the list was read again since. Returns true
    /// if it was replaced.
    pub(super) fn replace_reading(&mut self, before: &Arc<Listed>, now: Arc<Listed>) -> bool {
        let same = Arc::ptr_eq(&self.listed, before);
        if same {
            self.revision += 1;
            self.listed = now;
            self.hits = None;
        }
        same
    }

    /// True if opening the catalog at this time, in milliseconds since the Unix epoch, should start a reading: at the
    /// first look in a session, and once the list is no longer fresh.
    pub(super) fn wants_reading(&mut self, now: u64) -> bool {
        if !self.supported {
            return false;
        }
        let first = !std::mem::replace(&mut self.asked, true);
        let stale = self.listed.fresh_until.is_some_and(|until| until <= now);
        first || (stale && self.current && self.reading.is_none())
    }

    /// Marks the list as being read.
    pub(crate) fn begin_reading(&mut self) {
        self.reading = Some(0);
        self.error = None;
    }

    /// Ends a reading that failed before its first page.
    pub(crate) fn fail_reading(&mut self, error: String) {
        self.reading = None;
        self.error = Some(error);
    }
}

impl Listed {
    fn new(listing: Listing, forbids: bool, at: u64) -> Self {
        let items = listing.items;
        let keys = keys(&items);
        let searchable = items.iter().map(|item| {
            let title = item.title.as_deref().map(|title| cut(title, LINE));
            Searchable::new(&cut(&item.name, LINE), title.as_deref(), &summary(item))
        });
        let places = (0..).zip(&keys).map(|(place, key)| (key.clone(), place));
        Self {
            searchable: searchable.collect(),
            places: places.collect(),
            changes: listing.diff.as_ref().map(changes).unwrap_or_default(),
            diff: listing.diff.map(|diff| (diff, at)),
            found: index_findings(&listing.findings, &items),
            is_cut: !listing.is_whole,
            findings: listing.findings,
            fresh_until: listing
                .freshness
                .as_ref()
                .and_then(|said| Some(at + said.millis()?)),
            freshness: listing.freshness,
            items,
            keys,
            forbids,
        }
    }

    /// Returns the same reading with later findings about items, by index.
    pub(super) fn with_findings(&self, added: Vec<(usize, Finding)>) -> Self {
        let items = Arc::new(self.items.with_findings(added));
        Self {
            found: index_findings(&self.findings, &items),
            items,
            ..self.clone()
        }
    }

    /// The item with this index, and its key.
    #[must_use]
    pub fn item(&self, index: u32) -> Option<(&str, &CatalogItem)> {
        let key = self.keys.get(index as usize)?;
        Some((key, self.items.get(index as usize)?))
    }

    /// The first item with this name, and its key.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<(&str, &CatalogItem)> {
        let place = self.items.iter().position(|item| item.name == name)?;
        self.item(u32::try_from(place).ok()?)
    }

    /// Returns how an item changed with the last re-read.
    #[must_use]
    pub fn change(&self, item: &CatalogItem) -> Option<CatalogChange> {
        self.changes.get(&item.key).copied()
    }

    /// Returns the reason why clients must not call a tool, if they must not.
    #[must_use]
    pub fn forbidden(&self, item: &CatalogItem) -> Option<String> {
        // Streamable HTTP, Custom Headers from Tool Parameters: such a definition makes the tool
        // invalid for clients of that transport. Other transports send no headers.
        let unusable = |finding: &&Finding| finding.rule == &rules::INVALID_X_MCP_HEADER;
        let finding = item.findings.iter().find(unusable)?;
        self.forbids.then(|| finding.message())
    }

    /// Returns the item index and the finding of a case; `None` for a case of another list.
    #[must_use]
    pub fn case(&self, case: FoundInList) -> Option<(Option<u32>, &Finding)> {
        let findings = match case.item {
            Some(item) => &self.items.get(item as usize)?.findings,
            None => &self.findings,
        };
        Some((case.item, findings.get(case.finding as usize)?))
    }

    /// The index of the item with this key.
    #[must_use]
    pub fn place(&self, key: &str) -> Option<u32> {
        self.places.get(key).copied()
    }

    pub(super) fn search(&self, text: String) -> SearchHits {
        SearchHits {
            hits: search(&self.searchable, &text),
            search: text,
        }
    }
}

impl SearchHits {
    /// Number of items that match.
    #[must_use]
    pub fn count(&self, listed: &Listed) -> u32 {
        size(self.hits.as_ref().map_or(listed.keys.len(), Vec::len))
    }

    /// The index of the item at this place among the hits.
    #[must_use]
    pub fn item(&self, place: u32) -> Option<u32> {
        match &self.hits {
            None => Some(place),
            Some(hits) => hits.get(place as usize).copied(),
        }
    }

    /// The place of an item among the hits.
    #[must_use]
    pub fn place(&self, item: u32) -> Option<u32> {
        match &self.hits {
            None => Some(item),
            Some(hits) => hits.iter().position(|hit| *hit == item).map(size),
        }
    }
}

/// Indexes the findings of a list and its items by rule.
fn index_findings(of_list: &[Finding], items: &[CatalogItem]) -> ByRule<FoundInList> {
    let mut found = ByRule::default();
    let subjects = (0..)
        .zip(items)
        .map(|(item, one)| (Some(item), &one.findings[..]));
    for (item, findings) in std::iter::once((None, of_list)).chain(subjects) {
        for (finding, one) in (0..).zip(findings) {
            found.add(one.rule, || FoundInList { item, finding });
        }
    }
    found
}

/// Returns a unique key for each item: its name or URI, with a number from the second occurrence on. A numbered key
/// never equals the name or URI of another item.
fn keys(items: &[CatalogItem]) -> Vec<String> {
    let names: Vec<String> = items.iter().map(|item| cut(&item.key, LINE)).collect();
    let taken: HashSet<&str> = names.iter().map(String::as_str).collect();
    // Last number used for each name, so that no number is tried twice.
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut keys = Vec::with_capacity(names.len());
    for name in &names {
        let number = numbers.entry(name).or_default();
        let key = loop {
            *number += 1;
            let key = match *number {
                1 => break name.clone(),
                number => format!("{name}#{number}"),
            };
            if !taken.contains(key.as_str()) {
                break key;
            }
        };
        keys.push(key);
    }
    keys
}

fn changes(diff: &ListDiff) -> HashMap<String, CatalogChange> {
    let changed = diff
        .changed
        .iter()
        .map(|key| (key.clone(), CatalogChange::Changed));
    let added = diff
        .added
        .iter()
        .map(|key| (key.clone(), CatalogChange::Added));
    added.chain(changed).collect()
}

/// No list has four billion items.
fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use sonde_mcp::{ItemDetail, Tool};

    use super::*;

    fn item(name: &str, detail: ItemDetail) -> CatalogItem {
        let raw: Arc<RawValue> = RawValue::from_string("{}".to_owned()).unwrap().into();
        CatalogItem {
            key: name.to_owned(),
            name: name.to_owned(),
            title: None,
            description: None,
            detail,
            raw,
            findings: Vec::new(),
        }
    }

    fn tool(name: &str) -> CatalogItem {
        item(name, ItemDetail::Tool(Tool::default()))
    }

    fn listing(items: Vec<CatalogItem>) -> Listing {
        Listing {
            items: Arc::new(items.into()),
            pages: 1,
            error: None,
            is_whole: true,
            diff: None,
            findings: Vec::new(),
            freshness: None,
        }
    }

    fn empty(kind: CatalogKind) -> Catalog {
        Catalog::empty("s".to_owned(), kind, true)
    }

    #[test]
    fn a_list_is_read_at_the_first_look_and_when_it_may_be_kept_no_longer() {
        let mut unsupported = Catalog::empty("s".to_owned(), CatalogKind::Prompts, false);
        assert!(!unsupported.wants_reading(0));
        let mut catalog = empty(CatalogKind::Resources);
        assert!(catalog.wants_reading(0) && !catalog.wants_reading(0));
        // A server of an older version, and one that says nothing.
        let mut read = catalog.read(listing(Vec::new()), false, 1_000);
        assert!(!read.wants_reading(u64::MAX));
        let said = |ttl: &str| Listing {
            freshness: Some(Freshness {
                ttl_ms: Some(ttl.to_owned()),
                scope: None,
            }),
            ..listing(Vec::new())
        };
        let mut read = catalog.read(said("500"), false, 1_000);
        assert_eq!(read.listed.fresh_until, Some(1_500));
        assert!(!read.wants_reading(1_499) && read.wants_reading(1_500));
        read.begin_reading();
        assert!(!read.wants_reading(1_500), "it is being read already");
        read.reading = None;
        read.current = false;
        assert!(!read.wants_reading(1_500), "connecting reads it");
        assert!(
            !catalog
                .read(said("-1"), false, 1_000)
                .wants_reading(u64::MAX)
        );
    }

    #[test]
    fn every_tool_has_a_key_of_its_own() {
        let names = ["a", "a", "b", "a", "a#2", "", "", "a#2"];
        let listing = listing(names.iter().map(|name| tool(name)).collect());
        let catalog = empty(CatalogKind::Tools).read(listing, false, 0);
        let keys = &catalog.listed.keys;
        assert_eq!(keys[..5], ["a", "a#3", "b", "a#4", "a#2"]);
        let mut unique = keys.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{keys:?}");
        for (place, (key, name)) in (0..).zip(keys.iter().zip(names)) {
            assert_eq!(catalog.item(key).unwrap().name, name);
            let (own, item) = catalog.listed.item(place).unwrap();
            assert_eq!((own, item.name.as_str()), (key.as_str(), name));
        }
        assert_eq!((catalog.revision, keys.len()), (1, 8));
    }

    /// With a search over all numbers for each item it would not end within an hour.
    #[test]
    fn names_made_to_collide_get_their_keys_in_one_pass() {
        let mut names: Vec<String> = (2..100_000).map(|n| format!("a#{n}")).collect();
        names.extend(vec!["a".to_owned(); 100_000]);
        let long = "x".repeat(5_000);
        names.extend([format!("{long}1"), format!("{long}2")]);
        let items: Vec<CatalogItem> = names.iter().map(|name| tool(name)).collect();
        let keys = keys(&items);
        assert_eq!(keys[99_998..100_000], ["a", "a#100000"]);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(keys[199_998].len() < 1_010 && keys[199_999].ends_with("…#2"));
    }

    #[test]
    fn only_stateless_http_forbids_tools_with_unusable_headers() {
        let mut bad = tool("bad");
        bad.findings.push(
            Finding::new(&rules::INVALID_X_MCP_HEADER)
                .with("problem", "two parameters share a header"),
        );
        let listing = listing(vec![bad, tool("good")]);
        let empty = empty(CatalogKind::Tools);
        let strict = empty.read(listing.clone(), true, 0);
        let forbidden = |catalog: &Catalog, item| {
            let (_, item) = catalog.listed.item(item).unwrap();
            catalog.listed.forbidden(item)
        };
        assert_eq!(
            forbidden(&strict, 0).as_deref(),
            Some("Clients must not call this tool over HTTP: two parameters share a header.")
        );
        assert_eq!(forbidden(&strict, 1), None);
        assert_eq!(forbidden(&empty.read(listing, false, 0), 0), None);
    }

    #[test]
    fn a_search_is_kept_until_the_next_reading_whatever_the_kind() {
        let prompt = |name: &str| {
            let arguments = Vec::new();
            item(name, ItemDetail::Prompt { arguments })
        };
        let list = || listing(vec![prompt("greet"), prompt("regret"), prompt("leave")]);
        let mut catalog = empty(CatalogKind::Prompts).read(list(), false, 0);
        assert!(catalog.cached_hits("gre").is_none());
        let found = Arc::new(catalog.listed.search("gre".to_owned()));
        assert_eq!(found.count(&catalog.listed), 2);
        assert_eq!((found.item(1), found.item(2)), (Some(1), None));
        assert_eq!((found.place(1), found.place(2)), (Some(1), None));
        let listed = catalog.listed.clone();
        catalog.cache_hits(&listed, found.clone());
        assert!(Arc::ptr_eq(&catalog.cached_hits("gre").unwrap(), &found));
        assert!(catalog.cached_hits("gree").is_none());
        let all = catalog.cached_hits(" ").unwrap();
        assert_eq!(all.count(&catalog.listed), 3);
        assert_eq!((all.item(2), all.place(2)), (Some(2), Some(2)));

        let mut again = catalog.read(list(), false, 0);
        assert_eq!((again.revision, again.kind), (2, CatalogKind::Prompts));
        assert!(again.cached_hits("gre").is_none());
        again.cache_hits(&listed, found);
        assert!(
            again.cached_hits("gre").is_none(),
            "it was found in an older reading"
        );
    }
}

//! One catalog of one server: what was read, and what of it crosses to the window.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use sonde_findings::FindingView;
use sonde_mcp::{CatalogItem, ListDiff, Listing};

use super::{
    freshness::freshness,
    row,
    search::{Searchable, search},
};
use crate::{
    ipc::{CatalogChange, CatalogKind, CatalogRow, CatalogView, DiffNames, DiffView, ServerId},
    limits::LINE,
    text::cut,
};

/// How many findings about a list as a whole cross to the window.
const FINDINGS: usize = 100;
/// How many names of a difference cross to the window.
const NAMES: usize = 20;

/// A catalog of one server. Kept after a disconnect. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) view: Arc<CatalogView>,
    listed: Arc<Listed>,
    /// What the last search found.
    found: Option<Arc<Found>>,
}

/// The items of a reading.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    items: Arc<Vec<CatalogItem>>,
    /// By index.
    keys: Vec<String>,
    places: HashMap<String, u32>,
    searchable: Vec<Searchable>,
    /// By what an item is addressed by.
    changes: HashMap<String, CatalogChange>,
    /// Tools with unusable headers must not be called.
    forbids: bool,
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    search: String,
    /// Indexes of items, best first; `None`: all.
    hits: Option<Vec<u32>>,
}

impl Catalog {
    pub(crate) fn empty(server: ServerId, kind: CatalogKind, supported: bool) -> Self {
        Self {
            view: Arc::new(CatalogView {
                server,
                kind,
                revision: 0,
                loading: false,
                supported,
                count: 0,
                first: None,
                diff: None,
                findings: Vec::new(),
                finding_count: 0,
                error: None,
                freshness: None,
            }),
            listed: Arc::default(),
            found: None,
        }
    }

    pub(crate) fn item(&self, key: &str) -> Option<&CatalogItem> {
        self.listed.items.get(self.listed.place(key)? as usize)
    }

    pub(super) fn listed(&self) -> &Arc<Listed> {
        &self.listed
    }

    /// What this search found, if it was the last one. Without a search there is nothing to find.
    pub(super) fn found(&self, search: &str) -> Option<Arc<Found>> {
        if search.trim().is_empty() {
            return Some(Arc::default());
        }
        self.found.clone().filter(|found| found.search == search)
    }

    /// Keeps what a search found in a reading, unless there was another reading since.
    pub(super) fn keep_found(&mut self, listed: &Arc<Listed>, found: Arc<Found>) {
        if Arc::ptr_eq(&self.listed, listed) {
            self.found = Some(found);
        }
    }

    /// The catalog after a reading. Takes time in proportion to the items.
    /// `forbids`: the connection is one whose clients must not call tools with unusable headers.
    pub(crate) fn read(&self, listing: Listing, forbids: bool, at: u64) -> Self {
        let before = &self.view;
        let findings = listing.findings.iter().take(FINDINGS);
        let keys = keys(&listing.items);
        let view = CatalogView {
            server: before.server.clone(),
            kind: before.kind,
            revision: before.revision + 1,
            loading: false,
            supported: before.supported,
            count: size(listing.items.len()),
            first: keys.first().cloned(),
            diff: listing.diff.as_ref().map(|diff| diff_view(diff, at)),
            findings: findings.map(FindingView::from).collect(),
            finding_count: size(listing.findings.len()),
            error: listing.error,
            freshness: listing.freshness.as_ref().map(freshness),
        };
        let changes = listing.diff.map(changes).unwrap_or_default();
        Self {
            view: Arc::new(view),
            listed: Arc::new(Listed::new(listing.items, keys, changes, forbids)),
            found: None,
        }
    }

    /// The list is being read, or no longer.
    pub(crate) fn set_loading(&mut self, loading: bool, error: Option<String>) {
        let view = Arc::make_mut(&mut self.view);
        view.loading = loading;
        view.error = error;
    }

    pub(crate) fn set_supported(&mut self, supported: bool) {
        Arc::make_mut(&mut self.view).supported = supported;
    }
}

impl Listed {
    fn new(
        items: Arc<Vec<CatalogItem>>,
        keys: Vec<String>,
        changes: HashMap<String, CatalogChange>,
        forbids: bool,
    ) -> Self {
        let searchable = items.iter().map(|item| {
            let summary = row::summary(item);
            let title = item.title.as_deref().map(|title| cut(title, LINE));
            Searchable::new(&cut(&item.name, LINE), title.as_deref(), &summary)
        });
        Self {
            searchable: searchable.collect(),
            places: (0..)
                .zip(&keys)
                .map(|(place, key)| (key.clone(), place))
                .collect(),
            items,
            keys,
            changes,
            forbids,
        }
    }

    /// The row of the item with this index.
    pub(super) fn row(&self, item: u32) -> Option<CatalogRow> {
        let (key, item) = (
            self.keys.get(item as usize)?,
            self.items.get(item as usize)?,
        );
        let change = self.changes.get(&item.key).copied();
        Some(row::row(key, item, change, self.forbids))
    }

    /// The index of the item with this key.
    pub(super) fn place(&self, key: &str) -> Option<u32> {
        self.places.get(key).copied()
    }

    pub(super) fn search(&self, text: String) -> Found {
        Found {
            hits: search(&self.searchable, &text),
            search: text,
        }
    }
}

impl Found {
    pub(super) fn count(&self, listed: &Listed) -> u32 {
        size(self.hits.as_ref().map_or(listed.keys.len(), Vec::len))
    }

    /// The index of the item at this place among the hits.
    pub(super) fn item(&self, place: u32) -> Option<u32> {
        match &self.hits {
            None => Some(place),
            Some(hits) => hits.get(place as usize).copied(),
        }
    }

    /// The place of an item among the hits.
    pub(super) fn place(&self, item: u32) -> Option<u32> {
        match &self.hits {
            None => Some(item),
            Some(hits) => hits.iter().position(|hit| *hit == item).map(size),
        }
    }
}

/// A key for each item: what it is addressed by, made unique.
fn keys(items: &[CatalogItem]) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::with_capacity(items.len());
    // The number that the next item of the same name is tried with: no number is tried twice.
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut keys = Vec::with_capacity(items.len());
    for item in items {
        let name = cut(&item.key, LINE);
        let number = numbers.entry(name.clone()).or_insert(1);
        let key = loop {
            let key = match *number {
                1 => name.clone(),
                number => format!("{name}#{number}"),
            };
            *number += 1;
            // Another item may really be called `name#2`.
            if taken.insert(key.clone()) {
                break key;
            }
        };
        keys.push(key);
    }
    keys
}

fn diff_view(diff: &ListDiff, at: u64) -> DiffView {
    let names = |all: &[String]| DiffNames {
        count: size(all.len()),
        names: all.iter().take(NAMES).map(|name| cut(name, LINE)).collect(),
    };
    DiffView {
        added: names(&diff.added),
        removed: names(&diff.removed),
        changed: names(&diff.changed),
        at,
    }
}

fn changes(diff: ListDiff) -> HashMap<String, CatalogChange> {
    let added = diff
        .added
        .into_iter()
        .map(|key| (key, CatalogChange::Added));
    let changed = diff.changed.into_iter();
    added
        .chain(changed.map(|key| (key, CatalogChange::Changed)))
        .collect()
}

/// No list has four billion items.
fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use sonde_findings::{Finding, rules};
    use sonde_mcp::{Freshness, ItemDetail, Tool};

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
            items: Arc::new(items),
            pages: 1,
            error: None,
            diff: None,
            findings: Vec::new(),
            freshness: None,
        }
    }

    fn empty(kind: CatalogKind) -> Catalog {
        Catalog::empty("s".to_owned(), kind, true)
    }

    #[test]
    fn every_tool_has_a_key_of_its_own() {
        let names = ["a", "a", "b", "a", "a#2", "", "", "a#2"];
        let listing = listing(names.iter().map(|name| tool(name)).collect());
        let catalog = empty(CatalogKind::Tools).read(listing, false, 0);
        let keys = &catalog.listed.keys;
        assert_eq!(keys[..4], ["a", "a#2", "b", "a#3"]);
        let mut unique = keys.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{keys:?}");
        for (place, (key, name)) in (0..).zip(keys.iter().zip(names)) {
            assert_eq!(catalog.item(key).unwrap().name, name);
            let row = catalog.listed.row(place).unwrap();
            assert_eq!((row.key.as_str(), row.name.as_str()), (key.as_str(), name));
        }
        let view = &catalog.view;
        assert_eq!((view.revision, view.count), (1, 8));
        assert_eq!(view.first.as_deref(), Some("a"));
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
    fn what_a_row_shows_is_cut() {
        let mut item = tool(&"n".repeat(5_000));
        item.title = Some("t".repeat(5_000));
        let catalog = empty(CatalogKind::Tools).read(listing(vec![item]), false, 0);
        let row = catalog.listed.row(0).unwrap();
        let title = row.title.unwrap();
        assert_eq!(
            (row.name.chars().count(), title.chars().count()),
            (1_001, 1_001)
        );
        assert!(row.name.ends_with("n…") && title.ends_with("t…"));
        let item = catalog.item(&row.key).unwrap();
        assert_eq!(item.name.len(), 5_000, "it is called by all of it");
    }

    #[test]
    fn only_stateless_http_forbids_tools_with_unusable_headers() {
        let mut bad = tool("bad");
        bad.findings.push(
            Finding::new(&rules::INVALID_X_MCP_HEADER)
                .with("problem", "two parameters share a header"),
        );
        let mut listing = listing(vec![bad, tool("good")]);
        listing.freshness = Some(Freshness {
            ttl_ms: Some("300000".to_owned()),
            scope: Some("private".to_owned()),
        });
        let empty = empty(CatalogKind::Tools);
        let strict = empty.read(listing.clone(), true, 0);
        let forbidden = |catalog: &Catalog, item| catalog.listed.row(item).unwrap().forbidden;
        assert_eq!(
            forbidden(&strict, 0).as_deref(),
            Some("Clients must not call this tool over HTTP: two parameters share a header.")
        );
        assert_eq!(strict.listed.row(0).unwrap().findings, 1);
        assert_eq!(forbidden(&strict, 1), None);
        assert_eq!(
            strict.view.freshness.as_deref(),
            Some("The server allows caching this list for 5 minutes, by this client only.")
        );
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
        assert!(catalog.found("gre").is_none());
        let found = Arc::new(catalog.listed.search("gre".to_owned()));
        assert_eq!(found.count(&catalog.listed), 2);
        assert_eq!((found.item(1), found.item(2)), (Some(1), None));
        assert_eq!((found.place(1), found.place(2)), (Some(1), None));
        let listed = catalog.listed.clone();
        catalog.keep_found(&listed, found.clone());
        assert!(Arc::ptr_eq(&catalog.found("gre").unwrap(), &found));
        assert!(catalog.found("gree").is_none());
        let all = catalog.found(" ").unwrap();
        assert_eq!(all.count(&catalog.listed), 3);
        assert_eq!((all.item(2), all.place(2)), (Some(2), Some(2)));

        let mut again = catalog.read(list(), false, 0);
        assert_eq!(
            (again.view.revision, again.view.kind),
            (2, CatalogKind::Prompts)
        );
        assert!(again.found("gre").is_none());
        again.keep_found(&listed, found);
        assert!(
            again.found("gre").is_none(),
            "it was found in an older reading"
        );
    }

    #[test]
    fn what_crosses_of_a_list_is_bounded() {
        let names = |what: &str| (0..30).map(|n| format!("{what}{n}")).collect::<Vec<_>>();
        let finding = Finding::new(&rules::NOT_AN_OBJECT);
        let mut list = listing(vec![tool("added29"), tool("changed3"), tool("same")]);
        list.error = Some("The second page failed.".to_owned());
        list.findings = vec![finding; 250];
        list.diff = Some(ListDiff {
            added: names("added"),
            removed: Vec::new(),
            changed: names("changed"),
        });
        let catalog = empty(CatalogKind::Tools).read(list, false, 7);
        let view = &catalog.view;
        assert_eq!((view.findings.len(), view.finding_count), (100, 250));
        assert_eq!((view.count, view.error.is_some()), (3, true));
        let diff = view.diff.as_ref().unwrap();
        assert_eq!(
            (diff.added.count, diff.added.names.len(), diff.at),
            (30, 20, 7)
        );
        assert_eq!(diff.removed, DiffNames::default());
        let change = |item| catalog.listed.row(item).unwrap().change;
        assert_eq!(
            change(0),
            Some(CatalogChange::Added),
            "also beyond the names that cross"
        );
        assert_eq!(change(1), Some(CatalogChange::Changed));
        assert_eq!(change(2), None);
    }
}

//! Reading a catalog page by page.

use std::{collections::HashSet, sync::Arc};

use serde_json::value::RawValue;

use sonde_findings::{Finding, Findings, Rule, rules};

use super::{
    budget::{CatalogItems, CatalogShare, Room},
    difference::{ListDiff, difference},
    item::CatalogItem,
    judge::judge,
    kind::CatalogKind,
    listing::{Freshness, Listing},
    prompt, resource, skill, tool,
};
use crate::{
    limits::{
        CATALOG_BYTES, LIST_BYTES, LIST_ITEMS, LIST_PAGES, LIST_PAGES_UNREMARKED,
        LIST_PAGES_WITHOUT_NEWS,
    },
    members::{elements, members, string},
    protocol::{Era, Revision, stateless::PageHints},
};

/// A list that is being read.
#[derive(Debug)]
pub(crate) struct Pages {
    kind: CatalogKind,
    revision: Revision,
    items: Vec<CatalogItem>,
    pages: usize,
    /// Number of pages in a row without a new item.
    without_news: usize,
    /// Elements of all pages, and bytes of the elements kept.
    taken: usize,
    bytes: usize,
    findings: Findings,
    cursors: HashSet<String>,
    keys: HashSet<String>,
    /// Names of skills: they should be unique, but do not address skills.
    names: HashSet<String>,
    /// Room of the items within the budget shared by all servers.
    room: Room,
    /// Reading stopped before the end of the list.
    stopped: bool,
    freshness: Option<Freshness>,
    hints: PageHints,
}

/// Next step after a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextPage {
    /// Ask for the page with this cursor (JSON text).
    Cursor(String),
    /// The list is complete, or reading it cannot continue.
    Done,
}

impl Pages {
    /// An empty list, to be read by the rules of this revision.
    pub(crate) fn new(kind: CatalogKind, revision: Revision, share: &Arc<CatalogShare>) -> Self {
        Pages {
            kind,
            revision,
            items: Vec::new(),
            pages: 0,
            without_news: 0,
            taken: 0,
            bytes: 0,
            findings: Findings::default(),
            cursors: HashSet::new(),
            keys: HashSet::new(),
            names: HashSet::new(),
            room: Room::new(share, kind),
            stopped: false,
            freshness: None,
            hints: PageHints::default(),
        }
    }

    /// True before the first page.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Number of items read so far.
    pub(crate) fn count(&self) -> usize {
        self.items.len()
    }

    /// Returns the list as read so far, without a comparison. Takes time in proportion to the items.
    pub(crate) fn part(&self) -> Listing {
        Listing {
            items: Arc::new(CatalogItems::part(self.items.clone())),
            pages: self.pages,
            error: None,
            is_whole: false,
            diff: None,
            findings: self.findings.clone().into_vec(),
            freshness: self.freshness.clone(),
        }
    }

    /// Adds a page. An error means that it is not a page at all.
    pub(crate) fn add(&mut self, result: &RawValue) -> Result<NextPage, String> {
        let (method, member) = (self.kind.method(), self.kind.member());
        let names = [member, "nextCursor", "ttlMs", "cacheScope", "resultType"];
        let read = members(result.get(), &names)
            .map_err(|_| format!("The result of `{method}` is not an object."))?;
        let [list, cursor, ttl, scope, kind] = read.values;
        if self.is_stateless() {
            let page = [ttl, scope, kind];
            self.hints.judge(method, page, &mut self.findings);
            if self.freshness.is_none() {
                self.freshness = Freshness::new(ttl, scope);
            }
        }
        let items = list
            .and_then(|raw| elements(raw.get(), LIST_ITEMS - self.taken).ok())
            .ok_or_else(|| format!("The result of `{method}` has no `{member}` array."))?;
        self.pages += 1;
        let known = self.keys.len();
        let all = items.first.len() == items.count;
        for (place, item) in items.first.into_iter().enumerate() {
            self.taken += 1;
            if !self.has_room(item.get()) {
                return Ok(self.stop(&rules::LIST_TOO_LARGE, LIST_BYTES / (1024 * 1024)));
            }
            if !self.take(item, place) {
                return Ok(self.stop(&rules::CATALOGS_TOO_LARGE, CATALOG_BYTES / (1024 * 1024)));
            }
        }
        self.without_news = match self.keys.len() > known {
            true => 0,
            false => self.without_news + 1,
        };
        if !all {
            return Ok(self.stop(&rules::LIST_TOO_LONG, LIST_ITEMS));
        }
        Ok(self.follow(cursor))
    }

    fn is_stateless(&self) -> bool {
        self.revision.era() == Era::Stateless
    }

    /// Counts the bytes of an element before it is kept. `false` when they are too many.
    fn has_room(&mut self, text: &str) -> bool {
        self.bytes = self.bytes.saturating_add(text.len());
        self.bytes <= LIST_BYTES
    }

    /// Ends the list at a limit, with a finding.
    fn stop(&mut self, rule: &'static Rule, limit: usize) -> NextPage {
        let finding = Finding::new(rule).with("limit", limit);
        self.findings.push_first(finding);
        self.stopped = true;
        NextPage::Done
    }

    /// Adds an item; false if there is no room for it.
    fn take(&mut self, raw: &RawValue, place: usize) -> bool {
        let Some(mut item) = read(self.kind, raw) else {
            self.findings.push(
                Finding::new(&rules::NOT_AN_OBJECT)
                    .with("item", place + 1)
                    .with("page", self.pages),
            );
            return true;
        };
        if !item.key.is_empty() && self.keys.contains(&item.key) {
            item.findings.push(self.duplicate(&item.key));
        } else if self.kind == CatalogKind::Skills
            && !item.name.is_empty()
            && !self.names.insert(item.name.clone())
        {
            let twice = Finding::new(&rules::SKILL_NAME_TWICE).with("name", &item.name);
            item.findings.push(twice);
        }
        judge(&mut item, self.revision);
        if !self.room.take(item.weight()) {
            return false;
        }
        if !item.key.is_empty() {
            self.keys.insert(item.key.clone());
        }
        self.items.push(item);
        true
    }

    fn duplicate(&self, key: &str) -> Finding {
        let rule = match self.kind {
            CatalogKind::Tools | CatalogKind::Prompts => &rules::DUPLICATE_NAME,
            CatalogKind::Resources => &rules::DUPLICATE_URI,
            CatalogKind::ResourceTemplates => &rules::DUPLICATE_URI_TEMPLATE,
            CatalogKind::Skills => &rules::DUPLICATE_SKILL,
        };
        Finding::new(rule).with("key", key)
    }

    fn follow(&mut self, cursor: Option<&RawValue>) -> NextPage {
        let Some(raw) = cursor.filter(|raw| raw.get() != "null") else {
            return NextPage::Done;
        };
        let Some(cursor) = string(raw) else {
            return self.stop(&rules::BAD_CURSOR, LIST_PAGES);
        };
        if !self.revision.era().continues(&cursor) {
            self.findings.push_first(Finding::new(&rules::EMPTY_CURSOR));
            return NextPage::Done;
        }
        if self.cursors.contains(&cursor) {
            return self.stop(&rules::REPEATED_CURSOR, LIST_PAGES);
        }
        if self.pages >= LIST_PAGES {
            return self.stop(&rules::TOO_MANY_PAGES, LIST_PAGES);
        }
        if self.without_news >= LIST_PAGES_WITHOUT_NEWS {
            return self.stop(&rules::NO_NEW_ITEMS, LIST_PAGES_WITHOUT_NEWS);
        }
        if self.taken >= LIST_ITEMS {
            return self.stop(&rules::LIST_TOO_LONG, LIST_ITEMS);
        }
        if !self.has_room(&cursor) {
            return self.stop(&rules::LIST_TOO_LARGE, LIST_BYTES / (1024 * 1024));
        }
        self.cursors.insert(cursor);
        NextPage::Cursor(raw.get().to_owned())
    }

    /// Returns the list as read, compared with the previous one. `error` is the reason why the next page is missing.
    pub(crate) fn finish(
        mut self,
        before: Option<&[CatalogItem]>,
        error: Option<String>,
    ) -> Listing {
        let is_whole = !self.stopped && error.is_none();
        let diff = before.map(|before| {
            let diff = difference(before, &self.items);
            ListDiff {
                // Items on missing pages may still exist.
                removed: match is_whole {
                    true => diff.removed,
                    false => Vec::new(),
                },
                ..diff
            }
        });
        let compares = is_whole && self.kind == CatalogKind::Tools && self.is_stateless();
        if let Some(before) = before.filter(|_| compares)
            && diff.as_ref().is_some_and(ListDiff::is_empty)
            && !before
                .iter()
                .map(|one| &one.key)
                .eq(self.items.iter().map(|one| &one.key))
        {
            self.findings.push(Finding::new(&rules::LIST_ORDER_CHANGES));
        }
        if self.pages > LIST_PAGES_UNREMARKED {
            let many = Finding::new(&rules::MANY_PAGES);
            self.findings.push_first(many.with("count", self.pages));
        }
        Listing {
            diff,
            items: Arc::new(CatalogItems::new(self.items, self.room)),
            pages: self.pages,
            error,
            is_whole,
            findings: self.findings.into_vec(),
            freshness: self.freshness,
        }
    }
}

/// Reads one item; `None` when it is no object.
fn read(kind: CatalogKind, raw: &RawValue) -> Option<CatalogItem> {
    match kind {
        CatalogKind::Tools => tool::read(raw),
        CatalogKind::Resources | CatalogKind::ResourceTemplates => resource::read(kind, raw),
        CatalogKind::Prompts => prompt::read(raw),
        CatalogKind::Skills => skill::read(raw),
    }
}

impl Listing {
    /// Returns the known items after this reading. If the list is incomplete, they include the earlier
    /// items that may still exist, where there is room for both.
    pub(crate) fn known_items(&self, before: Option<&Arc<CatalogItems>>) -> Arc<CatalogItems> {
        let (Some(before), Some(_)) = (before, &self.error) else {
            return Arc::clone(&self.items);
        };
        let read: HashSet<&str> = self.items.iter().map(|item| item.key.as_str()).collect();
        let unread = before
            .iter()
            .filter(|item| !read.contains(item.key.as_str()));
        let all = self.items.iter().chain(unread).cloned().collect();
        let all = self.items.beside(before, all).map(Arc::new);
        all.unwrap_or_else(|| Arc::clone(&self.items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::raw;

    fn pages_of(kind: CatalogKind, revision: Revision) -> Pages {
        Pages::new(kind, revision, &CatalogShare::of(&Arc::default()))
    }

    fn tools() -> Pages {
        pages_of(CatalogKind::Tools, Revision::NEWEST_HANDSHAKE)
    }

    /// The list that has only the given page, which is its last one.
    fn alone(mut pages: Pages, page: &str) -> Listing {
        assert_eq!(pages.add(&raw(page)), Ok(NextPage::Done));
        pages.finish(None, None)
    }

    fn names(items: &[CatalogItem]) -> Vec<&str> {
        items.iter().map(|item| item.name.as_str()).collect()
    }

    fn page(names: &[&str], cursor: &str) -> Box<RawValue> {
        let tools: Vec<String> = names
            .iter()
            .map(|name| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#))
            .collect();
        raw(&format!(
            r#"{{"tools":[{}],"nextCursor":{cursor}}}"#,
            tools.join(",")
        ))
    }

    fn codes(listing: &Listing) -> Vec<&'static str> {
        listing.findings.iter().map(|p| p.id()).collect()
    }

    #[test]
    fn pages_are_joined_in_order() {
        let mut pages = tools();
        assert_eq!(
            pages.add(&page(&["b", "a"], "\"x\\u0031\"")),
            Ok(NextPage::Cursor("\"x\\u0031\"".into())),
            "a cursor goes back as it came"
        );
        assert_eq!(pages.add(&page(&["c", "a"], "null")), Ok(NextPage::Done));
        let listing = pages.finish(None, None);
        assert_eq!(names(&listing.items), ["b", "a", "c", "a"]);
        assert_eq!(listing.items[3].findings[0].id(), "duplicate-name");
        assert_eq!((listing.pages, codes(&listing)), (2, vec![]));
        assert_eq!(listing.diff, None);
        let mut pages = pages_of(CatalogKind::Tools, Revision::NEWEST_STATELESS);
        for (scope, cursor) in [("public", "\"a\""), ("private", "null")] {
            let page =
                format!(r#"{{"tools":[],"nextCursor":{cursor},"ttlMs":1,"cacheScope":"{scope}"}}"#);
            pages.add(&raw(&page)).unwrap();
        }
        assert_eq!(codes(&pages.finish(None, None)), ["different-cache-scopes"]);
    }

    #[test]
    fn cursors_that_lead_nowhere_end_the_list_and_keep_it() {
        for (cursor, code, is_whole) in [
            ("\"\"", "empty-cursor", true),
            ("7", "bad-cursor", false),
            ("{}", "bad-cursor", false),
        ] {
            let listing = alone(tools(), page(&["a"], cursor).get());
            assert_eq!((listing.items.len(), codes(&listing)), (1, vec![code]));
            assert_eq!(listing.is_whole, is_whole, "{cursor}");
        }
        let mut pages = tools();
        assert!(matches!(
            pages.add(&page(&["a"], "\"p\"")),
            Ok(NextPage::Cursor(_))
        ));
        assert_eq!(pages.add(&page(&["b"], "\"p\"")), Ok(NextPage::Done));
        assert_eq!(codes(&pages.finish(None, None)), ["repeated-cursor"]);
    }

    #[test]
    fn an_endless_list_is_cut() {
        let mut pages = tools();
        let mut last = NextPage::Done;
        for number in 0..LIST_PAGES {
            let name = number.to_string();
            last = pages
                .add(&page(&[&name], &format!("\"{number}\"")))
                .unwrap();
        }
        assert_eq!(last, NextPage::Done);
        let listing = pages.finish(None, None);
        assert_eq!(
            (listing.pages, codes(&listing)),
            (1_000, vec!["many-pages", "too-many-pages"])
        );
    }

    #[test]
    fn a_list_whose_pages_bring_nothing_new_is_cut_earlier() {
        let mut pages = tools();
        let mut last = NextPage::Done;
        for number in 0..=LIST_PAGES_WITHOUT_NEWS {
            assert_eq!(last == NextPage::Done, number == 0);
            last = pages
                .add(&page(&["same"], &format!("\"{number}\"")))
                .unwrap();
        }
        assert_eq!(last, NextPage::Done);
        let listing = pages.finish(None, None);
        assert_eq!((listing.pages, codes(&listing)), (21, vec!["no-new-items"]));
        assert_eq!(
            listing.findings[0].message(),
            "The last 20 pages of the list had no new item; the rest was not read."
        );
    }

    #[test]
    fn a_list_is_bounded_over_all_of_its_pages() {
        let of = |page: &str| {
            alone(
                tools(),
                &format!(r#"{{"tools":[{page}],"nextCursor":"c"}}"#),
            )
        };
        // A million elements that are no items.
        let listing = of(&vec!["1"; 1_000_000].join(","));
        assert_eq!((listing.items.len(), listing.findings.len()), (0, 100));
        assert_eq!(
            listing.findings[99].message(),
            "There are 49902 more findings, which are not kept."
        );
        let listing = of(&vec!["{}"; LIST_ITEMS + 1].join(","));
        assert_eq!(listing.items.len(), LIST_ITEMS);
        assert_eq!(listing.findings[0].id(), "list-too-long");
        assert_eq!(
            listing.findings[0].message(),
            "The list has more than 50000 items; the rest was not read."
        );
        let item = format!(r#"{{"name":"{}"}}"#, "x".repeat(LIST_BYTES / 4));
        let listing = of(&[&*item; 5].join(","));
        assert_eq!(listing.items.len(), 3);
        assert_eq!(listing.findings[0].id(), "list-too-large");
        assert_eq!(
            listing.findings[0].message(),
            "The items of the list take more than 32 MiB; the rest was not read."
        );
        let mut pages = tools();
        let mut read = 0;
        let each = LIST_ITEMS / 10;
        while pages
            .add(&raw(&format!(
                r#"{{"tools":[{}],"nextCursor":"{read}"}}"#,
                vec!["{}"; each].join(",")
            )))
            .unwrap()
            != NextPage::Done
        {
            read += 1;
        }
        assert_eq!((read + 1, pages.items.len()), (10, LIST_ITEMS));
    }

    #[test]
    fn items_that_are_no_objects_are_reported_and_the_rest_stays() {
        let listing = alone(tools(), r#"{"tools":[null,{"name":"t"},7]}"#);
        assert_eq!(listing.items.len(), 1);
        assert_eq!(codes(&listing), ["not-an-object", "not-an-object"]);
        for bad in ["[]", "{}", r#"{"tools":{}}"#, "null"] {
            assert!(tools().add(&raw(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_difference_is_by_name_and_text() {
        let list = |items: &str| {
            let mut pages = tools();
            pages
                .add(&raw(&format!(r#"{{"tools":[{items}]}}"#)))
                .unwrap();
            pages
        };
        let before = list(r#"{"name":"same"},{"name":"gone"},{"name":"new-text","description":"1"},{"name":"gone"}"#)
            .finish(None, None);
        let after = list(r#"{"name":"fresh"},{"name":"same"},{"name":"new-text","description":"1.0"},{"name":"fresh"}"#)
            .finish(Some(&before.items), None);
        assert_eq!(
            after.diff,
            Some(ListDiff {
                added: vec!["fresh".into()],
                removed: vec!["gone".into()],
                changed: vec!["new-text".into()],
            })
        );
    }

    #[test]
    fn a_part_of_a_list_removes_nothing() {
        let list = |names: &[&str]| {
            let mut pages = tools();
            pages.add(&page(names, "null")).unwrap();
            pages
        };
        let before = list(&["a", "b"]).finish(None, None);
        let part = list(&["b", "c"]).finish(Some(&before.items), Some("broken".into()));
        assert_eq!(part.error.as_deref(), Some("broken"));
        assert_eq!(
            part.diff,
            Some(ListDiff {
                added: vec!["c".into()],
                ..ListDiff::default()
            })
        );
        assert_eq!(
            names(&part.known_items(Some(&before.items))),
            ["b", "c", "a"]
        );
    }

    #[test]
    fn what_is_known_of_broken_lists_does_not_grow_beyond_its_room() {
        let share = CatalogShare::of(&Arc::default());
        let mut known: Option<Arc<CatalogItems>> = None;
        let mut most = 0;
        for number in 0..20 {
            // Another tool of 4 MiB each time, and never the next page.
            let text = "x".repeat(4 * 1024 * 1024);
            let mut pages = Pages::new(CatalogKind::Tools, Revision::NEWEST_HANDSHAKE, &share);
            let tool = format!(r#"{{"name":"{number}","description":"{text}"}}"#);
            pages
                .add(&raw(&format!(r#"{{"tools":[{tool}],"nextCursor":"c"}}"#)))
                .unwrap();
            let before = known.as_ref();
            let listing = pages.finish(before.map(|known| &known[..]), Some("broken".into()));
            assert_eq!((listing.items.len(), listing.findings.len()), (1, 0));
            known = Some(listing.known_items(before));
            most = most.max(known.as_ref().unwrap().len());
        }
        assert!((8..=16).contains(&most), "{most}");
    }

    #[test]
    fn skills_of_one_name_are_told_apart() {
        let said = r#""frontmatter":{"name":"n","description":"d"},"resources":"dynamic""#;
        let skill = |path: &str| format!(r#"{{"uri":"skill://{path}/SKILL.md",{said}}}"#);
        let all = ["a/n", "b/n"].map(skill).join(",");
        let page = format!(r#"{{"skills":[{all}],"ttlMs":0,"cacheScope":"public"}}"#);
        let listing = alone(
            pages_of(CatalogKind::Skills, Revision::NEWEST_STATELESS),
            &page,
        );
        let ids = |item: &CatalogItem| item.findings.iter().map(Finding::id).collect::<Vec<_>>();
        assert_eq!(ids(&listing.items[0]), ["skill-dynamic"]);
        assert_eq!(
            ids(&listing.items[1]),
            ["skill-dynamic", "skill-name-twice"]
        );
    }

    #[test]
    fn ten_thousand_skills_are_read() {
        let all: Vec<_> = (0..10_000)
            .map(|n| format!(r#"{{"uri":"skill://n{n}/SKILL.md","frontmatter":{{"name":"n{n}","description":"d"}},"resources":"dynamic"}}"#))
            .collect();
        let page = format!(
            r#"{{"skills":[{}],"ttlMs":0,"cacheScope":"public"}}"#,
            all.join(",")
        );
        let listing = alone(
            pages_of(CatalogKind::Skills, Revision::NEWEST_STATELESS),
            &page,
        );
        assert_eq!((listing.items.len(), listing.findings.len()), (10_000, 0));
    }

    #[test]
    fn every_kind_is_read_from_its_own_member() {
        let digest = format!("sha256:{}", "0".repeat(64));
        let skill = format!(
            r#""frontmatter":{{"name":"n","description":"d"}},"resources":[{{"uri":"skill://n/SKILL.md","digest":"{digest}","size":1}}]"#
        );
        let name = r#""name":"n""#;
        let of_uri = r#""uri":"a:1""#;
        let of_template = r#""uriTemplate":"a:{x}""#;
        let of_skill = r#""uri":"skill://n/SKILL.md""#;
        use CatalogKind::{Prompts, ResourceTemplates, Resources, Skills};
        for (kind, member, key, named, more) in [
            (Resources, "resources", "a:1", of_uri, name),
            (
                ResourceTemplates,
                "resourceTemplates",
                "a:{x}",
                of_template,
                name,
            ),
            (Prompts, "prompts", "n", name, r#""title":"t""#),
            (Skills, "skills", "skill://n/SKILL.md", of_skill, &*skill),
        ] {
            let item = format!("{{{named},{more}}}");
            let text =
                format!(r#"{{"{member}":[{item},{item},3],"ttlMs":0,"cacheScope":"public"}}"#);
            let listing = alone(pages_of(kind, Revision::NEWEST_STATELESS), &text);
            assert_eq!(codes(&listing), ["not-an-object"]);
            assert_eq!(
                (listing.items[0].kind(), &*listing.items[0].key),
                (kind, key)
            );
            let twice = match kind {
                Resources => "duplicate-uri",
                ResourceTemplates => "duplicate-uri-template",
                Skills => "duplicate-skill",
                _ => "duplicate-name",
            };
            assert_eq!(listing.items[1].findings[0].id(), twice);
            let missing = pages_of(kind, Revision::NEWEST_HANDSHAKE)
                .add(&raw("{}"))
                .unwrap_err();
            assert!(missing.contains(kind.method()) && missing.contains(member));
        }
    }
}

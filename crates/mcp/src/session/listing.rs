//! Reading a tool list page by page, and what changed since the last time.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::tools::{self, problem};
use crate::{
    Era, Freshness, ListDiff, Listing, Tool, ToolProblem,
    members::{elements, members, string},
    protocol::modern::param_headers,
};

/// Pages after which a list is taken to be endless.
const MAX_PAGES: usize = 1_000;

/// A list that is being read.
#[derive(Debug)]
pub(super) struct Pages {
    era: Era,
    tools: Vec<Tool>,
    pages: usize,
    problems: Vec<ToolProblem>,
    cursors: HashSet<String>,
    names: HashSet<String>,
    freshness: Option<Freshness>,
}

/// What to do after a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Ask for the page with this cursor (JSON text).
    Page(String),
    /// The list is complete, or no more can be had.
    Done,
}

impl Pages {
    /// An empty list, to be read by the rules of this era.
    pub(super) fn new(era: Era) -> Self {
        Pages {
            era,
            tools: Vec::new(),
            pages: 0,
            problems: Vec::new(),
            cursors: HashSet::new(),
            names: HashSet::new(),
            freshness: None,
        }
    }

    /// Takes one page in. An error means that it cannot be read as a page at all.
    pub(super) fn add(&mut self, result: &RawValue) -> Result<Next, String> {
        let read = members(
            result.get(),
            &["tools", "nextCursor", "ttlMs", "cacheScope"],
        )
        .map_err(|_| "The result of `tools/list` is not an object.".to_owned())?;
        let [list, cursor, ttl, scope] = read.values;
        if self.era == Era::Modern && self.freshness.is_none() && (ttl.is_some() || scope.is_some())
        {
            self.freshness = Some(Freshness {
                ttl_ms: ttl.map(|raw| raw.get().to_owned()),
                scope: scope.and_then(string),
            });
        }
        let items = list
            .and_then(|raw| elements(raw.get()))
            .ok_or_else(|| "The result of `tools/list` has no `tools` array.".to_owned())?;
        self.pages += 1;
        for (place, item) in items.into_iter().enumerate() {
            self.take(item, place);
        }
        Ok(self.follow(cursor))
    }

    fn take(&mut self, item: &RawValue, place: usize) {
        let Some(mut tool) = tools::read(item) else {
            self.problems.push(problem(
                "not-an-object",
                format!(
                    "Item {} on page {} of the list is not an object.",
                    place + 1,
                    self.pages
                ),
            ));
            return;
        };
        if !tool.name.is_empty() && !self.names.insert(tool.name.clone()) {
            tool.problems.push(problem(
                "duplicate-name",
                format!("Another tool has the same name `{}`.", tool.name),
            ));
        }
        if self.era == Era::Modern
            && let Some(schema) = &tool.input_schema
            && let Err(reason) = param_headers(schema)
        {
            tool.problems.push(problem(
                "invalid-x-mcp-header",
                format!("Clients must not call this tool over HTTP: {reason}."),
            ));
        }
        self.tools.push(tool);
    }

    fn follow(&mut self, cursor: Option<&RawValue>) -> Next {
        let Some(raw) = cursor.filter(|raw| raw.get() != "null") else {
            return Next::Done;
        };
        let problems = &mut self.problems;
        let mut stop = |code, message: &str| {
            problems.push(problem(code, message));
            Next::Done
        };
        let Some(cursor) = string(raw) else {
            return stop(
                "bad-cursor",
                "`nextCursor` is not a string; the list ends here.",
            );
        };
        if !self.era.continues(&cursor) {
            return stop(
                "empty-cursor",
                "`nextCursor` is an empty string; it is read as the end of the list.",
            );
        }
        if self.cursors.contains(&cursor) {
            return stop(
                "repeated-cursor",
                "The server sent the same `nextCursor` twice; the list ends here to avoid an \
                 endless loop.",
            );
        }
        if self.pages >= MAX_PAGES {
            return stop(
                "too-many-pages",
                "The list has more than 1,000 pages; the rest was not read.",
            );
        }
        self.cursors.insert(cursor);
        Next::Page(raw.get().to_owned())
    }

    /// The finished list, compared with the one before.
    pub(super) fn finish(self, before: Option<&[Tool]>) -> Listing {
        Listing {
            diff: before.map(|before| difference(before, &self.tools)),
            tools: Arc::new(self.tools),
            pages: self.pages,
            problems: self.problems,
            freshness: self.freshness,
        }
    }
}

/// What changed, by name. A definition has changed when its text differs; of tools with the same
/// name the first one counts.
fn difference(before: &[Tool], after: &[Tool]) -> ListDiff {
    fn by_name(tools: &[Tool]) -> HashMap<&str, &str> {
        let mut map = HashMap::with_capacity(tools.len());
        for tool in tools {
            map.entry(tool.name.as_str()).or_insert(tool.raw.get());
        }
        map
    }
    let (old, new) = (by_name(before), by_name(after));
    let mut diff = ListDiff::default();
    let mut seen = HashSet::new();
    for tool in after {
        if !seen.insert(tool.name.as_str()) {
            continue;
        }
        match old.get(tool.name.as_str()) {
            None => diff.added.push(tool.name.clone()),
            Some(text) if *text != tool.raw.get() => diff.changed.push(tool.name.clone()),
            Some(_) => {}
        }
    }
    seen.clear();
    for tool in before {
        if !new.contains_key(tool.name.as_str()) && seen.insert(tool.name.as_str()) {
            diff.removed.push(tool.name.clone());
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
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
        listing.problems.iter().map(|p| p.code).collect()
    }

    #[test]
    fn pages_are_joined_in_order() {
        let mut pages = Pages::new(Era::Legacy);
        assert_eq!(
            pages.add(&page(&["b", "a"], "\"x\\u0031\"")),
            Ok(Next::Page("\"x\\u0031\"".into())),
            "a cursor goes back as it came"
        );
        assert_eq!(pages.add(&page(&["c", "a"], "null")), Ok(Next::Done));
        let listing = pages.finish(None);
        let names: Vec<_> = listing
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        assert_eq!(names, ["b", "a", "c", "a"]);
        assert_eq!(listing.tools[3].problems[0].code, "duplicate-name");
        assert_eq!((listing.pages, codes(&listing)), (2, vec![]));
        assert_eq!(listing.diff, None);
    }

    #[test]
    fn cursors_that_lead_nowhere_end_the_list_and_keep_it() {
        for (cursor, code) in [
            ("\"\"", "empty-cursor"),
            ("7", "bad-cursor"),
            ("{}", "bad-cursor"),
        ] {
            let mut pages = Pages::new(Era::Legacy);
            assert_eq!(pages.add(&page(&["a"], cursor)), Ok(Next::Done));
            let listing = pages.finish(None);
            assert_eq!((listing.tools.len(), codes(&listing)), (1, vec![code]));
        }
        let mut pages = Pages::new(Era::Legacy);
        assert!(matches!(
            pages.add(&page(&["a"], "\"p\"")),
            Ok(Next::Page(_))
        ));
        assert_eq!(pages.add(&page(&["b"], "\"p\"")), Ok(Next::Done));
        assert_eq!(codes(&pages.finish(None)), ["repeated-cursor"]);
    }

    #[test]
    fn an_endless_list_is_cut() {
        let mut pages = Pages::new(Era::Legacy);
        let mut last = Next::Done;
        for number in 0..MAX_PAGES {
            last = pages.add(&page(&[], &format!("\"{number}\""))).unwrap();
        }
        assert_eq!(last, Next::Done);
        let listing = pages.finish(None);
        assert_eq!(
            (listing.pages, codes(&listing)),
            (1_000, vec!["too-many-pages"])
        );
    }

    #[test]
    fn items_that_are_no_objects_are_reported_and_the_rest_stays() {
        let mut pages = Pages::new(Era::Legacy);
        let next = pages.add(&raw(r#"{"tools":[null,{"name":"t"},7]}"#));
        assert_eq!(next, Ok(Next::Done));
        let listing = pages.finish(None);
        assert_eq!(listing.tools.len(), 1);
        assert_eq!(codes(&listing), ["not-an-object", "not-an-object"]);
        for bad in ["[]", "{}", r#"{"tools":{}}"#, "null"] {
            assert!(Pages::new(Era::Legacy).add(&raw(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_difference_is_by_name_and_text() {
        let list = |items: &str| {
            let mut pages = Pages::new(Era::Legacy);
            pages
                .add(&raw(&format!(r#"{{"tools":[{items}]}}"#)))
                .unwrap();
            pages
        };
        let before = list(r#"{"name":"same"},{"name":"gone"},{"name":"new-text","description":"1"},{"name":"gone"}"#)
            .finish(None);
        let after = list(r#"{"name":"fresh"},{"name":"same"},{"name":"new-text","description":"1.0"},{"name":"fresh"}"#)
            .finish(Some(&before.tools));
        assert_eq!(
            after.diff,
            Some(ListDiff {
                added: vec!["fresh".into()],
                removed: vec!["gone".into()],
                changed: vec!["new-text".into()],
            })
        );
    }
}

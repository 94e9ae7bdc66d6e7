//! Sections of specifications.

/// A section of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Name of the section, as in the table of contents.
    pub section: &'static str,
    /// The page below the specification's address, or a whole address.
    pub(crate) page: &'static str,
}

/// The specification of the Model Context Protocol.
const MCP: &str = "https://modelcontextprotocol.io/specification/";

/// Pages that several protocol versions have under one name, with the first and the last of these versions: those that
/// have the sections of the rules that apply in them.
const PAGES: [(&str, &str, &str); 15] = [
    ("basic", "2025-03-26", "2026-07-28"),
    ("basic/lifecycle", "2024-11-05", "2025-11-25"),
    ("basic/transports", "2025-03-26", "2025-11-25"),
    ("basic/utilities/cancellation", "2024-11-05", "2025-11-25"),
    ("basic/utilities/ping", "2024-11-05", "2025-11-25"),
    ("basic/utilities/progress", "2024-11-05", "2025-11-25"),
    ("client/elicitation", "2025-11-25", "2026-07-28"),
    ("client/sampling", "2024-11-05", "2026-07-28"),
    ("schema", "2025-11-25", "2026-07-28"),
    ("server/prompts", "2024-11-05", "2026-07-28"),
    ("server/resources", "2024-11-05", "2026-07-28"),
    ("server/tools", "2024-11-05", "2026-07-28"),
    ("server/utilities/completion", "2024-11-05", "2026-07-28"),
    ("server/utilities/logging", "2024-11-05", "2026-07-28"),
    ("server/utilities/pagination", "2024-11-05", "2026-07-28"),
];

impl Spec {
    /// Returns the address of the section.
    #[must_use]
    pub fn url(&self) -> String {
        if self.page.starts_with("https://") {
            self.page.to_owned()
        } else {
            format!("{MCP}{}", self.page)
        }
    }

    /// Returns the address of the section in a protocol version that has the page; else in the version that the rule
    /// was taken from.
    #[must_use]
    pub fn url_in(&self, revision: &str) -> String {
        let page = self.page.split_once('/').filter(|(of, page)| {
            let name = page.split('#').next().unwrap_or_default();
            // The names are dates, so they sort by time.
            PAGES.iter().any(|(known, first, last)| {
                let has_it = |revision: &str| (*first..=*last).contains(&revision);
                *known == name && has_it(of) && has_it(revision)
            })
        });
        match page {
            Some((_, page)) => format!("{MCP}{revision}/{page}"),
            None => self.url(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGES, Spec};
    use crate::rules;

    #[test]
    fn a_section_is_that_of_the_revision_that_is_spoken() {
        let spec = |page| Spec { section: "s", page };
        for row in [
            "2025-11-25/server/tools#tool 2025-06-18 2025-06-18/server/tools#tool",
            "2025-11-25/server/tools 2026-07-28 2026-07-28/server/tools",
            "2025-11-25/basic/lifecycle 2026-07-28 2025-11-25/basic/lifecycle",
            "2025-11-25/basic/transports 2024-11-05 2025-11-25/basic/transports",
            "2024-11-05/basic/transports#http-with-sse 2025-11-25 2024-11-05/basic/transports#http-with-sse",
            "2025-11-25/server/utilities/pagination 2026-07-28 2026-07-28/server/utilities/pagination",
            "2025-11-25/client/elicitation#requested-schema 2025-06-18 2025-11-25/client/elicitation#requested-schema",
            "2026-07-28/basic/versioning 2025-11-25 2026-07-28/basic/versioning",
            "2025-11-25/server/tools later 2025-11-25/server/tools",
        ] {
            let [page, revision, expected] = row.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            let expected = format!("{}{expected}", super::MCP);
            assert_eq!(spec(page).url_in(revision), expected, "{row}");
        }
        let elsewhere = spec("https://example.org/a/server/tools");
        assert_eq!(elsewhere.url_in("2025-06-18"), elsewhere.url());
    }

    #[test]
    fn every_page_is_one_of_a_rule() {
        for (page, first, last) in PAGES {
            assert!(first < last, "{page}");
            let is_named = rules::all().filter_map(|rule| rule.spec).any(|spec| {
                let rest = spec.page.split_once('/').map(|(_, rest)| rest);
                rest.is_some_and(|rest| rest.split('#').next() == Some(page))
            });
            assert!(is_named, "{page}");
        }
    }
}

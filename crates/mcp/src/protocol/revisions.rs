//! The revisions of the protocol: one table with each one's differences. The only place that
//! spells a revision's name.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The two ways to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// Opens with the `initialize` handshake.
    Handshake,
    /// Stateless: every request is self-contained.
    Stateless,
}

/// A revision of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Revision {
    R2024Nov,
    R2025Mar,
    R2025Jun,
    R2025Nov,
    R2026Jul,
}

/// Treatment of JSON-RPC batches by a protocol version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// Not mentioned.
    Unmentioned,
    /// Receivers must accept them.
    Accepted,
    /// Forbidden.
    Removed,
}

/// Features of a protocol version that matter to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The protocol version on the wire.
    pub name: &'static str,
    /// The era it belongs to.
    pub era: Era,
    /// Every HTTP request after the handshake names the protocol version in `MCP-Protocol-Version`.
    pub version_header: bool,
    /// A GET opens a stream for messages that the server sends on its own, and resumes broken streams.
    pub listener: bool,
    /// Batches.
    pub batching: Batching,
    /// `title` of tools and of `Implementation`.
    pub titles: bool,
    /// `outputSchema` and `structuredContent`.
    pub structured_content: bool,
    /// Servers may ask for forms to be filled (`elicitation/create`).
    pub elicitation: bool,
    /// Servers may send the user to an address (URL mode of elicitation), and clients declare their modes in
    /// `elicitation`.
    pub elicitation_urls: bool,
    /// An elicitation by address has an `elicitationId`, which `notifications/elicitation/complete` and the
    /// error -32042 name.
    pub elicitation_ids: bool,
    /// `tools` and `toolChoice` of sampling, and several content blocks in one of its messages.
    pub sampling_tools: bool,
    /// `description` and `websiteUrl` of `Implementation`.
    pub implementation_details: bool,
    /// A server may end the stream of a response after an event with an id; the client then fetches the rest.
    pub streams_may_pause: bool,
    /// The capability `completions`; before, any server may be asked.
    pub completions_capability: bool,
    /// `context` of a completion.
    pub completion_context: bool,
    /// A request can ask to be run as a task (`task` of its `params`). From the stateless versions on
    /// the tasks extension decides that.
    pub tasks: bool,
}

const FIRST: Row = Row {
    name: "2024-11-05",
    era: Era::Handshake,
    version_header: false,
    listener: false,
    batching: Batching::Unmentioned,
    titles: false,
    structured_content: false,
    elicitation: false,
    elicitation_urls: false,
    elicitation_ids: false,
    sampling_tools: false,
    implementation_details: false,
    streams_may_pause: false,
    completions_capability: false,
    completion_context: false,
    tasks: false,
};

/// Each row lists the changes of its protocol version over the one before (the changelogs' own form).
const SECOND: Row = Row {
    name: "2025-03-26",
    listener: true,
    batching: Batching::Accepted,
    completions_capability: true,
    ..FIRST
};

const THIRD: Row = Row {
    name: "2025-06-18",
    // The header was new; a request without it counts as the second version.
    version_header: true,
    batching: Batching::Removed,
    titles: true,
    structured_content: true,
    elicitation: true,
    completion_context: true,
    ..SECOND
};

const FOURTH: Row = Row {
    name: "2025-11-25",
    streams_may_pause: true,
    elicitation_urls: true,
    elicitation_ids: true,
    sampling_tools: true,
    implementation_details: true,
    tasks: true,
    ..THIRD
};

const FIFTH: Row = Row {
    name: "2026-07-28",
    era: Era::Stateless,
    listener: false,
    elicitation_ids: false,
    tasks: false,
    ..FOURTH
};

static TABLE: [Row; 5] = [FIRST, SECOND, THIRD, FOURTH, FIFTH];

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::R2024Nov,
        Revision::R2025Mar,
        Revision::R2025Jun,
        Revision::R2025Nov,
        Revision::R2026Jul,
    ];

    /// Versions with a handshake, oldest first.
    pub const HANDSHAKE: [Revision; 4] = [
        Revision::R2024Nov,
        Revision::R2025Mar,
        Revision::R2025Jun,
        Revision::R2025Nov,
    ];

    /// The protocol version that a client offers in a handshake (lifecycle, Version Negotiation).
    pub const NEWEST_HANDSHAKE: Revision = Revision::R2025Nov;

    /// The protocol version that a client without a handshake tries first.
    pub const NEWEST_STATELESS: Revision = Revision::R2026Jul;

    /// Returns the features of this protocol version.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Its name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the era.
    #[must_use]
    pub fn era(self) -> Era {
        self.row().era
    }

    /// Returns the version of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Revision> {
        Revision::ALL
            .into_iter()
            .find(|revision| revision.as_str() == name)
    }

    /// Returns the version of this name, if it has a handshake.
    pub(crate) fn parse_handshake(name: &str) -> Option<Revision> {
        Revision::parse(name).filter(|revision| revision.era() == Era::Handshake)
    }

    /// Returns the version of this name, if it is stateless.
    pub(crate) fn parse_stateless(name: &str) -> Option<Revision> {
        Revision::parse(name).filter(|revision| revision.era() == Era::Stateless)
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_ascend() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        }
        assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert_eq!(
            Revision::HANDSHAKE.last(),
            Some(&Revision::NEWEST_HANDSHAKE)
        );
        assert_eq!(Revision::ALL.last(), Some(&Revision::NEWEST_STATELESS));
        assert_eq!(
            Revision::ALL.map(Revision::era)[3..],
            [Era::Handshake, Era::Stateless]
        );
        assert_eq!(Revision::parse_handshake("2026-07-28"), None);
        assert_eq!(Revision::parse_stateless("2025-11-25"), None);
        for other in ["2025-11-26", "2024-11-05 ", "", "DRAFT"] {
            assert_eq!(Revision::parse(other), None, "{other:?}");
        }
    }

    /// The rows against the changelogs of the specification, field by field.
    #[test]
    fn each_revision_differs_as_its_changelog_says() {
        let yes = |pick: fn(&Row) -> bool| TABLE[..4].iter().map(pick).collect::<Vec<_>>();
        assert_eq!(yes(|row| row.version_header), [false, false, true, true]);
        assert_eq!(yes(|row| row.titles), [false, false, true, true]);
        assert_eq!(
            yes(|row| row.structured_content),
            [false, false, true, true]
        );
        assert_eq!(yes(|row| row.tasks), [false, false, false, true]);
        assert_eq!(
            yes(|row| row.implementation_details),
            [false, false, false, true]
        );
        assert_eq!(
            TABLE[..4]
                .iter()
                .map(|row| row.batching)
                .collect::<Vec<_>>(),
            [
                Batching::Unmentioned,
                Batching::Accepted,
                Batching::Removed,
                Batching::Removed
            ]
        );
    }

    /// A revision's name is spelled in this file and nowhere else in the crate's code (comments
    /// may say since when something exists).
    #[test]
    fn no_other_source_spells_a_revision() {
        fn visit(folder: &std::path::Path, found: &mut Vec<String>, files: &mut usize) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    visit(&path, found, files);
                } else if path.extension().is_some_and(|ext| ext == "rs")
                    && !path.ends_with("protocol/revisions.rs")
                {
                    *files += 1;
                    for (number, line) in
                        std::fs::read_to_string(&path).unwrap().lines().enumerate()
                    {
                        let code = line.split("//").next().unwrap_or_default();
                        if TABLE.iter().any(|row| code.contains(row.name)) {
                            found.push(format!("{}:{}", path.display(), number + 1));
                        }
                    }
                }
            }
        }
        let (mut found, mut files) = (Vec::new(), 0);
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        visit(&root, &mut found, &mut files);
        assert!(files > 10, "only {files} sources were scanned");
        assert_eq!(found, Vec::<String>::new());
    }
}

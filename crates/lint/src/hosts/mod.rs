//! Facts about hosts: the applications that run servers, and the APIs and directories behind them.
//!
//! `hosts.json` has all facts; each statement names its source.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{characters::Characters, verdict::Verdict};

/// All facts and their sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    sources: BTreeMap<String, Source>,
    hosts: Vec<Host>,
}

/// A source of facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(rename = "HostSource")]
pub struct Source {
    /// Title of the source.
    pub name: String,
    /// Address of the source.
    pub url: String,
    /// Day or month of its statements: `YYYY-MM-DD` or `YYYY-MM`.
    pub date: String,
    /// The kind of source.
    pub evidence: Evidence,
}

/// Kinds of evidence for a statement about a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The source code of the host.
    Source,
    /// A text of its makers, or of the makers of a tool for it.
    Documentation,
    /// A thread in the tracker of the host or of a server.
    Issue,
    /// A text of somebody else.
    SecondHand,
}

/// Kinds of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HostKind {
    /// An application that runs servers.
    Host,
    /// An API of models to which an application passes tools.
    Api,
    /// A directory of servers with conditions for its entries.
    Directory,
}

/// A host, and the facts about it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Stable id.
    pub id: String,
    /// Name of the host.
    pub name: String,
    /// The kind of host.
    pub kind: HostKind,
    /// Offers to servers, if known.
    pub offers: Option<Offers>,
    /// Prefix of tool names, if known.
    pub prefix: Option<Prefix>,
    /// Its limits for tools.
    pub limits: Vec<Limit>,
}

/// Offers of a host to servers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offers {
    /// The oldest protocol version.
    pub oldest: String,
    /// The newest protocol version.
    pub newest: String,
    /// The declared capabilities, as on the wire.
    pub capabilities: Map<String, Value>,
    /// Declared capabilities that are not known well enough, each with the reason.
    pub left_off: Vec<String>,
    /// The host shows MCP Apps.
    pub apps: Option<bool>,
    /// Ways in which images reach the model.
    pub images: Option<Images>,
    /// The source, by its id.
    source: String,
}

/// Ways in which images reach the model of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Images {
    /// As image content.
    pub direct: bool,
    /// As an embedded resource.
    pub embedded: bool,
    /// As a resource link.
    pub linked: bool,
}

/// The prefix that a host adds to the name of a tool: a text, the name of the server, and a text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    before: String,
    after: String,
    /// Limit of the characters of the whole prefix.
    most: Option<usize>,
    source: String,
}

/// A limit of a host for tools.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The requirement.
    pub limit: Requirement,
    /// Effect on a tool that violates it.
    effect: Effect,
    /// The effect in a sentence.
    pub then: String,
    /// Condition of the effect, in a sentence; `None` for always.
    pub when: Option<String>,
    /// A tool that violates the limit makes all other tools fail.
    #[serde(default)]
    pub all: bool,
    /// The limit may be wrong.
    #[serde(default)]
    pub heuristic: bool,
    source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Effect {
    Fails,
    Degraded,
}

/// Requirements of hosts for tools. Lengths are in characters unless stated otherwise.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    NameCharacters {
        first: Option<Characters>,
        of: Characters,
    },
    /// Length of the name with the prefix.
    NameLength {
        most: usize,
    },
    ServerAndToolName {
        most: usize,
    },
    /// Characters that the name of the server in the user's list must not have.
    ServerNameCharacters {
        without: Characters,
    },
    /// Limit of the tools of a list.
    Tools {
        most: usize,
    },
    RootKeywords {
        keywords: Vec<String>,
    },
    RootNotObject,
    RootNull,
    ArrayWithoutItems,
    UndefinedRequired,
    BooleanSchema,
    TypeArray,
    TupleItems,
    DefaultBesideAnyOf,
    #[serde(rename = "draft_07")]
    Draft07,
    /// Keywords that must not occur.
    Keywords {
        keywords: Vec<String>,
    },
    /// The only keywords that may occur.
    OtherKeywords {
        than: Vec<String>,
    },
    /// Names of the parameters themselves, without names within them.
    ParameterNames {
        first: Characters,
        of: Characters,
        most: usize,
    },
    /// A missing or empty description.
    NoDescription,
    /// An empty description.
    EmptyDescription,
    /// Length of the tool's description.
    DescriptionCharacters {
        most: usize,
    },
    /// Length of the descriptions of the tool and in its schema.
    AnyDescriptionCharacters {
        most: usize,
    },
    NoTitle,
    MissingHints,
    NoReadOrWriteHint,
    ReadOnlyAndDestructive,
    /// A parameter whose values decide if the tool reads or changes something.
    CatchAll,
    /// Length of the server's instructions.
    InstructionsCharacters {
        most: usize,
    },
    /// Tokens of a result. Judged for each result, since no definition shows them.
    ResultTokens {
        most: usize,
    },
    ResultCharacters {
        most: usize,
    },
}

/// Parts of a tool that a requirement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Name,
    Schema,
    Other,
}

impl Limit {
    /// Returns the verdict about a tool that violates the limit.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.effect {
            Effect::Fails if self.is_heuristic() => Verdict::MayFail,
            Effect::Fails => Verdict::Fails,
            Effect::Degraded => Verdict::Degraded,
        }
    }

    /// Returns the source of the limit.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }

    /// True if the limit is not a fact: marked as heuristic, or only known at second hand.
    #[must_use]
    pub fn is_heuristic(&self) -> bool {
        self.heuristic || self.source().evidence == Evidence::SecondHand
    }
}

impl Offers {
    /// Returns the source of the offers.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }
}

impl Prefix {
    /// Returns the prefix of the tools of a server of this name.
    #[must_use]
    pub fn of(&self, server: &str) -> String {
        let own = |one: char| {
            let kept = one.is_ascii_alphanumeric() || one == '_' || one == '-';
            if kept { one } else { '_' }
        };
        let most = self.most.map_or(usize::MAX, |most| {
            most.saturating_sub(self.before.len() + self.after.len())
        });
        let server: String = server.chars().take(most).map(own).collect();
        format!("{}{server}{}", self.before, self.after)
    }

    /// Returns the prefix as a pattern, for readers.
    #[must_use]
    pub fn written(&self) -> String {
        format!("{}SERVER{}", self.before, self.after)
    }

    /// Returns the source of the prefix.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }
}

impl Host {
    /// True if the host's limits for this part are known.
    pub(crate) fn knows(&self, part: Part) -> bool {
        self.limits.iter().any(|one| one.limit.about().part == part)
    }

    /// Returns the limits of results, which no definition shows.
    pub fn result_limits(&self) -> impl Iterator<Item = &Limit> {
        self.limits.iter().filter(|one| {
            matches!(
                one.limit,
                Requirement::ResultTokens { .. } | Requirement::ResultCharacters { .. }
            )
        })
    }
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    // A test checks that the file can be read.
    serde_json::from_str(include_str!("hosts.json")).unwrap_or(Known {
        sources: BTreeMap::new(),
        hosts: Vec::new(),
    })
});

static UNKNOWN: Source = Source {
    name: String::new(),
    url: String::new(),
    date: String::new(),
    evidence: Evidence::SecondHand,
};

/// Returns the source with this id. A test proves that every named source exists.
fn source(id: &str) -> &'static Source {
    KNOWN.sources.get(id).unwrap_or(&UNKNOWN)
}

/// Returns all hosts: first those with known limits, then the others.
#[must_use]
pub fn hosts() -> &'static [Host] {
    &KNOWN.hosts
}

/// Returns the host with this id, and its index in [`hosts`].
#[must_use]
pub fn find(id: &str) -> Option<(usize, &'static Host)> {
    hosts().iter().enumerate().find(|(_, host)| host.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_statement_has_a_source_with_an_address_and_a_date() {
        let known: Known = serde_json::from_str(include_str!("hosts.json")).unwrap();
        assert!(known.hosts.len() > 20);
        for source in known.sources.values() {
            assert!(source.url.starts_with("https://"), "{source:?}");
            assert!(matches!(source.date.len(), 7 | 10), "{source:?}");
            assert!(source.date.starts_with("202"), "{source:?}");
        }
        let mut ids = HashSet::new();
        let mut used = HashSet::new();
        for host in &known.hosts {
            assert!(ids.insert(&host.id), "{} is there twice", host.id);
            assert!(
                host.offers.is_some() || !host.limits.is_empty(),
                "{}",
                host.id
            );
            used.extend(host.limits.iter().map(|one| &one.source));
            used.extend(host.prefix.iter().map(|one| &one.source));
            used.extend(host.offers.iter().map(|one| &one.source));
            for limit in &host.limits {
                for text in [Some(&limit.then), limit.when.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    assert!(text.ends_with('.') && text.len() > 5, "{}: {text}", host.id);
                }
            }
        }
        let there: HashSet<_> = known.sources.keys().collect();
        assert_eq!(used, there);
    }

    #[test]
    fn prefixes_are_those_of_the_hosts() {
        let of = |id: &str, server: &str| {
            let prefix = find(id).unwrap().1.prefix.as_ref().unwrap();
            prefix.of(server)
        };
        assert_eq!(of("claude_code", "my shop.eu"), "mcp__my_shop_eu__");
        assert_eq!(of("vs_code", "a-very-long-server-name").len(), 18);
        assert_eq!(of("vs_code", "shop"), "mcp_shop_");
        assert_eq!(of("cline", "shop"), "shop__");
    }
}

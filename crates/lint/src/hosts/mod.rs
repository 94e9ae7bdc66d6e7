//! What is known of hosts: the applications that run servers, and of the APIs and directories behind them.
//!
//! `hosts.json` is all of it; each statement names its source.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{characters::Characters, verdict::Verdict};

/// What is known, and where it stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    sources: BTreeMap<String, Source>,
    hosts: Vec<Host>,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is called.
    pub name: String,
    /// Its address.
    pub url: String,
    /// The day or month of what it says: `YYYY-MM-DD` or `YYYY-MM`.
    pub date: String,
    /// What kind of source it is.
    pub evidence: Evidence,
}

/// What a statement about a host stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The source code of the host.
    Source,
    /// What its makers, or those of a tool for it, write about it.
    Documentation,
    /// A thread in the tracker of the host or of a server.
    Issue,
    /// What somebody else says about it.
    SecondHand,
}

/// What a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostKind {
    /// An application that runs servers.
    Host,
    /// The API of models that an application hands tools to.
    Api,
    /// A list of servers with conditions.
    Directory,
}

/// A host, and what is known of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Names it for good.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: HostKind,
    /// What it offers to servers, where that is known.
    pub offers: Option<Offers>,
    /// What it puts before the name of a tool, where that is known.
    pub prefix: Option<Prefix>,
    /// What it demands of tools.
    pub limits: Vec<Limit>,
}

/// What a host offers to servers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offers {
    /// The oldest protocol version.
    pub oldest: String,
    /// The newest.
    pub newest: String,
    /// The capabilities that it declares, as on the wire.
    pub capabilities: Map<String, Value>,
    /// What it declares and is not known well enough, each with the reason.
    pub left_off: Vec<String>,
    /// Whether it shows MCP Apps.
    pub apps: Option<bool>,
    /// In which ways images reach the model.
    pub images: Option<Images>,
    /// Where this stands.
    source: String,
}

/// In which ways images reach the model of a host.
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

/// What a host puts before the name of a tool: a text, the name of the server, and a text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    before: String,
    after: String,
    /// The most characters of all of it.
    most: Option<usize>,
    source: String,
}

/// Something that a host demands of tools.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What.
    pub limit: Requirement,
    /// What becomes of a tool that does not keep it.
    effect: Effect,
    /// That in a sentence.
    pub then: String,
    /// When it holds, in a sentence; `None` for always.
    pub when: Option<String>,
    /// A tool that does not keep it takes all others with it.
    #[serde(default)]
    pub all: bool,
    /// It may be wrong.
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

/// What a host can demand of tools. Lengths are in characters where nothing else is said.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    NameCharacters {
        first: Option<Characters>,
        of: Characters,
    },
    /// With the prefix.
    NameLength {
        most: usize,
    },
    ServerAndToolName {
        most: usize,
    },
    /// Of the name of the server in the user's list, none of these.
    ServerNameCharacters {
        without: Characters,
    },
    /// Of a list.
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
    /// None of these.
    Keywords {
        keywords: Vec<String>,
    },
    /// None other than these.
    OtherKeywords {
        than: Vec<String>,
    },
    /// Of the parameters themselves, not of what is within them.
    ParameterNames {
        first: Characters,
        of: Characters,
        most: usize,
    },
    /// Missing or empty.
    NoDescription,
    /// There, and empty.
    EmptyDescription,
    /// Of the tool.
    DescriptionCharacters {
        most: usize,
    },
    /// Of the tool and of anything in its schema.
    AnyDescriptionCharacters {
        most: usize,
    },
    NoTitle,
    MissingHints,
    NoReadOrWriteHint,
    ReadOnlyAndDestructive,
    /// One parameter says whether the tool reads or changes something.
    CatchAll,
    /// Of the server.
    InstructionsCharacters {
        most: usize,
    },
    /// Judged where a result is, as no definition shows it.
    ResultTokens {
        most: usize,
    },
    ResultCharacters {
        most: usize,
    },
}

/// What of a tool a requirement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Name,
    Schema,
    Other,
}

impl Requirement {
    pub(crate) fn about(&self) -> About {
        match self {
            Self::NameCharacters { .. }
            | Self::NameLength { .. }
            | Self::ServerAndToolName { .. } => About::Name,
            Self::RootKeywords { .. }
            | Self::RootNotObject
            | Self::RootNull
            | Self::ArrayWithoutItems
            | Self::UndefinedRequired
            | Self::BooleanSchema
            | Self::TypeArray
            | Self::TupleItems
            | Self::DefaultBesideAnyOf
            | Self::Draft07
            | Self::Keywords { .. }
            | Self::OtherKeywords { .. } => About::Schema,
            Self::ServerNameCharacters { .. }
            | Self::Tools { .. }
            | Self::ParameterNames { .. }
            | Self::NoDescription
            | Self::EmptyDescription
            | Self::DescriptionCharacters { .. }
            | Self::AnyDescriptionCharacters { .. }
            | Self::NoTitle
            | Self::MissingHints
            | Self::NoReadOrWriteHint
            | Self::ReadOnlyAndDestructive
            | Self::CatchAll
            | Self::InstructionsCharacters { .. }
            | Self::ResultTokens { .. }
            | Self::ResultCharacters { .. } => About::Other,
        }
    }
}

impl Limit {
    /// What becomes of a tool that does not keep it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.effect {
            Effect::Fails if self.is_heuristic() => Verdict::MayFail,
            Effect::Fails => Verdict::Fails,
            Effect::Degraded => Verdict::Degraded,
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }

    /// That it is no fact: it is marked as such, or nobody has it at first hand.
    #[must_use]
    pub fn is_heuristic(&self) -> bool {
        self.heuristic || self.source().evidence == Evidence::SecondHand
    }
}

impl Offers {
    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }
}

impl Prefix {
    /// What stands before the names of the tools of a server of this name.
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

    /// As a pattern, for whoever reads about it.
    #[must_use]
    pub fn written(&self) -> String {
        format!("{}SERVER{}", self.before, self.after)
    }

    /// Where it stands.
    #[must_use]
    pub fn source(&self) -> &'static Source {
        source(&self.source)
    }
}

impl Host {
    /// Whether it is known what it demands of this.
    pub(crate) fn knows(&self, about: About) -> bool {
        self.limits.iter().any(|one| one.limit.about() == about)
    }

    /// The limits of results, which no definition shows.
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
    // A test reads it as well.
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

/// A test says that each one that is named is there.
fn source(id: &str) -> &'static Source {
    KNOWN.sources.get(id).unwrap_or(&UNKNOWN)
}

/// All hosts: those of which it is known what they demand first, then the others.
#[must_use]
pub fn hosts() -> &'static [Host] {
    &KNOWN.hosts
}

/// The host with this id, and its place in [`hosts`].
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

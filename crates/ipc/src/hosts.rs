//! Views of the hosts in which a server's tools work, and of the tools' cost.

use serde::{Deserialize, Serialize};
use sonde_explorer::{
    catalogs::{CatalogKind, Linted},
    issues::IssuesOfItems,
    limits::LINE,
};
use sonde_findings::{FindingView, RuleGroup};
use sonde_lint::{
    CONTEXT, Cost, Reason, Tally, Verdict,
    hosts::{Host, HostKind, Source, hosts},
};
use sonde_record::text::{cut, visible};
use ts_rs::TS;

/// Number of tools listed as the costliest.
const COSTLIEST: usize = 10;

/// Knowledge about a host that runs servers, an API behind a host, or a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostView {
    /// Stable id.
    pub id: String,
    /// Name of the host.
    pub name: String,
    /// Kind of the host.
    pub kind: HostKind,
    /// The host's demands on tools are known.
    pub known: bool,
    /// Prefix that the host adds to the names of tools, as a pattern with `SERVER` in it.
    pub prefix: Option<String>,
    /// Source of the prefix.
    pub prefix_source: Option<Source>,
    /// Facts about the host's handling of results, which no definition shows: one sentence each.
    pub results: Vec<HostStatement>,
    /// Its offers to servers, one sentence each, with their sources.
    pub offers: Vec<HostStatement>,
}

/// A sentence about a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostStatement {
    /// The sentence.
    pub text: String,
    /// Source of the sentence.
    pub source: Source,
}

/// Numbers of tools of a server by their verdict in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostTotals {
    /// The id of the host.
    pub host: String,
    /// The numbers.
    #[serde(flatten)]
    pub tally: Tally,
    /// Rules of the host that the list as a whole breaks, the worst first.
    pub reasons: Vec<Reason>,
    /// Name of a tool because of which the host refuses all tools.
    pub takes_all: Option<String>,
    /// The host accepts no tool, whatever their verdicts are.
    pub refuses_all: bool,
}

/// Cost of definitions for a model. Tokens are an estimate: one for four ASCII characters and one for each other
/// character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListCost {
    /// Kind of its items.
    pub kind: CatalogKind,
    /// Number of its items.
    pub items: u32,
    /// The definitions as received, in bytes.
    pub bytes: u64,
    /// Estimated tokens: of tools the name, the description and the input schema, of other items the whole definition.
    pub tokens: u64,
}

/// A tool and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolCost {
    pub key: String,
    pub bytes: u64,
    pub tokens: u64,
}

/// Summary of the hosts in which a server's tools work. Its rows are read by index with `host_rows`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostSummary {
    /// Number of the reading of the list of tools; 0 if it was not read.
    pub revision: u32,
    /// Number of tools.
    pub tools: u32,
    /// Totals by host, in the order of `known_hosts`.
    pub totals: Vec<HostTotals>,
    /// Cost of each list that was read.
    pub lists: Vec<ListCost>,
    /// Tokens of the context to which shares refer.
    pub context: u64,
    /// The ten tools that cost most.
    pub costliest: Vec<ToolCost>,
    /// Findings about the list of tools as a whole, other than those of the protocol.
    pub findings: Vec<FindingView>,
}

/// A tool with its verdicts in the requested hosts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostRow {
    /// Key of the tool within its list.
    pub key: String,
    /// `name`, at most 1,000 characters.
    pub name: String,
    /// Verdicts by host, in the requested order.
    pub verdicts: Vec<Verdict>,
    /// The definition as received, in bytes.
    pub bytes: u64,
    /// Estimated tokens of the definition.
    pub tokens: u64,
    /// Number of findings about the tool other than those of the protocol, without hosts and muted rules.
    pub findings: u32,
}

/// Filter of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostFilter {
    /// The ids of the hosts, in the order of the columns.
    pub hosts: Vec<String>,
    /// Only tools that have a problem in one of these hosts.
    pub problems: bool,
    /// Only tools whose name, title or description contains this.
    pub search: String,
}

/// Formats of a copied table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TableText {
    Markdown,
    Csv,
}

/// Returns a reason whose texts of the server can be shown.
pub(crate) fn shown(mut reason: Reason) -> Reason {
    for text in [Some(&mut reason.what), reason.pointer.as_mut()]
        .into_iter()
        .flatten()
    {
        *text = visible(&cut(text, LINE));
    }
    reason
}

impl From<&Host> for HostView {
    fn from(host: &Host) -> Self {
        let results = host.result_limits().map(|limit| HostStatement {
            text: limit.then.clone(),
            source: limit.source().clone(),
        });
        Self {
            id: host.id.clone(),
            name: host.name.clone(),
            kind: host.kind,
            known: !host.limits.is_empty(),
            prefix: host.prefix.as_ref().map(|prefix| prefix.written()),
            prefix_source: host.prefix.as_ref().map(|prefix| prefix.source().clone()),
            results: results.collect(),
            offers: offers(host),
        }
    }
}

/// Describes a host's offers to servers, in sentences.
fn offers(host: &Host) -> Vec<HostStatement> {
    let Some(offers) = &host.offers else {
        return Vec::new();
    };
    let mut texts = vec![match offers.oldest == offers.newest {
        true => format!("It speaks protocol version {}.", offers.newest),
        false => format!(
            "It speaks protocol versions {} to {}.",
            offers.oldest, offers.newest
        ),
    }];
    let capabilities: Vec<&str> = offers.capabilities.keys().map(String::as_str).collect();
    texts.push(match capabilities.as_slice() {
        [] => "It declares neither sampling nor elicitation nor roots.".to_owned(),
        some => format!("It declares {}.", some.join(", ")),
    });
    if let Some(apps) = offers.apps {
        texts.push(format!(
            "It {} MCP Apps.",
            if apps { "shows" } else { "does not show" }
        ));
    }
    if let Some(images) = offers.images {
        let ways = [
            (images.direct, "image content"),
            (images.embedded, "embedded resources"),
            (images.linked, "resource links"),
        ];
        let seen: Vec<&str> = ways.iter().filter(|one| one.0).map(|one| one.1).collect();
        texts.push(match seen.as_slice() {
            [] => "Its model sees no images of results.".to_owned(),
            some => format!("Its model sees images as {}.", some.join(", ")),
        });
    }
    let statement = |text| HostStatement {
        text,
        source: offers.source().clone(),
    };
    texts.into_iter().map(statement).collect()
}

impl HostSummary {
    /// Creates the summary of a list of tools; `lists` has the cost of all lists.
    pub(crate) fn new(linted: &Linted, lists: Vec<ListCost>) -> Self {
        let (lint, listed) = (&linted.lint, &linted.listed);
        let key = |place: usize| listed.keys.get(place).cloned().unwrap_or_default();
        let totals = hosts().iter().zip(lint.totals()).map(|(host, totals)| {
            let takes_all = totals.takes_all.map(|place| visible(&key(place as usize)));
            HostTotals {
                host: host.id.clone(),
                tally: totals.tally,
                reasons: totals.list.iter().cloned().map(shown).collect(),
                takes_all,
                refuses_all: totals.refuses_all(),
            }
        });
        let costliest = lint.costliest(COSTLIEST).into_iter().map(|place| {
            let Cost { bytes, tokens } = lint.cost_of(place);
            ToolCost {
                key: key(place),
                bytes,
                tokens,
            }
        });
        Self {
            revision: linted.revision,
            tools: u32::try_from(lint.len()).unwrap_or(u32::MAX),
            totals: totals.collect(),
            lists,
            context: CONTEXT,
            costliest: costliest.collect(),
            findings: lint.findings().iter().map(Into::into).collect(),
        }
    }

    /// Returns the summary of a server whose list of tools was not read.
    pub(crate) fn empty() -> Self {
        Self {
            context: CONTEXT,
            ..Self::default()
        }
    }
}

impl HostRow {
    /// Creates the row of the tool with this index, for the hosts with these indexes.
    pub(crate) fn new(
        linted: &Linted,
        tool: usize,
        hosts: &[usize],
        issues: &IssuesOfItems,
    ) -> Option<Self> {
        let (key, item) = linted.listed.item(u32::try_from(tool).ok()?)?;
        let all = linted.lint.verdicts(tool)?;
        let Cost { bytes, tokens } = linted.lint.cost_of(tool);
        let found = linted.lint.findings_of(tool);
        let beside = found
            .filter(|one| one.rule.group != RuleGroup::Hosts && issues.is_heard(one))
            .count();
        Some(Self {
            key: key.to_owned(),
            name: cut(&item.name, LINE),
            verdicts: hosts
                .iter()
                .filter_map(|place| all.get(*place).copied())
                .collect(),
            bytes,
            tokens,
            findings: u32::try_from(beside).unwrap_or(u32::MAX),
        })
    }
}

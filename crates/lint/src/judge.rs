//! Judgement about one tool in one host.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    hosts::{Host, HostKind, Limit, Part, Source},
    requirement::{self, Facts, Hit},
    shape::Shape,
    tool::Tool,
    verdict::Verdict,
};

/// Reason for a verdict other than "works".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "HostReason")]
pub struct Reason {
    /// The consequence.
    pub verdict: Verdict,
    /// The violation, in a sentence.
    pub what: String,
    /// The host's reaction, in a sentence.
    pub then: String,
    /// Condition of the reaction, in a sentence; `None` for always.
    pub when: Option<String>,
    /// The advice, in a sentence.
    pub fix: String,
    /// Its place: a JSON Pointer from the definition of the tool.
    pub pointer: Option<String>,
    /// The reason may be wrong.
    pub heuristic: bool,
    /// Source of the fact.
    pub source: Source,
}

/// Judgement about a tool in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "HostCell")]
pub struct Judgement {
    /// The worst consequence for the tool.
    pub verdict: Verdict,
    /// The reasons, the worst first.
    pub reasons: Vec<Reason>,
    /// Facts that are unknown or could not be judged, in a sentence.
    pub unknown: Option<String>,
}

impl Reason {
    pub(crate) fn new(limit: &Limit, what: String, pointer: Option<String>) -> Self {
        Self {
            verdict: limit.verdict(),
            what,
            then: limit.then.clone(),
            when: limit.when.clone(),
            fix: limit.limit.about().fix.to_owned(),
            pointer,
            heuristic: limit.is_heuristic(),
            source: limit.source().clone(),
        }
    }
}

impl Judgement {
    /// Judges a tool of the server of this name.
    #[must_use]
    pub fn new(host: &'static Host, server: &str, tool: &Tool<'_>) -> Self {
        let shape = tool.input_schema.and_then(Shape::read);
        let prefix = host.prefix.as_ref().map(|prefix| prefix.of(server));
        let full_name = format!("{}{}", prefix.unwrap_or_default(), tool.name);
        let (mut reasons, mut verdict) = (Vec::new(), Verdict::Works);
        hits(
            host,
            &Facts {
                tool,
                shape: shape.as_ref(),
                server,
                full_name: &full_name,
            },
            |limit, hit| {
                verdict = verdict.max(limit.verdict());
                reasons.push(Reason::new(limit, hit.what, hit.pointer));
            },
        );
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.verdict));
        let unknown = unknown(host, shape.is_some());
        if unknown.is_some() {
            verdict = verdict.max(Verdict::NotKnown);
        }
        Self {
            verdict,
            reasons,
            unknown,
        }
    }
}

/// Reports each limit of a host that a tool violates.
pub(crate) fn hits(
    host: &'static Host,
    facts: &Facts<'_>,
    mut tell: impl FnMut(&'static Limit, Hit),
) {
    for limit in &host.limits {
        if let Some(hit) = requirement::hit(&limit.limit, facts) {
            tell(limit, hit);
        }
    }
}

/// Returns the unknown facts about a host, in a sentence; `None` if a tool without violations surely works in it.
pub(crate) fn unknown(host: &Host, schema_was_read: bool) -> Option<String> {
    if host.kind == HostKind::Directory {
        return None;
    }
    let name = &host.name;
    let what = match (host.knows(Part::Name), host.knows(Part::Schema)) {
        (true, true) if schema_was_read => return None,
        (true, true) => {
            return Some(
                "There is no input schema that can be judged: it is missing, above 256 KiB, or too deep."
                    .to_owned(),
            );
        }
        (true, false) => "schemas",
        (false, true) => "names",
        (false, false) => "names and schemas",
    };
    Some(format!("It is not known what {name} does with {what}."))
}

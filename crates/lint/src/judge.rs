//! One tool in one host.

use crate::{
    hosts::{About, Host, HostKind, Limit},
    requirement::{self, Facts, Hit},
    shape::Shape,
    tool::Tool,
    verdict::Verdict,
};

/// Why a tool does not simply work in a host.
#[derive(Clone, Debug)]
pub struct Reason {
    /// What the host demands.
    pub limit: &'static Limit,
    /// What was found, in a sentence.
    pub what: String,
    /// Where: a JSON Pointer from the definition of the tool.
    pub pointer: Option<String>,
    /// What to do about it, in a sentence.
    pub fix: &'static str,
}

/// What becomes of a tool in a host.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// In a word.
    pub verdict: Verdict,
    /// Why, the worst first.
    pub reasons: Vec<Reason>,
    /// What is not known of the host or could not be judged, in a sentence.
    pub unknown: Option<String>,
}

impl Judgement {
    /// Of a tool of the server of this name.
    #[must_use]
    pub fn new(host: &'static Host, server: &str, tool: &Tool<'_>) -> Self {
        let shape = tool.input_schema.and_then(Shape::read);
        let prefix = host.prefix.as_ref().map(|prefix| prefix.of(server));
        let (mut reasons, mut verdict) = (Vec::new(), Verdict::Works);
        hits(
            host,
            &Of {
                tool,
                shape: shape.as_ref(),
                server,
                prefix: prefix.as_deref().unwrap_or_default(),
            },
            |limit, hit| {
                verdict = verdict.max(limit.verdict());
                reasons.push(Reason {
                    limit,
                    what: hit.what,
                    pointer: hit.pointer,
                    fix: requirement::fix(&limit.limit),
                });
            },
        );
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.limit.verdict()));
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

/// A tool with what was found out of it.
pub(crate) struct Of<'a> {
    pub(crate) tool: &'a Tool<'a>,
    pub(crate) shape: Option<&'a Shape>,
    pub(crate) server: &'a str,
    pub(crate) prefix: &'a str,
}

/// Tells each limit of a host that a tool does not keep.
pub(crate) fn hits(host: &'static Host, of: &Of<'_>, mut tell: impl FnMut(&'static Limit, Hit)) {
    let full_name = format!("{}{}", of.prefix, of.tool.name);
    let facts = Facts {
        tool: of.tool,
        shape: of.shape,
        server: of.server,
        full_name: &full_name,
    };
    for limit in &host.limits {
        if let Some(hit) = requirement::hit(&limit.limit, &facts) {
            tell(limit, hit);
        }
    }
}

/// What is not known of a host, in a sentence; `None` where a tool that nothing speaks against works in it.
pub(crate) fn unknown(host: &Host, schema_was_read: bool) -> Option<String> {
    if host.kind == HostKind::Directory {
        return None;
    }
    let name = &host.name;
    let what = match (host.knows(About::Name), host.knows(About::Schema)) {
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

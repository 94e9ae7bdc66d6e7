//! Judgement about a list of tools.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::{Deserialize, Serialize};
use sonde_findings::{Finding, Findings, rules, secret};
use ts_rs::TS;

use crate::{
    across::{self, Others},
    clarity,
    cost::{CONTEXT, Cost},
    hosts::{Host, HostKind, Requirement, hosts},
    judge::{self, Reason},
    requirement::{self, Facts},
    shape::Shape,
    tool::Tool,
    verdict::Verdict,
};

/// Limit of the kept findings about the tools of one list, beside the first one of each rule.
const FINDINGS: usize = 2_000;
/// Limit in tokens of a list without a finding: a tenth of the context.
const COSTLY: u64 = CONTEXT / 10;

/// Judgement about a list of tools.
#[derive(Debug, Default)]
pub struct Lint {
    /// Name of the server during the judgement.
    server: String,
    /// Digest of the tools of other servers during the judgement.
    others: u64,
    rows: Vec<Row>,
    totals: Vec<Totals>,
    cost: Cost,
    /// Findings about the list.
    findings: Vec<Finding>,
    /// Findings about tools, each with the tool's index, in the order of the tools.
    of_tools: Vec<(u32, Finding)>,
    /// Number of findings beyond the limit.
    more: usize,
}

/// Judgement about one tool.
#[derive(Clone, Debug)]
struct Row {
    /// Hash of the definition. Equal hashes count as equal definitions; at worst a hint is
    /// out of date.
    definition: u64,
    /// Verdicts by host.
    verdicts: Box<[Verdict]>,
    /// Hosts in which the tool certainly makes all tools fail, a bit for each.
    takes_all: u64,
    /// The input schema could be judged.
    has_shape: bool,
    cost: Cost,
    findings: Vec<Finding>,
}

/// Numbers of tools by verdict, in one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Tally {
    pub works: u32,
    pub degraded: u32,
    pub may_fail: u32,
    pub fails: u32,
    pub not_known: u32,
}

/// Summary of a list of tools in one host.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub tally: Tally,
    /// Limits that the list as a whole violates.
    pub list: Vec<Reason>,
    /// The index of a tool that makes all others fail.
    pub takes_all: Option<u32>,
}

impl Totals {
    /// True if the host accepts no tool at all, whatever their own verdicts are.
    #[must_use]
    pub fn refuses_all(&self) -> bool {
        let fails = |one: &Reason| one.verdict == Verdict::Fails;
        self.takes_all.is_some() || self.list.iter().any(fails)
    }
}

impl Lint {
    /// Judges the tools of a server of this name. Keeps the judgements of `previous` for unchanged definitions.
    #[must_use]
    pub fn new(server: &str, tools: &[Tool<'_>], others: &Others, previous: Option<&Lint>) -> Self {
        let known: HashMap<u64, &Row> = previous
            .filter(|previous| previous.server == server)
            .map(|previous| previous.rows.iter().map(|row| (row.definition, row)))
            .into_iter()
            .flatten()
            .collect();
        let prefixes: Vec<String> = hosts()
            .iter()
            .map(|host| host.prefix.as_ref().map(|one| one.of(server)))
            .map(Option::unwrap_or_default)
            .collect();
        let rows: Vec<Row> = tools
            .iter()
            .map(|tool| {
                let definition = digest(tool.raw);
                known.get(&definition).map_or_else(
                    || Row::new(definition, server, tool, &prefixes),
                    |row| (*row).clone(),
                )
            })
            .collect();
        let mut lint = Self {
            server: server.to_owned(),
            others: others.digest(),
            totals: totals(&rows),
            rows,
            ..Self::default()
        };
        for row in &lint.rows {
            lint.cost += row.cost;
        }
        lint.findings = about_list(&lint.totals, tools.len(), lint.cost);
        lint.gather(tools, others);
        lint
    }

    /// Adds a finding about the hosts for which the server's instructions, of `length` characters, are too long.
    #[must_use]
    pub fn with_instructions(mut self, length: usize) -> Self {
        for (host, totals) in hosts().iter().zip(&mut self.totals) {
            for limit in &host.limits {
                if let Requirement::InstructionsCharacters { most } = limit.limit
                    && length > most
                {
                    let what = format!(
                        "The instructions of the server have {length} characters, {most} are read."
                    );
                    totals.list.push(Reason::new(limit, what, None));
                }
            }
        }
        self
    }

    fn gather(&mut self, tools: &[Tool<'_>], others: &Others) {
        let across = across::judge(tools, others);
        let mut across = across.into_iter().peekable();
        let mut kept_rules = HashSet::new();
        for (place, row) in (0..).zip(&self.rows) {
            let own = row.findings.iter().cloned();
            let beside = std::iter::from_fn(|| across.next_if(|one| one.0 == place as usize));
            for finding in own.chain(beside.map(|one| one.1)) {
                if kept_rules.insert(finding.id()) || self.of_tools.len() < FINDINGS {
                    self.of_tools.push((place, finding));
                } else {
                    self.more += 1;
                }
            }
        }
        if self.more > 0 {
            let more = Finding::new(&rules::MORE_FINDINGS).with("count", self.more);
            self.findings.push(more);
        }
    }

    /// Returns the name of the server during the judgement.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the digest of the tools of other servers during the judgement.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }

    /// Returns the number of tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True without tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the verdicts about the tool with this index by host, in the order of [`hosts`].
    #[must_use]
    pub fn verdicts(&self, tool: usize) -> Option<&[Verdict]> {
        self.rows.get(tool).map(|row| &*row.verdicts)
    }

    /// Returns the cost of the tool with this index.
    #[must_use]
    pub fn cost_of(&self, tool: usize) -> Cost {
        self.rows.get(tool).map(|row| row.cost).unwrap_or_default()
    }

    /// Returns the number of tools whose input schema cannot be judged: missing, too large or too deep.
    #[must_use]
    pub fn without_shape(&self) -> usize {
        self.rows.iter().filter(|row| !row.has_shape).count()
    }

    /// Returns the cost of all tools.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the indexes of the tools that cost most tokens, at most `most`.
    #[must_use]
    pub fn costliest(&self, most: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.rows.len()).collect();
        places.sort_by_key(|place| std::cmp::Reverse(self.rows[*place].cost.tokens));
        places.truncate(most);
        places
    }

    /// Returns the totals by host, in the order of [`hosts`].
    #[must_use]
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// Returns the findings about the list as a whole.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the kept findings about the tool with this index.
    pub fn findings_of(&self, tool: usize) -> impl Iterator<Item = &Finding> {
        let from = self.of_tools.partition_point(|one| (one.0 as usize) < tool);
        let rest = self.of_tools[from..].iter();
        rest.take_while(move |one| one.0 as usize == tool)
            .map(|one| &one.1)
    }

    /// Returns the first 2,000 findings about tools and the first one of each rule, each with the tool's index, in the
    /// order of the list.
    #[must_use]
    pub fn findings_of_tools(&self) -> &[(u32, Finding)] {
        &self.of_tools
    }
}

impl Row {
    fn new(definition: u64, server: &str, tool: &Tool<'_>, prefixes: &[String]) -> Self {
        let shape = tool.input_schema.and_then(Shape::read);
        let shape = shape.as_ref();
        let cost = Cost::of(tool);
        let mut refusals = Refusals::default();
        let mut takes_all = 0;
        let verdicts = hosts().iter().zip(prefixes).enumerate();
        let verdicts = verdicts.map(|(place, (host, prefix))| {
            let mut verdict = Verdict::Works;
            let facts = Facts {
                tool,
                shape,
                server,
                full_name: &format!("{prefix}{}", tool.name),
            };
            judge::hits(host, &facts, |limit, hit| {
                verdict = verdict.max(limit.verdict());
                if host.kind != HostKind::Directory && limit.verdict() >= Verdict::MayFail {
                    let is_sure = limit.verdict() == Verdict::Fails;
                    refusals.add(host, &limit.limit, is_sure, &hit);
                    if limit.all && is_sure {
                        takes_all |= 1 << place;
                    }
                }
            });
            if judge::unknown(host, shape.is_some()).is_some() {
                verdict = verdict.max(Verdict::NotKnown);
            }
            verdict
        });
        let verdicts = verdicts.collect();
        let mut found = Findings::default();
        found.extend(refusals.into_findings());
        clarity::judge(tool, shape, cost, &mut found);
        if let Some(kind) = secret(tool.raw) {
            found.push(Finding::new(&rules::SECRET_IN_DEFINITION).with("kind", kind));
        }
        Self {
            definition,
            verdicts,
            takes_all,
            has_shape: shape.is_some(),
            cost,
            findings: found.into_vec(),
        }
    }
}

/// Hosts that refuse a tool, by the rule that the tool breaks.
#[derive(Default)]
struct Refusals {
    by_rule: Vec<Refusal>,
}

struct Refusal {
    rule: &'static sonde_findings::Rule,
    found: String,
    pointer: Option<String>,
    hosts: Vec<String>,
}

impl Refusals {
    fn add(&mut self, host: &Host, limit: &Requirement, is_sure: bool, hit: &requirement::Hit) {
        let sure = limit.about().rule.filter(|_| is_sure);
        let (rule, found) = match sure {
            Some(rule) => (rule, &hit.found),
            None => (&rules::MAY_FAIL_IN_HOST, &hit.what),
        };
        // The limit of a name's length differs from host to host.
        let name = match limit {
            Requirement::NameLength { .. } if sure.is_some() => {
                format!("{} ({})", host.name, hit.found)
            }
            _ => host.name.clone(),
        };
        let is_same = |one: &&mut Refusal| {
            one.rule == rule && (rule == &rules::HOST_NAME_LENGTH || one.found == *found)
        };
        match self.by_rule.iter_mut().find(is_same) {
            Some(one) if one.hosts.contains(&name) => {}
            Some(one) => one.hosts.push(name),
            None => self.by_rule.push(Refusal {
                rule,
                found: found.clone(),
                pointer: hit.pointer.clone(),
                hosts: vec![name],
            }),
        }
    }

    fn into_findings(self) -> impl Iterator<Item = Finding> {
        self.by_rule.into_iter().map(|one| {
            let finding = Finding::new(one.rule)
                .with("found", one.found)
                .with("hosts", one.hosts.join(", "));
            match one.pointer {
                Some(pointer) => finding.at(sonde_findings::Location::Pointer(pointer)),
                None => finding,
            }
        })
    }
}

fn totals(rows: &[Row]) -> Vec<Totals> {
    let mut all: Vec<Totals> = hosts().iter().map(|_| Totals::default()).collect();
    for (index, row) in (0..).zip(rows) {
        for (place, (totals, verdict)) in all.iter_mut().zip(&row.verdicts).enumerate() {
            match verdict {
                Verdict::Works => totals.tally.works += 1,
                Verdict::Degraded => totals.tally.degraded += 1,
                Verdict::MayFail => totals.tally.may_fail += 1,
                Verdict::Fails => totals.tally.fails += 1,
                Verdict::NotKnown => totals.tally.not_known += 1,
            }
            if row.takes_all & (1 << place) != 0 {
                totals.takes_all.get_or_insert(index);
            }
        }
    }
    for (host, totals) in hosts().iter().zip(&mut all) {
        for limit in &host.limits {
            if let Requirement::Tools { most } = limit.limit
                && rows.len() > most
            {
                let what = format!("There are {} tools, {most} are accepted.", rows.len());
                totals.list.push(Reason::new(limit, what, None));
            }
        }
        totals
            .list
            .sort_by_key(|one| std::cmp::Reverse(one.verdict));
    }
    all
}

/// Returns the findings about the list as a whole.
fn about_list(totals: &[Totals], tools: usize, cost: Cost) -> Vec<Finding> {
    let mut found = Vec::new();
    let refusing = |verdict: Verdict| {
        let all = hosts().iter().zip(totals).filter(|(host, totals)| {
            let counts = |one: &Reason| one.verdict == verdict;
            host.kind != HostKind::Directory && totals.list.iter().any(counts)
        });
        let names: Vec<&str> = all.map(|(host, _)| host.name.as_str()).collect();
        names.join(", ")
    };
    let sure = refusing(Verdict::Fails);
    if !sure.is_empty() {
        found.push(
            Finding::new(&rules::HOST_TOO_MANY_TOOLS)
                .with("count", tools)
                .with("hosts", sure),
        );
    }
    let unsure = refusing(Verdict::MayFail);
    if !unsure.is_empty() {
        found.push(
            Finding::new(&rules::MAY_FAIL_IN_HOST)
                .with("found", format!("The server has {tools} tools."))
                .with("hosts", unsure),
        );
    }
    if cost.tokens > COSTLY {
        found.push(
            Finding::new(&rules::COSTLY_LIST)
                .with("tokens", cost.tokens)
                .with("share", cost.tokens * 100 / CONTEXT)
                .with("context", CONTEXT),
        );
    }
    found
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;

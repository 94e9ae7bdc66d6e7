//! The issues of a server by rule.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use sonde_findings::{Certainty, Finding, FindingView, Rule, RuleGroup, Severity, SpecLink, rules};
use ts_rs::TS;

use crate::{
    Error, Explorer,
    baselines::{Changed, DefinitionSubject},
    catalogs::{CatalogKind, FoundByLint, FoundInList, Linted, Listed},
    core::Core,
    limits::{LINE, NAME},
    log::WireLog,
    operations::{FoundInResult, OperationNumber},
    servers::{MutedRule, ServerId},
    text::{cut, visible},
};

/// Cases of one rule that are listed.
const PER_RULE: usize = 100;

/// Cases of all rules together.
const CASES: usize = 1_000;

/// Filter of the listed issues. Empty lists mean "all".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueFilter {
    /// Text to find in the rule or in the description of a case, ignoring case.
    pub text: String,
    /// Only these severities.
    pub severities: Vec<Severity>,
    /// Only these groups of rules.
    pub groups: Vec<RuleGroup>,
    /// Includes muted rules.
    pub muted: bool,
}

/// Issues of a server, worst first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueList {
    /// The rules.
    pub rules: Vec<IssueRule>,
    /// Extent of what was judged.
    pub judged: Judged,
    /// Number of all rules that were found broken or are muted, regardless of the filter.
    pub all: u32,
}

/// Extent of what was judged so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Judged {
    /// Messages that were received over the present or last connection.
    pub messages: u64,
    /// Results of its runs.
    pub results: u64,
    /// Lists that were read.
    pub lists: Vec<JudgedList>,
}

/// A list that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgedList {
    /// Kind of the list.
    pub kind: CatalogKind,
    /// Number of its items.
    pub items: u32,
}

/// A rule and its cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueRule {
    /// The id of the rule.
    pub rule: String,
    /// Subject area of the rule.
    pub group: RuleGroup,
    /// Severity of the rule.
    pub severity: Severity,
    /// Certainty of the rule.
    pub certainty: Certainty,
    /// Description of the problem, with an ellipsis for what differs from case to case.
    pub what: String,
    /// Reason why it matters.
    pub why: String,
    /// Fix for the server's author.
    pub fix: String,
    /// The revisions that it applies to; none where it applies to all.
    pub revisions: Option<String>,
    /// Section of the specification that contains the rule.
    pub spec: Option<SpecLink>,
    /// Number of cases found; 0 for a muted rule without any.
    pub count: u64,
    /// The user's reason for muting it, if it is muted.
    pub muted: Option<String>,
    /// The first cases that match the filter, at most 100.
    pub cases: Vec<IssueCase>,
}

/// One case of a broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssueCase {
    /// Id among the cases of its rule, as long as the case exists.
    pub id: String,
    /// Subject of the case.
    pub subject: IssueSubject,
    /// Description of the problem.
    pub message: String,
    /// Location in the subject: a JSON Pointer or the name of a header.
    pub location: Option<String>,
}

/// Subjects of an issue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum IssueSubject {
    /// An entry of the wire log.
    Frame {
        /// Its place.
        seq: u64,
        /// Its method, where it has one.
        method: Option<String>,
        /// It is still in the log.
        stored: bool,
    },
    /// A list as a whole.
    List {
        /// Kind of the list.
        kind: CatalogKind,
    },
    /// An item of a list.
    Item {
        /// Kind of the list.
        kind: CatalogKind,
        /// Its key there.
        key: String,
    },
    /// The server's instructions for models.
    Instructions,
    /// The result of a run.
    Run {
        /// The run.
        operation: OperationNumber,
        /// Target of the run, or its method.
        target: Option<String>,
        /// It is still in the history.
        stored: bool,
    },
}

impl IssueCase {
    fn new(id: String, subject: IssueSubject, finding: &Finding) -> Self {
        let view = FindingView::from(finding);
        Self {
            id,
            subject,
            message: visible(&view.message),
            location: view.location.map(|place| visible(&place)),
        }
    }
}

impl Explorer {
    /// Lists the findings about a server, by rule: at most 100 cases of each and 1,000 in all.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn issues(&self, server: ServerId, filter: IssueFilter) -> Result<IssueList, Error> {
        Ok(ServerFindings::of(&self.core, &server)?.list(&filter, None))
    }
}

/// Findings about a server, copied out of the state so that listing them holds no lock.
pub(super) struct ServerFindings {
    pub(super) log: Arc<WireLog>,
    pub(super) lists: Vec<(CatalogKind, Arc<Listed>, bool)>,
    /// Lint results for the tools.
    linted: Option<Linted>,
    /// Definitions that differ from the accepted ones.
    changed: Arc<Changed>,
    muted: Vec<MutedRule>,
    results: Vec<(&'static Rule, u64, Vec<FoundInRun>)>,
    judged_results: u64,
    /// Protocol version in use.
    revision: Option<String>,
}

/// A case in a result, with the target of its run.
struct FoundInRun {
    case: FoundInResult,
    target: Option<String>,
    stored: bool,
}

impl ServerFindings {
    pub(super) fn of(core: &Core, server: &str) -> Result<Self, Error> {
        core.state(|state| {
            let gone = || Error::NoServer(server.to_owned());
            let connection = state.connection(server).ok_or_else(gone)?;
            let entry = state.servers().get(server).ok_or_else(gone)?;
            let changed = state.changed(server);
            Ok(connection.read(|state| {
                let session = &state.session;
                let results = session.found.by_rule.rules().map(|cases| {
                    let kept = cases.kept.iter().map(|case| {
                        let record = state.operations.get(case.operation);
                        FoundInRun {
                            case: case.clone(),
                            target: record.map(|record| {
                                record.target.as_ref().unwrap_or(&record.method).clone()
                            }),
                            stored: record.is_some(),
                        }
                    });
                    (cases.rule, cases.count, kept.collect())
                });
                Self {
                    log: Arc::clone(connection.log()),
                    lists: state
                        .catalogs
                        .iter()
                        .map(|one| (one.kind, Arc::clone(&one.listed), one.revision > 0))
                        .collect(),
                    linted: state
                        .catalogs
                        .get(CatalogKind::Tools)
                        .and_then(|catalog| catalog.lint().cloned()),
                    changed,
                    muted: entry.muted_rules.clone(),
                    results: results.collect(),
                    judged_results: session.found.results,
                    revision: session.identity.as_ref().map(|it| it.revision.clone()),
                }
            }))
        })
    }

    /// Lists the issues that pass the filter; with `only`, those of one rule, with as many of its cases as there is
    /// room for.
    pub(super) fn list(&self, filter: &IssueFilter, only: Option<&str>) -> IssueList {
        let mut found: BTreeMap<&'static str, IssueRule> = BTreeMap::new();
        let mut messages = 0;
        let mut frames = Vec::new();
        self.log.with_found(|all| {
            messages = all.messages;
            let rules = all.by_rule.rules();
            frames.extend(rules.map(|one| (one.rule, one.count, one.kept.clone())));
        });
        for (rule, count, cases) in frames {
            let cases = cases.into_iter().map(|case| {
                let subject = IssueSubject::Frame {
                    seq: case.seq,
                    method: case.method.map(|method| cut(&visible(&method), NAME)),
                    stored: self.log.recorded_at(case.seq).is_some(),
                };
                IssueCase::new(format!("frame {}", case.seq), subject, &case.finding)
            });
            add(&mut found, rule, count, cases);
        }
        for (kind, listed, _) in &self.lists {
            for of_rule in listed.found.rules() {
                let cases = of_rule.kept.iter();
                let cases = cases.filter_map(|case| in_list(*kind, listed, *case));
                add(&mut found, of_rule.rule, of_rule.count, cases);
            }
        }
        if let Some(linted) = &self.linted {
            for of_rule in linted.found.rules() {
                let cases = of_rule.kept.iter();
                let cases = cases.filter_map(|case| by_lint(linted, case));
                add(&mut found, of_rule.rule, of_rule.count, cases);
            }
        }
        for of_rule in self.changed.found.rules() {
            let cases = of_rule
                .kept
                .iter()
                .map(|(of, finding)| changed(of, finding));
            add(&mut found, of_rule.rule, of_rule.count, cases);
        }
        for (rule, count, cases) in &self.results {
            let cases = cases.iter().map(|one| {
                let operation = one.case.operation;
                IssueCase {
                    id: format!("run {operation}"),
                    subject: IssueSubject::Run {
                        operation,
                        target: one.target.as_deref().map(|text| cut(&visible(text), LINE)),
                        stored: one.stored,
                    },
                    message: visible(&one.case.message),
                    location: one.case.location.as_deref().map(visible),
                }
            });
            add(&mut found, rule, *count, cases);
        }
        for muted in &self.muted {
            if let Some(rule) = rules::find(&muted.rule) {
                let of_rule = found.entry(rule.id).or_insert_with(|| broken(rule));
                of_rule.muted = Some(muted.reason.clone());
            }
        }
        let all = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let mut listed: Vec<_> = found
            .into_values()
            .filter(|rule| only.is_none_or(|only| rule.rule == only))
            .filter_map(|rule| passes(rule, filter))
            .collect();
        listed.sort_by_key(|one| (one.muted.is_some(), std::cmp::Reverse(one.severity)));
        let mut room = CASES;
        for rule in &mut listed {
            let spec = rules::find(&rule.rule).and_then(|rule| rule.spec);
            if let (Some(spec), Some(revision)) = (spec, &self.revision) {
                rule.spec = Some(SpecLink::in_revision(spec, revision));
            }
            rule.cases.truncate(PER_RULE.min(room));
            room -= rule.cases.len();
        }
        let read = self.lists.iter().filter(|(_, _, read)| *read);
        IssueList {
            rules: listed,
            judged: Judged {
                messages,
                results: self.judged_results,
                lists: read
                    .map(|(kind, listed, _)| JudgedList {
                        kind: *kind,
                        items: u32::try_from(listed.keys.len()).unwrap_or(u32::MAX),
                    })
                    .collect(),
            },
            all,
        }
    }
}

fn in_list(kind: CatalogKind, listed: &Listed, case: FoundInList) -> Option<IssueCase> {
    let (item, finding) = listed.case(case)?;
    let (id, subject) = match item {
        None => (format!("list {kind:?}"), IssueSubject::List { kind }),
        Some(item) => {
            let key = listed.item(item)?.0.to_owned();
            let id = format!("item {kind:?} {key}");
            (id, IssueSubject::Item { kind, key })
        }
    };
    Some(IssueCase::new(id, subject, finding))
}

fn by_lint(linted: &Linted, case: &FoundByLint) -> Option<IssueCase> {
    let kind = CatalogKind::Tools;
    let (id, subject) = match case.item {
        None => ("lint".to_owned(), IssueSubject::List { kind }),
        Some(item) => {
            let key = linted.listed.item(item)?.0.to_owned();
            (format!("lint {key}"), IssueSubject::Item { kind, key })
        }
    };
    Some(IssueCase::new(id, subject, &case.finding))
}

fn changed(of: &DefinitionSubject, finding: &Finding) -> IssueCase {
    let (id, subject) = match of {
        DefinitionSubject::Instructions => ("instructions".to_owned(), IssueSubject::Instructions),
        DefinitionSubject::Tool { key } => (
            format!("changed {key}"),
            IssueSubject::Item {
                kind: CatalogKind::Tools,
                key: key.clone(),
            },
        ),
    };
    IssueCase::new(id, subject, finding)
}

/// Adds cases of a rule. Their ids name only their message, item or run so far, which may have several: the index among
/// those is added, so that the id of a case does not depend on other findings.
fn add(
    found: &mut BTreeMap<&'static str, IssueRule>,
    rule: &'static Rule,
    count: u64,
    cases: impl Iterator<Item = IssueCase>,
) {
    let of_rule = found.entry(rule.id).or_insert_with(|| broken(rule));
    of_rule.count += count;
    let mut places: HashMap<String, u32> = HashMap::new();
    of_rule.cases.extend(cases.map(|mut case| {
        let place = places.entry(case.id.clone()).or_default();
        case.id = format!("{} {place}", case.id);
        *place += 1;
        case
    }));
}

fn broken(rule: &'static Rule) -> IssueRule {
    let bounded = rule.revisions.since.is_some() || rule.revisions.until.is_some();
    IssueRule {
        rule: rule.id.to_owned(),
        group: rule.group,
        severity: rule.severity,
        certainty: rule.certainty,
        what: rule.summary(),
        why: rule.why.to_owned(),
        fix: rule.fix.to_owned(),
        revisions: bounded.then(|| rule.revisions.to_string()),
        spec: rule.spec.map(Into::into),
        count: 0,
        muted: None,
        cases: Vec::new(),
    }
}

/// The rule with the cases that the filter lets through.
fn passes(mut rule: IssueRule, filter: &IssueFilter) -> Option<IssueRule> {
    let severity = filter.severities.is_empty() || filter.severities.contains(&rule.severity);
    let group = filter.groups.is_empty() || filter.groups.contains(&rule.group);
    let shown = filter.muted || rule.muted.is_none();
    if !(severity && group && shown) {
        return None;
    }
    let needle = filter.text.trim().to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&needle);
    if needle.is_empty() || matches(&rule.rule) || matches(&rule.what) {
        return Some(rule);
    }
    rule.cases.retain(|case| {
        let subject = match &case.subject {
            IssueSubject::Frame { method, .. } => method.as_deref(),
            IssueSubject::List { .. } | IssueSubject::Instructions => None,
            IssueSubject::Item { key, .. } => Some(key.as_str()),
            IssueSubject::Run { target, .. } => target.as_deref(),
        };
        let texts = [
            Some(case.message.as_str()),
            case.location.as_deref(),
            subject,
        ];
        texts.into_iter().flatten().any(matches)
    });
    (!rule.cases.is_empty()).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_keeps_its_id_whatever_is_found_elsewhere() {
        let case = |id: &str| IssueCase {
            id: id.to_owned(),
            subject: IssueSubject::Instructions,
            message: String::new(),
            location: None,
        };
        let ids = |cases: &[&str]| {
            let mut found = BTreeMap::new();
            let rule = &rules::BAD_JSONRPC;
            add(&mut found, rule, 0, cases.iter().map(|id| case(id)));
            let of_rule = found.remove(rule.id).unwrap();
            of_rule
                .cases
                .into_iter()
                .map(|one| one.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&["b", "b"]), ["b 0", "b 1"]);
        assert_eq!(ids(&["a", "b", "b"]), ["a 0", "b 0", "b 1"]);
    }
}

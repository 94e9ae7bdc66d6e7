//! Reading and judging all lists of a server.

use sonde_client::catalogs::{CatalogKind, Linted, definition};
use sonde_findings::{Cases, Certainty, Finding, FindingView, RuleGroup, Severity};
use sonde_lint::{
    Judgement, Tally, Verdict as HostVerdict,
    hosts::{Host, HostKind, hosts},
};
use sonde_mcp::CatalogItem;

use super::super::list::ALL;
use crate::{
    exit::Result,
    report::{Level, Problem},
    session::Session,
    units::count,
};

/// One finding with its certainty.
pub(super) struct RatedFinding {
    pub(super) problem: Problem,
    pub(super) is_sure: bool,
    pub(super) of_hosts: bool,
}

/// Result of reading and judging all lists.
pub(super) struct JudgedLists {
    pub(super) found: Vec<RatedFinding>,
    pub(super) linted: Option<Linted>,
    pub(super) hosts: Vec<HostRow>,
    pub(super) lists: Vec<(CatalogKind, usize)>,
    left_out: Vec<String>,
    /// A list was not read to its end.
    is_cut: bool,
}

impl JudgedLists {
    /// A sentence about what was not judged; `None` if everything that the server lists was.
    pub(super) fn not_judged(&self) -> Option<String> {
        let mut lists = self.lists.iter().filter(|(_, items)| *items > 0);
        let has_tools = lists.clone().any(|(kind, _)| *kind == CatalogKind::Tools);
        if lists.next().is_none() {
            Some("The server lists nothing.".to_owned())
        } else if self.is_cut {
            Some("A list was not read to its end.".to_owned())
        } else if self.linted.is_none() && has_tools {
            Some("The tools were not judged.".to_owned())
        } else {
            let reasons = self.left_out.join(" ");
            (!reasons.is_empty()).then(|| format!("Not all schemas were judged: {reasons}"))
        }
    }
}

/// The tools in one host.
pub(super) struct HostRow {
    pub(super) host: &'static Host,
    pub(super) tally: Tally,
    /// Number of tools about which a fact of the host is missing, whatever their verdicts are.
    unknown: u32,
    /// The host accepts no tool, whatever their verdicts are.
    pub(super) refuses_all: bool,
    pub(super) problems: Vec<Problem>,
}

impl HostRow {
    /// A sentence about tools of which it is not known if they work.
    pub(super) fn not_established(&self) -> Option<String> {
        let Tally {
            works,
            degraded,
            may_fail,
            fails,
            not_known,
        } = self.tally;
        let host = &self.host.name;
        let tools = works + degraded + may_fail + fails + not_known;
        match (tools, self.unknown) {
            (0, _) => Some(format!("There are no tools to work in {host}.")),
            (_, 0) => None,
            (_, unknown) => Some(format!(
                "Sonde does not know enough of {host} to say if {} in it.",
                match unknown {
                    1 => "1 tool works".to_owned(),
                    tools => format!("{tools} tools work"),
                }
            )),
        }
    }
}

/// Reads all lists and judges them.
pub(super) async fn judge(session: &Session, chosen: &[&'static Host]) -> Result<JudgedLists> {
    let mut listed = Vec::new();
    for kind in ALL {
        listed.push((kind, session.list(kind).await?));
    }
    // The schemas are judged after the tools were listed, in another process.
    session
        .guard(session.connection.wait_for(|state| {
            let steps = state.session.steps();
            let done = |one: &sonde_client::sessions::ConnectStep| {
                one.state == sonde_client::sessions::StepState::Done
            };
            (state.session.judging == 0 && steps.iter().all(done)).then_some(())
        }))
        .await?;
    let linted = session.connection.lint(Vec::new);
    let linted = session.guard(linted).await?;
    let mut found = Vec::new();
    let lists = session.connection.read(|state| {
        let catalogs = state.catalogs.iter();
        let lists = catalogs.map(|one| (one.kind, one.listed.clone()));
        lists.collect::<Vec<_>>()
    });
    for (kind, listed) in &lists {
        for cases in listed.found.rules() {
            for case in &cases.kept {
                let Some((item, finding)) = listed.case(*case) else {
                    continue;
                };
                let item = item.and_then(|item| listed.items.get(item as usize));
                found.push(of_finding(finding, subject(*kind, item)));
            }
            found.extend(not_kept(cases, subject(*kind, None)));
        }
    }
    if let Some(linted) = &linted {
        let kind = CatalogKind::Tools;
        let of_list = linted.lint.findings().iter();
        found.extend(of_list.map(|one| of_finding(one, subject(kind, None))));
        for (place, finding) in linted.lint.findings_of_tools() {
            let item = linted.listed.items.get(*place as usize);
            found.push(of_finding(finding, subject(kind, item)));
        }
    }
    session.connection.log().with_found(|frames| {
        for cases in frames.by_rule.rules() {
            for case in &cases.kept {
                let method = case.method.as_deref().unwrap_or("message");
                found.push(of_finding(&case.finding, method.to_owned()));
            }
            found.extend(not_kept(cases, "message".to_owned()));
        }
    });
    let left_out = session.connection.read(|state| {
        let check = state.catalogs.get(CatalogKind::Tools)?.schema_check()?;
        Some(check.left_out.clone())
    });
    Ok(JudgedLists {
        hosts: match &linted {
            Some(linted) => host_rows(linted, chosen),
            None => {
                let rows = chosen.iter().map(|host| HostRow {
                    host,
                    tally: Tally::default(),
                    unknown: 0,
                    refuses_all: false,
                    problems: Vec::new(),
                });
                rows.collect()
            }
        },
        found,
        linted,
        lists: listed
            .iter()
            .map(|(kind, listed)| (*kind, listed.items.len()))
            .collect(),
        left_out: left_out.unwrap_or_default(),
        is_cut: listed.iter().any(|(_, listed)| listed.is_cut),
    })
}

/// The tools in the chosen hosts, or in all.
fn host_rows(linted: &Linted, chosen: &[&'static Host]) -> Vec<HostRow> {
    let is_shown = |host: &Host| match chosen.is_empty() {
        true => host.kind != HostKind::Directory,
        false => chosen.iter().any(|one| one.id == host.id),
    };
    let totals = hosts().iter().zip(linted.lint.totals());
    totals
        .filter(|(host, _)| is_shown(host))
        .map(|(host, totals)| {
            let mut problems: Vec<_> = totals
                .list
                .iter()
                .map(|reason| host_problem(host, reason, CatalogKind::Tools.member().to_owned()))
                .collect();
            let mut unknown = 0;
            for item in linted.listed.items.iter() {
                let tool = definition(item);
                let judgement = Judgement::new(host, linted.lint.server(), &tool);
                unknown += u32::from(judgement.unknown.is_some());
                let of_tool = subject(CatalogKind::Tools, Some(item));
                problems.extend(judgement.reasons.iter().map(|reason| {
                    let place = reason.pointer.as_deref().unwrap_or_default();
                    host_problem(host, reason, format!("{of_tool}{place}"))
                }));
            }
            HostRow {
                host,
                tally: totals.tally,
                unknown,
                refuses_all: totals.refuses_all(),
                problems,
            }
        })
        .collect()
}

fn host_problem(host: &Host, reason: &sonde_lint::Reason, subject: String) -> Problem {
    Problem {
        rule: format!("host/{}", host.id),
        level: match reason.verdict {
            HostVerdict::Fails => Level::Error,
            HostVerdict::MayFail => Level::Warning,
            _ => Level::Note,
        },
        message: format!("{} {}: {}", reason.what, host.name, reason.then),
        fix: Some(reason.fix.clone()),
        help: Some(reason.source.url.clone()),
        subject: Some(subject),
        ..Problem::default()
    }
}

/// Sums up the findings of a rule that were counted but not kept.
fn not_kept<C>(cases: &Cases<C>, subject: String) -> Option<RatedFinding> {
    let number = cases.count.saturating_sub(cases.kept.len() as u64);
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    let mut rest = of_finding(&Finding::new(cases.rule), subject);
    rest.problem.further = number.checked_sub(1)?;
    rest.problem.message = format!(
        "Not listed: {} of this rule.",
        count(number, "more finding")
    );
    Some(rest)
}

fn of_finding(finding: &Finding, subject: String) -> RatedFinding {
    let view = FindingView::from(finding);
    let place = view.location.unwrap_or_default();
    RatedFinding {
        is_sure: view.certainty == Certainty::Fact,
        of_hosts: view.group == RuleGroup::Hosts,
        problem: Problem {
            rule: view.rule,
            level: match view.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Info => Level::Note,
            },
            message: view.message,
            fix: Some(view.fix),
            help: view.spec.map(|spec| spec.url),
            subject: Some(match place.starts_with('/') || place.is_empty() {
                true => format!("{subject}{place}"),
                false => format!("{subject} {place}"),
            }),
            ..Problem::default()
        },
    }
}

fn subject(kind: CatalogKind, item: Option<&CatalogItem>) -> String {
    let Some(item) = item else {
        return kind.member().to_owned();
    };
    match kind {
        CatalogKind::Tools => format!("tool/{}", item.name),
        CatalogKind::Prompts => format!("prompt/{}", item.name),
        CatalogKind::Resources => format!("resource/{}", item.key),
        CatalogKind::ResourceTemplates => format!("template/{}", item.key),
        CatalogKind::Skills => format!("skill/{}", item.key),
    }
}

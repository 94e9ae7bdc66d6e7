//! `sonde check`: judges what a server lists, with a gate.

use std::cmp::Reverse;

use sonde_client::catalogs::{CatalogKind, Linted, definition};
use sonde_findings::{Certainty, Finding, FindingView, RuleGroup, Severity};
use sonde_lint::{
    CONTEXT, Judgement, Verdict as HostVerdict,
    hosts::{Host, HostKind, hosts},
};
use sonde_mcp::CatalogItem;
use tokio::time::Instant;

use super::list::{ALL, member};
use crate::{
    Context,
    console::{BOLD, DIM, GREEN, RED, YELLOW, print, print_text, styled, visible},
    exit::{Exit, Failed, Result},
    report::{self, Case, Group, Level, Problem, Report, ReportArgs, Verdict},
    servers::ServerArgs,
    session::{Session, kind_name, with_session},
    units::{count, tokens},
};

/// Tools that are named as the most costly.
const COSTLIEST: usize = 5;

/// Read all lists of a server and judge them: protocol, hosts, cost in tokens
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde check [OPTIONS] SERVER\n       sonde check [OPTIONS] -- COMMAND...",
    after_help = "\
No tool is called. A finding that is only likely never fails the gate.

Examples:
  sonde check everything
  sonde check everything --hosts claude,vscode --budget 10k-tokens
  sonde check shop --fail-on warning --sarif sonde.sarif
  sonde check -- node my-server.js"
)]
pub(crate) struct Check {
    /// Server
    #[arg(value_name = "SERVER")]
    words: Vec<String>,
    /// Findings that fail the gate
    #[arg(long, value_enum, default_value = "error")]
    fail_on: FailOn,
    /// Hosts in which all tools have to work, for example claude,vscode
    #[arg(long, value_delimiter = ',', value_name = "HOST")]
    hosts: Vec<String>,
    /// Most tokens that the definitions of the tools may cost, for example 10k-tokens
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    budget: Option<u64>,
    /// Show notes too
    #[arg(long)]
    all: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reports: ReportArgs,
    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Never,
}

impl FailOn {
    fn fails(self, level: Level) -> bool {
        match self {
            Self::Error => level == Level::Error,
            Self::Warning => level >= Level::Warning,
            Self::Never => false,
        }
    }
}

/// One finding with its certainty.
struct Found {
    problem: Problem,
    is_sure: bool,
    of_hosts: bool,
}

/// Everything that was read and judged.
struct Judged {
    found: Vec<Found>,
    linted: Option<Linted>,
    /// Names of the tools in the order of the list.
    tools: Vec<String>,
    hosts: Vec<HostRow>,
    lists: Vec<(CatalogKind, usize)>,
    left_out: Vec<String>,
}

/// The tools in one host.
struct HostRow {
    host: &'static Host,
    counts: Vec<(HostVerdict, usize)>,
    problems: Vec<Problem>,
}

impl Check {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let chosen = self
            .hosts
            .iter()
            .map(|name| host(name))
            .collect::<Result<Vec<_>>>()?;
        let (server, rest) = self.server.resolve(&self.words)?;
        if let Some(word) = rest.first() {
            return Err(Failed::usage(format!("`{word}` is one word too many.")));
        }
        let began = Instant::now();
        with_session(context, &self.server, &server, async |session| {
            let mut judged = judge(session, &chosen).await?;
            let muted = &server.entry.muted_rules;
            let counts = |one: &Found| muted.iter().all(|muted| muted.rule != one.problem.rule);
            judged.found.retain(counts);
            let mut report = self.report(session, &judged);
            report.took = began.elapsed();
            self.reports.write(&report)?;
            match self.json {
                true => print_text(&report::json(&report)),
                false => self.print(&report, &judged),
            }
            Ok(match report.count(Verdict::Failed) {
                0 => Exit::Success,
                _ => Exit::GateFailed,
            })
        })
        .await
    }

    /// The report: a case for each rule that is broken, each host that was asked for, and the budget.
    fn report(&self, session: &Session, judged: &Judged) -> Report {
        let (name, version, revision) = session.identity();
        let version = version.unwrap_or_default();
        let mut cases: Vec<Case> = judged
            .lists
            .iter()
            .map(|(kind, items)| Case {
                name: format!("{}: {items}", kind_name(*kind)),
                verdict: Verdict::Passed,
                ..Case::default()
            })
            .collect();
        for one in &judged.found {
            // The hosts that were asked for have a case each.
            if one.of_hosts && !self.hosts.is_empty() {
                continue;
            }
            let fails = one.is_sure && self.fail_on.fails(one.problem.level);
            let case = match cases.iter_mut().find(|case| case.name == one.problem.rule) {
                Some(case) => case,
                None => cases.push_mut(Case {
                    name: one.problem.rule.clone(),
                    verdict: Verdict::Passed,
                    ..Case::default()
                }),
            };
            if fails {
                case.verdict = Verdict::Failed;
            }
            case.problems.push(one.problem.clone());
        }
        for row in judged.hosts.iter().filter(|_| !self.hosts.is_empty()) {
            let fails = |one: &Problem| self.fail_on.fails(one.level);
            cases.push(Case {
                name: format!("Works in {}", row.host.name),
                verdict: match row.problems.iter().any(fails) {
                    true => Verdict::Failed,
                    false => Verdict::Passed,
                },
                problems: row.problems.clone(),
                ..Case::default()
            });
        }
        if let Some(budget) = self.budget {
            let cost = judged.linted.as_ref().map(|one| one.lint.cost().tokens);
            let cost = cost.unwrap_or_default();
            let over = cost > budget;
            cases.push(Case {
                name: format!("Costs at most {budget} tokens"),
                verdict: if over { Verdict::Failed } else { Verdict::Passed },
                problems: over
                    .then(|| Problem {
                        rule: "budget".to_owned(),
                        message: format!(
                            "The definitions of the tools cost about {cost} tokens, {budget} are allowed."
                        ),
                        subject: Some("tools".to_owned()),
                        ..Problem::default()
                    })
                    .into_iter()
                    .collect(),
                ..Case::default()
            });
        }
        Report {
            title: format!("{name} {version}").trim().to_owned(),
            groups: vec![Group {
                name: name.clone(),
                properties: vec![("protocol version".to_owned(), revision)],
                cases,
                ..Group::default()
            }],
            ..Report::default()
        }
    }

    fn print(&self, report: &Report, judged: &Judged) {
        let revision = report.groups.iter().flat_map(|group| &group.properties);
        let revision: Vec<_> = revision.map(|one| one.1.as_str()).collect();
        let lists = judged.lists.iter().filter(|one| one.1 > 0);
        let lists: Vec<_> = lists
            .map(|(kind, items)| count(*items, kind_name(*kind).trim_end_matches('s')))
            .collect();
        print(&format!(
            "{} (protocol {}): {}",
            styled(BOLD, visible(&report.title)),
            revision.join(", "),
            match lists.is_empty() {
                true => "it lists nothing".to_owned(),
                false => lists.join(", "),
            }
        ));
        let mut problems: Vec<_> = report
            .cases()
            .flat_map(|case| case.problems.iter().map(move |one| (case, one)))
            .collect();
        problems.sort_by_key(|(case, one)| (Reverse(one.level), case.name.clone()));
        for (_, problem) in &problems {
            if problem.level > Level::Note || self.all {
                show(problem);
            }
        }
        print_hosts(&judged.hosts, self.hosts.is_empty());
        print_cost(judged, self.budget);
        for reason in &judged.left_out {
            print(&styled(
                YELLOW,
                format_args!("Not all schemas were judged: {reason}"),
            ));
        }
        let of = |level| problems.iter().filter(|one| one.1.level == level).count();
        print(&format!(
            "\n{}, {}, {}.",
            count(of(Level::Error), "error"),
            count(of(Level::Warning), "warning"),
            count(of(Level::Note), "note")
        ));
        let failed = report
            .cases()
            .filter(|case| case.verdict == Verdict::Failed);
        let failed: Vec<_> = failed.map(|case| case.name.as_str()).collect();
        print(&match failed.is_empty() {
            true => styled(GREEN, "The gate passed."),
            false => styled(RED, format_args!("The gate failed: {}.", failed.join(", "))),
        });
    }
}

fn show(problem: &Problem) {
    let (style, word) = match problem.level {
        Level::Error => (RED, "error"),
        Level::Warning => (YELLOW, "warning"),
        Level::Note => (DIM, "note"),
    };
    let subject = problem.subject.as_deref().unwrap_or_default();
    print(&format!(
        "\n{} {} {}",
        styled(style, format_args!("{word}:")),
        styled(BOLD, &problem.rule),
        styled(DIM, visible(subject))
    ));
    print(&format!("  {}", visible(&problem.message)));
    if let Some(fix) = &problem.fix {
        print(&format!("  → {}", visible(fix)));
    }
}

fn print_hosts(rows: &[HostRow], only_wrong: bool) {
    let is_wrong = |row: &&HostRow| {
        let bad = |one: &(HostVerdict, usize)| one.0 >= HostVerdict::MayFail && one.1 > 0;
        row.counts.iter().any(bad) || row.problems.iter().any(|one| one.level == Level::Error)
    };
    let shown: Vec<_> = rows
        .iter()
        .filter(|row| !only_wrong || is_wrong(row))
        .collect();
    let width = shown.iter().map(|row| row.host.name.chars().count()).max();
    let Some(width) = width else {
        return;
    };
    print(&format!("\n{}", styled(BOLD, "Tools in hosts")));
    for row in shown {
        let counts = row.counts.iter().filter(|one| one.1 > 0);
        let counts: Vec<_> = counts
            .map(|(verdict, tools)| match verdict {
                HostVerdict::Works => format!("{tools} work"),
                HostVerdict::NotKnown => format!("{tools} not known"),
                HostVerdict::Degraded => format!("{tools} changed by the host"),
                HostVerdict::MayFail => styled(YELLOW, format_args!("{tools} may fail")),
                HostVerdict::Fails => styled(RED, format_args!("{tools} fail")),
            })
            .collect();
        print(&format!(
            "  {:<width$}  {}",
            row.host.name,
            counts.join(", ")
        ));
    }
}

fn print_cost(judged: &Judged, budget: Option<u64>) {
    let Some(linted) = judged.linted.as_ref().filter(|one| !one.lint.is_empty()) else {
        return;
    };
    let cost = linted.lint.cost().tokens;
    let budget = budget.map(|budget| format!(", budget {budget}"));
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    let share = cost as f64 * 100.0 / CONTEXT as f64;
    print(&format!(
        "\n{}\n  about {cost} tokens, {share:.1} % of a context of {CONTEXT}{}",
        styled(BOLD, "Cost of the tools"),
        budget.unwrap_or_default()
    ));
    let most: Vec<_> = linted
        .lint
        .costliest(COSTLIEST)
        .into_iter()
        .filter_map(|place| {
            let name = judged.tools.get(place)?;
            Some(format!(
                "{} {}",
                visible(name),
                linted.lint.cost_of(place).tokens
            ))
        })
        .collect();
    print(&styled(DIM, format_args!("  most: {}", most.join(", "))));
}

/// The host of a name, without regard to case and punctuation.
fn host(name: &str) -> Result<&'static Host> {
    let same = |text: &str| {
        let kept = text.chars().filter(char::is_ascii_alphanumeric);
        kept.collect::<String>().to_lowercase()
    };
    let wanted = same(name);
    let found = hosts()
        .iter()
        .find(|host| same(&host.id) == wanted || same(&host.name) == wanted);
    found.ok_or_else(|| {
        let known: Vec<_> = hosts().iter().map(|host| host.id.as_str()).collect();
        Failed::usage(format!("`{name}` is no host that Sonde knows."))
            .more([format!("Known are: {}.", known.join(", "))])
    })
}

/// Reads all lists and judges them.
async fn judge(session: &Session, chosen: &[&'static Host]) -> Result<Judged> {
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
    let linted = session.connection.lint(Vec::new());
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
        for case in frames.by_rule.rules().flat_map(|one| &one.kept) {
            let method = case.method.as_deref().unwrap_or("message");
            found.push(of_finding(&case.finding, method.to_owned()));
        }
    });
    let left_out = session.connection.read(|state| {
        let check = state.catalogs.get(CatalogKind::Tools)?.schema_check()?;
        Some(check.left_out.clone())
    });
    let tools = linted.as_ref().map(|one| one.listed.items.iter());
    Ok(Judged {
        hosts: linted
            .as_ref()
            .map(|linted| host_rows(linted, chosen))
            .unwrap_or_default(),
        tools: tools
            .into_iter()
            .flatten()
            .map(|item| item.name.clone())
            .collect(),
        found,
        linted,
        lists: listed
            .iter()
            .map(|(kind, listed)| (*kind, listed.items.len()))
            .collect(),
        left_out: left_out.unwrap_or_default(),
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
            let of = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
            let mut problems: Vec<_> = totals
                .list
                .iter()
                .map(|reason| host_problem(host, reason, member(CatalogKind::Tools).to_owned()))
                .collect();
            for item in linted.listed.items.iter() {
                let tool = definition(item);
                let judgement = Judgement::new(host, linted.lint.server(), &tool);
                let of_tool = subject(CatalogKind::Tools, Some(item));
                problems.extend(judgement.reasons.iter().map(|reason| {
                    let place = reason.pointer.as_deref().unwrap_or_default();
                    host_problem(host, reason, format!("{of_tool}{place}"))
                }));
            }
            HostRow {
                host,
                counts: vec![
                    (HostVerdict::Works, of(totals.works)),
                    (HostVerdict::NotKnown, of(totals.not_known)),
                    (HostVerdict::Degraded, of(totals.degraded)),
                    (HostVerdict::MayFail, of(totals.may_fail)),
                    (HostVerdict::Fails, of(totals.fails)),
                ],
                problems,
            }
        })
        .collect()
}

fn host_problem(host: &Host, reason: &sonde_lint::Reason, subject: String) -> Problem {
    let source = reason.limit.source();
    Problem {
        rule: format!("host/{}", host.id),
        level: match reason.limit.verdict() {
            HostVerdict::Fails => Level::Error,
            HostVerdict::MayFail => Level::Warning,
            _ => Level::Note,
        },
        message: format!("{} {}: {}", reason.what, host.name, reason.limit.then),
        fix: Some(reason.fix.to_owned()),
        help: Some(source.url.clone()),
        place: None,
        subject: Some(subject),
    }
}

fn of_finding(finding: &Finding, subject: String) -> Found {
    let view = FindingView::from(finding);
    let place = view.location.unwrap_or_default();
    Found {
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
            place: None,
            subject: Some(match place.starts_with('/') || place.is_empty() {
                true => format!("{subject}{place}"),
                false => format!("{subject} {place}"),
            }),
        },
    }
}

fn subject(kind: CatalogKind, item: Option<&CatalogItem>) -> String {
    let Some(item) = item else {
        return member(kind).to_owned();
    };
    match kind {
        CatalogKind::Tools => format!("tool/{}", item.name),
        CatalogKind::Prompts => format!("prompt/{}", item.name),
        CatalogKind::Resources => format!("resource/{}", item.key),
        CatalogKind::ResourceTemplates => format!("template/{}", item.key),
        CatalogKind::Skills => format!("skill/{}", item.key),
    }
}

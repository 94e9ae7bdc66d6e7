//! `sonde check`: judges what a server lists, with a gate.

mod judge;
mod print;

use sonde_lint::hosts::{Host, hosts};
use tokio::time::Instant;

use self::{
    judge::{JudgedLists, RatedFinding, judge},
    print::print_report,
};
use crate::{
    Context,
    console::print_text,
    exit::{Exit, Failed, Result},
    report::{self, Case, Group, Level, Problem, Report, ReportArgs, Verdict},
    servers::ServerArgs,
    session::{Session, with_session},
    units::tokens,
};

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

impl Check {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let written = self.reports.files().chain(&self.server.log);
        report::check_outputs(written, self.server.config.iter())?;
        let (report, judged) = match self.judge(context).await {
            Ok(done) => done,
            Err(failed) => {
                let server = self.server.only(&self.words);
                let name = server.map_or_else(
                    |_| "sonde check".to_owned(),
                    |server| server.entry.config.name,
                );
                return Err(self.reports.write_failure(name, failed, self.json));
            }
        };
        match self.json {
            true => print_text(&report::json(&report)),
            false => print_report(
                &report,
                &judged,
                self.budget,
                self.all,
                !self.hosts.is_empty(),
            ),
        }
        self.reports.write(&report)?;
        Ok(match report.count(Verdict::Failed) {
            0 if report.count(Verdict::Broken) > 0 => Exit::Incomplete,
            0 => Exit::Success,
            _ => Exit::GateFailed,
        })
    }

    async fn judge(&self, context: &Context) -> Result<(Report, JudgedLists)> {
        let chosen = self.hosts.iter().map(|name| host(name));
        let chosen = chosen.collect::<Result<Vec<_>>>()?;
        let server = self.server.only(&self.words)?;
        let began = Instant::now();
        with_session(context, &self.server, &server, async |session| {
            session.require_version()?;
            let mut judged = judge(session, &chosen).await?;
            let muted = &server.entry.muted_rules;
            let counts =
                |one: &RatedFinding| muted.iter().all(|muted| muted.rule != one.problem.rule);
            judged.found.retain(counts);
            let mut report = self.report(session, &judged);
            report.took = began.elapsed();
            Ok((report, judged))
        })
        .await
    }

    /// The report: a case for each rule that is broken, each host that was asked for, and the budget.
    fn report(&self, session: &Session, judged: &JudgedLists) -> Report {
        let (name, version, revision) = session.identity();
        let version = version.unwrap_or_default();
        let mut cases: Vec<Case> = judged
            .lists
            .iter()
            .map(|(kind, items)| Case::new(format!("{}: {items}", kind.noun()), Verdict::Passed))
            .collect();
        for one in &judged.found {
            // The hosts that were asked for have a case each.
            if one.of_hosts && !self.hosts.is_empty() {
                continue;
            }
            let fails = one.is_sure && self.fail_on.fails(one.problem.level);
            let case = match cases.iter_mut().find(|case| case.name == one.problem.rule) {
                Some(case) => case,
                None => cases.push_mut(Case::new(&one.problem.rule, Verdict::Passed)),
            };
            if fails {
                case.verdict = Verdict::Failed;
            }
            case.problems.push(one.problem.clone());
        }
        for row in judged.hosts.iter().filter(|_| !self.hosts.is_empty()) {
            // `--hosts` demands working tools, whatever `--fail-on` is. A warning about a host is a heuristic.
            let fails = |one: &Problem| one.level == Level::Error;
            let mut problems = row.problems.clone();
            let verdict = match (problems.iter().any(fails), row.not_established()) {
                (true, _) => Verdict::Failed,
                (false, None) => Verdict::Passed,
                (false, Some(message)) => {
                    problems.push(Problem {
                        rule: format!("host/{}", row.host.id),
                        level: Level::Warning,
                        message,
                        subject: Some("tools".to_owned()),
                        ..Problem::default()
                    });
                    Verdict::Broken
                }
            };
            cases.push(Case {
                problems,
                ..Case::new(format!("Works in {}", row.host.name), verdict)
            });
        }
        if let Some(budget) = self.budget {
            let cost = judged.linted.as_ref().map(|one| one.lint.cost().tokens);
            let cost = cost.unwrap_or_default();
            let name = format!("Costs at most {budget} tokens");
            let mut case = Case::new(name, Verdict::of(cost > budget));
            if cost > budget {
                case.problems.push(Problem {
                    rule: "budget".to_owned(),
                    message: format!(
                        "The definitions of the tools cost about {cost} tokens, {budget} are allowed."
                    ),
                    subject: Some("tools".to_owned()),
                    ..Problem::default()
                });
            }
            cases.push(case);
        }
        if let Some(message) = judged.not_judged() {
            let problem = Problem {
                rule: "lists".to_owned(),
                level: Level::Warning,
                message,
                ..Problem::default()
            };
            cases.push(Case {
                problems: vec![problem],
                ..Case::new("All lists judged", Verdict::Broken)
            });
        }
        Report {
            title: format!("{name} {version}").trim().to_owned(),
            groups: vec![Group {
                name: name.clone(),
                properties: [
                    Some(("protocol version".to_owned(), revision)),
                    judged
                        .linted
                        .as_ref()
                        .map(|one| ("tokens".to_owned(), one.lint.cost().tokens.to_string())),
                ]
                .into_iter()
                .flatten()
                .collect(),
                cases,
                ..Group::default()
            }],
            ..Report::default()
        }
    }
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
        Failed::usage(format!("`{name}` is not a host that Sonde knows."))
            .more([format!("Known are: {}.", known.join(", "))])
    })
}

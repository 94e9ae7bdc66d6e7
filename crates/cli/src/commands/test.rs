//! `sonde test`: runs suites.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sonde_suite::{
    format::Suite,
    problem::Problem as FileProblem,
    run::{CaseReport, Event, RunOptions, Runner, StepReport, Stopped, Update, Verdict as Said},
    servers::{HttpServer, Program, Server},
    snapshot::SnapshotState,
};
use tokio::time::Instant;

use crate::{
    Context,
    console::{BOLD, Console, DIM, GREEN, RED, YELLOW, print, print_text, styled, visible},
    exit::{Exit, Failed, Result},
    report::{self, Case, Group, Problem, Report, ReportArgs, Verdict},
    servers::{Given, ServerArgs, fresh_services, read_servers, servers_file},
    units::{count, show_duration},
};

/// The ending of suites.
const SUITE: &str = ".sonde.yaml";
/// Folders that have no suites of the user's.
const SKIPPED: [&str; 3] = ["node_modules", "target", "__snapshots__"];
/// Folders below each other that are searched.
const DEPTH: usize = 16;

/// Run suites of checks (*.sonde.yaml)
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde test [OPTIONS] [PATHS]...\n       sonde test [OPTIONS] [PATHS]... -- COMMAND...",
    after_help = "\
Without paths, all suites in the present folder and below. Servers are looked for in `sonde.servers.yaml` beside a suite
or above it; --url or a command replaces the server of all suites.

Examples:
  sonde test
  sonde test tests/orders.sonde.yaml --env staging
  sonde test --junit sonde.xml --md \"$GITHUB_STEP_SUMMARY\"
  sonde test --update                       Store what differs from its snapshots
  sonde test tests -- node server.js"
)]
pub(crate) struct Test {
    /// Suites, or folders with suites
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Environment of the servers file
    #[arg(long, value_name = "NAME")]
    env: Option<String>,
    /// Transport of the servers, in place of that of the suites
    #[arg(long, value_parser = ["stdio", "http"])]
    transport: Option<String>,
    /// Store all values that differ from their snapshots
    #[arg(long, conflicts_with = "ci")]
    update: bool,
    /// Store nothing: a missing snapshot is incomplete. The default where CI is set
    #[arg(long)]
    ci: bool,
    /// Stop at the first failure
    #[arg(long)]
    bail: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reports: ReportArgs,
    #[command(flatten)]
    server: ServerArgs,
}

/// A suite with its place.
struct Found {
    /// As it is shown.
    file: String,
    folder: PathBuf,
    suite: Suite,
    /// The servers file that it uses.
    servers: Option<PathBuf>,
}

/// Results so far.
#[derive(Default)]
struct Outcome {
    report: Report,
    /// The worst of the reasons to stop.
    stopped: Option<Exit>,
    incomplete: bool,
}

impl Test {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let began = Instant::now();
        let suites = self.suites()?;
        if suites.is_empty() {
            return Err(Failed::incomplete("There are no suites to run.")
                .more([format!("A suite is a file whose name ends with {SUITE}.")]));
        }
        let cancel = context.stop.interrupted().child_token();
        let timed_out = Arc::new(AtomicBool::new(false));
        if let Some(limit) = self.server.timeout {
            let (cancel, timed_out) = (cancel.clone(), Arc::clone(&timed_out));
            tokio::spawn(async move {
                tokio::time::sleep(limit).await;
                timed_out.store(true, Ordering::Relaxed);
                cancel.cancel();
            });
        }
        let mut options = RunOptions::new(fresh_services());
        options.environment.clone_from(&self.env);
        options.revision.clone_from(&self.server.revision);
        options.transport.clone_from(&self.transport);
        options.bail = self.bail;
        options.cancel = cancel.clone();
        options.update = match (self.update, self.ci || in_ci()) {
            (true, _) => Update::All,
            (_, true) => Update::Never,
            _ => Update::Missing,
        };
        if let Some(given) = self.server.replacement()? {
            options.server = Some(replacement(given));
            options.servers_folder = PathBuf::from(".");
        }
        let mut outcome = Outcome::default();
        // Suites of one servers file share a runner, which keeps the connections that they share.
        let mut by_servers: BTreeMap<Option<PathBuf>, Vec<Found>> = BTreeMap::new();
        for found in suites {
            by_servers
                .entry(found.servers.clone())
                .or_default()
                .push(found);
        }
        'all: for (file, suites) in by_servers {
            let mut options = options.clone();
            if let (Some(file), None) = (&file, &options.server) {
                options.servers = Some(Arc::new(read_servers(file)?));
                options.servers_folder = folder_of(file);
            }
            let mut runner = Runner::new(options);
            for found in &suites {
                if self
                    .one(&mut runner, found, &context.console, &mut outcome)
                    .await
                {
                    runner.close().await;
                    break 'all;
                }
            }
            runner.close().await;
        }
        context.console.clear();
        outcome.report.took = began.elapsed();
        outcome.report.title = title(&outcome.report);
        self.reports.write(&outcome.report)?;
        match self.json {
            true => print_text(&report::json(&outcome.report)),
            false => print(&format!(
                "\n{} in {}",
                styled(BOLD, outcome.report.counts()),
                show_duration(outcome.report.took)
            )),
        }
        Ok(match timed_out.load(Ordering::Relaxed) {
            true => Exit::TimedOut,
            false => outcome.exit(),
        })
    }

    /// Runs all cases of a suite. Returns true if nothing else shall run.
    async fn one(
        &self,
        runner: &mut Runner,
        found: &Found,
        console: &Console,
        outcome: &mut Outcome,
    ) -> bool {
        for case in runner.cases(&found.suite) {
            let shows = !self.json;
            let label = case.label();
            let name = found
                .suite
                .name
                .clone()
                .unwrap_or_else(|| found.file.clone());
            if shows {
                let label = match label.is_empty() {
                    true => String::new(),
                    false => styled(DIM, format_args!(" ({label})")),
                };
                print(&format!("{}{label}", styled(BOLD, visible(&name))));
            }
            let mut tell = |event: Event<'_>| match event {
                Event::StepStarted { title, attempt, .. } if io::stderr().is_terminal() => {
                    let again = match attempt {
                        1 => String::new(),
                        number => format!(" (attempt {number})"),
                    };
                    console.progress(&format!("  {}{again}…", visible(title)));
                }
                Event::StepFinished(step) if shows => {
                    console.clear();
                    show(&found.file, step);
                }
                _ => {}
            };
            let every = |_: usize, _: &sonde_suite::format::Step| true;
            let ran = runner.run(&found.suite, &found.folder, &case, &every, &mut tell);
            let ran = ran.await;
            let stops = matches!(ran.stopped, Some(Stopped::Cancelled | Stopped::Bailed));
            if let (Some(stopped), true) = (&ran.stopped, shows) {
                show_stopped(&found.file, stopped);
            }
            outcome.add(found, name, &ran);
            if stops {
                return true;
            }
        }
        false
    }

    fn suites(&self) -> Result<Vec<Found>> {
        let mut files = Vec::new();
        let here = [PathBuf::from(".")];
        let paths = match self.paths.is_empty() {
            true => &here[..],
            false => &self.paths[..],
        };
        for path in paths {
            match path.is_dir() {
                true => search(path, DEPTH, &mut files)?,
                false => files.push(path.clone()),
            }
        }
        let mut problems = Vec::new();
        let mut suites = Vec::new();
        for path in files {
            let file = path.display().to_string();
            let file = file.strip_prefix("./").unwrap_or(&file).to_owned();
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Failed::usage(format!("{file} cannot be read: {error}.")))?;
            let own = path.file_name().unwrap_or_default().to_string_lossy();
            match Suite::read(&own, &text) {
                Ok(suite) => suites.push(Found {
                    servers: self.servers_of(&path),
                    folder: folder_of(&path),
                    file,
                    suite,
                }),
                Err(found) => problems.extend(found.list.iter().map(|one| at(&file, one))),
            }
        }
        match problems.is_empty() {
            true => Ok(suites),
            false => Err(Failed::usage("Suites cannot be read.").more(problems)),
        }
    }

    /// The servers file for a suite: the one that was named, or the nearest beside it or above it.
    fn servers_of(&self, suite: &Path) -> Option<PathBuf> {
        if let Some(config) = &self.server.config {
            return Some(config.clone());
        }
        servers_file(suite.parent()?)
    }
}

impl Outcome {
    fn add(&mut self, found: &Found, name: String, ran: &CaseReport) {
        let (stopped, exit) = match &ran.stopped {
            None | Some(Stopped::Bailed) => (None, None),
            Some(Stopped::Files(problems)) => {
                let lines = problems
                    .iter()
                    .map(|one| broken("files", &one.message, Some(one)));
                (Some(lines.collect::<Vec<_>>()), Some(Exit::Usage))
            }
            Some(Stopped::NotConnected { words, sign_in }) => {
                let exit = match sign_in {
                    true => Exit::SignInNeeded,
                    false => Exit::ServerFailed,
                };
                (Some(vec![broken("connect", words, None)]), Some(exit))
            }
            Some(Stopped::Died(_)) => (None, Some(Exit::ServerFailed)),
            Some(Stopped::Cancelled) => (None, Some(Exit::Interrupted)),
        };
        if let Some(exit) = exit
            && self.stopped != Some(Exit::Interrupted)
        {
            self.stopped = Some(exit);
        }
        let mut cases: Vec<_> = ran.steps.iter().map(case).collect();
        self.incomplete |= ran
            .steps
            .iter()
            .any(|one| matches!(one.verdict, Said::Incomplete(_)));
        if let Some(problems) = stopped {
            cases.push(Case {
                name: "Connect".to_owned(),
                verdict: Verdict::Broken,
                problems,
                ..Case::default()
            });
        }
        // What did not run is told as such.
        let rest = found.suite.steps.iter().enumerate();
        let rest = rest.filter(|(index, _)| ran.steps.iter().all(|one| one.index != *index));
        cases.extend(rest.map(|(_, step)| Case {
            name: step.title(),
            verdict: Verdict::Skipped,
            ..Case::default()
        }));
        let mut properties = Vec::new();
        if let Some(server) = &ran.server {
            let server_name = [server.name.clone(), server.version.clone()];
            let server_name: Vec<_> = server_name.into_iter().flatten().collect();
            properties.push(("server".to_owned(), server_name.join(" ")));
            properties.push(("protocol version".to_owned(), server.revision.clone()));
        }
        if let Some(transport) = &ran.case.transport {
            properties.push(("transport".to_owned(), transport.clone()));
        }
        let label = ran.case.label();
        self.report.groups.push(Group {
            name: match label.is_empty() {
                true => name,
                false => format!("{name} ({label})"),
            },
            file: Some(found.file.clone()),
            properties,
            cases,
            stderr: ran
                .steps
                .iter()
                .flat_map(|one| one.stderr.clone())
                .collect(),
        });
    }

    fn exit(&self) -> Exit {
        let ran = self.report.count(Verdict::Passed) + self.report.count(Verdict::Failed);
        match self.stopped {
            Some(exit) => exit,
            None if self.report.count(Verdict::Failed) > 0 => Exit::GateFailed,
            None if self.incomplete || self.report.count(Verdict::Broken) > 0 || ran == 0 => {
                Exit::Incomplete
            }
            None => Exit::Success,
        }
    }
}

/// A step as a case of the report.
fn case(step: &StepReport) -> Case {
    let (verdict, words) = match &step.verdict {
        Said::Passed => (Verdict::Passed, None),
        Said::Failed => (Verdict::Failed, None),
        Said::Skipped(_) => (Verdict::Skipped, None),
        Said::Incomplete(words) | Said::Broken(words) => (Verdict::Broken, Some(words)),
    };
    let place = Some((step.span.line, step.span.column));
    let mut problems: Vec<_> = step
        .failures
        .iter()
        .map(|failure| Problem {
            rule: "expect".to_owned(),
            message: failure.words.clone(),
            place: Some((failure.span.line, failure.span.column)),
            ..Problem::default()
        })
        .collect();
    problems.extend(words.map(|words| Problem {
        place,
        ..broken("step", words, None)
    }));
    Case {
        name: match &step.group {
            Some(group) => format!("{group}: {}", step.title),
            None => step.title.clone(),
        },
        verdict,
        took: step.duration.unwrap_or_default(),
        problems,
        retries: step.attempts.saturating_sub(1),
    }
}

fn broken(rule: &str, words: &str, at: Option<&FileProblem>) -> Problem {
    Problem {
        rule: rule.to_owned(),
        message: words.to_owned(),
        place: at
            .filter(|one| one.span.line > 0)
            .map(|one| (one.span.line, one.span.column)),
        ..Problem::default()
    }
}

fn show(file: &str, step: &StepReport) {
    let (mark, style) = match &step.verdict {
        Said::Passed => ("✓", GREEN),
        Said::Failed => ("✗", RED),
        Said::Skipped(_) => ("-", DIM),
        Said::Incomplete(_) => ("?", YELLOW),
        Said::Broken(_) => ("!", RED),
    };
    let time = step.duration.map(show_duration).unwrap_or_default();
    let again = match step.attempts {
        0 | 1 => String::new(),
        attempts => format!(" after {attempts} attempts"),
    };
    print(&format!(
        "  {} {} {}",
        styled(style, mark),
        visible(&step.title),
        styled(DIM, format_args!("{time}{again}"))
    ));
    for failure in &step.failures {
        let place = format!("{file}:{}:{}", failure.span.line, failure.span.column);
        print(&format!(
            "      {}: {}",
            styled(DIM, place),
            visible(&failure.words)
        ));
    }
    match &step.verdict {
        Said::Incomplete(words) | Said::Broken(words) => {
            let place = format!("{file}:{}:{}", step.span.line, step.span.column);
            print(&format!("      {}: {}", styled(DIM, place), visible(words)));
        }
        Said::Skipped(words) if !words.is_empty() => {
            print(&styled(DIM, format_args!("      {}", visible(words))));
        }
        _ => {}
    }
    let different = |one: &&sonde_suite::snapshot::Snapshot| one.state == SnapshotState::Different;
    if step.snapshots.iter().any(|one| different(&one)) && step.verdict == Said::Failed {
        print(&styled(
            DIM,
            "      If this is meant, store it with --update.",
        ));
    }
    if step.verdict != Said::Passed {
        for line in &step.stderr {
            print(&styled(
                DIM,
                format_args!("      stderr: {}", visible(line)),
            ));
        }
    }
}

fn show_stopped(file: &str, stopped: &Stopped) {
    let words = match stopped {
        Stopped::Files(problems) => problems
            .iter()
            .map(|one| at(file, one))
            .collect::<Vec<_>>()
            .join("\n"),
        Stopped::NotConnected { words, .. } => words.clone(),
        Stopped::Died(words) => format!("The connection ended: {words}"),
        Stopped::Cancelled => "Interrupted; the remaining steps did not run.".to_owned(),
        Stopped::Bailed => "The remaining steps did not run (--bail).".to_owned(),
    };
    for line in words.lines() {
        print(&format!("  {}", styled(RED, visible(line))));
    }
}

fn at(file: &str, problem: &FileProblem) -> String {
    let span = problem.span;
    match span.line {
        0 => format!("{file}: {}", problem.message),
        line => format!("{file}:{line}:{}: {}", span.column, problem.message),
    }
}

/// "3 suites".
fn title(report: &Report) -> String {
    match &report.groups[..] {
        [one] => one.name.clone(),
        all => count(all.len(), "suite"),
    }
}

/// The server that replaces the one of the suites.
fn replacement(given: Given) -> Server {
    match given {
        Given::Url { url, headers } => Server {
            http: Some(HttpServer {
                url,
                headers,
                ready: Duration::from_secs(10),
                ..HttpServer::default()
            }),
            ..Server::default()
        },
        Given::Command { command, args } => Server {
            stdio: Some(Program {
                command,
                args,
                ..Program::default()
            }),
            ..Server::default()
        },
    }
}

/// Adds the suites of a folder and below, in the order of their names.
fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let bad =
        |error: io::Error| Failed::usage(format!("{} cannot be read: {error}.", folder.display()));
    let mut entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.collect::<io::Result<Vec<_>>>())
        .map_err(bad)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link to a folder may lead in a circle.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && !name.starts_with('.') && !SKIPPED.contains(&&*name) {
            search(&entry.path(), depth - 1, found)?;
        } else if !is_folder && name.ends_with(SUITE) {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

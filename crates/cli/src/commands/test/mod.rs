//! `sonde test`: runs suites.

mod find;
mod outcome;
mod show;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::future::join_all;
use sonde_suite::{
    run::{
        CaseReport, Event, NoConnection, RunOptions, Runner, StopReason, Update, Verdict as Said,
        secret_names, stored_secrets,
    },
    servers::revision,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::{
    find::{FoundSuite, folder_of, suites},
    outcome::{NO_STEPS, Outcome},
    show::{coverage, step_lines, stopped_lines},
};
use crate::{
    Context,
    answers::in_ci,
    console::{BOLD, Console, DIM, RED, YELLOW, print, print_text, styled, visible},
    exit::{Exit, Failed, Result},
    report::{self, Report, ReportArgs, Verdict},
    servers::{ServerArgs, fresh_services, listed, listed_in, protocol, read_servers, stored},
    units::{count, show_duration},
};

/// Time between two writes into a pipe.
const PRINT_INTERVAL: Duration = Duration::from_millis(100);

/// Run suites of checks (*.sonde.yaml)
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde test [OPTIONS] [PATHS]...\n       sonde test [OPTIONS] [PATHS]... -- COMMAND...",
    after_help = "\
Without paths, all suites in the present folder and below; left out are folders whose names begin with a dot,
node_modules, target, __snapshots__, links to folders, and what is more than 16 folders below. Servers are looked for in
`sonde.servers.yaml` beside a suite or above it, then in Sonde's list, or in the file of --config; --url or a command
replaces the server of all suites.

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
    /// Transport of the servers, instead of that in the suites
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
    /// Suites that run at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Run a suite again, at most this many times, while steps of it fail. A suite that then passes is flaky
    #[arg(long, default_value_t = 0, value_name = "TIMES", value_parser = clap::value_parser!(u16).range(0..=100))]
    retry_failed: u16,
    /// Name the tools, prompts and resources of the servers that no step uses
    #[arg(long)]
    coverage: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reports: ReportArgs,
    #[command(flatten)]
    server: ServerArgs,
}

impl Test {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let read = self.paths.iter().chain(&self.server.config);
        report::check_outputs(self.reports.files(), read)?;
        let (report, exit) = match self.test(context).await {
            Ok(done) => done,
            Err(failed) => {
                let name = "sonde test".to_owned();
                return Err(self.reports.write_failure(name, failed, self.json));
            }
        };
        match self.json {
            true => print_text(&report::json(&report)),
            false => {
                coverage(&report.coverage)
                    .iter()
                    .for_each(|line| print(line));
                if exit == Exit::Incomplete && report.count(Verdict::Broken) == 0 {
                    let words = "\nNothing was established: every step was skipped.";
                    print(&styled(YELLOW, words));
                }
                print(&format!(
                    "\n{} in {}",
                    styled(BOLD, report.counts()),
                    show_duration(report.took)
                ));
            }
        }
        self.reports.write(&report)?;
        let interrupted = context.stop.interrupted().is_cancelled();
        Ok(match exit {
            Exit::Interrupted if !interrupted => Exit::TimedOut,
            exit => exit,
        })
    }

    async fn test(&self, context: &Context) -> Result<(Report, Exit)> {
        let began = Instant::now();
        if self.server.log.is_some() || !self.server.root.is_empty() {
            return Err(Failed::usage(
                "`--log` and `--root` are for one connection. A suite has `roots` under `client`; reports tell of its \
                 messages.",
            ));
        }
        let suites = suites(&self.paths, self.server.config.as_deref())?;
        let cancel = context.stop.interrupted().child_token();
        if let Some(limit) = self.server.timeout {
            let cancel = cancel.clone();
            tokio::spawn(async move {
                tokio::time::sleep(limit).await;
                cancel.cancel();
            });
        }
        let mut options = RunOptions::new(fresh_services());
        options.environment.clone_from(&self.env);
        if let Some(name) = &self.server.revision {
            options.revision = Some(revision(&protocol(name)?).to_owned());
        }
        options.transport.clone_from(&self.transport);
        options.bail = self.bail;
        options.cancel = cancel.clone();
        options.update = match (self.update, self.ci || in_ci()) {
            (true, _) => Update::All,
            (_, true) => Update::Never,
            _ => Update::Missing,
        };
        options.server = self.server.replacement().await?;
        options.coverage = self.coverage;
        let of_client = match &self.server.config {
            Some(file) => listed_in(file).await?,
            None => None,
        };
        let has_servers = options.server.is_some() || of_client.is_some();
        options.listed = of_client.or_else(|| Some(listed()));
        if self.env.is_some() && (has_servers || suites.iter().all(|found| found.servers.is_none()))
        {
            return Err(Failed::usage(
                "`--env` names an environment of `sonde.servers.yaml`, and no such file is used here.",
            ));
        }
        let names = secret_names(suites.iter().map(|found| &found.suite));
        options.secrets = stored_secrets(&stored(), &options.env, names).await;
        let mut by_servers = BTreeMap::new();
        for found in &suites {
            let mut options = options.clone();
            if let Some(file) = &found.servers
                && !has_servers
            {
                options.servers = Some(Arc::new(read_servers(file)?));
                options.servers_folder = folder_of(file);
            }
            by_servers.insert(found.servers.clone(), options);
        }
        let workers = usize::from(self.jobs).min(suites.len());
        let shared = Shared {
            by_servers,
            queue: RefCell::new(suites.into_iter().enumerate().collect()),
            outcome: RefCell::default(),
            console: &context.console,
            interrupted: context.stop.interrupted(),
            is_live: workers == 1,
            printed: PrintedLines::new(),
        };
        let work = join_all((0..workers).map(|_| self.work(&shared)));
        tokio::select! {
            _ = work => {}
            () = shared.printed.print_often() => {}
        }
        shared.printed.print();
        let (mut report, exit) = shared.outcome.into_inner().finish();
        context.console.clear();
        report.took = began.elapsed();
        report.title = title(&report);
        Ok((report, exit))
    }

    /// Runs suites until none is left. Suites with the same servers file share a runner, and so their shared
    /// connections.
    async fn work(&self, shared: &Shared<'_>) {
        let mut runners = BTreeMap::new();
        loop {
            let next = shared.queue.borrow_mut().pop_front();
            let Some((order, found)) = next else { break };
            let Some(options) = shared.by_servers.get(&found.servers) else {
                continue;
            };
            let runner = runners.entry(found.servers.clone());
            let runner = runner.or_insert_with(|| Runner::new(options.clone()));
            if self.suite(runner, &found, order, shared).await {
                let rest = std::mem::take(&mut *shared.queue.borrow_mut());
                let mut outcome = shared.outcome.borrow_mut();
                rest.iter()
                    .for_each(|(order, found)| outcome.add_not_run(found, *order, String::new()));
            }
        }
        for runner in runners.into_values() {
            runner.close().await;
        }
    }

    /// Runs all cases of a suite. Returns true if nothing else shall run.
    async fn suite(
        &self,
        runner: &mut Runner,
        found: &FoundSuite,
        order: usize,
        shared: &Shared<'_>,
    ) -> bool {
        let mut lines = Lines {
            shows: !self.json,
            kept: (!shared.is_live).then(Vec::new),
            printed: &shared.printed,
        };
        let (console, is_live) = (shared.console, shared.is_live);
        let mut cases = runner.cases(&found.suite).into_iter();
        while let Some(case) = cases.next() {
            let label = match case.label() {
                label if label.is_empty() => String::new(),
                label => styled(DIM, format_args!(" ({label})")),
            };
            lines.add(format!("{}{label}", styled(BOLD, visible(&found.name()))));
            if found.suite.steps.is_empty() {
                let words = format!("{}: {NO_STEPS}", visible(&found.file));
                lines.add(format!("  {}", styled(RED, words)));
            }
            let mut runs: Vec<CaseReport> = Vec::new();
            loop {
                let mut tell = |event: Event<'_>| match event {
                    Event::StepStarted { title, attempt, .. } if is_live => {
                        let again = match attempt {
                            1 => String::new(),
                            number => format!(" (attempt {number})"),
                        };
                        console.status(&format!("  {}{again}…", visible(title)));
                    }
                    Event::StepFinished(step) => {
                        console.clear();
                        step_lines(&found.file, step)
                            .into_iter()
                            .for_each(|line| lines.add(line));
                    }
                    _ => {}
                };
                let every = |_: usize, _: &sonde_suite::format::Step| true;
                let ran = runner.run(&found.suite, &found.folder, &case, &every, &mut tell);
                let ran = ran.await;
                if let Some(stopped) = &ran.stopped {
                    stopped_lines(&found.file, stopped, shared.cancelled())
                        .into_iter()
                        .for_each(|line| lines.add(line));
                }
                let runs_again = may_pass(&ran) && runs.len() < self.retry_failed.into();
                runs.push(ran);
                if !runs_again {
                    break;
                }
                let words = format!("  Runs again ({} of {})", runs.len(), self.retry_failed);
                lines.add(styled(YELLOW, words));
            }
            let stopped = runs.last().and_then(|ran| ran.stopped.as_ref());
            let stops = |why: &StopReason| match why {
                StopReason::Cancelled => true,
                // Nothing failed: the version of the next case may be spoken.
                StopReason::NotConnected {
                    why: NoConnection::OtherVersion,
                    ..
                } => false,
                _ => self.bail,
            };
            let stops = stopped.is_some_and(stops);
            let mut outcome = shared.outcome.borrow_mut();
            outcome.add(found, order, &runs, shared.cancelled());
            if stops {
                cases.for_each(|case| outcome.add_not_run(found, order, case.label()));
                return true;
            }
        }
        false
    }
}

/// Everything that the workers share.
struct Shared<'a> {
    /// Options by servers file.
    by_servers: BTreeMap<Option<PathBuf>, RunOptions>,
    queue: RefCell<VecDeque<(usize, FoundSuite)>>,
    outcome: RefCell<Outcome>,
    console: &'a Console,
    interrupted: &'a CancellationToken,
    /// One suite runs at a time, so that its lines need not wait for its end.
    is_live: bool,
    printed: PrintedLines,
}

impl Shared<'_> {
    /// Why a run was cancelled.
    fn cancelled(&self) -> &'static str {
        match self.interrupted.is_cancelled() {
            true => "Interrupted; the remaining steps did not run.",
            false => "The time limit passed; the remaining steps did not run.",
        }
    }
}

/// Lines to be printed. They are combined for a pipe, so that its reader is not woken for each of a thousand lines.
struct PrintedLines {
    lines: Mutex<Vec<String>>,
    to_terminal: bool,
}

impl PrintedLines {
    fn new() -> Self {
        Self {
            lines: Mutex::default(),
            to_terminal: io::stdout().is_terminal(),
        }
    }

    /// Prints lines, at once on a terminal.
    fn add(&self, lines: impl IntoIterator<Item = String>) {
        self.lines().extend(lines);
        if self.to_terminal {
            self.print();
        }
    }

    async fn print_often(&self) {
        loop {
            tokio::time::sleep(PRINT_INTERVAL).await;
            self.print();
        }
    }

    fn print(&self) {
        let lines = std::mem::take(&mut *self.lines());
        if !lines.is_empty() {
            print(&lines.join("\n"));
        }
    }

    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines of a suite: printed as they come, or together at its end.
struct Lines<'a> {
    shows: bool,
    kept: Option<Vec<String>>,
    printed: &'a PrintedLines,
}

impl Lines<'_> {
    fn add(&mut self, line: String) {
        match &mut self.kept {
            _ if !self.shows => {}
            Some(kept) => kept.push(line),
            None => self.printed.add([line]),
        }
    }
}

impl Drop for Lines<'_> {
    fn drop(&mut self) {
        self.printed.add(self.kept.take().into_iter().flatten());
    }
}

/// True if another run may pass.
fn may_pass(ran: &CaseReport) -> bool {
    let is_wrong =
        |verdict: &Said| matches!(verdict, Said::Failed | Said::Broken(_) | Said::TimedOut(_));
    match &ran.stopped {
        Some(StopReason::Files(_) | StopReason::Cancelled) => false,
        Some(StopReason::NotConnected { why, .. }) => *why == NoConnection::Failed,
        _ => ran.count(is_wrong) > 0,
    }
}

/// "3 suites".
fn title(report: &Report) -> String {
    let files: BTreeSet<_> = report.groups.iter().map(|group| &group.file).collect();
    match &report.groups[..] {
        [one] => one.name.clone(),
        _ => count(files.len(), "suite"),
    }
}

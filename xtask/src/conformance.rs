//! `cargo xtask conformance`: the official suite judges the engine as a client, and the demo server.

mod suite;

mod run;

mod server;

use std::{
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};

use crate::{
    build,
    project::{self, Profile},
    results::{TestResult, Which},
    step,
};
use run::Verdict;
use suite::{Case, Suite};

/// Number of runs in the suite. Fewer means that scenarios were lost.
const RUNS: usize = 69;

/// Simultaneous runs. Each waits most of its time.
const AT_ONCE: usize = 2;

/// Selection of the runs.
#[derive(Default)]
pub(crate) struct Selection<'a> {
    /// Only scenarios whose name contains this.
    pub(crate) only: Option<&'a str>,
    /// Only this protocol version (`extension` for scenarios without one).
    pub(crate) revision: Option<&'a str>,
    /// Let the session detect the protocol version of each server, as in the app, instead of setting it.
    pub(crate) automatic: bool,
}

impl Selection<'_> {
    fn has(&self, case: &Case) -> bool {
        self.only.is_none_or(|only| case.scenario.contains(only))
            && self.revision.is_none_or(|wanted| wanted == case.revision())
    }
}

/// Runs the scenarios that were chosen by name.
pub(crate) fn run(selection: &Selection<'_>) -> Result<()> {
    build::everything()?;
    let results = play(selection.automatic, |case| selection.has(case))?;
    let failed: Vec<&str> = results
        .iter()
        .filter(|run| run.failure.is_some())
        .map(|run| run.name.as_str())
        .collect();
    println!("\n{}/{}", results.len() - failed.len(), results.len());
    if !failed.is_empty() {
        bail!("{} failed: {}", failed.len(), failed.join(", "));
    }
    Ok(())
}

/// Runs the scenarios as tests. The automatic runs leave out signing in, which is the same whatever version is used
/// afterwards.
pub(crate) fn tests(automatic: bool, which: Which<'_>) -> Result<Vec<TestResult>> {
    let results = play(automatic, |case| match which {
        Which::All => !(automatic && case.signs_in()),
        Which::Named(part) => name(case).contains(part),
        Which::These(tests) => tests.iter().any(|test| test.name == name(case)),
    })?;
    if matches!(which, Which::All) && !automatic && results.len() < RUNS {
        bail!(
            "the suite had {RUNS} runs before, and has {} now",
            results.len()
        );
    }
    Ok(results)
}

/// Names a scenario at a protocol version as reports do.
fn name(case: &Case) -> String {
    format!("{} at {}", case.scenario, case.revision())
}

/// Runs scenarios one by one: only then does the suite respect the client's exit code.
fn play(automatic: bool, chosen: impl Fn(&Case) -> bool) -> Result<Vec<TestResult>> {
    let suite = Suite::install()?;
    let client = project::program("conformance-client", Profile::Dev);
    let mut cases = suite.cases()?;
    cases.retain(chosen);
    if cases.is_empty() {
        bail!("the suite has no such scenario");
    }
    let waiting = Mutex::new(cases.iter().enumerate());
    let work = || -> Result<Vec<(usize, TestResult)>> {
        let mut results = Vec::new();
        while let Some((at, case)) = waiting.lock().ok().and_then(|mut cases| cases.next()) {
            let folder = project::cache_path("conformance")
                .join(case.scenario.replace('/', "-"))
                .join(case.revision());
            let begin = Instant::now();
            let verdict = run::run(&suite, case, &client, &folder, automatic)?;
            println!("{}", line(case, &verdict, begin.elapsed()));
            let result = TestResult {
                suite: "conformance".to_owned(),
                name: name(case),
                seconds: begin.elapsed().as_secs_f64(),
                failure: (!verdict.passed).then(|| {
                    let reason = verdict.reason.unwrap_or_default();
                    format!("{reason}\nits files: {}", folder.display())
                }),
            };
            results.push((at, result));
        }
        Ok(results)
    };
    let ended: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join()).collect()
    });
    let mut results = Vec::new();
    for worker in ended {
        let Ok(done) = worker else {
            bail!("running the suite panicked");
        };
        results.extend(done?);
    }
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Lets the suite judge the demo server. Returns the number of passed checks.
pub(crate) fn judge_demo_server() -> Result<String> {
    let suite = Suite::install()?;
    build::everything()?;
    server::judge_demo(&suite)
}

fn line(case: &Case, verdict: &Verdict, took: Duration) -> String {
    let mark = if verdict.passed { "✓" } else { "✗" };
    let took = step::seconds(took);
    let mut line = format!(
        "  {mark} {:<43} {:<10}  {:>2}/{:<2} checks  {took:>6}",
        case.scenario,
        case.revision(),
        verdict.successes,
        verdict.checks,
    );
    if let Some(reason) = &verdict.reason {
        line.push_str(&format!("  {reason}"));
    }
    line
}

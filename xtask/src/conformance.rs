//! `cargo xtask conformance`: the official suite judges the engine as a client, and the demo server.

mod suite;

mod run;

mod server;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

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

/// Choice of what to judge.
#[derive(Args)]
pub(crate) struct Options {
    /// Only scenarios whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Only this protocol revision (`extension` for scenarios without one).
    #[arg(long)]
    revision: Option<String>,
    /// Let the session find out what each server speaks, instead of telling it the revision.
    #[arg(long)]
    automatic: bool,
    /// Let it judge the demo server instead.
    #[arg(long, conflicts_with_all = ["only", "revision", "automatic"])]
    server: bool,
}

/// Runs the scenarios that were chosen by name, or those of the demo server.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.server {
        return judge_demo_server().map(drop);
    }
    build::everything()?;
    let (only, revision) = (options.only.as_deref(), options.revision.as_deref());
    let results = play(&Suite::install()?, options.automatic, |case| {
        only.is_none_or(|only| case.scenario.contains(only))
            && revision.is_none_or(|wanted| wanted == case.revision())
    })?;
    if results.is_empty() {
        bail!("the suite has no such scenario");
    }
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
    tests_of(&Suite::install()?, automatic, which)
}

fn tests_of(suite: &Suite, automatic: bool, which: Which<'_>) -> Result<Vec<TestResult>> {
    let results = play(suite, automatic, |case| match which {
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
fn play(suite: &Suite, automatic: bool, chosen: impl Fn(&Case) -> bool) -> Result<Vec<TestResult>> {
    let client = project::program("conformance-client", Profile::Dev);
    let mut cases = suite.cases()?;
    cases.retain(chosen);
    let run_one = |case: &Case| -> Result<TestResult> {
        let folder = project::cache_path("conformance")
            .join(case.scenario.replace('/', "-"))
            .join(case.revision());
        let begin = Instant::now();
        let verdict = run::run(suite, case, &client, &folder, automatic)?;
        println!("{}", line(case, &verdict, begin.elapsed()));
        Ok(TestResult {
            suite: "conformance".to_owned(),
            name: name(case),
            seconds: begin.elapsed().as_secs_f64(),
            failure: (!verdict.passed).then(|| {
                let reason = verdict.reason.unwrap_or_default();
                format!("{reason}\nits files: {}", folder.display())
            }),
        })
    };
    step::in_threads(&cases, AT_ONCE, run_one)
        .into_iter()
        .collect()
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::node_program::NodeProgram;

    #[test]
    fn a_name_of_other_tests_runs_no_scenario() {
        // Prints this list, whatever it is asked.
        let suite = Suite(NodeProgram {
            node: "printf".into(),
            script: "- initialize [2025-11-25]\n".into(),
        });
        let results = tests_of(&suite, false, Which::Named("a name of another suite"));
        assert_eq!(results.unwrap(), []);
    }
}

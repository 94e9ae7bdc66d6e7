//! `cargo xtask conformance`: the official suite judges the engine as a client, and the demo server.

mod suite;

mod run;

mod server;

use std::time::Instant;

use anyhow::{Result, bail};

use crate::{
    build,
    project::{self, Profile},
    step,
};
use run::Verdict;
use suite::{Case, Suite};

/// How many runs the suite has: fewer means that scenarios were lost on the way.
const RUNS: usize = 69;

/// What to run.
#[derive(Default)]
pub(crate) struct Selection<'a> {
    /// Only scenarios whose name contains this.
    pub(crate) only: Option<&'a str>,
    /// Only this revision (`extension` for those without one).
    pub(crate) revision: Option<&'a str>,
    /// Let the session find out what each server speaks, as in the app, instead of telling it.
    pub(crate) automatic: bool,
    /// Leave out what is about signing in.
    pub(crate) without_sign_in: bool,
}

impl Selection<'_> {
    fn has(&self, case: &Case) -> bool {
        self.only.is_none_or(|only| case.scenario.contains(only))
            && self.revision.is_none_or(|wanted| wanted == case.revision())
            && !(self.without_sign_in && case.signs_in())
    }

    fn is_everything(&self) -> bool {
        self.only.is_none() && self.revision.is_none() && !self.without_sign_in
    }
}

/// Runs the scenarios one by one: only so the suite minds the client's exit code.
/// Answers how many were passed.
pub(crate) fn run(selection: &Selection<'_>) -> Result<String> {
    let suite = Suite::install()?;
    build::everything()?;
    let client = project::program("conformance-client", Profile::Dev);
    let mut cases = suite.cases()?;
    cases.retain(|case| selection.has(case));
    if cases.is_empty() {
        bail!("the suite has no such scenario");
    }
    let mut score = Score::default();
    for case in &cases {
        let folder = project::root()
            .join("target/conformance")
            .join(case.scenario.replace('/', "-"))
            .join(case.revision());
        let begin = Instant::now();
        let verdict = run::run(&suite, case, &client, &folder, selection.automatic)?;
        let took = step::seconds(begin.elapsed());
        println!("{}", line(case, &verdict, &took));
        score.add(case, &verdict);
    }
    score.settle(selection)
}

/// Lets the suite judge the demo server. Answers how many checks passed.
pub(crate) fn judge_demo_server() -> Result<String> {
    let suite = Suite::install()?;
    build::everything()?;
    server::judge_demo(&suite)
}

fn line(case: &Case, verdict: &Verdict, took: &str) -> String {
    let mark = if verdict.passed { "✓" } else { "✗" };
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

/// What all runs came to.
#[derive(Default)]
struct Score {
    runs: usize,
    failed: Vec<String>,
}

impl Score {
    fn add(&mut self, case: &Case, verdict: &Verdict) {
        self.runs += 1;
        if !verdict.passed {
            self.failed
                .push(format!("{} at {}", case.scenario, case.revision()));
        }
    }

    fn settle(&self, selection: &Selection<'_>) -> Result<String> {
        let passed = format!("{}/{}", self.runs - self.failed.len(), self.runs);
        println!("\n{passed}");
        if !self.failed.is_empty() {
            bail!("{} failed: {}", self.failed.len(), self.failed.join(", "));
        }
        if selection.is_everything() && self.runs < RUNS {
            bail!(
                "the suite had {RUNS} runs before, and has {} now",
                self.runs
            );
        }
        Ok(format!("{passed} passed"))
    }
}

//! Results of suites as cases of a report, and the exit code.

use std::collections::BTreeMap;

use sonde_client::catalogs::CatalogKind;
use sonde_suite::{
    problem::Problem as FileProblem,
    run::{
        CaseReport, Coverage as SuiteCoverage, NoConnection, StepReport, StopReason,
        Verdict as Said,
    },
};

use super::find::{FoundSuite, at};
use crate::{
    exit::Exit,
    report::{Case, Coverage, CoverageOfKind, Group, Level, Problem, Report, Verdict, labelled},
};

/// Problem of a suite without steps.
pub(super) const NO_STEPS: &str = "The suite has no steps, and so establishes nothing.";

/// Results so far.
#[derive(Default)]
pub(super) struct Outcome {
    /// The groups with the order of their suites.
    groups: Vec<(usize, Group)>,
    /// Items that servers list and that steps used, by server.
    coverage: BTreeMap<String, SuiteCoverage>,
    /// Highest code among the reasons to stop.
    stopped: Option<Exit>,
}

impl Outcome {
    /// Adds the runs of a case; the last one counts. `cancelled` is the reason why a run was cancelled.
    pub(super) fn add(
        &mut self,
        found: &FoundSuite,
        order: usize,
        runs: &[CaseReport],
        cancelled: &str,
    ) {
        let Some((ran, earlier)) = runs.split_last() else {
            return;
        };
        // A step may lose its connection without an end of the case.
        let lost = ran.steps.iter().filter_map(|step| match step.verdict {
            Said::Broken(_) => Some(Exit::ServerFailed),
            Said::TimedOut(_) => Some(Exit::TimedOut),
            _ => None,
        });
        let lost = lost.max();
        let (stopped, exit) = match &ran.stopped {
            None | Some(StopReason::Bailed) => (None, None),
            Some(StopReason::Files(problems)) => {
                let lines = problems.iter().map(|one| match &one.file {
                    // The problem's place is in the suite's file.
                    Some(file) => broken("files", &at(file, one), None),
                    None => broken("files", &one.message, Some(one)),
                });
                (Some(lines.collect::<Vec<_>>()), Some(Exit::Usage))
            }
            Some(StopReason::NotConnected { words, why }) => {
                let exit = match why {
                    NoConnection::Failed => Some(Exit::ServerFailed),
                    NoConnection::NeedsSignIn => Some(Exit::SignInNeeded),
                    NoConnection::OtherVersion => None,
                };
                (Some(vec![broken("connect", words, None)]), exit)
            }
            Some(StopReason::Died(_)) => (None, Some(Exit::ServerFailed)),
            Some(StopReason::Cancelled) => {
                let problem = broken("stop", cancelled, None);
                (Some(vec![problem]), Some(Exit::Interrupted))
            }
        };
        self.stopped = self.stopped.max(lost).max(exit);
        let steps = ran.steps.iter();
        let mut cases: Vec<_> = steps.map(|step| case_of(step, earlier)).collect();
        if let Some(problems) = stopped {
            let name = match ran.stopped {
                Some(StopReason::Cancelled) => "Run to the end",
                Some(StopReason::Files(_)) => "Read the files",
                _ => "Connect",
            };
            cases.push(Case {
                problems,
                ..Case::new(name, Verdict::Broken)
            });
        }
        if found.suite.steps.is_empty() {
            cases.push(Case {
                problems: vec![broken("steps", NO_STEPS, None)],
                ..Case::new("Steps", Verdict::Broken)
            });
        }
        // Steps that did not run are reported as such, and the one under way as not finished.
        let rest = found.suite.steps.iter().enumerate();
        let rest = rest.filter(|(index, _)| ran.steps.iter().all(|one| one.index != *index));
        let was_running = ran.stopped == Some(StopReason::Cancelled) && ran.server.is_some();
        cases.extend(rest.enumerate().map(|(place, (_, step))| match place {
            0 if was_running => Case {
                problems: vec![broken("stop", "It was not finished.", None)],
                ..Case::new(step.title(), Verdict::Broken)
            },
            _ => Case::new(step.title(), Verdict::Skipped),
        }));
        let mut properties = Vec::new();
        if let Some(server) = &ran.server {
            properties.push(("server".to_owned(), server.title()));
            properties.push(("protocol version".to_owned(), server.revision.clone()));
        }
        if let Some(transport) = &ran.case.transport {
            properties.push(("transport".to_owned(), transport.clone()));
        }
        for (server, coverage) in runs.iter().flat_map(|ran| &ran.coverage) {
            let known = self.coverage.entry(server.clone()).or_default();
            known.offered.extend(coverage.offered.iter().cloned());
            known.used.extend(coverage.used.iter().cloned());
        }
        let label = ran.case.label();
        let group = Group {
            name: labelled(&found.name(), &label),
            file: Some(found.file.clone()),
            label,
            properties,
            cases,
            stderr: ran
                .steps
                .iter()
                .flat_map(|one| one.stderr.clone())
                .collect(),
        };
        self.groups.push((order, group));
    }

    /// Adds a suite, or the combination `label` of its matrix, that did not run because the command stopped.
    pub(super) fn add_not_run(&mut self, found: &FoundSuite, order: usize, label: String) {
        let steps = found.suite.steps.iter();
        let group = Group {
            name: labelled(&found.name(), &label),
            file: Some(found.file.clone()),
            label,
            cases: steps
                .map(|step| Case::new(step.title(), Verdict::Skipped))
                .collect(),
            ..Group::default()
        };
        self.groups.push((order, group));
    }

    /// The report of all that was added, in the order of the suites, and the exit code.
    pub(super) fn finish(mut self) -> (Report, Exit) {
        self.groups.sort_by_key(|(order, _)| *order);
        let coverage = self.coverage.iter();
        let report = Report {
            groups: self.groups.into_iter().map(|(_, group)| group).collect(),
            coverage: coverage
                .map(|(server, one)| of_server(server, one))
                .collect(),
            ..Report::default()
        };
        let [passed, failed, broken] =
            [Verdict::Passed, Verdict::Failed, Verdict::Broken].map(|one| report.count(one));
        let exit = match self.stopped {
            Some(exit) => exit,
            None if failed > 0 => Exit::GateFailed,
            None if broken > 0 || passed == 0 => Exit::Incomplete,
            None => Exit::Success,
        };
        (report, exit)
    }
}

fn of_server(server: &str, coverage: &SuiteCoverage) -> Coverage {
    let kinds = [
        CatalogKind::Tools,
        CatalogKind::Prompts,
        CatalogKind::Resources,
    ];
    let kinds = kinds.into_iter().filter_map(|kind| {
        let offered = coverage.offered.iter().filter(|one| one.0 == kind);
        let offered: Vec<_> = offered.collect();
        let open = offered.iter().filter(|one| !coverage.used.contains(**one));
        (!offered.is_empty()).then(|| CoverageOfKind {
            kind: kind.noun(),
            offered: offered.len(),
            without_step: open.map(|one| one.1.clone()).collect(),
        })
    });
    Coverage {
        server: server.to_owned(),
        kinds: kinds.collect(),
    }
}

/// Returns a step as a case, with its failures in earlier runs. The first step also gets failures of the connection.
fn case_of(step: &StepReport, earlier: &[CaseReport]) -> Case {
    let before = |ran: &CaseReport| {
        let before = ran.steps.iter().find(|one| one.index == step.index);
        match (before, &ran.stopped) {
            (Some(before), _) => {
                let before = case(before);
                matches!(before.verdict, Verdict::Failed | Verdict::Broken).then_some(before)
            }
            (None, Some(StopReason::NotConnected { words, .. })) if step.index == 0 => Some(Case {
                problems: vec![broken("connect", words, None)],
                ..Case::new(&step.title, Verdict::Broken)
            }),
            _ => None,
        }
    };
    Case {
        earlier: earlier.iter().filter_map(before).collect(),
        ..case(step)
    }
}

/// A step as a case of the report.
fn case(step: &StepReport) -> Case {
    let (verdict, words) = match &step.verdict {
        Said::Passed => (Verdict::Passed, None),
        Said::Failed => (Verdict::Failed, None),
        Said::Skipped(_) => (Verdict::Skipped, None),
        Said::Incomplete(words) | Said::Broken(words) | Said::TimedOut(words) => {
            (Verdict::Broken, Some(words))
        }
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
    if verdict == Verdict::Passed && step.attempts > 1 {
        problems.push(Problem {
            rule: "retry".to_owned(),
            level: Level::Note,
            message: format!("It passed after {} attempts.", step.attempts),
            place,
            ..Problem::default()
        });
    }
    Case {
        name: match &step.group {
            Some(group) => format!("{group}: {}", step.title),
            None => step.title.clone(),
        },
        verdict,
        took: step.duration.unwrap_or_default(),
        problems,
        skip_reason: match &step.verdict {
            Said::Skipped(why) => Some(why.clone()).filter(|why| !why.is_empty()),
            _ => None,
        },
        retries: step.attempts.saturating_sub(1),
        earlier: Vec::new(),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sonde_suite::{format::Suite, problem::Span};

    use super::{super::title, *};

    fn ran(revision: &str, verdict: Option<Said>, stopped: Option<StopReason>) -> CaseReport {
        let step = |verdict| StepReport {
            index: 0,
            title: "ping".to_owned(),
            group: None,
            span: Span::default(),
            verdict,
            failures: Vec::new(),
            attempts: 1,
            duration: Some(Duration::ZERO),
            snapshots: Vec::new(),
            unjudged: None,
            entries: (0, 0),
            stderr: Vec::new(),
        };
        let mut report = CaseReport {
            steps: verdict.into_iter().map(step).collect(),
            stopped,
            ..CaseReport::default()
        };
        report.case.revision = Some(revision.to_owned());
        report
    }

    #[test]
    fn a_step_that_passed_after_a_retry_says_so() {
        let mut step = ran("", Some(Said::Passed), None).steps.remove(0);
        assert!(case(&step).problems.is_empty());
        step.attempts = 2;
        assert_eq!(
            case(&step).problems[0].message,
            "It passed after 2 attempts."
        );
    }

    #[test]
    fn the_exit_code_is_that_of_the_worst_case() {
        let text = "sonde: 1\nsteps: [{ ping: true }]\n";
        let found = FoundSuite {
            file: "a.sonde.yaml".to_owned(),
            folder: ".".into(),
            suite: Suite::read("a.sonde.yaml", text).unwrap(),
            servers: None,
        };
        let not_connected = |why| {
            let words = String::new();
            (None, Some(StopReason::NotConnected { words, why }))
        };
        let passed = || (Some(Said::Passed), None);
        let failed = || (Some(Said::Failed), None);
        let broken = || (Some(Said::Broken(String::new())), None);
        let timed_out = || (Some(Said::TimedOut(String::new())), None);
        let other_version = || not_connected(NoConnection::OtherVersion);
        let sign_in = || not_connected(NoConnection::NeedsSignIn);
        let wrong_file = || (None, Some(StopReason::Files(Vec::new())));
        for (one, other, expected) in [
            (passed(), passed(), Exit::Success),
            (passed(), other_version(), Exit::Incomplete),
            (failed(), other_version(), Exit::GateFailed),
            (broken(), failed(), Exit::ServerFailed),
            (sign_in(), wrong_file(), Exit::SignInNeeded),
            (timed_out(), failed(), Exit::TimedOut),
        ] {
            let cases = [("2025-11-25", one), ("2026-07-28", other)];
            for order in [[0, 1], [1, 0]] {
                let mut outcome = Outcome::default();
                for place in order {
                    let (revision, (verdict, stopped)) = cases[place].clone();
                    outcome.add(&found, 0, &[ran(revision, verdict, stopped)], "");
                }
                let (report, exit) = outcome.finish();
                assert_eq!(exit, expected, "{cases:?}");
                assert_eq!(title(&report), "1 suite");
            }
        }
    }
}

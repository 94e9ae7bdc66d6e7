//! The report as JUnit XML: a suite for each group, a case for each step.

use quick_junit::{NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::{Case, Group, Problem, Report, Verdict};
use crate::console::visible;

pub(super) fn junit(report: &Report) -> String {
    let mut junit = Junit::new(visible(&report.title));
    junit.set_time(report.took);
    for group in &report.groups {
        junit.add_test_suite(suite(group));
    }
    // Writing to memory does not fail.
    junit.to_string().unwrap_or_default()
}

fn suite(group: &Group) -> TestSuite {
    let mut suite = TestSuite::new(visible(&group.name));
    for (name, value) in &group.properties {
        suite.add_property(Property::new(visible(name), visible(value)));
    }
    suite.add_test_cases(group.cases.iter().map(|case| test_case(group, case)));
    suite.set_time(group.cases.iter().map(|case| case.took).sum());
    if !group.stderr.is_empty() {
        suite.set_system_err(visible(&group.stderr.join("\n")));
    }
    suite
}

fn test_case(group: &Group, case: &Case) -> TestCase {
    let status = match case.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::Failed => wrong(NonSuccessKind::Failure, group, case),
        Verdict::Broken => wrong(NonSuccessKind::Error, group, case),
    };
    let mut shown = TestCase::new(visible(&case.name), status);
    shown.set_classname(visible(group.file.as_deref().unwrap_or(&group.name)));
    shown.set_time(case.took);
    shown
}

fn wrong(kind: NonSuccessKind, group: &Group, case: &Case) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    if let Some(first) = case.problems.first() {
        status.set_message(visible(&first.message));
        status.set_type(first.rule.clone());
    }
    let lines = case.problems.iter().map(|problem| line(group, problem));
    status.set_description(visible(&lines.collect::<Vec<_>>().join("\n")));
    status
}

fn line(group: &Group, problem: &Problem) -> String {
    let at = match (&group.file, problem.place, &problem.subject) {
        (Some(file), Some((line, column)), _) => format!("{file}:{line}:{column}: "),
        (_, _, Some(subject)) => format!("{subject}: "),
        _ => String::new(),
    };
    let fix = problem.fix.iter().map(|fix| format!(" {fix}"));
    format!("{at}{}{}", problem.message, fix.collect::<String>())
}

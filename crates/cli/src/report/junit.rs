//! The report as JUnit XML: a suite for each group, a case for each step.

use std::collections::{HashMap, HashSet};

use quick_junit::{
    NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestRerun, TestSuite,
};

use super::{Case, Group, Report, Verdict, labelled};
use crate::console::visible;

pub(super) fn junit(report: &Report) -> String {
    let mut junit = Junit::new(visible(&report.title));
    junit.set_time(report.took);
    for group in &report.groups {
        junit.add_test_suite(suite(group));
    }
    // Writing to memory does not fail.
    let text = junit.to_string().unwrap_or_default();
    // Jenkins' schema has this count for each suite, but not in total.
    let skipped = format!(" skipped=\"{}\"", report.count(Verdict::Skipped));
    text.replacen(&skipped, "", 1)
}

fn suite(group: &Group) -> TestSuite {
    let mut suite = TestSuite::new(visible(&group.name));
    for (name, value) in &group.properties {
        suite.add_property(Property::new(visible(name), visible(value)));
    }
    // GitLab knows a case by its class and name, and hides all but one of equals.
    let own_names: HashSet<_> = group.cases.iter().map(|case| &case.name).collect();
    let mut counts = HashMap::new();
    suite.add_test_cases(group.cases.iter().map(|case| {
        let count: &mut u32 = counts.entry(&case.name).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => case.name.clone(),
                number => format!("{} #{number}", case.name),
            };
            if *count == 1 || !own_names.contains(&name) {
                return test_case(group, &name, case);
            }
        }
    }));
    suite.set_time(group.cases.iter().map(|case| case.took).sum());
    if !group.stderr.is_empty() {
        suite.set_system_err(visible(&group.stderr.join("\n")));
    }
    suite
}

fn test_case(group: &Group, name: &str, case: &Case) -> TestCase {
    let mut status = match case.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Skipped => {
            let mut status = TestCaseStatus::skipped();
            if let Some(why) = &case.skip_reason {
                // Its schema knows no message here.
                status.set_description(visible(why));
            }
            status
        }
        Verdict::Failed | Verdict::Broken => {
            let mut status = TestCaseStatus::non_success(kind(case));
            if let Some((message, rule)) = first(case) {
                status.set_message(message).set_type(rule);
            }
            status.set_description(lines(group, case));
            status
        }
    };
    // Reruns of a flaky case become `flakyFailure`, those of a failed case `rerunFailure`.
    status.add_reruns(case.earlier.iter().map(|earlier| {
        let mut rerun = TestRerun::new(kind(earlier));
        if let Some((message, rule)) = first(earlier) {
            rerun.set_message(message).set_type(rule);
        }
        rerun.set_description(lines(group, earlier));
        rerun
    }));
    let mut shown = TestCase::new(visible(name), status);
    let class = group.file.as_deref().unwrap_or(&group.name);
    shown.set_classname(visible(&labelled(class, &group.label)));
    shown.set_time(case.took);
    if case.verdict == Verdict::Passed && !case.problems.is_empty() {
        shown.set_system_out(lines(group, case));
    }
    shown
}

fn kind(case: &Case) -> NonSuccessKind {
    match case.verdict {
        Verdict::Broken => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    }
}

/// Message and rule of the first problem.
fn first(case: &Case) -> Option<(String, String)> {
    let first = case.problems.first()?;
    Some((visible(&first.message), first.rule.clone()))
}

fn lines(group: &Group, case: &Case) -> String {
    let lines = case.problems.iter().map(|problem| problem.line(group));
    visible(&lines.collect::<Vec<_>>().join("\n"))
}

//! The report as JSON.

use serde_json::{Value, json};

use super::{Case, Group, Problem, Report, Verdict};

pub(super) fn json(report: &Report) -> String {
    let groups: Vec<_> = report.groups.iter().map(group).collect();
    let whole = json!({
        "sonde-report": 1,
        "title": report.title,
        "by": concat!("Sonde ", env!("CARGO_PKG_VERSION")),
        "seconds": report.took.as_secs_f64(),
        "passed": report.count(Verdict::Passed),
        "failed": report.count(Verdict::Failed),
        "broken": report.count(Verdict::Broken),
        "skipped": report.count(Verdict::Skipped),
        "groups": groups,
    });
    format!("{whole:#}")
}

fn group(group: &Group) -> Value {
    let properties: serde_json::Map<_, _> = group
        .properties
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
        .collect();
    json!({
        "name": group.name,
        "file": group.file,
        "properties": properties,
        "cases": group.cases.iter().map(case).collect::<Vec<_>>(),
        "stderr": group.stderr,
    })
}

fn case(case: &Case) -> Value {
    json!({
        "name": case.name,
        "verdict": case.verdict.word(),
        "seconds": case.took.as_secs_f64(),
        "retries": case.retries,
        "problems": case.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn problem(problem: &Problem) -> Value {
    json!({
        "rule": problem.rule,
        "level": problem.level.word(),
        "message": problem.message,
        "fix": problem.fix,
        "help": problem.help,
        "line": problem.place.map(|place| place.0),
        "column": problem.place.map(|place| place.1),
        "subject": problem.subject,
    })
}

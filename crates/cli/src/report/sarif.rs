//! The report as SARIF 2.1.0.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Group, Level, Problem, Report, Verdict};

/// GitHub shows the first 5,000 results of a run.
const RESULTS: usize = 5_000;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
struct Run<'a> {
    tool: Tool<'a>,
    results: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    rule_id: &'a str,
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical<'a>>,
    logical_locations: [Logical; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'a> {
    artifact_location: Artifact<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

pub(super) fn sarif(report: &Report) -> String {
    let mut rules = BTreeMap::new();
    let mut results = Vec::new();
    for group in &report.groups {
        for case in &group.cases {
            if case.verdict == Verdict::Skipped {
                continue;
            }
            for problem in &case.problems {
                rules
                    .entry(problem.rule.as_str())
                    .or_insert(problem.help.as_deref());
                if results.len() < RESULTS {
                    results.push(found(group, &case.name, problem));
                }
            }
        }
    }
    let rules = rules.into_iter();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "Sonde",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.map(|(id, help_uri)| Rule { id, help_uri }).collect(),
                },
            },
            results,
        }],
    };
    serde_json::to_string_pretty(&log).unwrap_or_default()
}

fn found<'a>(group: &'a Group, case: &str, problem: &'a Problem) -> Found<'a> {
    let fix = problem.fix.iter().map(|fix| format!(" {fix}"));
    let physical = group.file.as_deref().map(|uri| Physical {
        artifact_location: Artifact { uri },
        region: problem.place.map(|(start_line, start_column)| Region {
            start_line,
            start_column,
        }),
    });
    let named = problem.subject.clone();
    Found {
        rule_id: &problem.rule,
        level: match problem.level {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        },
        message: Text {
            text: format!("{}{}", problem.message, fix.collect::<String>()),
        },
        locations: [Location {
            physical_location: physical,
            logical_locations: [Logical {
                fully_qualified_name: named.unwrap_or_else(|| format!("{}/{case}", group.name)),
            }],
        }],
    }
}

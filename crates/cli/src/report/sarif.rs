//! The report as SARIF 2.1.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Group, Problem, Report, Verdict};
use crate::console::visible;

/// GitHub shows the first 5,000 results of a run.
const RESULTS: usize = 5_000;

pub(super) fn sarif(report: &Report) -> String {
    let mut rules = BTreeMap::new();
    let mut results = Vec::new();
    for group in &report.groups {
        let cases = group.cases.iter();
        for case in cases.filter(|case| case.verdict != Verdict::Skipped) {
            for problem in &case.problems {
                let help = problem.help.as_deref();
                rules.entry(problem.rule.as_str()).or_insert(help);
                results.push(sarif_result(group, &case.name, problem));
            }
        }
    }
    let left_out = results.len().saturating_sub(RESULTS);
    results.truncate(RESULTS);
    let rules: Vec<_> = rules
        .into_iter()
        .map(|(id, help)| match help {
            Some(help) => json!({ "id": id, "helpUri": help }),
            None => json!({ "id": id }),
        })
        .collect();
    let driver = json!({
        "name": "Sonde",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "results": results,
            "properties": { "resultsLeftOut": left_out },
        }],
    });
    format!("{log:#}")
}

fn sarif_result(group: &Group, case: &str, problem: &Problem) -> Value {
    // Brackets before a parenthesis would be a link.
    let text = visible(&problem.words()).replace("](", "] (");
    let subject = problem.subject.clone();
    let name = visible(&subject.unwrap_or_else(|| format!("{}/{case}", group.name)));
    // GitHub accepts only results with a file; results about a server use its name instead.
    let file = group.file.as_ref().unwrap_or(&group.name);
    let (line, column) = problem.place.unwrap_or((1, 1));
    let location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line, "startColumn": column },
        },
        "logicalLocations": [{ "fullyQualifiedName": name }],
    });
    json!({
        "ruleId": problem.rule,
        "level": problem.level.word(),
        "message": { "text": text },
        "locations": [location],
    })
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let path = match cfg!(windows) {
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

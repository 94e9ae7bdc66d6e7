//! The judgement on a terminal.

use std::cmp::Reverse;

use anstyle::Style;
use sonde_lint::CONTEXT;
use sonde_record::text::visible as one_line;

use super::judge::{HostRow, JudgedLists};
use crate::{
    console::{BOLD, DIM, GREEN, RED, YELLOW, print, quoted, styled},
    report::{Level, Problem, Report, Verdict},
    units::count,
};

/// Tools that are named as the most costly.
const COSTLIEST: usize = 5;

/// Prints all of it.
pub(super) fn print_report(
    report: &Report,
    judged: &JudgedLists,
    budget: Option<u64>,
    with_notes: bool,
    all_hosts: bool,
) {
    let mut properties = report.groups.iter().flat_map(|group| &group.properties);
    let revision = properties.find(|one| one.0 == "protocol version");
    let lists = judged.lists.iter().filter(|one| one.1 > 0);
    let lists: Vec<_> = lists
        .map(|(kind, items)| count(*items, kind.noun().trim_end_matches('s')))
        .collect();
    print(&format!(
        "{} (protocol {}): {}",
        styled(BOLD, one_line(&report.title)),
        revision.map_or("", |one| &one.1),
        match lists.is_empty() {
            true => "it lists nothing".to_owned(),
            false => lists.join(", "),
        }
    ));
    let mut problems: Vec<_> = report
        .cases()
        .flat_map(|case| case.problems.iter().map(move |one| (case, one)))
        .collect();
    problems.sort_by_key(|(case, one)| (Reverse(one.level), case.name.clone()));
    for (_, problem) in &problems {
        if problem.level > Level::Note || with_notes {
            show(problem);
        }
    }
    print_hosts(&judged.hosts, !all_hosts);
    print_cost(judged, budget);
    print(&format!(
        "\n{}, {}, {}.",
        count(report.problems(Level::Error), "error"),
        count(report.problems(Level::Warning), "warning"),
        count(report.problems(Level::Note), "note")
    ));
    let names = |verdict| {
        let cases = report.cases().filter(|case| case.verdict == verdict);
        cases
            .map(|case| case.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (failed, open) = (names(Verdict::Failed), names(Verdict::Broken));
    print(&match (failed.as_str(), open.as_str()) {
        ("", "") => styled(GREEN, "The gate passed."),
        ("", open) => styled(
            YELLOW,
            format_args!("The gate is open. Not established: {open}."),
        ),
        (failed, _) => styled(RED, format_args!("The gate failed: {failed}.")),
    });
}

fn show(problem: &Problem) {
    let (style, word) = match problem.level {
        Level::Error => (RED, "error"),
        Level::Warning => (YELLOW, "warning"),
        Level::Note => (DIM, "note"),
    };
    let subject = problem.subject.as_deref().unwrap_or_default();
    print(&format!(
        "\n{} {} {}",
        styled(style, format_args!("{word}:")),
        styled(BOLD, &problem.rule),
        styled(DIM, one_line(subject))
    ));
    print(&format!("  {}", quoted(&problem.message)));
    if let Some(fix) = &problem.fix {
        print(&format!("  → {}", quoted(fix)));
    }
}

fn print_hosts(rows: &[HostRow], only_wrong: bool) {
    let is_wrong = |row: &&HostRow| {
        row.tally.may_fail > 0
            || row.tally.fails > 0
            || row.problems.iter().any(|one| one.level == Level::Error)
    };
    let shown: Vec<_> = rows
        .iter()
        .filter(|row| !only_wrong || is_wrong(row))
        .collect();
    let width = shown.iter().map(|row| row.host.name.chars().count()).max();
    let Some(width) = width else {
        return;
    };
    print(&format!("\n{}", styled(BOLD, "Tools in hosts")));
    for row in shown {
        let tally = &row.tally;
        let counts = [
            (tally.works, Style::new(), "work"),
            (tally.not_known, Style::new(), "not known"),
            (tally.degraded, Style::new(), "changed by the host"),
            (tally.may_fail, YELLOW, "may fail"),
            (tally.fails, RED, "fail"),
        ];
        let counts = counts.into_iter().filter(|one| one.0 > 0);
        let counts: Vec<_> = counts
            .map(|(tools, style, words)| styled(style, format_args!("{tools} {words}")))
            .collect();
        // Most tools may work by themselves, but the host accepts none.
        let words = match row.refuses_all {
            true => styled(RED, "all fail"),
            false => counts.join(", "),
        };
        print(&format!("  {:<width$}  {words}", row.host.name));
    }
}

fn print_cost(judged: &JudgedLists, budget: Option<u64>) {
    let Some(linted) = judged.linted.as_ref().filter(|one| !one.lint.is_empty()) else {
        return;
    };
    let cost = linted.lint.cost().tokens;
    let budget = budget.map(|budget| format!(", budget {budget}"));
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    let share = cost as f64 * 100.0 / CONTEXT as f64;
    print(&format!(
        "\n{}\n  about {cost} tokens, {share:.1} % of a context of {CONTEXT}{}",
        styled(BOLD, "Cost of the tools"),
        budget.unwrap_or_default()
    ));
    let most: Vec<_> = linted
        .lint
        .costliest(COSTLIEST)
        .into_iter()
        .filter_map(|place| {
            let name = &linted.listed.items.get(place)?.name;
            let tokens = linted.lint.cost_of(place).tokens;
            Some(format!("{} {tokens}", one_line(name)))
        })
        .collect();
    print(&styled(DIM, format_args!("  most: {}", most.join(", "))));
}

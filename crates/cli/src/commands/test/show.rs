//! Steps on a terminal.

use sonde_record::text::visible as one_line;
use sonde_suite::{
    problem::Span,
    run::{StepReport, StopReason, Verdict as Said},
    snapshot::SnapshotState,
};

use super::find::at;
use crate::{
    console::{BOLD, DIM, GREEN, RED, YELLOW, quoted, styled},
    report::Coverage,
    units::show_duration,
};

/// A finished step.
pub(super) fn step_lines(file: &str, step: &StepReport) -> Vec<String> {
    let (mark, style) = match &step.verdict {
        Said::Passed => ("✓", GREEN),
        Said::Failed => ("✗", RED),
        Said::Skipped(_) => ("-", DIM),
        Said::Incomplete(_) => ("?", YELLOW),
        Said::Broken(_) | Said::TimedOut(_) => ("!", RED),
    };
    let time = step.duration.map(show_duration).unwrap_or_default();
    let again = match step.attempts {
        0 | 1 => String::new(),
        attempts => format!(" after {attempts} attempts"),
    };
    let mut lines = vec![format!(
        "  {} {} {}",
        styled(style, mark),
        one_line(&step.title),
        styled(DIM, format_args!("{time}{again}"))
    )];
    let at = |span: Span| styled(DIM, format!("{file}:{}:{}", span.line, span.column));
    for failure in &step.failures {
        let words = quoted(&failure.words);
        lines.push(format!("      {}: {words}", at(failure.span)));
    }
    match &step.verdict {
        Said::Incomplete(words) | Said::Broken(words) | Said::TimedOut(words) => {
            lines.push(format!("      {}: {}", at(step.span), quoted(words)));
        }
        Said::Skipped(words) if !words.is_empty() => {
            lines.push(styled(DIM, format_args!("      {}", quoted(words))));
        }
        _ => {}
    }
    for snapshot in &step.snapshots {
        if snapshot.state == SnapshotState::Stored {
            let words = format!("      The snapshot `{}` was stored.", snapshot.name);
            lines.push(styled(DIM, one_line(&words)));
        }
    }
    let mut snapshots = step.snapshots.iter();
    let differs = snapshots.any(|one| one.state == SnapshotState::Different);
    if differs && step.verdict == Said::Failed {
        let words = "      If this is meant, store it with --update.";
        lines.push(styled(DIM, words));
    }
    if step.verdict != Said::Passed {
        let stderr = step.stderr.iter();
        lines.extend(
            stderr.map(|line| styled(DIM, format_args!("      stderr: {}", one_line(line)))),
        );
    }
    lines
}

/// Why the remaining steps did not run.
pub(super) fn stopped_lines(file: &str, stopped: &StopReason, cancelled: &str) -> Vec<String> {
    let lines = match stopped {
        StopReason::Files(problems) => problems.iter().map(|one| at(file, one)).collect(),
        StopReason::NotConnected { words, .. } => vec![words.clone()],
        StopReason::Died(words) => vec![format!("The connection ended: {words}")],
        StopReason::Cancelled => vec![cancelled.to_owned()],
        StopReason::Bailed => vec!["The remaining steps did not run (--bail).".to_owned()],
    };
    let lines = lines.iter();
    lines
        .map(|line| format!("  {}", styled(RED, quoted(line))))
        .collect()
}

/// Items that servers offer and no step uses.
pub(super) fn coverage(all: &[Coverage]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in all {
        let head = format!("Coverage of {}", one_line(&one.server));
        lines.push(format!("\n{}", styled(BOLD, head)));
        for kind in &one.kinds {
            lines.push(format!("  {}", kind.words()));
            let names = one_line(&kind.without_step.join(", "));
            if !names.is_empty() {
                lines.push(styled(DIM, format_args!("    without a step: {names}")));
            }
        }
    }
    lines
}

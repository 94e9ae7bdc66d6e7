//! Checks as the window shows them.

use std::path::Path;

use sonde_record::text::cut;
use sonde_suite::format::{Step, Suite, Verb};

use super::{
    folder::{Folder, SuiteFile},
    id::ids,
    kept::Kept,
    types::{Check, CheckSuite, Checks},
};
use crate::servers::ServerId;

/// Longest text of a check, in characters.
const TEXT: usize = 300;

/// Makes the view of a folder. `may_destroy` judges steps.
pub(super) fn view(
    server: &ServerId,
    root: &Path,
    own: bool,
    folder: &Folder,
    kept: &Kept,
    may_destroy: &dyn Fn(&Step) -> bool,
) -> Checks {
    Checks {
        server: server.clone(),
        folder: root.display().to_string(),
        own_folder: own,
        suites: folder
            .files
            .iter()
            .map(|file| suite(file, kept, may_destroy))
            .collect(),
        run: None,
        last: kept.totals.back().cloned(),
        before: kept.before().cloned(),
        too_many: u32::try_from(folder.too_many).unwrap_or(u32::MAX),
        problem: folder.problem.clone(),
    }
}

fn suite(file: &SuiteFile, kept: &Kept, may_destroy: &dyn Fn(&Step) -> bool) -> CheckSuite {
    let stem = |suite: &Suite| suite.stem().to_owned();
    let mut shown = CheckSuite {
        file: file.file.clone(),
        name: file.file.clone(),
        ..CheckSuite::default()
    };
    match &file.suite {
        Err(problems) => shown.problems.clone_from(problems),
        Ok(suite) => {
            shown.name = cut(&suite.name.clone().unwrap_or_else(|| stem(suite)), TEXT);
            shown.describes_server = suite.describes_server();
            shown.server = suite.server_name().map(|name| cut(name, TEXT));
            let steps = ids(&file.file, suite).into_iter().zip(&suite.steps);
            shown.checks = steps
                .map(|(id, step)| Check {
                    result: kept.result(&id).cloned(),
                    destructive: may_destroy(step),
                    id,
                    ..check(step)
                })
                .collect();
        }
    }
    shown
}

fn check(step: &Step) -> Check {
    let target = match &step.verb {
        Verb::Call(target) | Verb::Get(target) | Verb::Read(target) | Verb::Subscribe(target) => {
            Some(cut(target, TEXT))
        }
        _ => None,
    };
    let request = Step {
        name: None,
        ..step.clone()
    };
    Check {
        name: cut(&step.title(), TEXT),
        group: step.group.as_ref().map(|group| cut(group, TEXT)),
        request: cut(&request.title(), TEXT),
        target,
        arguments: step.arguments.as_ref().map(|text| cut(&text.value, TEXT)),
        on: step.skip.is_none(),
        skip_reason: step
            .skip
            .as_ref()
            .filter(|text| !text.is_empty())
            .map(|text| cut(text, TEXT)),
        line: step.node.span.line,
        ..Check::default()
    }
}

//! Checks as the window shows them.

use sonde_record::text::cut;
use sonde_suite::format::{Step, Verb};

use super::{
    folder::{Folder, SuiteFile},
    id::ids,
    kept::CheckData,
    types::{Check, CheckSuite, Checks},
};
use crate::{limits::TARGET, servers::ServerId};

/// Longest text of a check, in characters.
const TEXT: usize = 300;

/// Makes the view of a folder. `may_destroy` judges steps.
pub(super) fn view(
    server: &ServerId,
    folder: &Folder,
    kept: &CheckData,
    may_destroy: &dyn Fn(&Step) -> bool,
) -> Checks {
    let suites = folder.files.iter();
    let last = kept.last();
    Checks {
        server: server.clone(),
        folder: folder.root.display().to_string(),
        own_folder: folder.own,
        suites: suites.map(|file| suite(file, kept, may_destroy)).collect(),
        run: None,
        before: last.as_ref().and(kept.before()).cloned(),
        last,
        too_many: u32::try_from(folder.too_many).unwrap_or(u32::MAX),
        problem: folder.problem.clone(),
    }
}

fn suite(file: &SuiteFile, kept: &CheckData, may_destroy: &dyn Fn(&Step) -> bool) -> CheckSuite {
    let mut shown = CheckSuite {
        file: file.file.clone(),
        name: file.file.clone(),
        ..CheckSuite::default()
    };
    match &file.suite {
        Err(problems) => shown.problems.clone_from(problems),
        Ok(suite) => {
            shown.name = cut(suite.name.as_deref().unwrap_or(suite.stem()), TEXT);
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
    let tool = match &step.verb {
        Verb::Call(tool) => Some(cut(tool, TARGET)),
        _ => None,
    };
    let mut request = step.clone();
    request.name = None;
    Check {
        name: cut(&step.title(), TEXT),
        group: step.group.as_ref().map(|group| cut(group, TEXT)),
        request: cut(&request.title(), TEXT),
        tool,
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

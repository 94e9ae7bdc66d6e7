//! Checks of the servers whose checks were opened.

use std::collections::HashMap;

use sonde_suite::run::ServerFacts;
use tokio_util::sync::CancellationToken;

use super::{
    kept::KeptResult,
    outcome::merged,
    types::{CheckId, CheckResult, CheckState, Checks},
};
use crate::servers::ServerId;

/// Checks of the servers whose checks were opened since the start of the app.
#[derive(Debug, Default)]
pub struct CheckList {
    pub(super) of: HashMap<ServerId, OpenChecks>,
}

/// Checks of a server.
#[derive(Debug, Default)]
pub(super) struct OpenChecks {
    /// With the progress of a run under way.
    pub(super) view: Checks,
    pub(super) run: Option<Running>,
}

/// A run under way.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) cancel: CancellationToken,
    /// Its begin, in milliseconds since the Unix epoch.
    pub(super) began: u64,
    /// Labels of the cases by file.
    pub(super) planned: HashMap<String, Vec<String>>,
    /// The check under way.
    pub(super) current: Option<CheckId>,
    /// Results so far; checks that are still to run are waiting.
    pub(super) results: HashMap<CheckId, KeptResult>,
}

impl CheckList {
    /// Returns the checks of a server.
    #[must_use]
    pub fn get(&self, server: &str) -> Option<&Checks> {
        self.of.get(server).map(|open| &open.view)
    }

    pub(super) fn is_running(&self, server: &str) -> bool {
        self.of.get(server).is_some_and(|open| open.run.is_some())
    }

    /// Ends the run of a removed server, and forgets its checks.
    pub(crate) fn remove(&mut self, server: &str) {
        if let Some(run) = self.of.remove(server).and_then(|open| open.run) {
            run.cancel.cancel();
        }
    }
}

impl OpenChecks {
    /// Shows this, with the results of a run under way.
    pub(super) fn show(&mut self, view: Checks) {
        let shown = std::mem::replace(&mut self.view, view).run;
        let Some(run) = &self.run else { return };
        self.view.run = shown;
        let checks = self.view.suites.iter_mut();
        for check in checks.flat_map(|suite| &mut suite.checks) {
            if let Some(result) = run.shown_result(&check.id) {
                check.result = Some(result);
            }
        }
    }

    /// Shows the present result of a check of the run under way.
    fn show_result(&mut self, id: &CheckId) {
        let result = self.run.as_ref().and_then(|run| run.shown_result(id));
        let suites = self.view.suites.iter_mut();
        let suite = suites.into_iter().find(|suite| suite.file == id.file);
        let check = suite.and_then(|suite| suite.checks.iter_mut().find(|one| one.id == *id));
        if let (Some(check), Some(result)) = (check, result) {
            check.result = Some(result);
        }
    }

    /// Marks a step as running.
    pub(super) fn start(&mut self, id: &CheckId) {
        let Some(run) = &mut self.run else { return };
        run.current = Some(id.clone());
        self.show_result(id);
    }

    /// Adds the result of a step. Results of further cases of the matrix are merged with it.
    pub(super) fn add(&mut self, id: &CheckId, mut result: KeptResult) {
        let Some(run) = &mut self.run else { return };
        let before = run.results.remove(id);
        if let Some(before) = before.filter(|one| one.result.state != CheckState::Waiting) {
            result = merged(before, result);
        }
        run.results.insert(id.clone(), result);
        run.current = None;
        if let Some(shown) = &mut self.view.run {
            shown.done += 1;
        }
        self.show_result(id);
    }

    /// Notes the version of the server on which steps ran.
    pub(super) fn add_facts<'a>(
        &mut self,
        steps: impl Iterator<Item = &'a CheckId>,
        facts: &ServerFacts,
    ) {
        let Some(run) = &mut self.run else { return };
        for id in steps {
            if let Some(KeptResult { result, .. }) = run.results.get_mut(id) {
                result.server_name.clone_from(&facts.name);
                result.version.clone_from(&facts.version);
                result.revision = Some(facts.revision.clone());
            }
        }
    }
}

impl Running {
    fn shown_result(&self, id: &CheckId) -> Option<CheckResult> {
        let mut result = self.results.get(id)?.result.clone();
        if self.current.as_ref() == Some(id) {
            result.state = CheckState::Running;
        }
        Some(result)
    }
}

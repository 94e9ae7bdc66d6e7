//! Folder choice and results of each server, in a file that is read when its checks are first opened.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use super::{
    folder::Folder,
    id::ids,
    types::{CheckId, CheckResult, CheckState, CheckTotals},
};
use crate::{
    core::Core,
    files::{CHECKS, is_plain},
    lock,
    per_server::{self, OfServer, PerServer},
    servers::ServerId,
};

/// Versions of a server whose totals are kept.
const TOTALS: usize = 20;
/// Longest wait for the end of runs that were cancelled.
const RUN_END: Duration = Duration::from_secs(2);
/// Bytes of one value that was compared with a snapshot; of a larger one no comparison is kept.
const VALUE: usize = 512 * 1024;
/// Bytes of all these values of a server.
const VALUES: usize = 4 * 1024 * 1024;

/// Data about a server's checks that is not in the suites.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CheckData {
    /// The folder that the user has picked; `None` means the server's own.
    pub(super) folder: Option<PathBuf>,
    /// Results by file and step.
    pub(super) results: BTreeMap<String, BTreeMap<String, KeptResult>>,
    /// Totals of the last run on each version of the server, the newest last.
    pub(super) totals: VecDeque<CheckTotals>,
    /// Begin of the first of the latest runs that were all on one version, in milliseconds since the Unix epoch.
    began: Option<u64>,
}

/// Result of a check with the values that it compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptResult {
    pub(super) result: CheckResult,
    /// The check was off in the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) off: bool,
    /// Values that differ from their snapshots or have none, without secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) values: Vec<KeptValue>,
    /// Reason why its state is incomplete, even if all values are accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unjudged: Option<String>,
    /// The results of several cases, if `result` is merged from them. The values are theirs then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) cases: Vec<KeptResult>,
}

impl KeptResult {
    /// Values of all cases.
    pub(super) fn all_values(&self) -> impl Iterator<Item = &KeptValue> {
        let of_cases = self.cases.iter().flat_map(|case| &case.values);
        self.values.iter().chain(of_cases)
    }

    /// Values of all cases: of each snapshot the first.
    pub(super) fn first_values(&self) -> impl Iterator<Item = &KeptValue> {
        let mut names = HashSet::new();
        self.all_values()
            .filter(move |value| names.insert(&value.name))
    }

    fn drop_values(&mut self) {
        self.values.clear();
        self.result.differs = false;
        self.result.baseline_missing = false;
        self.cases.iter_mut().for_each(Self::drop_values);
    }
}

/// A value that was compared with a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptValue {
    /// Name of the snapshot.
    pub(super) name: String,
    /// The value as it would be stored.
    pub(super) text: String,
}

impl CheckData {
    pub(super) fn result(&self, id: &CheckId) -> Option<&CheckResult> {
        Some(&self.get(id)?.result)
    }

    pub(super) fn get(&self, id: &CheckId) -> Option<&KeptResult> {
        self.results.get(&id.file)?.get(&id.step)
    }

    pub(super) fn put(&mut self, id: &CheckId, mut result: KeptResult) {
        let bytes = |result: &KeptResult| -> usize {
            let values = result.all_values();
            values.map(|value| value.text.len()).sum()
        };
        let of_file = self.results.entry(id.file.clone()).or_default();
        of_file.remove(&id.step);
        let all = self.results.values().flat_map(BTreeMap::values);
        let held: usize = all.map(bytes).sum();
        let too_large = result.all_values().any(|value| value.text.len() > VALUE);
        if too_large || held + bytes(&result) > VALUES {
            // The failure stays; only its comparison is dropped.
            result.drop_values();
        }
        let of_file = self.results.entry(id.file.clone()).or_default();
        of_file.insert(id.step.clone(), result);
    }

    pub(super) fn remove(&mut self, id: &CheckId) -> Option<KeptResult> {
        self.results.get_mut(&id.file)?.remove(&id.step)
    }

    /// Drops results of steps that no longer exist. Results of an invalid file are kept.
    pub(super) fn prune(&mut self, folder: &Folder) {
        if folder.problem.is_some() || folder.too_many > 0 {
            return;
        }
        let mut known: HashMap<&str, Option<Vec<CheckId>>> = HashMap::new();
        for file in &folder.files {
            let steps = file.suite.as_ref().ok();
            let steps = steps.map(|suite| ids(&file.file, suite));
            known.insert(&file.file, steps);
        }
        self.results.retain(|file, of_file| {
            let Some(steps) = known.get(file.as_str()) else {
                return false;
            };
            if let Some(steps) = steps {
                of_file.retain(|step, _| steps.iter().any(|id| id.step == *step));
            }
            true
        });
    }

    /// Totals of the last run by its results as they are now: steps may be gone, baselines accepted. `None` when nothing
    /// is left of it.
    pub(super) fn last(&self) -> Option<CheckTotals> {
        self.counted(self.totals.back()?.clone())
    }

    /// These totals with the counts of all results on their version of the server, and of the latest results on other
    /// servers or none; `None` when there are none.
    fn counted(&self, mut totals: CheckTotals) -> Option<CheckTotals> {
        let [mut passed, mut failed, mut off, mut skipped, mut other] = [0; 5];
        for kept in self.results.values().flat_map(BTreeMap::values) {
            let result = &kept.result;
            let is_latest = self.began.is_some_and(|began| result.at >= began);
            let version = (&result.server_name, &result.version);
            if !is_latest && version != (&totals.server_name, &totals.version) {
                continue;
            }
            *match result.state {
                CheckState::Passed => &mut passed,
                CheckState::Failed | CheckState::Broken => &mut failed,
                CheckState::Skipped if kept.off => &mut off,
                CheckState::Skipped => &mut skipped,
                _ => &mut other,
            } += 1;
        }
        (totals.passed, totals.failed, totals.other) = (passed, failed, other);
        (totals.off, totals.skipped) = (off, skipped);
        (totals.all() > 0).then_some(totals)
    }

    /// Adds the results of a run that `began` then, and `totals` with their counts.
    pub(super) fn add_run(
        &mut self,
        began: u64,
        results: impl Iterator<Item = (CheckId, KeptResult)>,
        totals: CheckTotals,
    ) {
        let mut results = results.peekable();
        if results.peek().is_none() {
            return;
        }
        // As they are before these results take the place of theirs.
        let last = self.last();
        let is_same = last.as_ref().is_some_and(|last| last.is_on(&totals));
        self.began = self.began.filter(|_| is_same).or(Some(began));
        last.into_iter().for_each(|last| self.add_totals(last));
        results.for_each(|(id, result)| self.put(&id, result));
        let totals = self.counted(totals);
        totals.into_iter().for_each(|one| self.add_totals(one));
    }

    /// Adds totals, in place of those of the same version of the server.
    fn add_totals(&mut self, totals: CheckTotals) {
        self.totals.retain(|one| !one.is_on(&totals));
        self.totals.push_back(totals);
        while self.totals.len() > TOTALS {
            self.totals.pop_front();
        }
    }

    /// The totals of the last run on another version of the same server.
    pub(super) fn before(&self) -> Option<&CheckTotals> {
        let (last, earlier) = (self.totals.back()?, self.totals.iter().rev().skip(1));
        let mut earlier = earlier.filter(|one| one.server_name == last.server_name);
        earlier.next()
    }
}

/// Folder and results of a server, locked. It is held while suites are read and edited, so that edits of the window
/// follow each other.
pub(super) type Held<'a> = per_server::Held<'a, CheckData>;

/// Folders and results of all servers.
pub(crate) struct KeptChecks {
    all: PerServer<CheckData>,
    /// Servers that do not come back, and whose files are not deleted yet.
    leaving: Mutex<HashSet<ServerId>>,
    /// Runs under way.
    pub(super) runs: TaskTracker,
}

impl KeptChecks {
    pub(crate) fn new(data_folder: &Path, delay: Duration, writable: bool) -> Self {
        Self {
            all: PerServer::new(data_folder, &CHECKS, delay, writable),
            leaving: Mutex::default(),
            runs: TaskTracker::new(),
        }
    }

    /// Waits until runs that were cancelled have kept their results.
    pub(crate) async fn wait_for_runs(&self) {
        self.runs.close();
        if tokio::time::timeout(RUN_END, self.runs.wait())
            .await
            .is_err()
        {
            tracing::warn!("not every run of checks ended in time");
        }
    }

    /// The folder of a server's own suites.
    pub(super) fn own_folder(&self, server: &str) -> PathBuf {
        self.all.folder().join(server)
    }

    /// Returns the folder and results of a server; `None` for an id that cannot name a file.
    pub(super) fn of(&self, server: &str) -> Option<Arc<OfServer<CheckData>>> {
        self.all.of(server)
    }

    /// Deletes the suites in a server's own folder, and its results. Blocks.
    fn forget(&self, server: &str) {
        if !self.all.is_writable() || !is_plain(server) {
            return;
        }
        lock(&self.leaving).remove(server);
        let deleted = self.all.forget(server);
        for deleted in [deleted, std::fs::remove_dir_all(self.own_folder(server))] {
            if let Err(error) = deleted
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!(server, %error, "the checks of a removed server could not be deleted");
            }
        }
    }

    /// Writes unsaved data and closes the files. These servers cannot come back. Blocks.
    pub(crate) fn close(&self, removed: &[ServerId]) {
        // Deleted first: a file that was closed before its deletion would stay.
        let leaving = std::mem::take(&mut *lock(&self.leaving));
        for server in leaving.iter().chain(removed) {
            self.forget(server);
        }
        self.all.close();
    }
}

/// Files of a removed server's checks, which are deleted when this is dropped.
pub(crate) struct ChecksLeft {
    core: Weak<Core>,
    server: Option<ServerId>,
}

impl ChecksLeft {
    /// Creates this when a server is removed.
    pub(crate) fn new(core: &Arc<Core>, server: &str) -> Self {
        Self {
            core: Arc::downgrade(core),
            server: Some(server.to_owned()),
        }
    }

    /// Keeps the files, since the server is back.
    pub(crate) fn keep(mut self) {
        self.server = None;
    }
}

impl Drop for ChecksLeft {
    fn drop(&mut self) {
        let (Some(server), Some(core)) = (self.server.take(), self.core.upgrade()) else {
            return;
        };
        lock(&core.checks.leaving).insert(server.clone());
        // In a task, since the state may be locked. Without a runtime the files are deleted when the app ends.
        if let Ok(runtime) = Handle::try_current() {
            let tasks = core.tasks.clone();
            tasks.spawn_blocking_on(move || core.checks.forget(&server), &runtime);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_count_what_ran_on_other_servers_or_on_none() {
        let mut data = CheckData::default();
        let mut run = |began, version: &str, ran: &[(&str, CheckState, Option<&str>)]| {
            let results = ran.iter().map(|(step, state, server)| {
                let id = CheckId {
                    file: "a.sonde.yaml".to_owned(),
                    step: (*step).to_owned(),
                };
                let result = CheckResult {
                    state: *state,
                    at: began + 1,
                    server_name: server.map(str::to_owned),
                    version: server.map(|_| version.to_owned()),
                    ..CheckResult::default()
                };
                let result = KeptResult {
                    result,
                    ..KeptResult::default()
                };
                (id, result)
            });
            let totals = CheckTotals {
                server_name: Some("shop".to_owned()),
                version: Some(version.to_owned()),
                ..CheckTotals::default()
            };
            data.add_run(began, results, totals);
            let last = data.last().unwrap();
            (last.passed, last.failed)
        };
        use CheckState::{Broken, Failed, Passed};
        let passed = ("a", Passed, Some("shop"));
        let all = [passed, ("b", Failed, Some("billing")), ("c", Broken, None)];
        assert_eq!(run(10, "1", &all), (1, 2));
        assert_eq!(run(20, "1", &[passed]), (1, 2));
        assert_eq!(run(25, "2", &[]), (1, 2));
        assert_eq!(run(30, "2", &[passed]), (1, 0));
    }
}

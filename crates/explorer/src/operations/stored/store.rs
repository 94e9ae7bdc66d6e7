//! Keeps the files of the runs up to date.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use sonde_client::Connection;
use tokio::sync::OnceCell;

use super::{
    super::OperationNumber,
    folder::{Folder, StoredFiles},
    run_file::Snapshot,
};
use crate::{
    Error, blocking,
    changes::Change,
    core::Core,
    files::{HISTORY, Schedule, is_plain},
    lock,
    log::Redaction,
    notices::NoticeLevel,
    servers::ServerId,
    settings::HistoryLimits,
};

/// Index of the runs in files, and queue of the files to write.
///
/// Callers report each change of a run; some time later a task writes the run as the history then holds it. A write
/// that fails is tried again.
pub(crate) struct StoredRuns {
    root: PathBuf,
    folder: Arc<Mutex<Folder>>,
    pending: Mutex<Pending>,
    schedule: Schedule,
    writable: bool,
    /// Highest number of a run before this start. Only runs up to it are read from files.
    last_earlier: OperationNumber,
    /// The servers whose runs were read.
    loaded: Mutex<HashMap<ServerId, Arc<OnceCell<()>>>>,
}

#[derive(Default)]
struct Pending {
    /// Removed servers; handled first.
    removed: BTreeMap<ServerId, Removal>,
    runs: BTreeMap<(ServerId, OperationNumber), Task>,
    closed: bool,
}

/// Extent of the deletion of a removed server's files.
enum Removal {
    /// These runs; undoing the removal writes them again.
    Runs(Vec<OperationNumber>),
    All,
}

/// Files of a removed server whose runs are not in the history, so that nothing could bring them back. They stay until
/// this is dropped, and for good where the server is in the list again by then.
pub(crate) struct FilesLeft {
    runs: Arc<StoredRuns>,
    server: ServerId,
}

impl Drop for FilesLeft {
    fn drop(&mut self) {
        self.runs.remove(&self.server, Removal::All);
    }
}

#[derive(Clone, Copy)]
enum Task {
    Write,
    Delete,
}

/// Change to the files.
enum FileChange {
    RemoveServer(ServerId, Removal),
    Delete(ServerId, OperationNumber),
    Write(ServerId, OperationNumber, Box<Snapshot>, Redaction),
}

impl StoredRuns {
    /// The runs below a data folder, which are written once [`StoredRuns::run`] runs, `delay` after they
    /// changed; never where they are not `writable`.
    pub(crate) fn new(
        data_folder: &Path,
        last_earlier: OperationNumber,
        delay: Duration,
        writable: bool,
    ) -> Arc<Self> {
        Arc::new(Self {
            root: HISTORY.folder(data_folder),
            folder: Arc::new(Mutex::new(Folder::new(HISTORY.folder(data_folder)))),
            pending: Mutex::default(),
            schedule: Schedule::new(delay),
            writable,
            last_earlier,
            loaded: Mutex::default(),
        })
    }

    /// A run began, ended, changed or came back.
    pub(crate) fn changed(&self, server: ServerId, run: OperationNumber) {
        self.ask(&server.clone(), |pending| {
            pending.runs.insert((server, run), Task::Write);
        });
    }

    /// Reports a deleted run.
    pub(crate) fn deleted(&self, server: &str, run: OperationNumber) {
        self.ask(server, |pending| {
            pending.runs.insert((server.to_owned(), run), Task::Delete);
        });
    }

    /// Reports a removed server with the runs of its history. The returned value decides about all other files.
    pub(crate) fn server_removed(
        self: &Arc<Self>,
        server: &str,
        runs: Vec<OperationNumber>,
    ) -> FilesLeft {
        self.remove(server, Removal::Runs(runs));
        FilesLeft {
            runs: Arc::clone(self),
            server: server.to_owned(),
        }
    }

    fn remove(&self, server: &str, removal: Removal) {
        self.ask(server, |pending| {
            pending.removed.insert(server.to_owned(), removal);
        });
    }

    /// Finishes the pending work and ends the task. These servers cannot come back.
    pub(crate) fn close(&self, removed: &[ServerId]) {
        for server in removed {
            self.remove(server, Removal::All);
        }
        lock(&self.pending).closed = true;
        self.schedule.wake();
    }

    fn ask(&self, server: &str, ask: impl FnOnce(&mut Pending)) {
        if self.writable && is_plain(server) {
            ask(&mut lock(&self.pending));
            self.schedule.wake();
        }
    }

    /// Writes until it is closed. A notice is shown while something cannot be written.
    pub(crate) async fn run(self: Arc<Self>, core: Weak<Core>) {
        let mut failures = 0;
        loop {
            self.schedule
                .wait(failures, || lock(&self.pending).closed)
                .await;
            let (removed, runs, closed) = {
                let mut pending = lock(&self.pending);
                (
                    std::mem::take(&mut pending.removed),
                    std::mem::take(&mut pending.runs),
                    pending.closed,
                )
            };
            if !(removed.is_empty() && runs.is_empty()) {
                let Some(core) = core.upgrade() else { return };
                let (work, limits) = gather(&core, removed, runs);
                let error = self.write(work, limits).await;
                let before = failures;
                failures = error.as_ref().map_or(0, |_| failures + 1);
                if before == 0 || failures == 0 {
                    core.tell_not_saved(&HISTORY, &self.root, error.as_deref());
                }
            }
            if closed {
                return;
            }
        }
    }

    /// Carries out the work and returns the first error of the system, if any. Failed work is pending again, unless
    /// newer work replaces it.
    async fn write(&self, work: Vec<FileChange>, limits: HistoryLimits) -> Option<String> {
        let folder = Arc::clone(&self.folder);
        let writing = tokio::task::spawn_blocking(move || {
            let mut folder = lock(&folder);
            let mut failed = Pending::default();
            let mut first = None;
            for change in work {
                if let Err(error) = change.carry_out(&mut folder, limits) {
                    tracing::error!(%error, "a run could not be stored");
                    first.get_or_insert(error.to_string());
                    change.queue(&mut failed);
                }
            }
            if limits.runs > 0
                && let Err(error) = folder.trim(limits)
            {
                tracing::error!(%error, "old runs could not be deleted");
            }
            (failed, first)
        });
        match writing.await {
            Ok((failed, first)) => {
                let mut pending = lock(&self.pending);
                for (key, task) in failed.runs {
                    pending.runs.entry(key).or_insert(task);
                }
                for (server, removal) in failed.removed {
                    pending.removed.entry(server).or_insert(removal);
                }
                first
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// Reads the runs of a server of before this start into the history, once.
    pub(crate) async fn load(&self, core: &Core, server: &str) -> Result<(), Error> {
        if !is_plain(server) {
            return Ok(());
        }
        let cell = {
            let mut loaded = lock(&self.loaded);
            Arc::clone(loaded.entry(server.to_owned()).or_default())
        };
        cell.get_or_try_init(|| self.read(core, server)).await?;
        Ok(())
    }

    async fn read(&self, core: &Core, server: &str) -> Result<(), Error> {
        let (folder, up_to, of) = (
            Arc::clone(&self.folder),
            self.last_earlier,
            server.to_owned(),
        );
        let reading = blocking(move || {
            let mut folder = lock(&folder);
            let mut found = folder.read(&of, up_to)?;
            drop(folder);
            let runs = std::mem::take(&mut found.runs).into_iter();
            let records = runs.map(|(run, file)| file.into_record(run, &of));
            Ok::<_, io::Error>((records.collect::<Vec<_>>(), found))
        });
        let (records, found) = match reading.await? {
            Ok(read) => read,
            Err(error) => {
                let title = "The stored runs could not be read.";
                let detail = Some(error.to_string());
                let level = NoticeLevel::Warning;
                core.notice(level, Some(server), "history_unreadable", title, detail);
                return Ok(());
            }
        };
        let changed = match core.connection(server) {
            Ok(connection) => connection.update(|state| state.operations.restore(records)),
            Err(_) => Vec::new(),
        };
        for run in changed {
            core.observer.changed(Change::Operation(run));
        }
        core.trim_runs(None);
        tell(core, server, &found);
        Ok(())
    }
}

/// Shows notices about files that could not be read.
fn tell(core: &Core, server: &str, found: &StoredFiles) {
    let runs = |count: usize| if count == 1 { "run was" } else { "runs were" };
    let level = NoticeLevel::Warning;
    let damaged = found.damaged.len();
    if damaged > 0 {
        let title = format!(
            "{damaged} stored {} damaged and set aside. All other runs are there.",
            runs(damaged)
        );
        let detail = Some(found.damaged.join("\n"));
        core.notice(level, Some(server), "history_damaged", title, detail);
    }
    let unreadable = found.unreadable.len();
    if unreadable > 0 {
        let noun = if unreadable == 1 { "run" } else { "runs" };
        let title =
            format!("{unreadable} stored {noun} could not be read. All other runs are there.");
        let detail = Some(found.unreadable.join("\n"));
        core.notice(level, Some(server), "runs_unreadable", title, detail);
    }
    if found.newer > 0 {
        let title = format!(
            "{} {} stored by a newer version of Sonde, left as they are, and not shown.",
            found.newer,
            runs(found.newer)
        );
        core.notice(level, Some(server), "history_newer", title, None);
    }
}

/// Turns pending changes into work, with the runs as the history has them now.
fn gather(
    core: &Core,
    removed: BTreeMap<ServerId, Removal>,
    runs: BTreeMap<(ServerId, OperationNumber), Task>,
) -> (Vec<FileChange>, HistoryLimits) {
    core.state(|state| {
        let runs = runs.into_iter().filter_map(|((server, run), task)| {
            let Task::Write = task else {
                return Some(FileChange::Delete(server, run));
            };
            // A run that was dropped for lack of room, not deleted, keeps its file.
            let connection = state.connections.get(&server)?;
            keep_transcript(connection, run);
            let snapshot = connection.read(|state| Snapshot::of(state.operations.get(run)?))?;
            let redaction = connection.log().redaction();
            Some(FileChange::Write(
                server,
                run,
                Box::new(snapshot),
                redaction,
            ))
        });
        // A restored server has all its runs written again.
        let removed = removed.into_iter();
        let removed = removed.filter(|(server, _)| state.servers.get(server).is_none());
        let removed = removed.map(|(server, removal)| FileChange::RemoveServer(server, removal));
        (removed.chain(runs).collect(), state.settings.history)
    })
}

/// Keeps the messages of a run with a label, as long as the log has them all.
fn keep_transcript(connection: &Connection, run: OperationNumber) {
    let first = connection.read(|state| {
        let record = state.operations.get(run)?;
        let is_wanted = record.label.is_given() && record.finished() && record.earlier.is_none();
        record.request_seq.filter(|_| is_wanted)
    });
    let transcript = first.and_then(|first| connection.log().transcript(run, first));
    if let Some(transcript) = transcript {
        connection.update(|state| state.operations.keep_transcript(run, transcript));
    }
}

impl FileChange {
    fn queue(self, pending: &mut Pending) {
        let (run, task) = match self {
            Self::RemoveServer(server, removal) => {
                pending.removed.insert(server, removal);
                return;
            }
            Self::Delete(server, run) => ((server, run), Task::Delete),
            Self::Write(server, run, ..) => ((server, run), Task::Write),
        };
        pending.runs.insert(run, task);
    }

    fn carry_out(&self, folder: &mut Folder, limits: HistoryLimits) -> io::Result<()> {
        match self {
            Self::RemoveServer(server, Removal::Runs(runs)) => folder.delete_runs(server, runs),
            Self::RemoveServer(server, Removal::All) => folder.delete_server(server),
            Self::Delete(server, run) => folder.delete(server, *run),
            Self::Write(server, run, snapshot, redaction) => {
                // With a limit of 0 no new run is stored, but stored runs are updated.
                if limits.runs == 0 && !folder.has(server, *run)? {
                    return Ok(());
                }
                let bytes = snapshot.to_bytes(|text| redaction.text(text));
                folder.write(server, *run, &bytes)
            }
        }
    }
}

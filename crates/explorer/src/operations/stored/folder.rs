//! The folder of the stored runs. Everything here blocks.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    super::OperationNumber,
    run_file::{self, RunFile},
};
use crate::{
    files::{HISTORY, Unparsed, is_plain},
    servers::ServerId,
    settings::HistoryLimits,
};

/// Limit of a run's file, in bytes; longer files are ignored.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Number that is assumed for the last stored run if that cannot be read, so that no stored run is overwritten.
pub(crate) const UNKNOWN_LAST: OperationNumber = 1 << 40;

/// Returns the highest number of a stored run, from the file names; 0 without any.
pub(crate) fn last_number(data_folder: &Path) -> OperationNumber {
    let Ok(folders) = entries(&HISTORY.folder(data_folder)) else {
        return UNKNOWN_LAST;
    };
    let last = |folder: &PathBuf| match entries(folder) {
        Ok(files) => files.iter().filter_map(|path| number_of(path)).max(),
        Err(_) => Some(UNKNOWN_LAST),
    };
    folders.iter().filter_map(last).max().unwrap_or(0)
}

/// Lists the files and folders in a folder; empty if there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The number of the run whose file this is; `None` for any other file.
fn number_of(path: &Path) -> Option<OperationNumber> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".json")?.parse().ok()
}

/// Files read for a server.
#[derive(Debug, Default)]
pub(super) struct StoredFiles {
    pub(super) runs: Vec<(OperationNumber, RunFile)>,
    /// Files of a newer version of the app, which are left as they are.
    pub(super) newer: usize,
    /// Files that cannot be understood: where they were set aside, and why.
    pub(super) damaged: Vec<String>,
    /// Files that could not be read or set aside, and why.
    pub(super) unreadable: Vec<String>,
}

/// The folder, with an index of its files.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Made when it is first needed.
    index: Option<HashMap<ServerId, BTreeMap<OperationNumber, IndexedRun>>>,
    /// Stored runs that the user deleted: undoing the deletion writes them again.
    deleted: HashSet<(ServerId, OperationNumber)>,
}

#[derive(Debug)]
struct IndexedRun {
    bytes: u64,
    /// True if it is never dropped to make room; `None` until its file was read.
    stays: Option<bool>,
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Self {
        Self {
            root,
            index: None,
            deleted: HashSet::new(),
        }
    }

    /// A server's folder.
    fn of(&self, server: &str) -> io::Result<PathBuf> {
        if !is_plain(server) {
            return Err(io::Error::other(
                "the id of the server cannot be the name of a folder",
            ));
        }
        Ok(self.root.join(server))
    }

    fn path(&self, server: &str, run: OperationNumber) -> io::Result<PathBuf> {
        Ok(self.of(server)?.join(format!("{run}.json")))
    }

    fn index(
        &mut self,
    ) -> io::Result<&mut HashMap<ServerId, BTreeMap<OperationNumber, IndexedRun>>> {
        let index = match self.index.take() {
            Some(index) => index,
            None => self.scan()?,
        };
        Ok(self.index.insert(index))
    }

    fn scan(&self) -> io::Result<HashMap<ServerId, BTreeMap<OperationNumber, IndexedRun>>> {
        let mut index = HashMap::new();
        for folder in entries(&self.root)? {
            let Some(server) = folder.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let mut known = BTreeMap::new();
            for path in entries(&folder).unwrap_or_default() {
                if let (Some(run), Ok(found)) = (number_of(&path), fs::metadata(&path)) {
                    let bytes = found.len();
                    known.insert(run, IndexedRun { bytes, stays: None });
                }
            }
            index.insert(server.to_owned(), known);
        }
        Ok(index)
    }

    /// Reads the runs of a server up to this number. Files that cannot be understood are set aside, so that they are
    /// reported once.
    pub(super) fn read(&mut self, server: &str, up_to: OperationNumber) -> io::Result<StoredFiles> {
        let mut found = StoredFiles::default();
        let folder = self.of(server)?;
        for path in entries(&folder)? {
            let Some(run) = number_of(&path).filter(|run| *run <= up_to) else {
                continue;
            };
            let why = match read(&path) {
                Ok(Ok(file)) => {
                    found.runs.push((run, file));
                    continue;
                }
                Ok(Err(Unparsed::Newer(_))) => {
                    found.newer += 1;
                    continue;
                }
                Ok(Err(Unparsed::Damaged(place))) => place,
                Err(error) => {
                    let unreadable = format!("{}: {error}", path.display());
                    found.unreadable.push(unreadable);
                    continue;
                }
            };
            let Ok(aside) = sonde_files::set_aside(&path) else {
                found.unreadable.push(format!("{}: {why}", path.display()));
                continue;
            };
            if let Some(known) = self.index()?.get_mut(server) {
                known.remove(&run);
            }
            found.damaged.push(format!("{}: {why}", aside.display()));
        }
        found.runs.sort_by_key(|(run, _)| *run);
        Ok(found)
    }

    /// Returns true if a run has a file, or had one until the user deleted it.
    pub(super) fn has(&mut self, server: &str, run: OperationNumber) -> io::Result<bool> {
        let known = self.index()?.get(server);
        let has_file = known.is_some_and(|known| known.contains_key(&run));
        Ok(has_file || self.deleted.contains(&(server.to_owned(), run)))
    }

    pub(super) fn write(
        &mut self,
        server: &str,
        run: OperationNumber,
        bytes: &[u8],
    ) -> io::Result<()> {
        sonde_files::replace(&self.path(server, run)?, bytes)?;
        let known = IndexedRun {
            bytes: bytes.len() as u64,
            stays: None,
        };
        let index = self.index()?;
        index
            .entry(server.to_owned())
            .or_default()
            .insert(run, known);
        self.deleted.remove(&(server.to_owned(), run));
        Ok(())
    }

    /// Deletes a run for the user.
    pub(super) fn delete(&mut self, server: &str, run: OperationNumber) -> io::Result<()> {
        let is_stored = self.has(server, run)?;
        self.delete_file(server, run)?;
        if is_stored {
            self.deleted.insert((server.to_owned(), run));
        }
        Ok(())
    }

    fn delete_file(&mut self, server: &str, run: OperationNumber) -> io::Result<()> {
        ignore_missing(fs::remove_file(self.path(server, run)?))?;
        if let Some(known) = self.index()?.get_mut(server) {
            known.remove(&run);
        }
        Ok(())
    }

    /// Deletes these runs of a server, and its folder if nothing is left in it.
    pub(super) fn delete_runs(&mut self, server: &str, runs: &[OperationNumber]) -> io::Result<()> {
        for run in runs {
            self.delete(server, *run)?;
        }
        if fs::remove_dir(self.of(server)?).is_ok() {
            self.index()?.remove(server);
        }
        Ok(())
    }

    /// Deletes all that is stored of a server.
    pub(super) fn delete_server(&mut self, server: &str) -> io::Result<()> {
        ignore_missing(fs::remove_dir_all(self.of(server)?))?;
        self.index()?.remove(server);
        Ok(())
    }

    /// Deletes the oldest runs beyond the limits, except pinned ones and files that this version of the app cannot
    /// parse.
    pub(super) fn trim(&mut self, limits: HistoryLimits) -> io::Result<()> {
        let bytes = |mib: u32| u64::from(mib) << 20;
        let servers: Vec<ServerId> = self.index()?.keys().cloned().collect();
        let mut all = Vec::new();
        for server in servers {
            let runs = self.numbers(&server)?;
            self.trim_to(&runs, Some(limits.runs as usize), bytes(limits.server_mib))?;
            all.extend(self.numbers(&server)?);
        }
        all.sort_by_key(|(_, run)| *run);
        self.trim_to(&all, None, bytes(limits.total_mib))
    }

    fn numbers(&mut self, server: &str) -> io::Result<Vec<(ServerId, OperationNumber)>> {
        let known = self.index()?.get(server);
        let runs = known.into_iter().flat_map(BTreeMap::keys);
        Ok(runs.map(|run| (server.to_owned(), *run)).collect())
    }

    /// Deletes the first of these runs until both limits are met. Runs that stay count only for the bytes.
    fn trim_to(
        &mut self,
        runs: &[(ServerId, OperationNumber)],
        most: Option<usize>,
        most_bytes: u64,
    ) -> io::Result<()> {
        let (mut count, mut bytes) = (runs.len(), 0);
        for (server, run) in runs {
            if let Some(known) = self.indexed_run(server, *run)? {
                bytes += known.bytes;
            }
        }
        if most.is_some_and(|most| count > most) {
            for (server, run) in runs {
                count -= usize::from(self.stays(server, *run)?);
            }
        }
        for (server, run) in runs {
            if most.is_none_or(|most| count <= most) && bytes <= most_bytes {
                break;
            }
            let size = self.indexed_run(server, *run)?.map(|known| known.bytes);
            if let Some(size) = size
                && !self.stays(server, *run)?
            {
                self.delete_file(server, *run)?;
                count -= 1;
                bytes -= size;
            }
        }
        Ok(())
    }

    /// Returns true if a run is pinned, or if its file cannot be parsed.
    fn stays(&mut self, server: &str, run: OperationNumber) -> io::Result<bool> {
        let path = self.path(server, run)?;
        let Some(known) = self.indexed_run(server, run)? else {
            return Ok(true);
        };
        Ok(*known.stays.get_or_insert_with(|| match read(&path) {
            Ok(Ok(file)) => file.is_pinned(),
            _ => true,
        }))
    }

    fn indexed_run(
        &mut self,
        server: &str,
        run: OperationNumber,
    ) -> io::Result<Option<&mut IndexedRun>> {
        let known = self.index()?.get_mut(server);
        Ok(known.and_then(|known| known.get_mut(&run)))
    }
}

fn read(path: &Path) -> io::Result<Result<RunFile, Unparsed>> {
    if fs::metadata(path)?.len() > LONGEST {
        let why = format!("more than {LONGEST} bytes");
        return Ok(Err(Unparsed::Damaged(why)));
    }
    Ok(run_file::parse(&fs::read(path)?))
}

/// Treats a missing file as deleted.
fn ignore_missing(deleted: io::Result<()>) -> io::Result<()> {
    match deleted {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}

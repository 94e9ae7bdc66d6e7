//! The lighthouse's own state, shared by all its clients.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::task_manager::TaskManager;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::cli::Generated;

/// The most entries that the logbook keeps; the oldest go first.
const MAX_ENTRIES: usize = 200;

/// Gull Rock: the state that its tools read and change. It starts the same way every time.
#[derive(Debug)]
pub(crate) struct Station {
    generated: Generated,
    closing: CancellationToken,
    logbook: Mutex<Vec<String>>,
    boathouse: watch::Sender<bool>,
    /// Notified when the logbook changes.
    written: watch::Sender<()>,
    tasks: Tasks,
}

/// Tasks that go on after the response to their call.
#[derive(Default)]
struct Tasks(TaskManager);

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tasks")
            .field(&self.0.running_task_count())
            .finish()
    }
}

impl Station {
    /// A fresh station with this many generated items. When `closing` is cancelled, all running calls end early.
    pub(crate) fn new(generated: Generated, closing: CancellationToken) -> Self {
        Self {
            generated,
            closing,
            logbook: Mutex::new(first_entries()),
            boathouse: watch::Sender::new(false),
            written: watch::Sender::new(()),
            tasks: Tasks::default(),
        }
    }

    /// Returns the numbers of generated items of each kind.
    pub(crate) fn generated(&self) -> Generated {
        self.generated
    }

    /// Cancelled when the server is about to end.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Returns the tasks of all clients that go on after the response to their call.
    pub(crate) fn tasks(&self) -> &TaskManager {
        &self.tasks.0
    }

    /// The logbook's entries, oldest first.
    pub(crate) fn logbook(&self) -> Vec<String> {
        self.entries().clone()
    }

    /// Adds an entry and returns the number of entries.
    pub(crate) fn write_down(&self, entry: String) -> usize {
        let mut entries = self.entries();
        if entries.len() == MAX_ENTRIES {
            entries.remove(0);
        }
        entries.push(entry);
        self.written.send_replace(());
        entries.len()
    }

    /// Removes all entries and returns their former number.
    pub(crate) fn wipe(&self) -> usize {
        let count = std::mem::take(&mut *self.entries()).len();
        if count > 0 {
            self.written.send_replace(());
        }
        count
    }

    /// Returns true if the boathouse is open, and so its tool exists.
    pub(crate) fn boathouse_is_open(&self) -> bool {
        *self.boathouse.borrow()
    }

    /// Opens or closes the boathouse; returns true if that changed anything.
    pub(crate) fn set_boathouse(&self, open: bool) -> bool {
        self.boathouse
            .send_if_modified(|is_open| std::mem::replace(is_open, open) != open)
    }

    /// Reports every later change of the tool list.
    pub(crate) fn list_changes(&self) -> watch::Receiver<bool> {
        self.boathouse.subscribe()
    }

    /// Reports every later change of the logbook.
    pub(crate) fn logbook_changes(&self) -> watch::Receiver<()> {
        self.written.subscribe()
    }

    fn entries(&self) -> MutexGuard<'_, Vec<String>> {
        // Entries are plain strings: they are whole even if another holder panicked.
        self.logbook.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn first_entries() -> Vec<String> {
    [
        "06:10 Lamp out, lens covered. Light breeze from the south-west.",
        "09:45 The supply boat *Kittiwake* brought oil, tea and two letters.",
        "14:30 Fog bank to the north. Horn tested, in good voice.",
        "20:52 Lamp lit. Visibility twelve miles.",
    ]
    .map(str::to_owned)
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logbook_is_bounded_and_drops_the_oldest() {
        let station = Station::new(Generated::default(), CancellationToken::new());
        for number in 0..MAX_ENTRIES {
            station.write_down(number.to_string());
        }
        let entries = station.logbook();
        assert_eq!(entries.len(), MAX_ENTRIES);
        assert_eq!(entries[0], "0");
        assert_eq!(station.wipe(), MAX_ENTRIES);
        assert!(station.logbook().is_empty());
    }

    #[test]
    fn every_line_of_the_logbook_is_reported_and_so_is_its_end() {
        let station = Station::new(Generated::default(), CancellationToken::new());
        let mut changes = station.logbook_changes();
        assert!(!changes.has_changed().unwrap());
        station.write_down("Gale.".to_owned());
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        station.wipe();
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        station.wipe();
        assert!(!changes.has_changed().unwrap(), "it was empty before");
    }

    #[test]
    fn only_a_real_change_is_reported() {
        let station = Station::new(Generated::default(), CancellationToken::new());
        let changes = station.list_changes();
        assert!(!station.set_boathouse(false));
        assert!(!changes.has_changed().unwrap());
        assert!(station.set_boathouse(true));
        assert!(changes.has_changed().unwrap());
        assert!(station.boathouse_is_open());
    }
}

//! The lighthouse's own state, shared by all its clients.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::task_manager::TaskManager;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::cli::Generated;

/// Limit of entries in the logbook; the oldest are dropped first.
const MAX_ENTRIES: usize = 200;

/// State that the tools read and change. It is the same at each start.
pub(crate) struct State {
    generated: Generated,
    closing: CancellationToken,
    logbook: Mutex<Vec<String>>,
    boathouse: watch::Sender<bool>,
    /// Notified when the logbook changes.
    written: watch::Sender<()>,
    tasks: TaskManager,
}

impl State {
    /// Creates a state with generated items. When `closing` is cancelled, all running calls end early.
    pub(crate) fn new(generated: Generated, closing: CancellationToken) -> Self {
        let entries = [
            "06:10 Lamp out, lens covered. Light breeze from the south-west.",
            "09:45 The supply boat *Kittiwake* brought oil, tea and two letters.",
            "14:30 Fog bank to the north. Horn tested, in good voice.",
            "20:52 Lamp lit. Visibility twelve miles.",
        ];
        Self {
            generated,
            closing,
            logbook: Mutex::new(entries.map(str::to_owned).into()),
            boathouse: watch::Sender::new(false),
            written: watch::Sender::new(()),
            tasks: TaskManager::new(),
        }
    }

    /// Returns the numbers of generated items of each kind.
    pub(crate) fn generated(&self) -> &Generated {
        &self.generated
    }

    /// Returns the token that is cancelled when the server is about to end.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// Returns the tasks of all clients.
    pub(crate) fn tasks(&self) -> &TaskManager {
        &self.tasks
    }

    /// Returns the logbook's entries, oldest first.
    pub(crate) fn logbook(&self) -> Vec<String> {
        self.entries().clone()
    }

    /// Adds an entry to the logbook and returns the number of entries.
    pub(crate) fn write_down(&self, entry: String) -> usize {
        let mut entries = self.entries();
        if entries.len() == MAX_ENTRIES {
            entries.remove(0);
        }
        entries.push(entry);
        self.written.send_replace(());
        entries.len()
    }

    /// True if the boathouse is open, so that its tool exists.
    pub(crate) fn boathouse_is_open(&self) -> bool {
        *self.boathouse.borrow()
    }

    /// Opens or closes the boathouse; returns true if that changed anything.
    pub(crate) fn set_boathouse(&self, open: bool) -> bool {
        self.boathouse
            .send_if_modified(|is_open| std::mem::replace(is_open, open) != open)
    }

    /// Returns a receiver of later changes of the tool list.
    pub(crate) fn list_changes(&self) -> watch::Receiver<bool> {
        self.boathouse.subscribe()
    }

    /// Returns a receiver of later changes of the logbook.
    pub(crate) fn logbook_changes(&self) -> watch::Receiver<()> {
        self.written.subscribe()
    }

    fn entries(&self) -> MutexGuard<'_, Vec<String>> {
        // Entries are plain strings, so the logbook is consistent even if another holder panicked.
        self.logbook.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::new(Generated::default(), CancellationToken::new())
    }

    #[test]
    fn the_logbook_is_bounded_and_drops_the_oldest() {
        let state = state();
        for number in 0..MAX_ENTRIES {
            state.write_down(number.to_string());
        }
        let entries = state.logbook();
        assert_eq!((entries.len(), entries[0].as_str()), (MAX_ENTRIES, "0"));
    }

    #[test]
    fn every_line_of_the_logbook_is_reported() {
        let state = state();
        let changes = state.logbook_changes();
        assert!(!changes.has_changed().unwrap());
        state.write_down("Gale.".to_owned());
        assert!(changes.has_changed().unwrap());
    }

    #[test]
    fn only_a_real_change_is_reported() {
        let state = state();
        let changes = state.list_changes();
        assert!(!state.set_boathouse(false));
        assert!(!changes.has_changed().unwrap());
        assert!(state.set_boathouse(true));
        assert!(changes.has_changed().unwrap());
        assert!(state.boathouse_is_open());
    }
}

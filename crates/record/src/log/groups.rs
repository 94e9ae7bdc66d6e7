//! Groups of entries that a grouping view shows as one row.

use std::collections::HashMap;

/// Entries with a leader that stands for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The leader.
    pub(super) leader: u64,
    /// The last entry.
    pub(super) last: u64,
    /// Number of entries.
    pub(super) entries: u32,
}

/// All groups of a log, each named by the entry that it began with.
#[derive(Debug, Default)]
pub(super) struct Groups(HashMap<u64, Group>);

impl Groups {
    pub(super) fn get(&self, id: u64) -> Option<Group> {
        self.0.get(&id).copied()
    }

    /// Adds an entry to a group, which begins with the entry that it is named by.
    pub(super) fn join(&mut self, id: u64, seq: u64) {
        let group = self.0.entry(id).or_insert(Group {
            leader: id,
            last: id,
            entries: 1,
        });
        group.last = group.last.max(seq);
        group.entries += 1;
    }

    /// From now on another entry of the group stands for it.
    pub(super) fn lead(&mut self, id: u64, leader: u64) {
        if let Some(group) = self.0.get_mut(&id) {
            group.leader = leader;
        }
    }

    /// Takes its oldest entry out of a group, and hands the group back if it stands without a leader now.
    pub(super) fn leave(&mut self, id: u64, seq: u64) -> Option<Group> {
        let group = self.0.get_mut(&id)?;
        group.entries -= 1;
        if group.entries == 0 {
            self.0.remove(&id);
            return None;
        }
        (group.leader == seq).then_some(*group)
    }

    /// Takes over the groups of older entries.
    pub(super) fn extend(&mut self, older: Self) {
        self.0.extend(older.0);
    }
}

//! Groups of entries that a grouped view shows as one row.

use std::collections::HashMap;

/// Entries shown as one row, the leader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The entry whose row stands for the group.
    pub(super) leader: u64,
    /// The last entry.
    pub(super) last: u64,
    /// Number of entries.
    pub(super) entries: u32,
}

/// All groups of a log, identified by their first entry.
#[derive(Debug, Default)]
pub(super) struct Groups(HashMap<u64, Group>);

impl Groups {
    pub(super) fn get(&self, id: u64) -> Option<Group> {
        self.0.get(&id).copied()
    }

    /// Adds an entry to a group, creating it with its first entry if it does not exist.
    pub(super) fn join(&mut self, id: u64, seq: u64) {
        let group = self.0.entry(id).or_insert(Group {
            leader: id,
            last: id,
            entries: 1,
        });
        group.last = group.last.max(seq);
        group.entries += 1;
    }

    /// Makes another entry of the group its leader.
    pub(super) fn lead(&mut self, id: u64, leader: u64) {
        if let Some(group) = self.0.get_mut(&id) {
            group.leader = leader;
        }
    }

    /// Removes the oldest entry from a group; returns the group if it has no leader now.
    pub(super) fn leave(&mut self, id: u64, seq: u64) -> Option<Group> {
        let group = self.0.get_mut(&id)?;
        group.entries -= 1;
        if group.entries == 0 {
            self.0.remove(&id);
            return None;
        }
        (group.leader == seq).then_some(*group)
    }

    /// Adds the groups of older entries.
    pub(super) fn extend(&mut self, older: Self) {
        self.0.extend(older.0);
    }
}

//! Grouping of the entries of a log.
//!
//! Grouping is a filter, as the console is: an entry never moves from its place.

use sonde_wire::{EntryKind, MessageKind};

use super::groups::Group;
use super::ring::{Exchange, Ring, Stored};

impl Ring {
    /// Returns the group of an entry, if it belongs to one.
    pub(super) fn group(&self, entry: &Stored) -> Option<Group> {
        self.groups.get(entry.group?)
    }

    /// True if another entry stands for this one in a grouped view.
    pub(super) fn is_led(&self, seq: u64, entry: &Stored) -> bool {
        let group = self.group(entry);
        entry.findings.is_empty() && group.is_some_and(|group| group.leader != seq)
    }

    /// Returns the entries whose rows changed since the last call, except those already reported.
    pub(super) fn take_changed(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.changed)
    }

    /// Adds an HTTP frame to the group of its exchange. The request stands for all HTTP frames; messages of the server
    /// have their own rows. `before` is the exchange without this entry.
    pub(super) fn join_frames(&mut self, seq: u64, before: Exchange) {
        let Ok(entry) = self.get(seq) else { return };
        let leader = match (&entry.kind, before.message, before.head) {
            (EntryKind::Message, None, Some(head)) if entry.out => {
                self.join(head, seq);
                if let Some(group) = self.get(seq).ok().and_then(|entry| entry.group) {
                    self.groups.lead(group, seq);
                }
                return;
            }
            (
                EntryKind::RequestHead { .. }
                | EntryKind::ResponseHead { .. }
                | EntryKind::SseControl,
                message,
                head,
            ) => message.or(head),
            _ => None,
        };
        if let Some(leader) = leader {
            self.join(leader, seq);
        }
    }

    /// Groups a notification of the server with an equal one right before it. A notification with findings has its own
    /// row, and one with another severity is not equal.
    pub(super) fn join_repeated(&mut self, seq: u64) {
        let is_repeated = |ring: &Self| {
            let entry = ring.get(seq).ok()?;
            let before = ring.previous_entry(seq)?;
            let last = ring.get(before).ok()?;
            let same = !entry.out
                && !last.out
                && entry.group.is_none()
                && entry.generation == last.generation
                && entry.label.kind == Some(MessageKind::Notification)
                && last.label.kind == Some(MessageKind::Notification)
                && entry.label.method == last.label.method
                && entry.label.level == last.label.level
                && entry.findings.is_empty()
                && last.findings.is_empty()
                && entry.label.operation == last.label.operation;
            same.then_some(before)
        };
        if let Some(before) = is_repeated(self) {
            self.join(before, seq);
        }
    }

    /// Returns the entry before this one, skipping server-sent events that belong to a group.
    fn previous_entry(&self, seq: u64) -> Option<u64> {
        const MAX_DISTANCE: u64 = 4;
        (seq.saturating_sub(MAX_DISTANCE).max(1)..seq)
            .rev()
            .find(|before| {
                !self.get(*before).is_ok_and(|entry| {
                    matches!(entry.kind, EntryKind::SseControl) && entry.group.is_some()
                })
            })
    }

    /// Adds an entry to the group of another one.
    fn join(&mut self, with: u64, seq: u64) {
        let Ok(other) = self.get(with) else { return };
        let group = other.group.unwrap_or(with);
        self.groups.join(group, seq);
        for seq in [with, seq] {
            if let Some(entry) = self.get_mut(seq) {
                entry.group = Some(group);
                self.changed.push(seq);
            }
        }
        let leader = self.groups.get(group).map(|group| group.leader);
        self.changed.extend(leader.filter(|leader| *leader != with));
    }

    /// Makes the next entry the leader of this group after its first entry was dropped from the log.
    pub(super) fn drop_from(&mut self, id: u64, seq: u64) {
        let Some(group) = self.groups.leave(id, seq) else {
            return;
        };
        let leader = (self.first()..=group.last)
            .find(|seq| self.get(*seq).is_ok_and(|entry| entry.group == Some(id)));
        if let Some(leader) = leader {
            self.groups.lead(id, leader);
            self.changed.push(leader);
        }
    }
}

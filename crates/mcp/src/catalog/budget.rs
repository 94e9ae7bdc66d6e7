//! Shared memory limit for the catalogs of all servers.
//!
//! A server gets at most half of the memory that the others leave. A server that lists without end thus leaves room for
//! all others, however many servers do the same.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use sonde_findings::Finding;

use super::{item::CatalogItem, kind::CatalogKind};
use crate::limits::CATALOG_BYTES;

/// Memory held by the catalogs of all servers together, at most [`CATALOG_BYTES`].
#[derive(Debug, Default)]
pub struct CatalogBudget {
    held: AtomicUsize,
}

/// One server's share of the budget, over all of its sessions.
#[derive(Debug, Default)]
pub struct CatalogShare {
    budget: Arc<CatalogBudget>,
    /// Bytes held, by kind.
    held: [AtomicUsize; CatalogKind::ALL.len()],
    /// Bytes of the newest list, by kind.
    newest: [AtomicUsize; CatalogKind::ALL.len()],
}

impl CatalogBudget {
    /// Returns the number of bytes held at present.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

impl CatalogShare {
    /// The share of one server. It holds nothing yet.
    #[must_use]
    pub fn of(budget: &Arc<CatalogBudget>) -> Arc<Self> {
        Arc::new(Self {
            budget: Arc::clone(budget),
            ..Self::default()
        })
    }

    fn held_bytes(&self) -> usize {
        let held = self.held.iter();
        held.map(|bytes| bytes.load(Ordering::Relaxed)).sum()
    }

    fn add(&self, kind: CatalogKind, bytes: usize) {
        self.budget.held.fetch_add(bytes, Ordering::Relaxed);
        self.held[kind as usize].fetch_add(bytes, Ordering::Relaxed);
    }

    fn remove(&self, kind: CatalogKind, bytes: usize) {
        self.budget.held.fetch_sub(bytes, Ordering::Relaxed);
        self.held[kind as usize].fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns true if it holds no more than half of the memory that the others leave.
    fn fits(&self) -> bool {
        let own = self.held_bytes();
        let others = self.budget.held_bytes().saturating_sub(own);
        own <= CATALOG_BYTES.saturating_sub(others) / 2
    }
}

/// Memory of one reading, taken from the server's share.
#[derive(Debug)]
pub(crate) struct Room {
    share: Arc<CatalogShare>,
    kind: CatalogKind,
    taken: usize,
    /// Bytes of the previous list, to be given back. The new list reuses them, or a large catalog could be
    /// read once and never again.
    given_back: usize,
    /// Bytes of `given_back` already in use.
    used: usize,
}

impl Room {
    /// Room for a reading, which replaces the newest list of its catalog while that list is kept.
    pub(super) fn new(share: &Arc<CatalogShare>, kind: CatalogKind) -> Self {
        let [held, newest] =
            [&share.held, &share.newest].map(|bytes| bytes[kind as usize].load(Ordering::Relaxed));
        let given_back = newest.min(held);
        Self::in_place_of(given_back, share, kind)
    }

    fn in_place_of(given_back: usize, share: &Arc<CatalogShare>, kind: CatalogKind) -> Self {
        Self {
            share: Arc::clone(share),
            kind,
            taken: 0,
            given_back,
            used: 0,
        }
    }

    /// Takes this many bytes if there is room for them.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let free = bytes.min(self.given_back - self.used);
        let bytes = bytes - free;
        self.share.add(self.kind, bytes);
        if bytes > 0 && !self.share.fits() {
            self.share.remove(self.kind, bytes);
            return false;
        }
        self.used += free;
        self.taken += bytes;
        true
    }

    /// Ends the reading: the items that are kept replace the previous list.
    fn settle(mut self) -> Self {
        self.share.add(self.kind, self.used);
        self.taken += std::mem::take(&mut self.used);
        self.given_back = 0;
        self.share.newest[self.kind as usize].store(self.taken, Ordering::Relaxed);
        self
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.share.remove(self.kind, self.taken);
    }
}

/// The items of a catalog in the server's order, with the room that they take while they are kept.
#[derive(Debug, Default)]
pub struct CatalogItems {
    items: Vec<CatalogItem>,
    room: Option<Arc<Room>>,
}

impl CatalogItems {
    pub(super) fn new(items: Vec<CatalogItem>, room: Room) -> Self {
        Self {
            items,
            room: Some(Arc::new(room.settle())),
        }
    }

    /// Items of a reading that is still under way and holds the room for them. Definitions are shared with
    /// it, not copied.
    pub(super) fn part(items: Vec<CatalogItem>) -> Self {
        Self { items, room: None }
    }

    /// Returns the same items with later findings added, by index.
    #[must_use]
    pub fn with_findings(&self, found: Vec<(usize, Finding)>) -> Self {
        let mut items = self.items.clone();
        for (index, finding) in found {
            if let Some(item) = items.get_mut(index) {
                item.findings.push(finding);
            }
        }
        Self {
            items,
            room: self.room.clone(),
        }
    }

    /// Returns a list with these items in place of `before`; `None` when there is no room.
    pub(super) fn beside(&self, before: &Self, items: Vec<CatalogItem>) -> Option<Self> {
        let Some(room) = &self.room else {
            return Some(items.into());
        };
        let given_back = before.room.as_ref().map_or(0, |room| room.taken);
        let mut room = Room::in_place_of(given_back, &room.share, room.kind);
        let fits = room.take(items.iter().map(CatalogItem::weight).sum());
        fits.then(|| Self::new(items, room))
    }
}

impl Deref for CatalogItems {
    type Target = [CatalogItem];

    fn deref(&self) -> &[CatalogItem] {
        &self.items
    }
}

impl From<Vec<CatalogItem>> for CatalogItems {
    /// Items that no budget counts.
    fn from(items: Vec<CatalogItem>) -> Self {
        Self { items, room: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: CatalogKind = CatalogKind::Tools;
    const MIB: usize = 1024 * 1024;

    /// Takes as many MiB as there is room for.
    fn fill(share: &Arc<CatalogShare>, kind: CatalogKind) -> (usize, CatalogItems) {
        let mut room = Room::new(share, kind);
        let mut count = 0;
        while room.take(MIB) {
            count += 1;
        }
        (count, CatalogItems::new(Vec::new(), room))
    }

    #[test]
    fn each_server_gets_half_of_what_the_others_leave() {
        let budget = Arc::default();
        let mut kept = Vec::new();
        for room in [128, 64, 32, 16, 8] {
            let share = CatalogShare::of(&budget);
            let (tools, items) = fill(&share, TOOLS);
            // All kinds together.
            let (prompts, more) = fill(&share, CatalogKind::Prompts);
            assert_eq!((tools, prompts), (room, 0));
            kept.push((items, more));
        }
        assert_eq!(budget.held_bytes(), 248 * MIB);
        kept.clear();
        assert_eq!(budget.held_bytes(), 0);
    }

    #[test]
    fn a_catalog_is_read_again_in_the_room_that_it_has() {
        let budget = Arc::default();
        let (large, other) = (CatalogShare::of(&budget), CatalogShare::of(&budget));
        let (count, before) = fill(&large, TOOLS);
        let (_, taken) = fill(&other, TOOLS);
        let (again, after) = fill(&large, TOOLS);
        assert_eq!((count, again), (128, 128), "whatever the others took since");
        // Nobody has let go of the first yet.
        let (third, last) = fill(&large, TOOLS);
        assert_eq!(third, 128, "in the place of the one before, not of both");
        drop((before, after));
        assert_eq!(budget.held_bytes(), (128 + 64) * MIB);
        drop((taken, last));
        assert_eq!(budget.held_bytes(), 0);
    }
}

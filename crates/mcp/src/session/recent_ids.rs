//! Ids of the server's latest requests.

use std::{
    collections::{HashSet, VecDeque},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

/// Number of ids that are remembered.
const REMEMBERED: usize = 1_000;

/// The ids of the last requests of a server in a session. Only a hash is kept: an id can be long.
#[derive(Debug, Default)]
pub(super) struct RecentIds {
    order: VecDeque<u64>,
    known: HashSet<u64>,
    /// There were more ids than are remembered.
    forgot: bool,
}

impl RecentIds {
    /// Remembers an id (JSON text); false if it was used before.
    pub(super) fn remember(&mut self, id: &str) -> bool {
        let id = hash(id);
        if !self.known.insert(id) {
            return false;
        }
        if self.order.len() == REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
            self.forgot = true;
        }
        self.order.push_back(id);
        true
    }

    /// Returns true if an id was certainly never used.
    pub(super) fn is_unused(&self, id: &str) -> bool {
        !self.forgot && !self.known.contains(&hash(id))
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ids_are_known() {
        let mut ids = RecentIds::default();
        assert!(ids.is_unused("1") && ids.remember("1"));
        assert!(!ids.is_unused("1") && !ids.remember("1"));
        assert!(ids.remember("\"1\""));
        for id in 0..REMEMBERED {
            ids.remember(&format!("\"{id}-\""));
        }
        assert_eq!((ids.order.len(), ids.known.len()), (REMEMBERED, REMEMBERED));
        // Nothing is claimed of what may have been forgotten.
        assert!(ids.remember("1") && !ids.is_unused("2"));
    }
}

//! Behaviours that inputs have led to so far. An input that leads to a new behaviour is worth mutating.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher as _},
};

/// Everything noted so far. Equal notes are equal in every process.
#[derive(Default)]
pub(crate) struct Seen {
    known: HashSet<u64>,
    new: bool,
}

impl Seen {
    /// Notes a behaviour of the current input.
    pub(crate) fn note(&mut self, what: impl Hash) {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        self.new |= self.known.insert(hasher.finish());
    }

    /// Notes a number by its magnitude.
    pub(crate) fn note_count(&mut self, what: &str, count: usize) {
        self.note((what, count.checked_ilog2()));
    }

    /// True if something new was noted since the last call.
    pub(crate) fn take_new(&mut self) -> bool {
        std::mem::take(&mut self.new)
    }

    /// Returns the number of notes.
    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }
}

//! A bounded list that keeps its indexes when old items fall off the front.

use std::collections::VecDeque;

/// Limit of items returned at once.
const PAGE: u32 = 1_000;

/// The newest `LIMIT` of all items ever pushed; indexes count from the very first.
#[derive(Clone, Debug)]
pub struct Ring<T, const LIMIT: usize> {
    items: VecDeque<T>,
    dropped: u64,
}

impl<T, const LIMIT: usize> Default for Ring<T, LIMIT> {
    fn default() -> Self {
        Self {
            items: VecDeque::new(),
            dropped: 0,
        }
    }
}

impl<T, const LIMIT: usize> Ring<T, LIMIT> {
    pub(crate) fn push(&mut self, item: T) {
        if self.items.len() == LIMIT {
            self.items.pop_front();
            self.dropped += 1;
        }
        self.items.push_back(item);
    }

    /// The newest item.
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.items.back_mut()
    }

    /// The newest item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.items.back()
    }

    /// Number of items ever pushed.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.dropped + self.items.len() as u64
    }

    /// The items that are kept, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// Returns at most 1,000 items with these indexes, with `gone` in place of dropped ones.
    pub(crate) fn page(&self, from: u64, count: u32, gone: impl Fn() -> T) -> Vec<T>
    where
        T: Clone,
    {
        self.range(from, count.min(PAGE))
            .map(|item| item.cloned().unwrap_or_else(&gone))
            .collect()
    }

    /// The items with these indexes; `None` for those that were dropped.
    pub fn range(&self, from: u64, count: u32) -> impl Iterator<Item = Option<&T>> {
        let end = self.total().min(from.saturating_add(u64::from(count)));
        (from..end).map(|index| {
            index
                .checked_sub(self.dropped)
                .and_then(|index| usize::try_from(index).ok())
                .and_then(|index| self.items.get(index))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_stay_when_items_are_dropped() {
        let mut ring = Ring::<_, 3>::default();
        for number in 0..5 {
            ring.push(number);
        }
        assert_eq!(ring.total(), 5);
        let all: Vec<_> = ring.range(0, 100).collect();
        assert_eq!(all, [None, None, Some(&2), Some(&3), Some(&4)]);
        assert_eq!(ring.range(4, 1).collect::<Vec<_>>(), [Some(&4)]);
        assert_eq!(ring.range(u64::MAX, 5).count(), 0);
    }
}

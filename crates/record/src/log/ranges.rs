//! Places of secrets in a text.

/// Limit of the places of secrets in a text; a text with more is replaced as a whole.
pub(super) const MOST_RANGES: usize = 100_000;

/// A place of a secret, in bytes.
pub(super) struct SecretRange<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) mark: &'a str,
}

/// Places of the secrets found so far.
#[derive(Default)]
pub(super) struct Ranges<'a> {
    all: Vec<SecretRange<'a>>,
    /// True if there were more than [`MOST_RANGES`]; further ones are ignored.
    too_many: bool,
}

impl<'a> Ranges<'a> {
    /// Adds a range. Several patterns and readings find the same place, so there may be many more calls than ranges.
    pub(super) fn push(&mut self, found: SecretRange<'a>) {
        self.all.push(found);
        if self.all.len() > 2 * MOST_RANGES {
            self.join();
        }
    }

    /// Sorts the ranges and joins those that overlap.
    fn join(&mut self) {
        self.all
            .sort_unstable_by_key(|found| (found.start, std::cmp::Reverse(found.end)));
        self.all.dedup_by(|found, last| {
            let overlaps = found.start < last.end;
            if overlaps {
                last.end = last.end.max(found.end);
            }
            overlaps
        });
        self.too_many |= self.all.len() > MOST_RANGES;
    }

    /// True if further ranges are ignored.
    pub(super) fn are_too_many(&self) -> bool {
        self.too_many
    }

    /// Returns the ranges in a text of this length, in order, overlapping ones joined. If there were too many, one
    /// range covers the whole text.
    pub(super) fn within(mut self, length: usize) -> Vec<SecretRange<'a>> {
        self.join();
        if let Some(last) = self.all.last_mut() {
            last.end = last.end.min(length);
        }
        if self.too_many
            && let Some(first) = self.all.first_mut()
        {
            (first.start, first.end) = (0, length);
            self.all.truncate(1);
        }
        self.all
    }
}

//! Places of secrets in a text.

/// A text with secrets in more places is replaced as a whole.
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
    /// More than [`MOST_RANGES`]; no more are taken.
    too_many: bool,
}

impl<'a> Ranges<'a> {
    /// The same place is found by several patterns and in several readings, so that much more may come
    /// than there are ranges.
    pub(super) fn push(&mut self, found: SecretRange<'a>) {
        self.all.push(found);
        if self.all.len() > 2 * MOST_RANGES {
            self.join();
        }
    }

    /// Puts them in order and makes one of those that overlap.
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

    /// No more are taken.
    pub(super) fn are_too_many(&self) -> bool {
        self.too_many
    }

    /// All of them in a text of so many bytes, in order, overlapping ones joined; of too many one that
    /// covers the whole text.
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

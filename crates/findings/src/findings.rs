//! The findings about one subject.

use crate::{Finding, rules};

/// Limit of findings about one subject that are kept: a hundred explain a fault that a server repeats a
/// million times.
pub const FINDINGS: usize = 100;

/// Findings about one subject, of which the first [`FINDINGS`] are kept. If there were more, the last kept one has
/// their number.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    kept: Vec<Finding>,
    more: usize,
}

impl Findings {
    /// Adds a finding, or counts it if the list is full.
    pub fn push(&mut self, finding: Finding) {
        if self.kept.len() < FINDINGS {
            self.kept.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Adds a finding that must not be missing: it comes first.
    pub fn push_first(&mut self, finding: Finding) {
        self.kept.insert(0, finding);
        if self.kept.len() > FINDINGS {
            self.kept.pop();
            self.more += 1;
        }
    }

    /// Returns the kept findings; if there were more, the last has their number.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Finding> {
        if self.more > 0 {
            self.kept.pop();
            let more = Finding::new(&rules::MORE_FINDINGS).with("count", self.more + 1);
            self.kept.push(more);
        }
        self.kept
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ones_are_kept_and_the_others_counted() {
        let of = |count: usize| {
            let mut findings = Findings::default();
            findings.extend((0..count).map(|_| Finding::new(&rules::BAD_JSONRPC)));
            findings.into_vec()
        };
        assert_eq!(of(0), []);
        let all = of(FINDINGS);
        assert!(all.len() == FINDINGS && all.iter().all(|one| one.id() == "bad-jsonrpc"));
        let mut full = Findings::default();
        full.extend(all);
        full.push_first(Finding::new(&rules::BOM));
        assert_eq!(full.clone().into_vec()[0].id(), "bom");
        assert_eq!(full.into_vec()[FINDINGS - 1].id(), "more-findings");
        let cut = of(1_000_000);
        assert_eq!(cut.len(), FINDINGS);
        assert_eq!(
            cut[FINDINGS - 1].message(),
            "There are 999901 more findings, which are not kept."
        );
    }
}

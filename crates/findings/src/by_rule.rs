//! Findings about many subjects, by rule.

use std::collections::BTreeMap;

use crate::Rule;

/// Limit of kept cases of one rule. The first cases explain a repeated fault.
const PER_RULE: usize = 100;

/// Limit of cases of all rules together, beside the first case of each rule.
const CASES: usize = 1_000;

/// Findings by rule: all are counted, and the first cases are kept as `C`.
#[derive(Clone, Debug)]
pub struct ByRule<C> {
    rules: BTreeMap<&'static str, Cases<C>>,
    kept: usize,
}

/// Findings of one rule.
#[derive(Clone, Debug)]
pub struct Cases<C> {
    /// The rule.
    pub rule: &'static Rule,
    /// Number of findings.
    pub count: u64,
    /// The first 100 cases; only the first one if there are 1,000 over all rules.
    pub kept: Vec<C>,
}

impl<C> Default for ByRule<C> {
    fn default() -> Self {
        Self {
            rules: BTreeMap::new(),
            kept: 0,
        }
    }
}

impl<C> ByRule<C> {
    /// Returns the broken rules, in the order of their ids.
    pub fn rules(&self) -> impl Iterator<Item = &Cases<C>> {
        self.rules.values()
    }

    /// Adds a finding. `case` runs only if there is room for its result.
    pub fn add(&mut self, rule: &'static Rule, case: impl FnOnce() -> C) {
        let cases = self.cases(rule);
        cases.count += 1;
        let (is_first, room) = (cases.kept.is_empty(), cases.kept.len() < PER_RULE);
        if is_first || room && self.kept < CASES {
            self.kept += 1;
            self.cases(rule).kept.push(case());
        }
    }

    /// Removes one finding of a rule, and all its cases for which `is_of_it` is true.
    pub fn remove(&mut self, rule: &'static Rule, is_of_it: impl Fn(&C) -> bool) {
        let Some(cases) = self.rules.get_mut(rule.id) else {
            return;
        };
        cases.count = cases.count.saturating_sub(1);
        let before = cases.kept.len();
        cases.kept.retain(|case| !is_of_it(case));
        self.kept -= before - cases.kept.len();
        if cases.count == 0 {
            self.rules.remove(rule.id);
        }
    }

    /// Keeps only the findings of the rules for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl Fn(&Rule) -> bool) {
        self.rules.retain(|_, cases| is_kept(cases.rule));
        self.kept = self.rules().map(|cases| cases.kept.len()).sum();
    }

    /// Inserts older findings before the others.
    pub fn prepend(&mut self, older: Self) {
        let newer = std::mem::replace(self, older);
        for (_, cases) in newer.rules {
            let known = self.cases(cases.rule);
            known.count += cases.count;
            let room = PER_RULE - known.kept.len();
            let least = usize::from(known.kept.is_empty());
            let left = CASES.saturating_sub(self.kept).max(least);
            let kept = cases.kept.len().min(room).min(left);
            self.kept += kept;
            let first = cases.kept.into_iter().take(kept);
            self.cases(cases.rule).kept.extend(first);
        }
    }

    fn cases(&mut self, rule: &'static Rule) -> &mut Cases<C> {
        self.rules.entry(rule.id).or_insert(Cases {
            rule,
            count: 0,
            kept: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::rules;

    use super::*;

    fn shown(found: &ByRule<u64>) -> Vec<(&'static str, u64, Vec<u64>)> {
        let rules = found.rules().map(|one| {
            let places = one.kept.clone();
            (one.rule.id, one.count, places)
        });
        rules.collect()
    }

    #[test]
    fn all_are_counted_and_the_first_cases_are_kept() {
        let mut found = ByRule::default();
        for place in 1..=100_000 {
            found.add(&rules::BAD_JSONRPC, || place);
        }
        let known = found.rules().next().unwrap();
        assert_eq!((known.count, known.kept.len()), (100_000, PER_RULE));
        assert_eq!(known.kept[99], 100);
        // All rules together have a limit as well, but every finding is counted, and each rule has a case.
        for rule in rules::all() {
            for place in 1..=PER_RULE as u64 {
                found.add(rule, || place);
            }
        }
        let all = rules::all().count();
        let are_shown = |found: &ByRule<u64>| {
            found.rules().count() == all && found.rules().all(|one| !one.kept.is_empty())
        };
        assert!(are_shown(&found));
        let kept: usize = found.rules().map(|one| one.kept.len()).sum();
        assert_eq!(kept, CASES + all - CASES / PER_RULE);
        assert_eq!(found.kept, kept);
        // Older findings leave room for the first case of another rule, too.
        found.retain(|rule| rule.id != rules::BAD_JSONRPC.id);
        let mut newer = ByRule::default();
        newer.add(&rules::BAD_JSONRPC, || 1);
        newer.prepend(found);
        assert!(are_shown(&newer));
    }

    #[test]
    fn what_was_taken_back_leaves_no_trace() {
        let mut found = ByRule::default();
        found.add(&rules::BAD_JSONRPC, || 1);
        found.add(&rules::BAD_JSONRPC, || 1);
        found.add(&rules::BAD_JSONRPC, || 2);
        found.add(&rules::BOM, || 2);
        found.remove(&rules::BAD_JSONRPC, |place| *place == 1);
        found.remove(&rules::BAD_JSONRPC, |place| *place == 1);
        assert_eq!(
            shown(&found),
            [("bad-jsonrpc", 1, vec![2]), ("bom", 1, vec![2])]
        );
        found.remove(&rules::BAD_JSONRPC, |place| *place == 2);
        found.remove(&rules::BOM, |place| *place == 2);
        assert_eq!((shown(&found), found.kept), (vec![], 0));
    }

    #[test]
    fn what_was_found_before_comes_first_again() {
        let found = |places: std::ops::RangeInclusive<u64>| {
            let mut found = ByRule::default();
            places.for_each(|place| found.add(&rules::BOM, || place));
            found
        };
        let mut newer = found(61..=160);
        newer.prepend(found(1..=60));
        let all = shown(&newer);
        let kept: Vec<u64> = (1..=100).collect();
        assert_eq!((&all[..], newer.kept), (&[("bom", 160, kept)][..], 100));
    }
}

//! Check of a tool's result against the limits of the known hosts.

use std::iter::Sum;

use sonde_findings::{Finding, rules};

use crate::{
    cost,
    hosts::{Requirement, hosts},
};

/// Bytes below which no host refuses or cuts a result: it has at most as many characters and tokens.
pub const LEAST_RESULT: usize = 25_000;
/// The member of `_meta` in which a tool declares the largest number of characters of its results.
pub const ALLOWED_CHARACTERS: &str = "anthropic/maxResultSizeChars";
/// The host that respects that declaration for its limit in characters, up to [`MOST_ALLOWED`].
const HEEDS_ALLOWED: &str = "claude_code";
const MOST_ALLOWED: u64 = 500_000;

/// Length of all texts of a result together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultSize {
    ascii: u64,
    other: u64,
}

impl Sum for ResultSize {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |all, one| Self {
            ascii: all.ascii + one.ascii,
            other: all.other + one.other,
        })
    }
}

impl ResultSize {
    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        let (ascii, other) = cost::characters(text);
        self.ascii += ascii;
        self.other += other;
    }

    /// Returns findings about the hosts in which a result of this length does not reach the model unchanged. `allowed`:
    /// the characters that the tool declares for its results.
    #[must_use]
    pub fn findings(&self, allowed: Option<u64>) -> Vec<Finding> {
        let characters = self.ascii + self.other;
        let allowed = allowed.map(|one| one.min(MOST_ALLOWED));
        let tokens = cost::tokens_of(self.ascii, self.other);
        let (mut cut, mut unsure) = (Vec::new(), Vec::new());
        for host in hosts() {
            for limit in &host.limits {
                let is_above = match limit.limit {
                    // A tool that may return more characters is also exempt from the limit in tokens.
                    Requirement::ResultTokens { most } => tokens > most as u64 && allowed.is_none(),
                    Requirement::ResultCharacters { most } => {
                        let own = allowed.filter(|_| host.id == HEEDS_ALLOWED);
                        characters > own.unwrap_or(0).max(most as u64)
                    }
                    _ => false,
                };
                if !is_above {
                    continue;
                }
                // The number of tokens is an estimate, whatever the limit.
                let estimated = matches!(limit.limit, Requirement::ResultTokens { .. });
                let into = match estimated || limit.is_heuristic() {
                    true => &mut unsure,
                    false => &mut cut,
                };
                if !into.contains(&host.name.as_str()) {
                    into.push(host.name.as_str());
                }
            }
        }
        let mut found = Vec::new();
        if !cut.is_empty() {
            let finding = Finding::new(&rules::HOST_RESULT_SIZE);
            found.push(
                finding
                    .with("count", characters)
                    .with("hosts", cut.join(", ")),
            );
        }
        if !unsure.is_empty() {
            let what = format!("The result has about {tokens} tokens.");
            let finding = Finding::new(&rules::MAY_FAIL_IN_HOST).with("found", what);
            found.push(finding.with("hosts", unsure.join(", ")));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, allowed: Option<u64>) -> Vec<String> {
        let mut size = ResultSize::default();
        size.add(text);
        let found = size.findings(allowed);
        found.iter().map(Finding::message).collect()
    }

    #[test]
    fn a_result_is_compared_with_what_hosts_hand_to_the_model() {
        assert_eq!(of(&"x".repeat(40_000), None), [""; 0]);
        assert_eq!(
            of(&"x".repeat(40_001), None),
            ["The result has 40001 characters, more than reach the model in: Gemini CLI."]
        );
        assert_eq!(
            of(&"x".repeat(50_001), None),
            [
                "The result has 50001 characters, more than reach the model in: Claude Code, Gemini CLI."
            ]
        );
        // Four ASCII characters count as one token, and each other character as one.
        let estimated = of(&"ü".repeat(25_001), None);
        assert_eq!(estimated.len(), 1);
        assert!(
            estimated[0].starts_with("The result has about 25001 tokens. ")
                && estimated[0].ends_with(": Claude Code."),
            "{estimated:?}"
        );
    }

    #[test]
    fn a_tool_may_say_that_its_results_are_longer() {
        let text = "x".repeat(120_000);
        assert_eq!(of(&text, None).len(), 2);
        let allowed = of(&text, Some(200_000));
        assert_eq!(allowed.len(), 1);
        assert!(allowed[0].ends_with(": Gemini CLI."), "{allowed:?}");
        assert!(of(&text, Some(100_000))[0].contains("Claude Code"));
        let most = "x".repeat(500_001);
        assert!(of(&most, Some(u64::MAX))[0].contains("Claude Code"));
    }

    #[test]
    fn no_limit_is_below_what_is_looked_at() {
        for limit in hosts().iter().flat_map(|host| &host.limits) {
            if let Requirement::ResultTokens { most } | Requirement::ResultCharacters { most } =
                limit.limit
            {
                assert!(most >= LEAST_RESULT, "{limit:?}");
            }
        }
        assert!(crate::hosts::find(HEEDS_ALLOWED).is_some());
    }
}

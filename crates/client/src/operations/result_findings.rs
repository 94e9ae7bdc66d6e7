//! The findings of the results of a connection.

use sonde_findings::{ByRule, Finding, FindingView, Location, Rule, rules};
use sonde_validation::ArgumentProblem;

use super::{operation::OperationNumber, outcome::OperationOutcome};

/// Findings in the results of a connection's operations, including those that left the history.
#[derive(Debug, Default)]
pub struct FoundInResults {
    /// Number of results that were judged.
    pub results: u64,
    /// Findings by their rule.
    pub by_rule: ByRule<FoundInResult>,
}

/// A case of a broken rule in a result.
#[derive(Clone, Debug)]
pub struct FoundInResult {
    /// Operation of the result.
    pub operation: OperationNumber,
    /// Message of the finding.
    pub message: String,
    /// Location of the finding in the result.
    pub location: Option<String>,
}

/// Rules that are found in the response's frame as well, where they count.
const FOUND_IN_FRAME: [&Rule; 3] = [
    &rules::BAD_CONTENT,
    &rules::BAD_CONTENTS,
    &rules::BAD_MESSAGES,
];

impl FoundInResults {
    /// Adds the findings about the result of an operation.
    pub(super) fn add(&mut self, operation: OperationNumber, outcome: &OperationOutcome) {
        if !matches!(outcome, OperationOutcome::Result { .. }) {
            return;
        }
        self.results += 1;
        self.add_all(operation, outcome.findings());
    }

    /// Adds findings about an operation that were made after its end.
    pub(super) fn add_all<'a>(
        &mut self,
        operation: OperationNumber,
        findings: impl IntoIterator<Item = &'a FindingView>,
    ) {
        for finding in findings {
            if let Some(rule) = rules::find(&finding.rule)
                && !FOUND_IN_FRAME.iter().any(|one| one.id == rule.id)
            {
                self.by_rule.add(rule, || FoundInResult {
                    operation,
                    message: finding.message.clone(),
                    location: finding.location.clone(),
                });
            }
        }
    }
}

/// Turns a violation of the output schema by structured content into a finding.
pub(super) fn output_schema_finding(problem: &ArgumentProblem) -> FindingView {
    let said = problem.message.trim_end_matches('.');
    let pointer = format!("/structuredContent{}", problem.instance_path);
    let rule = match problem.is_of_format() {
        true => &rules::NONCONFORMING_FORMAT,
        false => &rules::NONCONFORMING_STRUCTURED_CONTENT,
    };
    let finding = Finding::new(rule)
        .with("problem", said)
        .at(Location::Pointer(pointer));
    FindingView::from(&finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_the_frame_has_counts_once() {
        let mut found = FoundInResults::default();
        let findings = [&rules::BAD_CONTENT, &rules::MISSING_TEXT]
            .map(|rule| FindingView::from(&Finding::new(rule)));
        found.add_all(1, &findings);
        let rules: Vec<_> = found.by_rule.rules().map(|cases| cases.rule.id).collect();
        assert_eq!(rules, ["missing-text"]);
    }
}

//! The findings of the results of a connection.

use sonde_findings::{ByRule, Finding, FindingView, rules};
use sonde_validation::ArgumentProblem;

use super::{operation::OperationNumber, outcome::OperationOutcome};

/// What was found in the results of a connection's operations, those that left the history included.
#[derive(Debug, Default)]
pub struct FoundInResults {
    /// Results that were judged.
    pub results: u64,
    /// What was found in them.
    pub by_rule: ByRule<FoundInResult>,
}

/// A case of a broken rule in a result.
#[derive(Clone, Debug)]
pub struct FoundInResult {
    /// Whose result it is.
    pub operation: OperationNumber,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub location: Option<String>,
}

impl FoundInResults {
    /// Adds what was found in the result of an operation.
    pub(super) fn add(&mut self, operation: OperationNumber, outcome: &OperationOutcome) {
        if !matches!(outcome, OperationOutcome::Result { .. }) {
            return;
        }
        self.results += 1;
        for FindingView {
            rule,
            message,
            location,
            ..
        } in outcome.findings()
        {
            if let Some(rule) = rules::find(rule) {
                self.by_rule.add(rule, || FoundInResult {
                    operation,
                    message: message.clone(),
                    location: location.clone(),
                });
            }
        }
    }

    /// Adds what is wrong with how an operation ended.
    pub(super) fn add_finding(&mut self, operation: OperationNumber, finding: &Finding) {
        self.by_rule.add(finding.rule, || FoundInResult {
            operation,
            message: finding.message(),
            location: None,
        });
    }

    /// Adds what the output schema says about the structured content of an operation's result.
    pub(super) fn add_problems(
        &mut self,
        operation: OperationNumber,
        problems: &[ArgumentProblem],
    ) {
        for problem in problems {
            let rule = &rules::NONCONFORMING_STRUCTURED_CONTENT;
            self.by_rule.add(rule, || {
                let said = problem.message.trim_end_matches('.');
                FoundInResult {
                    operation,
                    message: Finding::new(rule).with("problem", said).message(),
                    location: Some(format!("/structuredContent{}", problem.instance_path)),
                }
            });
        }
    }
}

//! The findings of the current connection.

use std::sync::Arc;

use sonde_findings::{ByRule, Finding};

/// Findings in the frames of a connection, including frames that were dropped from the log.
#[derive(Clone, Debug, Default)]
pub struct FoundInFrames {
    /// Messages that were received.
    pub messages: u64,
    /// Findings in these messages and beside them.
    pub by_rule: ByRule<FoundInFrame>,
}

/// A case of a broken rule in a frame.
#[derive(Clone, Debug)]
pub struct FoundInFrame {
    /// The log entry.
    pub seq: u64,
    /// The method of the entry, as far as it was known when the finding was added.
    pub method: Option<Arc<str>>,
    /// The finding.
    pub finding: Finding,
}

impl FoundInFrames {
    /// Adds the findings in an entry.
    pub(super) fn add(&mut self, seq: u64, method: Option<&Arc<str>>, findings: &[Finding]) {
        for finding in findings {
            self.by_rule.add(finding.rule, || FoundInFrame {
                seq,
                method: method.cloned(),
                finding: finding.clone(),
            });
        }
    }

    /// Removes the findings in an entry.
    pub(super) fn remove(&mut self, seq: u64, findings: &[Finding]) {
        for finding in findings {
            self.by_rule.remove(finding.rule, |frame| frame.seq == seq);
        }
    }

    /// Inserts earlier findings before the others.
    pub(super) fn prepend(&mut self, older: Self) {
        self.messages += older.messages;
        self.by_rule.prepend(older.by_rule);
    }
}

//! An array of messages: only one revision allows it, all are read.

use serde_json::value::RawValue;
use sonde_wire::Finding;

use super::envelope::finding;

/// How many messages of one batch are read.
const MAX_MESSAGES: usize = 10_000;
/// Findings of one batch that are kept.
pub(super) const MAX_FINDINGS: usize = 100;

pub(super) fn is_batch(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// The messages of a batch. An error is a plain sentence; `findings` has it too.
pub(super) fn split<'a>(
    text: &'a str,
    allowed: bool,
    findings: &mut Vec<Finding>,
) -> Result<Vec<&'a RawValue>, String> {
    let mut items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        let problem = format!("The message is not valid JSON: {error}.");
        findings.push(finding("invalid-json", problem.clone()));
        problem
    })?;
    if !allowed {
        findings.push(finding(
            "batch-not-allowed",
            "This protocol version has no batches; each message was read anyway.",
        ));
    }
    if items.is_empty() {
        findings.push(finding("invalid-message", "The batch is empty."));
    }
    if items.len() > MAX_MESSAGES {
        findings.push(finding(
            "batch-too-long",
            format!(
                "The batch has {} messages; the first {MAX_MESSAGES} were read.",
                items.len()
            ),
        ));
        items.truncate(MAX_MESSAGES);
    }
    Ok(items)
}

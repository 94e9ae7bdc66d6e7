//! An array of messages: only one revision allows it, all are read.

use serde_json::value::RawValue;

use sonde_findings::{Finding, rules};

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
        findings.push(Finding::new(&rules::INVALID_JSON).with("problem", &error));
        format!("The message is not valid JSON: {error}.")
    })?;
    if !allowed {
        findings.push(Finding::new(&rules::BATCH_NOT_ALLOWED));
    }
    if items.is_empty() {
        findings.push(Finding::new(&rules::INVALID_MESSAGE).with("problem", "the batch is empty"));
    }
    if items.len() > MAX_MESSAGES {
        findings.push(
            Finding::new(&rules::BATCH_TOO_LONG)
                .with("count", items.len())
                .with("limit", MAX_MESSAGES),
        );
        items.truncate(MAX_MESSAGES);
    }
    Ok(items)
}

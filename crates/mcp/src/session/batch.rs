//! An array of messages: only one revision allows it, all are read.

use serde_json::value::RawValue;

use sonde_findings::{Finding, rules};

use crate::{limits::BATCH_MESSAGES, members::elements};

pub(super) fn is_batch(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// The messages of a batch. An error is a plain sentence; `findings` has it too.
pub(super) fn split<'a>(
    text: &'a str,
    allowed: bool,
    findings: &mut Vec<Finding>,
) -> Result<Vec<&'a RawValue>, String> {
    let items = elements(text, BATCH_MESSAGES).map_err(|error| {
        findings.push(Finding::new(&rules::INVALID_JSON).with("problem", &error));
        format!("The message is not valid JSON: {error}.")
    })?;
    if !allowed {
        findings.push(Finding::new(&rules::BATCH_NOT_ALLOWED));
    }
    if items.count == 0 {
        findings.push(Finding::new(&rules::INVALID_MESSAGE).with("problem", "the batch is empty"));
    }
    if items.count > BATCH_MESSAGES {
        findings.push(
            Finding::new(&rules::BATCH_TOO_LONG)
                .with("count", items.count)
                .with("limit", BATCH_MESSAGES),
        );
    }
    Ok(items.first)
}

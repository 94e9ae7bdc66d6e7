//! Arrays of messages. Only one protocol version allows them, but all are read.

use serde_json::value::RawValue;

use sonde_findings::{Finding, rules};

use super::envelope::json_problem;
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
        let problem = json_problem(text, &error);
        findings.push(Finding::new(&rules::INVALID_JSON).with("problem", &problem));
        format!("The message is not valid JSON: {problem}.")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_read_as_far_as_its_limit() {
        let of = |count| {
            let mut findings = Vec::new();
            let text = format!("[{}]", vec!["1"; count].join(","));
            let read = split(&text, true, &mut findings).unwrap().len();
            let said: Vec<_> = findings.iter().map(Finding::message).collect();
            (read, said)
        };
        assert_eq!(of(BATCH_MESSAGES), (BATCH_MESSAGES, vec![]));
        let said = "The batch has 1000000 messages; the first 10000 were read.";
        assert_eq!(of(1_000_000), (BATCH_MESSAGES, vec![said.to_owned()]));
    }
}

//! Findings about tool results that are longer than hosts hand to the model.

use serde_json::Value;
use sonde_findings::FindingView;
use sonde_lint::{ALLOWED_CHARACTERS, LEAST_RESULT, ResultSize};
use sonde_mcp::CatalogItem;

use super::outcome::{ContentKind, OperationOutcome};

/// Returns the limit of characters that a tool declares for its results, for the host that honors it.
pub(super) fn allowed_characters(item: &CatalogItem) -> Option<u64> {
    // Most tools declare no limit and need not be parsed.
    if !item.raw.get().contains(ALLOWED_CHARACTERS) {
        return None;
    }
    let tool: Value = serde_json::from_str(item.raw.get()).ok()?;
    tool.get("_meta")?.get(ALLOWED_CHARACTERS)?.as_u64()
}

/// Adds findings for hosts that shorten the texts of a result before the model gets them. Hosts' treatment of images
/// and of failed tool calls is not known well enough to judge.
pub(super) fn judge(raw: &str, shown: &mut OperationOutcome, allowed: Option<u64>) {
    let OperationOutcome::Result {
        is_error: false,
        content,
        findings,
        ..
    } = shown
    else {
        return;
    };
    let is_media = |kind| matches!(kind, ContentKind::Image | ContentKind::Audio);
    if raw.len() < LEAST_RESULT || content.iter().any(|block| is_media(block.kind)) {
        return;
    }
    let texts = content
        .iter()
        .filter(|block| matches!(block.kind, ContentKind::Text | ContentKind::EmbeddedText));
    let size: ResultSize = texts.map(|block| block.size).sum();
    let found = size.findings(allowed);
    findings.extend(found.iter().map(FindingView::from));
}

//! Trust in the definition of a tool, beyond the findings of its parsing (`sonde_mcp`). All of it is heuristic.

use sonde_findings::{Finding, Findings, rules, secret};

use crate::tool::Tool;

/// Adds the findings about the texts of one tool.
pub(crate) fn judge(tool: &Tool<'_>, found: &mut Findings) {
    if let Some(kind) = secret(tool.raw) {
        found.push(Finding::new(&rules::SECRET_IN_DEFINITION).with("kind", kind));
    }
}

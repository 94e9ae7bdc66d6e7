use serde::{Deserialize, Serialize};
use sonde_findings::FindingView;
use ts_rs::TS;

use super::ServerId;

/// A tool as the list shows it. Details come from `tool_detail`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolSummary {
    /// Names it within its list: its name, or `name#2` for the second tool of that name.
    pub key: String,
    /// The name it is called by.
    pub name: String,
    /// Display name, if the server gave one.
    pub title: Option<String>,
    /// First line of the description, at most 160 characters, Markdown marks removed.
    pub summary: String,
    /// `readOnlyHint`.
    pub read_only: Option<bool>,
    /// `destructiveHint`.
    pub destructive: Option<bool>,
    /// `idempotentHint`.
    pub idempotent: Option<bool>,
    /// `openWorldHint`.
    pub open_world: Option<bool>,
    /// Number of declared parameters.
    pub parameters: u32,
    /// What is wrong with the definition.
    pub findings: Vec<FindingView>,
    /// Clients must not call it, for this reason; the user may override it.
    pub forbidden: Option<String>,
}

/// What changed with the last re-read, by tool name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffView {
    /// New.
    pub added: Vec<String>,
    /// Gone.
    pub removed: Vec<String>,
    /// Redefined.
    pub changed: Vec<String>,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// The tools of one server. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolListView {
    /// Whose.
    pub server: ServerId,
    /// Counts readings, from 1.
    pub revision: u32,
    /// Being read (again) right now.
    pub loading: bool,
    /// The tools, in the server's order. Kept after a disconnect.
    pub tools: Vec<ToolSummary>,
    /// Difference of the last re-read.
    pub diff: Option<DiffView>,
    /// What is wrong with the list as a whole.
    pub findings: Vec<FindingView>,
    /// Why the last reading failed, one plain sentence.
    pub error: Option<String>,
    /// The server declared that it has tools.
    pub supported: bool,
    /// What the server says about keeping the list, one plain sentence.
    pub freshness: Option<String>,
}

/// All about one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolDetail {
    /// Its summary.
    pub summary: ToolSummary,
    /// The whole description, Markdown by convention.
    pub description: Option<String>,
    /// `inputSchema` as JSON text as received; `None` if missing.
    pub input_schema: Option<String>,
    /// The whole definition as JSON text as received.
    pub raw: String,
    /// Why the schema cannot validate anything, one plain sentence.
    pub schema_error: Option<String>,
}

use serde::{Deserialize, Serialize};
use sonde_findings::FindingView;
use ts_rs::TS;

use super::ServerId;

/// A kind of catalog: what a server lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CatalogKind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

impl From<sonde_mcp::CatalogKind> for CatalogKind {
    fn from(kind: sonde_mcp::CatalogKind) -> Self {
        match kind {
            sonde_mcp::CatalogKind::Tools => Self::Tools,
            sonde_mcp::CatalogKind::Resources => Self::Resources,
            sonde_mcp::CatalogKind::ResourceTemplates => Self::ResourceTemplates,
            sonde_mcp::CatalogKind::Prompts => Self::Prompts,
        }
    }
}

impl From<CatalogKind> for sonde_mcp::CatalogKind {
    fn from(kind: CatalogKind) -> Self {
        match kind {
            CatalogKind::Tools => Self::Tools,
            CatalogKind::Resources => Self::Resources,
            CatalogKind::ResourceTemplates => Self::ResourceTemplates,
            CatalogKind::Prompts => Self::Prompts,
        }
    }
}

/// A catalog without its items, which are read by index with `catalog_rows`. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogView {
    /// Whose.
    pub server: ServerId,
    /// What it lists.
    pub kind: CatalogKind,
    /// Counts readings, from 1; 0 before the first.
    pub revision: u32,
    /// Being read (again) right now.
    pub loading: bool,
    /// The server declared that it has such a list.
    pub supported: bool,
    /// Number of items. They are kept after a disconnect.
    pub count: u32,
    /// Key of the first item.
    pub first: Option<String>,
    /// Difference of the last re-read.
    pub diff: Option<DiffView>,
    /// What is wrong with the list as a whole: the first 100.
    pub findings: Vec<FindingView>,
    /// How many findings there are in all.
    pub finding_count: u32,
    /// Why the last reading failed or ended early, one plain sentence. Items that were read before
    /// are there all the same.
    pub error: Option<String>,
    /// What the server says about keeping the list, one plain sentence.
    pub freshness: Option<String>,
}

/// What changed with the last re-read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffView {
    /// New.
    pub added: DiffNames,
    /// Gone.
    pub removed: DiffNames,
    /// Redefined.
    pub changed: DiffNames,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// Items that changed in one way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffNames {
    /// How many.
    pub count: u32,
    /// What the first 20 are addressed by: names, for resources URIs.
    pub names: Vec<String>,
}

/// How an item changed with the last re-read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum CatalogChange {
    Added,
    Changed,
}

/// An item as the list shows it. All about a tool comes from `tool_detail`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogRow {
    /// Names it within its list: what it is addressed by (the name of a tool or prompt, the URI of a
    /// resource, the template), or `name#2` for the second of the same.
    pub key: String,
    /// `name`, at most 1,000 characters of it.
    pub name: String,
    /// Display name, if the server gave one; at most 1,000 characters.
    pub title: Option<String>,
    /// First line of the description, at most 160 characters, Markdown marks removed.
    pub summary: String,
    /// What the last re-read found.
    pub change: Option<CatalogChange>,
    /// How much is wrong with the definition.
    pub findings: u32,
    /// Clients must not call it, for this reason; the user may override it.
    pub forbidden: Option<String>,
    /// `readOnlyHint` of a tool.
    pub read_only: Option<bool>,
    /// `destructiveHint` of a tool.
    pub destructive: Option<bool>,
    /// `idempotentHint` of a tool.
    pub idempotent: Option<bool>,
    /// `openWorldHint` of a tool.
    pub open_world: Option<bool>,
}

/// Rows of a catalog that were asked for by index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogRows {
    /// The present revision. Where another one was asked for, there are no rows.
    pub revision: u32,
    /// How many items match the search; 0 under another revision.
    pub total: u32,
    /// From the index that was asked for on; fewer than asked for at the end.
    pub rows: Vec<CatalogRow>,
}

/// All about one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolDetail {
    /// Its row in the list.
    pub row: CatalogRow,
    /// Number of declared parameters.
    pub parameters: u32,
    /// What is wrong with the definition.
    pub findings: Vec<FindingView>,
    /// The description, Markdown by convention; at most 64 KiB.
    pub description: Option<String>,
    /// `inputSchema` as JSON text as received; `None` if missing or above 1 MiB.
    pub input_schema: Option<String>,
    /// The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
    pub raw: String,
    /// Why the schema cannot validate anything, one plain sentence.
    pub schema_error: Option<String>,
}

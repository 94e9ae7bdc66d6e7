//! The kinds of catalogs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
    /// `skills/list` (extension Skills).
    Skills,
}

impl From<sonde_mcp::CatalogKind> for CatalogKind {
    fn from(kind: sonde_mcp::CatalogKind) -> Self {
        match kind {
            sonde_mcp::CatalogKind::Tools => Self::Tools,
            sonde_mcp::CatalogKind::Resources => Self::Resources,
            sonde_mcp::CatalogKind::ResourceTemplates => Self::ResourceTemplates,
            sonde_mcp::CatalogKind::Prompts => Self::Prompts,
            sonde_mcp::CatalogKind::Skills => Self::Skills,
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
            CatalogKind::Skills => Self::Skills,
        }
    }
}

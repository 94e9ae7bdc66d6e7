//! One item of a catalog, whatever its kind.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_findings::Finding;
use ts_rs::TS;

use super::kind::CatalogKind;

/// One item. A fault in one member hides no other.
#[derive(Clone, Debug)]
pub struct CatalogItem {
    /// Address of the item: a tool's or prompt's `name`, a resource's or skill's `uri`, a template's
    /// `uriTemplate`. Empty when the server sent none.
    pub key: String,
    /// `name`; for skills, the `name` of the front matter. Empty when the server sent none.
    pub name: String,
    /// Display name: `title`, or for tools without one `annotations.title`.
    pub title: Option<String>,
    /// Description, Markdown by convention.
    pub description: Option<String>,
    /// Details that only this kind of item has.
    pub detail: ItemDetail,
    /// The whole definition as received.
    pub raw: Arc<RawValue>,
    /// Problems of the definition.
    pub findings: Vec<Finding>,
}

/// Details of an item by its kind.
#[derive(Clone, Debug)]
pub enum ItemDetail {
    /// A tool.
    Tool(Tool),
    /// A resource.
    Resource {
        /// `mimeType`.
        mime_type: Option<String>,
        /// `size` in bytes.
        size: Option<u64>,
        /// `annotations`.
        annotations: ResourceAnnotations,
    },
    /// A resource template.
    ResourceTemplate {
        /// `mimeType` of every resource that matches.
        mime_type: Option<String>,
        /// `annotations`.
        annotations: ResourceAnnotations,
    },
    /// A prompt.
    Prompt {
        /// `arguments`, in the server's order.
        arguments: Vec<PromptArgument>,
    },
    /// A skill: [`super::Skill::read`] reads its front matter and files out of the definition.
    Skill,
}

/// Details of a tool.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Hints about behaviour; `None` for hints that the server did not give.
    pub annotations: ToolAnnotations,
    /// `inputSchema` as received.
    pub input_schema: Option<Arc<RawValue>>,
    /// `outputSchema` as received.
    pub output_schema: Option<Arc<RawValue>>,
    /// `execution.taskSupport` (2025-11-25).
    pub task_support: TaskSupport,
    /// `_meta.ui`, of the extension MCP Apps.
    pub app: ToolApp,
}

/// App metadata of a tool (extension `io.modelcontextprotocol/ui`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolApp {
    /// `resourceUri`, which begins with `ui://`; `None` for a tool without an app.
    pub resource_uri: Option<String>,
    /// `visibility` has `model`; also true without `visibility`.
    pub for_model: bool,
    /// `visibility` has `app`: apps of the same server may call the tool; also true without `visibility`.
    pub for_app: bool,
}

impl Default for ToolApp {
    fn default() -> Self {
        Self {
            resource_uri: None,
            for_model: true,
            for_app: true,
        }
    }
}

/// Support of a tool for running as a task (2025-11-25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskSupport {
    /// Never as a task; the default.
    #[default]
    Forbidden,
    /// With or without a task.
    Optional,
    /// Only as a task.
    Required,
}

/// The hints of a tool. All are claims of the server, none is proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// Does not change anything.
    pub read_only: Option<bool>,
    /// May delete or overwrite. Meaningful unless read-only; the specification's default is true.
    pub destructive: Option<bool>,
    /// A second identical call changes nothing more.
    pub idempotent: Option<bool>,
    /// Reaches beyond a closed domain, for example the web.
    pub open_world: Option<bool>,
}

/// Annotations of a resource. All are claims of the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceAnnotations {
    /// `audience`: `user`, `assistant`, or other words as received.
    pub audience: Vec<String>,
    /// `priority`, from 0 (least) to 1 by the specification, as received.
    pub priority: Option<f64>,
    /// `lastModified` as received (2025-06-18 on).
    pub last_modified: Option<String>,
}

/// An argument of a prompt. Its value is a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptArgument {
    /// `name`. Empty when the server sent none.
    pub name: String,
    /// Display name (2025-06-18 on).
    pub title: Option<String>,
    /// Description, Markdown by convention.
    pub description: Option<String>,
    /// The server requires the argument.
    pub required: bool,
}

impl CatalogItem {
    /// Returns its approximate size in memory, in bytes: its text, the members read of it, its keys, and
    /// its findings.
    pub(crate) fn weight(&self) -> usize {
        /// The places in the lists and maps that each item has.
        const PLACES: usize = 512;
        let detail = match &self.detail {
            ItemDetail::Tool(tool) => tool.app.resource_uri.as_ref().map_or(0, String::len),
            ItemDetail::Resource { annotations, .. }
            | ItemDetail::ResourceTemplate { annotations, .. } => {
                annotations.audience.len() * 2 * size_of::<String>()
            }
            ItemDetail::Prompt { arguments } => arguments.len() * size_of::<PromptArgument>(),
            ItemDetail::Skill => 0,
        };
        let findings: usize = self.findings.iter().map(Finding::weight).sum();
        let texts = 2 * (self.raw.get().len() + self.key.len());
        size_of::<Self>() + PLACES + texts + detail + findings
    }

    /// Returns the kind of the item.
    #[must_use]
    pub fn kind(&self) -> CatalogKind {
        match &self.detail {
            ItemDetail::Tool(_) => CatalogKind::Tools,
            ItemDetail::Resource { .. } => CatalogKind::Resources,
            ItemDetail::ResourceTemplate { .. } => CatalogKind::ResourceTemplates,
            ItemDetail::Prompt { .. } => CatalogKind::Prompts,
            ItemDetail::Skill => CatalogKind::Skills,
        }
    }

    /// Returns the details of a tool; `None` for every other kind.
    #[must_use]
    pub fn tool(&self) -> Option<&Tool> {
        match &self.detail {
            ItemDetail::Tool(tool) => Some(tool),
            _ => None,
        }
    }
}

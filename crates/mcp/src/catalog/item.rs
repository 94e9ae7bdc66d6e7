//! One item of a catalog, whatever its kind.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{
    kind::CatalogKind,
    prompt::{self, PromptArgument},
    resource::{self, ResourceAnnotations},
    tool::{self, Tool},
};

/// One item. What could be read of it is here even when something else about it is wrong.
#[derive(Clone, Debug)]
pub struct CatalogItem {
    /// What it is addressed by: a tool's or prompt's `name`, a resource's `uri`, a template's
    /// `uriTemplate`. Empty when the server sent none.
    pub key: String,
    /// `name`. Empty when the server sent none.
    pub name: String,
    /// Display name: `title`, for tools else `annotations.title`, else none.
    pub title: Option<String>,
    /// Description, Markdown by convention.
    pub description: Option<String>,
    /// What only its kind has.
    pub detail: ItemDetail,
    /// The whole definition as received.
    pub raw: Arc<RawValue>,
    /// What is wrong with it.
    pub problems: Vec<ItemProblem>,
}

/// What an item has by its kind.
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
}

/// Something wrong with one item, or with a list as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProblem {
    /// A stable name in kebab-case, for example `missing-input-schema`.
    pub code: &'static str,
    /// One plain sentence.
    pub message: String,
}

impl CatalogItem {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> CatalogKind {
        match &self.detail {
            ItemDetail::Tool(_) => CatalogKind::Tools,
            ItemDetail::Resource { .. } => CatalogKind::Resources,
            ItemDetail::ResourceTemplate { .. } => CatalogKind::ResourceTemplates,
            ItemDetail::Prompt { .. } => CatalogKind::Prompts,
        }
    }

    /// What only a tool has; `None` for every other kind.
    #[must_use]
    pub fn tool(&self) -> Option<&Tool> {
        match &self.detail {
            ItemDetail::Tool(tool) => Some(tool),
            _ => None,
        }
    }

    /// Reads one item; `None` when it is no object.
    pub(super) fn read(kind: CatalogKind, raw: &RawValue) -> Option<CatalogItem> {
        match kind {
            CatalogKind::Tools => tool::read(raw),
            CatalogKind::Resources => resource::read(raw),
            CatalogKind::ResourceTemplates => resource::read_template(raw),
            CatalogKind::Prompts => prompt::read(raw),
        }
    }
}

//! Tools as a server lists them.

use std::sync::Arc;

use serde_json::value::RawValue;

/// One tool. What could be read of it is here even when something else about it is wrong.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The name to call it by. Empty when the server sent none.
    pub name: String,
    /// Display name: `title`, else `annotations.title`, else none.
    pub title: Option<String>,
    /// Description, Markdown by convention.
    pub description: Option<String>,
    /// Hints about behaviour; `None` where the server said nothing.
    pub annotations: ToolAnnotations,
    /// `inputSchema` as received.
    pub input_schema: Option<Arc<RawValue>>,
    /// `outputSchema` as received.
    pub output_schema: Option<Arc<RawValue>>,
    /// The whole definition as received.
    pub raw: Arc<RawValue>,
    /// What is wrong with it.
    pub problems: Vec<ToolProblem>,
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

/// Something wrong with one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolProblem {
    /// A stable name in kebab-case, for example `missing-input-schema`.
    pub code: &'static str,
    /// One plain sentence.
    pub message: String,
}

/// A complete tool list with the difference to the one before.
#[derive(Clone, Debug)]
pub struct Listing {
    /// All tools over all pages, in the server's order.
    pub tools: Arc<Vec<Tool>>,
    /// How many pages it came in.
    pub pages: usize,
    /// Difference to the previous listing of this session; `None` for the first.
    pub diff: Option<ListDiff>,
    /// What is wrong with the list as a whole: a repeated cursor, an item that is no object.
    pub problems: Vec<ToolProblem>,
    /// How long the server says that the list may be kept (2026-07-28 on).
    pub freshness: Option<Freshness>,
}

/// What a server says about keeping an answer. Shown, not obeyed: a list is read whenever the user
/// or the server asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// `ttlMs` as JSON text as received.
    pub ttl_ms: Option<String>,
    /// `cacheScope` as received.
    pub scope: Option<String>,
}

/// What changed between two listings, by tool name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListDiff {
    /// New names.
    pub added: Vec<String>,
    /// Names that are gone.
    pub removed: Vec<String>,
    /// Names whose definition differs.
    pub changed: Vec<String>,
}

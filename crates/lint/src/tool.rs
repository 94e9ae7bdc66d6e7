//! Input for judging a tool.

/// The judged parts of a tool's definition; `None` for those that the server did not send.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tool<'a> {
    pub name: &'a str,
    /// `title` or `annotations.title`.
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    /// `inputSchema` as JSON text.
    pub input_schema: Option<&'a str>,
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub open_world: Option<bool>,
    /// The whole definition as JSON text.
    pub raw: &'a str,
}

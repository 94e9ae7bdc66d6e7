//! A tool as it is judged.

/// A definition of a tool, as far as it is judged here. What the server did not send is `None`.
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

//! Sections of specifications.

/// A section of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name, as a reader finds it in the table of contents.
    pub section: &'static str,
    /// The page below the specification's address, or a whole address.
    pub(crate) page: &'static str,
}

/// The specification of the Model Context Protocol.
const MCP: &str = "https://modelcontextprotocol.io/specification/";

impl Spec {
    /// The address of the section.
    #[must_use]
    pub fn url(&self) -> String {
        if self.page.starts_with("https://") {
            self.page.to_owned()
        } else {
            format!("{MCP}{}", self.page)
        }
    }
}

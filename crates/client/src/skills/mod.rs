//! Skills over MCP: whether a file of a skill is what the skill's entry says (extension Skills, Integrity and
//! Verification).
//!
//! The entry is an item of the list of skills, which `mcp` reads and judges; the file is the result of `resources/read`,
//! and nothing is fetched here. A match proves only that entry and file come from one source, not that either can be
//! trusted.

mod frontmatter;
mod verify;

pub use self::verify::verify;

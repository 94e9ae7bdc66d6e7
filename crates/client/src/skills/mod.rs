//! Skills over MCP: compares the files of a skill with its entry (extension Skills, Integrity and Verification).
//!
//! The entry is an item of the list of skills, which `mcp` reads and judges; the file is the result of a
//! `resources/read`. Nothing is fetched here. A match proves only that entry and file have the same source, not that it
//! can be trusted.

mod frontmatter;
mod verify;

pub use self::verify::verify;

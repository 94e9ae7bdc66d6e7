//! Skills of the keeper, which clients read as documents (extension `io.modelcontextprotocol/skills`).

use rmcp::model::{
    Resource, ResourceContents, Skill, SkillFrontmatter, SkillResource, SkillResources,
};
use serde_json::json;

const FOG_WATCH: &str = "skill://gull-rock/fog-watch/SKILL.md";
const SIGNALS: &str = "skill://gull-rock/fog-watch/references/signals.md";

const NAME: &str = "fog-watch";
const DESCRIPTION: &str =
    "Keep watch in fog. Use it when the view is short, or when a ship asks for the horn.";
/// Text of the skill, whose front matter equals its entry in [`all`].
const FOG_WATCH_TEXT: &str = include_str!("../assets/fog-watch/SKILL.md");

/// The text of each file.
const FILES: [(&str, &str); 2] = [
    (FOG_WATCH, FOG_WATCH_TEXT),
    (
        SIGNALS,
        include_str!("../assets/fog-watch/references/signals.md"),
    ),
];

/// Returns all skills.
pub(crate) fn all() -> Vec<Skill> {
    let frontmatter = SkillFrontmatter::new(NAME, DESCRIPTION)
        .with_field("license", "MIT")
        .with_field("metadata", json!({ "author": "The keeper of Gull Rock" }));
    let files = FILES.map(|(uri, text)| SkillResource::from_bytes(uri, text.as_bytes()));
    vec![Skill::new(
        FOG_WATCH,
        frontmatter,
        SkillResources::Files(files.to_vec()),
    )]
}

/// Returns the skill as a document; its front matter has the same name and description (Skills, Resource Metadata).
pub(crate) fn resource() -> Resource {
    Resource::new(FOG_WATCH, NAME)
        .with_title("Keep watch in fog")
        .with_description(DESCRIPTION)
        .with_mime_type("text/markdown")
        .with_size(FOG_WATCH_TEXT.len() as u64)
}

/// Returns a file of a skill.
pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let (_, text) = FILES.into_iter().find(|(file, _)| *file == uri)?;
    Some(ResourceContents::text(text, uri).with_mime_type("text/markdown"))
}

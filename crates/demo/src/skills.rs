//! Skills of the keeper, which clients read as documents (extension `io.modelcontextprotocol/skills`).

use rmcp::ErrorData;
use rmcp::model::{
    Resource, ResourceContents, Skill, SkillFrontmatter, SkillResource, SkillResources,
};
use serde_json::json;

const FOG_WATCH: &str = "skill://gull-rock/fog-watch/SKILL.md";
const SIGNALS: &str = "skill://gull-rock/fog-watch/references/signals.md";

const NAME: &str = "fog-watch";
const DESCRIPTION: &str =
    "Keep watch in fog. Use it when the view is short, or when a ship asks for the horn.";
/// Its head says the same as [`all`].
const FOG_WATCH_TEXT: &str = "\
---
name: fog-watch
description: Keep watch in fog. Use it when the view is short, or when a ship asks for the horn.
license: MIT
metadata:
  author: The keeper of Gull Rock
---

# Keep watch in fog

1. Ask for the weather with `daily_report`.
2. Look which ships are near with `list_ships`.
3. Sound the horn as the [list of signals](references/signals.md) says.
4. Write down what you did with `write_logbook`.
";
const SIGNALS_TEXT: &str = "\
# Signals in fog

| who | signal |
|---|---|
| Gull Rock | two long blasts every minute |
| a ship under way | one long blast every two minutes |
| a ship at anchor | a bell for five seconds every minute |
";

/// The text of each file.
const FILES: [(&str, &str); 2] = [(FOG_WATCH, FOG_WATCH_TEXT), (SIGNALS, SIGNALS_TEXT)];

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

/// Returns the skill as a document: its head has the same name and description (Skills, Resource Metadata).
pub(crate) fn resource() -> Resource {
    Resource::new(FOG_WATCH, NAME)
        .with_title("Keep watch in fog")
        .with_description(DESCRIPTION)
        .with_mime_type("text/markdown")
        .with_size(FOG_WATCH_TEXT.len() as u64)
}

/// Returns the skill with this address.
///
/// # Errors
///
/// Invalid params (Skills, Error Handling) for any other address.
pub(crate) fn get(uri: &str) -> Result<Skill, ErrorData> {
    let found = all().into_iter().find(|skill| skill.uri == uri);
    found.ok_or_else(|| ErrorData::invalid_params("No skill has this URI.", None))
}

/// Returns a file of a skill.
pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let (_, text) = FILES.into_iter().find(|(one, _)| *one == uri)?;
    Some(ResourceContents::text(text, uri).with_mime_type("text/markdown"))
}

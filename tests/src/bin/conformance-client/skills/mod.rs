//! Listing skills, and loading one.

mod finding;
mod frontmatter;
mod verify;

use anyhow::{Context, Result, bail};
use serde_json::Value;

pub(crate) use self::verify::EXTENSION;

use self::verify::{Skill, SkillFiles};
use crate::user::{User, params};

/// What the server lists. Nothing is read ahead of need (Skills extension, Lazy Retrieval).
pub(crate) async fn list(user: &User) -> Result<Vec<Skill>> {
    let list = user.ask("skills/list", None).await?;
    let entries = list["skills"].as_array().context("no skills")?;
    entries
        .iter()
        .map(|entry| Skill::read(entry).map_err(|finding| anyhow::anyhow!("{}", finding.message)))
        .collect()
}

/// Loads every skill and then its other files, as long as each is what its entry says.
pub(crate) async fn load(user: &User) -> Result<()> {
    for skill in list(user).await? {
        read(user, &skill, &skill.uri).await?;
        let SkillFiles::Listed(files) = &skill.files else {
            continue;
        };
        for file in files.iter().filter(|file| file.uri != skill.uri) {
            read(user, &skill, &file.uri).await?;
        }
    }
    Ok(())
}

async fn read(user: &User, skill: &Skill, uri: &str) -> Result<()> {
    let read = user
        .ask("resources/read", params("uri", &uri.into()))
        .await?;
    let text = read["contents"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|content| content["uri"] == uri)
        .map(|content| &content["text"])
        .and_then(Value::as_str)
        .with_context(|| format!("{uri} has no text"))?;
    let findings = skill.check(uri, text.as_bytes());
    match findings.iter().find(|finding| finding.forbids) {
        Some(finding) => bail!("not loaded ({}): {}", finding.code, finding.message),
        None => Ok(()),
    }
}

//! Listing skills, and loading one.

use anyhow::{Context, Result, bail};
use serde_json::{Value, value::RawValue};
use sonde_client::skills::verify;
use sonde_findings::Severity;
use sonde_mcp::{Skill, SkillFiles};

use crate::user::{User, params};

/// The extension's identifier, under which client and server declare it.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// Returns the server's list of skills. Nothing is read before it is needed (Skills extension, Lazy Retrieval).
pub(crate) async fn list(user: &User) -> Result<Vec<Box<RawValue>>> {
    let list = user.ask("skills/list", None).await?;
    let entries = list["skills"].as_array().context("no skills")?;
    entries
        .iter()
        .map(|entry| Ok(RawValue::from_string(entry.to_string())?))
        .collect()
}

/// Loads every skill and then its other files, if each matches its entry.
pub(crate) async fn load(user: &User) -> Result<()> {
    for entry in list(user).await? {
        let skill = Skill::read(&entry).context("an entry without a URI")?;
        let files = match &skill.files {
            SkillFiles::Listed { files, .. } => files.as_slice(),
            SkillFiles::Dynamic => &[],
            SkillFiles::Unknown => bail!("not loaded: the entry does not say which files it has"),
        };
        skill.frontmatter.context("an entry without front matter")?;
        read(user, &entry, &skill.uri).await?;
        for file in files.iter().filter(|file| file.uri != skill.uri) {
            read(user, &entry, &file.uri).await?;
        }
    }
    Ok(())
}

async fn read(user: &User, entry: &RawValue, uri: &str) -> Result<()> {
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
    let findings = verify(entry, uri, text.as_bytes());
    match findings
        .iter()
        .find(|finding| finding.severity() == Severity::Error)
    {
        Some(finding) => bail!("not loaded ({}): {}", finding.id(), finding.message()),
        None => Ok(()),
    }
}

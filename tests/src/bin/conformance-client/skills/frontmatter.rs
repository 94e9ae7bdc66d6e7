//! The YAML at the head of a `SKILL.md`, compared with what its entry says.

use serde_json::{Map, Value};

use super::finding::SkillFinding;

/// Any discrepancy forbids to load the skill (Skills extension, Frontmatter Verification).
pub(super) fn compare(
    entry: &Map<String, Value>,
    content: &[u8],
    findings: &mut Vec<SkillFinding>,
) {
    let Some(yaml) = std::str::from_utf8(content).ok().and_then(block) else {
        findings.push(SkillFinding::forbidding(
            "no-frontmatter",
            "The file does not begin with frontmatter between two lines of `---`.",
        ));
        return;
    };
    // Aliases and nesting are limited by the parser's own budget; a key that occurs twice is an
    // error.
    let file = match serde_saphyr::from_str::<Map<String, Value>>(yaml) {
        Ok(file) => file,
        Err(error) => {
            let error = error.to_string();
            let first = error.lines().next().unwrap_or_default();
            findings.push(SkillFinding::forbidding(
                "unreadable-frontmatter",
                format!("The frontmatter of the file cannot be read: {first}"),
            ));
            return;
        }
    };
    let others = file.keys().filter(|key| !entry.contains_key(*key));
    for key in entry.keys().chain(others) {
        let message = match (entry.get(key), file.get(key)) {
            (Some(said), Some(found)) if same(said, found) => continue,
            (Some(_), Some(_)) => "is not what the entry says",
            (Some(_), None) => "is in the entry, but not in the file",
            (None, _) => "is in the file, but not in the entry",
        };
        findings.push(SkillFinding::forbidding(
            "frontmatter-differs",
            format!("`{key}` of the frontmatter {message}."),
        ));
    }
}

/// What stands between the first line and the next, both of which are `---`.
fn block(text: &str) -> Option<&str> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == "---" {
            return text.get(first.len()..end);
        }
        end += line.len();
    }
    None
}

/// Equal in content: the order of keys and the spelling of a number do not matter.
fn same(said: &Value, found: &Value) -> bool {
    match (said, found) {
        (Value::Number(said), Value::Number(found)) => {
            // Whole numbers keep their digits; `1.50` and `1.5` are one number.
            let whole = |number: &serde_json::Number| number.is_i64() || number.is_u64();
            said == found
                || (!(whole(said) && whole(found))
                    && said.as_f64().is_some()
                    && said.as_f64() == found.as_f64())
        }
        (Value::Array(said), Value::Array(found)) => {
            said.len() == found.len()
                && said
                    .iter()
                    .zip(found)
                    .all(|(said, found)| same(said, found))
        }
        (Value::Object(said), Value::Object(found)) => {
            said.len() == found.len()
                && said
                    .iter()
                    .all(|(key, said)| found.get(key).is_some_and(|found| same(said, found)))
        }
        (said, found) => said == found,
    }
}

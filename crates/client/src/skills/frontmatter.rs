//! Compares the YAML at the head of a `SKILL.md` with the entry of its skill.

use serde_json::{Map, Value};
use sonde_findings::{Finding, rules};

use crate::{limits::NAME, text::cut};

/// The longest front matter that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// Limit of differing fields that are reported.
const FIELDS: usize = 20;

/// Compares the entry of a skill with its front matter. Any discrepancy forbids to load the skill (Frontmatter
/// Verification).
pub(super) fn compare(entry: &Map<String, Value>, content: &[u8]) -> Vec<Finding> {
    let unreadable = |problem: &str| {
        vec![Finding::new(&rules::SKILL_NO_FRONTMATTER).with("problem", cut(problem, NAME))]
    };
    let Some(yaml) = std::str::from_utf8(content).ok().and_then(block) else {
        return unreadable("the file does not begin with YAML between two lines of `---`");
    };
    if yaml.len() > LONGEST {
        return unreadable("it has more than 1 MiB");
    }
    // Aliases and nesting are limited by the parser's own budget; a key that occurs twice is an
    // error.
    let file = match serde_saphyr::from_str::<Map<String, Value>>(yaml) {
        Ok(file) => file,
        Err(error) => {
            let error = error.to_string();
            return unreadable(error.lines().next().unwrap_or_default());
        }
    };
    let others = file.keys().filter(|key| !entry.contains_key(*key));
    let differing = entry.keys().chain(others).filter_map(|key| {
        let problem = match (entry.get(key), file.get(key)) {
            (Some(said), Some(found)) if same(said, found) => return None,
            (Some(_), Some(_)) => "is not what the entry of the skill says",
            (Some(_), None) => "is in the entry of the skill, but not in the file",
            (None, _) => "is in the file, but not in the entry of the skill",
        };
        let differs = Finding::new(&rules::SKILL_FRONTMATTER_DIFFERS).with("field", cut(key, NAME));
        Some(differs.with("problem", problem))
    });
    differing.take(FIELDS).collect()
}

/// Returns the text between the first line and the next `---`, if the first line is one too.
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
            // Integers are compared by their digits; `1.50` equals `1.5`.
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

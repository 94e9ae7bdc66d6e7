//! Compares a file with the entry of its skill.

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use sonde_findings::{Finding, rules};
use sonde_mcp::{Skill, SkillFile, SkillFiles};

use super::frontmatter;
use crate::{canonical::hex, json_error, limits::NAME, text::cut};

/// Checks a file that was read against the entry of a skill: its size and digest, and for `SKILL.md` the front matter,
/// field by field. Returns nothing where the file does not belong to the skill, or the entry cannot be read.
#[must_use]
pub fn verify(entry: &RawValue, uri: &str, content: &[u8]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(skill) = Skill::read(entry) else {
        return findings;
    };
    let inside = skill.directory().is_some_and(|root| uri.starts_with(root));
    match &skill.files {
        SkillFiles::Listed { files, count } => match files.iter().find(|file| file.uri == uri) {
            Some(file) => compare(&skill, file, content, &mut findings),
            // Reported only if all files were parsed: otherwise the file may be among the rest.
            None if inside && files.len() == *count => findings
                .push(Finding::new(&rules::SKILL_UNLISTED_FILE).with("skill", short(&skill.uri))),
            None => {}
        },
        SkillFiles::Dynamic if inside => findings.push(Finding::new(&rules::SKILL_DYNAMIC)),
        SkillFiles::Dynamic | SkillFiles::Unknown => {}
    }
    let said = skill.frontmatter.filter(|_| uri == skill.uri);
    match said.map(|raw| serde_json::from_str(raw.get())) {
        Some(Ok(said)) => findings.extend(frontmatter::compare(&said, content)),
        Some(Err(error)) => {
            let problem = format!(
                "has a `frontmatter` that cannot be compared with the file: {}",
                json_error::words(&error)
            );
            findings.push(Finding::new(&rules::SKILL_ENTRY).with("problem", short(&problem)));
        }
        None => {}
    }
    findings
}

fn compare(skill: &Skill<'_>, file: &SkillFile, content: &[u8], findings: &mut Vec<Finding>) {
    let size = content.len() as u64;
    let of = |rule| Finding::new(rule).with("skill", short(&skill.uri));
    if let Some(listed) = file.size.filter(|listed| *listed != size) {
        let differs = of(&rules::SKILL_SIZE).with("read", size);
        findings.push(differs.with("listed", listed));
    }
    let digest = digest(content);
    if let Some(listed) = file.digest.as_ref().filter(|listed| **listed != digest) {
        let differs = of(&rules::SKILL_DIGEST).with("read", digest);
        findings.push(differs.with("listed", short(listed)));
    }
}

/// A text of the server for a sentence.
fn short(text: &str) -> String {
    cut(text, NAME)
}

/// The digest of these bytes, in the form in which entries carry it.
fn digest(content: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(content)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const URI: &str = "skill://acme/refunds/SKILL.md";
    const TEXT: &str = "---\nname: refunds\ndescription: Pay money back\nmetadata:\n  \
        version: \"2.10\"\n  weight: 1.50\n---\n\n# Refunds\n";

    fn entry(text: &str) -> Value {
        json!({
            "uri": URI,
            "frontmatter": {
                "name": "refunds",
                "description": "Pay money back",
                "metadata": {"weight": 1.5, "version": "2.10"},
            },
            "resources": [
                {"uri": URI, "digest": digest(text.as_bytes()), "size": text.len()},
                {"uri": "skill://acme/refunds/a.md", "digest": digest(b"a"), "size": 1},
            ],
        })
    }

    fn found(entry: &Value, uri: &str, content: &[u8]) -> Vec<&'static str> {
        let entry = RawValue::from_string(entry.to_string()).unwrap();
        let findings = verify(&entry, uri, content);
        findings.iter().map(Finding::id).collect()
    }

    fn codes(entry: &Value, uri: &str, text: &str) -> Vec<&'static str> {
        found(entry, uri, text.as_bytes())
    }

    #[test]
    fn the_digest_has_the_form_of_the_specification() {
        assert_eq!(
            digest(b"abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_file_that_agrees_has_no_findings() {
        assert_eq!(codes(&entry(TEXT), URI, TEXT), [""; 0]);
        let windows = TEXT.replace('\n', "\r\n");
        assert_eq!(codes(&entry(&windows), URI, &windows), [""; 0]);
        let file = "skill://acme/refunds/a.md";
        assert_eq!(codes(&entry(TEXT), file, "a"), [""; 0]);
        assert_eq!(codes(&entry(TEXT), "skill://acme/other.md", "a"), [""; 0]);
    }

    #[test]
    fn other_bytes_are_found_by_digest_and_other_lengths_by_size_too() {
        let same_length = TEXT.replace("# Refunds", "# refunds");
        assert_eq!(codes(&entry(TEXT), URI, &same_length), ["skill-digest"]);
        let longer = format!("{TEXT}more\n");
        assert_eq!(
            codes(&entry(TEXT), URI, &longer),
            ["skill-size", "skill-digest"]
        );
        // A digest in another form is another digest.
        let mut upper = entry(TEXT);
        upper["resources"][0]["digest"] =
            json!(digest(TEXT.as_bytes()).to_uppercase().replace("SHA", "sha"));
        assert_eq!(codes(&upper, URI, TEXT), ["skill-digest"]);
    }

    #[test]
    fn a_file_outside_the_list_is_a_failure() {
        assert_eq!(
            codes(&entry(TEXT), "skill://acme/refunds/b.md", "b"),
            ["skill-unlisted-file"]
        );
    }

    #[test]
    fn frontmatter_is_compared_field_by_field() {
        let differs = ["skill-frontmatter-differs"];
        let changed = TEXT.replace("Pay money back", "Take money");
        assert_eq!(codes(&entry(&changed), URI, &changed), differs);
        let more = TEXT.replace("---\n\n", "allowed-tools: Bash\n---\n\n");
        assert_eq!(codes(&entry(&more), URI, &more), differs);
        let less = TEXT.replace("name: refunds\n", "");
        assert_eq!(codes(&entry(&less), URI, &less), differs);
        // A quoted number is a text.
        let text = TEXT.replace("1.50", "\"1.5\"");
        assert_eq!(codes(&entry(&text), URI, &text), differs);
        let nested = TEXT.replace("\"2.10\"", "\"2.11\"");
        assert_eq!(codes(&entry(&nested), URI, &nested), differs);
    }

    #[test]
    fn frontmatter_that_cannot_be_read_forbids_the_skill() {
        let unreadable = ["skill-no-frontmatter"];
        let laughs = |levels: u32| {
            let mut text = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
            for level in 1..levels {
                let before = level - 1;
                let all = vec![format!("*a{before}"); 10].join(", ");
                text.push_str(&format!("a{level}: &a{level} [{all}]\n"));
            }
            text + "---\n"
        };
        for text in [
            "# Refunds\n".to_owned(),
            "---\nname: refunds\n".to_owned(),
            "---\nname: [refunds\n---\n".to_owned(),
            "---\n- refunds\n---\n".to_owned(),
            "---\nname: a\nname: b\n---\n".to_owned(),
            format!("---\nname: {}\n---\n", "x".repeat(2 << 20)),
            format!("---\nname: {}1\n---\n", "[".repeat(100_000)),
            laughs(9),
        ] {
            assert_eq!(codes(&entry(&text), URI, &text), unreadable, "{text:.80}");
        }
        let bytes = b"---\nname: \xff\n---\n";
        let mut listed = entry("");
        listed["resources"][0] = json!({"uri": URI, "digest": digest(bytes), "size": bytes.len()});
        assert_eq!(found(&listed, URI, bytes), unreadable);
    }

    #[test]
    fn fields_without_end_are_bounded() {
        let fields: String = (0..5_000).map(|n| format!("f{n}: 1\n")).collect();
        let text = format!("---\nname: refunds\n{fields}---\n");
        assert_eq!(codes(&entry(&text), URI, &text).len(), 20);
    }

    #[test]
    fn a_dynamic_skill_cannot_be_verified_but_its_frontmatter_is_compared() {
        let mut dynamic = entry(TEXT);
        dynamic["resources"] = json!("dynamic");
        assert_eq!(codes(&dynamic, URI, TEXT), ["skill-dynamic"]);
        let changed = TEXT.replace("Pay money back", "Take money");
        assert_eq!(
            codes(&dynamic, URI, &changed),
            ["skill-dynamic", "skill-frontmatter-differs"]
        );
    }

    #[test]
    fn frontmatter_of_an_entry_that_cannot_be_compared_is_found() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        for value in [r#""\ud800""#, &deep] {
            let entry = entry(TEXT).to_string();
            let entry = entry.replace(r#""Pay money back""#, value);
            let entry = RawValue::from_string(entry).unwrap();
            let findings = verify(&entry, URI, TEXT.as_bytes());
            let codes: Vec<_> = findings.iter().map(Finding::id).collect();
            assert_eq!(codes, ["skill-entry"], "{value:.20}");
        }
    }

    #[test]
    fn an_entry_that_cannot_be_read_says_nothing_of_a_file() {
        assert_eq!(codes(&json!({"uri": 1}), URI, TEXT), [""; 0]);
        assert_eq!(codes(&json!({"uri": URI}), URI, TEXT), [""; 0]);
    }
}

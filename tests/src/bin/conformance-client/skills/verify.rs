//! Skills over MCP: whether a file of a skill is what the skill's entry says.
//!
//! Pure: the entry comes from `skills/list` or `skills/get`, the file from `resources/read`, and
//! nothing is fetched here. What does not agree is a [`SkillFinding`]; a match proves only that
//! entry and file come from one source, not that either can be trusted (Skills extension,
//! Integrity and Verification).

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{finding::SkillFinding, frontmatter};

/// The extension's identifier, under which client and server declare it.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// One skill as a server lists it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Skill {
    /// Resource URI of its `SKILL.md`.
    pub(super) uri: String,
    /// The frontmatter that the server says the file has.
    pub(super) frontmatter: Map<String, Value>,
    /// Its files.
    pub(super) files: SkillFiles,
}

/// The files of a skill.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SkillFiles {
    /// All of them, `SKILL.md` included.
    Listed(Vec<SkillFile>),
    /// Made on demand: nothing about them can be verified.
    Dynamic,
}

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SkillFile {
    /// Its resource URI.
    pub(super) uri: String,
    /// `sha256:` and 64 lowercase hexadecimal digits, as received.
    pub(super) digest: String,
    /// Its length in bytes.
    pub(super) size: u64,
}

impl Skill {
    /// Reads one entry of `skills/list` (or the `skill` of `skills/get`).
    ///
    /// # Errors
    /// `invalid-entry` where a required member is missing or has another shape: such a skill must
    /// not be loaded (Skill Entries, Resources).
    pub(super) fn read(entry: &Value) -> Result<Skill, SkillFinding> {
        let invalid = |message: &str| SkillFinding::forbidding("invalid-entry", message);
        let uri = entry["uri"]
            .as_str()
            .ok_or_else(|| invalid("The entry has no `uri`."))?;
        let frontmatter = entry["frontmatter"]
            .as_object()
            .ok_or_else(|| invalid("The entry has no `frontmatter` object."))?;
        let files = match &entry["resources"] {
            Value::String(text) if text == "dynamic" => SkillFiles::Dynamic,
            Value::Array(files) => SkillFiles::Listed(
                files
                    .iter()
                    .map(read_file)
                    .collect::<Option<_>>()
                    .ok_or_else(|| {
                        invalid("A file of the entry lacks its `uri`, `digest` or `size`.")
                    })?,
            ),
            _ => {
                return Err(invalid(
                    "`resources` of the entry is neither a list nor \"dynamic\".",
                ));
            }
        };
        Ok(Skill {
            uri: uri.to_owned(),
            frontmatter: frontmatter.clone(),
            files,
        })
    }

    /// Compares a file that was read with what the entry says about it: its size and digest, and
    /// for `SKILL.md` the frontmatter, field by field.
    #[must_use]
    pub(super) fn check(&self, uri: &str, content: &[u8]) -> Vec<SkillFinding> {
        let mut findings = Vec::new();
        match &self.files {
            SkillFiles::Listed(files) => match files.iter().find(|file| file.uri == uri) {
                Some(file) => compare(file, content, &mut findings),
                // The list is complete, so an unlisted file is a change to the skill (The Acting
                // Window and the Held Entry).
                None => findings.push(SkillFinding::forbidding(
                    "unlisted-file",
                    format!("`{uri}` is not among the files of the skill."),
                )),
            },
            SkillFiles::Dynamic => findings.push(SkillFinding {
                code: "unverifiable",
                message: "The server publishes no digests for this skill: what its files contain \
                          cannot be verified."
                    .to_owned(),
                forbids: false,
            }),
        }
        if uri == self.uri {
            frontmatter::compare(&self.frontmatter, content, &mut findings);
        }
        findings
    }
}

fn read_file(file: &Value) -> Option<SkillFile> {
    Some(SkillFile {
        uri: file["uri"].as_str()?.to_owned(),
        digest: file["digest"].as_str()?.to_owned(),
        size: file["size"].as_u64()?,
    })
}

fn compare(file: &SkillFile, content: &[u8], findings: &mut Vec<SkillFinding>) {
    let size = content.len() as u64;
    if size != file.size {
        findings.push(SkillFinding::forbidding(
            "size-mismatch",
            format!(
                "`{}` has {size} bytes, and its entry says {}.",
                file.uri, file.size
            ),
        ));
    }
    let digest = digest(content);
    if digest != file.digest {
        findings.push(SkillFinding::forbidding(
            "digest-mismatch",
            format!(
                "`{}` has the digest {digest}, and its entry says {}.",
                file.uri, file.digest
            ),
        ));
    }
}

/// The digest of these bytes, in the form in which entries carry it.
fn digest(content: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(content) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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

    fn codes(entry: &Value, uri: &str, text: &str) -> Vec<&'static str> {
        let skill = Skill::read(entry).unwrap();
        let findings = skill.check(uri, text.as_bytes());
        assert!(findings.iter().all(|finding| finding.forbids));
        findings.iter().map(|finding| finding.code).collect()
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
        assert_eq!(
            codes(&entry(TEXT), "skill://acme/refunds/a.md", "a"),
            [""; 0]
        );
    }

    #[test]
    fn other_bytes_are_found_by_digest_and_other_lengths_by_size_too() {
        let same_length = TEXT.replace("# Refunds", "# refunds");
        assert_eq!(codes(&entry(TEXT), URI, &same_length), ["digest-mismatch"]);
        let longer = format!("{TEXT}more\n");
        assert_eq!(
            codes(&entry(TEXT), URI, &longer),
            ["size-mismatch", "digest-mismatch"]
        );
        // A digest in another form is another digest.
        let mut upper = entry(TEXT);
        upper["resources"][0]["digest"] =
            json!(digest(TEXT.as_bytes()).to_uppercase().replace("SHA", "sha"));
        assert_eq!(codes(&upper, URI, TEXT), ["digest-mismatch"]);
    }

    #[test]
    fn a_file_outside_the_list_is_a_failure() {
        assert_eq!(
            codes(&entry(TEXT), "skill://acme/refunds/b.md", "b"),
            ["unlisted-file"]
        );
    }

    #[test]
    fn frontmatter_is_compared_field_by_field() {
        let changed = TEXT.replace("Pay money back", "Take money");
        assert_eq!(
            codes(&entry(&changed), URI, &changed),
            ["frontmatter-differs"]
        );
        let more = TEXT.replace("---\n\n", "allowed-tools: Bash\n---\n\n");
        assert_eq!(codes(&entry(&more), URI, &more), ["frontmatter-differs"]);
        let less = TEXT.replace("name: refunds\n", "");
        assert_eq!(codes(&entry(&less), URI, &less), ["frontmatter-differs"]);
        // A quoted number is a text.
        let text = TEXT.replace("1.50", "\"1.5\"");
        assert_eq!(codes(&entry(&text), URI, &text), ["frontmatter-differs"]);
        let nested = TEXT.replace("\"2.10\"", "\"2.11\"");
        assert_eq!(
            codes(&entry(&nested), URI, &nested),
            ["frontmatter-differs"]
        );
    }

    #[test]
    fn frontmatter_that_cannot_be_read_forbids_the_skill() {
        for (text, code) in [
            ("# Refunds\n", "no-frontmatter"),
            ("---\nname: refunds\n", "no-frontmatter"),
            ("---\nname: [refunds\n---\n", "unreadable-frontmatter"),
            ("---\n- refunds\n---\n", "unreadable-frontmatter"),
            ("---\nname: a\nname: b\n---\n", "unreadable-frontmatter"),
        ] {
            assert_eq!(codes(&entry(text), URI, text), [code], "{text:?}");
        }
        let bytes = b"---\nname: \xff\n---\n";
        let mut listed = entry("");
        listed["resources"][0] = json!({"uri": URI, "digest": digest(bytes), "size": bytes.len()});
        let skill = Skill::read(&listed).unwrap();
        assert_eq!(skill.check(URI, bytes)[0].code, "no-frontmatter");
    }

    #[test]
    fn a_dynamic_skill_cannot_be_verified_but_its_frontmatter_is_compared() {
        let mut dynamic = entry(TEXT);
        dynamic["resources"] = json!("dynamic");
        let skill = Skill::read(&dynamic).unwrap();
        let findings = skill.check(URI, TEXT.as_bytes());
        assert_eq!(findings.len(), 1);
        assert_eq!(
            (findings[0].code, findings[0].forbids),
            ("unverifiable", false)
        );
        let changed = TEXT.replace("Pay money back", "Take money");
        let findings = skill.check(URI, changed.as_bytes());
        assert!(findings.iter().any(|finding| finding.forbids));
    }

    #[test]
    fn an_entry_of_another_shape_is_refused() {
        for (pointer, value) in [
            ("/uri", json!(1)),
            ("/frontmatter", json!("name")),
            ("/resources", json!("static")),
            ("/resources", Value::Null),
            ("/resources/0/size", json!(-1)),
            ("/resources/0/digest", Value::Null),
        ] {
            let mut entry = entry(TEXT);
            *entry.pointer_mut(pointer).unwrap() = value;
            let refused = Skill::read(&entry).unwrap_err();
            assert_eq!((refused.code, refused.forbids), ("invalid-entry", true));
        }
    }
}

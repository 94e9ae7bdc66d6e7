//! One item of `skills/list` (extension Skills, Skill Entries).

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, Rule, rules};

use super::{
    item::{CatalogItem, ItemDetail},
    reading::{check_meta, repeated},
};
use crate::{
    limits::SKILL_FILES,
    members::{elements, entries, members, string},
};

/// The file that every skill has.
const SKILL_MD: &str = "SKILL.md";
/// Minimum that hosts must accept (Limits): files of a skill, and their bytes in all.
const HOST_FILES: usize = 512;
const HOST_BYTES: u64 = 16 * 1024 * 1024;
/// The longest name and description of a skill, in characters (Agent Skills, Frontmatter).
const NAME: usize = 64;
const DESCRIPTION: usize = 1_024;

/// Entry of a skill; unreadable members are missing.
#[derive(Clone, Debug)]
pub struct Skill<'a> {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// Front matter of the file according to the server: a JSON object.
    pub frontmatter: Option<&'a RawValue>,
    /// Its files.
    pub files: SkillFiles,
}

/// The files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillFiles {
    /// Listed by the server, `SKILL.md` included.
    Listed {
        /// The first 4,096 files that have a URI.
        files: Vec<SkillFile>,
        /// Number of files in the list.
        count: usize,
    },
    /// Made on demand: nothing about them can be verified.
    Dynamic,
    /// The entry lists no files, or in a form that cannot be read.
    Unknown,
}

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    /// Its resource URI.
    pub uri: String,
    /// `digest` as received: `sha256:` and 64 lower-case hexadecimal digits by the specification.
    pub digest: Option<String>,
    /// Its length in bytes.
    pub size: Option<u64>,
}

impl<'a> Skill<'a> {
    /// Reads the entry of `skills/list`, or the `skill` of `skills/get`; `None` where it is no object with a `uri`.
    #[must_use]
    pub fn read(entry: &'a RawValue) -> Option<Self> {
        let read = members(entry.get(), &["uri", "frontmatter", "resources"]).ok()?;
        let [uri, frontmatter, resources] = read.values;
        Some(Self {
            uri: uri.and_then(string)?,
            frontmatter: frontmatter.filter(|raw| raw.get().starts_with('{')),
            files: resources.map_or(SkillFiles::Unknown, read_files),
        })
    }

    /// Returns the prefix of the URIs of its files: the directory of `SKILL.md`, with a slash at the end.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        directory(&self.uri)
    }

    /// Returns the first fields of the front matter, in the server's order, with all their values.
    #[must_use]
    pub fn fields(&self, limit: usize) -> Vec<(Cow<'a, str>, &'a RawValue)> {
        let said = self.frontmatter.map_or("{}", RawValue::get);
        entries(said, limit).unwrap_or_default()
    }

    /// Returns true if a URI is below the directory of the skill with this URI.
    #[must_use]
    pub fn has_in_directory(skill: &str, uri: &str) -> bool {
        directory(skill).is_some_and(|root| uri.starts_with(root))
    }
}

/// Reads the entry of a skill as an item with its findings; [`Skill::read`] has the entry's content.
#[must_use]
pub(super) fn read(raw: &RawValue) -> Option<CatalogItem> {
    let read = members(raw.get(), &["uri", "frontmatter", "resources", "_meta"]).ok()?;
    let [uri, frontmatter, resources, meta] = read.values;
    let mut findings = Vec::new();
    repeated(read.repeated, &mut findings);
    let mut found = Findings::default();
    let entry = |problem: &str| Finding::new(&rules::SKILL_ENTRY).with("problem", problem);
    let key = match uri.map(string) {
        Some(Some(uri)) => uri,
        Some(None) => {
            found.push(entry("has a `uri` that is not a string").in_member("uri"));
            String::new()
        }
        None => {
            found.push(entry("has no `uri`"));
            String::new()
        }
    };
    let [name, description] = match frontmatter {
        None => {
            found.push(entry("has no `frontmatter`"));
            [None, None]
        }
        Some(frontmatter) => read_frontmatter(frontmatter, &mut found),
    };
    judge_uri(&key, name.as_deref(), &mut found);
    match resources {
        None => found.push(entry("has no `resources`")),
        Some(resources) => match read_files(resources) {
            SkillFiles::Unknown => found.push(
                entry("has `resources` that are neither a list nor \"dynamic\"")
                    .in_member("resources"),
            ),
            SkillFiles::Dynamic => found.push(Finding::new(&rules::SKILL_DYNAMIC)),
            SkillFiles::Listed { files, count } => judge_files(&key, &files, count, &mut found),
        },
    }
    findings.extend(found.into_vec());
    check_meta(meta, &mut findings);
    Some(CatalogItem {
        key,
        name: name.unwrap_or_default(),
        title: None,
        description,
        detail: ItemDetail::Skill,
        raw: Arc::from(raw.to_owned()),
        findings,
    })
}

/// Reads the name and the description, and checks them by the Agent Skills specification.
fn read_frontmatter(raw: &RawValue, found: &mut Findings) -> [Option<String>; 2] {
    let of = |rule: &'static Rule, member: &'static str, problem: String| {
        let finding = Finding::new(rule).with("member", member);
        finding.with("problem", problem).in_member("frontmatter")
    };
    let rule = &rules::SKILL_FRONTMATTER;
    let Ok(read) = members(raw.get(), &["name", "description"]) else {
        found.push(of(rule, "", "is not an object".to_owned()));
        return [None, None];
    };
    let mut text = |value: Option<&RawValue>, member| {
        let text = value.and_then(string);
        if text.is_none() {
            found.push(of(rule, member, format!("has no text `{member}`")));
        }
        text
    };
    let [name, description] = read.values;
    let (name, description) = (text(name, "name"), text(description, "description"));
    if let Some(problem) = name.as_deref().and_then(name_problem) {
        found.push(of(&rules::SKILL_FORMAT, "name", problem));
    }
    let length = description.as_ref().map(|text| text.chars().count());
    if let Some(length) = length.filter(|length| !(1..=DESCRIPTION).contains(length)) {
        let problem = format!("has {length} characters");
        found.push(of(&rules::SKILL_FORMAT, "description", problem));
    }
    [name, description]
}

/// Returns the problem with a skill's name, as a predicate without its subject.
fn name_problem(name: &str) -> Option<String> {
    let allowed = |one: char| one == '-' || one.is_alphanumeric() && !one.is_uppercase();
    if let Some(odd) = name.chars().find(|one| !allowed(*one)) {
        return Some(format!("contains {odd:?}"));
    }
    let length = name.chars().count();
    if !(1..=NAME).contains(&length) {
        return Some(format!("has {length} characters"));
    }
    let hyphens = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    hyphens.then(|| "begins or ends with a hyphen, or has two in a row".to_owned())
}

/// "The final `<skill-path>` segment of the entry's `uri` MUST equal `frontmatter.name`" (Frontmatter).
fn judge_uri(uri: &str, name: Option<&str>, found: &mut Findings) {
    let directory = directory(uri).and_then(|path| path.strip_suffix('/')?.rsplit('/').next());
    let agrees = match name {
        Some(name) => directory == Some(name),
        None => directory.is_some_and(|directory| !directory.is_empty()),
    };
    if !uri.is_empty() && !agrees {
        let expected = format!("/{}/{SKILL_MD}", name.unwrap_or("…"));
        let finding = Finding::new(&rules::SKILL_URI).with("expected", expected);
        found.push(finding.in_member("uri"));
    }
}

fn judge_files(skill: &str, files: &[SkillFile], count: usize, found: &mut Findings) {
    let mut of = |problem: String| {
        let finding = Finding::new(&rules::SKILL_FILES).with("problem", problem);
        found.push(finding.in_member("resources"));
    };
    if files.len() < count.min(SKILL_FILES) {
        of("has something without a `uri`".to_owned());
    }
    let known = !skill.is_empty();
    if known && !files.iter().any(|file| file.uri == skill) && count <= SKILL_FILES {
        of("does not have the `SKILL.md` of the skill".to_owned());
    }
    let mut seen = HashSet::new();
    for file in files {
        let uri = brief(&file.uri);
        if !seen.insert(file.uri.as_str()) {
            of(format!("has `{uri}` twice"));
        }
        if known && !directory(skill).is_some_and(|root| is_within(root, &file.uri)) {
            of(format!(
                "has `{uri}`, which is not a file within the directory of the skill"
            ));
        }
        match &file.digest {
            None => of(format!("has no `digest` for `{uri}`")),
            Some(digest) if !is_digest(digest) => of(format!(
                "has a `digest` for `{uri}` that is not `sha256:` with 64 lower-case hexadecimal digits"
            )),
            Some(_) => {}
        }
        if file.size.is_none() {
            of(format!("has no `size` in whole bytes for `{uri}`"));
        }
    }
    let bytes = files
        .iter()
        .filter_map(|file| file.size)
        .fold(0, u64::saturating_add);
    for (found_there, limit) in [
        (
            (count > HOST_FILES).then(|| format!("{count} files")),
            "512 files",
        ),
        (
            (bytes > HOST_BYTES).then(|| format!("{bytes} bytes")),
            "16 MiB",
        ),
    ] {
        if let Some(large) = found_there {
            let finding = Finding::new(&rules::SKILL_TOO_LARGE).with("found", large);
            found.push(finding.with("limit", limit));
        }
    }
}

fn read_files(raw: &RawValue) -> SkillFiles {
    if raw.get() == "\"dynamic\"" {
        return SkillFiles::Dynamic;
    }
    let Ok(listed) = elements(raw.get(), SKILL_FILES) else {
        return SkillFiles::Unknown;
    };
    let file = |raw: &RawValue| {
        let [uri, digest, size] = members(raw.get(), &["uri", "digest", "size"]).ok()?.values;
        Some(SkillFile {
            uri: uri.and_then(string)?,
            digest: digest.and_then(string),
            size: size.and_then(|raw| raw.get().parse().ok()),
        })
    };
    SkillFiles::Listed {
        files: listed.first.into_iter().filter_map(file).collect(),
        count: listed.count,
    }
}

/// The directory of a `SKILL.md`, with a slash at the end.
fn directory(uri: &str) -> Option<&str> {
    uri.strip_suffix(SKILL_MD)
        .filter(|path| path.ends_with('/') && !uri.contains(['?', '#']))
}

/// Returns true if a URI names a file below a directory, however its path is written: a host that reads a
/// listed URI must not be led out of the skill by `..`.
fn is_within(root: &str, uri: &str) -> bool {
    let Some(path) = uri.strip_prefix(root).map(decoded) else {
        return false;
    };
    let mut depth = 0_usize;
    let mut segments = path.split(['/', '\\']).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "" | "." | ".." if last => return false,
            "." | "" => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return false,
            },
            _ => depth += 1,
        }
    }
    true
}

/// A path without percent-encoding of ASCII, which a host may or may not take away before it resolves dots.
fn decoded(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut parts = path.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = part
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => {
                text.push(char::from(byte));
                text.push_str(&part[2..]);
            }
            None => {
                text.push('%');
                text.push_str(part);
            }
        }
    }
    Cow::Owned(text)
}

fn is_digest(digest: &str) -> bool {
    digest.strip_prefix("sha256:").is_some_and(|hex| {
        hex.len() == 64
            && hex
                .bytes()
                .all(|one| one.is_ascii_digit() || (b'a'..=b'f').contains(&one))
    })
}

/// Shortens a URI to its end, which distinguishes files, for a sentence.
fn brief(uri: &str) -> Cow<'_, str> {
    match uri.char_indices().rev().nth(99) {
        Some((at, _)) if at > 0 => Cow::Owned(format!("…{}", &uri[at..])),
        _ => Cow::Borrowed(uri),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const URI: &str = "skill://acme/refunds/SKILL.md";

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    fn digest() -> String {
        format!("sha256:{}", "0".repeat(64))
    }

    fn entry() -> Value {
        json!({
            "uri": URI,
            "frontmatter": {"name": "refunds", "description": "Pay money back"},
            "resources": [
                {"uri": URI, "digest": digest(), "size": 3},
                {"uri": "skill://acme/refunds/a/b.md", "digest": digest(), "size": 1},
            ],
        })
    }

    fn found(entry: &Value) -> Vec<&'static str> {
        let item = read(&raw(entry)).unwrap();
        item.findings.iter().map(Finding::id).collect()
    }

    #[test]
    fn an_entry_is_read_by_its_front_matter() {
        let item = read(&raw(&entry())).unwrap();
        assert_eq!((item.key.as_str(), item.name.as_str()), (URI, "refunds"));
        assert_eq!(item.description.as_deref(), Some("Pay money back"));
        assert_eq!(item.findings, []);
        let skill = Skill::read(&item.raw).unwrap();
        assert_eq!(skill.directory(), Some("skill://acme/refunds/"));
        let SkillFiles::Listed { files, count: 2 } = skill.files else {
            panic!("{:?}", skill.files);
        };
        assert_eq!(
            (files[1].size, files[1].digest.clone()),
            (Some(1), Some(digest()))
        );
        assert!(read(&raw(&json!(3))).is_none());
    }

    #[test]
    fn what_the_extension_demands_of_an_entry_is_judged() {
        let file = "/resources/1/uri";
        let cases: &[(&str, Value, &[&str])] = &[
            ("/uri", json!(1), &["skill-entry"]),
            ("/frontmatter", json!("name"), &["skill-frontmatter"]),
            ("/frontmatter/name", json!(3), &["skill-frontmatter"]),
            (
                "/frontmatter/description",
                Value::Null,
                &["skill-frontmatter"],
            ),
            ("/frontmatter/description", json!(""), &["skill-format"]),
            (
                "/frontmatter/description",
                json!("x".repeat(1_025)),
                &["skill-format"],
            ),
            (
                "/frontmatter/name",
                json!("Refunds"),
                &["skill-format", "skill-uri"],
            ),
            (
                "/frontmatter/name",
                json!("a--b"),
                &["skill-format", "skill-uri"],
            ),
            ("/frontmatter/name", json!("other"), &["skill-uri"]),
            ("/resources", json!("static"), &["skill-entry"]),
            ("/resources", json!("dynamic"), &["skill-dynamic"]),
            ("/resources", json!([]), &["skill-files"]),
            ("/resources/0/digest", json!("SHA256:00"), &["skill-files"]),
            ("/resources/0/size", json!(-1), &["skill-files"]),
            ("/resources/0/size", json!(17 << 20), &["skill-too-large"]),
            (file, json!(URI), &["skill-files"]),
            (file, json!("skill://acme/refunds-2/b.md"), &["skill-files"]),
            (file, json!("file:///etc/passwd"), &["skill-files"]),
            (
                file,
                json!("skill://acme/refunds/../b.md"),
                &["skill-files"],
            ),
            (
                file,
                json!("skill://acme/refunds/a/../../b.md"),
                &["skill-files"],
            ),
            (
                file,
                json!("skill://acme/refunds/%2e%2E/b.md"),
                &["skill-files"],
            ),
            (
                file,
                json!("skill://acme/refunds/..%5cb.md"),
                &["skill-files"],
            ),
            (file, json!("skill://acme/refunds/a/.."), &["skill-files"]),
            (file, json!("skill://acme/refunds/a/../b.md"), &[]),
        ];
        for (pointer, value, expected) in cases {
            let mut entry = entry();
            *entry.pointer_mut(pointer).unwrap() = value.clone();
            assert_eq!(found(&entry), *expected, "{pointer} {value}");
        }
        assert_eq!(found(&json!({})), ["skill-entry"; 3]);
    }

    #[test]
    fn files_without_end_are_bounded() {
        let mut large = entry();
        let file = large["resources"][0].clone();
        large["resources"] = vec![file; SKILL_FILES + 10].into();
        let ids = found(&large);
        assert_eq!(
            (ids.len(), ids[99]),
            (sonde_findings::FINDINGS, "more-findings")
        );
        let raw = raw(&large);
        let SkillFiles::Listed { files, count } = Skill::read(&raw).unwrap().files else {
            panic!("they are listed");
        };
        assert_eq!((files.len(), count), (SKILL_FILES, SKILL_FILES + 10));
    }
}

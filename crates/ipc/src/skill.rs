//! Skills as the window shows them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_explorer::limits::{MESSAGE, NAME, TARGET};
use sonde_mcp::{CatalogItem, Skill, SkillFile, SkillFiles};
use sonde_record::text::cut;
use ts_rs::TS;

use super::catalog::{CatalogRow, ListedItem};

/// Limit of fields of the front matter that cross to the window.
const FIELDS: usize = 100;
/// Limit of the files of a skill that cross to the window: as many as hosts must accept (Skills, Limits).
const FILES: usize = 512;

/// Everything about one skill.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SkillDetail {
    /// Row and definition.
    #[serde(flatten)]
    pub item: ListedItem,
    /// The URI of its `SKILL.md`; `None` if there is none, or one above 4,000 bytes.
    pub uri: Option<String>,
    /// Fields of its front matter except `name` and `description`, in the server's order; at most 100.
    pub fields: Vec<SkillField>,
    /// There are more fields.
    pub more_fields: bool,
    /// Files of the skill, at most 512; `None` if the server does not list them.
    pub files: Option<Vec<SkillFileView>>,
    /// Number of all files.
    pub file_count: u32,
}

/// A field of the front matter of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SkillField {
    /// Name of the field, at most 256 characters.
    pub name: String,
    /// A text unchanged, other values as JSON; at most 4,000 characters.
    pub value: String,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SkillFileView {
    /// The URI for reading the file; `None` above 4,000 bytes.
    pub uri: Option<String>,
    /// The URI as shown: relative to the directory of the skill if the file is below it; at most 256 characters.
    pub path: String,
    /// Length in bytes according to the server.
    pub size: Option<u64>,
    /// Digest according to the server; at most 256 characters.
    pub digest: Option<String>,
}

impl SkillDetail {
    pub(crate) fn new(item: &CatalogItem, row: CatalogRow) -> Self {
        let skill = Skill::read(&item.raw);
        let mut fields = skill
            .as_ref()
            .map(|skill| skill.fields(FIELDS + 2))
            .unwrap_or_default();
        fields.retain(|(name, _)| !matches!(&**name, "name" | "description"));
        let more_fields = fields.len() > FIELDS;
        fields.truncate(FIELDS);
        let (files, count) = match skill.as_ref().map(|skill| &skill.files) {
            Some(SkillFiles::Listed { files, count }) => {
                let shown = files.iter().take(FILES);
                let directory = skill.as_ref().and_then(Skill::directory);
                let shown = shown.map(|file| SkillFileView::new(file, directory));
                (Some(shown.collect()), *count)
            }
            _ => (None, 0),
        };
        Self {
            item: ListedItem::new(item, row),
            uri: Some(item.key.clone()).filter(|uri| (1..=TARGET).contains(&uri.len())),
            fields: fields.into_iter().map(SkillField::new).collect(),
            more_fields,
            files,
            file_count: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }
}

impl SkillField {
    fn new((name, value): (Cow<'_, str>, &RawValue)) -> Self {
        let text = serde_json::from_str::<String>(value.get());
        Self {
            name: cut(&name, NAME),
            value: cut(text.as_deref().unwrap_or(value.get()), MESSAGE),
        }
    }
}

impl SkillFileView {
    fn new(file: &SkillFile, directory: Option<&str>) -> Self {
        let path = directory.and_then(|root| file.uri.strip_prefix(root));
        Self {
            uri: Some(file.uri.clone()).filter(|uri| (1..=TARGET).contains(&uri.len())),
            path: cut(
                path.filter(|path| !path.is_empty()).unwrap_or(&file.uri),
                NAME,
            ),
            size: file.size,
            digest: file.digest.as_deref().map(|digest| cut(digest, NAME)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use sonde_explorer::{
        catalogs::{Catalog, CatalogKind},
        issues::IssuesOfItems,
    };
    use sonde_mcp::{ItemDetail, Listing};

    use super::*;

    fn detail(entry: &serde_json::Value) -> SkillDetail {
        let item = CatalogItem {
            key: entry["uri"].as_str().unwrap_or_default().to_owned(),
            name: "n".to_owned(),
            title: None,
            description: None,
            detail: ItemDetail::Skill,
            raw: RawValue::from_string(entry.to_string()).unwrap().into(),
            findings: Vec::new(),
        };
        let list = Listing {
            items: Arc::new(vec![item.clone()].into()),
            pages: 1,
            error: None,
            findings: Vec::new(),
            is_whole: true,
            diff: None,
            freshness: None,
        };
        let catalog =
            Catalog::empty("s".to_owned(), CatalogKind::Skills, true).read(list, false, 0);
        SkillDetail::new(
            &item,
            CatalogRow::new(&catalog.listed, 0, &IssuesOfItems::default()).unwrap(),
        )
    }

    #[test]
    fn what_a_skill_says_is_shown_in_the_order_of_the_server() {
        let shown = detail(&json!({
            "uri": "skill://a/n/SKILL.md",
            "frontmatter": {"name": "n", "license": "MIT", "description": "d", "allowed-tools": ["Bash"]},
            "resources": [
                {"uri": "skill://a/n/SKILL.md", "size": 7, "digest": "sha256:0"},
                {"uri": "skill://a/n/x/y.md"},
                {"uri": "file:///etc/passwd"},
            ],
        }));
        let fields: Vec<_> = shown
            .fields
            .iter()
            .map(|one| (&*one.name, &*one.value))
            .collect();
        let mut sorted = fields.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            [("allowed-tools", r#"["Bash"]"#), ("license", "MIT")]
        );
        let files = shown.files.unwrap();
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["SKILL.md", "x/y.md", "file:///etc/passwd"]);
        assert_eq!((files[0].size, files[1].size), (Some(7), None));
    }

    #[test]
    fn what_crosses_of_a_skill_is_bounded() {
        let long = "x".repeat(5_000);
        let fields: serde_json::Map<_, _> = (0..500)
            .map(|n| (format!("{n}{long}"), json!(long)))
            .collect();
        let file = json!({"uri": format!("skill://{long}"), "digest": long});
        let shown = detail(&json!({
            "uri": format!("skill://{long}/SKILL.md"),
            "frontmatter": fields,
            "resources": vec![file; 2_000],
        }));
        assert_eq!((shown.fields.len(), shown.more_fields), (100, true));
        let field = &shown.fields[0];
        assert_eq!(field.name.chars().count(), NAME + 1);
        assert_eq!(field.value.chars().count(), MESSAGE + 1);
        let files = shown.files.unwrap();
        assert_eq!((files.len(), shown.file_count), (FILES, 2_000));
        assert_eq!((shown.uri, files[0].uri.clone()), (None, None));
        assert_eq!(files[0].path.chars().count(), NAME + 1);
        assert_eq!(detail(&json!({"uri": 3})).files, None);
    }
}

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::IgnoredAny};
use sonde_explorer::{
    catalogs::{self, Catalog, CatalogChange, CatalogKind, Listed},
    issues::IssuesOfItems,
    limits::{DEFINITION, LINE, MESSAGE, NAME, TARGET, TEXT, cut_text},
    servers::ServerId,
};
use sonde_findings::FindingView;
use sonde_mcp::{CatalogItem, ItemDetail, ListDiff, PromptArgument, TaskSupport, ToolApp};
use sonde_record::text::{cut, megabytes};
use ts_rs::TS;

use super::{freshness::freshness, item_extras::ItemExtras};

/// Limit of findings about a list as a whole that cross to the window.
const FINDINGS: usize = 100;
/// Limit of names of a difference that cross to the window.
const NAMES: usize = 20;
/// Limit of roles of an audience that cross to the window.
const ROLES: usize = 10;

/// A catalog without its items, which are read by index with `catalog_rows`. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogView {
    /// The server.
    pub server: ServerId,
    /// Kind of its items.
    pub kind: CatalogKind,
    /// Number of readings, from 1; 0 before the first.
    pub revision: u32,
    /// Number of items read so far during a reading.
    pub reading: Option<u32>,
    /// The server declared this list.
    pub supported: bool,
    /// Number of items, which are kept after a disconnect.
    pub count: u32,
    /// Key of the first item.
    pub first: Option<String>,
    /// Difference of the last re-read.
    pub diff: Option<DiffView>,
    /// Findings about the list as a whole: the first 100.
    pub findings: Vec<FindingView>,
    /// Number of all findings.
    pub finding_count: u32,
    /// Reason why the last read failed or ended early, one plain sentence. Items read before
    /// that are kept.
    pub error: Option<String>,
    /// Caching of the list as the server allows it, one plain sentence.
    pub freshness: Option<String>,
    /// Time until which the server allows caching the list, in milliseconds since the Unix epoch; `None` if it does not
    /// say.
    pub fresh_until: Option<u64>,
}

/// Changes of the last re-read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffView {
    /// The changes.
    #[serde(flatten)]
    pub diff: ListDiff<DiffNames>,
    /// Time of the re-read, in milliseconds since the Unix epoch.
    pub at: u64,
}

/// Items with the same kind of change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffNames {
    /// Number of items.
    pub count: u32,
    /// The first 20 keys: names, or URIs for resources.
    pub names: Vec<String>,
}

/// An item as the list shows it. `tool_detail` has everything about a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogRow {
    /// Key of the item within its list: the name of a tool or prompt, the URI of a resource, the template, or `name#2`
    /// for the second one of the same key.
    pub key: String,
    /// `name`, at most 1,000 characters.
    pub name: String,
    /// There is a `name` that is a text, even an empty one.
    pub named: bool,
    /// Display name, if the server gave one; at most 1,000 characters.
    pub title: Option<String>,
    /// First line of the description, at most 160 characters, Markdown marks removed.
    pub summary: String,
    /// Change found by the last re-read.
    pub change: Option<CatalogChange>,
    /// Number of the item's issues: findings above information, without muted rules.
    pub issues: u32,
    /// Reason why clients must not call the tool; the user may override it.
    pub forbidden: Option<String>,
    /// `readOnlyHint` of a tool.
    pub read_only: Option<bool>,
    /// `destructiveHint` of a tool.
    pub destructive: Option<bool>,
    /// `idempotentHint` of a tool.
    pub idempotent: Option<bool>,
    /// `openWorldHint` of a tool.
    pub open_world: Option<bool>,
    /// Further columns of a resource or a resource template.
    pub resource: Option<ResourceRow>,
}

/// Columns of a resource or a resource template in the list. All are claims of the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResourceRow {
    /// The URI or URI template, at most 1,000 characters.
    pub uri: String,
    /// `mimeType`, at most 256 characters.
    pub mime_type: Option<String>,
    /// `size` in bytes; `None` for a template.
    pub size: Option<u64>,
    /// `annotations.audience`: the first ten roles.
    pub audience: Vec<String>,
    /// `annotations.priority`.
    pub priority: Option<f64>,
    /// `annotations.lastModified` as received, at most 256 characters.
    pub last_modified: Option<String>,
}

/// Rows of a list, fetched by index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rows<R> {
    /// The current revision. A request for another one gets no rows.
    pub revision: u32,
    /// Number of items that match the search; 0 under another revision.
    pub total: u32,
    /// Rows from the requested index on; fewer than requested at the end.
    pub rows: Vec<R>,
}

/// An item of a list with its definition.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ListedItem {
    /// Row of the item in the list.
    pub row: CatalogRow,
    /// Findings about the definition.
    pub findings: Vec<FindingView>,
    /// The description, Markdown by convention; at most 64 KiB.
    pub description: Option<String>,
    /// `icons` and `_meta`.
    pub extras: ItemExtras,
    /// The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
    pub raw: String,
}

/// Everything about one prompt.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct PromptDetail {
    /// Row and definition.
    #[serde(flatten)]
    pub item: ListedItem,
    /// Arguments in the server's order; at most 1,000. Titles have at most 1,000 characters, descriptions 4,000.
    pub arguments: Vec<PromptArgument>,
}

/// Everything about one tool.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ToolDetail {
    /// Row and definition.
    #[serde(flatten)]
    pub item: ListedItem,
    /// Number of declared parameters.
    pub parameters: u32,
    /// Support for running it as a task (2025-11-25).
    pub task_support: TaskSupport,
    /// Declarations of the tool about its app.
    pub app: ToolApp,
    /// `inputSchema` as JSON text as received; `None` if missing or above 1 MiB.
    pub input_schema: Option<String>,
    /// Reason why the schema cannot validate anything, one plain sentence.
    pub schema_error: Option<String>,
}

/// Drops a URI above 4,000 bytes.
fn bounded(app: ToolApp) -> ToolApp {
    ToolApp {
        resource_uri: app.resource_uri.filter(|uri| uri.len() <= TARGET),
        ..app
    }
}

impl<R> Rows<R> {
    /// Creates the response to a request for another revision than the current one.
    pub(crate) fn none(revision: u32) -> Self {
        Self {
            revision,
            total: 0,
            rows: Vec::new(),
        }
    }
}

impl From<&Catalog> for CatalogView {
    fn from(catalog: &Catalog) -> Self {
        let listed = &catalog.listed;
        let findings = listed.findings.iter().take(FINDINGS);
        Self {
            server: catalog.server.clone(),
            kind: catalog.kind,
            revision: catalog.revision,
            reading: catalog.reading.map(size),
            supported: catalog.supported,
            count: size(listed.items.len()),
            first: listed.keys.first().cloned(),
            diff: listed.diff.as_ref().map(|(diff, at)| DiffView {
                diff: ListDiff {
                    added: DiffNames::new(&diff.added),
                    removed: DiffNames::new(&diff.removed),
                    changed: DiffNames::new(&diff.changed),
                },
                at: *at,
            }),
            findings: findings.map(FindingView::from).collect(),
            finding_count: size(listed.findings.len()),
            error: catalog.error.clone(),
            freshness: listed
                .freshness
                .as_ref()
                .map(|said| freshness(said, "list")),
            fresh_until: listed.fresh_until,
        }
    }
}

impl DiffNames {
    fn new(all: &[String]) -> Self {
        Self {
            count: size(all.len()),
            names: all.iter().take(NAMES).map(|name| cut(name, LINE)).collect(),
        }
    }
}

impl CatalogRow {
    /// Creates the row of the item with this index.
    pub(crate) fn new(listed: &Listed, item: u32, found: &IssuesOfItems) -> Option<Self> {
        let issues = found.count(listed, item);
        let (key, item) = listed.item(item)?;
        let annotations = item.tool().map(|tool| tool.annotations).unwrap_or_default();
        Some(Self {
            key: key.to_owned(),
            name: cut(&item.name, LINE),
            named: is_named(item),
            title: item.title.as_deref().map(|title| cut(title, LINE)),
            summary: catalogs::summary(item),
            change: listed.change(item),
            issues,
            forbidden: listed.forbidden(item),
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
            resource: ResourceRow::of(item),
        })
    }
}

/// True if a definition has a `name` that is text. A missing name and an empty one both read as empty.
fn is_named(item: &CatalogItem) -> bool {
    #[derive(Deserialize)]
    struct Named {
        name: Option<String>,
    }
    !item.name.is_empty()
        || serde_json::from_str::<Named>(item.raw.get()).is_ok_and(|read| read.name.is_some())
}

impl ResourceRow {
    /// Creates the columns of a resource or template; `None` for other items.
    pub(crate) fn of(item: &CatalogItem) -> Option<Self> {
        let (mime_type, size, annotations) = match &item.detail {
            ItemDetail::Resource {
                mime_type,
                size,
                annotations,
            } => (mime_type, *size, annotations),
            ItemDetail::ResourceTemplate {
                mime_type,
                annotations,
            } => (mime_type, None, annotations),
            ItemDetail::Tool(_) | ItemDetail::Prompt { .. } | ItemDetail::Skill => return None,
        };
        let audience = annotations.audience.iter().take(ROLES);
        let last_modified = annotations.last_modified.as_deref();
        Some(Self {
            uri: cut(&item.key, LINE),
            mime_type: mime_type.as_deref().map(|mime| cut(mime, NAME)),
            size,
            audience: audience.map(|role| cut(role, NAME)).collect(),
            priority: annotations.priority,
            last_modified: last_modified.map(|date| cut(date, NAME)),
        })
    }
}

impl ListedItem {
    pub(crate) fn new(item: &CatalogItem, row: CatalogRow) -> Self {
        Self {
            row,
            findings: item.findings.iter().map(FindingView::from).collect(),
            description: item.description.as_deref().map(|text| cut_text(text, TEXT)),
            extras: item.into(),
            raw: cut_text(item.raw.get(), DEFINITION),
        }
    }
}

impl ToolDetail {
    pub(crate) fn new(tool: &CatalogItem, row: CatalogRow, schema_error: Option<String>) -> Self {
        let support = tool.tool().map(|tool| tool.task_support);
        let schema = tool.tool().and_then(|tool| tool.input_schema.as_ref());
        let (schema, schema_error) = match schema.filter(|schema| schema.get().len() > DEFINITION) {
            None => (schema, schema_error),
            Some(large) => (
                None,
                Some(format!(
                    "The input schema has {}, more than the {} that a form is made of.",
                    megabytes(large.get().len() as u64),
                    megabytes(DEFINITION as u64)
                )),
            ),
        };
        Self {
            item: ListedItem::new(tool, row),
            task_support: support.unwrap_or_default(),
            app: bounded(tool.tool().map(|tool| tool.app.clone()).unwrap_or_default()),
            parameters: schema.map_or(0, |schema| parameters(schema.get())),
            input_schema: schema.map(|schema| schema.get().to_owned()),
            schema_error,
        }
    }
}

impl PromptDetail {
    pub(crate) fn new(prompt: &CatalogItem, row: CatalogRow) -> Self {
        let arguments = match &prompt.detail {
            ItemDetail::Prompt { arguments } => arguments.iter().map(cut_argument).collect(),
            _ => Vec::new(),
        };
        Self {
            item: ListedItem::new(prompt, row),
            arguments,
        }
    }
}

/// Cuts the texts of an argument except its name, under which the value is sent.
fn cut_argument(argument: &PromptArgument) -> PromptArgument {
    let cut = |text: &Option<String>, longest| text.as_deref().map(|text| cut(text, longest));
    PromptArgument {
        name: argument.name.clone(),
        title: cut(&argument.title, LINE),
        description: cut(&argument.description, MESSAGE),
        required: argument.required,
    }
}

fn parameters(schema: &str) -> u32 {
    #[derive(Deserialize)]
    struct Shape {
        #[serde(default)]
        properties: BTreeMap<String, IgnoredAny>,
    }
    serde_json::from_str::<Shape>(schema).map_or(0, |shape| size(shape.properties.len()))
}

/// Converts a count: no list has four billion items.
fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::value::RawValue;
    use sonde_findings::{Finding, rules};
    use sonde_mcp::{Freshness, Listing, Tool};

    use super::*;

    fn tool(name: &str) -> CatalogItem {
        CatalogItem {
            key: name.to_owned(),
            name: name.to_owned(),
            title: None,
            description: None,
            detail: ItemDetail::Tool(Tool::default()),
            raw: RawValue::from_string("{}".to_owned()).unwrap().into(),
            findings: Vec::new(),
        }
    }

    #[test]
    fn an_empty_name_is_told_from_none() {
        let named = |name: &str, raw: &str| {
            is_named(&CatalogItem {
                raw: RawValue::from_string(raw.to_owned()).unwrap().into(),
                ..tool(name)
            })
        };
        assert!(named("a", r#"{"name":"a"}"#));
        assert!(named("", r#"{"inputSchema":{},"name":""}"#));
        assert!(!named("", r#"{"title":"name"}"#));
        assert!(!named("", r#"{"name":3}"#));
    }

    #[test]
    fn what_crosses_of_a_list_is_bounded() {
        let names = |what: &str| (0..30).map(|n| format!("{what}{n}")).collect::<Vec<_>>();
        let finding = Finding::new(&rules::NOT_AN_OBJECT);
        let mut changed = tool("changed3");
        changed.findings.push(finding.clone());
        let list = Listing {
            items: Arc::new(vec![tool("added29"), changed, tool("same")].into()),
            pages: 1,
            error: Some("The second page failed.".to_owned()),
            findings: vec![finding; 250],
            is_whole: false,
            diff: Some(ListDiff {
                added: names("added"),
                removed: Vec::new(),
                changed: names("changed"),
            }),
            freshness: Some(Freshness {
                ttl_ms: Some("300000".to_owned()),
                scope: Some("private".to_owned()),
            }),
        };
        let empty = Catalog::empty("s".to_owned(), CatalogKind::Tools, true);
        let catalog = empty.read(list, false, 7);
        let view = CatalogView::from(&catalog);
        assert_eq!((view.findings.len(), view.finding_count), (100, 250));
        assert_eq!((view.count, view.error.is_some()), (3, true));
        assert_eq!((view.revision, view.first.as_deref()), (1, Some("added29")));
        assert_eq!(
            view.freshness.as_deref(),
            Some("The server allows caching this list for 5 minutes, by this client only.")
        );
        let diff = view.diff.as_ref().unwrap();
        assert_eq!(
            (diff.diff.added.count, diff.diff.added.names.len(), diff.at),
            (30, 20, 7)
        );
        assert_eq!(diff.diff.removed, DiffNames::default());
        let found = IssuesOfItems::default();
        let row = |item| CatalogRow::new(&catalog.listed, item, &found).unwrap();
        assert_eq!(
            row(0).change,
            Some(CatalogChange::Added),
            "also beyond the names that cross"
        );
        assert_eq!(
            (row(1).change, row(1).issues),
            (Some(CatalogChange::Changed), 1)
        );
        assert_eq!((row(2).change, row(2).issues), (None, 0));
    }

    #[test]
    fn what_a_row_shows_is_cut() {
        let mut item = tool(&"n".repeat(5_000));
        item.title = Some("t".repeat(5_000));
        let list = Listing {
            items: Arc::new(vec![item].into()),
            pages: 1,
            error: None,
            findings: Vec::new(),
            is_whole: true,
            diff: None,
            freshness: None,
        };
        let catalog = Catalog::empty("s".to_owned(), CatalogKind::Tools, true).read(list, false, 0);
        let row = CatalogRow::new(&catalog.listed, 0, &IssuesOfItems::default()).unwrap();
        let title = row.title.unwrap();
        assert_eq!(
            (row.name.chars().count(), title.chars().count()),
            (1_001, 1_001)
        );
        assert!(row.name.ends_with("n…") && title.ends_with("t…"));
        let place = catalog.listed.place(&row.key).unwrap();
        let (_, item) = catalog.listed.item(place).unwrap();
        assert_eq!(item.name.len(), 5_000, "it is called by all of it");
    }

    #[test]
    fn parameters_are_counted_where_they_are_declared() {
        assert_eq!(parameters(r#"{"properties": {"a": {}, "b": true}}"#), 2);
        for schema in ["{}", "true", "[]", r#"{"properties": []}"#] {
            assert_eq!(parameters(schema), 0);
        }
    }
}

//! A server's tools, as the window lists them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use serde::{Deserialize, de::IgnoredAny};
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::{CatalogItem, Freshness, Listing};

use crate::{
    ipc::{DiffView, ServerId, ToolDetail, ToolListView, ToolSummary},
    text::cut,
};

/// The longest line of a description in the list, in characters.
const SUMMARY: usize = 160;

/// The tools of one server and what the window shows of them. Kept after a disconnect.
#[derive(Clone, Debug)]
pub(crate) struct ToolCatalog {
    pub(crate) view: Arc<ToolListView>,
    tools: Arc<Vec<CatalogItem>>,
    keys: Arc<HashMap<String, usize>>,
}

impl ToolCatalog {
    pub(super) fn empty(server: ServerId, supported: bool) -> Self {
        Self {
            view: Arc::new(ToolListView {
                freshness: None,
                server,
                revision: 0,
                loading: false,
                tools: Vec::new(),
                diff: None,
                findings: Vec::new(),
                error: None,
                supported,
            }),
            tools: Arc::default(),
            keys: Arc::default(),
        }
    }

    pub(crate) fn tool(&self, key: &str) -> Option<&CatalogItem> {
        self.keys.get(key).and_then(|index| self.tools.get(*index))
    }

    pub(crate) fn summary(&self, key: &str) -> Option<&ToolSummary> {
        self.keys
            .get(key)
            .and_then(|index| self.view.tools.get(*index))
    }

    /// The book after a reading. Takes time in proportion to the tools.
    /// `forbids`: the connection is one whose clients must not call tools with unusable headers.
    pub(super) fn read(&self, listing: Listing, forbids: bool, at: u64) -> Self {
        let mut keys = HashMap::with_capacity(listing.items.len());
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let mut summaries = Vec::with_capacity(listing.items.len());
        for (index, tool) in listing.items.iter().enumerate() {
            let count = seen.entry(&tool.name).or_insert(0);
            *count += 1;
            let mut number = *count;
            let mut key = tool.name.clone();
            // Another tool may really be called `name#2`.
            while number > 1 || keys.contains_key(&key) {
                key = format!("{}#{}", tool.name, number.max(2));
                if !keys.contains_key(&key) {
                    break;
                }
                number = number.max(2) + 1;
            }
            keys.insert(key.clone(), index);
            summaries.push(summarize(key, tool, forbids));
        }
        Self {
            view: Arc::new(ToolListView {
                freshness: listing.freshness.as_ref().map(freshness),
                server: self.view.server.clone(),
                revision: self.view.revision + 1,
                loading: false,
                tools: summaries,
                diff: listing.diff.map(|diff| DiffView {
                    added: diff.added,
                    removed: diff.removed,
                    changed: diff.changed,
                    at,
                }),
                findings: listing.findings.iter().map(FindingView::from).collect(),
                error: listing.error,
                supported: self.view.supported,
            }),
            tools: listing.items,
            keys: Arc::new(keys),
        }
    }

    /// The list is being read, or no longer.
    pub(super) fn set_loading(&mut self, loading: bool, error: Option<String>) {
        let view = Arc::make_mut(&mut self.view);
        view.loading = loading;
        view.error = error;
    }

    pub(super) fn set_supported(&mut self, supported: bool) {
        Arc::make_mut(&mut self.view).supported = supported;
    }
}

/// All about a tool but what its schema says.
pub(super) fn detail(
    tool: &CatalogItem,
    summary: ToolSummary,
    schema_error: Option<String>,
) -> ToolDetail {
    ToolDetail {
        summary,
        description: tool.description.clone(),
        input_schema: tool
            .tool()
            .and_then(|tool| tool.input_schema.as_ref())
            .map(|schema| schema.get().to_owned()),
        raw: tool.raw.get().to_owned(),
        schema_error,
    }
}

fn summarize(key: String, tool: &CatalogItem, forbids: bool) -> ToolSummary {
    // Streamable HTTP, Custom Headers from Tool Parameters: such a definition makes the tool
    // invalid for clients of that transport. Other transports send no headers.
    let forbidden = tool
        .findings
        .iter()
        .find(|finding| forbids && finding.rule == &rules::INVALID_X_MCP_HEADER);
    let declared = tool.tool();
    let annotations = declared.map(|tool| tool.annotations).unwrap_or_default();
    ToolSummary {
        forbidden: forbidden.map(Finding::message),
        key,
        name: tool.name.clone(),
        title: tool.title.clone(),
        summary: tool
            .description
            .as_deref()
            .map(first_line)
            .unwrap_or_default(),
        read_only: annotations.read_only,
        destructive: annotations.destructive,
        idempotent: annotations.idempotent,
        open_world: annotations.open_world,
        parameters: declared
            .and_then(|tool| tool.input_schema.as_ref())
            .map_or(0, |schema| parameters(schema.get())),
        findings: tool.findings.iter().map(FindingView::from).collect(),
    }
}

/// What the server says about keeping its answer (Caching: `ttlMs`, `cacheScope`).
fn freshness(said: &Freshness) -> String {
    let who = match said.scope.as_deref() {
        Some("public") => ", also by shared caches",
        Some("private") => ", by this client only",
        Some(_) => ", with an unknown scope",
        None => "",
    };
    match said
        .ttl_ms
        .as_deref()
        .map(|text| (text, text.parse::<u64>()))
    {
        None => "The server does not say how long this list may be cached.".to_owned(),
        Some((_, Ok(0))) => "The server says that this list must not be cached.".to_owned(),
        Some((_, Ok(millis))) => {
            format!(
                "The server allows caching this list for {}{who}.",
                long(millis)
            )
        }
        Some((text, Err(_))) => format!(
            "The server says how long this list may be cached, but `{}` is not a number of \
             milliseconds.",
            cut(text, 40)
        ),
    }
}

/// "5 minutes", "1 second", "250 milliseconds": the largest unit that fits whole.
fn long(millis: u64) -> String {
    let units = [
        (86_400_000, "day"),
        (3_600_000, "hour"),
        (60_000, "minute"),
        (1_000, "second"),
        (1, "millisecond"),
    ];
    let (size, name) = units
        .into_iter()
        .find(|(size, _)| millis >= *size && millis.is_multiple_of(*size))
        .unwrap_or((1, "millisecond"));
    let count = millis / size;
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

fn parameters(schema: &str) -> u32 {
    #[derive(Deserialize)]
    struct Shape {
        #[serde(default)]
        properties: BTreeMap<String, IgnoredAny>,
    }
    serde_json::from_str::<Shape>(schema).map_or(0, |shape| {
        u32::try_from(shape.properties.len()).unwrap_or(u32::MAX)
    })
}

/// The first line with words in it, Markdown marks removed.
fn first_line(description: &str) -> String {
    let line = description
        .lines()
        .map(str::trim)
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default();
    let line = line.trim_start_matches(['#', '>', '-', '*', ' ']);
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    // [words](address) becomes words.
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").and_then(|middle| {
            let end = rest[open + middle..].find(')')?;
            Some((open + middle, open + middle + end))
        });
        let Some((middle, end)) = link else { break };
        plain.push_str(&rest[..open]);
        plain.push_str(&rest[open + 1..middle]);
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    let plain = plain.replace("**", "").replace("__", "").replace('`', "");
    cut(&plain, SUMMARY)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use sonde_mcp::{ItemDetail, Tool};

    use super::*;

    fn tool(name: &str) -> CatalogItem {
        let raw: Arc<RawValue> = RawValue::from_string("{}".to_owned()).unwrap().into();
        CatalogItem {
            key: name.to_owned(),
            name: name.to_owned(),
            title: None,
            description: None,
            detail: ItemDetail::Tool(Tool::default()),
            raw,
            findings: Vec::new(),
        }
    }

    #[test]
    fn every_tool_has_a_key_of_its_own() {
        let names = ["a", "a", "b", "a", "a#2", "", "", "a#2"];
        let listing = Listing {
            items: Arc::new(names.iter().map(|name| tool(name)).collect()),
            pages: 1,
            error: None,
            diff: None,
            findings: Vec::new(),
            freshness: None,
        };
        let book = ToolCatalog::empty("s".to_owned(), true).read(listing, false, 0);
        let keys: Vec<_> = book
            .view
            .tools
            .iter()
            .map(|tool| tool.key.as_str())
            .collect();
        assert_eq!(keys[..4], ["a", "a#2", "b", "a#3"]);
        let mut unique = keys.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{keys:?}");
        for (key, name) in keys.iter().zip(names) {
            assert_eq!(book.tool(key).unwrap().name, name);
            assert_eq!(book.summary(key).unwrap().name, name);
        }
        assert_eq!(book.view.revision, 1);
    }

    #[test]
    fn only_stateless_http_forbids_tools_with_unusable_headers() {
        let mut bad = tool("bad");
        bad.findings.push(
            Finding::new(&rules::INVALID_X_MCP_HEADER)
                .with("problem", "two parameters share a header"),
        );
        let listing = Listing {
            items: Arc::new(vec![bad, tool("good")]),
            pages: 1,
            error: None,
            diff: None,
            findings: Vec::new(),
            freshness: Some(Freshness {
                ttl_ms: Some("300000".to_owned()),
                scope: Some("private".to_owned()),
            }),
        };
        let empty = ToolCatalog::empty("s".to_owned(), true);
        let strict = empty.read(listing.clone(), true, 0).view;
        assert_eq!(
            strict.tools[0].forbidden.as_deref(),
            Some("Clients must not call this tool over HTTP: two parameters share a header.")
        );
        assert_eq!(strict.tools[1].forbidden, None);
        assert_eq!(
            strict.freshness.as_deref(),
            Some("The server allows caching this list for 5 minutes, by this client only.")
        );
        assert_eq!(empty.read(listing, false, 0).view.tools[0].forbidden, None);
    }

    #[test]
    fn freshness_is_told_as_it_was_said() {
        let say = |ttl: Option<&str>, scope: Option<&str>| {
            freshness(&Freshness {
                ttl_ms: ttl.map(str::to_owned),
                scope: scope.map(str::to_owned),
            })
        };
        assert!(say(None, Some("public")).contains("does not say"));
        assert!(say(Some("0"), None).contains("must not"));
        assert!(say(Some("1000"), Some("public")).contains("1 second, also by shared caches"));
        assert!(say(Some("90001"), None).contains("90001 milliseconds."));
        assert!(say(Some("\"soon\""), None).contains("`\"soon\"`"));
        assert!(say(Some("-5"), None).contains("`-5`"));
    }

    #[test]
    fn summaries_are_one_plain_line() {
        for (text, line) in [
            ("Adds two numbers.\nMore.", "Adds two numbers."),
            ("\n\n## **Read** a `file`\n", "Read a file"),
            (
                "See [the docs](https://x/y) or [that",
                "See the docs or [that",
            ),
            ("---\n\n* item", "item"),
            ("", ""),
        ] {
            assert_eq!(first_line(text), line);
        }
        assert_eq!(first_line(&"ü".repeat(500)).chars().count(), SUMMARY + 1);
    }

    #[test]
    fn parameters_are_counted_where_they_are_declared() {
        assert_eq!(parameters(r#"{"properties": {"a": {}, "b": true}}"#), 2);
        for schema in ["{}", "true", "[]", r#"{"properties": []}"#] {
            assert_eq!(parameters(schema), 0);
        }
    }
}

//! One item of a catalog, as the window lists it.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::CatalogItem;

use crate::{
    ipc::{CatalogChange, CatalogRow, ToolDetail},
    limits::{DEFINITION, LINE, TEXT, cut_text},
    text::{cut, megabytes},
};

/// The longest line of a description in the list, in characters.
const SUMMARY: usize = 160;

/// The row of an item. `forbids`: the connection is one whose clients must not call tools with
/// unusable headers.
pub(super) fn row(
    key: &str,
    item: &CatalogItem,
    change: Option<CatalogChange>,
    forbids: bool,
) -> CatalogRow {
    // Streamable HTTP, Custom Headers from Tool Parameters: such a definition makes the tool
    // invalid for clients of that transport. Other transports send no headers.
    let forbidden = item
        .findings
        .iter()
        .find(|finding| forbids && finding.rule == &rules::INVALID_X_MCP_HEADER);
    let annotations = item.tool().map(|tool| tool.annotations).unwrap_or_default();
    CatalogRow {
        key: key.to_owned(),
        name: cut(&item.name, LINE),
        title: item.title.as_deref().map(|title| cut(title, LINE)),
        summary: summary(item),
        change,
        findings: u32::try_from(item.findings.len()).unwrap_or(u32::MAX),
        forbidden: forbidden.map(Finding::message),
        read_only: annotations.read_only,
        destructive: annotations.destructive,
        idempotent: annotations.idempotent,
        open_world: annotations.open_world,
    }
}

/// The first line of an item's description.
pub(super) fn summary(item: &CatalogItem) -> String {
    item.description
        .as_deref()
        .map(first_line)
        .unwrap_or_default()
}

/// All about a tool.
pub(super) fn tool_detail(
    tool: &CatalogItem,
    row: CatalogRow,
    schema_error: Option<String>,
) -> ToolDetail {
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
    ToolDetail {
        row,
        parameters: schema.map_or(0, |schema| parameters(schema.get())),
        findings: tool.findings.iter().map(FindingView::from).collect(),
        description: tool.description.as_deref().map(|text| cut_text(text, TEXT)),
        input_schema: schema.map(|schema| schema.get().to_owned()),
        raw: cut_text(tool.raw.get(), DEFINITION),
        schema_error,
    }
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
    use super::*;

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

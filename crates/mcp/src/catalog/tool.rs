//! One item of `tools/list`.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{
    item::{CatalogItem, ItemDetail, ItemProblem, Tool, ToolAnnotations},
    reading::{flag, problem, repeated, required, text},
};
use crate::members::{members, string};

/// Reads one tool; `None` when the item is no object.
pub(super) fn read(raw: &RawValue) -> Option<CatalogItem> {
    let read = members(
        raw.get(),
        &[
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
        ],
    )
    .ok()?;
    let [name, title, description, input, output, annotations] = read.values;
    let mut problems = Vec::new();
    repeated(read.repeated, &mut problems);
    let codes = ["missing-name", "bad-name"];
    let name = required(name, "name", "tool", codes, &mut problems);
    let title = text(title, "title", &mut problems);
    let description = text(description, "description", &mut problems);
    if input.is_none() {
        problems.push(problem(
            "missing-input-schema",
            "The tool has no `inputSchema`.",
        ));
    }
    let input_schema = input.map(|raw| schema(raw, "inputSchema", &mut problems));
    let output_schema = output.map(|raw| schema(raw, "outputSchema", &mut problems));
    let (annotations, annotated_title) = annotations
        .map(|raw| hints(raw, &mut problems))
        .unwrap_or_default();
    Some(CatalogItem {
        key: name.clone(),
        name,
        // The order of display names: `title`, `annotations.title`, `name` (schema, Tool).
        title: title.or(annotated_title),
        description,
        detail: ItemDetail::Tool(Tool {
            annotations,
            input_schema,
            output_schema,
        }),
        raw: Arc::from(raw.to_owned()),
        problems,
    })
}

/// A schema is kept whatever it is: the form and the validator say what they make of it.
fn schema(raw: &RawValue, member: &str, problems: &mut Vec<ItemProblem>) -> Arc<RawValue> {
    match members(raw.get(), &["type"]) {
        Err(_) => problems.push(problem(
            "bad-schema",
            format!("`{member}` is not an object."),
        )),
        // Its root must be of type "object" (schema, Tool).
        Ok(read) => {
            if read.values[0].is_none_or(|raw| string(raw).as_deref() != Some("object")) {
                problems.push(problem(
                    "schema-not-object",
                    format!("`{member}` does not say \"type\": \"object\"."),
                ));
            }
        }
    }
    Arc::from(raw.to_owned())
}

fn hints(raw: &RawValue, problems: &mut Vec<ItemProblem>) -> (ToolAnnotations, Option<String>) {
    let Ok(read) = members(
        raw.get(),
        &[
            "title",
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ],
    ) else {
        problems.push(problem("bad-type", "`annotations` is not an object."));
        return Default::default();
    };
    let [title, read_only, destructive, idempotent, open_world] = read.values;
    let annotations = ToolAnnotations {
        read_only: flag(read_only, "annotations.readOnlyHint", problems),
        destructive: flag(destructive, "annotations.destructiveHint", problems),
        idempotent: flag(idempotent, "annotations.idempotentHint", problems),
        open_world: flag(open_world, "annotations.openWorldHint", problems),
    };
    let title = text(title, "annotations.title", problems);
    (annotations, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Option<CatalogItem> {
        read(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn a_regular_tool() {
        let text = r#"{"name":"t","annotations":{"title":"A","readOnlyHint":true,"openWorldHint":false},"inputSchema":{"type":"object","properties":{"z":{"default":9007199254740993},"a":{}}},"outputSchema":{"type":"object"},"description":"*d*"}"#;
        let item = item(text).unwrap();
        assert_eq!(item.problems, []);
        assert_eq!(item.raw.get(), text);
        assert_eq!(item.title.as_deref(), Some("A"));
        assert_eq!((item.key.as_str(), item.name.as_str()), ("t", "t"));
        let tool = item.tool().unwrap();
        assert_eq!(tool.annotations.read_only, Some(true));
        assert_eq!(tool.annotations.open_world, Some(false));
        assert_eq!(tool.annotations.destructive, None);
        assert!(
            tool.input_schema
                .as_ref()
                .unwrap()
                .get()
                .contains("9007199254740993")
        );
    }

    #[test]
    fn what_is_wrong_hides_nothing_else() {
        let cases: &[(&str, &[&str])] = &[
            ("{}", &["missing-name", "missing-input-schema"]),
            (r#"{"name":"t"}"#, &["missing-input-schema"]),
            (
                r#"{"name":7,"inputSchema":{"type":"object"}}"#,
                &["bad-name"],
            ),
            (r#"{"name":"t","inputSchema":null}"#, &["bad-schema"]),
            (r#"{"name":"t","inputSchema":{}}"#, &["schema-not-object"]),
            (
                r#"{"name":"t","inputSchema":{"type":["object"]}}"#,
                &["schema-not-object"],
            ),
            (
                r#"{"name":"t","inputSchema":{"type":"object"},"outputSchema":true,"title":1,"description":[]}"#,
                &["bad-type", "bad-type", "bad-schema"],
            ),
            (
                r#"{"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","title":2}}"#,
                &["bad-type", "bad-type"],
            ),
            (
                r#"{"name":"a","name":"t","inputSchema":{"type":"object"},"annotations":3}"#,
                &["repeated-member", "bad-type"],
            ),
        ];
        for (text, codes) in cases {
            let item = item(text).unwrap();
            let found: Vec<_> = item.problems.iter().map(|problem| problem.code).collect();
            assert_eq!(found, *codes, "{text}");
        }
        for item in ["null", "3", "[]", "\"t\""] {
            assert!(
                super::read(&RawValue::from_string(item.to_owned()).unwrap()).is_none(),
                "{item}"
            );
        }
    }
}

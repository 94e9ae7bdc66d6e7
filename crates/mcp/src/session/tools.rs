//! One item of `tools/list`, read member by member: what is wrong with one member hides neither
//! the others nor the tools beside it.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::{
    Tool, ToolAnnotations, ToolProblem,
    members::{members, string},
};

pub(super) fn problem(code: &'static str, message: impl Into<String>) -> ToolProblem {
    ToolProblem {
        code,
        message: message.into(),
    }
}

/// Reads one tool; `None` when the item is no object.
pub(super) fn read(raw: &RawValue) -> Option<Tool> {
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
    if let Some(member) = read.repeated {
        problems.push(problem(
            "repeated-member",
            format!("`{member}` occurs more than once; the last one is used."),
        ));
    }

    let name = match name {
        None => {
            problems.push(problem("missing-name", "The tool has no `name`."));
            String::new()
        }
        Some(raw) => text(raw, "name", &mut problems).unwrap_or_default(),
    };
    let title = title.and_then(|raw| text(raw, "title", &mut problems));
    let description = description.and_then(|raw| text(raw, "description", &mut problems));
    let input_schema = match input {
        None => {
            problems.push(problem(
                "missing-input-schema",
                "The tool has no `inputSchema`.",
            ));
            None
        }
        Some(raw) => Some(schema(raw, "inputSchema", &mut problems)),
    };
    let output_schema = output.map(|raw| schema(raw, "outputSchema", &mut problems));
    let (annotations, annotated_title) = annotations
        .map(|raw| hints(raw, &mut problems))
        .unwrap_or_default();
    Some(Tool {
        name,
        // The order of display names: `title`, `annotations.title`, `name` (schema, Tool).
        title: title.or(annotated_title),
        description,
        annotations,
        input_schema,
        output_schema,
        raw: Arc::from(raw.to_owned()),
        problems,
    })
}

fn text(raw: &RawValue, member: &str, problems: &mut Vec<ToolProblem>) -> Option<String> {
    let text = string(raw);
    if text.is_none() {
        problems.push(problem(
            if member == "name" {
                "bad-name"
            } else {
                "bad-type"
            },
            format!("`{member}` is not a string."),
        ));
    }
    text
}

/// A schema is kept whatever it is: the form and the validator say what they make of it.
fn schema(raw: &RawValue, member: &str, problems: &mut Vec<ToolProblem>) -> Arc<RawValue> {
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

fn hints(raw: &RawValue, problems: &mut Vec<ToolProblem>) -> (ToolAnnotations, Option<String>) {
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
    let mut hint = |raw: Option<&RawValue>, member: &str| match raw?.get() {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            problems.push(problem(
                "bad-type",
                format!("`annotations.{member}` is not a boolean."),
            ));
            None
        }
    };
    let annotations = ToolAnnotations {
        read_only: hint(read_only, "readOnlyHint"),
        destructive: hint(destructive, "destructiveHint"),
        idempotent: hint(idempotent, "idempotentHint"),
        open_world: hint(open_world, "openWorldHint"),
    };
    let title = title.and_then(|raw| text(raw, "annotations.title", problems));
    (annotations, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(text: &str) -> Option<Tool> {
        read(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn a_regular_tool() {
        let text = r#"{"name":"t","annotations":{"title":"A","readOnlyHint":true,"openWorldHint":false},"inputSchema":{"type":"object","properties":{"z":{"default":9007199254740993},"a":{}}},"outputSchema":{"type":"object"},"description":"*d*"}"#;
        let tool = tool(text).unwrap();
        assert_eq!(tool.problems, []);
        assert_eq!(tool.raw.get(), text);
        assert_eq!(tool.title.as_deref(), Some("A"));
        assert_eq!(tool.annotations.read_only, Some(true));
        assert_eq!(tool.annotations.open_world, Some(false));
        assert_eq!(tool.annotations.destructive, None);
        assert!(
            tool.input_schema
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
            let tool = tool(text).unwrap();
            let found: Vec<_> = tool.problems.iter().map(|problem| problem.code).collect();
            assert_eq!(found, *codes, "{text}");
        }
        for item in ["null", "3", "[]", "\"t\""] {
            assert!(tool(item).is_none(), "{item}");
        }
    }
}

//! One item of `tools/list`.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Location, rules};

use super::{
    app,
    item::{CatalogItem, ItemDetail, TaskSupport, Tool, ToolAnnotations},
    reading::{NAME_RULES, bad_type, check_meta, flag, repeated, required, text},
};
use crate::members::{member, members, string};

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
            "execution",
            "_meta",
        ],
    )
    .ok()?;
    let [
        name,
        title,
        description,
        input,
        output,
        annotations,
        execution,
        meta,
    ] = read.values;
    let mut findings = Vec::new();
    repeated(read.repeated, &mut findings);
    let name = required(name, "name", "tool", NAME_RULES, &mut findings);
    let title = text(title, "title", &mut findings);
    let description = text(description, "description", &mut findings);
    if input.is_none() {
        findings.push(Finding::new(&rules::MISSING_INPUT_SCHEMA));
    }
    let input_schema = input.map(|raw| schema(raw, "inputSchema", &mut findings));
    let output_schema = output.map(|raw| schema(raw, "outputSchema", &mut findings));
    let (annotations, annotated_title) = annotations
        .map(|raw| hints(raw, &mut findings))
        .unwrap_or_default();
    check_meta(meta, &mut findings);
    let app = app::read(meta, &mut findings);
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
            task_support: task_support(execution, &mut findings),
            app,
        }),
        raw: Arc::from(raw.to_owned()),
        findings,
    })
}

/// Reads a schema with any content: the form and the validator judge it.
fn schema(raw: &RawValue, member: &str, findings: &mut Vec<Finding>) -> Arc<RawValue> {
    match members(raw.get(), &["type"]) {
        Err(_) => findings.push(
            Finding::new(&rules::BAD_SCHEMA)
                .with("member", member)
                .in_member(member),
        ),
        // Its root must be of type "object" (schema, Tool).
        Ok(read) => {
            if read.values[0].is_none_or(|raw| string(raw).as_deref() != Some("object")) {
                findings.push(
                    Finding::new(&rules::SCHEMA_NOT_OBJECT)
                        .with("member", member)
                        .in_member(member),
                );
            }
        }
    }
    Arc::from(raw.to_owned())
}

/// `execution.taskSupport`; a tool without it cannot be run as a task (tasks, Tool-Level Negotiation).
fn task_support(execution: Option<&RawValue>, findings: &mut Vec<Finding>) -> TaskSupport {
    let Some(said) = member(execution, "taskSupport") else {
        return TaskSupport::Forbidden;
    };
    match string(said).as_deref() {
        Some("forbidden") => TaskSupport::Forbidden,
        Some("optional") => TaskSupport::Optional,
        Some("required") => TaskSupport::Required,
        _ => {
            let place = Location::Pointer("/execution/taskSupport".to_owned());
            findings.push(Finding::new(&rules::BAD_TASK_SUPPORT).at(place));
            TaskSupport::Forbidden
        }
    }
}

fn hints(raw: &RawValue, findings: &mut Vec<Finding>) -> (ToolAnnotations, Option<String>) {
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
        findings.push(bad_type("annotations", "an object"));
        return Default::default();
    };
    let [title, read_only, destructive, idempotent, open_world] = read.values;
    let annotations = ToolAnnotations {
        read_only: flag(read_only, "annotations.readOnlyHint", findings),
        destructive: flag(destructive, "annotations.destructiveHint", findings),
        idempotent: flag(idempotent, "annotations.idempotentHint", findings),
        open_world: flag(open_world, "annotations.openWorldHint", findings),
    };
    let title = text(title, "annotations.title", findings);
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
        assert_eq!(item.findings, []);
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
    fn a_tool_says_whether_it_can_be_run_as_a_task() {
        use TaskSupport::{Forbidden, Optional, Required};
        for (execution, support, codes) in [
            ("{}", Forbidden, &[][..]),
            ("[]", Forbidden, &[]),
            (r#"{"taskSupport":"forbidden"}"#, Forbidden, &[]),
            (r#"{"taskSupport":"optional"}"#, Optional, &[]),
            (r#"{"taskSupport":"required"}"#, Required, &[]),
            (
                r#"{"taskSupport":"Required"}"#,
                Forbidden,
                &["bad-task-support"],
            ),
            (r#"{"taskSupport":true}"#, Forbidden, &["bad-task-support"]),
        ] {
            let text = format!(
                r#"{{"name":"t","inputSchema":{{"type":"object"}},"execution":{execution}}}"#
            );
            let item = item(&text).unwrap();
            let found: Vec<_> = item.findings.iter().map(|finding| finding.id()).collect();
            assert_eq!(
                (item.tool().unwrap().task_support, &*found),
                (support, codes)
            );
        }
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
            (
                r#"{"name":"t","inputSchema":{"type":"object"},"_meta":[]}"#,
                &["bad-type"],
            ),
        ];
        for (text, codes) in cases {
            let item = item(text).unwrap();
            let found: Vec<_> = item.findings.iter().map(|finding| finding.id()).collect();
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

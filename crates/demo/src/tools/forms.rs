//! A form that uses every feature of JSON Schema.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::{DemoTool, object, output};
use crate::call::{Answer, Call, refusal};

/// Written by hand, so that every digit and the order of the fields are as intended.
const SCHEMA: &str = include_str!("../../assets/plan_voyage.schema.json");

pub(super) fn tools() -> Vec<DemoTool> {
    let schema = serde_json::from_str(SCHEMA).unwrap_or_else(|error| {
        unreachable!("the schema is part of the program and a test reads it: {error}")
    });
    let mut plan = DemoTool::reading(
        "plan_voyage",
        "Plan a voyage",
        "A long form with **every kind of field** that an input schema can ask for. The result \
         repeats the arguments, digit for digit.",
        [],
        |call| Box::pin(plan_voyage(call)),
    )
    .with_output(output(json!({
        "received": {
            "type": "object",
            "title": "What was filled in",
            "description": "The arguments as they arrived."
        }
    })));
    plan.definition.input_schema = object(schema);
    vec![plan]
}

/// Returns the arguments unchanged. As text they are compact JSON in the order received, with numbers as written; only
/// the space between tokens and the spelling of escapes in strings are lost.
async fn plan_voyage(call: &Call) -> Answer {
    let Some(arguments) = call.arguments() else {
        return Err(refusal(
            "Nothing was filled in: the request had no arguments at all.",
        ));
    };
    let received = Value::Object(arguments.clone());
    let mut result = CallToolResult::success(vec![ContentBlock::text(received.to_string())]);
    result.structured_content = Some(json!({ "received": received }));
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_keeps_the_digits_of_its_numbers() {
        let tool = &tools()[0].definition;
        let schema = serde_json::to_string(&*tool.input_schema).unwrap();
        assert!(schema.contains(r#""default":9007199254740993"#), "{schema}");
        assert!(schema.contains(r#""default":2.50"#), "{schema}");
    }

    #[test]
    fn every_local_reference_leads_somewhere() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let mut open = vec![&schema];
        let mut found = 0;
        while let Some(value) = open.pop() {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(reference)) = members.get("$ref") {
                        found += 1;
                        let leads = match reference.strip_prefix("#/") {
                            Some(pointer) => schema.pointer(&format!("/{pointer}")).is_some(),
                            None => {
                                SCHEMA.contains(&format!("\"$anchor\": \"{}\"", &reference[1..]))
                            }
                        };
                        assert!(leads, "{reference}");
                    }
                    open.extend(members.values());
                }
                Value::Array(items) => open.extend(items),
                _ => {}
            }
        }
        assert!(found >= 4, "{found}");
    }
}

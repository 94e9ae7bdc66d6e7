//! Walk through a JSON Schema and the schemas within it.

use serde_json::{Map, Value};

/// A step on the path to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// A keyword, or a name in its map of schemas.
    Name(&'a str),
    /// An index in a list of schemas.
    Index(usize),
}

/// Calls `judge` for a schema and all within it, each with its path. The parser limits their depth.
pub(crate) fn visit<'a>(
    schema: &'a Value,
    path: &mut Vec<Step<'a>>,
    judge: &mut impl FnMut(&[Step<'a>], &'a Map<String, Value>),
) {
    let Some(object) = schema.as_object() else {
        return;
    };
    judge(path, object);
    for (keyword, value) in object {
        path.push(Step::Name(keyword));
        match (keyword.as_str(), value) {
            // Data, not schemas.
            ("enum" | "const" | "default" | "examples", _) => {}
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                | "dependencies",
                Value::Object(all),
            ) => {
                for (name, schema) in all {
                    path.push(Step::Name(name));
                    visit(schema, path, judge);
                    path.pop();
                }
            }
            (_, Value::Array(items)) => {
                for (index, schema) in items.iter().enumerate() {
                    path.push(Step::Index(index));
                    visit(schema, path, judge);
                    path.pop();
                }
            }
            (_, schema) => visit(schema, path, judge),
        }
        path.pop();
    }
}

//! The request of a step.

use serde_json::{Map, Value};
use sonde_client::{Connection, catalogs::CatalogKind, operations::OperationInput};

use crate::{
    format::{Step, Verb},
    node::quoted,
};

/// The method of calls.
const CALL: &str = "tools/call";

/// Builds the request of a step that is neither a list nor a subscription.
pub(super) fn input(step: &Step, connection: &Connection) -> OperationInput {
    let meta = step
        .meta
        .as_ref()
        .map(|meta| format!(r#"{{"_meta":{meta}}}"#));
    let base = |method: &str| OperationInput {
        method: method.to_owned(),
        params: meta.clone(),
        force: step.send_anyway,
        ..OperationInput::default()
    };
    let arguments = step
        .arguments
        .as_ref()
        .map(|arguments| arguments.value.clone());
    match &step.verb {
        Verb::Call(name) => match tool_key(connection, name) {
            Some(key) => OperationInput {
                target: Some(key),
                arguments,
                ..base(CALL)
            },
            // An unlisted tool is called by its name.
            None => {
                let arguments = arguments.map_or_else(String::new, |arguments| {
                    format!(r#","arguments":{arguments}"#)
                });
                let meta = step
                    .meta
                    .as_ref()
                    .map_or_else(String::new, |meta| format!(r#","_meta":{meta}"#));
                OperationInput {
                    params: Some(format!(r#"{{"name":{}{arguments}{meta}}}"#, quoted(name))),
                    ..base(CALL)
                }
            }
        },
        Verb::Read(uri) => OperationInput {
            target: Some(uri.clone()),
            ..base("resources/read")
        },
        Verb::Get(name) => OperationInput {
            target: Some(name.clone()),
            arguments: arguments.map(prompt_arguments),
            ..base("prompts/get")
        },
        Verb::Complete(params) => OperationInput {
            params: Some(params.clone()),
            ..base("completion/complete")
        },
        Verb::Ping | Verb::List(_) | Verb::Subscribe(_) => base("ping"),
        Verb::Raw {
            method,
            params,
            notification,
        } => OperationInput {
            params: params.clone().or_else(|| meta.clone()),
            notification: *notification,
            ..base(method)
        },
    }
}

/// Writes numbers, `true` and `false` as texts: a prompt takes nothing else.
fn prompt_arguments(json: String) -> String {
    let Ok(mut arguments) = serde_json::from_str::<Map<String, Value>>(&json) else {
        return json;
    };
    for value in arguments.values_mut() {
        if value.is_number() || value.is_boolean() {
            *value = value.to_string().into();
        }
    }
    Value::Object(arguments).to_string()
}

/// The key of a tool in the server's list.
pub(super) fn tool_key(connection: &Connection, name: &str) -> Option<String> {
    connection.read(|state| {
        let listed = &state.catalogs.get(CatalogKind::Tools)?.listed;
        Some(listed.named(name)?.0.to_owned())
    })
}

/// The output schema of a tool as JSON text.
pub(super) fn output_schema(connection: &Connection, name: &str) -> Option<String> {
    let tool = connection.tool(&tool_key(connection, name)?).ok()?;
    let schema = tool.tool()?.output_schema.as_ref()?;
    Some(schema.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_a_prompt_are_texts_with_the_digits_that_were_written() {
        let json = r#"{"count":9007199254740993.10,"all":true,"of":"x","by":["y"]}"#;
        assert_eq!(
            prompt_arguments(json.to_owned()),
            r#"{"count":"9007199254740993.10","all":"true","of":"x","by":["y"]}"#
        );
    }
}

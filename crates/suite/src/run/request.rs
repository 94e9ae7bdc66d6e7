//! The request of a step.

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
            arguments,
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

/// The key of a tool in the server's list.
pub(super) fn tool_key(connection: &Connection, name: &str) -> Option<String> {
    connection.read(|state| {
        let listed = &state.catalogs.get(CatalogKind::Tools)?.listed;
        let place = listed.items.iter().position(|item| item.name == name)?;
        listed.keys.get(place).cloned()
    })
}

/// The output schema of a tool as JSON text.
pub(super) fn output_schema(connection: &Connection, name: &str) -> Option<String> {
    let tool = connection.tool(&tool_key(connection, name)?).ok()?;
    let schema = tool.tool()?.output_schema.as_ref()?;
    Some(schema.get().to_owned())
}

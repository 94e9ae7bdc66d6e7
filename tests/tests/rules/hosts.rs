//! Rules about tool definitions, as hosts, models and users read them.

use serde_json::{Value, json};

use crate::{
    play::Case,
    server::{Server, listing, of, plain, tool, with},
};

/// Creates a server with a tool of this input schema.
fn schema(schema: Value) -> Server {
    tool(json!({ "inputSchema": schema }))
}

/// Creates a server with a tool of this parameter.
fn parameter(name: &str, of: Value) -> Server {
    schema(json!({ "type": "object", "properties": { name: of } }))
}

fn many(count: usize) -> Server {
    let named = |number: usize| {
        let description = format!("Says which ships are in berth {number}.");
        with(
            &plain(),
            json!({ "name": format!("berth_{number}"), "description": description }),
        )
    };
    listing((0..count).map(named).collect())
}

pub(crate) fn cases() -> Vec<Case> {
    let string = || json!({ "type": "string", "description": "Its name." });
    let described = |text: &str| tool(json!({ "description": text }));
    let right = "Says which ships are in.";
    let string_named = |name: &str| parameter(name, json!({ "type": "string" }));
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6");
    let secret = format!("Says which ships are in, with {token}.");
    vec![
        of(
            "definition-not-kept",
            |count| many(count).in_app(),
            2_001,
            2_000,
        ),
        of(
            "undefined-required",
            |name: &str| {
                let ship = json!({ "ship": string() });
                schema(json!({ "type": "object", "properties": ship, "required": [name] }))
            },
            "berth",
            "ship",
        ),
        of(
            "reads-by-name",
            |name: &str| tool(json!({ "name": name, "annotations": { "destructiveHint": true } })),
            "list_ships",
            "sink_ships",
        ),
        of("host-parameter-name", string_named, "the ship", "ship"),
        of(
            "host-root-type",
            schema,
            json!({ "properties": {} }),
            json!({ "type": "object" }),
        ),
        of(
            "host-not-draft-07",
            |ships: Value| parameter("ships", ships),
            json!({ "type": "string", "minLength": "two" }),
            string(),
        ),
        of("host-empty-description", described, "", right),
        of("secret-in-definition", described, &secret, right),
    ]
}

//! Extensions: apps and skills.

use serde_json::{Value, json};
use sonde_client::catalogs::CatalogKind;

use crate::{
    play::{Act, Case},
    server::{Server, of, result, with},
};

const APP: &str = "ui://ships/list";
const SKILL: &str = "skill://acme/refunds/SKILL.md";

/// Creates a server with a tool that has this `_meta`.
fn named(meta: Value) -> Server {
    let tool = json!({
        "name": "t",
        "description": "Shows ships.",
        "inputSchema": { "type": "object" },
        "_meta": meta,
    });
    Server::new().on("tools/list", result(json!({ "tools": [tool] })))
}

/// Creates a server with an app whose contents have these members; `null` removes one.
fn app(members: Value) -> Server {
    let contents = json!({
        "uri": APP,
        "mimeType": "text/html;profile=mcp-app",
        "text": "<!doctype html><p>Ships",
    });
    let contents = json!({ "contents": [with(&contents, members)] });
    named(json!({ "ui": { "resourceUri": APP } }))
        .declares(json!({ "tools": {}, "resources": {} }))
        .on("resources/read", result(contents))
        .in_app()
        .then(Act::App("t", APP))
}

/// Creates a server with a skill of this URI.
fn skill(uri: Value) -> Server {
    let digest = format!("sha256:{}", "0".repeat(64));
    let skill = json!({
        "uri": uri,
        "frontmatter": { "name": "refunds", "description": "Pay money back" },
        "resources": [{ "uri": SKILL, "digest": digest, "size": 1 }],
    });
    Server::new()
        .declares(json!({
            "tools": {},
            "resources": {},
            "extensions": { "io.modelcontextprotocol/skills": {} },
        }))
        .on("skills/list", result(json!({ "skills": [skill] })))
        .then(Act::List(CatalogKind::Skills))
}

pub(crate) fn cases() -> Vec<Case> {
    let linked = |uri: &str| named(json!({ "ui": { "resourceUri": uri } }));
    vec![
        of("app-uri", linked, "https://example.org/", APP),
        of(
            "app-mime-type",
            app,
            json!({ "mimeType": "text/html" }),
            json!({}),
        ),
        of("skill-entry", skill, json!(1), json!(SKILL)),
    ]
}

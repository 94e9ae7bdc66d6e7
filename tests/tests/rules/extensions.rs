//! Extensions: apps and skills.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sonde_client::catalogs::CatalogKind;

use crate::{
    play::{Act, Case, reading},
    server::{Server, each, of, result, with},
};

const APP: &str = "ui://ships/list";
const SKILL: &str = "skill://acme/refunds/SKILL.md";
const FILE: &str = "skill://acme/refunds/a.md";
const TEXT: &str = "---\nname: refunds\ndescription: Pay money back\n---\n\n# Refunds\n";

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

fn digest(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn entry() -> Value {
    json!({
        "uri": SKILL,
        "frontmatter": { "name": "refunds", "description": "Pay money back" },
        "resources": [
            { "uri": SKILL, "digest": digest(TEXT), "size": TEXT.len() },
            { "uri": FILE, "digest": digest("a"), "size": 1 },
        ],
    })
}

fn skills(all: Value) -> Server {
    Server::new()
        .declares(json!({
            "tools": {},
            "resources": {},
            "extensions": { "io.modelcontextprotocol/skills": {} },
        }))
        .on("skills/list", result(json!({ "skills": all })))
        .then(Act::List(CatalogKind::Skills))
}

/// A server with a skill whose entry has this value at this place.
fn skill((pointer, value): (String, Value)) -> Server {
    let mut entry = entry();
    if let Some(place) = entry.pointer_mut(&pointer) {
        *place = value;
    }
    skills(json!([entry]))
}

/// Creates a server with a skill with this `SKILL.md`, and its size and digest in the entry.
fn file(text: &str) -> Server {
    let mut entry = entry();
    entry["resources"][0] = json!({ "uri": SKILL, "digest": digest(text), "size": text.len() });
    serving(entry, SKILL, text)
}

fn serving(entry: Value, uri: &str, text: &str) -> Server {
    let contents = json!({ "contents": [{ "uri": uri, "text": text }] });
    skills(json!([entry]))
        .on("resources/read", result(contents))
        .then(Act::Run(reading(uri)))
}

pub(crate) fn cases() -> Vec<Case> {
    let right = || json!(["/uri", SKILL]);
    let other_skill = |name: &str, uri: &str| {
        let frontmatter = json!({ "name": name, "description": "Something else" });
        json!({ "uri": uri, "frontmatter": frontmatter, "resources": "dynamic" })
    };
    let served = |text: &str| serving(entry(), SKILL, text);
    let same_length = TEXT.replace("# Refunds", "# refunds");
    let ui = |ui: Value| app(json!({ "_meta": { "ui": ui } }));
    let others = vec![
        of(
            "duplicate-skill",
            |uri: &str| {
                skills(json!([
                    other_skill("a", "skill://x/a/SKILL.md"),
                    other_skill("a", uri)
                ]))
            },
            "skill://x/a/SKILL.md",
            "skill://y/a/SKILL.md",
        ),
        of(
            "skill-name-twice",
            |name: &str| {
                let second = format!("skill://y/{name}/SKILL.md");
                skills(json!([
                    other_skill("a", "skill://x/a/SKILL.md"),
                    other_skill(name, &second)
                ]))
            },
            "a",
            "b",
        ),
        of(
            "skill-unlisted-file",
            |uri: &str| serving(entry(), uri, "a"),
            "skill://acme/refunds/b.md",
            FILE,
        ),
        of(
            "app-csp-source",
            ui,
            json!({ "csp": { "connectDomains": ["*"] } }),
            json!({ "csp": { "connectDomains": ["https://example.org"] } }),
        ),
        of("skill-size", served, "---\n---\n", TEXT),
        of("skill-digest", served, &same_length, TEXT),
        of("skill-no-frontmatter", file, "# Refunds\n", TEXT),
        of(
            "skill-frontmatter-differs",
            file,
            "---\nname: refunds\ndescription: Take money\n---\n",
            TEXT,
        ),
    ];
    let tables = [
        each(
            named,
            json!([
                ["app-uri",
                    { "ui": { "resourceUri": "https://example.org/" } },
                    { "ui": { "resourceUri": APP } }],
                ["app-visibility", { "ui": { "visibility": "app" } }, { "ui": { "visibility": ["app"] } }],
                ["app-flat-uri", { "ui/resourceUri": APP }, { "ui": { "resourceUri": APP } }],
                ["app-bad-meta", { "ui": [] }, { "ui": {} }],
            ]),
        ),
        each(
            app,
            json!([
                ["app-mime-type", { "mimeType": "text/html" }, {}],
                ["app-no-content", { "uri": "ui://other" }, {}],
                ["app-not-html", { "text": "<p>Ships" }, {}],
            ]),
        ),
        each(
            skill,
            json!([
                ["skill-entry", ["/uri", 1], right()],
                ["skill-frontmatter", ["/frontmatter", "name"], right()],
                ["skill-format", ["/frontmatter/description", ""], right()],
                ["skill-uri", ["/frontmatter/name", "other"], right()],
                ["skill-files", ["/resources", []], right()],
                ["skill-too-large", ["/resources/0/size", 17 << 20], right()],
                ["skill-dynamic", ["/resources", "dynamic"], right()],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}

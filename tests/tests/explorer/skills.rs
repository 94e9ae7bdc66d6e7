//! Skills: a server's list of them, and their files compared with it.

use serde_json::{Value, json};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted, reading},
    client::http,
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer,
};

const FOG_WATCH: &str = "skill://gull-rock/fog-watch/SKILL.md";

async fn opened(app: &App, server: &str) -> Vec<CatalogRow> {
    let list = app.refresh(server, CatalogKind::Skills).await;
    assert_eq!(list.error, None);
    app.rows(server, CatalogKind::Skills, "").await
}

/// Returns the rules that a read resource breaks.
async fn rules_of(app: &App, server: &str, uri: &str) -> Vec<String> {
    match app.run(server, reading(uri)).await.outcome {
        Some(OperationOutcome::Result { content, .. }) => content
            .into_iter()
            .flat_map(|block| block.findings)
            .map(|finding| finding.rule)
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_skill_of_the_demo_server_is_listed_read_and_what_its_entry_says() {
    let app = App::start().await;
    let server = app.demo().await;
    let rows = opened(&app, &server).await;
    let [row] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!((row.name.as_str(), row.issues), ("fog-watch", 0));
    let detail = granted(app.skill_detail(server.clone(), row.key.clone())).await;
    assert_eq!(detail.item.findings, []);
    assert_eq!(detail.uri.as_deref(), Some(FOG_WATCH));
    let files = detail.files.unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        let uri = file.uri.unwrap();
        let rules = rules_of(&app, &server, &uri).await;
        assert!(rules.is_empty(), "{uri} {rules:?}");
    }
}

fn changed(request: &Request) -> Reply {
    let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let uri = message["params"]["uri"].as_str().unwrap_or_default();
    let text = "---\nname: a\ndescription: Something else\n---\n";
    let digest = format!("sha256:{}", "0".repeat(64));
    let capabilities = json!({
        "resources": {},
        "extensions": { "io.modelcontextprotocol/skills": {} },
    });
    mcp_peer::reply(request, "changed", &capabilities, |method| match method {
        "skills/list" => Some(json!({ "skills": [
            {
                "uri": "skill://a/SKILL.md",
                "frontmatter": { "name": "a", "description": "d" },
                "resources": [
                    { "uri": "skill://a/SKILL.md", "digest": digest, "size": 1 },
                    { "uri": "skill://a/../secret.md", "digest": digest, "size": 1 },
                ],
            },
            7,
            { "uri": "skill://b/SKILL.md" },
        ] })),
        "resources/read" => Some(json!({ "contents": [{ "uri": uri, "text": text }] })),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_what_the_entry_says_is_found() {
    let peer = HttpPeer::start(changed).await;
    let app = App::start().await;
    let server = app.add("Changed", http(peer.url())).await;
    app.opens(&server).await;
    // Nothing is known of skills as long as their list was not read.
    let before = rules_of(&app, &server, "skill://a/SKILL.md").await;
    assert!(before.is_empty(), "{before:?}");
    let rows = opened(&app, &server).await;
    let found: Vec<_> = rows.iter().map(|row| (&*row.key, row.issues)).collect();
    assert_eq!(
        found,
        [("skill://a/SKILL.md", 1), ("skill://b/SKILL.md", 2)]
    );
    assert_eq!(
        rules_of(&app, &server, "skill://a/SKILL.md").await,
        ["skill-size", "skill-digest", "skill-frontmatter-differs"]
    );
    assert_eq!(
        rules_of(&app, &server, "skill://a/other.md").await,
        ["skill-unlisted-file"]
    );
    let elsewhere = rules_of(&app, &server, "file:///etc/hosts").await;
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

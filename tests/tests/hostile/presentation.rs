//! A presentation that somebody sent.

use serde_json::{Value, json};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, denied, granted, saved},
    client::http,
};

/// Creates a presentation with this server and one step.
fn text(server: &Value, step: Value) -> String {
    let mut first = json!({"server": "S", "call": "t"});
    if let (Value::Object(first), Value::Object(step)) = (&mut first, step) {
        first.extend(step);
    }
    json!({"sonde": 1, "name": "T", "servers": {"S": server}, "steps": [first]}).to_string()
}

/// The import runs nothing and changes nothing: a server with the same name stays separate, and so does a saved input.
#[tokio::test]
async fn it_runs_nothing_and_replaces_nothing() {
    let app = App::start().await;
    let mark = app.folder.path().join("ran");
    let server = app.add("S", http("https://mine.example/mcp")).await;
    let mine = saved(&server, "t", "n", "{}");
    app.save_input(mine).await.unwrap();
    let command = json!({"command": "touch", "args": [mark.display().to_string()]});
    let sent = text(&command, json!({"name": "n", "with": {"evil": true}}));
    let preview = app.preview_import(sent.clone()).await.unwrap();
    assert_eq!(preview.candidates[0].duplicate_of, None);
    let id = granted(app.import_presentation(sent, vec![0.into()], None))
        .await
        .id;
    let step = app
        .until("the presentation", |seen| {
            let mut all = seen.presentations.iter();
            all.find(|one| one.id == id).map(|one| one.steps[0].clone())
        })
        .await;
    assert_ne!(step.server, server);
    let refused = app.explorer.connect(step.server.clone(), None);
    denied(refused, ErrorCode::CommandNotConfirmed).await;
    assert!(!mark.exists());

    // The same for a server that is there: what it sends is added beside what was saved.
    let same = json!({"url": "https://mine.example/mcp"});
    let sent = text(&same, json!({"name": "n", "with": {"evil": true}}));
    granted(app.import_presentation(sent, Vec::new(), None)).await;
    let saved = app
        .until("both inputs", |seen| {
            let saved = seen.saved_inputs.get(&server)?;
            (saved.len() == 2).then(|| saved.clone())
        })
        .await;
    assert_eq!(saved[0].arguments, "{}");
}

/// A presentation that is too large, too new or invalid is refused with a reason, and nothing is added.
#[tokio::test]
async fn what_cannot_be_read_is_refused_whole() {
    let app = App::start().await;
    app.first().await;
    let before = app.seen();
    let url = json!({"url": "https://a.example/mcp"});
    let steps = |count: usize| {
        let step = json!({"server": "S", "call": "t"});
        json!({"sonde": 1, "name": "T", "steps": vec![step; count]}).to_string()
    };
    let deep = format!(
        r#"{{"sonde": 1, "name": "T", "steps": {}}}"#,
        "[".repeat(100_000)
    );
    for (sent, words) in [
        (steps(1000), "more than 200 steps"),
        (
            text(&url, json!({"notes": "n".repeat(1 << 20)})),
            "notes of step 1",
        ),
        (
            text(&url, json!({"title": "n".repeat(1 << 20)})),
            "title of step 1",
        ),
        (text(&url, json!({"with-json": "{"})), "not valid JSON"),
        (text(&url, json!({"call": 1})), "cannot be read"),
        (
            r#"{"sonde": 99, "name": "T", "steps": []}"#.to_owned(),
            "reads format 1, not 99",
        ),
        (deep, "nested too deeply"),
        (steps(1) + &" ".repeat(5 << 20), "too long"),
    ] {
        let error = app.preview_import(sent.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains(words), "{words}: {}", error.message);
        let refused = app.import_presentation(sent, vec![0.into()], None);
        denied(refused, ErrorCode::InvalidInput).await;
    }
    // A server that cannot be read hides neither the others nor the presentation.
    let placed = json!({"command": "npx", "args": ["${secret:key}"]});
    let preview = granted(app.preview_import(text(&placed, json!({})))).await;
    assert_eq!((preview.candidates.len(), preview.problems.len()), (0, 1));
    assert!(preview.presentation.is_some());
    // A configuration is no presentation.
    let plain = r#"{"mcpServers": {"a": {"url": "https://a.example/mcp"}}}"#.to_owned();
    let import = app.import_presentation(plain, vec![0.into()], None).await;
    assert!(import.unwrap_err().message.contains("no presentation"));
    let after = app.seen();
    assert_eq!(
        (before.order, before.presentations),
        (after.order, after.presentations)
    );
}

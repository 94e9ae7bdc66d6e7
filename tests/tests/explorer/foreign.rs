//! Servers that nobody here wrote: what Sonde says of them is true. They are installed by the step before the
//! end-to-end tests; run these with `cargo test -p sonde-tests --test explorer -- --ignored` afterwards.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sonde_ipc::*;
use sonde_tests::http_server::{HttpServer, peers, python_program, sdk_example};

use crate::window::{App, draft, http, stdio};

/// Items of a list that are tried, at most.
const MOST: usize = 25;

fn npm(program: &str, args: &[&str]) -> TransportDraft {
    let program = peers().join("node_modules/.bin").join(program);
    stdio(&program.display().to_string(), args)
}

fn python(program: &str, args: &[&str]) -> TransportDraft {
    stdio(&python_program(program), args)
}

/// The example of the SDK over stdio.
fn example(name: &str) -> TransportDraft {
    stdio("node", &[&sdk_example(name)])
}

fn sse(url: String) -> TransportDraft {
    match http(url) {
        TransportDraft::Http {
            url,
            headers,
            network,
            auth,
            ..
        } => TransportDraft::Http {
            url,
            headers,
            kind: HttpKind::Sse,
            network,
            auth,
        },
        other => other,
    }
}

/// Nobody is there to be asked.
fn decline() -> RequestRules {
    let rule = || RequestRule {
        action: RuleAction::Decline,
        delay_seconds: 0,
    };
    RequestRules {
        form: rule(),
        page: rule(),
        sampling: rule(),
        roots: RootsRule::default(),
    }
}

/// Reads every list, runs every tool without arguments and with those that are given, reads the resources and gets the
/// prompts, and answers which rules with the severity error the server broke.
async fn errors(
    transport: TransportDraft,
    protocol: ProtocolMode,
    calls: &[(&str, &str)],
) -> BTreeSet<String> {
    let mut app = App::start().await;
    let server = ServerDraft {
        era: protocol,
        request_rules: decline(),
        roots: vec![RootFolder {
            folder: "/srv".to_owned(),
            name: None,
        }],
        ..draft("Foreign", transport)
    };
    let server = app.explorer.add_server(server).await.unwrap();
    app.ready(&server).await;
    let mut runs = Vec::new();
    for tool in app
        .rows(&server, CatalogKind::Tools, "")
        .await
        .iter()
        .take(MOST)
    {
        runs.push(app.call(&server, &tool.name, "{}").await);
    }
    for (tool, arguments) in calls {
        runs.push(app.call(&server, tool, arguments).await);
    }
    for (kind, method) in [
        (CatalogKind::Resources, "resources/read"),
        (CatalogKind::ResourceTemplates, ""),
        (CatalogKind::Prompts, "prompts/get"),
    ] {
        app.explorer.open_catalog(server.clone(), kind).await.ok();
        let offered = app
            .until("the list", |seen| {
                let catalog = seen.catalog(&server, kind)?;
                let is_read = catalog.revision > 0 || catalog.error.is_some();
                (!catalog.supported || is_read && !catalog.loading).then_some(catalog.supported)
            })
            .await;
        if !offered || method.is_empty() {
            continue;
        }
        for item in app.rows(&server, kind, "").await.iter().take(MOST) {
            let input = OperationInput {
                method: method.to_owned(),
                target: Some(item.key.clone()),
                ..OperationInput::default()
            };
            // What needs arguments is refused.
            if let Ok(run) = app.explorer.start_operation(server.clone(), input).await {
                runs.push(run);
            }
        }
    }
    for run in runs {
        app.finished(run).await;
    }
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    let issues = app
        .explorer
        .issues(server, IssueFilter::default())
        .await
        .unwrap();
    assert!(issues.judged.messages > 2, "{:?}", issues.judged);
    let broken = issues
        .rules
        .into_iter()
        .filter(|rule| rule.severity == Severity::Error);
    broken.map(|rule| rule.rule).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn no_error_is_found_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "gull rock").unwrap();
    let place = folder.path().display().to_string();
    let contents = peers().join("contents_server.py").display().to_string();
    let note = serde_json::json!({ "path": folder.path().join("note.txt") }).to_string();
    let everything = [
        ("echo", r#"{"message":"hello"}"#),
        ("get-sum", r#"{"a":1,"b":2}"#),
        ("get-structured-content", r#"{"location":"Chicago"}"#),
        (
            "get-annotated-message",
            r#"{"messageType":"error","includeImage":true}"#,
        ),
        (
            "get-resource-reference",
            r#"{"resourceType":"Text","resourceId":1}"#,
        ),
    ];
    let time = [("get_current_time", r#"{"timezone":"UTC"}"#)];
    let file = [("read_text_file", note.as_str())];
    let harbour = peers().join("fastmcp_server.py").display().to_string();
    let boat = [("moor", r#"{"boat":{"name":"Gull","length":4}}"#)];
    let none = [];
    let started = [
        (
            "everything over HTTP",
            HttpServer::everything("streamableHttp", "/mcp")
                .await
                .unwrap(),
            &everything[..],
            false,
        ),
        (
            "everything over SSE",
            HttpServer::everything("sse", "/sse").await.unwrap(),
            &everything,
            true,
        ),
        (
            "simpleStreamableHttp",
            HttpServer::example("simpleStreamableHttp", "/mcp")
                .await
                .unwrap(),
            &none,
            false,
        ),
        (
            "jsonResponseStreamableHttp",
            HttpServer::example("jsonResponseStreamableHttp", "/mcp")
                .await
                .unwrap(),
            &none,
            false,
        ),
        (
            "simpleStatelessStreamableHttp",
            HttpServer::example("simpleStatelessStreamableHttp", "/mcp")
                .await
                .unwrap(),
            &none,
            false,
        ),
        (
            "standaloneSseWithGetStreamableHttp",
            HttpServer::example("standaloneSseWithGetStreamableHttp", "/mcp")
                .await
                .unwrap(),
            &none,
            false,
        ),
        (
            "simpleSseServer",
            HttpServer::example("simpleSseServer", "/mcp")
                .await
                .unwrap(),
            &none,
            true,
        ),
        (
            "simpleTaskInteractive",
            HttpServer::example("simpleTaskInteractive", "/mcp")
                .await
                .unwrap(),
            &none,
            false,
        ),
        (
            "ssePollingExample",
            HttpServer::polling().await.unwrap(),
            &none,
            false,
        ),
        (
            "FastMCP over HTTP",
            HttpServer::fastmcp().await.unwrap(),
            &boat,
            false,
        ),
    ];
    let mut all = vec![
        (
            "everything",
            npm("mcp-server-everything", &["stdio"]),
            ProtocolMode::Handshake,
            &everything[..],
        ),
        (
            "filesystem",
            npm("mcp-server-filesystem", &[&place]),
            ProtocolMode::Handshake,
            &file,
        ),
        (
            "mcpServerOutputSchema",
            example("mcpServerOutputSchema"),
            ProtocolMode::Handshake,
            &none,
        ),
        (
            "progressExample",
            example("progressExample"),
            ProtocolMode::Handshake,
            &none,
        ),
        (
            "toolWithSampleServer",
            example("toolWithSampleServer"),
            ProtocolMode::Handshake,
            &none,
        ),
        (
            "time",
            python("mcp-server-time", &["--local-timezone", "UTC"]),
            ProtocolMode::Handshake,
            &time,
        ),
        (
            "contents",
            python("python", &[&contents]),
            ProtocolMode::Handshake,
            &none,
        ),
        (
            "contents, stateless",
            python("python", &[&contents]),
            ProtocolMode::Stateless,
            &none,
        ),
        (
            "FastMCP",
            python("python", &[&harbour]),
            ProtocolMode::Handshake,
            &boat,
        ),
        (
            "FastMCP, stateless",
            python("python", &[&harbour]),
            ProtocolMode::Stateless,
            &boat,
        ),
    ];
    for (name, server, calls, is_sse) in &started {
        let transport = if *is_sse {
            sse(server.url())
        } else {
            http(server.url())
        };
        all.push((name, transport, ProtocolMode::Handshake, calls));
    }
    // Each in an app of its own, all at once: most of the time they wait.
    let explored = all
        .into_iter()
        .map(async |(name, transport, protocol, calls)| {
            (name, errors(transport, protocol, calls).await)
        });
    let explored = join_all(explored).await;
    let wrong: Vec<_> = explored
        .into_iter()
        .filter(|(_, found)| !found.is_empty())
        .collect();
    // The specification is broken in each of these.
    let known: &[(&str, &[&str])] = &[
        // `console.log("MCP server is running...")`: stdout is for messages only.
        ("toolWithSampleServer", &["not-a-message"]),
        // `src: "./mcp.svg"` is no absolute URI.
        ("simpleStreamableHttp", &["bad-icon"]),
        // The task that is answered is changed before it is written: it begins as `input_required`.
        ("simpleTaskInteractive", &["task-not-working-first"]),
    ];
    let known: Vec<_> = known
        .iter()
        .map(|(name, rules)| (*name, rules.iter().map(|&rule| rule.to_owned()).collect()))
        .collect();
    assert_eq!(wrong, known);
}

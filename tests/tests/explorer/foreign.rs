//! Servers that nobody here wrote: what Sonde says of them is true. They are installed by the step before the
//! end-to-end tests; run these with `cargo test -p sonde-tests --test explorer -- --ignored` afterwards.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use sonde_ipc::*;
use sonde_tests::{
    http_server::{HttpServer, peers, python_program, sdk_example},
    stdio_peer::binary,
};

use crate::window::{App, draft, http, stdio};

/// An error that was found in one place.
#[derive(Debug)]
struct Violation {
    rule: String,
    /// In which kind of frame, in which item of a list or in which result, and where in it.
    place: String,
    count: usize,
    /// What a bug report has of it, the frames and definitions among it.
    reports: Vec<String>,
}

/// A place in which a server breaks the specification indeed.
struct Known {
    server: &'static str,
    rule: &'static str,
    place: &'static str,
    count: usize,
    /// The part of what the server sent that breaks the rule, in each case.
    excerpt: &'static str,
}

/// All that the servers here break.
const KNOWN: [Known; 3] = [
    // stdout is for messages only.
    Known {
        server: "toolWithSampleServer",
        rule: "not-a-message",
        place: "frame",
        count: 1,
        excerpt: "MCP server is running...",
    },
    // No absolute URI.
    Known {
        server: "simpleStreamableHttp",
        rule: "bad-icon",
        place: "frame initialize /icons",
        count: 1,
        excerpt: r#""src":"./mcp.svg""#,
    },
    // The task that is answered is changed before it is written: it begins as `input_required`.
    Known {
        server: "simpleTaskInteractive",
        rule: "task-not-working-first",
        place: "frame",
        count: 2,
        excerpt: r#""status":"input_required""#,
    },
];

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
/// prompts, and answers which rules with the severity error the server broke, and where.
async fn violations(
    transport: TransportDraft,
    protocol: ProtocolMode,
    calls: &[(&str, &str)],
) -> Vec<Violation> {
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
    let filter = IssueFilter {
        severities: vec![Severity::Error],
        ..IssueFilter::default()
    };
    let issues = app.explorer.issues(server.clone(), filter).await.unwrap();
    assert!(issues.judged.messages > 2, "{:?}", issues.judged);
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for rule in issues.rules {
        assert_eq!(rule.count, rule.cases.len() as u64, "{}", rule.rule);
        for case in rule.cases {
            let report = app.explorer.issue_report(
                server.clone(),
                Some(rule.rule.clone()),
                Some(case.id.clone()),
            );
            let place = format!(
                "{} {}",
                place(&case.subject),
                case.location.unwrap_or_default()
            );
            let key = (rule.rule.clone(), place.trim_end().to_owned());
            found.entry(key).or_default().push(report.await.unwrap());
        }
    }
    let found = found.into_iter().map(|((rule, place), reports)| Violation {
        rule,
        place,
        count: reports.len(),
        reports,
    });
    found.collect()
}

/// What a case is about, without what differs from run to run.
fn place(subject: &IssueSubject) -> String {
    match subject {
        IssueSubject::Frame { method, .. } => {
            let method = method.as_deref().unwrap_or_default();
            format!("frame {method}").trim_end().to_owned()
        }
        IssueSubject::List { kind } => format!("list {kind:?}"),
        IssueSubject::Item { kind, key } => format!("item {kind:?} {key}"),
        IssueSubject::Instructions => "instructions".to_owned(),
        IssueSubject::Run { target, .. } => {
            format!("result {}", target.as_deref().unwrap_or_default())
        }
    }
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
    let quickstart = peers().join("quickstart_server.py").display().to_string();
    let sum = [
        ("add", r#"{"a":1,"b":2}"#),
        ("weather", r#"{"city":"Kiel"}"#),
    ];
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
    let add = [
        ("add", r#"{"left":1,"right":2}"#),
        ("add", r#"{"left":"one"}"#),
    ];
    let mut all = vec![
        (
            "rmcp",
            stdio(&binary("rmcp-server"), &[]),
            ProtocolMode::Handshake,
            &add[..],
        ),
        (
            "rmcp, stateless",
            stdio(&binary("rmcp-server"), &[]),
            ProtocolMode::Stateless,
            &add,
        ),
        (
            "Python SDK",
            python("python", &[&quickstart]),
            ProtocolMode::Handshake,
            &sum,
        ),
        (
            "Python SDK, stateless",
            python("python", &[&quickstart]),
            ProtocolMode::Stateless,
            &sum,
        ),
        (
            "everything",
            npm("mcp-server-everything", &["stdio"]),
            ProtocolMode::Handshake,
            &everything,
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
        // Servers of this one speak both ways over HTTP.
        if *name == "FastMCP over HTTP" {
            let stateless = http(server.url());
            all.push((
                "FastMCP over HTTP, stateless",
                stateless,
                ProtocolMode::Stateless,
                calls,
            ));
        }
        all.push((name, transport, ProtocolMode::Handshake, calls));
    }
    // Each in an app of its own, all at once: most of the time they wait.
    let explored = all
        .into_iter()
        .map(async |(name, transport, protocol, calls)| {
            let found = violations(transport, protocol, calls).await;
            found
                .into_iter()
                .map(move |violation| (name, violation))
                .collect::<Vec<_>>()
        });
    let explored: Vec<_> = join_all(explored).await.into_iter().flatten().collect();
    let wrong: Vec<_> = explored
        .iter()
        .map(|(server, one)| (*server, one.rule.as_str(), one.place.as_str(), one.count))
        .collect();
    let known: Vec<_> = KNOWN
        .iter()
        .map(|one| (one.server, one.rule, one.place, one.count))
        .collect();
    let sorted = |mut all: Vec<(&'static str, &str, &str, usize)>| {
        all.sort_unstable();
        all.into_iter()
            .map(|one| format!("{one:?}"))
            .collect::<Vec<_>>()
    };
    let (wrong, known) = (sorted(wrong), sorted(known));
    assert_eq!(wrong, known, "{explored:#?}");
    for (server, violation) in &explored {
        let known = KNOWN.iter().find(|one| {
            (one.server, one.rule, one.place) == (*server, &*violation.rule, &*violation.place)
        });
        let excerpt = known.unwrap().excerpt;
        for report in &violation.reports {
            assert!(
                report.contains(excerpt),
                "{server}: {excerpt} is not in {report}"
            );
        }
    }
}

//! Servers of other authors, and small ones made with other SDKs: Sonde's findings about them are true, and their
//! offers work. The step before the end-to-end tests installs them; run these with `cargo test -p sonde-tests --test
//! explorer -- --ignored` afterwards.

use std::{collections::BTreeMap, panic::AssertUnwindSafe};

use futures_util::{
    FutureExt as _,
    stream::{self, StreamExt as _},
};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, draft, granted, one_text},
    client::{declining, http, operation, stdio},
    flaky,
    http_server::{HttpServer, peers, python_program, sdk_example},
    stdio_peer::binary,
};

use crate::{connection::shows, resources::subscription};

/// A finding of severity error in one place.
#[derive(Debug)]
struct Violation {
    rule: String,
    /// The kind of frame, the item of a list or the result, and the place in it.
    place: String,
    count: usize,
    /// The parts for a bug report, including frames and definitions.
    reports: Vec<String>,
}

/// A place in which a server really breaks the specification.
struct Known {
    server: &'static str,
    rule: &'static str,
    place: &'static str,
    count: usize,
    /// The part of the server's data that breaks the rule, in each case.
    excerpt: &'static str,
}

/// All known violations by these servers.
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

/// Limit of the items of a list that are tried.
const MOST: usize = 25;

/// Limit of the servers that are explored at the same time.
const AT_ONCE: usize = 16;

/// The examples of the SDK over Streamable HTTP. `elicitationUrlExample` is missing: it requires a sign-in in a
/// browser.
const EXAMPLES_OVER_HTTP: [&str; 8] = [
    "simpleStreamableHttp",
    "jsonResponseStreamableHttp",
    "simpleStatelessStreamableHttp",
    "standaloneSseWithGetStreamableHttp",
    "simpleTaskInteractive",
    "elicitationFormExample",
    "honoWebStandardStreamableHttp",
    "sseAndStreamableHttpCompatibleServer",
];

/// A tool and its arguments.
type Call<'a> = (&'a str, &'a str);

/// A server, and the way to explore it.
#[derive(Clone)]
struct Peer<'a> {
    name: &'static str,
    transport: TransportDraft,
    protocol: ProtocolMode,
    calls: &'a [Call<'a>],
}

fn handshake<'a>(name: &'static str, transport: TransportDraft, calls: &'a [Call<'a>]) -> Peer<'a> {
    Peer {
        name,
        transport,
        protocol: ProtocolMode::Handshake,
        calls,
    }
}

fn stateless<'a>(name: &'static str, transport: TransportDraft, calls: &'a [Call<'a>]) -> Peer<'a> {
    Peer {
        protocol: ProtocolMode::Stateless,
        ..handshake(name, transport, calls)
    }
}

fn npm(program: &str, args: &[&str]) -> TransportDraft {
    let program = peers().join("node_modules/.bin").join(program);
    stdio(program.display().to_string(), args)
}

fn python(program: &str, args: &[&str]) -> TransportDraft {
    stdio(python_program(program), args)
}

/// Creates the transport to a Python server of the peers.
fn script(name: &str) -> TransportDraft {
    python("python", &[&peers().join(name).display().to_string()])
}

/// Creates the transport to an example of the SDK over stdio.
fn example(name: &str) -> TransportDraft {
    stdio("node", &[&sdk_example(name)])
}

fn sse(url: String) -> TransportDraft {
    let mut transport = http(url);
    if let Transport::Http { kind, .. } = &mut transport {
        *kind = HttpKind::Sse;
    }
    transport
}

/// Reads every list, runs every tool without arguments and with those that are given, reads the resources and gets the
/// prompts. Returns which rules with the severity error the server broke, and where. No question is answered.
async fn violations(
    transport: TransportDraft,
    protocol: ProtocolMode,
    calls: &[Call<'_>],
) -> Vec<Violation> {
    let app = App::start().await;
    let server = ServerDraft {
        protocol,
        request_rules: declining(),
        roots: vec![RootFolder {
            folder: "/srv".to_owned(),
            name: None,
        }],
        ..draft("Foreign", transport)
    };
    let server = app.join_draft(server).await;
    let mut runs = Vec::new();
    let tools = app.rows(&server, CatalogKind::Tools, "").await;
    for tool in tools.iter().take(MOST) {
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
        app.open_catalog(server.clone(), kind).await.ok();
        let offered = app
            .until("the list", |seen| {
                let catalog = seen.catalog(&server, kind)?;
                let is_read = catalog.revision > 0 || catalog.error.is_some();
                (!catalog.supported || is_read && catalog.reading.is_none())
                    .then_some(catalog.supported)
            })
            .await;
        if !offered || method.is_empty() {
            continue;
        }
        for item in app.rows(&server, kind, "").await.iter().take(MOST) {
            let input = operation(method, &item.key);
            // What needs arguments is refused.
            if let Ok(run) = app.start_operation(server.clone(), input).await {
                runs.push(run);
            }
        }
    }
    for run in runs {
        app.finished(run).await;
    }
    app.end(&server).await;
    let filter = IssueFilter {
        severities: vec![Severity::Error],
        ..IssueFilter::default()
    };
    let issues = app.issues(server.clone(), filter).await.unwrap();
    assert!(issues.judged.messages > 2, "{:?}", issues.judged);
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for rule in issues.rules {
        assert_eq!(rule.count, rule.cases.len() as u64, "{}", rule.rule);
        for case in rule.cases {
            let report = app.issue_report(
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

/// Returns the subject of a finding, without the parts that differ from run to run.
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
    let boat = [("moor", r#"{"boat":{"name":"Gull","length":4}}"#)];
    let sum = [
        ("add", r#"{"a":1,"b":2}"#),
        ("weather", r#"{"city":"Kiel"}"#),
    ];
    let add = [
        ("add", r#"{"left":1,"right":2}"#),
        ("add", r#"{"left":"one"}"#),
    ];
    let rmcp = || stdio(binary("rmcp-server"), &[]);
    let quickstart = || script("quickstart_server.py");
    let contents = || script("contents_server.py");
    let harbour = || script("fastmcp_server.py");
    let mut all = vec![
        handshake("rmcp", rmcp(), &add),
        stateless("rmcp, stateless", rmcp(), &add),
        handshake("Python SDK", quickstart(), &sum),
        stateless("Python SDK, stateless", quickstart(), &sum),
        handshake("contents", contents(), &[]),
        stateless("contents, stateless", contents(), &[]),
        handshake("FastMCP", harbour(), &boat),
        stateless("FastMCP, stateless", harbour(), &boat),
        handshake(
            "everything",
            npm("mcp-server-everything", &["stdio"]),
            &everything,
        ),
        handshake("filesystem", npm("mcp-server-filesystem", &[&place]), &file),
        handshake(
            "time",
            python("mcp-server-time", &["--local-timezone", "UTC"]),
            &time,
        ),
    ];
    for name in [
        "mcpServerOutputSchema",
        "progressExample",
        "toolWithSampleServer",
    ] {
        all.push(handshake(name, example(name), &[]));
    }
    for name in [
        "mcp-server-basic-vanillajs",
        "mcp-budget-allocator-server",
        "mcp-cohort-heatmap-server",
        "mcp-customer-segmentation-server",
        "mcp-server-debug",
        "mcp-scenario-modeler-server",
        "mcp-system-monitor-server",
    ] {
        all.push(handshake(name, npm(name, &["--stdio"]), &[]));
    }
    let mut running = Vec::new();
    for name in EXAMPLES_OVER_HTTP {
        let server = HttpServer::example(name, "/mcp").await.unwrap();
        all.push(handshake(name, http(server.url()), &[]));
        running.push(server);
    }
    let polling = HttpServer::polling().await.unwrap();
    all.push(handshake("ssePollingExample", http(polling.url()), &[]));
    for (name, path) in [
        ("simpleSseServer", "/mcp"),
        ("sseAndStreamableHttpCompatibleServer over SSE", "/sse"),
    ] {
        let example = name.trim_end_matches(" over SSE");
        let server = HttpServer::example(example, path).await.unwrap();
        all.push(handshake(name, sse(server.url()), &[]));
        running.push(server);
    }
    let (by_http, by_sse) = ("everything over HTTP", "everything over SSE");
    let server = HttpServer::everything("streamableHttp", "/mcp")
        .await
        .unwrap();
    all.push(handshake(by_http, http(server.url()), &everything));
    running.push(server);
    let server = HttpServer::everything("sse", "/sse").await.unwrap();
    all.push(handshake(by_sse, sse(server.url()), &everything));
    running.push(server);
    let (both, again) = ("FastMCP over HTTP", "FastMCP over HTTP, stateless");
    let server = HttpServer::fastmcp().await.unwrap();
    all.push(handshake(both, http(server.url()), &boat));
    all.push(stateless(again, http(server.url()), &boat));
    running.push(server);
    // Each in an app of its own, many at once: most of the time they wait.
    let judged = stream::iter(&all).map(async |peer| Some((peer, wrong(peer).await?)));
    let failed: Vec<_> = judged
        .buffer_unordered(AT_ONCE)
        .filter_map(async |failed| failed)
        .collect()
        .await;
    let mut red = Vec::new();
    for (peer, first) in failed {
        // Once more, when nothing else runs.
        match wrong(peer).await {
            Some(again) => red.push(again),
            None => flaky::report(peer.name, &first),
        }
    }
    assert!(red.is_empty(), "{}", red.join("\n"));
}

/// Explores a server. Returns the problem with its findings, if there is one.
async fn wrong(peer: &Peer<'_>) -> Option<String> {
    let exploring = violations(peer.transport.clone(), peer.protocol.clone(), peer.calls);
    let found = match AssertUnwindSafe(exploring).catch_unwind().await {
        Ok(found) => found,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map_or("", String::as_str);
            return Some(format!("{} cannot be explored: {said}", peer.name));
        }
    };
    let known = || KNOWN.iter().filter(|known| known.server == peer.name);
    let is_known = |one: &Violation| {
        known().any(|known| {
            (known.rule, known.place, known.count) == (&*one.rule, &*one.place, one.count)
                && one
                    .reports
                    .iter()
                    .all(|report| report.contains(known.excerpt))
        })
    };
    let right = found.len() == known().count() && found.iter().all(is_known);
    (!right).then(|| format!("{}: {found:#?}", peer.name))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn an_answer_is_polled_for() {
    let peer = HttpServer::polling().await.unwrap();
    let app = App::start().await;
    let server = app.join("Polling", http(peer.url())).await;
    let view = app.run_tool(&server, "long-task", "{}").await;
    assert!(one_text(&view).contains("Long task completed"), "{view:?}");
    let told = shows(&app, &server, "a stream that was resumed", |view| {
        let is_there = |code| view.lines.iter().any(|line| line.code == code);
        is_there("resumed").then(|| view.lines.clone())
    })
    .await;
    let waiting = told.iter().find(|line| line.code == "waiting").unwrap();
    let begin = "Attempt 1 of 5 in ";
    assert!(waiting.sentence.starts_with(begin), "{waiting:?}");
    assert!(waiting.sentence.contains("delay set by the server"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn a_server_introduces_itself_in_both_eras() {
    let app = App::start().await;
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let transport = script("contents_server.py");
        let server = app.add_as(era, "Contents", transport).await;
        let identity = app.opens(&server).await.identity.unwrap();
        assert_eq!(identity.title.as_deref(), Some("Every kind of content"));
        assert_eq!(
            identity.instructions.as_deref(),
            Some("Read the **readme** first.")
        );
        let pictures = identity.icons.first.iter().map(|one| one.picture.is_some());
        assert_eq!(pictures.collect::<Vec<_>>(), [true, false]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn an_update_of_a_subscribed_resource_is_heard_in_both_eras() {
    let app = App::start().await;
    for (era, transport, uri, tool) in [
        (
            ProtocolMode::Handshake,
            npm("mcp-server-everything", &["stdio"]),
            "demo://resource/static/document/architecture.md",
            "toggle-subscriber-updates",
        ),
        (
            ProtocolMode::Stateless,
            script("contents_server.py"),
            "contents://clock",
            "tick",
        ),
    ] {
        let server = app.add_as(era, "Subscribed", transport).await;
        app.ready(&server).await;
        granted(app.subscribe_resource(server.clone(), uri.to_owned())).await;
        subscription(&app, &server, uri, |one| {
            one.state == SubscriptionState::Active && one.updates == 0
        })
        .await;
        app.run_tool(&server, tool, "{}").await;
        subscription(&app, &server, uri, |one| one.updates > 0).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn a_tool_that_is_announced_is_listed_without_a_request() {
    let app = App::start().await;
    let transport = script("rounds_server.py");
    let server = app
        .add_as(ProtocolMode::Stateless, "Rounds", transport)
        .await;
    app.ready(&server).await;
    // An announcement before the subscription is lost.
    shows(&app, &server, "the subscription", |view| {
        let is_open = view.lines.iter().any(|line| line.code == "opened");
        is_open.then_some(())
    })
    .await;
    let revision = app.tools(&server).await.revision;
    app.run_tool(&server, "grow", "{}").await;
    app.holds("the list to be read again", |seen| {
        let tools = seen.tools(&server);
        tools.is_some_and(|tools| tools.revision > revision)
    })
    .await;
    let tools = app.rows(&server, CatalogKind::Tools, "").await;
    assert!(tools.iter().any(|tool| tool.name == "extra"), "{tools:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the installed peers"]
async fn folders_are_asked_for_again_when_they_change_and_a_poorer_client_gets_fewer_tools() {
    let everything = || npm("mcp-server-everything", &["stdio"]);
    let with = |folder: &str, declaration: Declaration| ServerDraft {
        roots: vec![RootFolder {
            folder: folder.to_owned(),
            name: None,
        }],
        declaration,
        ..draft("Everything", everything())
    };
    let app = App::start().await;
    let first = with("/srv/first", Declaration::default());
    let server = app.join_draft(first).await;
    let asking = "trigger-sampling-request";
    let tools = app.rows(&server, CatalogKind::Tools, "").await;
    assert!(tools.iter().any(|tool| tool.name == asking), "{tools:?}");
    for folder in ["/srv/first", "/srv/second"] {
        let changed = with(folder, Declaration::default());
        granted(app.update_server(server.clone(), changed)).await;
        app.until("the folder is known to be sent", |seen| {
            let sent = seen.connections.get(&server)?.roots.as_ref()?;
            (!sent.differs && sent.roots[0].uri == format!("file://{folder}")).then_some(())
        })
        .await;
        let view = app.run_tool(&server, "get-roots-list", "{}").await;
        assert!(one_text(&view).contains(folder), "{view:?}");
    }

    // As a client that declares nothing.
    let nothing = Declaration {
        sampling: None,
        elicitation: None,
        roots: None,
        ..Declaration::default()
    };
    let poorer = with("/srv/second", nothing);
    app.update_server(server.clone(), poorer).await.unwrap();
    app.end(&server).await;
    app.ready(&server).await;
    let tools = app.rows(&server, CatalogKind::Tools, "").await;
    assert!(!tools.is_empty());
    assert!(!tools.iter().any(|tool| tool.name == asking), "{tools:?}");
}

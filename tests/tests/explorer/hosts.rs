//! Hosts in which tools work, as sent to the window.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use sonde_ipc::*;
use sonde_tests::{
    LIMIT,
    app::{App, draft, granted},
    client::http,
    http_peer::HttpPeer,
    mcp_peer,
};

fn tool(name: &str, schema: &Value) -> Value {
    json!({ "name": name, "description": "Does what is said here.", "inputSchema": schema })
}

fn asking(hosts: &[&str], problems: bool) -> HostFilter {
    HostFilter {
        hosts: hosts.iter().map(|id| (*id).to_owned()).collect(),
        problems,
        search: String::new(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_server_works_and_nothing_is_found_about_it() {
    let app = App::start().await;
    let demo = Transport::Demo { http: false };
    let server = app.join("Demo", demo).await;
    let summary = app.host_summary(server.clone()).await.unwrap();
    assert!(summary.tools > 5);
    assert_eq!(summary.findings, []);
    for totals in &summary.totals {
        let is_directory = totals.host.ends_with("_directory");
        let tally = totals.tally;
        assert!(tally.fails == 0 || is_directory, "{totals:?}");
        assert_eq!(
            tally.works + tally.degraded + tally.may_fail + tally.fails + tally.not_known,
            summary.tools
        );
    }
    for row in app.rows(&server, CatalogKind::Tools, "").await {
        assert_eq!(
            granted(app.tool_lint(server.clone(), row.key.clone())).await,
            [],
            "{}",
            row.key
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_a_host_refuses_is_named_with_the_reason_and_stays_after_a_disconnect() {
    let readings = AtomicUsize::new(0);
    let plain = json!({ "type": "object", "properties": {} });
    let branches =
        json!({ "type": "object", "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] });
    let peer = HttpPeer::start(move |request| {
        mcp_peer::reply(request, "pages", &json!({ "tools": {} }), |method| {
            if method != "tools/list" {
                return None;
            }
            // Corrected at the second reading.
            let first = readings.fetch_add(1, Ordering::SeqCst) == 0;
            let schema = if first { &branches } else { &plain };
            Some(json!({ "tools": [tool("attach", schema), tool("search", &plain)] }))
        })
    })
    .await;
    let app = App::start().await;
    let server = app.join("Pages", http(peer.url())).await;
    let explorer = app.clone();
    let summary = explorer.host_summary(server.clone()).await.unwrap();
    let of = |summary: &HostSummary, host: &str| {
        let totals = summary.totals.iter().find(|one| one.host == host);
        totals.unwrap().clone()
    };
    let code = of(&summary, "claude_code");
    assert_eq!((code.tally.fails, code.takes_all.as_deref()), (1, None));
    let api = of(&summary, "anthropic_api");
    assert_eq!(
        (api.tally.fails, api.takes_all.as_deref()),
        (1, Some("attach"))
    );
    let three = asking(&["codex", "claude_code", "goose"], true);
    let rows = granted(explorer.host_rows(server.clone(), summary.revision, three, 0, 100)).await;
    assert_eq!(rows.total, 1);
    assert_eq!(
        rows.rows[0].verdicts,
        [Verdict::Works, Verdict::Fails, Verdict::NotKnown]
    );
    let cell = |host: &str| explorer.host_cell(server.clone(), "attach".into(), host.into());
    let judged = cell("claude_code").await.unwrap();
    let reason = &judged.reasons[0];
    assert_eq!(reason.pointer.as_deref(), Some("/inputSchema/anyOf"));
    assert!(
        reason.source.url.starts_with("https://github.com/"),
        "{reason:?}"
    );
    assert!(cell("goose").await.unwrap().unknown.is_some());
    let one = asking(&["claude_code"], false);
    let table = granted(explorer.host_table(server.clone(), one, TableText::Markdown)).await;
    assert!(
        table.contains("| attach |") && table.contains("| fails |"),
        "{table}"
    );

    // Where a tool takes all others with it, the table and the filter say so of the sound ones too.
    let whole = |problems| asking(&["anthropic_api"], problems);
    let table = granted(explorer.host_table(server.clone(), whole(false), TableText::Csv)).await;
    let count = |end: &str| table.lines().filter(|line| line.ends_with(end)).count();
    let counts = (count(",fails"), count(",fails (with all)"));
    assert_eq!(counts, (1, summary.tools as usize - 1), "{table}");
    let rows = explorer.host_rows(server.clone(), summary.revision, whole(true), 0, 100);
    assert_eq!(rows.await.unwrap().total, summary.tools);

    // A list that was read again is judged again; rows of the older one are none.
    app.refresh(&server, CatalogKind::Tools).await;
    let corrected = explorer.host_summary(server.clone()).await.unwrap();
    assert_eq!(of(&corrected, "claude_code").tally.fails, 0);
    let codex = asking(&["codex"], false);
    let old = explorer.host_rows(server.clone(), summary.revision, codex, 0, 9);
    assert_eq!(old.await.unwrap().rows, []);
    explorer.disconnect(server.clone()).await.unwrap();
    let after = explorer.host_summary(server.clone()).await.unwrap();
    assert_eq!(after, corrected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_tools_are_judged_and_cross_by_rows() {
    let tools = (0..10_000).map(|place| {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "type": "string", "description": "A.", "maxLength": place } },
        });
        tool(&format!("tool_{place}"), &schema)
    });
    let peer = mcp_peer::listing(tools.collect()).await;
    let app = App::start().await;
    let server = app.join("Many", http(peer.url())).await;
    let summary = app.host_summary(server.clone()).await.unwrap();
    assert_eq!(summary.tools, 10_000);
    let totals = summary.totals.iter().find(|one| one.host == "codex");
    assert_eq!(totals.unwrap().tally.degraded, 10_000);
    let mut rules = summary.findings.iter().map(|one| &*one.rule);
    assert!(
        rules.any(|rule| rule == "host-too-many-tools"),
        "{:?}",
        summary.findings
    );
    let codex = asking(&["codex"], true);
    let rows = granted(app.host_rows(server.clone(), summary.revision, codex, 9_990, 100)).await;
    assert_eq!((rows.total, rows.rows.len()), (10_000, 10));
    assert!(app.largest_batch() < 64 * 1024, "{}", app.largest_batch());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_is_too_long_for_a_host_is_an_issue_of_its_run() {
    let tools = json!([
        { "name": "short", "inputSchema": { "type": "object" } },
        { "name": "long", "inputSchema": { "type": "object" } },
        { "name": "longest", "inputSchema": { "type": "object" } },
        {
            "name": "allowed",
            "inputSchema": { "type": "object" },
            "_meta": { "anthropic/maxResultSizeChars": 100_000 },
        },
        { "name": "picture", "inputSchema": { "type": "object" } },
    ]);
    let peer = HttpPeer::start(move |request| {
        let call: Value = serde_json::from_str(&request.body).unwrap_or_default();
        mcp_peer::reply(request, "long", &json!({ "tools": {} }), |method| {
            let text = |length: usize| json!({ "type": "text", "text": "x".repeat(length) });
            let content = match call["params"]["name"].as_str().unwrap_or_default() {
                "short" => json!([text(39_000)]),
                // In two blocks.
                "long" => json!([text(20_000), text(25_000)]),
                // More than is read on the spot.
                "longest" => json!([text(600_000)]),
                "allowed" => json!([text(60_000)]),
                _ => json!([text(60_000), { "type": "image", "mimeType": "image/png", "data": "AAAA" }]),
            };
            match method {
                "tools/list" => Some(json!({ "tools": tools })),
                "tools/call" => Some(json!({ "content": content })),
                _ => None,
            }
        })
    })
    .await;
    let app = App::start().await;
    let server = app.join("Long", http(peer.url())).await;
    let size_of = async |app: &App, tool: &str| {
        app.run_tool(&server, tool, "{}").await;
        let rules = granted(app.issues(server.clone(), IssueFilter::default()))
            .await
            .rules;
        let of = |id: &str| {
            let rule = rules.iter().find(|one| one.rule == id);
            rule.map_or(0, |one| one.count)
        };
        (of("host-result-size"), of("may-fail-in-host"))
    };
    assert_eq!(size_of(&app, "short").await, (0, 0));
    assert_eq!(size_of(&app, "picture").await, (0, 0));
    assert_eq!(size_of(&app, "long").await, (1, 0));
    // By an estimate of its tokens it is refused as well.
    assert_eq!(size_of(&app, "longest").await, (2, 1));
    assert_eq!(size_of(&app, "allowed").await, (3, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_judged_beside_those_of_servers_that_connect_later_and_of_other_names() {
    let plain = json!({ "type": "object", "properties": {} });
    let serve = |name: &'static str, description: &'static str| {
        mcp_peer::listing(
            json!([{ "name": name, "description": description, "inputSchema": plain }]),
        )
    };
    let first = serve("add_note", "Before read_secret, call this.").await;
    let second = serve("read_secret", "Reads a secret.").await;
    let app = App::start().await;
    let one = app.add("One", http(first.url())).await;
    let two = app.add("Two", http(second.url())).await;
    app.ready(&one).await;
    // As it was judged, which asking for it does not change.
    let said = async |app: &App| {
        let rules = granted(app.issues(one.clone(), IssueFilter::default()))
            .await
            .rules
            .into_iter();
        let mut cases = rules
            .filter(|one| one.rule == "names-other-tool")
            .flat_map(|one| one.cases);
        cases.next().map(|one| one.message)
    };
    let told = async |app: &App, count: u64| {
        app.holds("the tool of the other server", |seen| {
            seen.issues.get(&one).is_some_and(|one| one.tools == count)
        })
        .await;
    };
    assert_eq!(said(&app).await, None);
    app.ready(&two).await;
    told(&app, 1).await;
    assert!(said(&app).await.unwrap().contains("the server Two"));
    let zwei = draft("Zwei", http(second.url()));
    app.update_server(two.clone(), zwei).await.unwrap();
    let renamed = async {
        while !said(&app).await.unwrap().contains("the server Zwei") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(*LIMIT, renamed).await.unwrap();
    let deletion = app.remove_server(two.clone()).await.unwrap();
    told(&app, 0).await;
    app.undo_deletion(deletion).await.unwrap();
    told(&app, 1).await;
}

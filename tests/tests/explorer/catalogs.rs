//! Every kind of catalog: its list, its rows and the search in them.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, denied},
    client::http,
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer,
};

/// Number of items in each list of the long server.
const MANY: usize = 10_000;

/// Creates the item of a long list at a place. Each reading of the list has other items.
fn item(method: &str, reading: usize, place: usize) -> Value {
    let name = format!("{reading}-{place}");
    let description = "What it is for, in a sentence that is as long as such sentences are.";
    match method {
        "tools/list" => {
            json!({ "name": name, "description": description, "inputSchema": { "type": "object" } })
        }
        "resources/list" => {
            json!({ "uri": format!("many://{name}"), "name": name, "description": description })
        }
        "resources/templates/list" => {
            json!({ "uriTemplate": format!("many://{name}/{{part}}"), "name": name, "description": description })
        }
        _ => json!({ "name": name, "description": description, "arguments": [{ "name": "a" }] }),
    }
}

/// Returns the reply of a server with long lists of each kind, which differ at each reading.
fn long(request: &Request, readings: &AtomicUsize) -> Reply {
    let capabilities = json!({ "tools": {}, "resources": {}, "prompts": {} });
    mcp_peer::reply(request, "long", &capabilities, |method| {
        let member = match method {
            "tools/list" => "tools",
            "resources/list" => "resources",
            "resources/templates/list" => "resourceTemplates",
            "prompts/list" => "prompts",
            _ => return None,
        };
        let reading = readings.fetch_add(1, Ordering::SeqCst);
        let items: Vec<Value> = (0..MANY)
            .map(|place| item(method, reading, place))
            .collect();
        Some(json!({ member: items }))
    })
}

/// The window gets numbers, and the rows that it requests, for every kind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_ten_thousand_items_of_each_kind_cross_by_rows() {
    let readings = AtomicUsize::new(0);
    let peer = HttpPeer::start(move |request| long(request, &readings)).await;
    let app = App::start().await;
    let server = app.join("Long", http(peer.url())).await;
    for kind in [
        CatalogKind::Tools,
        CatalogKind::Resources,
        CatalogKind::ResourceTemplates,
        CatalogKind::Prompts,
    ] {
        app.refresh(&server, kind).await;
        let view = app.refresh(&server, kind).await;
        assert_eq!(view.count as usize, MANY, "{kind:?}");
        let diff = &view.diff.as_ref().unwrap().diff;
        assert_eq!((diff.added.count, diff.removed.count), (10_000, 10_000));
        let rows = |search: &str, from, count| {
            let search = search.to_owned();
            let present = view.revision;
            app.catalog_rows(server.clone(), kind, present, search, from, count)
        };
        let all = rows("", 0, u32::MAX).await.unwrap();
        assert_eq!((all.total, all.rows.len()), (10_000, 1_000), "{kind:?}");
        let end = rows("", 9_990, 200).await.unwrap().rows;
        assert_eq!(end.len(), 10, "{kind:?}");
        assert!(end[9].name.ends_with("-9999"), "{:?}", end[9]);
        let found = rows(&end[9].name, 0, 200).await.unwrap();
        assert_eq!(found.rows[0].key, end[9].key, "{kind:?}");
    }
    // Each of the lists has more than a megabyte.
    assert!(app.largest_batch() < 64 * 1024, "{}", app.largest_batch());
}

pub(crate) async fn connected() -> (App, ServerId) {
    let app = App::start().await;
    let server = app.join("Demo", Transport::Demo { http: false }).await;
    (app, server)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_read_by_index_and_found_by_the_backend() {
    let (app, server) = connected().await;
    let view = app.seen().tools(&server).unwrap().clone();
    let all = app.rows(&server, CatalogKind::Tools, "").await;
    assert_eq!(all.len(), view.count as usize);
    assert_eq!(view.first.as_ref(), Some(&all[0].key));
    let rows = |revision, search: &str, from, count| {
        app.catalog_rows(
            server.clone(),
            CatalogKind::Tools,
            revision,
            search.to_owned(),
            from,
            count,
        )
    };
    let some = rows(view.revision, "", 2, 3).await.unwrap();
    assert_eq!((some.revision, some.total), (view.revision, view.count));
    assert_eq!(some.rows, all[2..5]);
    let end = rows(view.revision, "", u64::from(view.count) - 1, 200);
    assert_eq!(end.await.unwrap().rows, all[all.len() - 1..]);
    assert_eq!(
        rows(view.revision, "", 1 << 40, 200).await.unwrap().rows,
        []
    );

    // Whoever asks about an older list is told which is the present one, and nothing else.
    let old = rows(view.revision + 1, "", 0, 200).await.unwrap();
    assert_eq!((old.revision, old.total), (view.revision, 0));
    assert_eq!(old.rows, []);

    let found = rows(view.revision, "echo", 0, 200).await.unwrap();
    assert!(found.total >= 1 && found.total < view.count);
    assert_eq!(found.rows[0].key, "echo");
    let index = |search: &str, key: &str| {
        app.catalog_index(
            server.clone(),
            CatalogKind::Tools,
            search.to_owned(),
            key.to_owned(),
        )
    };
    assert_eq!(index("echo", "echo").await.unwrap(), Some(0));
    assert_eq!(index("", &all[4].key).await.unwrap(), Some(4));
    assert_eq!(index("echo", &all[4].key).await.unwrap(), None);
    assert_eq!(index("", "gone").await.unwrap(), None);

    let again = app.refresh(&server, CatalogKind::Tools).await;
    assert_eq!(again.revision, view.revision + 1);
    assert_eq!(rows(view.revision, "echo", 0, 200).await.unwrap().rows, []);
    let refused = app.catalog_rows("gone".into(), CatalogKind::Tools, 0, String::new(), 0, 1);
    denied(refused, ErrorCode::NotFound).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_are_a_catalog_like_the_tools() {
    let (app, server) = connected().await;
    let kind = CatalogKind::Resources;
    let before = app.seen().catalog(&server, kind).unwrap().clone();
    assert!(before.supported && before.reading.is_none());
    assert_eq!((before.revision, before.count), (0, 0), "nobody asked yet");
    assert_eq!(app.rows(&server, kind, "").await, []);

    let view = app.refresh(&server, kind).await;
    assert_eq!((view.kind, view.revision, view.count), (kind, 1, 11));
    let rows = app.rows(&server, kind, "").await;
    assert_eq!(rows.len(), 11);
    assert_eq!(rows[0].key, "lighthouse://gull-rock/charts/approach");
    assert_eq!(rows[0].name, "approach");
    assert_eq!(rows[0].title.as_deref(), Some("Chart of the approach"));
    assert_eq!(
        rows[0].summary,
        "How to come near without touching the rock."
    );
    assert_eq!(
        (rows[0].read_only, rows[0].forbidden.as_ref()),
        (None, None)
    );
    let found = app.rows(&server, kind, "high and low water").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name, "tides");
    let index = app
        .catalog_index(server.clone(), kind, String::new(), found[0].key.clone())
        .await
        .unwrap();
    assert_eq!(index, Some(1));
    let again = app.refresh(&server, kind).await;
    assert_eq!(again.revision, 2);
    let diff = &again.diff.as_ref().unwrap().diff;
    assert_eq!(
        (diff.added.count, diff.removed.count, diff.changed.count),
        (0, 0, 0)
    );

    let said = rows[0].resource.as_ref().unwrap();
    assert_eq!(said.mime_type.as_deref(), Some("text/markdown"));
    assert!(said.size.is_some());

    let prompts = app.seen().catalog(&server, CatalogKind::Prompts).cloned();
    let prompts = prompts.unwrap();
    assert!(prompts.supported && prompts.reading.is_none());
    assert_eq!(prompts.revision, 0, "nobody has asked for them");
}

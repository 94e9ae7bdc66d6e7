//! Resources: their lists are read when they are opened, and reading one is an operation.

use sonde_ipc::*;
use sonde_tests::app::{App, first_block, granted, reading};

use crate::catalogs::connected;

const CHART: &str = "lighthouse://gull-rock/charts/approach";

async fn opened(app: &App, server: &str, kind: CatalogKind) {
    granted(app.open_catalog(server.to_owned(), kind)).await;
    app.holds("the list", |state| {
        state
            .catalog(server, kind)
            .is_some_and(|one| one.revision > 0)
    })
    .await;
}

async fn read(app: &App, server: &str, uri: &str) -> OperationView {
    app.run(server, reading(uri)).await
}

fn contents(view: &OperationView) -> &[ContentBlock] {
    match &view.outcome {
        Some(OperationOutcome::Result { content, .. }) => content,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_is_read_when_it_is_first_looked_at() {
    let (app, server) = connected().await;
    opened(&app, &server, CatalogKind::Resources).await;
    opened(&app, &server, CatalogKind::ResourceTemplates).await;
    granted(app.open_catalog(server.clone(), CatalogKind::Resources)).await;
    // Whatever was asked for before is answered by then.
    read(&app, &server, CHART).await;
    let seen = app.seen();
    let revision = |kind| seen.catalog(&server, kind).unwrap().revision;
    assert_eq!(revision(CatalogKind::Resources), 1);
    // Nobody has looked at them.
    assert_eq!(revision(CatalogKind::Prompts), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_gives_contents_with_their_types_and_bytes() {
    let (app, server) = connected().await;
    opened(&app, &server, CatalogKind::Resources).await;
    let chart = read(&app, &server, CHART).await;
    assert_eq!(chart.title.as_deref(), Some("Chart of the approach"));
    assert_eq!(
        (chart.target.as_deref(), chart.key.as_ref()),
        (Some(CHART), None)
    );
    let [block] = contents(&chart) else {
        panic!("{chart:?}");
    };
    assert_eq!(block.kind, ContentKind::EmbeddedText);
    assert_eq!(block.mime_type.as_deref(), Some("text/markdown"));
    assert!(block.text.as_ref().unwrap().starts_with("# Approach"));
    assert_eq!(block.findings, []);

    let roll = read(&app, &server, "lighthouse://gull-rock/barograph").await;
    assert_eq!(contents(&roll)[0].kind, ContentKind::EmbeddedBlob);
    let source = first_block(roll.operation);
    let bytes = app.read_bytes(source.clone()).await.unwrap();
    assert_eq!(bytes.len() as u64, contents(&roll)[0].bytes);
    let document = granted(app.open_document(source, DocumentMode::Hex, 80)).await;
    assert_eq!((document.mode, document.bytes), (DocumentMode::Hex, 960));
    assert_eq!(document.rows, 60);
    let rows = app.document_rows(document.document, 0, 1);
    let DocumentRow::Text { text, .. } = &rows.await.unwrap()[0] else {
        panic!("it is text");
    };
    assert!(text.starts_with("00000000  27 94 "), "{text}");

    let missing = read(&app, &server, "lighthouse://gull-rock/cellar").await;
    assert!(matches!(
        missing.outcome,
        Some(OperationOutcome::ProtocolError { .. })
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_server_lets_be_kept_need_not_be_read_again() {
    let app = App::start().await;
    let demo = Transport::Demo { http: true };
    let server = app.add_as(ProtocolMode::Automatic, "Demo", demo).await;
    app.ready(&server).await;
    opened(&app, &server, CatalogKind::Resources).await;
    let seen = app.seen();
    let list = seen.catalog(&server, CatalogKind::Resources).unwrap();
    let says = list.freshness.as_deref().unwrap();
    assert!(says.contains("caching this list for 5 minutes"), "{says}");
    assert!(list.fresh_until.is_some());

    let fresh = async |app: &App, uri: &str| {
        let asked = app.fresh_reading(server.clone(), uri.to_owned());
        asked.await.unwrap()
    };
    assert_eq!(fresh(&app, CHART).await, None, "nothing was read");
    let first = read(&app, &server, CHART).await;
    assert_eq!(fresh(&app, CHART).await, Some(first.operation));
    assert!(
        first
            .freshness
            .unwrap()
            .contains("this result for 1 minute")
    );
    let second = read(&app, &server, CHART).await;
    assert_eq!(fresh(&app, CHART).await, Some(second.operation));

    // What changes at any time.
    let state = read(&app, &server, "lighthouse://gull-rock/state").await;
    assert!(state.freshness.unwrap().contains("must not be cached"));
    assert_eq!(fresh(&app, "lighthouse://gull-rock/state").await, None);

    // Another session knows nothing of it.
    app.end(&server).await;
    app.ready(&server).await;
    assert_eq!(fresh(&app, CHART).await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn older_versions_know_nothing_of_keeping_a_result() {
    let (app, server) = connected().await;
    let reading = read(&app, &server, CHART).await;
    assert_eq!((reading.freshness, reading.fresh_until), (None, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_template_is_filled_in_and_read() {
    let (app, server) = connected().await;
    let kind = CatalogKind::ResourceTemplates;
    opened(&app, &server, kind).await;
    let key = app.rows(&server, kind, "").await[0].key.clone();
    let detail = granted(app.resource_detail(server.clone(), kind, key)).await;
    let template = detail.template.unwrap();
    let names: Vec<_> = template
        .variables
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["day", "watch"]);
    let value = |name: &str, text: &str| TemplateInput {
        name: name.to_owned(),
        value: TemplateValue::Text(text.to_owned()),
    };
    let values = vec![value("day", "monday"), value("watch", "evening")];
    let uri = granted(app.expand_template(detail.uri, values))
        .await
        .uri
        .unwrap();
    let watch = read(&app, &server, &uri).await;
    assert!(contents(&watch)[0].text.as_ref().unwrap().contains("Grace"));
}

/// Waits until the subscription to a resource meets a condition, and returns it.
pub(crate) async fn subscription(
    app: &App,
    server: &str,
    uri: &str,
    is: impl Fn(&ResourceSubscription) -> bool,
) -> ResourceSubscription {
    app.until("the subscription", |state| {
        let of_server = state.resource_subscriptions.get(server)?;
        let one = of_server.subscriptions.iter().find(|one| one.uri == uri)?;
        is(one).then(|| one.clone())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscribed_resource_tells_of_its_changes_over_all_connections() {
    const LOGBOOK: &str = "lighthouse://gull-rock/logbook";
    let eras = [ProtocolMode::Handshake, ProtocolMode::Stateless];
    for (http, era) in eras
        .into_iter()
        .flat_map(|era| [(false, era.clone()), (true, era)])
    {
        let app = App::start().await;
        let server = app
            .add_as(era, "Subscribed", Transport::Demo { http })
            .await;
        app.ready(&server).await;
        let explorer = app.clone();
        granted(explorer.subscribe_resource(server.clone(), LOGBOOK.to_owned())).await;
        let active = |one: &ResourceSubscription| one.state == SubscriptionState::Active;
        subscription(&app, &server, LOGBOOK, active).await;
        app.run_tool(&server, "write_logbook", r#"{"entry":"Gale."}"#)
            .await;
        let told = subscription(&app, &server, LOGBOOK, |one| one.unread).await;
        assert_eq!((told.updates, told.sub_resource), (1, None));
        read(&app, &server, LOGBOOK).await;
        subscription(&app, &server, LOGBOOK, |one| !one.unread).await;

        explorer.disconnect(server.clone()).await.unwrap();
        let waits = |one: &ResourceSubscription| one.state == SubscriptionState::Pending;
        subscription(&app, &server, LOGBOOK, waits).await;
        app.ready(&server).await;
        subscription(&app, &server, LOGBOOK, active).await;
        app.run_tool(&server, "write_logbook", r#"{"entry":"Gale."}"#)
            .await;
        let told = subscription(&app, &server, LOGBOOK, |one| one.unread).await;
        assert_eq!(told.updates, 2);

        granted(explorer.unsubscribe_resource(server.clone(), LOGBOOK.to_owned())).await;
        app.until("the end of the subscription", |state| {
            let of_server = state.resource_subscriptions.get(&server)?;
            (of_server.supported && of_server.subscriptions.is_empty()).then_some(())
        })
        .await;
        app.shutdown().await;
    }
}

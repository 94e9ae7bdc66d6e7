use sonde_wire::Cause;

use super::*;

const TOOLS: &str = r#"{"tools":{"listChanged":true}}"#;
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

impl Bench {
    /// Expects a reading to begin for `cause`; answers with the request's id.
    async fn listing(&mut self, cause: Cause) -> u64 {
        self.loading().await;
        let outgoing = self.outgoing().await;
        assert_eq!(outgoing.label.cause, Some(cause));
        assert_eq!(outgoing.label.method.as_deref(), Some("tools/list"));
        let message: Value = serde_json::from_str(&outgoing.text.unwrap()).unwrap();
        assert!(message.get("params").is_none());
        message["id"].as_u64().unwrap()
    }

    async fn list_fails(&mut self) -> bool {
        matches!(
            self.event().await,
            Event::Catalog {
                event: CatalogEvent::Failed { .. },
                ..
            }
        )
    }

    async fn say_tools(&mut self, id: u64, names: &[&str], cursor: &str) {
        let tools: Vec<String> = names
            .iter()
            .map(|name| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#))
            .collect();
        let page = format!(r#"{{"tools":[{}]{cursor}}}"#, tools.join(","));
        self.say(answer(id, &page)).await;
    }
}

fn names(listing: &Listing) -> Vec<&str> {
    let tools = listing.items.iter();
    tools.map(|tool| tool.name.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_announced_during_a_reading_does_not_delay_the_users_next_one() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench.refresh(CatalogKind::Tools).await;
    bench.quiet().await;
    bench.say(CHANGED).await;
    bench.say_tools(id, &["a"], "").await;
    bench.listed().await;
    let id = bench.listing(Cause::User).await;
    bench.say_tools(id, &["a"], "").await;
    bench.listed().await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn declared_tools_are_read_page_by_page() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench
        .say_tools(id, &["b"], r#","nextCursor":"p\u0032\"""#)
        .await;
    let page = bench.outgoing().await;
    assert_eq!(page.label.cause, Some(Cause::Lifecycle));
    let text = page.text.unwrap();
    assert!(
        text.ends_with(r#""params":{"cursor":"p\u0032\""}}"#),
        "{text}"
    );
    bench
        .say_tools(id + 1, &["a"], r#","nextCursor":null"#)
        .await;
    let listing = bench.listed().await;
    assert_eq!(names(&listing), ["b", "a"]);
    assert_eq!((listing.pages, &listing.diff), (2, &None));
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_leads_to_a_new_reading_with_its_difference() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench.say_tools(id, &["a", "b"], "").await;
    bench.listed().await;
    // Many announcements, one reading.
    for _ in 0..10 {
        bench.say(CHANGED).await;
        tokio::time::sleep(Duration::from_millis(9)).await;
    }
    assert!(bench.events.try_recv().is_err());
    let id = bench.listing(Cause::ListChanged).await;
    // Two more while it is under way make one more.
    bench.say(CHANGED).await;
    bench.say(CHANGED).await;
    bench.say_tools(id, &["b", "c"], "").await;
    let diff = bench.listed().await.diff.unwrap();
    assert_eq!(diff.added, ["c"]);
    assert_eq!(diff.removed, ["a"]);
    assert_eq!(diff.changed, Vec::<String>::new());
    let id = bench.listing(Cause::ListChanged).await;
    bench.say_tools(id, &["b", "c"], "").await;
    assert_eq!(bench.listed().await.diff, Some(crate::ListDiff::default()));
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn the_user_can_read_the_list_at_any_time() {
    // Not declared, asked for all the same.
    let mut bench = Bench::ready().await;
    bench.refresh(CatalogKind::Tools).await;
    let id = bench.listing(Cause::User).await;
    bench.refresh(CatalogKind::Tools).await;
    bench.say_tools(id, &["a"], "").await;
    bench.listed().await;
    let id = bench.listing(Cause::User).await;
    bench.say_tools(id, &["a"], "").await;
    bench.listed().await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_that_cannot_be_read_leaves_the_known_one() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench.say_tools(id, &["a"], "").await;
    bench.listed().await;
    for answer in [
        r#""error":{"code":-32603,"message":"broken"}"#,
        r#""result":{}"#,
        r#""result":{"tools":7}"#,
        r#""result":[]"#,
        r#""error":7"#,
    ] {
        bench.refresh(CatalogKind::Tools).await;
        let id = bench.listing(Cause::User).await;
        bench
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#))
            .await;
        assert!(bench.list_fails().await, "{answer}");
    }
    // Silence too, with a word to the server.
    bench.refresh(CatalogKind::Tools).await;
    bench.listing(Cause::User).await;
    assert!(bench.list_fails().await);
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    assert!(matches!(bench.command().await, Command::Abandon(_)));

    bench.refresh(CatalogKind::Tools).await;
    let id = bench.listing(Cause::User).await;
    bench.say_tools(id, &["a", "b"], "").await;
    assert_eq!(bench.listed().await.diff.unwrap().added, ["b"]);
}

#[tokio::test(start_paused = true)]
async fn one_bad_tool_hides_no_other() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    let tools = r#"{"tools":[
                {"name":"good","description":"d","inputSchema":{"type":"object"}},
                "nonsense", {"description":"d","inputSchema":3}, {"name":"good"}
    ]}"#;
    bench.say(answer(id, tools)).await;
    let listing = bench.listed().await;
    assert_eq!(names(&listing), ["good", "", "good"]);
    assert_eq!(listing.findings[0].id(), "not-an-object");
    let codes: Vec<Vec<&str>> = listing
        .items
        .iter()
        .map(|tool| tool.findings.iter().map(|problem| problem.id()).collect())
        .collect();
    assert_eq!(
        codes,
        [
            vec![],
            vec!["missing-name", "bad-schema"],
            vec![
                "missing-input-schema",
                "duplicate-name",
                "missing-description"
            ]
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_part_of_a_list_never_passes_for_the_whole() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench.handle.close();
    bench.closing().await;
    bench.say_tools(id, &["a"], r#","nextCursor":"p""#).await;
    let listing = bench.listed().await;
    assert_eq!((names(&listing), listing.pages), (vec!["a"], 1));
    let error = listing.error.expect("the rest is missing");
    assert!(error.contains("the session is closing"), "{error}");
    assert!(matches!(bench.command().await, Command::Close));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_announces_a_change_after_every_reading_is_read_ever_more_slowly() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let mut pauses = Vec::new();
    for _ in 0..12 {
        let asked = tokio::time::Instant::now();
        let request = bench.sent().await;
        assert_eq!(request["method"], "tools/list");
        pauses.push(asked.elapsed().as_millis());
        bench.say(answer(&request["id"], r#"{"tools":[]}"#)).await;
        bench.loading().await;
        bench.listed().await;
        bench.say(CHANGED).await;
    }
    assert_eq!(
        pauses[1..],
        [
            100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000
        ]
    );
    let remarks = bench.notes.remarks();
    let slower = remarks.iter().filter(|text| text.contains("less often"));
    assert_eq!(slower.count(), 1, "{remarks:?}");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_fails_keeps_the_pages_before_it() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench
        .say_tools(id, &["a", "b"], r#","nextCursor":"p""#)
        .await;
    let page = bench.sent().await;
    assert_eq!(page["params"]["cursor"], "p");
    bench.say(refusal(&page["id"], -32603, "null")).await;
    let listing = bench.listed().await;
    assert_eq!(names(&listing), ["a", "b"]);
    assert_eq!((listing.pages, &listing.diff), (1, &None));
    let error = listing.error.expect("the second page is missing");
    assert!(error.contains("-32603"), "{error}");
    bench.quiet().await;

    // A complete reading later says what is new, and a part of one takes nothing away.
    let tools = CatalogKind::Tools;
    bench.refresh(tools).await;
    let id = bench.listing(Cause::User).await;
    bench.say_tools(id, &["a", "b", "c"], "").await;
    let listing = bench.listed().await;
    assert_eq!(listing.error, None);
    assert_eq!(listing.diff.unwrap().added, ["c"]);
    bench.refresh(tools).await;
    let id = bench.listing(Cause::User).await;
    bench.say_tools(id, &["d"], r#","nextCursor":"p""#).await;
    let page = bench.sent().await;
    bench.say(answer(&page["id"], r#"{"tools":7}"#)).await;
    let listing = bench.listed().await;
    assert_eq!(names(&listing), ["d"]);
    let diff = listing.diff.unwrap();
    assert_eq!((diff.added, diff.removed), (vec!["d".to_owned()], vec![]));
}

#[tokio::test(start_paused = true)]
async fn other_catalogs_are_read_when_asked_for_and_followed_from_then_on() {
    let declared = r#"{"prompts":{"listChanged":true},"resources":{"listChanged":true}}"#;
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, declared).await;
    let changed = |what: &str| notification(&format!("{what}/list_changed"), "{}");
    // Nobody asked for them yet.
    bench.say(changed("prompts")).await;
    bench.say(changed("resources")).await;
    bench.quiet().await;

    for (kind, method, items, change) in [
        (
            CatalogKind::Prompts,
            "prompts/list",
            r#""prompts":[{"name":"x"}]"#,
            Some("prompts"),
        ),
        (
            CatalogKind::Resources,
            "resources/list",
            r#""resources":[{"uri":"x","name":"n"}]"#,
            Some("resources"),
        ),
        (
            CatalogKind::ResourceTemplates,
            "resources/templates/list",
            r#""resourceTemplates":[{"uriTemplate":"x","name":"n"}]"#,
            None,
        ),
    ] {
        let causes = [Some(Cause::User), change.map(|_| Cause::ListChanged)];
        for cause in causes.into_iter().flatten() {
            match (cause, change) {
                (Cause::ListChanged, Some(change)) => {
                    bench.say(changed(change)).await;
                }
                _ => bench.refresh(kind).await,
            }
            assert!(matches!(
                bench.event().await,
                Event::Catalog { kind: of, event: CatalogEvent::Loading } if of == kind
            ));
            let outgoing = bench.outgoing().await;
            assert_eq!(outgoing.label.cause, Some(cause));
            assert_eq!(outgoing.label.method.as_deref(), Some(method));
            let message: Value = serde_json::from_str(&outgoing.text.unwrap()).unwrap();
            bench
                .say(answer(&message["id"], &format!("{{{items}}}")))
                .await;
            let Event::Catalog {
                kind: of,
                event: CatalogEvent::Listed(listing),
            } = bench.event().await
            else {
                panic!("the catalog is listed");
            };
            assert_eq!((of, &*listing.items[0].key), (kind, "x"));
            assert_eq!(listing.items[0].kind(), kind);
        }
        bench.quiet().await;
    }
    // One announcement is about resources and their templates.
    bench.say(changed("resources")).await;
    let mut read = [bench.sent().await, bench.sent().await];
    read.sort_by_key(|message| message["method"].to_string());
    assert_eq!(read[0]["method"], "resources/list");
    assert_eq!(read[1]["method"], "resources/templates/list");
}

/// A server that answers every request for tools with a further page, for so long; answers with how
/// many it was asked for, and the lists that were reported.
async fn endless(
    bench: &mut Bench,
    time: Duration,
    page: impl Fn(usize) -> String,
    announce: bool,
) -> (usize, Vec<Listing>) {
    let (mut asked, mut listings) = (0, Vec::new());
    let until = tokio::time::Instant::now() + time;
    loop {
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(until) => return (asked, listings),
            event = bench.events.recv() => {
                if let Some(Event::Catalog { event: CatalogEvent::Listed(listing), .. }) = event {
                    listings.push(listing);
                    if announce {
                        bench.say(CHANGED).await;
                    }
                }
            }
            command = bench.far.commands.recv() => {
                let Some(Command::Send(outgoing)) = command else { continue };
                let message: Value = serde_json::from_str(&outgoing.text.unwrap()).unwrap();
                assert_eq!(message["method"], "tools/list");
                let page = page(asked);
                asked += 1;
                bench.say(answer(&message["id"], &page)).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_endless_list_is_read_without_pauses_and_ends() {
    let page = |page: usize| {
        let tool = format!(r#"{{"name":"t{page}","inputSchema":{{"type":"object"}}}}"#);
        format!(r#"{{"tools":[{tool}],"nextCursor":"{page}"}}"#)
    };
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let (asked, listings) = endless(&mut bench, Duration::from_millis(1), page, false).await;
    assert_eq!(asked, 1_000);
    let words: Vec<_> = listings[0]
        .findings
        .iter()
        .map(|one| one.message())
        .collect();
    assert_eq!(
        words,
        [
            "The list has 1000 pages, which clients can only read one after another.",
            "The list has more than 1000 pages; the rest was not read."
        ]
    );
    assert_eq!((listings.len(), listings[0].items.len()), (1, 1_000));
}

#[tokio::test(start_paused = true)]
async fn an_endless_list_that_changes_all_the_time_is_read_less_and_less() {
    let page = |page: usize| format!(r#"{{"tools":[],"nextCursor":"{page}"}}"#);
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let (asked, listings) = endless(&mut bench, secs(600), page, true).await;
    assert!(
        listings.len() <= 30,
        "{} readings in ten minutes",
        listings.len()
    );
    assert_eq!(asked, listings.len() * 20);
    let last = listings.last().unwrap();
    assert_eq!(
        last.findings[0].message(),
        "The server reports a change of the list after every reading; Sonde waits 30 seconds \
         before the next one."
    );
    let ids = [last.findings[0].id(), last.findings[1].id()];
    assert_eq!(ids, ["list-changes-too-often", "no-new-items"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_lists_fail_is_not_asked_ever_faster() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let mut asked = 0;
    let until = tokio::time::Instant::now() + secs(600);
    loop {
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(until) => break,
            event = bench.events.recv() => {
                if matches!(event, Some(Event::Catalog { event: CatalogEvent::Failed { .. }, .. })) {
                    bench.say(CHANGED).await;
                }
            }
            command = bench.far.commands.recv() => {
                let Some(Command::Send(outgoing)) = command else { continue };
                let message: Value = serde_json::from_str(&outgoing.text.unwrap()).unwrap();
                asked += 1;
                bench.say(answer(&message["id"], "[]")).await;
            }
        }
    }
    assert!(asked <= 30, "{asked} requests in ten minutes");
}

/// A session that has read two pages of a list, the second one after a second, with the id of the request for the third.
async fn slow_list() -> (Bench, u64) {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, TOOLS).await;
    let id = bench.listing(Cause::Lifecycle).await;
    bench.say_tools(id, &["a"], r#","nextCursor":"1""#).await;
    bench.outgoing().await;
    tokio::time::sleep(secs(1)).await;
    bench
        .say_tools(id + 1, &["b"], r#","nextCursor":"2""#)
        .await;
    bench.outgoing().await;
    let part = match bench.event().await {
        Event::Catalog {
            event: CatalogEvent::Part(part),
            ..
        } => part,
        other => panic!("unexpected event {other:?}"),
    };
    assert_eq!(
        (names(&part), part.pages, part.is_whole),
        (vec!["a", "b"], 2, false)
    );
    (bench, id + 2)
}

#[tokio::test(start_paused = true)]
async fn pages_of_a_slow_list_are_reported_as_they_come() {
    let (mut bench, id) = slow_list().await;
    bench.say_tools(id, &["c"], "").await;
    let listing = bench.listed().await;
    assert_eq!(
        (names(&listing), listing.is_whole),
        (vec!["a", "b", "c"], true)
    );
    assert_eq!(listing.diff, None);
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_stopped_list_keeps_its_pages_and_can_be_read_again() {
    let (mut bench, id) = slow_list().await;
    bench
        .handle
        .stop_catalog(CatalogKind::Tools)
        .await
        .expect("the session runs");
    let cancelled = bench.sent().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], id);
    let listing = bench.listed().await;
    assert_eq!((names(&listing), listing.is_whole), (vec!["a", "b"], false));
    assert_eq!(
        listing.error.as_deref(),
        Some("You stopped the reading of the tools.")
    );
    assert!(matches!(bench.command().await, Command::Abandon(_)));
    bench.refresh(CatalogKind::Tools).await;
    let again = bench.listing(Cause::User).await;
    // The page that was on its way belongs to no list any more.
    bench.say_tools(id, &["late"], "").await;
    bench.say_tools(again, &["a", "b", "c"], "").await;
    assert_eq!(names(&bench.listed().await), ["a", "b", "c"]);
    bench.quiet().await;
}

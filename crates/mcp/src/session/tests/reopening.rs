//! A server that forgets its sessions.

use super::{
    http::{ready_declaring, ready_on, value},
    *,
};
use crate::Lost;

const WORDS: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;

async fn ready() -> Bench {
    ready_on(Bench::new(), Revision::NEWEST_HANDSHAKE, "s-1").await
}

impl Bench {
    /// A call is told that the session is unknown.
    pub(super) async fn forget(&mut self, call: u64) {
        let (_, exchange) = self.call_with(call, OperationOptions::default()).await;
        self.respond(exchange, 404, WORDS).await;
        self.over(exchange, StreamEnd::Complete).await;
        assert!(matches!(self.event().await, Event::Reopening));
    }

    /// Expects a reading of a catalog to fail.
    async fn list_failed(&mut self) {
        assert!(matches!(
            self.event().await,
            Event::Catalog {
                event: CatalogEvent::Failed { .. },
                ..
            }
        ));
    }

    /// The new handshake, up to the acknowledged `notifications/initialized`.
    async fn open_again(&mut self, session: &str) {
        self.open_again_with(session, "{}").await;
    }

    pub(super) async fn open_again_with(&mut self, session: &str, capabilities: &str) {
        self.opening().await;
        let mut initialize = self.command().await;
        while matches!(initialize, Command::Abandon(_)) {
            initialize = self.command().await;
        }
        let Command::Send(initialize) = initialize else {
            panic!("unexpected command {initialize:?}");
        };
        assert!(initialize.headers.is_empty(), "the old session id is gone");
        let text = initialize.text.expect("a message");
        let message: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(message["method"], "initialize");
        let headers = [JSON, ("mcp-session-id", session)];
        self.head(initialize.exchange, 200, &headers).await;
        let welcome = welcome(Revision::NEWEST_HANDSHAKE, capabilities);
        let welcome = answer(&message["id"], &welcome);
        self.say_on(initialize.exchange, welcome).await;
        self.over(initialize.exchange, StreamEnd::Complete).await;
        self.negotiated().await;
        let initialized = self.outgoing().await;
        assert_eq!(value(&initialized, "Mcp-Session-Id"), Some(session));
        self.head(initialized.exchange, 202, &[]).await;
        self.over(initialized.exchange, StreamEnd::Complete).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_session_is_begun_and_nothing_is_repeated() {
    let mut bench = ready().await;
    let (_, other) = bench.call_with(9, OperationOptions::default()).await;
    bench.forget(1).await;
    for call in [9, 1] {
        assert!(matches!(bench.has_lost(call).await, Lost::SessionForgotten));
    }
    bench.open_again("s-2").await;
    // Late words of the old stream change nothing, and no call is sent again.
    bench.over(other, StreamEnd::Abandoned).await;
    bench.quiet().await;
    let (id, exchange) = bench.call_with(2, OperationOptions::default()).await;
    bench.respond(exchange, 200, result(id)).await;
    assert!(matches!(bench.finished(2).await, Outcome::Result { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_forgets_every_session_is_left_after_three() {
    let mut bench = ready().await;
    for call in 1..=3 {
        bench.forget(call).await;
        assert!(matches!(bench.has_lost(call).await, Lost::SessionForgotten));
        bench.open_again("s").await;
    }
    let (_, exchange) = bench.call_with(4, OperationOptions::default()).await;
    bench.head(exchange, 404, &[]).await;
    bench.over(exchange, StreamEnd::Complete).await;
    bench.closing().await;
    // Nothing is left that could be deleted.
    assert!(matches!(bench.command().await, Command::Close));
    bench
        .take(Incoming::Closed(Closed::Requested { exit: None }))
        .await;
    bench.has_lost(4).await;
    assert!(matches!(
        bench.closed().await,
        CloseReason::SessionForgotten
    ));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_lists_its_tools_before_it_is_forgotten_is_left_too() {
    let capabilities = r#"{"tools":{},"resources":{"subscribe":true}}"#;
    let mut options = SessionOptions::new(client());
    options.resource_subscriptions = vec!["a".to_owned()];
    let revision = Revision::NEWEST_HANDSHAKE;
    let bench = Bench::with(options, 1_000);
    let mut bench = ready_declaring(bench, revision, "s", capabilities).await;
    for round in 1..=4 {
        bench.loading().await;
        let list = bench.outgoing().await;
        let text: Value = serde_json::from_str(&list.text.unwrap()).unwrap();
        assert_eq!(text["method"], "tools/list");
        let tools = answer(&text["id"], r#"{"tools":[]}"#);
        bench.respond(list.exchange, 200, tools).await;
        bench.listed().await;
        let subscribe = bench.outgoing().await;
        bench.respond(subscribe.exchange, 404, WORDS).await;
        bench.over(subscribe.exchange, StreamEnd::Complete).await;
        if round < 4 {
            assert!(matches!(bench.event().await, Event::Reopening));
            // A slow handshake does not make a session last.
            tokio::time::advance(secs(11)).await;
            bench.open_again_with("s", capabilities).await;
        }
    }
    bench.closing().await;
}

#[tokio::test(start_paused = true)]
async fn the_lists_that_the_user_has_opened_are_read_in_the_new_session() {
    let mut bench = ready().await;
    bench.refresh(CatalogKind::Prompts).await;
    bench.loading().await;
    let asked = bench.sent().await;
    assert_eq!(asked["method"], "prompts/list");
    bench.forget(1).await;
    bench.list_failed().await;
    bench.has_lost(1).await;
    let capabilities = r#"{"prompts":{},"resources":{}}"#;
    bench.open_again_with("s-2", capabilities).await;
    bench.loading().await;
    assert_eq!(bench.sent().await["method"], "prompts/list");
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_that_ends_each_session_is_not_read_in_a_third() {
    for (kind, capabilities) in [
        (CatalogKind::Prompts, r#"{"prompts":{}}"#),
        (CatalogKind::Tools, r#"{"tools":{}}"#),
    ] {
        let mut bench = ready().await;
        bench.refresh(kind).await;
        for session in ["s-2", "s-3"] {
            bench.loading().await;
            let list = bench.outgoing().await;
            bench.respond(list.exchange, 404, WORDS).await;
            bench.over(list.exchange, StreamEnd::Complete).await;
            assert!(matches!(bench.event().await, Event::Reopening));
            bench.list_failed().await;
            bench.open_again_with(session, capabilities).await;
        }
        bench.quiet().await;
        // The user may ask for it all the same.
        bench.refresh(kind).await;
        bench.loading().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_log_level_that_ends_each_session_is_not_set_in_a_third() {
    let mut bench = ready().await;
    let level = Some(crate::LogLevel::Error);
    bench.handle.set_log_level(level).await.unwrap();
    for session in ["s-2", "s-3"] {
        let asked = bench.outgoing().await;
        assert!(asked.text.unwrap().contains("logging/setLevel"));
        bench.respond(asked.exchange, 404, WORDS).await;
        bench.over(asked.exchange, StreamEnd::Complete).await;
        assert!(matches!(bench.event().await, Event::Reopening));
        assert!(matches!(bench.event().await, Event::LogLevelFailed { .. }));
        bench.open_again_with(session, r#"{"logging":{}}"#).await;
    }
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_notification_may_be_told_first() {
    let mut bench = ready().await;
    bench.call(1).await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    let cancelled = bench.outgoing().await;
    bench.head(cancelled.exchange, 404, &[]).await;
    assert!(matches!(bench.event().await, Event::Reopening));
    assert!(matches!(bench.has_lost(1).await, Lost::SessionForgotten));
    bench.open_again("s-2").await;
}

#[tokio::test(start_paused = true)]
async fn the_new_session_is_told_the_log_level_where_it_declares_logging() {
    let mut bench = ready().await;
    let level = Some(crate::LogLevel::Error);
    bench.handle.set_log_level(level).await.unwrap();
    let asked = bench.outgoing().await;
    assert!(asked.text.unwrap().contains(r#""level":"error""#));
    bench.respond(asked.exchange, 404, WORDS).await;
    bench.over(asked.exchange, StreamEnd::Complete).await;
    assert!(matches!(bench.event().await, Event::Reopening));
    assert!(matches!(bench.event().await, Event::LogLevelFailed { .. }));
    bench.open_again_with("s-2", r#"{"logging":{}}"#).await;
    // The stream of the server's own comes with it.
    let mut again = bench.outgoing().await;
    if again.text.is_none() {
        again = bench.outgoing().await;
    }
    let again: Value = serde_json::from_str(&again.text.unwrap()).unwrap();
    assert_eq!(again["method"], "logging/setLevel");
    assert_eq!(again["params"]["level"], "error");
}

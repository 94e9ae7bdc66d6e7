//! Subscriptions to resources: a request for each with a handshake, one filter for all without.

use sonde_wire::{Cause, WireError};

use super::{
    http::{SSE, ready_declaring},
    stateless::{JSON, answer, refusal},
    *,
};
use crate::{
    ResourceSubscriptionState as State, StreamEvent, StreamId, StreamOver,
    limits::RESOURCE_SUBSCRIPTIONS,
};

const DECLARED: &str = r#"{"resources":{"subscribe":true}}"#;

impl Bench {
    async fn subscribe(&mut self, uri: &str) {
        let asked = self.handle.subscribe_resource(uri.to_owned()).await;
        asked.expect("the session runs");
    }

    async fn unsubscribe(&mut self, uri: &str) {
        let asked = self.handle.unsubscribe_resource(uri.to_owned()).await;
        asked.expect("the session runs");
    }

    /// Expects a subscription to change.
    async fn stands(&mut self, expected: &str) -> State {
        match self.event().await {
            Event::ResourceSubscription { uri, state } => {
                assert_eq!(uri, expected);
                state
            }
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn stream_event(&mut self) -> StreamEvent {
        match self.event().await {
            Event::Stream(report) => report.event,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// The server says that a resource has changed.
    async fn update(&mut self, uri: &str) -> u64 {
        self.say(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"{uri}"}}}}"#
        ))
        .await
    }

    async fn updated(&mut self) -> (String, Option<String>) {
        match self.event().await {
            Event::ResourceUpdated {
                uri, sub_resource, ..
            } => (uri, sub_resource),
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects a request about one resource.
    async fn about_resource(&mut self, method: &str, uri: &str) -> (Outgoing, Value) {
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], method);
        assert_eq!(message["params"]["uri"], uri);
        (outgoing, message["id"].clone())
    }

    /// Expects a subscription that asks for these resources.
    async fn listens_to(&mut self, uris: &[&str]) -> (Outgoing, Value) {
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], "subscriptions/listen");
        let wanted = &message["params"]["notifications"]["resourceSubscriptions"];
        assert_eq!(*wanted, serde_json::json!(uris));
        (outgoing, message["id"].clone())
    }

    /// The server says something on the subscription `id`.
    async fn notify(&mut self, to: &Outgoing, id: &Value, method: &str, params: &str) -> u64 {
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{params},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
        );
        match self.is_pipe {
            true => self.say(text).await,
            false => self.say_on(to.exchange, text).await,
        }
    }

    async fn grant(&mut self, to: &Outgoing, id: &Value, uris: &[&str]) -> u64 {
        let uris = serde_json::json!(uris);
        let params = format!(r#""notifications":{{"resourceSubscriptions":{uris}}}"#);
        self.notify(to, id, "subscriptions/acknowledged", &params)
            .await
    }

    async fn update_on(&mut self, to: &Outgoing, id: &Value, uri: &str) -> u64 {
        let params = format!(r#""uri":"{uri}""#);
        self.notify(to, id, "resources/updated", &params).await
    }

    /// A stateless session that is subscribed to `a`.
    async fn subscribed_to_a(carrier: Carrier) -> (Bench, Outgoing, Value) {
        let mut bench = Bench::stateless(carrier, DECLARED).await;
        bench.subscribe("a").await;
        assert_eq!(bench.stands("a").await, State::Pending);
        assert_eq!(bench.stream_event().await, StreamEvent::Opening);
        let (outgoing, id) = bench.listens_to(&["a"]).await;
        assert_eq!(outgoing.label.cause, Some(Cause::User));
        if carrier == Carrier::Http {
            bench.head(outgoing.exchange, 200, &[SSE]).await;
        }
        bench.grant(&outgoing, &id, &["a"]).await;
        assert_eq!(bench.stream_event().await, StreamEvent::Opened);
        assert_eq!(bench.stands("a").await, State::Active);
        (bench, outgoing, id)
    }
}

fn failed(state: State) -> String {
    match state {
        State::Failed(why) => why,
        other => panic!("unexpected state {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn with_a_handshake_each_resource_has_a_request() {
    for revision in Revision::ALL {
        if revision.era() == crate::Era::Stateless {
            continue;
        }
        let mut bench = Bench::ready_with(revision, DECLARED).await;
        bench.subscribe("a:/b").await;
        assert_eq!(bench.stands("a:/b").await, State::Pending);
        let (outgoing, id) = bench.about_resource("resources/subscribe", "a:/b").await;
        assert_eq!(outgoing.label.cause, Some(Cause::User));
        bench.say(answer(&id, "{}")).await;
        assert_eq!(bench.stands("a:/b").await, State::Active);

        let seq = bench.update("a:/b").await;
        assert_eq!(bench.updated().await, ("a:/b".to_owned(), None));
        let part = bench.update("a:/b/c#d").await;
        assert_eq!(
            bench.updated().await,
            ("a:/b".to_owned(), Some("a:/b/c#d".to_owned()))
        );
        bench.logged(part).await;
        assert!(bench.notes.codes(seq).is_empty() && bench.notes.codes(part).is_empty());

        bench.unsubscribe("a:/b").await;
        assert_eq!(bench.stands("a:/b").await, State::Ending);
        let (_, id) = bench.about_resource("resources/unsubscribe", "a:/b").await;
        // It may come before the server has read that.
        bench.update("a:/b").await;
        bench.updated().await;
        bench.say(answer(&id, "{}")).await;
        assert_eq!(bench.stands("a:/b").await, State::Ended);
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_update_that_nobody_asked_for_is_found() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, DECLARED).await;
    bench.subscribe("a:/b").await;
    bench.stands("a:/b").await;
    let (_, id) = bench.about_resource("resources/subscribe", "a:/b").await;
    bench.say(answer(&id, "{}")).await;
    bench.stands("a:/b").await;
    for uri in ["a:/bc", "a:/", "A:/B"] {
        let seq = bench.update(uri).await;
        bench.logged(seq).await;
        assert_eq!(bench.notes.codes(seq), ["unsubscribed-update"], "{uri}");
    }
    let text = r#"{"jsonrpc":"2.0","method":"notifications/resources/updated"}"#;
    let seq = bench.say(text).await;
    bench.logged(seq).await;
    assert_eq!(bench.notes.codes(seq), ["unsubscribed-update"]);
    bench.quiet().await;
    // A request by hand may have subscribed to anything.
    let by_hand = OperationRequest {
        method: "resources/subscribe".to_owned(),
        target: Some("c".to_owned()),
        ..OperationRequest::default()
    };
    let options = OperationOptions::default();
    let started = bench
        .handle
        .start_operation(OperationId(1), by_hand, options);
    started.await.expect("the session runs");
    bench.about_resource("resources/subscribe", "c").await;
    let seq = bench.update("c").await;
    bench.logged(seq).await;
    assert!(bench.notes.codes(seq).is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_the_server_refuses_is_told() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, DECLARED).await;
    bench.subscribe("a").await;
    bench.stands("a").await;
    let (_, id) = bench.about_resource("resources/subscribe", "a").await;
    bench.say(refusal(&id, -32002, "null")).await;
    let why = failed(bench.stands("a").await);
    assert!(why.starts_with("The server did not subscribe: "), "{why}");
    // Nothing of it is left.
    bench.unsubscribe("a").await;
    assert_eq!(bench.stands("a").await, State::Ended);

    bench.subscribe("b").await;
    bench.stands("b").await;
    let (_, id) = bench.about_resource("resources/subscribe", "b").await;
    bench.say(answer(&id, "{}")).await;
    bench.stands("b").await;
    bench.unsubscribe("b").await;
    assert_eq!(bench.stands("b").await, State::Ending);
    let (_, id) = bench.about_resource("resources/unsubscribe", "b").await;
    bench.say(refusal(&id, -32603, "null")).await;
    assert!(matches!(bench.stands("b").await, State::NotEnded(_)));
    bench.update("b").await;
    bench.updated().await;

    for capabilities in [
        "{}",
        r#"{"resources":{}}"#,
        r#"{"resources":{"subscribe":false}}"#,
    ] {
        let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, capabilities).await;
        bench.subscribe("a").await;
        assert_eq!(
            failed(bench.stands("a").await),
            "The server does not declare `resources.subscribe`."
        );
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn there_are_a_thousand_of_them_and_eight_requests_at_once() {
    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, DECLARED).await;
    let uri = |number: usize| format!("u{number:04}");
    let mut asked = Vec::new();
    for number in 0..RESOURCE_SUBSCRIPTIONS {
        bench.subscribe(&uri(number)).await;
        assert_eq!(bench.stands(&uri(number)).await, State::Pending);
        if number < 8 {
            asked.push(
                bench
                    .about_resource("resources/subscribe", &uri(number))
                    .await
                    .1,
            );
        }
    }
    bench.quiet().await;
    bench.subscribe("one more").await;
    let why = failed(bench.stands("one more").await);
    assert!(why.contains("1,000"), "{why}");
    bench.say(answer(&asked[0], "{}")).await;
    assert_eq!(bench.stands(&uri(0)).await, State::Active);
    bench.about_resource("resources/subscribe", &uri(8)).await;
    bench.quiet().await;

    let mut bench = Bench::ready_with(Revision::NEWEST_HANDSHAKE, DECLARED).await;
    let long = "x".repeat(crate::limits::SUBSCRIBED_URI + 1);
    bench.subscribe(&long).await;
    failed(bench.stands(&long).await);
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn the_next_session_is_subscribed_again_and_the_log_says_so() {
    let revision = Revision::NEWEST_HANDSHAKE;
    let mut bench = ready_declaring(Bench::new(), revision, "s-1", DECLARED).await;
    bench.subscribe("a").await;
    assert_eq!(bench.stands("a").await, State::Pending);
    let (outgoing, id) = bench.about_resource("resources/subscribe", "a").await;
    bench.head(outgoing.exchange, 200, &[JSON]).await;
    bench.say_on(outgoing.exchange, answer(&id, "{}")).await;
    assert_eq!(bench.stands("a").await, State::Active);

    bench.forget(1).await;
    bench.finished(1).await;
    assert_eq!(bench.stands("a").await, State::Pending);
    bench.notes.remarks();
    bench.open_again_with("s-2", DECLARED).await;
    let (outgoing, id) = bench.about_resource("resources/subscribe", "a").await;
    assert_eq!(
        bench.notes.remarks(),
        ["Subscribing again to the resource that was subscribed before."]
    );
    assert_eq!(outgoing.label.cause, Some(Cause::Lifecycle));
    bench.head(outgoing.exchange, 200, &[JSON]).await;
    bench.say_on(outgoing.exchange, answer(&id, "{}")).await;
    assert_eq!(bench.stands("a").await, State::Active);

    // A server without subscriptions ends them all.
    bench.forget(2).await;
    bench.finished(2).await;
    assert_eq!(bench.stands("a").await, State::Pending);
    bench.open_again_with("s-3", "{}").await;
    failed(bench.stands("a").await);
}

#[tokio::test(start_paused = true)]
async fn a_connection_after_another_subscribes_to_the_same() {
    let mut options = SessionOptions::new(client());
    options.resource_subscriptions = vec!["b".to_owned(), "a".to_owned()];
    let mut bench = Bench::with(options.clone(), 1_000);
    bench
        .send_initialize(Revision::NEWEST_HANDSHAKE, DECLARED)
        .await;
    bench.about_resource("resources/subscribe", "a").await;
    bench.about_resource("resources/subscribe", "b").await;
    assert_eq!(
        bench.notes.remarks(),
        ["Subscribing again to the 2 resources that were subscribed before."]
    );

    options.era = crate::EraChoice::Automatic;
    let mut bench = Bench::stateless_with(Carrier::Pipe, DECLARED, options).await;
    assert_eq!(bench.stream_event().await, StreamEvent::Opening);
    let (outgoing, id) = bench.listens_to(&["a", "b"]).await;
    assert_eq!(outgoing.label.cause, Some(Cause::Listen));
    bench.grant(&outgoing, &id, &["a", "b"]).await;
    assert_eq!(bench.stream_event().await, StreamEvent::Opened);
    assert_eq!(bench.stands("a").await, State::Active);
    assert_eq!(bench.stands("b").await, State::Active);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_did_not_say_what_it_takes_is_not_subscribed_to() {
    let mut options = SessionOptions::new(client());
    options.era = crate::EraChoice::Automatic;
    options.resource_subscriptions = vec!["a".to_owned()];
    let mut bench = Bench::on(Carrier::Pipe, options, 1_000);
    let (outgoing, message) = bench.probed().await;
    bench
        .reply(&outgoing, 400, refusal(&message["id"], -32600, "null"))
        .await;
    bench.step().await;
    assert!(matches!(bench.event().await, Event::Phase(Phase::Opening)));
    let (outgoing, message) = bench.message().await;
    let data = format!(r#"{{"supported":["{}"]}}"#, Revision::NEWEST_STATELESS);
    bench
        .reply(&outgoing, 400, refusal(&message["id"], -32022, &data))
        .await;
    bench.step().await;
    assert!(matches!(bench.event().await, Event::Negotiated(_)));
    assert!(matches!(bench.event().await, Event::Phase(Phase::Ready)));
    bench.loading().await;
    failed(bench.stands("a").await);
}

#[tokio::test(start_paused = true)]
async fn without_a_handshake_the_filter_changes_and_nothing_is_missed() {
    for carrier in [Carrier::Pipe, Carrier::Http] {
        let (mut bench, first, one) = Bench::subscribed_to_a(carrier).await;
        bench.notes.remarks();
        bench.subscribe("b").await;
        assert_eq!(bench.stands("b").await, State::Pending);
        assert_eq!(
            bench.stream_event().await,
            StreamEvent::Reopening { resources: 2 }
        );
        let (second, two) = bench.listens_to(&["a", "b"]).await;
        assert_eq!(
            bench.notes.remarks(),
            ["Opening the subscription again with another filter: 2 resources."]
        );
        // The previous request stays open until the server has acknowledged this one.
        bench.update_on(&first, &one, "a").await;
        assert_eq!(bench.updated().await.0, "a");
        // Further changes wait for the same.
        bench.subscribe("c").await;
        assert_eq!(bench.stands("c").await, State::Pending);
        bench.quiet().await;
        if carrier == Carrier::Http {
            bench.head(second.exchange, 200, &[SSE]).await;
        }
        bench.grant(&second, &two, &["a", "b"]).await;
        assert_eq!(bench.stream_event().await, StreamEvent::Opened);
        assert_eq!(bench.stands("b").await, State::Active);
        match carrier {
            Carrier::Http => {
                assert!(
                    matches!(bench.command().await, Command::Abandon(e) if e == first.exchange)
                );
            }
            Carrier::Pipe => {
                let cancelled = bench.sent().await;
                assert_eq!(cancelled["method"], "notifications/cancelled");
                assert_eq!(cancelled["params"]["requestId"], one);
            }
        }
        assert_eq!(
            bench.stream_event().await,
            StreamEvent::Reopening { resources: 3 }
        );
        let (third, three) = bench.listens_to(&["a", "b", "c"]).await;
        // Messages sent before its end are late, not wrong.
        let late = bench.update_on(&first, &one, "a").await;
        bench.logged(late).await;
        assert!(bench.notes.codes(late).is_empty());
        if carrier == Carrier::Http {
            bench.head(third.exchange, 200, &[SSE]).await;
        }
        let partly = bench.grant(&third, &three, &["a", "c"]).await;
        assert_eq!(bench.stream_event().await, StreamEvent::Opened);
        let why = failed(bench.stands("b").await);
        assert!(why.contains("did not acknowledge"), "{why}");
        assert_eq!(bench.stands("c").await, State::Active);
        assert!(bench.notes.codes(partly).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_resource_ends_the_subscription_and_the_next_begins_another() {
    let (mut bench, outgoing, id) = Bench::subscribed_to_a(Carrier::Http).await;
    bench.unsubscribe("a").await;
    assert_eq!(bench.stands("a").await, State::Ended);
    assert!(matches!(bench.command().await, Command::Abandon(e) if e == outgoing.exchange));
    assert_eq!(
        bench.stream_event().await,
        StreamEvent::Over(StreamOver::Unsubscribed)
    );
    bench.over(outgoing.exchange, StreamEnd::Abandoned).await;
    let late = bench.update_on(&outgoing, &id, "a").await;
    bench.logged(late).await;
    assert!(bench.notes.codes(late).is_empty());
    bench.quiet().await;
    bench.subscribe("b").await;
    assert_eq!(bench.stands("b").await, State::Pending);
    assert_eq!(bench.stream_event().await, StreamEvent::Opening);
    let (outgoing, id) = bench.listens_to(&["b"]).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    bench.grant(&outgoing, &id, &["b"]).await;
    assert_eq!(bench.stream_event().await, StreamEvent::Opened);
    assert_eq!(bench.stands("b").await, State::Active);
}

#[tokio::test(start_paused = true)]
async fn a_refused_filter_leaves_the_subscription_before_it() {
    let (mut bench, first, one) = Bench::subscribed_to_a(Carrier::Http).await;
    bench.subscribe("b").await;
    assert_eq!(bench.stands("b").await, State::Pending);
    bench.stream_event().await;
    let (second, two) = bench.listens_to(&["a", "b"]).await;
    bench
        .reply(&second, 400, refusal(&two, -32602, "null"))
        .await;
    failed(bench.stands("b").await);
    assert!(
        bench
            .notes
            .remarks()
            .iter()
            .any(|said| said.contains("the previous subscription goes on"))
    );
    bench.update_on(&first, &one, "a").await;
    assert_eq!(bench.updated().await.0, "a");
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_broken_subscription_asks_for_the_resources_again_until_it_is_given_up() {
    let (mut bench, outgoing, _) = Bench::subscribed_to_a(Carrier::Http).await;
    let broken = || {
        StreamEnd::Failed(WireError::Broken {
            reason: "reset".into(),
        })
    };
    bench.over(outgoing.exchange, broken()).await;
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Lost { .. }
    ));
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Waiting { .. }
    ));
    assert_eq!(bench.stands("a").await, State::Pending);
    assert_eq!(
        bench.stream_event().await,
        StreamEvent::Resuming { attempt: 1 }
    );
    let (outgoing, id) = bench.listens_to(&["a"]).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    bench.grant(&outgoing, &id, &["a"]).await;
    assert_eq!(bench.stream_event().await, StreamEvent::Resumed);
    assert_eq!(bench.stands("a").await, State::Active);

    bench.handle.give_up(StreamId(1)).await.unwrap();
    assert!(matches!(bench.command().await, Command::Abandon(e) if e == outgoing.exchange));
    assert_eq!(
        bench.stream_event().await,
        StreamEvent::Over(StreamOver::GivenUp)
    );
    assert_eq!(
        failed(bench.stands("a").await),
        "The subscription is over: you stopped reconnecting."
    );
    // Opening it again restores the subscription.
    bench.handle.reconnect_now(StreamId(1)).await.unwrap();
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Waiting { .. }
    ));
    assert_eq!(bench.stands("a").await, State::Pending);
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Resuming { .. }
    ));
    bench.listens_to(&["a"]).await;
}

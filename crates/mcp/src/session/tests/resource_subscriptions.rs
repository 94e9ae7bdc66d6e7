//! Subscriptions to resources: a request for each with a handshake, one filter for all without.

use sonde_wire::Cause;

use super::{
    http::{broken, ready_declaring},
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

    /// Expects a subscription to change to this.
    async fn becomes(&mut self, uri: &str, state: State) {
        assert_eq!(self.stands(uri).await, state);
    }

    /// Expects this of the stream.
    async fn streamed(&mut self, expected: StreamEvent) {
        assert_eq!(self.stream_event().await, expected);
    }

    async fn stream_event(&mut self) -> StreamEvent {
        match self.event().await {
            Event::Stream(report) => report.event,
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// The server says that a resource has changed.
    async fn update(&mut self, uri: &str) -> u64 {
        let params = format!(r#"{{"uri":"{uri}"}}"#);
        self.say(notification("resources/updated", &params)).await
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
        let meta = format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#);
        let text = notification(method, &format!("{{{params},{meta}}}"));
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
        bench.becomes("a", State::Pending).await;
        bench.streamed(StreamEvent::Opening).await;
        let (outgoing, id) = bench.listens_to(&["a"]).await;
        assert_eq!(outgoing.label.cause, Some(Cause::User));
        if carrier == Carrier::Http {
            bench.head(outgoing.exchange, 200, &[SSE]).await;
        }
        bench.grant(&outgoing, &id, &["a"]).await;
        bench.streamed(StreamEvent::Opened).await;
        bench.becomes("a", State::Active).await;
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
        bench.becomes("a:/b", State::Pending).await;
        let (outgoing, id) = bench.about_resource("resources/subscribe", "a:/b").await;
        assert_eq!(outgoing.label.cause, Some(Cause::User));
        bench.say(answer(&id, "{}")).await;
        bench.becomes("a:/b", State::Active).await;

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
        bench.becomes("a:/b", State::Ending).await;
        let (_, id) = bench.about_resource("resources/unsubscribe", "a:/b").await;
        // It may come before the server has read that.
        bench.update("a:/b").await;
        bench.updated().await;
        bench.say(answer(&id, "{}")).await;
        bench.becomes("a:/b", State::Ended).await;
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
        assert_eq!(bench.codes(seq).await, ["unsubscribed-update"], "{uri}");
    }
    let seq = bench.say(notification("resources/updated", "{}")).await;
    assert_eq!(bench.codes(seq).await, ["unsubscribed-update"]);
    bench.quiet().await;
    // A request by hand may have subscribed to anything.
    let by_hand = OperationRequest {
        method: "resources/subscribe".to_owned(),
        target: Some("c".to_owned()),
        ..OperationRequest::default()
    };
    bench.operate(1, by_hand).await;
    bench.about_resource("resources/subscribe", "c").await;
    let seq = bench.update("c").await;
    assert!(bench.codes(seq).await.is_empty());
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
    bench.becomes("a", State::Ended).await;

    bench.subscribe("b").await;
    bench.stands("b").await;
    let (_, id) = bench.about_resource("resources/subscribe", "b").await;
    bench.say(answer(&id, "{}")).await;
    bench.stands("b").await;
    bench.unsubscribe("b").await;
    bench.becomes("b", State::Ending).await;
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
        bench.becomes(&uri(number), State::Pending).await;
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
    bench.becomes(&uri(0), State::Active).await;
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
    bench.becomes("a", State::Pending).await;
    let (outgoing, id) = bench.about_resource("resources/subscribe", "a").await;
    bench
        .respond(outgoing.exchange, 200, answer(&id, "{}"))
        .await;
    bench.becomes("a", State::Active).await;

    bench.forget(1).await;
    bench.finished(1).await;
    bench.becomes("a", State::Pending).await;
    bench.notes.remarks();
    bench.open_again_with("s-2", DECLARED).await;
    let (outgoing, id) = bench.about_resource("resources/subscribe", "a").await;
    assert_eq!(
        bench.notes.remarks(),
        ["Subscribing again to the resource that was subscribed before."]
    );
    assert_eq!(outgoing.label.cause, Some(Cause::Lifecycle));
    bench
        .respond(outgoing.exchange, 200, answer(&id, "{}"))
        .await;
    bench.becomes("a", State::Active).await;

    // A server without subscriptions ends them all.
    bench.forget(2).await;
    bench.finished(2).await;
    bench.becomes("a", State::Pending).await;
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
    bench.streamed(StreamEvent::Opening).await;
    let (outgoing, id) = bench.listens_to(&["a", "b"]).await;
    assert_eq!(outgoing.label.cause, Some(Cause::Listen));
    bench.grant(&outgoing, &id, &["a", "b"]).await;
    bench.streamed(StreamEvent::Opened).await;
    bench.becomes("a", State::Active).await;
    bench.becomes("b", State::Active).await;
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
    bench.opening().await;
    let (outgoing, message) = bench.message().await;
    let data = format!(r#"{{"supported":["{}"]}}"#, Revision::NEWEST_STATELESS);
    bench
        .reply(&outgoing, 400, refusal(&message["id"], -32022, &data))
        .await;
    bench.step().await;
    bench.negotiated().await;
    bench.loading().await;
    failed(bench.stands("a").await);
}

#[tokio::test(start_paused = true)]
async fn without_a_handshake_the_filter_changes_and_nothing_is_missed() {
    for carrier in [Carrier::Pipe, Carrier::Http] {
        let (mut bench, first, one) = Bench::subscribed_to_a(carrier).await;
        bench.notes.remarks();
        bench.subscribe("b").await;
        bench.becomes("b", State::Pending).await;
        bench
            .streamed(StreamEvent::Reopening { resources: 2 })
            .await;
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
        bench.becomes("c", State::Pending).await;
        bench.quiet().await;
        if carrier == Carrier::Http {
            bench.head(second.exchange, 200, &[SSE]).await;
        }
        bench.grant(&second, &two, &["a", "b"]).await;
        bench.streamed(StreamEvent::Opened).await;
        bench.gives_up(&one, NoResponse::Cancelled).await;
        bench.becomes("b", State::Active).await;
        match carrier {
            Carrier::Http => {
                bench.abandons(first.exchange).await;
            }
            Carrier::Pipe => {
                let cancelled = bench.sent().await;
                assert_eq!(cancelled["method"], "notifications/cancelled");
                assert_eq!(cancelled["params"]["requestId"], one);
            }
        }
        bench
            .streamed(StreamEvent::Reopening { resources: 3 })
            .await;
        let (third, three) = bench.listens_to(&["a", "b", "c"]).await;
        // Messages sent before its end are late, not wrong.
        let late = bench.update_on(&first, &one, "a").await;
        assert!(bench.codes(late).await.is_empty());
        if carrier == Carrier::Http {
            bench.head(third.exchange, 200, &[SSE]).await;
        }
        let partly = bench.grant(&third, &three, &["a", "c"]).await;
        bench.streamed(StreamEvent::Opened).await;
        let why = failed(bench.stands("b").await);
        assert!(why.contains("did not acknowledge"), "{why}");
        bench.becomes("c", State::Active).await;
        assert!(bench.notes.codes(partly).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_resource_ends_the_subscription_and_the_next_begins_another() {
    let (mut bench, outgoing, id) = Bench::subscribed_to_a(Carrier::Http).await;
    bench.unsubscribe("a").await;
    bench.becomes("a", State::Ended).await;
    bench.abandons(outgoing.exchange).await;
    bench
        .streamed(StreamEvent::Over(StreamOver::Unsubscribed))
        .await;
    bench.over(outgoing.exchange, StreamEnd::Abandoned).await;
    let late = bench.update_on(&outgoing, &id, "a").await;
    assert!(bench.codes(late).await.is_empty());
    bench.quiet().await;
    bench.subscribe("b").await;
    bench.becomes("b", State::Pending).await;
    bench.streamed(StreamEvent::Opening).await;
    let (outgoing, id) = bench.listens_to(&["b"]).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    bench.grant(&outgoing, &id, &["b"]).await;
    bench.streamed(StreamEvent::Opened).await;
    bench.becomes("b", State::Active).await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_filter_leaves_the_subscription_before_it() {
    let (mut bench, first, one) = Bench::subscribed_to_a(Carrier::Http).await;
    bench.subscribe("b").await;
    bench.becomes("b", State::Pending).await;
    bench.stream_event().await;
    let (second, two) = bench.listens_to(&["a", "b"]).await;
    bench
        .reply(&second, 400, refusal(&two, -32602, "null"))
        .await;
    failed(bench.stands("b").await);
    let remarks = bench.notes.remarks().join("\n");
    assert!(
        remarks.contains("the previous subscription goes on"),
        "{remarks}"
    );
    bench.update_on(&first, &one, "a").await;
    assert_eq!(bench.updated().await.0, "a");
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_broken_subscription_asks_for_the_resources_again_until_it_is_given_up() {
    let (mut bench, outgoing, _) = Bench::subscribed_to_a(Carrier::Http).await;
    bench.over(outgoing.exchange, broken()).await;
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Lost { .. }
    ));
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Waiting { .. }
    ));
    bench.becomes("a", State::Pending).await;
    bench.streamed(StreamEvent::Resuming { attempt: 1 }).await;
    let (outgoing, id) = bench.listens_to(&["a"]).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    bench.grant(&outgoing, &id, &["a"]).await;
    bench.streamed(StreamEvent::Resumed).await;
    bench.becomes("a", State::Active).await;

    bench.handle.give_up(StreamId(1)).await.unwrap();
    bench.abandons(outgoing.exchange).await;
    bench.streamed(StreamEvent::Over(StreamOver::GivenUp)).await;
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
    bench.becomes("a", State::Pending).await;
    assert!(matches!(
        bench.stream_event().await,
        StreamEvent::Resuming { .. }
    ));
    bench.listens_to(&["a"]).await;
}

//! The subscription of a stateless session.

use super::{http::broken, stateless::options, *};
use crate::{DelaySource, EraChoice, StreamEvent, StreamId, StreamKind, StreamOver, StreamProblem};

const CHANGES: &str = r#"{"prompts":{"listChanged":true},"resources":{"listChanged":false}}"#;

impl Bench {
    async fn subscription(&mut self) -> StreamEvent {
        match self.event().await {
            Event::Stream(report) => {
                assert_eq!(report.kind, StreamKind::Subscription);
                report.event
            }
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects this of the subscription.
    async fn subscribes(&mut self, expected: StreamEvent) {
        assert_eq!(self.subscription().await, expected);
    }

    /// The session subscribes.
    async fn listens(&mut self) -> (Outgoing, Value) {
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], "subscriptions/listen");
        assert_eq!(
            message["params"]["notifications"].to_string(),
            r#"{"promptsListChanged":true}"#
        );
        (outgoing, message)
    }

    /// The server says something on the subscription.
    async fn push(&mut self, to: &Outgoing, method: &str, params: &str) -> u64 {
        let text = notification(method, params);
        if self.is_pipe {
            self.say(text).await
        } else {
            self.say_on(to.exchange, text).await
        }
    }

    async fn acknowledge(&mut self, to: &Outgoing, id: &Value) -> u64 {
        self.acknowledge_as("promptsListChanged", to, id).await
    }

    async fn acknowledge_as(&mut self, what: &str, to: &Outgoing, id: &Value) -> u64 {
        let params = format!(
            r#"{{"notifications":{{"{what}":true}},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#
        );
        self.push(to, "subscriptions/acknowledged", &params).await
    }

    /// A session that has asked for its subscription.
    async fn subscribing(carrier: Carrier) -> (Bench, Outgoing, Value) {
        let mut bench = Bench::stateless(carrier, CHANGES).await;
        bench.subscribes(StreamEvent::Opening).await;
        let (outgoing, listen) = bench.listens().await;
        (bench, outgoing, listen)
    }
}

fn about(id: &Value) -> String {
    format!(r#"{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#)
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_the_tools_goes_on_if_they_change_meanwhile() {
    let tools = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[]}"#;
    let mut bench = Bench::stateless(Carrier::Http, r#"{"tools":{"listChanged":true}}"#).await;
    bench.loading().await;
    let (list, message) = bench.message().await;
    bench.subscribes(StreamEvent::Opening).await;
    let (listen, subscription) = bench.message().await;
    let id = &subscription["id"];
    bench.head(listen.exchange, 200, &[SSE]).await;
    bench.acknowledge_as("toolsListChanged", &listen, id).await;
    bench.subscribes(StreamEvent::Opened).await;
    bench.reply(&list, 200, answer(&message["id"], tools)).await;
    bench.listed().await;

    let call = OperationRequest::tool("t", Some("{}".to_owned()));
    let (outgoing, message) = bench.start(1, call).await;
    bench
        .reply(&outgoing, 400, refusal(&message["id"], -32020, "null"))
        .await;
    assert_eq!(bench.step().await.0, "headers-refused");
    bench.loading().await;
    let (list, message) = bench.message().await;
    bench.push(&listen, "tools/list_changed", &about(id)).await;
    bench.reply(&list, 200, answer(&message["id"], tools)).await;
    bench.listed().await;
    assert_eq!(bench.sent().await["method"], "tools/call");
    bench.again(1, 1).await;
    bench.loading().await;
    assert_eq!(bench.sent().await["method"], "tools/list");
}

#[tokio::test(start_paused = true)]
async fn changes_are_subscribed_to_where_they_are_declared() {
    for carrier in [Carrier::Pipe, Carrier::Http] {
        let mut bench = Bench::stateless(carrier, r#"{"tools":{"listChanged":true}}"#).await;
        bench.loading().await;
        let (list, message) = bench.message().await;
        bench
            .reply(&list, 200, answer(&message["id"], r#"{"tools":[]}"#))
            .await;
        bench.subscribes(StreamEvent::Opening).await;
        let (outgoing, listen) = bench.message().await;
        assert_eq!(
            listen["params"]["notifications"].to_string(),
            r#"{"toolsListChanged":true}"#
        );
        assert_eq!(outgoing.label.cause, Some(sonde_wire::Cause::Listen));
        bench.listed().await;
        if carrier == Carrier::Http {
            bench.head(outgoing.exchange, 200, &[SSE]).await;
        }
        let id = &listen["id"];
        let seq = bench
            .acknowledge_as("toolsListChanged", &outgoing, id)
            .await;
        bench.subscribes(StreamEvent::Opened).await;
        assert!(bench.notes.codes(seq).is_empty());
        // It outlasts every limit of a request.
        tokio::time::sleep(secs(7_200)).await;
        bench.quiet().await;
        let seq = bench
            .push(&outgoing, "tools/list_changed", &about(id))
            .await;
        bench.loading().await;
        assert!(bench.notes.codes(seq).is_empty());
        assert_eq!(bench.sent().await["method"], "tools/list");

        bench.handle.close();
        bench.closing().await;
        if carrier == Carrier::Http {
            bench.abandons(outgoing.exchange).await;
        } else {
            let cancelled = bench.sent().await;
            assert_eq!(cancelled["method"], "notifications/cancelled");
            assert_eq!(&cancelled["params"]["requestId"], id);
        }
        assert!(matches!(bench.command().await, Command::Close));
    }
    let mut bench = Bench::stateless(Carrier::Http, r#"{"prompts":{}}"#).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_on_a_subscription_is_found() {
    let (mut bench, outgoing, listen) = Bench::subscribing(Carrier::Pipe).await;
    let id = &listen["id"];
    let early = bench
        .push(&outgoing, "prompts/list_changed", &about(id))
        .await;
    let none = bench.push(&outgoing, "prompts/list_changed", "{}").await;
    let wrong = bench
        .push(
            &outgoing,
            "prompts/list_changed",
            &about(&format!("{id}").into()),
        )
        .await;
    let much = bench
        .acknowledge_as("toolsListChanged", &outgoing, id)
        .await;
    bench.subscribes(StreamEvent::Opened).await;
    let foreign = bench
        .push(&outgoing, "cancelled", r#"{"requestId":77}"#)
        .await;
    bench.quiet().await;
    for (seq, code) in [
        (early, "not-acknowledged-first"),
        (none, "wrong-subscription-id"),
        (wrong, "wrong-subscription-id"),
        (much, "acknowledged-too-much"),
        (foreign, "unknown-cancellation"),
    ] {
        assert_eq!(bench.notes.codes(seq), [code]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscription_by_hand_is_not_judged_as_that_of_the_session() {
    let (with_own, ..) = Bench::subscribing(Carrier::Pipe).await;
    let without_own = Bench::stateless(Carrier::Pipe, "{}").await;
    for mut bench in [with_own, without_own] {
        let by_hand = OperationRequest {
            method: "subscriptions/listen".to_owned(),
            params: Some(r#"{"notifications":{}}"#.to_owned()),
            ..OperationRequest::default()
        };
        let (outgoing, message) = bench.start(1, by_hand).await;
        let id = &message["id"];
        let mut heard = Vec::new();
        for (method, members) in [
            ("subscriptions/acknowledged", ""),
            ("resources/updated", r#","uri":"file:///a""#),
            ("tasks", r#","taskId":"a","status":"working""#),
        ] {
            let about = about(id);
            let params = format!("{}{members}}}", about.strip_suffix('}').unwrap());
            heard.push(bench.push(&outgoing, method, &params).await);
        }
        let params = format!(r#"{{"requestId":{id}}}"#);
        heard.push(bench.push(&outgoing, "cancelled", &params).await);
        for seq in heard {
            assert_eq!(bench.codes(seq).await, [""; 0]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn messages_that_belong_to_no_subscription_and_a_stream_that_may_be_buffered_are_found() {
    let (mut bench, outgoing, listen) = Bench::subscribing(Carrier::Http).await;
    bench.head(outgoing.exchange, 200, &[SSE]).await;
    let head = bench.seq;
    bench.acknowledge(&outgoing, &listen["id"]).await;
    bench.subscribes(StreamEvent::Opened).await;
    assert_eq!(bench.notes.codes(head), ["buffered-stream"]);
    // No request has asked for log messages either.
    let log = r#"{"level":"info","data":"a"}"#;
    let misplaced = bench.push(&outgoing, "message", log).await;
    let codes = bench.codes(misplaced).await;
    for code in ["misplaced-notification", "unrequested-log"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_subscription_is_opened_again() {
    let (mut bench, mut outgoing, listen) = Bench::subscribing(Carrier::Http).await;
    bench.head(outgoing.exchange, 200, &[]).await;
    bench.acknowledge(&outgoing, &listen["id"]).await;
    bench.subscribes(StreamEvent::Opened).await;
    for attempt in 1..=5 {
        bench.over(outgoing.exchange, broken()).await;
        assert!(matches!(
            bench.subscription().await,
            StreamEvent::Lost { .. }
        ));
        let StreamEvent::Waiting {
            attempt: number,
            budget: 5,
            delay,
            source: DelaySource::Backoff,
            ..
        } = bench.subscription().await
        else {
            panic!("an attempt is announced");
        };
        let longest = secs(1 << (attempt - 1));
        assert_eq!(number, attempt);
        // Nothing recovers silently: the log says so before it happens.
        assert_eq!(
            bench.notes.remarks(),
            [format!(
                "Attempt {attempt} of 5 to reconnect the subscription in {} ms (delay set by Sonde).",
                delay.as_millis()
            )]
        );
        assert!(delay <= longest && delay >= longest / 2, "{delay:?}");
        bench.subscribes(StreamEvent::Resuming { attempt }).await;
        (outgoing, _) = bench.listens().await;
    }
    bench.over(outgoing.exchange, StreamEnd::Complete).await;
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Lost { .. }
    ));
    bench
        .subscribes(StreamEvent::Over(StreamOver::OutOfAttempts))
        .await;
    assert_eq!(bench.health().await.stream, Some(StreamProblem::Over));
    bench.quiet().await;

    bench.notes.remarks();
    bench.handle.reconnect_now(StreamId(1)).await.unwrap();
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Waiting {
            attempt: 1,
            source: DelaySource::User,
            ..
        }
    ));
    assert_eq!(
        bench.notes.remarks(),
        ["Attempt 1 of 5 to reconnect the subscription in 0 ms (requested by you)."]
    );
    bench.subscribes(StreamEvent::Resuming { attempt: 1 }).await;
    let (outgoing, listen) = bench.listens().await;
    bench.head(outgoing.exchange, 200, &[]).await;
    bench.acknowledge(&outgoing, &listen["id"]).await;
    bench.subscribes(StreamEvent::Resumed).await;
    bench.handle.give_up(StreamId(1)).await.unwrap();
    bench.abandons(outgoing.exchange).await;
    bench
        .subscribes(StreamEvent::Over(StreamOver::GivenUp))
        .await;
    bench.over(outgoing.exchange, StreamEnd::Abandoned).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn an_ended_subscription_is_asked_for_anew_and_a_refused_one_is_not() {
    let (mut bench, outgoing, listen) = Bench::subscribing(Carrier::Pipe).await;
    bench.acknowledge(&outgoing, &listen["id"]).await;
    bench.subscribes(StreamEvent::Opened).await;
    bench
        .say(answer(&listen["id"], r#"{"resultType":"complete"}"#))
        .await;
    bench.subscribes(StreamEvent::Over(StreamOver::Done)).await;
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Waiting { attempt: 1, .. }
    ));
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Resuming { attempt: 1 }
    ));
    let (outgoing, listen) = bench.listens().await;
    bench.acknowledge(&outgoing, &listen["id"]).await;
    bench.subscribes(StreamEvent::Resumed).await;
    bench
        .push(
            &outgoing,
            "cancelled",
            &format!(r#"{{"requestId":{}}}"#, listen["id"]),
        )
        .await;
    bench.gives_up(&listen["id"], NoResponse::Cancelled).await;
    bench.subscribes(StreamEvent::Over(StreamOver::Done)).await;
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Waiting { attempt: 2, .. }
    ));
    // It may end it by its response as well.
    let seq = bench
        .say(answer(&listen["id"], r#"{"resultType":"complete"}"#))
        .await;
    assert_eq!(bench.codes(seq).await, [""; 0]);

    let mut bench =
        Bench::stateless_with(Carrier::Http, CHANGES, options(EraChoice::Stateless)).await;
    bench.subscribes(StreamEvent::Opening).await;
    let (outgoing, _) = bench.listens().await;
    bench.head(outgoing.exchange, 429, &[]).await;
    bench.over(outgoing.exchange, StreamEnd::Complete).await;
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Lost { .. }
    ));
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Waiting { attempt: 1, .. }
    ));
    bench.subscribes(StreamEvent::Resuming { attempt: 1 }).await;
    let (outgoing, listen) = bench.listens().await;
    bench
        .reply(&outgoing, 404, refusal(&listen["id"], -32601, "null"))
        .await;
    assert!(matches!(
        bench.subscription().await,
        StreamEvent::Over(StreamOver::Refused(_))
    ));
    bench.health().await;
    bench.quiet().await;
}

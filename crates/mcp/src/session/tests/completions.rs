//! Suggestions while the user types.

use super::*;
use crate::{Completion, CompletionFailure, CompletionReference, CompletionRequest};

type Asked = JoinHandle<Result<Completion, CompletionFailure>>;

fn request(value: &str) -> CompletionRequest {
    CompletionRequest {
        reference: CompletionReference::Prompt {
            name: "p".to_owned(),
        },
        argument: "a".to_owned(),
        value: value.to_owned(),
        resolved: vec![("b".to_owned(), "2".to_owned())],
    }
}

fn ask(bench: &Bench, value: &str) -> Asked {
    let (handle, request) = (bench.handle.clone(), request(value));
    tokio::spawn(async move { handle.complete(request).await })
}

fn result(id: &Value, values: &str) -> String {
    let completion = format!(r#"{{"values":[{values}]}}"#);
    answer(
        id,
        &format!(r#"{{"resultType":"complete","completion":{completion}}}"#),
    )
}

#[tokio::test(start_paused = true)]
async fn values_come_back_to_whoever_asked() {
    for (revision, context) in [
        (Revision::R2024Nov, false),
        (Revision::R2025Mar, false),
        (Revision::R2025Jun, true),
        (Revision::R2025Nov, true),
    ] {
        let mut bench = Bench::ready_with(revision, "{}").await;
        let asked = ask(&bench, "x");
        let sent = bench.sent().await;
        assert_eq!(sent["method"], "completion/complete");
        assert_eq!(sent["params"]["argument"]["value"], "x");
        assert_eq!(sent["params"]["context"].is_object(), context, "{revision}");
        bench.say(result(&sent["id"], r#""x1","x2""#)).await;
        assert_eq!(asked.await.unwrap().unwrap().values, ["x1", "x2"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_newer_request_cancels_the_one_before_it() {
    let mut bench = Bench::ready().await;
    let first = ask(&bench, "x");
    let one = bench.sent().await;
    let second = ask(&bench, "xy");
    let cancelled = bench.sent().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], one["id"]);
    assert_eq!(first.await.unwrap(), Err(CompletionFailure::Cancelled));
    let two = bench.sent().await;
    // An answer that was on its way is nobody's, and no fault of the server.
    let seq = bench.say(result(&one["id"], r#""old""#)).await;
    assert_eq!(bench.codes(seq).await, Vec::<&str>::new());
    bench.say(result(&two["id"], r#""new""#)).await;
    assert_eq!(second.await.unwrap().unwrap().values, ["new"]);
}

#[tokio::test(start_paused = true)]
async fn over_stateless_http_the_stream_is_closed_instead() {
    let mut bench = Bench::stateless(Carrier::Http, "{}").await;
    let asked = ask(&bench, "x");
    let (outgoing, message) = bench.message().await;
    assert_eq!(message["params"]["context"]["arguments"]["b"], "2");
    bench.handle.cancel_completion().await.unwrap();
    assert_eq!(asked.await.unwrap(), Err(CompletionFailure::Cancelled));
    bench.abandons(outgoing.exchange).await;
    let again = ask(&bench, "y");
    let (outgoing, message) = bench.message().await;
    let completion = r#"{"resultType":"complete","completion":{"values":["y1"],"hasMore":true}}"#;
    bench
        .reply(&outgoing, 200, answer(&message["id"], completion))
        .await;
    let completion = again.await.unwrap().unwrap();
    assert!(completion.has_more);
    assert_eq!(completion.values, ["y1"]);
}

#[tokio::test(start_paused = true)]
async fn what_goes_wrong_is_told() {
    let mut bench = Bench::ready().await;
    let asked = ask(&bench, "x");
    let sent = bench.sent().await;
    bench.say(refusal(&sent["id"], -32602, "null")).await;
    assert!(matches!(
        asked.await.unwrap(),
        Err(CompletionFailure::Refused { code: -32602, message }) if message == "no"
    ));
    let asked = ask(&bench, "x");
    let sent = bench.sent().await;
    let seq = bench.say(answer(&sent["id"], "{}")).await;
    assert!(matches!(
        asked.await.unwrap(),
        Err(CompletionFailure::Failed(_))
    ));
    assert_eq!(bench.notes.codes(seq), ["bad-completion"]);
    let asked = ask(&bench, "x");
    bench.sent().await;
    // Silence has a limit, and the server is told.
    let failure = asked.await.unwrap().unwrap_err();
    assert_eq!(
        failure,
        CompletionFailure::Failed("no response in time".to_owned())
    );
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    drop(bench);
}

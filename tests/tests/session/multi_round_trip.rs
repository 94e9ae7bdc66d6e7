//! A stateless server of another author that asks questions inside results and announces changes.

use serde_json::json;
use sonde_mcp::{
    CatalogEvent, EraChoice, Event, OperationEvent, Outcome, Reply, StreamEvent, StreamKind,
};
use sonde_tests::http_server::python_program;

use super::{Session, peers::peer};

#[tokio::test]
#[ignore = "needs the installed peers"]
async fn a_python_server_asks_twice_and_adds_a_tool() {
    let spec = peer(
        &python_program("python"),
        &[concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/peers/rounds_server.py"
        )],
    );
    let mut session = Session::open(spec, EraChoice::Automatic).await;
    // What is announced before the subscription stands is not heard.
    let (mut listed, mut subscribed) = (false, false);
    while !(listed && subscribed) {
        match session.event().await {
            Event::Catalog {
                event: CatalogEvent::Listed(listing),
                ..
            } => {
                listed = true;
                assert!(listing.items.iter().all(|tool| tool.name != "extra"));
            }
            Event::Stream(report) => {
                subscribed |=
                    report.kind == StreamKind::Subscription && report.event == StreamEvent::Opened;
            }
            _ => {}
        }
    }

    session.call(1, "greet", "{}").await;
    let mut rounds = Vec::new();
    let text = loop {
        match session.event().await {
            Event::ServerRequest(question) => {
                let key = question.key.clone().expect("it is inside a result");
                let answer = json!({"action": "accept", "content": {&key: format!("my {key}")}});
                let reply = Reply::Result(answer.to_string());
                let answered = session.handle.answer(question.id, reply).await;
                answered.expect("the session runs");
            }
            Event::Operation(_, OperationEvent::Again { round, .. }) => rounds.push(round),
            Event::Operation(_, OperationEvent::Finished(outcome)) => break said(&outcome),
            _ => {}
        }
    };
    // The SDK opens the request state only when it comes back as it was sealed.
    assert!(text.contains("Hello my name from my town"), "{text}");
    assert_eq!(rounds, [1, 2]);

    session.call(2, "grow", "{}").await;
    let (mut grown, mut announced) = (false, false);
    while !(grown && announced) {
        match session.event().await {
            Event::Catalog {
                event: CatalogEvent::Listed(listing),
                ..
            } => {
                announced = listing.items.iter().any(|tool| tool.name == "extra");
            }
            Event::Operation(_, OperationEvent::Finished(outcome)) => {
                grown = said(&outcome).contains("grown");
            }
            _ => {}
        }
    }
    session.handle.close();
    session.closed().await;
}

fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Result { raw, .. } => raw.get().to_owned(),
        other => panic!("no result: {other:?}"),
    }
}

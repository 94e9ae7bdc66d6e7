//! Requests that wait for a token.

use super::{http::ready_on, *};

async fn ready() -> Bench {
    ready_on(Bench::new(), Revision::NEWEST_HANDSHAKE, "s-1").await
}

impl Bench {
    async fn park(&mut self, exchange: ExchangeId, parked: bool) {
        self.take(Incoming::Parked { exchange, parked }).await;
    }

    async fn parked(&mut self, call: u64) -> bool {
        match self.event().await {
            Event::Operation(id, OperationEvent::Parked { parked }) if id.0 == call => parked,
            other => panic!("unexpected event {other:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_limit_runs_while_a_call_waits_for_a_token() {
    let mut bench = ready().await;
    let (id, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench.park(exchange, true).await;
    assert!(bench.parked(1).await);
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    bench.park(exchange, false).await;
    assert!(!bench.parked(1).await);
    let Event::Operation(_, OperationEvent::Extended { idle, hard }) = bench.event().await else {
        panic!("the limits move");
    };
    assert!(idle > Duration::from_secs(50) && hard > Duration::from_secs(1_000));
    bench.respond(exchange, 200, result(id)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
}

#[tokio::test(start_paused = true)]
async fn cancelling_a_parked_call_tells_the_server_nothing() {
    let mut bench = ready().await;
    let (_, exchange) = bench.call_with(1, OperationOptions::default()).await;
    bench.park(exchange, true).await;
    assert!(bench.parked(1).await);
    bench.cancel(1).await;
    bench.abandons(exchange).await;
    bench.over(exchange, StreamEnd::Abandoned).await;
    bench.cancelling(1).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn only_what_everything_waits_for_parks_everything() {
    let mut bench = ready().await;
    let (_, first) = bench.call_with(1, OperationOptions::default()).await;
    bench.park(first, true).await;
    assert!(bench.parked(1).await);
    // A message of no call waits and is let go: the call still waits for its user.
    let other = ExchangeId(first.0 + 1_000);
    bench.park(other, true).await;
    bench.park(other, false).await;
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    // The connection itself, too.
    let connection = ExchangeId(0);
    bench.park(connection, true).await;
    bench.park(connection, false).await;
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    bench.park(first, false).await;
    assert!(!bench.parked(1).await);
}

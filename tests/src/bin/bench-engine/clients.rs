//! Clients that make the same calls: Sonde's engine with recording on, rmcp's client, and bare HTTP. Each returns the
//! seconds of its calls.

use std::{sync::Arc, time::Instant};

use anyhow::{Result, bail, ensure};
use rmcp::{
    RoleClient, ServiceExt as _,
    model::CallToolRequestParams,
    transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::Value;
use sonde_explorer::log::{LogLimits, WireLog};
use sonde_mcp::{
    CatalogEvent, Event, Implementation, OperationEvent, OperationId, OperationOptions,
    OperationRequest, Outcome, Phase, SessionHandle, SessionOptions,
};
use sonde_wire::{
    Tap, Wire,
    http::{self, HttpSpec},
    queue::{self, Receiver},
    stdio::{self, StdioSpec},
};
use tokio::{runtime::Runtime, task::JoinSet};

/// Microseconds of one of so many calls.
pub(crate) fn micros(seconds: f64, calls: u32) -> f64 {
    seconds * 1e6 / f64::from(calls)
}

/// Runs a client as an app does: in a task of the runtime, not on the main thread.
pub(crate) fn on(
    runtime: &Runtime,
    client: impl Future<Output = Result<f64>> + Send + 'static,
) -> Result<f64> {
    runtime.block_on(runtime.spawn(client))?
}

pub(crate) async fn sonde_stdio(server: String, calls: u32, in_flight: u32) -> Result<f64> {
    let tap = log();
    let (wire, _) = stdio::spawn(StdioSpec::new(server), tap.clone()).await?;
    through_sonde(wire, tap, calls, in_flight).await
}

pub(crate) async fn sonde_http(url: String, calls: u32, in_flight: u32) -> Result<f64> {
    let tap = log();
    let wire = http::open(HttpSpec::new(url), tap.clone())?;
    through_sonde(wire, tap, calls, in_flight).await
}

fn log() -> Arc<dyn Tap> {
    WireLog::new("bench".to_owned(), LogLimits::default())
}

async fn through_sonde(wire: Wire, tap: Arc<dyn Tap>, calls: u32, in_flight: u32) -> Result<f64> {
    let (events, mut incoming) = queue::channel(256);
    let options = SessionOptions::new(Implementation::new("bench", "1"));
    let (session, actor) = sonde_mcp::open(wire, tap, options, events);
    until(&mut incoming, |event| {
        matches!(event, Event::Phase(Phase::Ready))
    })
    .await?;
    until(&mut incoming, |event| {
        let listed = |event: &CatalogEvent| matches!(event, CatalogEvent::Listed(_));
        matches!(event, Event::Catalog { event, .. } if listed(event))
    })
    .await?;
    let begin = Instant::now();
    let mut begun = 0;
    while begun < in_flight.min(calls) {
        call(&session, begun).await?;
        begun += 1;
    }
    for _ in 0..calls {
        // Other events arrive meanwhile, for example statistics. Only the end of a call counts.
        let is_end =
            |event: &Event| matches!(event, Event::Operation(_, OperationEvent::Finished(_)));
        match until(&mut incoming, is_end).await? {
            Event::Operation(_, OperationEvent::Finished(Outcome::Result { .. })) => {}
            other => bail!("a call ended otherwise: {other:?}"),
        }
        if begun < calls {
            call(&session, begun).await?;
            begun += 1;
        }
    }
    let took = begin.elapsed().as_secs_f64();
    session.close();
    while incoming.recv().await.is_some() {}
    actor.await?;
    Ok(took)
}

async fn call(session: &SessionHandle, number: u32) -> Result<()> {
    let call = OperationRequest::tool("echo", Some(r#"{"text":"hello"}"#.to_owned()));
    let options = OperationOptions::default();
    let id = OperationId(number.into());
    Ok(session.start_operation(id, call, options).await?)
}

async fn until(incoming: &mut Receiver<Event>, wanted: impl Fn(&Event) -> bool) -> Result<Event> {
    while let Some(event) = incoming.recv().await {
        if wanted(&event) {
            return Ok(event);
        }
    }
    bail!("the session ended too early")
}

pub(crate) async fn rmcp_stdio(server: String, calls: u32, in_flight: u32) -> Result<f64> {
    let child = TokioChildProcess::new(tokio::process::Command::new(server))?;
    through_rmcp(child, calls, in_flight).await
}

pub(crate) async fn rmcp_http(url: String, calls: u32, in_flight: u32) -> Result<f64> {
    through_rmcp(
        StreamableHttpClientTransport::from_uri(url),
        calls,
        in_flight,
    )
    .await
}

async fn through_rmcp<E, A>(
    transport: impl IntoTransport<RoleClient, E, A>,
    calls: u32,
    in_flight: u32,
) -> Result<f64>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let client = ().serve(transport).await?;
    let begin = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..in_flight {
        let peer = client.peer().clone();
        callers.spawn(async move {
            for _ in 0..calls / in_flight {
                let mut arguments = serde_json::Map::new();
                arguments.insert("text".to_owned(), "hello".into());
                let params = CallToolRequestParams::new("echo").with_arguments(arguments);
                peer.call_tool(params).await?;
            }
            Ok::<_, anyhow::Error>(())
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    let took = begin.elapsed().as_secs_f64();
    client.cancel().await?;
    Ok(took)
}

/// Sends the requests and parses the responses, and nothing else.
pub(crate) async fn bare_http(url: String, calls: u32, in_flight: u32) -> Result<f64> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let begin = Instant::now();
    let mut callers = JoinSet::new();
    for caller in 0..in_flight {
        let (client, url) = (client.clone(), url.clone());
        callers.spawn(async move {
            for number in 0..calls / in_flight {
                let id = caller * calls + number;
                let body = format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello"}}}}}}"#
                );
                let request = client
                    .post(&url)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .body(body);
                let text = request.send().await?.text().await?;
                let message: Value = serde_json::from_str(text.trim_start_matches("data: "))?;
                ensure!(message.get("result").is_some(), "unexpected answer: {text}");
            }
            Ok(())
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    Ok(begin.elapsed().as_secs_f64())
}

//! Sequential echo calls over stdio: Sonde's engine with recording on, rmcp's client, and a bare
//! pipe, all against the same server process. Prints one JSON object.
//!
//! Usage: `bench-echo <plain-server> <calls> <rounds>`. Rounds alternate, so that a disturbance of
//! the machine meets all three; each figure is the best round's.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock and starts the plainest child there is"
)]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use rmcp::{ServiceExt as _, model::CallToolRequestParams, transport::TokioChildProcess};
use sonde_explorer::log::{LogLimits, WireLog};
use sonde_mcp::{
    CallEvent, CallId, CallOptions, Event, Implementation, Outcome, Phase, SessionOptions, ToolCall,
};
use sonde_wire::stdio::{self, StdioSpec};
use tokio::sync::mpsc;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let server = args.next().context("the server's path")?;
    let calls: u32 = args.next().context("the number of calls")?.parse()?;
    let rounds: u32 = args.next().context("the number of rounds")?.parse()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (mut engine, mut rmcp, mut bare) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..rounds {
        bare = bare.min(bare_pipe(&server, calls)?);
        engine = engine.min(runtime.block_on(through_engine(&server, calls))?);
        rmcp = rmcp.min(runtime.block_on(through_rmcp(&server, calls))?);
    }
    println!(
        "{}",
        serde_json::json!({ "calls": calls, "bare_s": bare, "engine_s": engine, "rmcp_s": rmcp })
    );
    Ok(())
}

fn bare_pipe(server: &str, calls: u32) -> Result<f64> {
    let mut child = Command::new(server)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().context("stdin")?;
    let mut output = BufReader::new(child.stdout.take().context("stdout")?);
    let mut line = String::new();
    let begin = Instant::now();
    for id in 0..calls {
        let request = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello"}}}}}}"#
        );
        input.write_all(request.as_bytes())?;
        input.write_all(b"\n")?;
        line.clear();
        output.read_line(&mut line)?;
        if !line.contains("\"result\"") {
            bail!("unexpected answer: {line}");
        }
    }
    let took = begin.elapsed().as_secs_f64();
    drop(input);
    child.wait()?;
    Ok(took)
}

async fn through_engine(server: &str, calls: u32) -> Result<f64> {
    let log = WireLog::new("bench".to_owned(), LogLimits::default());
    let tap: std::sync::Arc<dyn sonde_wire::Tap> = log.clone();
    let (wire, _) = stdio::spawn(StdioSpec::new(server), tap.clone()).await?;
    let (events, mut incoming) = mpsc::channel(256);
    let options = SessionOptions::new(Implementation {
        name: "bench".to_owned(),
        version: "1".to_owned(),
        title: None,
        description: None,
        website_url: None,
    });
    let (session, actor) = sonde_mcp::open(wire, tap, options, events);
    while let Some(event) = incoming.recv().await {
        if matches!(event, Event::Phase(Phase::Ready)) {
            break;
        }
    }
    while let Some(event) = incoming.recv().await {
        if matches!(event, Event::Tools(_)) {
            break;
        }
    }
    let begin = Instant::now();
    for id in 0..calls {
        let call = ToolCall {
            name: "echo".to_owned(),
            arguments: Some(r#"{"text":"hello"}"#.to_owned()),
        };
        session
            .call_tool(CallId(id.into()), call, CallOptions::default())
            .await?;
        loop {
            match incoming.recv().await {
                Some(Event::Call(_, CallEvent::Finished(Outcome::Result { .. }))) => break,
                Some(Event::Call(_, CallEvent::Sent { .. })) => {}
                other => bail!("unexpected event: {other:?}"),
            }
        }
    }
    let took = begin.elapsed().as_secs_f64();
    session.close();
    while incoming.recv().await.is_some() {}
    actor.await?;
    Ok(took)
}

async fn through_rmcp(server: &str, calls: u32) -> Result<f64> {
    let client = ()
        .serve(TokioChildProcess::new(tokio::process::Command::new(server))?)
        .await?;
    let begin = Instant::now();
    for _ in 0..calls {
        let mut arguments = serde_json::Map::new();
        arguments.insert("text".to_owned(), "hello".into());
        let params = CallToolRequestParams::new("echo").with_arguments(arguments);
        client.call_tool(params).await?;
    }
    let took = begin.elapsed().as_secs_f64();
    client.cancel().await?;
    Ok(took)
}

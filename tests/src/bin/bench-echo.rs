//! Sequential echo calls over stdio: Sonde's engine with recording on, rmcp's client, and a bare
//! pipe, all against the same server program; then the command line. Prints one figure per line.
//!
//! Usage: `bench-echo <plain-server> <sonde> <full|smoke>`. Rounds alternate, so that a disturbance of the machine
//! affects all three; each figure is that of the best round.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock and starts the plainest child there is"
)]

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use rmcp::{ServiceExt as _, model::CallToolRequestParams, transport::TokioChildProcess};
use sonde_explorer::log::{LogLimits, WireLog};
use sonde_mcp::{
    CatalogEvent, Event, Implementation, OperationEvent, OperationId, OperationOptions,
    OperationRequest, Outcome, Phase, SessionOptions,
};
use sonde_tests::figures::plain;
use sonde_wire::{
    queue,
    stdio::{self, StdioSpec},
};

fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let server = args.next().context("the server's path")?;
    let sonde = args.next().context("the path of the command line")?;
    let size = args.next().context("full or smoke")?;
    let (calls, steps, rounds) = match size.as_str() {
        "full" => (10_000, 1_000, 3),
        "smoke" => (50, 50, 1),
        other => bail!("no such size: {other}"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (mut engine, mut rmcp, mut bare) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..rounds {
        bare = bare.min(bare_pipe(&server, calls)?);
        engine = engine.min(on(&runtime, through_engine(server.clone(), calls))?);
        rmcp = rmcp.min(on(&runtime, through_rmcp(server.clone(), calls))?);
    }
    let micros = |seconds: f64| seconds * 1e6 / f64::from(calls);
    plain("bare pipe, per call", micros(bare), "µs")
        .of(calls.into(), "calls")
        .print();
    plain("rmcp's client, per call", micros(rmcp), "µs")
        .of(calls.into(), "calls")
        .print();
    plain("Sonde's engine, recording, per call", micros(engine), "µs")
        .of(calls.into(), "calls")
        .print();
    plain("engine beside rmcp", engine / rmcp, "×")
        .at_most(1.0)
        .print();
    plain("engine beside the bare pipe", engine / bare, "×")
        .at_most(1.5)
        .print();
    command_line(&runtime, &server, &sonde, steps, rounds)
}

/// Measures whole runs of programs, from start to end.
fn command_line(
    runtime: &tokio::runtime::Runtime,
    server: &str,
    sonde: &str,
    steps: u32,
    rounds: u32,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut suite = format!("sonde: 1\nserver: {{ command: '{server}', args: [] }}\nsteps:\n");
    for _ in 0..steps {
        suite.push_str("  - { call: echo, with: { text: hello }, expect: { text: echo } }\n");
    }
    std::fs::write(folder.path().join("echo.sonde.yaml"), suite)?;
    let words = ["call", "echo", "--quiet", "--", server];
    let [mut test, mut rmcp, mut call, mut alone] = [f64::MAX; 4];
    for _ in 0..rounds {
        test = test.min(program(sonde, folder.path(), &["test", "--ci"])?);
        let begin = Instant::now();
        on(runtime, through_rmcp(server.to_owned(), steps))?;
        rmcp = rmcp.min(begin.elapsed().as_secs_f64());
        call = call.min(program(sonde, folder.path(), &words)?);
        let begin = Instant::now();
        bare_pipe(server, 1)?;
        alone = alone.min(begin.elapsed().as_secs_f64());
    }
    plain("`sonde test`, start to end", test * 1e3, "ms")
        .of(steps.into(), "steps")
        .print();
    plain("`sonde test` beside rmcp's client", test / rmcp, "×")
        .at_most(1.3)
        .print();
    plain("`sonde call`, start to end", call * 1e3, "ms").print();
    plain("a bare pipe, start to end", alone * 1e3, "ms").print();
    // Each call is a run of the program, as in a script.
    let calls = steps / 20;
    let all = |name: &str, words: &[&str]| -> Result<f64> {
        (0..calls)
            .map(|_| program(name, folder.path(), words))
            .sum()
    };
    let name = "calls by a program for each";
    let took = all(sonde, &words)? * 1e3;
    plain(name, took, "ms").of(calls.into(), "calls").print();
    if let (Ok(node), Ok(script)) = (env::var("INSPECTOR_NODE"), env::var("INSPECTOR")) {
        let words = [
            &script,
            "--cli",
            server,
            "--method",
            "tools/call",
            "--tool-name",
            "echo",
            "--tool-arg",
            "text=hello",
        ];
        println!("inspector\t{name}\t{}", all(&node, &words)? * 1e3);
    }
    #[expect(clippy::cast_precision_loss, reason = "megabytes need no more digits")]
    let size = std::fs::metadata(sonde)?.len() as f64 / 1e6;
    plain("size of the program `sonde`", size, "MB").print();
    Ok(())
}

/// Measures the seconds that a program takes.
fn program(name: &str, folder: &Path, words: &[&str]) -> Result<f64> {
    let begin = Instant::now();
    let mut command = Command::new(name);
    command.current_dir(folder).env("SONDE_DATA_DIR", folder);
    let done = command.args(words).output()?;
    let took = begin.elapsed().as_secs_f64();
    if !done.status.success() {
        bail!("{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(took)
}

/// Runs a client as an app does: in a task of the runtime, not on the main thread.
fn on(
    runtime: &tokio::runtime::Runtime,
    client: impl Future<Output = Result<f64>> + Send + 'static,
) -> Result<f64> {
    runtime.block_on(runtime.spawn(client))?
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

async fn through_engine(server: String, calls: u32) -> Result<f64> {
    let log = WireLog::new("bench".to_owned(), LogLimits::default());
    let tap: std::sync::Arc<dyn sonde_wire::Tap> = log.clone();
    let (wire, _) = stdio::spawn(StdioSpec::new(server), tap.clone()).await?;
    let (events, mut incoming) = queue::channel(256);
    let options = SessionOptions::new(Implementation::new("bench", "1"));
    let (session, actor) = sonde_mcp::open(wire, tap, options, events);
    while let Some(event) = incoming.recv().await {
        if matches!(event, Event::Phase(Phase::Ready)) {
            break;
        }
    }
    while let Some(event) = incoming.recv().await {
        if matches!(
            event,
            Event::Catalog {
                event: CatalogEvent::Listed(_),
                ..
            }
        ) {
            break;
        }
    }
    let begin = Instant::now();
    for id in 0..calls {
        let call = OperationRequest::tool("echo", Some(r#"{"text":"hello"}"#.to_owned()));
        session
            .start_operation(OperationId(id.into()), call, OperationOptions::default())
            .await?;
        // Other events arrive meanwhile, for example statistics. Only the end of the call counts.
        loop {
            match incoming.recv().await {
                Some(Event::Operation(_, OperationEvent::Finished(Outcome::Result { .. }))) => {
                    break;
                }
                Some(Event::Operation(_, OperationEvent::Finished(other))) => {
                    bail!("the call ended otherwise: {other:?}")
                }
                Some(_) => {}
                None => bail!("the session ended before the call"),
            }
        }
    }
    let took = begin.elapsed().as_secs_f64();
    session.close();
    while incoming.recv().await.is_some() {}
    actor.await?;
    Ok(took)
}

async fn through_rmcp(server: String, calls: u32) -> Result<f64> {
    let client = ()
        .serve(TokioChildProcess::new(tokio::process::Command::new(
            server,
        ))?)
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

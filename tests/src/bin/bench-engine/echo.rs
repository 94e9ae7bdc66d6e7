//! Sequential echo calls over stdio: Sonde's engine with recording on, rmcp's client, and a bare pipe, all against the
//! same server program; then the command line. Rounds alternate, so that a disturbance of the machine affects all three;
//! each figure is that of the best round.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use sonde_tests::figures::plain;
use tokio::runtime::Runtime;

use crate::{
    Run,
    clients::{self, micros, on},
};

pub(crate) fn run(run: &Run, runtime: &Runtime) -> Result<()> {
    let calls = run.size(10_000, 50);
    let (mut engine, mut rmcp, mut bare) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..run.rounds() {
        bare = bare.min(bare_pipe(&run.server, calls)?);
        engine = engine.min(on(
            runtime,
            clients::sonde_stdio(run.server.clone(), calls, 1),
        )?);
        rmcp = rmcp.min(on(
            runtime,
            clients::rmcp_stdio(run.server.clone(), calls, 1),
        )?);
    }
    for (name, seconds) in [
        ("bare pipe, per call", bare),
        ("rmcp's client, per call", rmcp),
        ("Sonde's engine, recording, per call", engine),
    ] {
        plain(name, micros(seconds, calls), "µs")
            .of(calls.into(), "calls")
            .print();
    }
    plain("engine beside rmcp", engine / rmcp, "×")
        .at_most(1.0)
        .print();
    plain("engine beside the bare pipe", engine / bare, "×")
        .at_most(1.5)
        .print();
    command_line(run, runtime)
}

/// Measures whole runs of programs, from start to end.
fn command_line(run: &Run, runtime: &Runtime) -> Result<()> {
    let (server, sonde) = (run.server.as_str(), run.sonde.as_str());
    let steps = run.size(1_000, 50);
    let folder = tempfile::tempdir()?;
    let mut suite = format!("sonde: 1\nserver: {{ command: '{server}', args: [] }}\nsteps:\n");
    for _ in 0..steps {
        suite.push_str("  - { call: echo, with: { text: hello }, expect: { text: echo } }\n");
    }
    std::fs::write(folder.path().join("echo.sonde.yaml"), suite)?;
    let words = ["call", "echo", "--quiet", "--", server];
    let [mut test, mut rmcp, mut call, mut alone] = [f64::MAX; 4];
    for _ in 0..run.rounds() {
        test = test.min(program(sonde, folder.path(), &["test", "--ci"])?);
        let begin = Instant::now();
        on(runtime, clients::rmcp_stdio(server.to_owned(), steps, 1))?;
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

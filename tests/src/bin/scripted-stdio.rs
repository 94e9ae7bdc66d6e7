//! The scripted server process; see `sonde_tests::stdio_peer`.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, BufRead as _, Write as _},
    process::{Stdio, exit},
    sync::{Mutex, MutexGuard},
    thread::sleep,
    time::Duration,
};

use serde_json::{Value, value::RawValue};
use sonde_tests::stdio_peer::{Step, script};

#[tokio::main(flavor = "multi_thread", worker_threads = 1)]
async fn main() {
    let steps = std::env::args().nth(1).expect("a script is needed");
    let steps: Vec<Step> = serde_json::from_str(&steps).expect("the script is a list of steps");
    for step in steps {
        if let Err(error) = play(step) {
            eprintln!("scripted-stdio: {error}");
            exit(98);
        }
    }
}

fn play(step: Step) -> io::Result<()> {
    match step {
        Step::Emit { text } => emit(text.as_bytes()),
        Step::EmitBytes { bytes } => emit(&bytes),
        Step::EmitLong {
            before,
            size,
            after,
        } => {
            let mut out = io::stdout().lock();
            let before = before.replace("{id}", &unanswered());
            out.write_all(before.as_bytes())?;
            let block = vec![b'x'; 1 << 20];
            let mut left = usize::try_from(size).expect("the size fits into memory");
            while left > 0 {
                let part = left.min(block.len());
                out.write_all(&block[..part])?;
                left -= part;
            }
            out.write_all(after.as_bytes())?;
            out.flush()
        }
        Step::EmitMany { count, text } => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            for n in 0..count {
                out.write_all(text.replace("{n}", &n.to_string()).as_bytes())?;
            }
            out.flush()
        }
        Step::Stderr { text } => io::stderr().write_all(text.as_bytes()),
        Step::StderrMany { count, text } => {
            (0..count).try_for_each(|_| io::stderr().write_all(text.as_bytes()))
        }
        Step::Expect => {
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                exit(99);
            }
            Ok(())
        }
        Step::Echo { count } => echo(count.unwrap_or(u64::MAX)),
        Step::Serve { results, until } => serve(&results, until.as_deref()),
        Step::Sleep { ms } => {
            sleep(Duration::from_millis(ms));
            Ok(())
        }
        Step::AwaitEof => io::copy(&mut io::stdin().lock(), &mut io::sink()).map(drop),
        Step::IgnoreTerminate => ignore_terminate(),
        Step::Hang => loop {
            sleep(Duration::from_secs(3600));
        },
        Step::CloseStdin => close_stdin(),
        Step::CloseStdout => close_stdout(),
        Step::CloseStderr => close_stderr(),
        Step::Spawn { steps, detached } => spawn(steps, detached),
        Step::WritePid { file } => {
            // Renamed into place, so that a reader never sees half a number.
            let half = file.with_extension("half");
            std::fs::write(&half, std::process::id().to_string())?;
            std::fs::rename(half, file)
        }
        Step::EmitEnvironment => {
            let env = std::env::vars().map(|(name, value)| (name, Value::String(value)));
            let line = serde_json::json!({ "env": env.collect::<serde_json::Map<_, _>>() });
            emit(format!("{line}\n").as_bytes())
        }
        Step::Exit { code } => exit(code),
        Step::Die => die(),
    }
}

fn emit(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// The parts of a message that a response needs.
#[derive(serde::Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

fn echo(count: u64) -> io::Result<()> {
    answer(count, None, |message| {
        Some(message.params.map_or("{}", RawValue::get).to_owned())
    })
}

fn serve(results: &BTreeMap<String, Value>, until: Option<&str>) -> io::Result<()> {
    answer(u64::MAX, until, |message| {
        let method = message.method.as_deref();
        match method.and_then(|name| results.get(name)) {
            Some(result) => Some(result.to_string()),
            None if method == until => None,
            None => Some("{}".to_owned()),
        }
    })
}

/// Id of the request that was left to a later step.
fn unanswered() -> MutexGuard<'static, String> {
    static ID: Mutex<String> = Mutex::new(String::new());
    ID.lock().expect("there is one thread")
}

/// Responds to messages with an id and a result, until `count` lines were read, a request of the method `until`
/// arrives, or standard input ends.
fn answer(
    count: u64,
    until: Option<&str>,
    result: impl Fn(&Message) -> Option<String>,
) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = String::new();
    for _ in 0..count {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        let Ok(message) = serde_json::from_str::<Message>(&line) else {
            continue;
        };
        if let Some(id) = message.id {
            if let Some(result) = result(&message) {
                let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n");
                out.write_all(answer.as_bytes())?;
                out.flush()?;
            } else {
                id.get().clone_into(&mut unanswered());
            }
            if until.is_some() && until == message.method.as_deref() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(unix)]
fn ignore_terminate() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    // The handler stays installed after its stream is dropped.
    signal(SignalKind::terminate()).map(drop)
}

#[cfg(unix)]
fn close_stdin() -> io::Result<()> {
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(())
}

#[cfg(unix)]
fn close_stdout() -> io::Result<()> {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(null)?;
    Ok(())
}

#[cfg(unix)]
fn close_stderr() -> io::Result<()> {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stderr(null)?;
    Ok(())
}

#[cfg(unix)]
fn die() -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};

    kill_process(getpid(), Signal::KILL)?;
    Ok(())
}

#[cfg(not(unix))]
fn ignore_terminate() -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn close_stdin() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn close_stdout() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn close_stderr() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn die() -> io::Result<()> {
    std::process::abort()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a scripted server starts processes of its own"
)]
fn spawn(steps: Vec<Step>, detached: bool) -> io::Result<()> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(script(steps));
    if detached {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
    }
    command.spawn().map(drop)
}

//! No child process outlives its session or the application, however either ends.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]
#![cfg(unix)]

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sonde_tests::{
    LIMIT,
    record::{Recorder, close, exited, requested, to_the_end, within},
    stdio_peer::{Step, binary, program, script},
};
use sonde_wire::{
    EntryKind, ExitStatus, Incoming, NoTap, Wire,
    stdio::{ShutdownTimeouts, StdioSpec, Watchdog, spawn},
};
use tokio::io::{AsyncBufReadExt as _, BufReader};

/// Short limits for processes that only force can end, because the tests wait for them.
const SHORT: ShutdownTimeouts = ShutdownTimeouts {
    stdin: Duration::from_millis(200),
    terminate: Duration::from_millis(200),
    drain: Duration::from_millis(200),
};

/// Steps of a process that only force can end, and that writes its process id.
fn stubborn(folder: &Path, name: &str) -> Vec<Step> {
    vec![
        Step::IgnoreTerminate,
        Step::WritePid {
            file: folder.join(name),
        },
        Step::AwaitEof,
        Step::Hang,
    ]
}

async fn pid(file: PathBuf) -> Pid {
    within("the process id", async {
        loop {
            if let Ok(text) = tokio::fs::read_to_string(&file).await {
                return Pid::from_raw(text.parse().unwrap()).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
}

/// True if the process runs. A zombie, which waits for its parent to collect it, does not.
fn runs(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    match stat {
        Ok(stat) => !stat.rsplit(')').next().unwrap().starts_with(" Z"),
        Err(_) if cfg!(target_os = "linux") => false,
        Err(_) => test_kill_process(pid).is_ok(),
    }
}

async fn gone(pid: Pid) {
    within("the end of a process", async {
        while runs(pid) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

async fn start(steps: Vec<Step>) -> (Wire, Arc<Recorder>) {
    start_with(SHORT, steps).await
}

async fn start_with(shutdown: ShutdownTimeouts, steps: Vec<Step>) -> (Wire, Arc<Recorder>) {
    let recorder = Recorder::new();
    let mut spec = StdioSpec::new(program());
    spec.args = script(steps);
    spec.shutdown = shutdown;
    let (wire, _) = spawn(spec, recorder.clone()).await.unwrap();
    (wire, recorder)
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let (mut wire, recorder) = start(stubborn(folder.path(), "server")).await;
    let server = pid(folder.path().join("server")).await;
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), Some(ExitStatus::Signal(9)));
    assert!(!runs(server));
    let story = recorder.story();
    assert_eq!(
        story[1..],
        [
            "< note Closing stdin and waiting for the process to exit.",
            "< note Still running after 200ms: asking its process group to terminate. [slow-exit]",
            "< note Still running: killing it and everything it started.",
            "< exited Signal(9)",
        ]
    );
}

#[tokio::test]
async fn a_server_that_ends_when_asked_is_not_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server");
    let steps = vec![
        Step::WritePid { file: file.clone() },
        Step::AwaitEof,
        Step::Exit { code: 4 },
    ];
    let patient = ShutdownTimeouts {
        stdin: *LIMIT,
        ..SHORT
    };
    let (mut wire, recorder) = start_with(patient, steps).await;
    pid(file).await;
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), Some(ExitStatus::Code(4)));
    assert_eq!(recorder.story().len(), 3);
}

#[tokio::test]
async fn grandchildren_end_with_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let spawn = |name, detached| Step::Spawn {
        steps: stubborn(folder.path(), name),
        detached,
    };
    let mut steps = vec![spawn("attached", false), spawn("detached", true)];
    steps.extend(stubborn(folder.path(), "server"));
    let (mut wire, _) = start(steps).await;
    let mut pids = Vec::new();
    for name in ["server", "attached", "detached"] {
        pids.push(pid(folder.path().join(name)).await);
    }
    close(&mut wire).await;
    for pid in pids {
        gone(pid).await;
    }
}

#[tokio::test]
async fn grandchildren_end_when_the_server_ends_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (mut wire, recorder) = start(vec![
        // It holds all three streams: their end never comes.
        Step::Spawn {
            steps: stubborn(folder.path(), "attached"),
            detached: false,
        },
        Step::emit("{\"bye\":1}\n"),
        Step::Exit { code: 7 },
    ])
    .await;
    let grandchild = pid(folder.path().join("attached")).await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert_eq!(items.len(), 1);
    assert_eq!(exited(closed), ExitStatus::Code(7));
    gone(grandchild).await;
    assert!(
        recorder.entries().iter().any(
            |entry| matches!(&entry.kind, EntryKind::Note(text) if text.contains("left behind"))
        )
    );
}

#[tokio::test]
async fn a_server_that_closes_its_output_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut steps = vec![Step::emit("{\"last\":1}\n"), Step::CloseStdout];
    steps.extend(stubborn(folder.path(), "server"));
    let (mut wire, _) = start(steps).await;
    let server = pid(folder.path().join("server")).await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert_eq!(items.len(), 2);
    assert!(matches!(items[1], Incoming::OutputClosed));
    assert_eq!(exited(closed), ExitStatus::Signal(9));
    assert!(!runs(server));
}

#[tokio::test]
async fn a_server_that_takes_its_time_to_exit_is_waited_for() {
    let (mut wire, _) = start(vec![
        Step::CloseStderr,
        Step::CloseStdout,
        Step::Sleep { ms: 1_500 },
        Step::Exit { code: 4 },
    ])
    .await;
    let (items, closed) = to_the_end(&mut wire).await;
    assert!(items.is_empty(), "{items:?}");
    assert_eq!(exited(closed), ExitStatus::Code(4));
}

#[tokio::test]
async fn dropping_the_wire_ends_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (wire, _) = start(stubborn(folder.path(), "server")).await;
    let server = pid(folder.path().join("server")).await;
    drop(wire);
    gone(server).await;
}

#[test]
fn dropping_the_runtime_ends_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (server, wire) = runtime.block_on(async {
        let (wire, _) = start(stubborn(folder.path(), "server")).await;
        (pid(folder.path().join("server")).await, wire)
    });
    runtime.shutdown_background();
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(gone(server));
    drop(wire);
}

/// Starts the application with a stubborn server and its stubborn grandchild, and kills it.
#[tokio::test]
async fn killing_the_application_ends_its_servers() {
    let folder = tempfile::tempdir().unwrap();
    let mut steps = vec![Step::Spawn {
        steps: stubborn(folder.path(), "grandchild"),
        detached: true,
    }];
    steps.extend(stubborn(folder.path(), "server"));
    #[expect(
        clippy::disallowed_methods,
        reason = "the test plays the system that starts the application"
    )]
    let mut app = tokio::process::Command::new(binary("guarded-app"))
        .args(script(steps))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(app.stdout.take().unwrap()).lines();
    let watchdog = within("the watchdog's id", lines.next_line())
        .await
        .unwrap();
    let watchdog = Pid::from_raw(watchdog.unwrap().parse().unwrap()).unwrap();
    let server = pid(folder.path().join("server")).await;
    let grandchild = pid(folder.path().join("grandchild")).await;
    assert!(runs(watchdog) && runs(server) && runs(grandchild));

    app.kill().await.unwrap();
    gone(server).await;
    gone(grandchild).await;
    gone(watchdog).await;
}

#[tokio::test]
async fn a_guard_that_was_killed_is_replaced_and_learns_everything() {
    let folder = tempfile::tempdir().unwrap();
    let watchdog = Watchdog::start(binary("guarded-app").into()).unwrap();
    let start = async |name: &str| {
        let mut spec = StdioSpec::new(program());
        spec.args = script(stubborn(folder.path(), name));
        spec.watchdog = Some(Arc::clone(&watchdog));
        let (wire, _) = spawn(spec, Arc::new(NoTap::default())).await.unwrap();
        (wire, pid(folder.path().join(name)).await)
    };
    let first = start("first").await;
    let old = Pid::from_raw(watchdog.pid().unwrap().cast_signed()).unwrap();
    kill_process(old, Signal::KILL).unwrap();
    gone(old).await;
    let second = start("second").await;
    let new = watchdog.pid().unwrap();
    assert_ne!(new, old.as_raw_nonzero().get().cast_unsigned());

    // Leaked wires: from here on only the watchdog ends the two processes. It does so as soon as its
    // standard input closes, which is what the death of the application means to it.
    let (one, two) = (first.1, second.1);
    std::mem::forget((first.0, second.0));
    watchdog.abandon();
    gone(one).await;
    gone(two).await;
}

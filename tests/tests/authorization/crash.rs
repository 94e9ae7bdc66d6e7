//! A process that is killed in the middle of a refresh loses no credential that could be kept.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use sonde_auth::{CredentialKind, Keyring, SecretStore};
use sonde_tests::{
    LIMIT,
    auth_peer::{AuthPeer, CANARY},
    guarded::Program,
    http_peer::Gate,
    secret_files::SecretFiles,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
};

/// Limit of the steps of a refresh.
const MOST_POINTS: usize = 60;

/// Storage of the secrets.
#[derive(Clone)]
enum Place {
    Files(PathBuf),
    Keyring(String),
}

impl Place {
    fn store(&self) -> Arc<dyn SecretStore> {
        match self {
            Place::Files(folder) => Arc::new(SecretFiles::new(folder)),
            Place::Keyring(service) => Arc::new(Keyring::for_service(service)),
        }
    }

    fn argument(&self) -> String {
        match self {
            Place::Files(folder) => format!("files:{}", folder.display()),
            Place::Keyring(service) => format!("keyring:{service}"),
        }
    }
}

/// A client in a process of its own.
struct Victim {
    child: Child,
    orders: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    /// Lines that it has printed.
    told: Vec<String>,
}

impl Victim {
    fn start(folder: &Path, place: &Place, url: &str, point: Option<usize>) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the process is this test's own")]
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_refresh-victim"));
        command.arg(folder).arg(place.argument()).arg(url);
        command.args(point.map(|point| point.to_string()));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            orders: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            told: Vec::new(),
        }
    }

    async fn order(&mut self, order: &str) {
        let order = format!("{order}\n");
        self.orders.write_all(order.as_bytes()).await.unwrap();
    }

    /// Returns its next line.
    async fn line(&mut self) -> String {
        match tokio::time::timeout(*LIMIT, self.lines.next_line()).await {
            Ok(Ok(Some(line))) => {
                self.told.push(line.clone());
                line
            }
            silent => panic!("{silent:?} after {:#?}", self.told),
        }
    }

    /// Reads until a line begins with one of these. Returns it, and the lines before it.
    async fn until(&mut self, beginnings: &[&str]) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.line().await;
            if beginnings.iter().any(|one| line.starts_with(one)) {
                return (line, before);
            }
            before.push(line);
        }
    }

    /// Sends SIGKILL.
    async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }
}

/// A server with a stored sign-in, and no running client.
struct Scene {
    peer: AuthPeer,
    folder: Arc<tempfile::TempDir>,
    place: Place,
    // Removed with the scene.
    _files: tempfile::TempDir,
}

impl Scene {
    async fn set(service: Option<&str>, padding: usize, rotate: bool) -> Self {
        let files = tempfile::tempdir().unwrap();
        let place = match service {
            Some(service) => Place::Keyring(service.to_owned()),
            None => Place::Files(files.path().to_owned()),
        };
        let peer = AuthPeer::start().await;
        peer.configure(|options| {
            options.padding = padding;
            options.rotate = rotate;
        });
        let program = Program::start_with(place.store());
        program.join(&peer).await.close().await;
        Self {
            peer,
            folder: program.folder,
            place,
            _files: files,
        }
    }

    fn start(&self, point: Option<usize>) -> Victim {
        Victim::start(self.folder.path(), &self.place, &self.peer.url(), point)
    }

    /// Checks that a new process recovers: it works, or it asks the user to sign in and gives a reason. In both cases
    /// its messages are plain, and signing in repairs it. Returns the reason as an error.
    async fn recovers(&self) -> Result<(), String> {
        // The access token alone proves nothing.
        self.peer.expire_all();
        let mut fresh = self.start(None);
        let (line, _) = fresh.until(&["ready", "prompt", "failed"]).await;
        let recovered = match line.strip_prefix("prompt ") {
            Some(reason) => {
                assert!(reason.ends_with('.'), "{line}");
                Err(reason.to_owned())
            }
            None => {
                assert_eq!(line, "ready");
                fresh.order("call").await;
                assert_eq!(
                    fresh.until(&["call", "prompt", "refused"]).await.0,
                    "called"
                );
                Ok(())
            }
        };
        #[cfg(target_os = "linux")]
        if let Some(id) = fresh.child.id() {
            let args = std::fs::read(format!("/proc/{id}/cmdline")).unwrap();
            assert!(!String::from_utf8_lossy(&args).contains(CANARY));
        }
        fresh.kill().await;
        if recovered.is_err() {
            let server = self.program().add(&self.peer).await;
            server.begin();
            server.authorize().await;
            server.tools().await;
            server.call("read", 1).await;
            server.close().await;
        }
        recovered
    }

    /// True if a new start lists a token that can be deleted.
    async fn lists_token(&self) -> bool {
        let stored = self.program().stored(CredentialKind::Token).await;
        !stored.is_empty()
    }

    fn program(&self) -> Program {
        Program::start_in(self.folder.clone(), self.place.store())
    }

    fn refreshes(&self) -> usize {
        self.peer.token_requests("refresh_token").len()
    }
}

/// Kills a process at each step of its secret store during a refresh. Returns the names of the steps.
async fn killed_at_every_step(service: Option<&str>, padding: usize, rotate: bool) -> Vec<String> {
    let scene = Scene::set(service, padding, rotate).await;
    let mut names = Vec::new();
    for point in 0..MOST_POINTS {
        let before = scene.refreshes();
        let mut victim = scene.start(Some(point));
        victim.until(&["ready"]).await;
        victim.order("refresh").await;
        let stop = format!("point {point} ");
        let (last, passed) = victim
            .until(&[&stop, "refreshed", "prompt", "refused"])
            .await;
        let asked = scene.refreshes() > before;
        let written = passed
            .iter()
            .chain([&last])
            .any(|line| line.ends_with("after set"));
        victim.kill().await;
        let Some(name) = last.strip_prefix(&stop) else {
            assert_eq!(last, "refreshed");
            assert_eq!(
                scene.recovers().await,
                Ok(()),
                "a finished refresh is a refresh"
            );
            return names;
        };
        names.push(name.to_owned());
        // Once the server gave out the new token and took back the old one, nobody can have it who
        // did not write it down.
        let gone = rotate && asked && !written;
        let recovered = scene.recovers().await;
        assert_eq!(
            recovered.is_err(),
            gone,
            "killed {name} (point {point}), asked: {asked}, written: {written}: {recovered:?}"
        );
    }
    panic!("a refresh has more than {MOST_POINTS} steps: {names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_any_two_steps_keeps_what_can_be_kept() {
    let names = killed_at_every_step(None, 0, true).await;
    println!("{names:?}");
    for step in ["before set", "after set"] {
        assert!(names.iter().any(|name| name == step), "{names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_costs_nothing_where_refresh_tokens_do_not_rotate() {
    killed_at_every_step(None, 0, false).await;
}

/// A kill at a random moment also hits locks, files and other steps without a name.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_at_any_moment_costs_nothing_where_refresh_tokens_do_not_rotate() {
    let scene = Scene::set(None, 0, false).await;
    for delay in 0..20 {
        let mut victim = scene.start(None);
        victim.until(&["ready"]).await;
        victim.order("refresh").await;
        tokio::time::sleep(Duration::from_millis(delay)).await;
        victim.kill().await;
        assert_eq!(scene.recovers().await, Ok(()), "killed after {delay} ms");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_signing_out_leaves_the_token_or_none() {
    let scene = Scene::set(None, 0, true).await;
    let mut names = Vec::new();
    for point in 0..MOST_POINTS {
        let mut victim = scene.start(Some(point));
        victim.until(&["ready"]).await;
        victim.order("sign-out").await;
        let stop = format!("point {point} ");
        let (last, passed) = victim.until(&[&stop, "signed out", "refused"]).await;
        let removed = passed
            .iter()
            .chain([&last])
            .any(|line| line.ends_with("after remove"));
        victim.kill().await;
        // The user wants to be signed out, so the server forgets the token first; until that is
        // removed the settings list it.
        let listed = scene.lists_token().await;
        assert!(listed || removed, "killed at {last}");
        let signed_in = scene.recovers().await.is_ok();
        assert!(!signed_in || !removed, "killed at {last}");
        match last.strip_prefix(&stop) {
            Some(name) => names.push(name.to_owned()),
            None => {
                assert_eq!(last, "signed out");
                assert!(names.iter().any(|name| name == "after remove"), "{names:?}");
                return;
            }
        }
    }
    panic!("signing out has more than {MOST_POINTS} steps: {names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_the_answer_is_on_its_way_is_said_plainly() {
    for rotate in [true, false] {
        let scene = Scene::set(None, 0, rotate).await;
        scene
            .peer
            .configure(|options| options.hold_tokens = Some(Gate::new()));
        let mut victim = scene.start(None);
        victim.until(&["ready"]).await;
        victim.order("refresh").await;
        scene.peer.refreshes_requested(1).await;
        victim.kill().await;
        scene.peer.configure(|options| options.hold_tokens = None);
        let recovered = scene.recovers().await;
        assert_eq!(recovered.is_err(), rotate, "{recovered:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_lost_is_said_plainly() {
    let scene = Scene::set(None, 0, true).await;
    scene.peer.configure(|options| options.drop_tokens = 1);
    let mut victim = scene.start(None);
    victim.until(&["ready"]).await;
    victim.order("refresh").await;
    victim.until(&["prompt", "refused", "failed"]).await;
    victim.kill().await;
    assert!(scene.recovers().await.is_err());
    assert_eq!(scene.recovers().await, Ok(()), "signed in again");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
async fn a_kill_with_the_real_keyring_keeps_what_can_be_kept() {
    for (padding, rotate) in [(0, true), (6_000, true), (6_000, false)] {
        let service = format!(
            "dev.sonde.test.crash.{}.{padding}.{rotate}",
            std::process::id()
        );
        killed_at_every_step(Some(&service), padding, rotate).await;
    }
}

/// A long token has several keyring entries; the process dies at each of them.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
async fn a_kill_while_a_long_token_is_written_damages_nothing() {
    let service = format!("dev.sonde.test.torn.{}", std::process::id());
    let scene = Scene::set(Some(&service), 20_000, false).await;
    for delay in (0..40).step_by(2) {
        let mut victim = scene.start(None);
        victim.until(&["ready"]).await;
        victim.order("refresh").await;
        let mut line = String::new();
        while !line.ends_with("before set") {
            line = victim.line().await;
        }
        tokio::time::sleep(Duration::from_millis(delay)).await;
        victim.kill().await;
        assert_eq!(
            scene.recovers().await,
            Ok(()),
            "killed {delay} ms after the writing began"
        );
    }
}

//! Lookup of the `PATH` that the user's login shell sets.
//!
//! An application started by double-click gets a minimal `PATH` from the system; only the shell's startup files add the
//! folders of `npx`, `uvx` and similar programs.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{sync::Mutex, time::Instant};

const LIMIT: Duration = Duration::from_secs(5);

/// Pause before a shell that did not answer as in a terminal is asked again. Servers that start together share an
/// answer.
const RETRY_PAUSE: Duration = Duration::from_secs(60);

/// The `PATH` of a login shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginShellPath {
    /// The folders.
    pub path: OsString,
    /// The shell was interactive, as in a terminal. If not, startup files for interactive shells are missing.
    pub interactive: bool,
}

/// The last `PATH` that was read.
struct Cache {
    path: Option<LoginShellPath>,
    asked: Option<Instant>,
    /// A preview shows it: what starts after the preview gets the same.
    shown: bool,
}

impl Cache {
    const EMPTY: Self = Self {
        path: None,
        asked: None,
        shown: false,
    };

    async fn path(
        &mut self,
        preview: bool,
        read: impl Future<Output = Option<LoginShellPath>>,
    ) -> Option<LoginShellPath> {
        let interactive = self.path.as_ref().is_some_and(|path| path.interactive);
        let recent = self.asked.is_some_and(|at| at.elapsed() < RETRY_PAUSE);
        if !interactive && !recent && (preview || !self.shown) {
            self.path = read.await.or(self.path.take());
            self.asked = Some(Instant::now());
        }
        self.shown |= preview;
        self.path.clone()
    }
}

/// Returns the login shell's `PATH`, read once and then cached; an answer that is not that of an interactive shell is
/// read again after a minute, but only for another preview once a `preview` has shown it. `None` if there is no login
/// shell or it did not respond within five seconds. Always `None` on Windows, where programs started by double-click
/// already have the user's `PATH`.
pub async fn login_shell_path(preview: bool) -> Option<LoginShellPath> {
    static CACHE: Mutex<Cache> = Mutex::const_new(Cache::EMPTY);
    if cfg!(windows) {
        return None;
    }
    let read = async {
        let path = read_login_shell_path(&shell(), LIMIT).await;
        tracing::debug!(found = path.is_some(), "asked the login shell for its PATH");
        path
    };
    CACHE.lock().await.path(preview, read).await
}

fn shell() -> PathBuf {
    let fallback = if cfg!(target_os = "macos") {
        "/bin/zsh"
    } else {
        "/bin/sh"
    };
    std::env::var_os("SHELL")
        .filter(|shell| !shell.is_empty())
        .map_or_else(|| fallback.into(), PathBuf::from)
}

/// Asks one shell for its `PATH`: first as an interactive login shell, since many startup files set it only there, then
/// as a plain login shell. Each may take half of `limit`.
async fn read_login_shell_path(shell: &Path, limit: Duration) -> Option<LoginShellPath> {
    for (interactive, flags) in [(true, &["-i", "-l", "-c"][..]), (false, &["-l", "-c"])] {
        if let Some(path) = ask(shell, flags, limit / 2).await {
            return Some(LoginShellPath { path, interactive });
        }
    }
    None
}

#[cfg(unix)]
async fn ask(shell: &Path, flags: &[&str], limit: Duration) -> Option<OsString> {
    use std::{os::unix::ffi::OsStringExt as _, process::Stdio};

    use tokio::io::AsyncReadExt as _;

    use super::group::{self, Group};

    /// Surrounds the `PATH` in the output, since startup files may print anything before and after it.
    const MARK: &[u8] = b"sonde-path-mark";
    const QUESTION: &str = "echo sonde-path-mark; printenv PATH; echo sonde-path-mark";
    /// Limit of the output in bytes: more than any `PATH` with other output around it.
    const MAX_OUTPUT: u64 = 1024 * 1024;

    let mut command = group::command(shell);
    command
        .args(flags)
        .arg(QUESTION)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(home) = std::env::var_os("HOME") {
        command.current_dir(home);
    }
    // Dropping the group ends the shell and the processes that its startup files began.
    let mut shell = Group::spawn(command, None).ok()?;
    let (stdin, mut stdout, mut stderr) = shell.streams();
    drop(stdin);
    let mut output = Vec::new();
    let mut noise = tokio::io::sink();
    let _ = tokio::time::timeout(limit, async {
        let read = async {
            let mut chunk = [0; 4096];
            while output.len() < MAX_OUTPUT as usize {
                match stdout.read(&mut chunk).await {
                    Ok(count) if count > 0 => output.extend_from_slice(&chunk[..count]),
                    _ => break,
                }
                // A background process of the startup files may hold the pipe open.
                if between(&output, MARK).is_some() {
                    break;
                }
            }
        };
        tokio::select! {
            () = read => {}
            () = async {
                let _ = tokio::io::copy(&mut stderr, &mut noise).await;
                std::future::pending::<()>().await;
            } => {}
        }
    })
    .await;
    let path = between(&output, MARK)?.trim_ascii();
    (!path.is_empty()).then(|| OsString::from_vec(path.to_vec()))
}

#[cfg(windows)]
async fn ask(_: &Path, _: &[&str], _: Duration) -> Option<OsString> {
    None
}

/// Returns the text between the first two marks that are each on a line of their own.
#[cfg(unix)]
fn between<'a>(text: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    let line = [mark, b"\n"].concat();
    let start = memchr::memmem::find(text, &line)? + line.len();
    let length = memchr::memmem::find(&text[start..], &line)?;
    Some(&text[start..start + length])
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    /// Serializes tests: a fork in one test while another writes its script would make that script busy.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

    fn shell(folder: &Path, body: &str) -> PathBuf {
        let path = folder.join("shell");
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_lasts_while_a_preview_shows_it_and_none_replaces_it() {
        let found = |interactive| {
            let path = "/bin".into();
            Some(LoginShellPath { path, interactive })
        };
        let (plain, full) = (found(false), found(true));
        let mut cache = Cache::EMPTY;
        for (preview, read, expected) in [
            (false, &None, &None),
            (false, &plain, &plain),
            (false, &None, &plain),
            (true, &plain, &plain),
            (false, &full, &plain),
            (true, &full, &full),
            (false, &plain, &full),
        ] {
            let got = cache.path(preview, async { read.clone() }).await;
            assert_eq!(got, *expected);
            let got = cache
                .path(preview, async { panic!("asked too soon") })
                .await;
            assert_eq!(got, *expected);
            tokio::time::advance(RETRY_PAUSE).await;
        }
    }

    #[tokio::test]
    async fn noise_around_the_answer_does_not_matter() {
        let _one = ONE_AT_A_TIME.lock().await;
        let folder = tempfile::tempdir().unwrap();
        let shell = shell(
            folder.path(),
            r#"echo "welcome"; printf 'no line end'; echo; PATH="/from/rc:$PATH"; export PATH
for last; do :; done; eval "$last"; sleep 60 & echo bye"#,
        );
        let path = read_login_shell_path(&shell, Duration::from_secs(60))
            .await
            .unwrap();
        assert!(path.path.to_str().unwrap().starts_with("/from/rc:"));
        assert!(path.interactive);
    }

    #[tokio::test]
    async fn an_interactive_shell_that_fails_is_asked_plainly() {
        let _one = ONE_AT_A_TIME.lock().await;
        let folder = tempfile::tempdir().unwrap();
        let shell = shell(
            folder.path(),
            r#"[ "$1" = -i ] && exit 3; shift; PATH=/plain:/bin:/usr/bin; export PATH; sh "$@""#,
        );
        let path = read_login_shell_path(&shell, Duration::from_secs(60)).await;
        let plain = LoginShellPath {
            path: "/plain:/bin:/usr/bin".into(),
            interactive: false,
        };
        assert_eq!(path, Some(plain));
    }

    #[tokio::test]
    async fn a_shell_that_hangs_or_is_missing_gives_none() {
        let _one = ONE_AT_A_TIME.lock().await;
        let folder = tempfile::tempdir().unwrap();
        let limit = Duration::from_millis(200);
        let hangs = shell(folder.path(), "sleep 60");
        assert_eq!(read_login_shell_path(&hangs, limit).await, None);
        assert_eq!(
            read_login_shell_path(&folder.path().join("missing"), limit).await,
            None
        );
    }
}

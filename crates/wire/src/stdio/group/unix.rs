use std::{io, os::unix::process::ExitStatusExt as _, sync::Arc, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::{
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    time::{Instant, sleep},
};

use crate::{ExitStatus, stdio::Watchdog};

/// Interval of checks if a group has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A process group. Dropping it kills its remaining members.
#[derive(Debug)]
pub(crate) struct Group {
    child: Child,
    id: Pid,
    watchdog: Option<Arc<Watchdog>>,
    gone: bool,
}

impl Group {
    pub(crate) fn spawn(mut command: Command, watchdog: Option<Arc<Watchdog>>) -> io::Result<Self> {
        let child = command.process_group(0).kill_on_drop(true).spawn()?;
        let id = child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()))
            .ok_or_else(|| io::Error::other("the child process has no id"))?;
        let group = Self {
            child,
            id,
            watchdog,
            gone: false,
        };
        if let Some(watchdog) = &group.watchdog
            && let Err(error) = watchdog.watch(group.pid())
        {
            tracing::warn!(%error, "no watchdog watches the child process");
        }
        Ok(group)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.id.as_raw_nonzero().get().cast_unsigned()
    }

    /// Returns the child's streams. Every caller pipes all three and takes them only once, so they exist.
    pub(crate) fn streams(&mut self) -> (ChildStdin, ChildStdout, ChildStderr) {
        (
            self.child.stdin.take().expect("stdin is piped"),
            self.child.stdout.take().expect("stdout is piped"),
            self.child.stderr.take().expect("stderr is piped"),
        )
    }

    /// Waits for the exit of the leader. May be called again, and dropped at any time.
    pub(crate) async fn wait(&mut self) -> ExitStatus {
        match self.child.wait().await {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => ExitStatus::Code(code),
                (None, Some(signal)) => ExitStatus::Signal(signal),
                (None, None) => ExitStatus::Unknown,
            },
            Err(_) => ExitStatus::Unknown,
        }
    }

    /// Asks every member to exit. `false` on systems that cannot ask.
    pub(crate) fn terminate(&self) -> bool {
        let _ = kill_process_group(self.id, Signal::TERM);
        true
    }

    /// Ends every member.
    pub(crate) fn kill(&mut self) {
        let _ = kill_process_group(self.id, Signal::KILL);
    }

    /// Returns true if the group has members. A dead member counts until its parent has collected it.
    pub(crate) fn has_members(&self) -> bool {
        test_kill_process_group(self.id).is_ok()
    }

    /// Waits until the group has no members, at most `limit`.
    pub(crate) async fn emptied(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while self.has_members() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(POLL_INTERVAL).await;
        }
        true
    }

    /// Marks the group as ended: its id may soon belong to another process.
    pub(crate) fn forget(&mut self) {
        self.gone = true;
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.release(self.pid());
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.gone {
            self.kill();
            self.forget();
        }
    }
}

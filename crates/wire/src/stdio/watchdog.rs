//! A second process that ends child processes when Sonde dies without ending them.
//!
//! A killed process cannot clean up. So a tiny process waits beside it: it receives every process group over its
//! standard input and, when that closes, ends the groups still registered. On Windows job objects do the same, and the
//! watchdog does nothing.

use std::{
    collections::BTreeSet,
    io::{self, BufRead as _, BufReader, Read},
    path::PathBuf,
    sync::Arc,
};

/// The hidden argument that turns an executable into the watchdog: its `main` calls [`run`] and returns.
pub const ARGUMENT: &str = "--sonde-watchdog";

/// Watches over child processes, one per application.
#[derive(Debug)]
pub struct Watchdog {
    #[cfg(unix)]
    inner: unix::Watch,
}

impl Watchdog {
    /// Starts the watchdog: `exe` with [`ARGUMENT`].
    ///
    /// # Errors
    ///
    /// The error of the system when the process cannot be started.
    pub fn start(exe: PathBuf) -> io::Result<Arc<Self>> {
        #[cfg(unix)]
        return Ok(Arc::new(Self {
            inner: unix::Watch::start(exe)?,
        }));
        #[cfg(not(unix))]
        {
            let _ = exe;
            Ok(Arc::new(Self {}))
        }
    }

    /// Registers a process group. Restarts the watchdog if it died.
    #[cfg(unix)]
    pub(super) fn watch(&self, group: u32) -> io::Result<()> {
        self.inner.add(group)
    }

    /// Removes a process group that is gone.
    #[cfg(unix)]
    pub(super) fn release(&self, group: u32) {
        self.inner.remove(group);
    }

    /// Pretends to the watchdog that this process died, so that it ends all registered groups. The last resort of an
    /// application that cannot exit in order.
    #[cfg(unix)]
    pub fn abandon(&self) {
        self.inner.abandon();
    }

    /// The watchdog's own process id, for tests and diagnostics.
    #[cfg(unix)]
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.inner.pid()
    }
}

/// Runs the watchdog: reads registrations until `input` ends, then ends every process group still registered, first by
/// request, two seconds later by force.
pub fn run(input: impl Read) {
    let mut groups = BTreeSet::new();
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { break };
        match (line.get(..1), line.get(1..).map(str::parse::<u32>)) {
            (Some("+"), Some(Ok(group))) => {
                groups.insert(group);
            }
            (Some("-"), Some(Ok(group))) => {
                groups.remove(&group);
            }
            _ => {}
        }
    }
    #[cfg(unix)]
    unix::end(&groups);
}

#[cfg(unix)]
mod unix {
    use std::{
        io::Write as _,
        os::unix::process::CommandExt as _,
        process::{Child, Stdio},
        sync::{Mutex, PoisonError},
        thread::sleep,
        time::Duration,
    };

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

    use super::{ARGUMENT, BTreeSet, PathBuf, io};

    #[derive(Debug)]
    pub(super) struct Watch {
        exe: PathBuf,
        state: Mutex<State>,
    }

    #[derive(Debug)]
    struct State {
        process: Child,
        groups: BTreeSet<u32>,
    }

    impl Watch {
        pub(super) fn start(exe: PathBuf) -> io::Result<Self> {
            let process = process(&exe)?;
            Ok(Self {
                exe,
                state: Mutex::new(State {
                    process,
                    groups: BTreeSet::new(),
                }),
            })
        }

        pub(super) fn add(&self, group: u32) -> io::Result<()> {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.groups.insert(group);
            if state.write_line('+', group).is_ok() {
                return Ok(());
            }
            // The watchdog died or was killed. A new one must learn of all groups.
            let _ = state.process.kill();
            let _ = state.process.wait();
            state.process = process(&self.exe)?;
            let groups = state.groups.clone();
            groups
                .into_iter()
                .try_for_each(|group| state.write_line('+', group))
        }

        pub(super) fn remove(&self, group: u32) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.groups.remove(&group);
            // A failure does not matter: the next registration replaces a dead watchdog.
            let _ = state.write_line('-', group);
        }

        pub(super) fn abandon(&self) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            drop(state.process.stdin.take());
        }

        pub(super) fn pid(&self) -> Option<u32> {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            Some(state.process.id())
        }
    }

    impl State {
        /// Writes a few bytes into a pipe that the watchdog empties at once, so this does not block.
        fn write_line(&mut self, sign: char, group: u32) -> io::Result<()> {
            let Some(stdin) = self.process.stdin.as_mut() else {
                return Err(io::ErrorKind::BrokenPipe.into());
            };
            stdin.write_all(format!("{sign}{group}\n").as_bytes())
        }
    }

    impl Drop for Watch {
        /// Closes the watchdog's input. With no group left, the watchdog just exits.
        fn drop(&mut self) {
            let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
            drop(state.process.stdin.take());
            if state.groups.is_empty() {
                let _ = state.process.wait();
            }
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the watchdog is a child process of the stdio transport's own"
    )]
    fn process(exe: &std::path::Path) -> io::Result<Child> {
        std::process::Command::new(exe)
            .arg(ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A signal to the application's own group must not reach the watchdog.
            .process_group(0)
            .spawn()
    }

    pub(super) fn end(groups: &BTreeSet<u32>) {
        const POLL: Duration = Duration::from_millis(20);
        const POLLS: u32 = 100;

        let groups = groups
            .iter()
            .filter(|group| **group > 1)
            .filter_map(|group| Pid::from_raw(group.cast_signed()))
            .collect::<Vec<_>>();
        for group in &groups {
            let _ = kill_process_group(*group, Signal::TERM);
        }
        for _ in 0..POLLS {
            if groups
                .iter()
                .all(|group| test_kill_process_group(*group).is_err())
            {
                return;
            }
            sleep(POLL);
        }
        for group in &groups {
            let _ = kill_process_group(*group, Signal::KILL);
        }
    }
}

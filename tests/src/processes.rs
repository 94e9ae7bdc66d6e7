//! The processes below a test: their list, and a check that none stays behind.
//!
//! The test adopts orphans: a process that loses its parent becomes a child of the test instead of one of `init`. So
//! everything that a test started, directly or not, is found below it.

use std::{
    collections::HashSet,
    fs,
    sync::{Mutex, Once, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, Result};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open, set_child_subreaper,
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    process::{Child, Command},
    time::timeout,
};

/// A process as `/proc` lists it. Two are equal if their ids and start times are: the state may change.
#[derive(Clone, Debug)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Id of the parent.
    pub parent: u32,
    /// Start time in clock ticks since the system's start: distinguishes two processes that had the same id one after
    /// the other.
    pub started: u64,
    state: char,
}

/// Processes that tests start and end themselves, by id and start time.
static OWN: Mutex<Option<HashSet<(u32, u64)>>> = Mutex::new(None);

impl PartialEq for Process {
    fn eq(&self, other: &Self) -> bool {
        (self.pid, self.started) == (other.pid, other.started)
    }
}

impl Eq for Process {}

impl Process {
    /// Returns the process with this id, if there is one.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // `pid (name) state parent …`; a name may contain anything.
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        Some(Self {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
            state: fields.first()?.chars().next()?,
        })
    }

    /// True if the process still runs. A zombie, which waits for its parent to collect it, does not.
    #[must_use]
    pub fn runs(&self) -> bool {
        Self::of(self.pid).is_some_and(|now| now.started == self.started && now.is_running())
    }

    /// Also true for a process whose first thread is dead: it holds its files and locks until its last thread ends.
    fn is_running(&self) -> bool {
        let threads =
            || fs::read_dir(format!("/proc/{}/task", self.pid)).map_or(0, Iterator::count);
        match self.state {
            'X' => false,
            'Z' => threads() > 1,
            _ => true,
        }
    }

    /// Formats id, state and command line, for messages.
    #[must_use]
    pub fn describe(&self) -> String {
        let line = fs::read(format!("/proc/{}/cmdline", self.pid)).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let state = Self::of(self.pid).map_or(self.state, |now| now.state);
        let short: String = line.trim().chars().take(160).collect();
        format!("{} ({state}) {short}", self.pid)
    }

    /// Waits for the end of the process.
    ///
    /// # Errors
    ///
    /// If the system cannot be asked.
    pub async fn ended(&self) -> Result<()> {
        let Some(pid) = Pid::from_raw(self.pid.cast_signed()) else {
            return Ok(());
        };
        let watched = match pidfd_open(pid, PidfdFlags::NONBLOCK) {
            Ok(watched) => watched,
            Err(rustix::io::Errno::SRCH) => return Ok(()),
            Err(error) => return Err(error).context("watching a process"),
        };
        // The descriptor may refer to another process with the reused id, so check again.
        if self.runs() {
            #[expect(
                deprecated,
                reason = "the safe constructor; it suits a descriptor that is owned, as this one is"
            )]
            let watched = AsyncFd::with_interest(watched, Interest::READABLE)?;
            let _ = watched.readable().await?;
        }
        Ok(())
    }

    /// Kills the process.
    pub fn kill(&self) {
        if self.runs()
            && let Some(pid) = Pid::from_raw(self.pid.cast_signed())
        {
            // The process may end at this moment.
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    /// Asks the process to end.
    pub fn terminate(&self) {
        if self.runs()
            && let Some(pid) = Pid::from_raw(self.pid.cast_signed())
        {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

/// Formats one line for each process.
#[must_use]
pub fn describe(processes: &[Process]) -> String {
    let lines: Vec<String> = processes.iter().map(Process::describe).collect();
    lines.join("\n")
}

/// Makes this process the parent of all orphans below it.
pub fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Any id means true. If the system refuses, orphans are not seen.
        let _ = set_child_subreaper(Some(getpid()));
    });
}

/// Starts a process of the test's own, which [`strays`] ignores together with processes below it. It is killed when its
/// handle is dropped.
///
/// # Errors
///
/// If it does not start.
pub fn spawn(command: &mut Command) -> Result<Child> {
    adopt_orphans();
    let child = command
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("starting {:?}", command.as_std().get_program()))?;
    if let Some(process) = child.id().and_then(Process::of) {
        OWN.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_default()
            .insert((process.pid, process.started));
    }
    Ok(child)
}

/// Returns the peak memory of a process, in bytes.
pub fn peak_memory(pid: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1));
    let kibibytes: u64 = kibibytes.context("Linux names the peak")?.parse()?;
    Ok(kibibytes * 1024)
}

/// Lists all processes of this computer.
///
/// # Errors
///
/// If `/proc` cannot be read.
pub fn all() -> Result<Vec<Process>> {
    Ok(fs::read_dir("/proc")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Process::of)
        .filter(Process::is_running)
        .collect())
}

/// Returns the processes below a process, the nearest first.
///
/// # Errors
///
/// If `/proc` cannot be read.
pub fn below(pid: u32) -> Result<Vec<Process>> {
    let all = all()?;
    Ok(descendants(&all, pid, |_| true))
}

/// Returns the processes below this one, except the test's own and those below them.
///
/// # Errors
///
/// If `/proc` cannot be read.
pub fn strays() -> Result<Vec<Process>> {
    let all = all()?;
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let own = own.unwrap_or_default();
    Ok(descendants(&all, std::process::id(), |process| {
        !own.contains(&(process.pid, process.started))
    }))
}

fn descendants(all: &[Process], pid: u32, follow: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![pid];
    while let Some(parent) = parents.pop() {
        for child in all.iter().filter(|one| one.parent == parent && follow(one)) {
            parents.push(child.pid);
            found.push(child.clone());
        }
    }
    found
}

/// Resets the peak of this process's memory, and returns the current use in MiB. Other tests in the process count too,
/// so a test with a limit needs a process of its own.
///
/// # Errors
///
/// If the system does not report the use.
pub fn restart_peak() -> Result<u64> {
    std::fs::write("/proc/self/clear_refs", "5")?;
    peak()
}

/// Returns the peak memory of this process since [`restart_peak`], in MiB.
///
/// # Errors
///
/// If the system does not report it.
pub fn peak() -> Result<u64> {
    Ok(peak_memory(std::process::id())? >> 20)
}

/// Waits until none of these processes runs, and returns those that still do after `limit`.
///
/// # Errors
///
/// If the system cannot be asked.
pub async fn outlive(processes: &[Process], limit: Duration) -> Result<Vec<Process>> {
    let ends = async {
        for process in processes {
            process.ended().await?;
        }
        Ok(())
    };
    match timeout(limit, ends).await {
        Ok(ended) => ended.map(|()| Vec::new()),
        Err(_) => Ok(processes.iter().filter(|one| one.runs()).cloned().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper() -> Command {
        #[expect(clippy::disallowed_methods, reason = "a process to look at")]
        let mut command = Command::new("sleep");
        command.arg("600");
        command
    }

    #[tokio::test]
    async fn own_processes_are_no_strays_and_their_end_is_noticed() {
        let mut child = spawn(&mut sleeper()).expect("it starts");
        let process = Process::of(child.id().expect("it runs")).expect("it is listed");
        assert!(process.runs());
        assert!(!strays().expect("readable").contains(&process));
        assert!(
            below(std::process::id())
                .expect("readable")
                .contains(&process)
        );
        let still = outlive(std::slice::from_ref(&process), Duration::from_millis(1)).await;
        assert_eq!(still.expect("readable"), std::slice::from_ref(&process));
        process.kill();
        let still = outlive(std::slice::from_ref(&process), Duration::from_secs(60)).await;
        assert_eq!(still.expect("readable"), []);
        assert!(!process.runs(), "dead, though nobody has asked for it yet");
        child.wait().await.expect("it ended");
    }

    #[tokio::test]
    async fn what_somebody_else_started_is_a_stray() {
        adopt_orphans();
        let mut child = sleeper().kill_on_drop(true).spawn().expect("it starts");
        let process = Process::of(child.id().expect("it runs")).expect("it is listed");
        assert!(strays().expect("readable").contains(&process));
        child.kill().await.expect("it ends");
    }
}

//! Start time and memory of processes, from `/proc`.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, Result};

/// Clock ticks per second in `/proc/<pid>/stat`: 100 on every Linux that a desktop runs.
const TICKS: f64 = 100.0;

/// Milliseconds since the Unix epoch.
pub(crate) fn now_millis() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

/// The running process whose program is this file: the youngest, if there are several.
pub(crate) fn running(program: &Path) -> Result<u32> {
    let program = fs::canonicalize(program)?;
    let mut found = None;
    for pid in all()? {
        let same = fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program);
        // A watchdog is the same program, as a child of the app.
        let child_of_found = parent(pid).is_some_and(|parent| found == Some(parent));
        if same && !child_of_found {
            found = Some(pid);
        }
    }
    found.with_context(|| format!("{} does not run", program.display()))
}

/// When a process was started, in milliseconds since the Unix epoch, to about 10 ms.
pub(crate) fn started_at(pid: u32) -> Result<f64> {
    let ticks: f64 = stat(pid)
        .and_then(|fields| fields.get(19)?.parse().ok())
        .context("the process is gone")?;
    // `btime` of /proc/stat has whole seconds only; the moment at which the uptime moves on is
    // known far better.
    let first = uptime()?;
    let boot = loop {
        let now = uptime()?;
        if now > first {
            break now_millis() - now * 1e3;
        }
    };
    Ok(boot + ticks / TICKS * 1e3)
}

/// The memory of a process and all below it, in MiB: proportional set size by program name.
pub(crate) fn memory(root: u32) -> Result<BTreeMap<String, f64>> {
    let parents: Vec<(u32, Option<u32>)> =
        all()?.into_iter().map(|pid| (pid, parent(pid))).collect();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&pid) = tree.get(next) {
        tree.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == Some(pid))
                .map(|(child, _)| *child),
        );
        next += 1;
    }
    let mut memory = BTreeMap::new();
    for pid in tree {
        let Ok(text) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
            continue;
        };
        let kib: f64 = text
            .lines()
            .find_map(|line| line.strip_prefix("Pss:"))
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|number| number.parse().ok())
            .unwrap_or(0.0);
        let name = fs::read_link(format!("/proc/{pid}/exe"))
            .ok()
            .and_then(|exe| Some(exe.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_default();
        *memory.entry(name).or_insert(0.0) += kib / 1024.0;
    }
    Ok(memory)
}

/// The sum of [`memory`].
pub(crate) fn total(memory: &BTreeMap<String, f64>) -> f64 {
    memory.values().sum()
}

fn uptime() -> Result<f64> {
    let text = fs::read_to_string("/proc/uptime")?;
    let first = text.split(' ').next().context("/proc/uptime is empty")?;
    Ok(first.parse()?)
}

fn all() -> Result<Vec<u32>> {
    let mut pids: Vec<u32> = fs::read_dir("/proc")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    pids.sort_unstable();
    Ok(pids)
}

fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// The fields of `/proc/<pid>/stat` that follow the program's name, from the state on.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

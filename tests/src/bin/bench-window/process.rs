//! Start time and memory of processes, from `/proc`.

use std::{
    collections::BTreeMap,
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, Result};
use sonde_tests::processes::{self, Process};

/// Clock ticks per second in `/proc/<pid>/stat`: 100 on every Linux desktop.
const TICKS: f64 = 100.0;

/// Returns the milliseconds since the Unix epoch.
pub(crate) fn now_millis() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

/// Returns the start time of a process, in milliseconds since the Unix epoch, to about 10 ms.
pub(crate) fn started_at(process: &Process) -> Result<f64> {
    // `btime` of /proc/stat has only whole seconds; the moment at which the uptime changes is known far more precisely.
    let first = uptime()?;
    let boot = loop {
        let now = uptime()?;
        if now > first {
            break now_millis() - now * 1e3;
        }
    };
    Ok(boot + process.started as f64 / TICKS * 1e3)
}

/// Returns the memory of a process and all below it, in MiB: proportional set size by program name, and for Sonde's
/// helpers by their argument.
pub(crate) fn memory(root: u32) -> Result<BTreeMap<String, f64>> {
    let below = processes::below(root)?.into_iter().map(|one| one.pid);
    let mut memory = BTreeMap::new();
    for pid in [root].into_iter().chain(below) {
        let Ok(text) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
            continue;
        };
        let kib: f64 = text
            .lines()
            .find_map(|line| line.strip_prefix("Pss:"))
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|number| number.parse().ok())
            .unwrap_or(0.0);
        let mut name = fs::read_link(format!("/proc/{pid}/exe"))
            .ok()
            .and_then(|exe| Some(exe.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_default();
        let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if let Some(helper) = line.split('\0').find(|arg| arg.starts_with("--sonde-")) {
            name += &format!(" {helper}");
        }
        *memory.entry(name).or_insert(0.0) += kib / 1024.0;
    }
    Ok(memory)
}

/// Adds up [`memory`].
pub(crate) fn total(memory: &BTreeMap<String, f64>) -> f64 {
    memory.values().sum()
}

fn uptime() -> Result<f64> {
    let text = fs::read_to_string("/proc/uptime")?;
    let first = text.split(' ').next().context("/proc/uptime is empty")?;
    Ok(first.parse()?)
}

//! A step of a chore: its name, its time, and its output if it fails.

use std::{
    fs::{self, File},
    io::{self, IsTerminal as _, Write as _},
    iter,
    panic::resume_unwind,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::project;

/// Limit of the last lines of a failed command that are shown.
const END: usize = 40;

/// Runs `work` under a name and prints how long it took.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("▸ {name}");
    let begin = Instant::now();
    let result = work();
    let took = seconds(begin.elapsed());
    match &result {
        Ok(_) => println!("  ✓ {name} ({took})"),
        Err(_) => println!("  ✗ {name} ({took})"),
    }
    result
}

/// Formats a time: `1.2 s`, `3 min 04 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// Formats lines of cells as columns, aligned to the left or to the right.
pub(crate) fn columns<const N: usize>(
    lines: &[[String; N]],
    is_left: impl Fn(usize) -> bool,
) -> String {
    let mut text = String::new();
    for line in lines {
        let mut padded = String::new();
        for (column, cell) in line.iter().enumerate() {
            let widths = lines.iter().map(|line| line[column].chars().count());
            let width = widths.max().unwrap_or(0);
            padded += &if is_left(column) {
                format!("  {cell:width$}")
            } else {
                format!("  {cell:>width$}")
            };
        }
        text += padded.trim_end();
        text.push('\n');
    }
    text
}

/// Works on items in a number of threads. Returns the results in the order of the items.
pub(crate) fn in_threads<'a, T: Sync, R: Send>(
    items: &'a [T],
    threads: usize,
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<R> {
    let waiting = Mutex::new(items.iter().enumerate());
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next()
    };
    let worker = || -> Vec<(usize, R)> {
        iter::from_fn(next)
            .map(|(at, item)| (at, work(item)))
            .collect()
    };
    let mut results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Destination of a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Shown to the reader at once, because the output is the purpose.
    Shown,
    /// Written to a file; its end is shown if the command fails.
    Kept,
}

/// Runs a command as a step, and shows its output only when it fails.
pub(crate) fn quiet(name: &str, command: &mut Command) -> Result<()> {
    step(name, || run(name, command, Output::Kept))
}

/// Runs a command as a step, and shows its output.
pub(crate) fn loud(name: &str, command: &mut Command) -> Result<()> {
    step(name, || run(name, command, Output::Shown))
}

/// Runs a command as part of a step that already has a name. It starts in the project's root unless it sets another
/// folder.
pub(crate) fn run(name: &str, command: &mut Command, output: Output) -> Result<()> {
    if command.get_current_dir().is_none() {
        command.current_dir(project::root());
    }
    command.stdin(Stdio::null());
    match output {
        Output::Shown => {
            let status = command
                .status()
                .with_context(|| format!("starting {:?}", command.get_program()))?;
            if !status.success() {
                bail!("{name} failed ({status})");
            }
            Ok(())
        }
        Output::Kept => run_into_log(name, command),
    }
}

/// Runs a command as part of a step, with its output in a file.
pub(crate) fn silent(name: &str, command: &mut Command) -> Result<()> {
    run(name, command, Output::Kept)
}

fn run_into_log(name: &str, command: &mut Command) -> Result<()> {
    let log = log_file(name)?;
    let output = File::create(&log).with_context(|| format!("writing {}", log.display()))?;
    let mut child = command
        .stdout(output.try_clone()?)
        .stderr(output)
        .spawn()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    let begin = Instant::now();
    let terminal = io::stdout().is_terminal();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if terminal {
            print!("\r  … {}", seconds(begin.elapsed()));
            io::stdout().flush()?;
        }
        thread::sleep(Duration::from_millis(100));
    };
    if terminal {
        print!("\r\x1b[2K");
    }
    if status.success() {
        return Ok(());
    }
    let text = fs::read(&log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let end = lines[lines.len().saturating_sub(END)..].join("\n");
    bail!(
        "{name} failed ({status}); all of its output: {}\n{end}",
        log.display()
    )
}

/// Returns the output of a command, without space at its end.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    let said = String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned();
    if !output.status.success() {
        bail!(
            "{command:?} failed ({}): {said} {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(said)
}

/// Runs git in the project and returns its output.
pub(crate) fn git(args: &[&str]) -> Result<String> {
    output(Command::new("git").current_dir(project::root()).args(args))
}

fn log_file(name: &str) -> Result<PathBuf> {
    let folder = project::cache_path("xtask");
    fs::create_dir_all(&folder)?;
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    Ok(folder.join(format!("{safe}.log")))
}

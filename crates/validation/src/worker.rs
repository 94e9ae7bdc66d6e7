//! The worker process: an executable that only checks values if it is called with [`ARGUMENT`].
//!
//! Requests and replies are lines of JSON over its standard input and output. The process ends as soon as its input
//! does, even during a check, so that it never outlives the app.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    sync::mpsc,
    thread,
};

use serde::{Deserialize, Serialize};

use super::{ArgumentProblem, ValidateError, checker::Checker};

/// The hidden argument that turns an executable into the worker: its `main` calls [`run`] and returns.
pub const ARGUMENT: &str = "--sonde-validation-worker";
/// Limit of a worker's data in bytes. A schema and a value of the largest sizes need about half of it.
pub const MEMORY: u64 = 512 << 20;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) schema: String,
    /// The value; `None` to check only the schema.
    pub(super) instance: Option<String>,
}

pub(super) type Reply = Result<Vec<ArgumentProblem>, ValidateError>;

/// Runs the worker: answers requests until standard input ends.
///
/// # Errors
/// The error of the system if the memory limit cannot be set or a reply cannot be written.
pub fn run() -> io::Result<()> {
    limit_memory()?;
    let (send, requests) = mpsc::sync_channel(0);
    thread::spawn(move || {
        for line in BufReader::new(io::stdin()).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    let mut checker = Checker::default();
    let mut out = io::stdout().lock();
    for line in requests {
        let request: Request = serde_json::from_str(&line)?;
        let reply: Reply = checker.check(request.schema, request.instance.as_deref());
        serde_json::to_writer(&mut out, &reply)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

/// Sets a limit beyond which an allocation fails, which ends the process.
#[cfg(target_os = "linux")]
fn limit_memory() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let hard = getrlimit(Resource::Data).maximum;
    let maximum = Some(hard.map_or(MEMORY, |hard| hard.min(MEMORY)));
    let limit = Rlimit {
        current: maximum,
        maximum,
    };
    Ok(setrlimit(Resource::Data, limit)?)
}

/// Starts a thread that ends the process beyond the limit, since these systems enforce none.
#[cfg(not(target_os = "linux"))]
fn limit_memory() -> io::Result<()> {
    const EVERY: std::time::Duration = std::time::Duration::from_millis(10);

    thread::Builder::new().spawn(|| {
        while memory_stats::memory_stats().is_none_or(|usage| (usage.physical_mem as u64) < MEMORY)
        {
            thread::sleep(EVERY);
        }
        std::process::abort();
    })?;
    Ok(())
}

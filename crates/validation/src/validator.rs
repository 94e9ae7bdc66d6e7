//! Distribution of checks to worker processes.

use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard},
    time::{Instant, sleep, timeout},
};

use super::{
    ArgumentProblem, ValidateError,
    checker::Checker,
    worker::{ARGUMENT, Reply, Request},
};

/// Time limit of a check. A longer check is ended with its process.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// Wait for the first worker before the second is used. Starting a process takes longer than most checks.
const FIRST_WORKER_WAIT: Duration = Duration::from_millis(50);
/// Pause before a schema whose check was stopped is tried again: one server must not occupy the workers for all others.
const RETRY_PAUSE: Duration = Duration::from_secs(60);
/// Limit of the values remembered as valid. A value is often checked again at once: before sending, in each call of a
/// load, in each attempt of a step.
const MAX_VALID: usize = 16;
/// Limit of a remembered value with its schema, in bytes.
const VALID_BYTES: usize = 64 << 10;
/// Limit of the schemas remembered as stopped.
const MAX_STOPPED: usize = 256;

/// Checks arguments and structured results against the schemas of tools. Clones share the workers.
#[derive(Clone, Debug)]
pub struct Validator {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    program: Option<PathBuf>,
    /// The second one checks what comes while the first one has a long check.
    workers: [AsyncMutex<Option<Worker>>; 2],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Requests that had no problems; most recently used last.
    valid: VecDeque<Request>,
    /// Time and reason of stopped checks, by the hash of the schema.
    stopped: HashMap<u64, (Instant, ValidateError)>,
}

impl Validator {
    /// Creates a validator. `program` is an executable whose `main` calls [`worker::run`](super::worker::run); it
    /// starts with the first check. Without a program, checks run in this process, without limits of memory or time:
    /// for tests.
    #[must_use]
    pub fn new(program: Option<PathBuf>) -> Self {
        Self {
            shared: Arc::new(Shared {
                program,
                workers: Default::default(),
                state: Mutex::default(),
            }),
        }
    }

    /// Checks that a schema (JSON text) can validate values.
    ///
    /// # Errors
    /// If it is not valid JSON, not an object, of an unknown dialect, invalid in its dialect, or beyond a limit; if
    /// nothing can be checked.
    pub async fn check_schema(&self, schema: String) -> Result<(), ValidateError> {
        let checked = self.check(Request {
            schema,
            instance: None,
        });
        checked.await.map(|_| ())
    }

    /// Checks a value against a schema, both as JSON text; returns at most 100 problems. A schema without
    /// `$schema` is read as 2020-12 (specification 2025-11-25, "JSON Schema usage").
    ///
    /// # Errors
    /// If the schema is invalid, the value is not valid JSON, or a limit was exceeded.
    pub async fn problems(
        &self,
        schema: String,
        instance: String,
    ) -> Result<Vec<ArgumentProblem>, ValidateError> {
        self.check(Request {
            schema,
            instance: Some(instance),
        })
        .await
    }

    async fn check(&self, request: Request) -> Reply {
        let Some(program) = &self.shared.program else {
            let check =
                move || Checker::default().check(request.schema, request.instance.as_deref());
            return match tokio::task::spawn_blocking(check).await {
                Ok(reply) => reply,
                Err(error) => Err(ValidateError::Unavailable(error.to_string())),
            };
        };
        if self.shared.state().is_known_valid(&request) {
            return Ok(Vec::new());
        }
        let key = hash(&request.schema);
        if let Some(why) = self.stopped(key) {
            return Err(why);
        }
        let mut place = self.shared.worker().await;
        // The previous user of the worker may have stopped this schema.
        if let Some(why) = self.stopped(key) {
            return Err(why);
        }
        let why = loop {
            // A used worker also keeps what earlier schemas were compiled to, so it may run out of memory because of
            // them. Only a fresh worker proves that this schema needs too much.
            let (mut worker, fresh) = match place.take() {
                Some(worker) => (worker, false),
                None => match Worker::start(program) {
                    Ok(worker) => (worker, true),
                    Err(error) => return Err(ValidateError::Unavailable(error.to_string())),
                },
            };
            match timeout(CHECK_TIMEOUT, worker.ask(&request)).await {
                Ok(Ok(reply)) => {
                    *place = Some(worker);
                    if reply.as_ref().is_ok_and(Vec::is_empty) {
                        self.shared.state().keep_valid(request);
                    }
                    return reply;
                }
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a validation worker ended");
                    if fresh {
                        break ValidateError::TooMuchMemory;
                    }
                }
                Err(_) => break ValidateError::TooLong,
            }
            // Dropping the worker ends its process.
        };
        let mut state = self.shared.state();
        state
            .stopped
            .retain(|_, (at, _)| at.elapsed() < RETRY_PAUSE);
        if state.stopped.len() < MAX_STOPPED {
            state.stopped.insert(key, (Instant::now(), why.clone()));
        }
        Err(why)
    }

    fn stopped(&self, key: u64) -> Option<ValidateError> {
        let state = self.shared.state();
        let (at, why) = state.stopped.get(&key)?;
        (at.elapsed() < RETRY_PAUSE).then(|| why.clone())
    }
}

impl Shared {
    /// Waits for the place of a worker, which is empty if its process does not run.
    async fn worker(&self) -> AsyncMutexGuard<'_, Option<Worker>> {
        let [first, second] = &self.workers;
        let after_wait = async {
            sleep(FIRST_WORKER_WAIT).await;
            second.lock().await
        };
        tokio::select! {
            biased;
            place = first.lock() => place,
            place = after_wait => place,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_known_valid(&mut self, request: &Request) -> bool {
        let place = self.valid.iter().position(|known| known == request);
        let known = place.and_then(|place| self.valid.remove(place));
        let is_known = known.is_some();
        self.valid.extend(known);
        is_known
    }

    fn keep_valid(&mut self, request: Request) {
        let instance = request.instance.as_ref().map_or(0, String::len);
        if request.schema.len() + instance > VALID_BYTES {
            return;
        }
        if self.valid.len() == MAX_VALID {
            self.valid.pop_front();
        }
        self.valid.push_back(request);
    }
}

fn hash(schema: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    schema.hash(&mut hasher);
    hasher.finish()
}

#[derive(Debug)]
struct Worker {
    /// Dropping the child ends the process.
    _process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    #[expect(
        clippy::disallowed_methods,
        reason = "not a server: a program of the app, with nothing of a user's in its arguments"
    )]
    fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .arg(ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut process = command.spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self {
            _process: process,
            input,
            output: BufReader::new(output),
        })
    }

    async fn ask(&mut self, request: &Request) -> io::Result<Reply> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        self.input.write_all(&line).await?;
        let mut reply = String::new();
        if self.output.read_line(&mut reply).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_str(&reply)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(instance: &str) -> Request {
        Request {
            schema: "{}".to_owned(),
            instance: Some(instance.to_owned()),
        }
    }

    #[test]
    fn the_last_valid_values_are_known_within_a_limit() {
        let mut state = State::default();
        for number in 0..MAX_VALID {
            state.keep_valid(request(&number.to_string()));
        }
        assert!(state.is_known_valid(&request("0")));
        state.keep_valid(request("new"));
        assert!(state.is_known_valid(&request("0")));
        assert!(state.is_known_valid(&request("new")));
        assert!(!state.is_known_valid(&request("1")));
        let large = "1".repeat(VALID_BYTES);
        state.keep_valid(request(&large));
        assert!(!state.is_known_valid(&request(&large)));
        assert_eq!(state.valid.len(), MAX_VALID);
    }
}

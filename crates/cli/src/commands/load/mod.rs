//! `sonde load`: calls a tool many times at once and measures.

mod k6;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use hdrhistogram::Histogram;
use serde_json::json;
use sonde_client::{
    catalogs::CatalogKind,
    operations::{OperationNumber, OperationOutcome},
};
use sonde_record::text::{cut, visible as one_line};
use tokio::time::Instant;

use super::call::input;
use crate::{
    Context,
    arguments::JsonArguments,
    console::{BOLD, Console, RED, print, print_text, styled},
    content::{ask, outcome},
    exit::{Exit, Failed, Result},
    servers::ServerArgs,
    session::{Session, with_session},
    units::{count, duration, rate, show_duration},
};

/// Percentiles that are printed.
const PERCENTILES: [(&str, f64); 5] = [
    ("p50", 50.0),
    ("p90", 90.0),
    ("p95", 95.0),
    ("p99", 99.0),
    ("max", 100.0),
];
/// Largest share of the whole time that the last request may be late; beyond it, the rate was not reached.
const MAX_LATE_SHARE: f64 = 0.05;
/// Time that the last request may always be late.
const ALLOWED_LATENESS: Duration = Duration::from_millis(100);
/// Reasons of failures that are printed.
const REASONS: usize = 5;
/// The longest time that is measured, in microseconds.
const LONGEST: u64 = 3_600_000_000;

/// Call a tool again and again over several sessions, and measure
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "sonde load [OPTIONS] SERVER TOOL [NAME=VALUE]...\n       \
                      sonde load [OPTIONS] TOOL [NAME=VALUE]... -- COMMAND...",
    after_help = "\
Times are measured from the request to its response. With --rate, a request that had to wait for its turn counts from
the time at which it was due.

Examples:
  sonde load everything echo message=hi --sessions 4 --requests 1000
  sonde load https://example.com/mcp search query=x --duration 30s --rate 50 --max-p95 200ms
  sonde load https://example.com/mcp search query=x --sessions 500 --duration 10m --k6 load.js"
)]
pub(crate) struct Load {
    /// Server, tool and arguments
    #[arg(required = true, value_name = "SERVER TOOL NAME=VALUE")]
    words: Vec<String>,
    #[command(flatten)]
    json_arguments: JsonArguments,
    /// Concurrent sessions; each has one request in flight
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    sessions: u16,
    /// Total number of requests
    #[arg(long, default_value_t = 100, conflicts_with = "duration", value_parser = clap::value_parser!(u64).range(1..))]
    requests: u64,
    /// Duration, instead of a number of requests
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
    /// Requests per second over all sessions; without it, as fast as responses come
    #[arg(long, value_name = "NUMBER", value_parser = rate)]
    rate: Option<f64>,
    /// Fail if the 95th percentile is longer
    #[arg(long, value_name = "TIME", value_parser = duration)]
    max_p95: Option<Duration>,
    /// Write a script for k6 that makes these requests from many computers, in place of making them; the tool is
    /// called once
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    k6: Option<PathBuf>,
    /// Print the measurements as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// The work that the sessions share.
struct Shared {
    /// Set by the first session that is open.
    begun: OnceLock<Instant>,
    next: AtomicU64,
    requests: Option<u64>,
    duration: Option<Duration>,
    /// Time between two requests.
    pace: Option<Duration>,
    measured: RefCell<Measurements>,
}

/// Measurements of all sessions up to now.
struct Measurements {
    times: Histogram<u64>,
    failed: u64,
    /// End of the last request. A server may take seconds to end after it.
    last_end: Option<Instant>,
    /// Time between the moment at which the last request was due and its start.
    lateness: Duration,
    /// The first reasons of failures, and their numbers.
    reasons: BTreeMap<String, u64>,
}

impl Load {
    pub(crate) async fn run(&self, context: &Context) -> Result<Exit> {
        let (server, words) = self.server.resolve(&self.words)?;
        let Some((tool, words)) = words.split_first() else {
            return Err(Failed::usage("Name the tool to run."));
        };
        if self.server.log.is_some() && self.sessions > 1 && self.k6.is_none() {
            return Err(Failed::usage(
                "`--log` is for one connection: use it with one session.",
            ));
        }
        let given = self.json_arguments.read(words)?;
        if let Some(path) = &self.k6 {
            if !server.hidden.is_empty() {
                return Err(Failed::usage(
                    "The script would show the value from the environment that is in the address. Send it in a header.",
                ));
            }
            return with_session(context, &self.server, &server, async |session| {
                session.require_version()?;
                let listed = session.list(CatalogKind::Tools).await?;
                let input = input(session, &listed, tool, words, given)?;
                ask(session, input, false, async |_, _, _| Ok(())).await?;
                let script = k6::script(session, &server, self)?;
                std::fs::write(path, script).map_err(|error| Failed::not_written(path, &error))?;
                Ok(Exit::Success)
            })
            .await;
        }
        let shared = Shared {
            begun: OnceLock::new(),
            next: AtomicU64::new(0),
            requests: self.duration.is_none().then_some(self.requests),
            duration: self.duration,
            pace: self.rate.map(|rate| Duration::from_secs_f64(1.0 / rate)),
            measured: RefCell::new(Measurements::new()?),
        };
        // The server's log messages would hide everything else.
        let quiet = Context {
            console: Console::new(true),
            stop: context.stop.clone(),
        };
        let session = || {
            let given = given.clone();
            with_session(&quiet, &self.server, &server, async |session| {
                work(session, &shared, tool, words, given).await
            })
        };
        let sessions = (0..self.sessions).map(|_| session());
        let tell = |words: &str| context.console.say(&styled(RED, words));
        let ended = join_all(sessions).await;
        let stopped = ended.into_iter().find_map(Result::err);
        let all = shared.measured.into_inner();
        let begun = shared.begun.get().zip(all.last_end);
        let took = begun.map(|(begun, end)| end - *begun).unwrap_or_default();
        if all.times.is_empty() && all.failed == 0 {
            return Err(stopped.unwrap_or_else(|| Failed::incomplete("No request was made.")));
        }
        self.print(&all, took);
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        let p95 = Duration::from_micros(all.times.value_at_percentile(95.0));
        let asked = self
            .rate
            .filter(|_| all.lateness > took.mul_f64(MAX_LATE_SHARE).max(ALLOWED_LATENESS));
        Ok(match (self.max_p95, asked) {
            _ if all.failed > 0 => Exit::ErrorResponse,
            (Some(limit), _) if p95 > limit => {
                let (p95, limit) = (show_duration(p95), show_duration(limit));
                tell(&format!(
                    "The gate failed: the 95th percentile is {p95}, the limit {limit}."
                ));
                Exit::GateFailed
            }
            (_, Some(rate)) => {
                tell(&format!(
                    "The rate of {rate} in a second was not reached: the responses take too long for {}. Add \
                     sessions with --sessions.",
                    count(self.sessions.into(), "session")
                ));
                Exit::Incomplete
            }
            _ => Exit::Success,
        })
    }

    fn print(&self, all: &Measurements, took: Duration) {
        let rate = all.per_second(took);
        if self.json {
            let mut times = serde_json::Map::new();
            for (name, percentile) in PERCENTILES {
                let micros = all.times.value_at_percentile(percentile);
                // Requests that failed have no times.
                let micros = (!all.times.is_empty()).then_some(micros);
                times.insert(format!("{name}_us"), json!(micros));
            }
            let whole = json!({
                "requests": all.times.len() + all.failed,
                "failed": all.failed,
                "failures": all.reasons,
                "seconds": took.as_secs_f64(),
                "per_second": rate,
                "asked_per_second": self.rate,
                "max_p95_us": self.max_p95.map(|limit| limit.as_micros() as u64),
                "sessions": self.sessions,
                "times": times,
            });
            return print_text(&whole.to_string());
        }
        let requests = usize::try_from(all.times.len() + all.failed).unwrap_or(usize::MAX);
        print(&format!(
            "{} in {} over {}: {rate:.1} in a second, {} failed.",
            count(requests, "request"),
            show_duration(took),
            count(self.sessions.into(), "session"),
            all.failed,
        ));
        for (reason, times) in &all.reasons {
            print(&styled(RED, format!("  {times} × {}", one_line(reason))));
        }
        // Failed requests have no times.
        let percentiles = PERCENTILES.iter().filter(|_| !all.times.is_empty());
        for (name, percentile) in percentiles {
            let percentile = *percentile;
            let time = Duration::from_micros(all.times.value_at_percentile(percentile));
            print(&format!(
                "  {}  {}",
                styled(BOLD, name),
                show_duration(time)
            ));
        }
    }
}

impl Measurements {
    fn new() -> Result<Self> {
        let times = Histogram::new_with_bounds(1, LONGEST, 3)
            .map_err(|error| Failed::incomplete(error.to_string()))?;
        Ok(Self {
            times,
            failed: 0,
            last_end: None,
            lateness: Duration::ZERO,
            reasons: BTreeMap::new(),
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate needs no more digits")]
    fn per_second(&self, took: Duration) -> f64 {
        (self.times.len() + self.failed) as f64 / took.as_secs_f64()
    }

    /// Adds a request that was made, by its time in microseconds or by the reason of its failure.
    fn add(&mut self, done: std::result::Result<u64, String>) {
        self.last_end = Some(Instant::now());
        let reason = match done {
            Ok(micros) => return self.times.saturating_record(micros.max(1)),
            Err(reason) => reason,
        };
        self.failed += 1;
        if self.reasons.len() < REASONS || self.reasons.contains_key(&reason) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }
}

impl Shared {
    /// Returns the time at which the next request is due; `None` if all were sent.
    fn next(&self) -> Option<Instant> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if self.requests.is_some_and(|most| number >= most) {
            return None;
        }
        let begun = *self.begun.get_or_init(Instant::now);
        let due = match self.pace {
            Some(pace) => begun + pace.mul_f64(number as f64),
            None => Instant::now(),
        };
        let goes_on = |duration| due.max(Instant::now()) < begun + duration;
        self.duration.is_none_or(goes_on).then_some(due)
    }
}

/// The requests of one session.
async fn work(
    session: &Session,
    shared: &Shared,
    tool: &str,
    words: &[String],
    given: Option<String>,
) -> Result<()> {
    session.require_version()?;
    let listed = session.list(CatalogKind::Tools).await?;
    let input = input(session, &listed, tool, words, given)?;
    while let Some(due) = shared.next() {
        session.guard(tokio::time::sleep_until(due)).await?;
        shared.measured.borrow_mut().lateness = due.elapsed();
        let run = session.run(input.clone()).await?;
        let failure = match failure(session, run) {
            Err(failed) => match session.end().await {
                None => Some(failed.message),
                Some(end) => {
                    let mut measured = shared.measured.borrow_mut();
                    measured.add(Err(end.message.clone()));
                    return Err(end);
                }
            },
            Ok(failure) => failure,
        };
        let micros = u64::try_from(due.elapsed().as_micros()).unwrap_or(LONGEST);
        let done = failure.map_or(Ok(micros), Err);
        shared.measured.borrow_mut().add(done);
    }
    Ok(())
}

/// Returns the reason for which the response of a request is an error.
fn failure(session: &Session, run: OperationNumber) -> Result<Option<String>> {
    let outcome = outcome(session, run)?;
    match session.failure(&outcome) {
        None => Ok(match outcome {
            OperationOutcome::Result {
                is_error: true,
                content,
                ..
            } => {
                let text = content.into_iter().find_map(|block| block.text);
                let text = text.unwrap_or_else(|| "without a text".to_owned());
                Some(format!("The tool reported a failure: {}", cut(&text, 200)))
            }
            _ => None,
        }),
        Some(failed)
            if failed.exit == Exit::ErrorResponse
                || matches!(outcome, OperationOutcome::TimedOut { .. }) =>
        {
            Ok(Some(failed.message))
        }
        Some(failed) => Err(failed),
    }
}

//! The app's own log and crash reports. Neither ever holds a frame, a header or an argument: those belong to the wire
//! log, which knows what to redact. Only the user can read both.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use sonde_explorer::clock::now_millis;
use sonde_files::{private_file, private_folder};
use time::{Date, UtcDateTime};
use tracing::{Level, Subscriber};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{LevelFilter, filter_fn},
    fmt,
    layer::SubscriberExt as _,
    registry,
    registry::LookupSpan,
    util::SubscriberInitExt as _,
};

/// Limit of the kept files of the log, one per day.
const KEPT_LOGS: usize = 7;
/// Limit in bytes of a file of the log.
const LARGEST_LOG: u64 = 16 << 20;
/// Last line of a file that has reached the limit.
const FULL: &str = "The log of this day is full.\n";
/// Limit of the kept crash reports.
const KEPT_CRASHES: usize = 20;

/// Flushes the log when dropped.
pub(crate) struct Diagnostics {
    _guard: Option<WorkerGuard>,
}

/// Starts the log in `<data>/logs` and the panic hook that writes into `<data>/crashes`.
///
/// `SONDE_LOG` sets the level in the usual directive syntax (`debug`, `sonde_wire=trace`); the
/// default is `info`. A log that cannot be written is no reason not to start.
pub(crate) fn start(data_folder: &Path) -> Diagnostics {
    let logs = data_folder.join("logs");
    let appender = DailyLog::open(&logs);
    let guard = match appender {
        Ok(appender) => {
            let (writer, guard) = tracing_appender::non_blocking(appender);
            // A second call in one process (tests on the mock runtime) keeps the first log.
            let directives = std::env::var("SONDE_LOG").unwrap_or_default();
            let _ = registry()
                .with(filter(&directives))
                .with(fmt::layer().with_ansi(false).with_writer(writer))
                .try_init();
            Some(guard)
        }
        Err(error) => {
            eprintln!("Sonde cannot write its log to {}: {error}", logs.display());
            None
        }
    };
    let crashes = data_folder.join("crashes");
    let inherited = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        write_crash(&crashes, panic);
        inherited(panic);
    }));
    Diagnostics { _guard: guard }
}

/// Creates the filter of the log. Libraries log from `info` upwards only: below, some write whole frames and headers.
fn filter<S: Subscriber + for<'a> LookupSpan<'a>>(directives: &str) -> impl Layer<S> {
    let levels = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .parse(directives)
        .unwrap_or_else(|_| EnvFilter::new("info"));
    levels.and_then(filter_fn(|about| {
        let is_own = about.target() == "start" || about.target().starts_with("sonde");
        is_own || *about.level() <= Level::INFO
    }))
}

/// Writes a report of a panic. The process may be about to abort (if the system called into it), so this touches only
/// the file system.
fn write_crash(folder: &Path, panic: &std::panic::PanicHookInfo<'_>) {
    let backtrace = std::backtrace::Backtrace::force_capture();
    let report = format!(
        "Sonde {} ({} {})\n{panic}\n\n{backtrace}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    save_crash(folder, &report);
}

fn save_crash(folder: &Path, report: &str) {
    // A report that others may read is better than none.
    let _ = private_folder(folder);
    keep_newest(folder, KEPT_CRASHES - 1);
    let path = folder.join(format!("crash-{:020}.txt", now_millis() as u64));
    if let Ok(mut file) = private_file(
        &path,
        OpenOptions::new().write(true).create(true).truncate(true),
    ) {
        let _ = file.write_all(report.as_bytes());
        let _ = file.sync_all();
    }
}

/// The app's log: one file per day (UTC), named by its date.
struct DailyLog {
    folder: PathBuf,
    day: Date,
    file: File,
}

impl DailyLog {
    fn open(folder: &Path) -> io::Result<Self> {
        // A log that others may read is better than none; the explorer warns about the data folder.
        let _ = private_folder(folder);
        let day = today();
        let log = Self {
            folder: folder.to_owned(),
            day,
            file: log_of(folder, day)?,
        };
        keep_newest(folder, KEPT_LOGS);
        Ok(log)
    }
}

impl Write for DailyLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let day = today();
        // If the new file cannot be created, the old one is used further.
        if day != self.day
            && let Ok(file) = log_of(&self.folder, day)
        {
            (self.day, self.file) = (day, file);
            keep_newest(&self.folder, KEPT_LOGS);
        }
        let size = self.file.metadata()?.len();
        if size >= LARGEST_LOG {
            return Ok(bytes.len());
        }
        let written = self.file.write(bytes)?;
        if size + written as u64 >= LARGEST_LOG {
            self.file.write_all(FULL.as_bytes())?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn log_of(folder: &Path, day: Date) -> io::Result<File> {
    let path = folder.join(format!("sonde.{day}.log"));
    private_file(&path, OpenOptions::new().append(true).create(true))
}

fn today() -> Date {
    let seconds = (now_millis() / 1_000.0) as i64;
    UtcDateTime::from_unix_timestamp(seconds)
        .unwrap_or(UtcDateTime::UNIX_EPOCH)
        .date()
}

/// Removes all files except those with the last names in order.
fn keep_newest(folder: &Path, count: usize) {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    for old in files.iter().rev().skip(count) {
        let _ = fs::remove_file(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_one_private_file_a_day_and_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("logs");
        fs::create_dir(&logs).unwrap();
        for day in 1..=9 {
            fs::write(logs.join(format!("sonde.2001-01-0{day}.log")), "old").unwrap();
        }
        let mut log = DailyLog::open(&logs).unwrap();
        log.write_all(b"one\n").unwrap();
        // Makes the open file yesterday's, as after midnight.
        log.day = log.day.previous_day().unwrap();
        log.write_all(b"two\n").unwrap();
        let mut names: Vec<_> = fs::read_dir(&logs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        assert_eq!(names.len(), KEPT_LOGS);
        let newest = names.last().unwrap();
        assert!(newest.ends_with(format!("sonde.{}.log", today())));
        assert_eq!(fs::read_to_string(newest).unwrap(), "one\ntwo\n");
        are_private(&logs, newest);
    }

    #[test]
    fn a_full_log_says_so_once_and_grows_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = DailyLog::open(folder.path()).unwrap();
        log.file.set_len(LARGEST_LOG - 1).unwrap();
        for line in ["last\n", "too many\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        let path = folder.path().join(format!("sonde.{}.log", log.day));
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(text.trim_start_matches('\0'), format!("last\n{FULL}"));
    }

    #[test]
    fn libraries_write_no_frames_into_the_log() {
        for (directives, own_level) in [
            ("trace", Level::TRACE),
            ("trace,tungstenite::protocol=trace", Level::TRACE),
            ("", Level::INFO),
            ("sonde_wire=loud", Level::INFO),
        ] {
            let log = registry().with(filter(directives));
            tracing::subscriber::with_default(log, || {
                use tracing::enabled;
                assert!(enabled!(target: "sonde_wire::http", Level::INFO));
                let finest = enabled!(target: "sonde_wire::http", Level::TRACE);
                assert_eq!(finest, own_level == Level::TRACE, "{directives}");
                assert!(!enabled!(target: "tungstenite::protocol", Level::TRACE));
                assert!(enabled!(target: "tungstenite::protocol", Level::INFO));
            });
        }
    }

    #[test]
    fn crash_reports_are_private_and_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let crashes = folder.path().join("crashes");
        fs::create_dir(&crashes).unwrap();
        for number in 0..30 {
            fs::write(crashes.join(format!("crash-{number:020}.txt")), "old").unwrap();
        }
        save_crash(&crashes, "new");
        let mut names: Vec<_> = fs::read_dir(&crashes)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        assert_eq!(names.len(), KEPT_CRASHES);
        let newest = names.last().unwrap();
        assert_eq!(fs::read_to_string(newest).unwrap(), "new");
        are_private(&crashes, newest);
    }

    #[cfg(not(unix))]
    fn are_private(_folder: &Path, _file: &Path) {}

    #[cfg(unix)]
    fn are_private(folder: &Path, file: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        for (path, mode) in [(folder, 0o700), (file, 0o600)] {
            let found = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{}", path.display());
        }
    }
}

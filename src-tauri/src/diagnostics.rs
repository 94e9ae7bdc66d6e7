//! The app's own log and crash reports. Neither ever holds a frame, a header or an argument: those
//! belong to the wire log, which knows what to redact.

use std::{fs, io::Write, path::Path};

use tracing_appender::{non_blocking::WorkerGuard, rolling};
use tracing_subscriber::EnvFilter;

/// Files of past days that are kept.
const KEPT_LOGS: usize = 7;
/// Crash reports that are kept.
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
    let filter = EnvFilter::try_from_env("SONDE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = data_folder.join("logs");
    let appender = rolling::Builder::new()
        .rotation(rolling::Rotation::DAILY)
        .filename_prefix("sonde")
        .filename_suffix("log")
        .max_log_files(KEPT_LOGS)
        .build(&logs);
    let guard = match appender {
        Ok(appender) => {
            let (writer, guard) = tracing_appender::non_blocking(appender);
            // A second call in one process (tests on the mock runtime) keeps the first log.
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_ansi(false)
                .with_writer(writer)
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

/// Writes where and why something in the app panicked. The process may be about to abort (where the
/// system called into it), so this touches nothing but the file system.
fn write_crash(folder: &Path, panic: &std::panic::PanicHookInfo<'_>) {
    let backtrace = std::backtrace::Backtrace::force_capture();
    let report = format!(
        "Sonde {} ({} {})\n{panic}\n\n{backtrace}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    let _ = fs::create_dir_all(folder);
    let mut taken: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    taken.sort();
    for old in taken.iter().rev().skip(KEPT_CRASHES - 1) {
        let _ = fs::remove_file(old);
    }
    let name = format!(
        "crash-{:020}.txt",
        sonde_explorer::clock::now_millis() as u64
    );
    if let Ok(mut file) = fs::File::create(folder.join(name)) {
        let _ = file.write_all(report.as_bytes());
        let _ = file.sync_all();
    }
}

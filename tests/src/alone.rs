//! Tests whose bound is memory, or that no other test may disturb, run in a process of their own.

use std::process::Command;

/// Set in the process of its own.
const ALONE: &str = "SONDE_TEST_ALONE";

/// Runs the test with this whole name in a process of its own. `true` in that process, where the test
/// goes on; `false` when it has passed there.
///
/// # Panics
/// When it cannot be run, and when it failed there.
#[must_use]
pub fn alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    #[expect(clippy::disallowed_methods, reason = "this very program, as a test")]
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    let status = command
        .args([test, "--exact", "--nocapture"])
        .env(ALONE, "1")
        .status()
        .expect("this program can be started again");
    assert!(status.success(), "{test} failed in its own process");
    false
}

/// The most memory that this process had at once, in MiB.
///
/// # Panics
/// Where the system does not say.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak() -> u64 {
    crate::processes::peak_memory(std::process::id()).expect("the system says it") >> 20
}

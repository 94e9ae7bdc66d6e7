//! Tests whose bound is memory, or that break something on purpose, run in a process of their own.

use std::process::Command;

/// Set in the process of its own.
const ALONE: &str = "SONDE_TEST_ALONE";

/// Runs the test with this whole name in a process of its own. `true` in that process, where the test
/// goes on; `false` when it has passed there.
pub(crate) fn alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    #[expect(clippy::disallowed_methods, reason = "this very program, as a test")]
    let mut command = Command::new(std::env::current_exe().unwrap());
    let status = command
        .args([test, "--exact", "--nocapture"])
        .env(ALONE, "1")
        .status()
        .unwrap();
    assert!(status.success(), "{test} failed in its own process");
    false
}

/// The most memory that this process had at once, in MiB.
#[cfg(target_os = "linux")]
pub(crate) fn peak() -> u64 {
    sonde_tests::processes::peak_memory(std::process::id()).unwrap() >> 20
}

//! The longest wait of all tests, those of `crates` included.

use std::time::Duration;

/// Returns far more time than a slow and busy machine needs, so that only a hang takes so long. `SONDE_TEST_LIMIT` sets
/// it in seconds.
pub(crate) fn limit() -> Duration {
    let given = std::env::var("SONDE_TEST_LIMIT").ok();
    Duration::from_secs(
        given
            .and_then(|seconds| seconds.parse().ok())
            .unwrap_or(180),
    )
}

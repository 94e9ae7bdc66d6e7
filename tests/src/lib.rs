//! Shared code of the tests: scripted peers and the real window.

use std::{
    fmt,
    ops::Deref,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

#[cfg(feature = "engine")]
pub mod app;
pub mod auth_peer;
pub mod broken_server;
#[cfg(feature = "engine")]
pub mod client;
pub mod costly_schemas;
#[cfg(feature = "bench")]
pub mod figures;
pub mod flaky;
#[cfg(feature = "engine")]
pub mod guarded;
pub mod http_peer;
mod limit;
pub mod mcp_peer;
pub mod opener;
pub mod port;
pub mod public_names;
pub mod record;
#[cfg(feature = "engine")]
pub mod secret_files;
pub mod self_signed;
pub mod stdio_peer;
pub mod task_peer;

// The real window is driven on Linux, where processes are listed below `/proc`.
#[cfg(target_os = "linux")]
pub mod http_server;
#[cfg(target_os = "linux")]
pub mod processes;
#[cfg(all(feature = "window", target_os = "linux"))]
mod driver;
#[cfg(all(feature = "window", target_os = "linux"))]
pub mod steps;
#[cfg(all(feature = "window", target_os = "linux"))]
pub mod window;
#[cfg(all(feature = "window", target_os = "linux"))]
mod x11;

/// Longest wait of any test before it fails.
pub static LIMIT: Limit = Limit(LazyLock::new(limit::limit));

/// See [`LIMIT`].
pub struct Limit(LazyLock<Duration>);

impl Deref for Limit {
    type Target = Duration;

    fn deref(&self) -> &Duration {
        &self.0
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

/// Returns the folder that cargo builds into.
#[must_use]
pub fn target_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

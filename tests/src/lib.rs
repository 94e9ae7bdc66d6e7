//! What the tests share: scripted peers and the real window.

use std::time::Duration;

pub mod alone;
pub mod auth_peer;
pub mod broken_server;
pub mod browser;
pub mod costly_schemas;
#[cfg(feature = "bench")]
pub mod figures;
pub mod http_peer;
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
pub mod auth_server;
#[cfg(all(feature = "window", target_os = "linux"))]
mod driver;
#[cfg(all(feature = "window", target_os = "linux"))]
pub mod steps;
#[cfg(all(feature = "window", target_os = "linux"))]
pub mod window;
#[cfg(all(feature = "window", target_os = "linux"))]
mod x11;

/// How long anything may take before a test fails: far more than it needs on a slow and busy machine,
/// so that only what hangs takes so long.
pub const LIMIT: Duration = Duration::from_secs(180);

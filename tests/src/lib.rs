//! What the tests share: scripted peers and the real window.

#[cfg(feature = "bench")]
pub mod figures;
pub mod browser;
pub mod auth_server;
pub mod http_peer;
pub mod auth_peer;
pub mod opener;
pub mod record;
pub mod self_signed;
pub mod stdio_peer;
#[cfg(feature = "engine")]
pub mod secret_files;
#[cfg(feature = "window")]
pub mod window;
#[cfg(feature = "window")]
pub mod steps;

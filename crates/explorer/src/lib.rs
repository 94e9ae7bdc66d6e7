//! The use cases of Sonde: servers, calls, wire log, validation, and what crosses to the window.
//! Knows nothing of Tauri: the whole app works and is tested without a window.

pub mod ipc;

mod clock;
pub mod document;
pub mod log;
pub mod validate;

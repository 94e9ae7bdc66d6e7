//! The desktop host: the only code that knows Tauri. It opens the window, passes each command to [`sonde_ipc::Backend`]
//! and each batch of events to the window.

// Keeps a release build for Windows from opening a console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod apps;
mod commands;
mod diagnostics;
mod instance;
mod page;
mod place;
mod platform;
mod signals;
#[cfg(target_os = "linux")]
mod drawing;
#[cfg(target_os = "linux")]
mod page_network;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod unresponsive;

/// Gives memory back to the system a second after it was freed; `.cargo/config.toml` has its settings.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let began = sonde_explorer::clock::now_millis();
    #[cfg(target_os = "linux")]
    {
        sandbox::enter();
        drawing::choose();
    }
    app::run(began);
}

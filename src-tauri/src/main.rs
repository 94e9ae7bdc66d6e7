//! The desktop host: the only code that knows Tauri. It opens the window, hands each command to
//! [`sonde_explorer::Explorer`] and each batch of events to the window.

// A release build for Windows opens no console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod commands;
mod diagnostics;
mod platform;

fn main() {
    // The watchdog is this same program: it outlives a killed app just long enough to end the
    // servers that the app had started. It must come before anything opens a window or a file.
    if std::env::args().nth(1).as_deref() == Some(sonde_wire::stdio::watchdog::ARGUMENT) {
        sonde_wire::stdio::watchdog::run(std::io::stdin());
        return;
    }
    app::run();
}

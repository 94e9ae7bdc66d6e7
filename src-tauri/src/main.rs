//! The desktop host: the only code that knows Tauri. It opens the window, hands each command to
//! [`sonde_ipc::Backend`] and each batch of events to the window.

// A release build for Windows opens no console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use sonde_validation::worker;
use sonde_wire::stdio::watchdog;

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
mod page_network;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod unresponsive;

fn main() {
    // Two other processes are this same program: the watchdog, which outlives a killed app just long
    // enough to end the servers that the app had started, and the one that checks values against
    // schemas. They must come before anything opens a window or a file.
    match std::env::args().nth(1).as_deref() {
        Some(watchdog::ARGUMENT) => watchdog::run(std::io::stdin()),
        Some(worker::ARGUMENT) => {
            if let Err(error) = worker::run() {
                eprintln!("{error}");
                std::process::exit(1);
            }
        }
        _ => {
            #[cfg(target_os = "linux")]
            sandbox::enter();
            app::run();
        }
    }
}

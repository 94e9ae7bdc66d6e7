//! The other processes of the app: the watchdog, which outlives a killed app just long enough to end the servers that
//! the app had started, and the workers that check values against schemas. A separate program, because loading the
//! libraries of the window would take each process 0.1 s and 12 MB.

// Keeps a release build for Windows from opening a console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use sonde_validation::worker;
use sonde_wire::stdio::watchdog;

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some(watchdog::ARGUMENT) => watchdog::run(std::io::stdin()),
        Some(worker::ARGUMENT) => worker::run()?,
        _ => eprintln!("Sonde starts this program itself."),
    }
    Ok(())
}

//! A Tauri window with nothing in it: what Sonde's start and memory are measured beside.

use std::{
    env, fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

fn main() {
    let began = now();
    let app = tauri::Builder::default().setup(move |_| {
        // The window of the configuration is there by now.
        let steps = [("main", began), ("window made", now())];
        Ok(log(&steps)?)
    });
    if let Err(error) = app.run(tauri::generate_context!()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock"
)]
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

/// Writes the steps of the start as Sonde's log does.
fn log(steps: &[(&str, f64)]) -> std::io::Result<()> {
    let Some(folder) = env::var_os("SONDE_DATA_DIR") else {
        return Ok(());
    };
    let lines: String = steps
        .iter()
        .map(|(step, at)| format!("step=\"{step}\" at={at}\n"))
        .collect();
    let folder = Path::new(&folder).join("logs");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("start.log"), lines)
}

//! A Tauri window with nothing in it: what Sonde's start and memory are measured beside.

fn main() {
    if let Err(error) = tauri::Builder::default().run(tauri::generate_context!()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

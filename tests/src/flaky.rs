//! Parts of a test that failed beside many others, but passed alone.

use std::{fs, path::Path};

/// Prints the name of a part of a test that failed beside others but passed alone, and saves its first failure in the
/// folder of `SONDE_FLAKY_DIR`.
///
/// # Panics
/// If the failure cannot be saved.
pub fn report(name: &str, first: &str) {
    println!("flaky: {name}");
    if let Some(folder) = std::env::var_os("SONDE_FLAKY_DIR") {
        let file = Path::new(&folder).join(format!("{}.txt", name.replace("::", ".")));
        let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, first));
        saved.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

//! Parts of a test that failed beside many others, and passed alone.

use std::{fs, path::Path};

/// Names on stdout a part of a test that failed beside others and passed alone, and saves its first failure in the
/// folder that `SONDE_FLAKY_DIR` names.
///
/// # Panics
/// When that cannot be saved.
pub fn report(name: &str, first: &str) {
    println!("flaky: {name}");
    if let Some(folder) = std::env::var_os("SONDE_FLAKY_DIR") {
        let file = Path::new(&folder).join(format!("{}.txt", name.replace("::", ".")));
        let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, first));
        saved.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

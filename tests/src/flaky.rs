//! Parts of a test that failed beside many others, but passed alone.

use std::{env, fs, path::Path};

/// Prints the name of a part of a test that failed beside others but passed alone, and saves its first failure in the
/// folder of `SONDE_FLAKY_DIR`, in a file named after the test, which cargo-nextest names.
///
/// # Panics
/// If the failure cannot be saved.
pub fn report(name: &str, first: &str) {
    println!("flaky: {name}");
    if let Some(folder) = env::var_os("SONDE_FLAKY_DIR") {
        let of_nextest = |name| env::var(name).unwrap_or_default();
        let (suite, test) = (
            of_nextest("NEXTEST_BINARY_ID"),
            of_nextest("NEXTEST_TEST_NAME"),
        );
        let title = format!("{suite} {test}::{name}").replace("::", ".");
        let file = Path::new(&folder).join(format!("{title}.txt"));
        let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, first));
        saved.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

//! Files of the app: written whole or not at all, kept when they are damaged, and locked between
//! processes. Folders and files that are made here are their owner's alone (on Unix, modes 0700 and
//! 0600). Every function blocks.

mod replace;
mod damaged;
mod lock;

pub use damaged::set_aside;
pub use lock::FileLock;
pub use replace::replace;

use std::{io, path::Path};

/// Makes the folder of a file, and those above it, where there is none.
fn make_folder_of(path: &Path) -> io::Result<&Path> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    Ok(folder)
}

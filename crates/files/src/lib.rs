//! Files of the app: written whole or not at all, kept when they are damaged, and locked between
//! processes. Folders and files that are made here are their owner's alone: on Unix by their modes,
//! 0700 and 0600. On Windows a new folder takes over the access control list of the one above it, which
//! for the app's is the user's profile: it admits the user, the system and its administrators, so there
//! is nothing to do. Every function blocks.

mod private;
mod replace;
mod damaged;
mod lock;

pub use damaged::set_aside;
pub use lock::FileLock;
pub use private::{private_file, private_folder};
pub use replace::{replace, rewrite};

use std::{io, path::Path};

/// Makes the folder of a file, and those above it, where there is none.
fn make_folder_of(path: &Path) -> io::Result<&Path> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    private::make_folder(folder)?;
    Ok(folder)
}

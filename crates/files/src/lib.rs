//! Files of the app: replaced whole, kept when they are damaged, and locked between processes. Folders and files
//! created here belong only to their owner: on Unix by their modes, 0700 and 0600. On Windows a new folder inherits the
//! access control list of its parent, which for the app is the user's profile: it admits the user, the system and its
//! administrators, so there is nothing to do. Every function blocks.

mod private;
mod replace;
mod damaged;
mod lock;

pub use damaged::set_aside;
pub use lock::FileLock;
pub use private::{private_file, private_folder};
pub use replace::{replace, rewrite};

use std::{io, path::Path};

/// Creates the folder of a file, and those above it, if missing.
fn make_folder_of(path: &Path) -> io::Result<&Path> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    private::make_folder(folder)?;
    Ok(folder)
}

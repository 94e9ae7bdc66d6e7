use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

/// Creates a folder, and those above it, if missing. Denies access to all others if it exists.
///
/// # Errors
/// The error of the system, or one if the folder belongs to another user, is meant for all users (like `/tmp`), or is
/// on a file system without permissions. The folder exists all the same, unless it could not be created.
pub fn private_folder(path: &Path) -> io::Result<()> {
    make_folder(path)?;
    #[cfg(unix)]
    close(path)?;
    Ok(())
}

/// Opens a file with these options and restricts it to its owner, whether it is new or exists.
///
/// # Errors
/// The error of the system.
pub fn private_file(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
        if file.metadata()?.permissions().mode() & OTHERS != 0 {
            // If the system refuses, the folder still denies access to others.
            let _ = file.set_permissions(Permissions::from_mode(0o600));
        }
    }
    Ok(file)
}

/// Creates a folder, and those above it, for its owner only, if missing.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Permissions of the owner's group and of everybody else.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// Removes the permissions of all but the owner from a folder.
#[cfg(unix)]
fn close(folder: &Path) -> io::Result<()> {
    use std::{
        fs::{Permissions, metadata},
        os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    };
    const STICKY: u32 = 0o1000;

    let found = metadata(folder)?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if found.mode() & OTHERS == 0 {
        return Ok(());
    }
    if found.mode() & STICKY != 0 {
        return Err(io::Error::other("it is a folder for all users"));
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    match metadata(folder)?.mode() & OTHERS {
        0 => Ok(()),
        _ => Err(io::Error::other("its file system keeps no permissions")),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{
        fs::Permissions,
        os::unix::fs::{PermissionsExt as _, chown},
    };

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn folders_are_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("deeper").join("new");
        private_folder(&new).unwrap();
        assert_eq!((mode(&new), mode(new.parent().unwrap())), (0o700, 0o700));
        set_mode(&new, 0o755);
        private_folder(&new).unwrap();
        assert_eq!(mode(&new), 0o700);
    }

    #[test]
    fn a_folder_for_all_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o1777);
        let refused = private_folder(folder.path()).unwrap_err().to_string();
        assert_eq!(refused, "it is a folder for all users");
        assert_eq!(mode(folder.path()), 0o1777);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o777);
        // Only root can give a folder away; other users have this one of root's.
        let other = match chown(folder.path(), Some(12_345), None) {
            Ok(()) => folder.path(),
            Err(_) => Path::new("/"),
        };
        let before = mode(other);
        let refused = private_folder(other).unwrap_err().to_string();
        assert_eq!(refused, "it belongs to another user");
        assert_eq!(mode(other), before);
    }

    #[test]
    fn files_are_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let open = || private_file(&path, OpenOptions::new().append(true).create(true)).unwrap();
        open();
        assert_eq!(mode(&path), 0o600);
        set_mode(&path, 0o664);
        open();
        assert_eq!(mode(&path), 0o600);
    }
}

use std::{
    fs::{File, Metadata},
    io::{self, Write as _},
    path::Path,
};

/// Replaces a file: a reader sees the old or the new content, even after a power cut. The folder is created if missing.
///
/// # Errors
/// The error of the system. Then the file is unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = crate::make_folder_of(path)?;
    // Readable only by its owner, like all temporary files of this library.
    let mut file = tempfile::Builder::new()
        .prefix(".sonde-")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The rename itself is recorded in the folder, so that is synced too. Some systems cannot open a folder; then this
    // must suffice.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Replaces a file of the user's own as [`replace`] does. It keeps its permissions; a new file has those of the user's
/// other files. Replaces a symbolic link itself.
///
/// # Errors
/// The error of the system. Then the file is unchanged.
pub fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = crate::make_folder_of(path)?;
    let before = std::fs::symlink_metadata(path).ok();
    let before = before
        .filter(Metadata::is_file)
        .map(|found| found.permissions());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sonde-");
    #[cfg(unix)]
    {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
        // The umask of the user is subtracted from this mode.
        builder.permissions(Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(before) = before {
        file.as_file().set_permissions(before)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("file.json");
        for text in ["one", "two"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("blocked");
        std::fs::create_dir(&blocked).unwrap();
        assert!(replace(&blocked, b"x").is_err());
        assert!(replace(&blocked.join("file"), b"x").is_ok());
        assert!(replace(&blocked.join("file").join("deeper"), b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_the_users_keeps_its_permissions_and_a_link_leads_nowhere() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        rewrite(&path, b"one").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o754)).unwrap();
        rewrite(&path, b"two").unwrap();
        assert_eq!(mode(&path), 0o754);
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        rewrite(&link, b"three").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read(&link).unwrap(), b"three");
    }

    #[cfg(unix)]
    #[test]
    fn others_see_neither_the_file_nor_its_folder() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("file");
        replace(&path, b"x").unwrap();
        for (path, mode) in [(path.as_path(), 0o600), (path.parent().unwrap(), 0o700)] {
            let permissions = std::fs::metadata(path).unwrap().permissions();
            assert_eq!(permissions.mode() & 0o777, mode, "{}", path.display());
        }
    }
}

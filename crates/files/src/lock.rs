use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

/// A lock between processes, held while this lives. The system gives it up when the process ends in
/// whatever way.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Takes the lock of this file, which is made where there is none; `None` while somebody else
    /// has it, in this process or another.
    ///
    /// # Errors
    /// When the file cannot be made, or the file system knows no locks.
    pub fn try_take(path: &Path) -> io::Result<Option<Self>> {
        crate::make_folder_of(path)?;
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let file = crate::private_file(path, &mut options)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("a.lock");
        let held = FileLock::try_take(&path).unwrap().unwrap();
        assert!(FileLock::try_take(&path).unwrap().is_none());
        drop(held);
        assert!(FileLock::try_take(&path).unwrap().is_some());
    }
}

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

/// A lock between processes, held until it is dropped. The system releases it however the process ends.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

impl FileLock {
    /// Takes the lock of this file, which is created if missing; `None` if another holder has it, in this process or
    /// another.
    ///
    /// # Errors
    /// If the file cannot be created, or the file system does not support locks.
    pub fn try_take(path: &Path) -> io::Result<Option<Self>> {
        crate::make_folder_of(path)?;
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let file = crate::private_file(path, &mut options)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Drop for FileLock {
    /// Closing the file is not enough: a process that is being started has a copy of the file until its own program
    /// runs, and that copy would keep the lock.
    fn drop(&mut self) {
        // If unlocking fails, closing the file has to suffice.
        self.file.unlock().ok();
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

    #[test]
    fn a_copy_of_the_file_in_another_process_keeps_nothing_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let held = FileLock::try_take(&path).unwrap().unwrap();
        let copy = held.file.try_clone().unwrap();
        drop(held);
        assert!(FileLock::try_take(&path).unwrap().is_some());
        drop(copy);
    }
}

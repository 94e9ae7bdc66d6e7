//! Lookup of the program that a command names, so that a failure can list the searched folders.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use crate::SpawnError;

/// The program to start, and its working directory.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) program: PathBuf,
    pub(super) cwd: Option<PathBuf>,
}

/// Resolves `command` as a system would: a bare name in the folders of `path`, a name with a separator relative to
/// `cwd`.
pub(super) fn locate(
    command: &str,
    cwd: Option<PathBuf>,
    path: &OsStr,
) -> Result<Located, SpawnError> {
    if let Some(folder) = &cwd
        && !folder.is_dir()
    {
        return Err(SpawnError::BadWorkingDirectory {
            path: folder.clone(),
        });
    }
    let is_path = command.contains('/') || (cfg!(windows) && command.contains('\\'));
    if is_path {
        let full = match &cwd {
            Some(folder) => folder.join(command),
            None => PathBuf::from(command),
        };
        let full = std::path::absolute(&full).unwrap_or(full);
        let program = candidate(&full).ok_or_else(|| SpawnError::NotFound {
            command: command.to_owned(),
            searched: Vec::new(),
        })?;
        if !is_executable(&program) {
            return Err(SpawnError::NotExecutable { path: program });
        }
        return Ok(Located { program, cwd });
    }

    let mut searched = Vec::new();
    let mut not_executable = None;
    for folder in std::env::split_paths(path) {
        // Some shells read an empty entry as the working directory, which could be abused to start another program.
        if folder.as_os_str().is_empty() || searched.contains(&folder) {
            continue;
        }
        if !command.is_empty()
            && let Some(program) = candidate(&folder.join(command))
        {
            if is_executable(&program) {
                let program = std::path::absolute(&program).unwrap_or(program);
                return Ok(Located { program, cwd });
            }
            not_executable.get_or_insert(program);
        }
        searched.push(folder);
    }
    Err(match not_executable {
        Some(path) => SpawnError::NotExecutable { path },
        None => SpawnError::NotFound {
            command: command.to_owned(),
            searched,
        },
    })
}

/// Creates the error of a program that was found but could not be started.
pub(super) fn explain(command: &str, program: &Path, source: io::Error) -> SpawnError {
    match source.kind() {
        io::ErrorKind::PermissionDenied => SpawnError::NotExecutable {
            path: program.to_path_buf(),
        },
        io::ErrorKind::NotFound => SpawnError::Io {
            command: command.to_owned(),
            source: io::Error::new(
                io::ErrorKind::NotFound,
                "the file exists, but the interpreter named in its first line does not",
            ),
        },
        _ => SpawnError::Io {
            command: command.to_owned(),
            source,
        },
    }
}

#[cfg(unix)]
fn candidate(path: &Path) -> Option<PathBuf> {
    path.is_file().then(|| path.to_path_buf())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Returns the file to start. On Windows `npx` is `npx.cmd`: the endings of `PATHEXT` are tried as well.
#[cfg(windows)]
fn candidate(path: &Path) -> Option<PathBuf> {
    which::which(path).ok()
}

#[cfg(windows)]
fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn file(folder: &Path, name: &str, mode: u32) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn a_name_is_searched_in_order_and_a_failure_says_where() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = std::env::join_paths([one.path(), two.path(), one.path()]).unwrap();
        file(one.path(), "tool", 0o644);
        fs::create_dir(one.path().join("other")).unwrap();
        let program = file(two.path(), "tool", 0o755);
        assert_eq!(locate("tool", None, &path).unwrap().program, program);

        let Err(SpawnError::NotFound { searched, .. }) = locate("other", None, &path) else {
            panic!("a directory is not a program");
        };
        assert_eq!(searched, [one.path(), two.path()]);
        assert!(matches!(
            locate("tool", None, one.path().as_os_str()),
            Err(SpawnError::NotExecutable { path }) if path == one.path().join("tool")
        ));
        assert!(matches!(
            locate("", None, &path),
            Err(SpawnError::NotFound { .. })
        ));
    }

    #[test]
    fn a_path_is_relative_to_the_working_directory() {
        let folder = tempfile::tempdir().unwrap();
        let program = file(folder.path(), "run", 0o755);
        let cwd = Some(folder.path().to_path_buf());
        assert_eq!(
            locate("./run", cwd.clone(), OsStr::new(""))
                .unwrap()
                .program,
            std::path::absolute(folder.path().join("./run")).unwrap()
        );
        assert_eq!(
            locate(program.to_str().unwrap(), None, OsStr::new(""))
                .unwrap()
                .program,
            program
        );
        assert!(matches!(
            locate("./missing", cwd, OsStr::new("/bin")),
            Err(SpawnError::NotFound { searched, .. }) if searched.is_empty()
        ));
        assert!(matches!(
            locate(
                "sh",
                Some(folder.path().join("missing")),
                OsStr::new("/bin")
            ),
            Err(SpawnError::BadWorkingDirectory { .. })
        ));
    }
}

use std::{
    io,
    path::{Path, PathBuf},
};

/// Limit of damaged files kept per name.
const KEPT: u32 = 10_000;

/// Renames a file that cannot be understood to `<name>.damaged-<n>.<extension>`, with the first free number, so that
/// the next write destroys nothing. Returns the new path.
///
/// # Errors
/// The error of the system, or one if 9,999 such files exist.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().display().to_string();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    for number in 1..KEPT {
        let aside = path.with_file_name(format!("{stem}.damaged-{number}.{extension}"));
        if !aside.exists() {
            std::fs::rename(path, &aside)?;
            return Ok(aside);
        }
    }
    Err(io::Error::other("too many damaged files already exist"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_numbered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        for number in 1..=3 {
            std::fs::write(&path, format!("bad {number}")).unwrap();
            let aside = set_aside(&path).unwrap();
            assert_eq!(
                aside.file_name().unwrap().to_str().unwrap(),
                format!("servers.damaged-{number}.json")
            );
            assert_eq!(
                std::fs::read_to_string(aside).unwrap(),
                format!("bad {number}")
            );
        }
        assert!(!path.exists());
        assert!(set_aside(&path).is_err());
    }
}

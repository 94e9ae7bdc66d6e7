//! The file of the presentations.

use std::path::Path;

use super::list::PresentationList;
use crate::files::{self, Read};

/// The presentations of the file; `None` where there is no file yet. Blocks.
pub(crate) fn load(path: &Path) -> Read<Option<PresentationList>> {
    if std::fs::exists(path).is_ok_and(|exists| !exists) {
        return Read::default();
    }
    files::read(path, &files::PRESENTATIONS).map(Some)
}

/// The file's text.
pub(super) fn to_bytes(list: &PresentationList) -> Vec<u8> {
    files::to_bytes(list, &files::PRESENTATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_first_version_lose_nothing() {
        let text = include_str!("../../tests/files/presentations-1.json");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("presentations.json");
        assert_eq!(load(&path), Read::default());
        std::fs::write(&path, text).unwrap();
        let Read { saved, locked, .. } = load(&path);
        assert!(!locked);
        files::assert_kept(text, &to_bytes(&saved.unwrap()));
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_one_of_a_newer_version_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("presentations.json");
        std::fs::write(&path, "{").unwrap();
        let read = load(&path);
        assert_eq!(read.saved, Some(PresentationList::default()));
        assert_eq!(read.notice.unwrap().0, "presentations_file_damaged");
        assert!(folder.path().join("presentations.damaged-1.json").exists());
        std::fs::write(&path, r#"{"version": 2, "slides": []}"#).unwrap();
        let read = load(&path);
        assert!(read.locked && read.saved == Some(PresentationList::default()));
    }
}

//! The file of the saved inputs.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::list::{SavedInput, SavedInputList};
use crate::files::{self, Read};

/// The version of the file that is written.
const VERSION: u64 = 1;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    /// Those that are not private.
    inputs: Vec<SavedInput>,
}

/// The saved inputs of the file. Blocks.
pub(crate) fn load(path: &Path) -> Read<SavedInputList> {
    let Read {
        saved,
        locked,
        notice,
    } = files::read::<Saved>(path, VERSION, &files::SAVED_INPUTS);
    Read {
        saved: saved.inputs.into(),
        locked,
        notice,
    }
}

/// The file's text.
pub(crate) fn to_bytes(list: &SavedInputList) -> Vec<u8> {
    let inputs = list.iter().filter(|one| !one.private).cloned().collect();
    files::to_bytes(&Saved { inputs }, VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_first_version_lose_nothing_and_get_nothing_private() {
        let text = include_str!("../../tests/files/saved_inputs-1.json");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saved_inputs.json");
        std::fs::write(&path, text).unwrap();
        let Read {
            saved: mut list,
            locked,
            ..
        } = load(&path);
        assert!(!locked && list.iter().count() == 2);
        list.put(SavedInput {
            name: "login".to_owned(),
            arguments: r#""hush""#.to_owned(),
            private: true,
            ..SavedInput::default()
        })
        .unwrap();
        files::assert_kept(text, &to_bytes(&list));
    }

    #[test]
    fn a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saved_inputs.json");
        std::fs::write(&path, r#"{"version": 1, "inputs": [{"id": 1}]}"#).unwrap();
        let read = load(&path);
        assert!(read.saved.iter().next().is_none() && !read.locked);
        assert_eq!(read.notice.unwrap().0, "saved_inputs_file_damaged");
        assert!(folder.path().join("saved_inputs.damaged-1.json").exists());
    }
}

//! The file of the saved inputs.

use std::path::Path;

use super::list::SavedInputList;
use crate::files::{self, Read};

/// The saved inputs of the file. Blocks.
pub(crate) fn load(path: &Path) -> Read<SavedInputList> {
    files::read(path, &files::SAVED_INPUTS)
}

/// The file's text.
pub(crate) fn to_bytes(list: &SavedInputList) -> Vec<u8> {
    let inputs = list.iter().filter(|one| !one.private).cloned().collect();
    files::to_bytes(&SavedInputList { inputs }, &files::SAVED_INPUTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved_inputs::SavedInput;

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
}

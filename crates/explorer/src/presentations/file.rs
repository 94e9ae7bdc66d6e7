//! The file of the presentations.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    list::PresentationList,
    presentation::{Presentation, PresentationStep, StepInput},
};
use crate::{
    files::{self, Read},
    servers::ServerId,
};

/// The version of the file that is written.
const VERSION: u64 = 1;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    presentations: Vec<One>,
}

#[derive(Serialize, Deserialize)]
struct One {
    id: String,
    title: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    imported: bool,
    steps: Vec<Step>,
}

#[derive(Serialize, Deserialize)]
struct Step {
    id: String,
    server: ServerId,
    server_name: String,
    method: String,
    target: String,
    title: String,
    inputs: Vec<Input>,
    notes: String,
}

#[derive(Serialize, Deserialize)]
struct Input {
    id: String,
    name: String,
}

/// The presentations of the file; `None` where there is no file yet. Blocks.
pub(crate) fn load(path: &Path) -> Read<Option<PresentationList>> {
    if std::fs::exists(path).is_ok_and(|exists| !exists) {
        return Read::default();
    }
    let Read {
        saved,
        locked,
        notice,
    } = files::read::<Saved>(path, VERSION, &files::PRESENTATIONS);
    let presentations: Vec<_> = saved.presentations.into_iter().map(Into::into).collect();
    Read {
        saved: Some(presentations.into()),
        locked,
        notice,
    }
}

/// The file's text.
pub(super) fn to_bytes(list: &PresentationList) -> Vec<u8> {
    let presentations = list.iter().cloned().map(Into::into).collect();
    files::to_bytes(&Saved { presentations }, VERSION)
}

impl From<One> for Presentation {
    fn from(one: One) -> Self {
        let step = |step: Step| PresentationStep {
            id: step.id,
            server: step.server,
            server_name: step.server_name,
            server_removed: false,
            method: step.method,
            target: step.target,
            title: step.title,
            inputs: step
                .inputs
                .into_iter()
                .map(|Input { id, name }| StepInput {
                    id,
                    name,
                    removed: false,
                })
                .collect(),
            notes: step.notes,
        };
        Self {
            id: one.id,
            title: one.title,
            imported: one.imported,
            steps: one.steps.into_iter().map(step).collect(),
        }
    }
}

impl From<Presentation> for One {
    fn from(one: Presentation) -> Self {
        let step = |step: PresentationStep| Step {
            id: step.id,
            server: step.server,
            server_name: step.server_name,
            method: step.method,
            target: step.target,
            title: step.title,
            inputs: step
                .inputs
                .into_iter()
                .map(|StepInput { id, name, .. }| Input { id, name })
                .collect(),
            notes: step.notes,
        };
        Self {
            id: one.id,
            title: one.title,
            imported: one.imported,
            steps: one.steps.into_iter().map(step).collect(),
        }
    }
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
        assert_eq!(String::from_utf8(to_bytes(&saved.unwrap())).unwrap(), text);
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

//! The file of the settings.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::Settings;
use crate::files::{self, Read};

/// The version of the file that is written.
const VERSION: u64 = 1;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    theme: Theme,
    selected_server: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pane_sizes: BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    runs_below: bool,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

files::same_variants!(Theme, super::Theme: System, Light, Dark);

/// The settings of the file. Blocks.
pub(crate) fn load(path: &Path) -> Read<Settings> {
    let Read {
        saved,
        locked,
        notice,
    } = files::read::<Saved>(path, VERSION, &files::SETTINGS);
    Read {
        saved: Settings {
            theme: saved.theme.into(),
            selected_server: saved.selected_server,
            pane_sizes: saved.pane_sizes,
            runs_below: saved.runs_below,
        },
        locked,
        notice,
    }
}

/// The file's text.
pub(crate) fn to_bytes(settings: &Settings) -> Vec<u8> {
    let saved = Saved {
        theme: settings.theme.into(),
        selected_server: settings.selected_server.clone(),
        pane_sizes: settings.pane_sizes.clone(),
        runs_below: settings.runs_below,
    };
    files::to_bytes(&saved, VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_first_version_lose_nothing() {
        let text = include_str!("../../tests/files/settings-1.json");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, text).unwrap();
        let Read {
            saved: settings,
            locked,
            ..
        } = load(&path);
        assert_eq!(settings.theme, super::super::Theme::Dark);
        assert!(!locked && settings.selected_server.is_some());
        assert_eq!(String::from_utf8(to_bytes(&settings)).unwrap(), text);
    }

    #[test]
    fn the_panes_are_where_they_were_after_a_restart() {
        let settings = Settings {
            pane_sizes: BTreeMap::from([("servers".to_owned(), 240), ("runs".to_owned(), 0)]),
            runs_below: true,
            ..Settings::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, to_bytes(&settings)).unwrap();
        assert_eq!(load(&path).saved, settings);
    }
}

//! The file of the settings.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::{LastShown, Settings, ZOOM};
use crate::files::{self, Read};

/// The version of the file that is written.
const VERSION: u64 = 1;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    theme: Theme,
    /// Missing: as it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    zoom: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_size: Option<TextSize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    presentation_zoom: Option<u16>,
    selected_server: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    server_filter: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    views: BTreeMap<String, Shown>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pane_sizes: BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    runs_below: bool,
    /// Missing: as it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryLimits>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct HistoryLimits {
    runs: u32,
    server_mib: u32,
    total_mib: u32,
}

impl From<HistoryLimits> for super::HistoryLimits {
    fn from(saved: HistoryLimits) -> Self {
        let HistoryLimits {
            runs,
            server_mib,
            total_mib,
        } = saved;
        Self {
            runs,
            server_mib,
            total_mib,
        }
    }
}

impl From<super::HistoryLimits> for HistoryLimits {
    fn from(limits: super::HistoryLimits) -> Self {
        let super::HistoryLimits {
            runs,
            server_mib,
            total_mib,
        } = limits;
        Self {
            runs,
            server_mib,
            total_mib,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Shown {
    tab: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TextSize {
    Small,
    Medium,
    Large,
}

files::same_variants!(TextSize, super::TextSize: Small, Medium, Large);
files::same_variants!(Theme, super::Theme: System, Light, Dark);

/// The settings of the file. Blocks.
pub(crate) fn load(path: &Path) -> Read<Settings> {
    let Read {
        saved,
        locked,
        notice,
    } = files::read::<Saved>(path, VERSION, &files::SETTINGS);
    let made = Settings::default();
    let zoom = |saved: Option<u16>, made: u16| {
        let zoom = saved.unwrap_or(made);
        zoom.clamp(*ZOOM.start(), *ZOOM.end())
    };
    Read {
        saved: Settings {
            theme: saved.theme.into(),
            zoom: zoom(saved.zoom, made.zoom),
            text_size: saved.text_size.map_or(made.text_size, Into::into),
            presentation_zoom: zoom(saved.presentation_zoom, made.presentation_zoom),
            selected_server: saved.selected_server,
            beside: saved.beside,
            server_filter: saved.server_filter,
            views: saved
                .views
                .into_iter()
                .map(|(server, Shown { tab, tool })| (server, LastShown { tab, tool }))
                .collect(),
            pane_sizes: saved.pane_sizes,
            runs_below: saved.runs_below,
            history: saved
                .history
                .map_or(made.history, super::HistoryLimits::from)
                .clamped(),
        },
        locked,
        notice,
    }
}

/// The file's text.
pub(crate) fn to_bytes(settings: &Settings) -> Vec<u8> {
    let made = Settings::default();
    let saved = Saved {
        theme: settings.theme.into(),
        zoom: (settings.zoom != made.zoom).then_some(settings.zoom),
        text_size: (settings.text_size != made.text_size).then(|| settings.text_size.into()),
        presentation_zoom: (settings.presentation_zoom != made.presentation_zoom)
            .then_some(settings.presentation_zoom),
        selected_server: settings.selected_server.clone(),
        beside: settings.beside.clone(),
        server_filter: settings.server_filter.clone(),
        views: settings
            .views
            .iter()
            .map(|(server, LastShown { tab, tool })| {
                let (tab, tool) = (tab.clone(), tool.clone());
                (server.clone(), Shown { tab, tool })
            })
            .collect(),
        pane_sizes: settings.pane_sizes.clone(),
        runs_below: settings.runs_below,
        history: (settings.history != made.history).then(|| settings.history.into()),
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
    fn zoom_and_text_size_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let settings = Settings {
            zoom: 150,
            text_size: super::super::TextSize::Large,
            presentation_zoom: 200,
            ..Settings::default()
        };
        std::fs::write(&path, to_bytes(&settings)).unwrap();
        assert_eq!(load(&path).saved, settings);
        let text = String::from_utf8(to_bytes(&settings)).unwrap();
        std::fs::write(&path, text.replace("150", "9000")).unwrap();
        assert_eq!(load(&path).saved.zoom, *ZOOM.end());
    }

    #[test]
    fn the_limits_of_the_history_are_read_within_what_is_possible() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let history = super::super::HistoryLimits {
            runs: 0,
            server_mib: 7,
            total_mib: 77,
        };
        let settings = Settings {
            history,
            ..Settings::default()
        };
        std::fs::write(&path, to_bytes(&settings)).unwrap();
        assert_eq!(load(&path).saved.history, history);
        let text = String::from_utf8(to_bytes(&settings)).unwrap();
        let beyond = text.replace("\"runs\": 0", "\"runs\": 9000");
        std::fs::write(&path, beyond.replace(": 77", ": 0")).unwrap();
        let history = load(&path).saved.history;
        assert_eq!((history.runs, history.total_mib), (super::super::RUNS, 1));
    }

    #[test]
    fn the_panes_are_where_they_were_after_a_restart() {
        let settings = Settings {
            pane_sizes: BTreeMap::from([("servers".to_owned(), 240), ("runs".to_owned(), 0)]),
            runs_below: true,
            beside: Some("a".to_owned()),
            server_filter: "har".to_owned(),
            views: BTreeMap::from([
                (
                    "a".to_owned(),
                    LastShown {
                        tab: "wire".to_owned(),
                        tool: Some("echo".to_owned()),
                    },
                ),
                (
                    "b".to_owned(),
                    LastShown {
                        tab: "tools".to_owned(),
                        tool: None,
                    },
                ),
            ]),
            ..Settings::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, to_bytes(&settings)).unwrap();
        assert_eq!(load(&path).saved, settings);
    }
}

//! The file of the settings.

use std::path::Path;

use super::Settings;
use crate::files::{self, Read};

/// The settings of the file. Blocks.
pub(crate) fn load(path: &Path) -> Read<Settings> {
    files::read(path, &files::SETTINGS).map(Settings::within_limits)
}

/// The file's text.
pub(crate) fn to_bytes(settings: &Settings) -> Vec<u8> {
    files::to_bytes(settings, &files::SETTINGS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::settings::{HistoryLimits, LastShown, RUNS, TextSize, Theme, ZOOM};

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
        assert_eq!(settings.theme, Theme::Dark);
        assert!(!locked && settings.selected_server.is_some());
        files::assert_kept(text, &to_bytes(&settings));
    }

    #[test]
    fn zoom_and_text_size_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let settings = Settings {
            zoom: 150,
            text_size: TextSize::Large,
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
        let history = HistoryLimits {
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
        assert_eq!((history.runs, history.total_mib), (RUNS, 1));
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

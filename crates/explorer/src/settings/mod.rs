//! Settings of the whole app.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Error, Explorer, changes::Change, files};

/// Colours of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// True for dark colours; `None` follows the system.
    #[must_use]
    pub fn dark(self) -> Option<bool> {
        match self {
            Theme::System => None,
            Theme::Light => Some(false),
            Theme::Dark => Some(true),
        }
    }
}

/// Size of the text, apart from the zoom of the whole window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TextSize {
    Small,
    #[default]
    Medium,
    Large,
}

/// Last view of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct LastShown {
    /// The view, by the name that the window has for it.
    pub tab: String,
    /// The key of the selected tool.
    pub tool: Option<String>,
}

/// Range of the window's zoom, in percent.
pub const ZOOM: RangeInclusive<u16> = 50..=300;

/// Limits of runs stored in files, which survive a restart. A lower limit takes effect when the next run is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryLimits {
    /// Runs of each server, at most [`RUNS`]; with 0, no more runs are stored. Pinned runs do not count.
    pub runs: u32,
    /// MiB of each server, within [`MIB`].
    pub server_mib: u32,
    /// MiB of all servers together, within [`MIB`].
    pub total_mib: u32,
}

/// Limit of runs stored per server, equal to the limit in memory.
pub const RUNS: u32 = sonde_client::operations::OPERATIONS;
/// Range of the size limits of stored runs, in MiB.
pub const MIB: RangeInclusive<u32> = 1..=1024;

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            runs: RUNS,
            server_mib: 64,
            total_mib: 256,
        }
    }
}

impl HistoryLimits {
    /// Returns the limits, each clamped to its range.
    fn clamped(self) -> Self {
        let mib = |value: u32| value.clamp(*MIB.start(), *MIB.end());
        Self {
            runs: self.runs.min(RUNS),
            server_mib: mib(self.server_mib),
            total_mib: mib(self.total_mib),
        }
    }
}

/// Settings of the user for the whole app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Colours.
    pub theme: Theme,
    /// Zoom of the window in percent, within [`ZOOM`].
    pub zoom: u16,
    /// Size of the text.
    pub text_size: TextSize,
    /// Zoom of a presentation in percent, within [`ZOOM`], on top of the window's zoom.
    pub presentation_zoom: u16,
    /// The server that was selected last.
    pub selected_server: Option<String>,
    /// The server that is shown beside the selected one.
    pub beside: Option<String>,
    /// Text that the names of the listed servers have to contain.
    pub server_filter: String,
    /// Last view of each server, by its id.
    pub views: BTreeMap<String, LastShown>,
    /// Sizes of the window's panes by name, in each pane's unit; 0 means collapsed. A missing pane has its default
    /// size.
    pub pane_sizes: BTreeMap<String, u32>,
    /// The runs are below the form, not beside it.
    pub runs_below: bool,
    /// Limits of the stored runs.
    pub history: HistoryLimits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: Theme::default(),
            zoom: 100,
            text_size: TextSize::default(),
            presentation_zoom: 150,
            selected_server: None,
            beside: None,
            server_filter: String::new(),
            views: BTreeMap::new(),
            pane_sizes: BTreeMap::new(),
            runs_below: false,
            history: HistoryLimits::default(),
        }
    }
}

impl Settings {
    /// Returns the settings with each number clamped to its range.
    pub(crate) fn within_limits(mut self) -> Self {
        for zoom in [&mut self.zoom, &mut self.presentation_zoom] {
            *zoom = (*zoom).clamp(*ZOOM.start(), *ZOOM.end());
        }
        self.history = self.history.clamped();
        self
    }
}

impl Explorer {
    /// Replaces the settings. Settings that cannot be saved last until the app ends. The zoom and the limits are
    /// clamped to their ranges.
    ///
    /// # Errors
    /// `Internal` at most.
    pub async fn update_settings(&self, settings: Settings) -> Result<(), Error> {
        let settings = settings.within_limits();
        let (zoom, theme) = (settings.zoom, settings.theme);
        let before = self.core.state(|state| {
            self.core
                .settings_file
                .put(files::to_bytes(&settings, &files::SETTINGS));
            std::mem::replace(&mut state.settings, settings)
        });
        if zoom != before.zoom {
            self.core.host.set_zoom(zoom);
        }
        if theme != before.theme {
            self.core.host.set_dark(theme.dark());
        }
        self.core.observer.changed(Change::Settings);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::PathBuf,
        sync::{Arc, Mutex},
    };

    use super::*;
    use crate::{Host, Options};

    /// Keeps what it was told to draw.
    #[derive(Default)]
    struct Window(Mutex<Vec<Option<bool>>>);

    impl Host for Window {
        fn open_url(&self, _: &str) -> Result<(), String> {
            Ok(())
        }

        fn set_dark(&self, dark: Option<bool>) {
            self.0.lock().unwrap().push(dark);
        }

        fn download_folder(&self) -> Option<PathBuf> {
            None
        }
    }

    #[tokio::test]
    async fn numbers_of_the_file_are_read_within_their_ranges() {
        let folder = tempfile::tempdir().unwrap();
        let history = r#"{"runs": 0, "server_mib": 7, "total_mib": 0}"#;
        let text = format!(r#"{{"zoom": 9000, "history": {history}}}"#);
        std::fs::write(folder.path().join("settings.json"), text).unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let settings = explorer.read(|state| state.settings().clone());
        assert_eq!(settings.zoom, *ZOOM.end());
        let mut history = HistoryLimits {
            runs: 0,
            server_mib: 7,
            total_mib: 1,
        };
        assert_eq!(settings.history, history);
        history.runs = 9000;
        assert_eq!(history.clamped().runs, RUNS);
        explorer.shutdown().await;
    }

    #[tokio::test]
    async fn the_system_draws_in_the_colours_of_the_theme() {
        let folder = tempfile::tempdir().unwrap();
        let window = Arc::new(Window::default());
        let mut options = Options::for_tests(folder.path());
        options.host = window.clone();
        let explorer = Explorer::open(options).await;
        for theme in [Theme::Dark, Theme::Dark, Theme::Light, Theme::System] {
            let settings = Settings {
                theme,
                ..Settings::default()
            };
            explorer.update_settings(settings).await.unwrap();
        }
        explorer.shutdown().await;
        assert_eq!(
            *window.0.lock().unwrap(),
            [Some(true), Some(false), None],
            "told once for each change"
        );
    }
}

//! What the user sets for the whole app.

mod file;

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub(crate) use self::file::{load, to_bytes};
use crate::{Error, Explorer, changes::Change};

/// Colours of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// Size of the text, apart from the zoom of the whole window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum TextSize {
    Small,
    #[default]
    Medium,
    Large,
}

/// What of a server was on show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ShownView {
    /// The view, by the name that the window has for it.
    pub tab: String,
    /// The key of the selected tool.
    pub tool: Option<String>,
}

/// How large the window can be shown, in percent.
pub const ZOOM: RangeInclusive<u16> = 50..=300;

/// What the user can set for the whole app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Colours.
    pub theme: Theme,
    /// Zoom of the window in percent, within [`ZOOM`].
    pub zoom: u16,
    /// Size of the text.
    pub text_size: TextSize,
    /// The server that was selected last.
    pub selected_server: Option<String>,
    /// The server that stands beside the selected one.
    pub beside: Option<String>,
    /// What was on show of each server, by its id.
    pub views: BTreeMap<String, ShownView>,
    /// Sizes of the window's panes by name, in the unit of each; 0 is a collapsed one. What is
    /// missing has its first size.
    pub pane_sizes: BTreeMap<String, u32>,
    /// The runs are below the form, not beside it.
    pub runs_below: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: Theme::default(),
            zoom: 100,
            text_size: TextSize::default(),
            selected_server: None,
            beside: None,
            views: BTreeMap::new(),
            pane_sizes: BTreeMap::new(),
            runs_below: false,
        }
    }
}

impl Explorer {
    /// Replaces the settings. Settings that cannot be saved last until the app ends; a zoom beyond
    /// [`ZOOM`] becomes the nearest within it.
    ///
    /// # Errors
    /// `Internal` at most.
    pub async fn update_settings(&self, mut settings: Settings) -> Result<(), Error> {
        settings.zoom = settings.zoom.clamp(*ZOOM.start(), *ZOOM.end());
        let zoom = settings.zoom;
        let before = self.core.state(|state| {
            self.core.settings_file.put(to_bytes(&settings));
            std::mem::replace(&mut state.settings, settings).zoom
        });
        if zoom != before {
            self.core.host.set_zoom(zoom);
        }
        self.core.observer.changed(Change::Settings);
        Ok(())
    }
}

//! What the user sets for the whole app.

mod file;

use std::collections::BTreeMap;

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

/// What the user can set for the whole app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Colours.
    pub theme: Theme,
    /// The server that was selected last.
    pub selected_server: Option<String>,
    /// Sizes of the window's panes by name, in the unit of each; 0 is a collapsed one. What is
    /// missing has its first size.
    pub pane_sizes: BTreeMap<String, u32>,
    /// The runs are below the form, not beside it.
    pub runs_below: bool,
}

impl Explorer {
    /// Replaces the settings. Settings that cannot be saved last until the app ends.
    ///
    /// # Errors
    /// `Internal` at most.
    pub async fn update_settings(&self, settings: Settings) -> Result<(), Error> {
        self.core.state(|state| {
            self.core.settings_file.put(to_bytes(&settings));
            state.settings = settings;
        });
        self.core.observer.changed(Change::Settings);
        Ok(())
    }
}

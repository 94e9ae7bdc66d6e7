//! Position and size of the window at the app's end, so that it opens there again.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde::{Deserialize, Serialize};
use sonde_explorer::lock;
use tauri::{Monitor, PhysicalPosition, PhysicalSize, Runtime, WebviewWindow, WindowEvent};

/// Name of the file in the data folder.
const FILE: &str = "window.json";
/// Height of the title bar by which a window is dragged, and how much of it has to be on a screen, in pixels.
const TITLE: i64 = 32;
const REACHABLE: i64 = 120;

/// Position and size in pixels of the plane that all screens share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    /// The window was maximized; position and size are those before that.
    maximized: bool,
}

/// The part of a screen that windows may cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Screen {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

/// Tracks the place of the window.
pub(crate) struct Places {
    file: PathBuf,
    last: Mutex<Option<Place>>,
}

impl Places {
    /// Reads the last place of the window. Blocks. An unreadable file counts as missing, since only a place is lost.
    pub(crate) fn load(data_folder: &Path) -> Self {
        let file = data_folder.join(FILE);
        let last = std::fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Places {
            file,
            last: Mutex::new(last),
        }
    }

    /// Returns the last place of the window.
    pub(crate) fn last(&self) -> Option<Place> {
        *lock(&self.last)
    }

    /// Notes the place of a window.
    pub(crate) fn follow<R: Runtime>(&self, window: &WebviewWindow<R>, event: &WindowEvent) {
        if !matches!(event, WindowEvent::Moved(_) | WindowEvent::Resized(_)) {
            return;
        }
        let place = place_of(window, self.last());
        if let Ok(Some(place)) = place {
            *lock(&self.last) = Some(place);
        }
    }

    /// Saves the last place. Blocks.
    pub(crate) fn save(&self) {
        let Some(place) = self.last() else {
            return;
        };
        let saved = serde_json::to_vec(&place)
            .map_err(Into::into)
            .and_then(|bytes| sonde_files::replace(&self.file, &bytes));
        if let Err(error) = saved {
            tracing::warn!(%error, "the place of the window could not be saved");
        }
    }
}

/// Returns the place of a window; `None` if the place is not worth saving (minimized or full screen).
fn place_of<R: Runtime>(
    window: &WebviewWindow<R>,
    last: Option<Place>,
) -> tauri::Result<Option<Place>> {
    if window.is_minimized()? || window.is_fullscreen()? {
        return Ok(None);
    }
    let maximized = window.is_maximized()?;
    if let (true, Some(last)) = (maximized, last) {
        return Ok(Some(Place { maximized, ..last }));
    }
    let PhysicalPosition { x, y } = window.outer_position()?;
    let PhysicalSize { width, height } = window.inner_size()?;
    Ok(Some(Place {
        x,
        y,
        width,
        height,
        maximized,
    }))
}

/// Moves a window that is not shown yet to a stored place, or as near as the current screens allow.
pub(crate) fn restore<R: Runtime>(window: &WebviewWindow<R>, place: Place) -> tauri::Result<()> {
    let screens: Vec<Screen> = window
        .available_monitors()?
        .iter()
        .map(Screen::from)
        .collect();
    let Some(place) = fit(place, &screens) else {
        return Ok(());
    };
    window.set_size(PhysicalSize::new(place.width, place.height))?;
    window.set_position(PhysicalPosition::new(place.x, place.y))?;
    if place.maximized {
        window.maximize()?;
    }
    Ok(())
}

impl From<&Monitor> for Screen {
    fn from(monitor: &Monitor) -> Self {
        let area = monitor.work_area();
        Screen {
            x: area.position.x,
            y: area.position.y,
            width: area.size.width,
            height: area.size.height,
        }
    }
}

/// Fits a place to the screens: unchanged if the window can be dragged by its title bar, else in the middle of the
/// first screen; never larger than the screen. `None` without screens.
fn fit(place: Place, screens: &[Screen]) -> Option<Place> {
    let best = screens.iter().max_by_key(|screen| {
        let (width, height) = title_on(place, **screen);
        width * height
    })?;
    let (width, height) = title_on(place, *best);
    let reachable = width >= REACHABLE.min(i64::from(place.width)) && height >= TITLE / 2;
    let screen = if reachable { best } else { screens.first()? };
    let width = place.width.min(screen.width);
    let height = place.height.min(screen.height);
    if reachable {
        return Some(Place {
            width,
            height,
            ..place
        });
    }
    let middle = |from: i32, room: u32, size: u32| {
        from.saturating_add_unsigned(room.saturating_sub(size) / 2)
    };
    Some(Place {
        x: middle(screen.x, screen.width, width),
        y: middle(screen.y, screen.height, height),
        width,
        height,
        ..place
    })
}

/// Returns width and height of the visible part of the title bar on a screen.
fn title_on(place: Place, screen: Screen) -> (i64, i64) {
    let shared = |from: i32, size: i64, other: i32, room: u32| {
        let end = (i64::from(from) + size).min(i64::from(other) + i64::from(room));
        (end - i64::from(from.max(other))).max(0)
    };
    (
        shared(place.x, i64::from(place.width), screen.x, screen.width),
        shared(place.y, TITLE, screen.y, screen.height),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Screen = screen(0, 0, 1920, 1080);
    const RIGHT: Screen = screen(1920, 0, 2560, 1440);

    const fn screen(x: i32, y: i32, width: u32, height: u32) -> Screen {
        Screen {
            x,
            y,
            width,
            height,
        }
    }

    const fn place(x: i32, y: i32, width: u32, height: u32) -> Place {
        Place {
            x,
            y,
            width,
            height,
            maximized: false,
        }
    }

    #[test]
    fn a_window_comes_up_where_it_stood() {
        for stood in [
            place(100, 50, 1280, 800),
            place(2400, 300, 2000, 1100),
            // Partly beyond an edge, and between two screens.
            place(1700, 900, 1280, 800),
            place(-900, 10, 1280, 800),
        ] {
            assert_eq!(fit(stood, &[LEFT, RIGHT]), Some(stood));
        }
        let maximized = Place {
            maximized: true,
            ..place(2400, 300, 800, 600)
        };
        assert_eq!(fit(maximized, &[LEFT, RIGHT]), Some(maximized));
    }

    #[test]
    fn a_window_of_a_screen_that_is_gone_comes_up_in_the_middle_of_the_first() {
        let stood = place(2400, 300, 1280, 800);
        assert_eq!(fit(stood, &[LEFT]), Some(place(320, 140, 1280, 800)));
        assert_eq!(fit(stood, &[]), None);
    }

    #[test]
    fn a_window_that_could_not_be_dragged_is_brought_back() {
        for stood in [
            place(100, -400, 1280, 800),
            place(100, 1070, 1280, 800),
            place(1900, 100, 1280, 800),
            place(-1270, 100, 1280, 800),
            place(i32::MIN, i32::MAX, 1280, 800),
        ] {
            assert_eq!(fit(stood, &[LEFT]), Some(place(320, 140, 1280, 800)));
        }
    }

    #[test]
    fn a_window_is_never_larger_than_its_screen() {
        let stood = place(2000, 10, 2500, 1400);
        assert_eq!(fit(stood, &[RIGHT]), Some(stood));
        assert_eq!(
            fit(stood, &[LEFT]),
            Some(place(0, 0, 1920, 1080)),
            "it filled the large screen, which is gone"
        );
        let extreme = place(0, 0, u32::MAX, u32::MAX);
        assert_eq!(fit(extreme, &[LEFT]), Some(place(0, 0, 1920, 1080)));
    }

    #[test]
    fn a_place_is_read_as_it_was_written_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::load(folder.path());
        assert_eq!(places.last(), None);
        places.save();
        *places.last.lock().unwrap() = Some(place(-5, 7, 1280, 800));
        places.save();
        assert_eq!(Places::load(folder.path()).last(), places.last());
        std::fs::write(folder.path().join(FILE), b"{\"x\":1").unwrap();
        assert_eq!(Places::load(folder.path()).last(), None);
    }
}

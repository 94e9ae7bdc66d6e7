//! Drawing of the page without a graphics card. WebKit would compose the layers of the page with a software renderer,
//! which takes a third more memory and is slower than drawing without layers. The only way to turn layers off is a
//! variable that is set before WebKit starts.

use std::{env, fs, path::Path};

use webkit2gtk::glib;

const SWITCH: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
/// Devices of cards whose drivers create none in `/dev/dri`: those of Nvidia, and of Windows for Linux programs.
const OTHER_CARDS: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];

/// Turns layers off if there is no card. An existing value of the variable stays. Call it first in `main`, for the same
/// reason as [`enter`](crate::sandbox::enter).
pub(crate) fn choose() {
    let other = OTHER_CARDS.iter().any(|card| Path::new(card).exists());
    if env::var_os(SWITCH).is_some() || other || has_card(Path::new("/dev/dri")) {
        return;
    }
    if let Err(error) = glib::setenv(SWITCH, "1", true) {
        eprintln!("Sonde draws its window with layers: {error}");
    }
}

/// True if the page is drawn without layers.
pub(crate) fn is_plain() -> bool {
    env::var_os(SWITCH).is_some_and(|value| value != "0")
}

/// True if there is a card for rendering: it has a `renderD…` among the devices of `folder`.
fn has_card(folder: &Path) -> bool {
    let draws = |device: fs::DirEntry| device.file_name().to_string_lossy().starts_with("renderD");
    fs::read_dir(folder).is_ok_and(|devices| devices.flatten().any(draws))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_a_device_that_draws() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_card(&folder.path().join("none")));
        // A card that only drives a screen has such a device.
        fs::write(folder.path().join("card0"), "").unwrap();
        assert!(!has_card(folder.path()));
        fs::write(folder.path().join("renderD128"), "").unwrap();
        assert!(has_card(folder.path()));
    }
}

//! Drawing of the page where there is no graphics card. WebKit would put together the layers of the page with a program
//! that plays a card on the processor: a third more memory, and slower than without layers. It has one way to draw
//! without them, a variable that is set before it starts.

use std::{env, fs, path::Path};

use webkit2gtk::glib;

const SWITCH: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
/// Devices of cards whose drivers make none in `/dev/dri`: those of Nvidia, and of Windows for its Linux programs.
const OTHER_CARDS: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];

/// Has the page drawn without layers where there is no card. Whoever sets the variable decides. Call it first in `main`,
/// for the reason that [`enter`](crate::sandbox::enter) gives.
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

/// A card that programs can draw with has a `renderD…` among the devices of `folder`.
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
        // A screen without a card has such a device.
        fs::write(folder.path().join("card0"), "").unwrap();
        assert!(!has_card(folder.path()));
        fs::write(folder.path().join("renderD128"), "").unwrap();
        assert!(has_card(folder.path()));
    }
}

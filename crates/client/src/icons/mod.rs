//! Icons for display. Only formats that cannot contain active content are shown as pictures. A picture is embedded in
//! the icon as a `data:` URI, or fetched from the server's own origin when it is shown.

mod fetch;
mod picture;

pub(crate) use fetch::IconCache;
pub use fetch::IconPicture;
use picture::is_picture;

use serde::{Deserialize, Serialize};
use sonde_mcp::{Icon, Icons};
use ts_rs::TS;

use crate::{
    limits::{ICON_PICTURES, ICON_SIZES, LINE},
    text::cut,
};

/// The icons of a server or of an item of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShownIcons {
    /// The first 20 that can be read.
    pub first: Vec<ShownIcon>,
    /// Number of all entries.
    pub count: u32,
}

/// One icon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShownIcon {
    /// The icon: at most 1,000 characters of `src`, and the first ten of `sizes`.
    #[serde(flatten)]
    pub icon: Icon,
    /// `src` whole, where it is a `data:` URI of a PNG, JPEG or WebP picture that is neither animated nor larger than
    /// 1,024 × 1,024 pixels; of all icons together at most 64 KiB.
    pub picture: Option<String>,
}

impl From<&Icons> for ShownIcons {
    fn from(icons: &Icons) -> Self {
        let mut room = ICON_PICTURES;
        Self {
            first: icons
                .first
                .iter()
                .map(|icon| ShownIcon::new(icon, &mut room))
                .collect(),
            count: u32::try_from(icons.count).unwrap_or(u32::MAX),
        }
    }
}

impl ShownIcon {
    /// Bytes of its texts.
    pub(crate) fn weight(&self) -> usize {
        let icon = &self.icon;
        let texts = [&self.picture, &icon.mime_type, &icon.theme];
        let texts = texts.into_iter().flatten().chain(&icon.sizes);
        icon.src.len() + texts.map(String::len).sum::<usize>()
    }

    fn new(icon: &Icon, room: &mut usize) -> Self {
        let picture = (icon.src.len() <= *room && is_picture(&icon.src)).then(|| icon.src.clone());
        *room -= picture.as_ref().map_or(0, String::len);
        Self {
            icon: Icon {
                src: cut(&icon.src, LINE),
                mime_type: icon.mime_type.clone(),
                sizes: icon.sizes.iter().take(ICON_SIZES).cloned().collect(),
                theme: icon.theme.clone(),
            },
            picture,
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use super::{
        picture::tests::{png_of, webp_of},
        *,
    };

    fn data(kind: &str, bytes: &[u8]) -> String {
        format!("data:image/{kind};base64,{}", STANDARD.encode(bytes))
    }

    fn icon(src: String) -> Icon {
        Icon {
            src,
            mime_type: None,
            sizes: Vec::new(),
            theme: None,
        }
    }

    #[test]
    fn only_still_raster_pictures_of_an_icons_size_are_shown() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x0b\x08\0\x20\0\x30";
        let huge = b"\xff\xd8\xff\xc0\0\x0b\x08\x40\0\0\x30";
        for (expected, uri) in [
            (true, data("png", &png_of(48, 32, b""))),
            (true, data("PNG", &png_of(1024, 1024, b""))),
            (true, data("jpeg", jpeg)),
            (true, data("jpg", jpeg)),
            (
                true,
                data("webp", &webp_of(b"VP8 ", b"\0\0\0\x9d\x01\x2a\x30\0\x20\0")),
            ),
            (true, data("webp", &webp_of(b"VP8L", b"\x2f\x2f\xc0\x07\0"))),
            (
                true,
                data("webp", &webp_of(b"VP8X", b"\0\0\0\0\x2f\0\0\x1f\0\0")),
            ),
            // Too large, empty, animated.
            (false, data("png", &png_of(1025, 1, b""))),
            (false, data("png", &png_of(0, 1, b""))),
            (
                false,
                data("png", &png_of(48, 48, b"\0\0\0\0\0\0\0\x08acTL")),
            ),
            (false, data("jpeg", huge)),
            (
                false,
                data("webp", &webp_of(b"VP8X", b"\0\0\0\0\x2f\0\x01\x1f\0\0")),
            ),
            (
                false,
                data("webp", &webp_of(b"VP8X", b"\x02\0\0\0\x2f\0\0\x1f\0\0")),
            ),
            // Something else than it says, and what may load or run something.
            (false, data("png", jpeg)),
            (
                false,
                data("png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
            ),
            (false, data("svg+xml", &png_of(48, 48, b""))),
            (false, data("gif", b"GIF89a")),
            (false, "data:image/png,\u{89}PNG".to_owned()),
            (false, "data:image/png;base64,!".to_owned()),
            (false, "https://example.org/a.png".to_owned()),
            (false, String::new()),
        ] {
            let shown = ShownIcons::from(&Icons {
                first: vec![icon(uri.clone())],
                count: 1,
            });
            let picture = shown.first[0].picture.as_ref();
            assert_eq!(picture, expected.then_some(&uri), "{uri}");
        }
    }

    #[test]
    fn what_crosses_of_icons_is_bounded() {
        let picture = data("png", &png_of(48, 48, &[0; 30_000]));
        let mut odd = icon(format!("https://example.org/{}", "x".repeat(5_000)));
        odd.sizes = vec!["48x48".to_owned(); 100];
        let first = vec![icon(picture.clone()), icon(picture), odd];
        let shown = ShownIcons::from(&Icons { first, count: 70 });
        assert_eq!((shown.first.len(), shown.count), (3, 70));
        assert!(shown.first[0].picture.is_some() && shown.first[1].picture.is_none());
        assert_eq!(shown.first[2].icon.src.chars().count(), LINE + 1);
        assert_eq!(shown.first[2].icon.sizes.len(), ICON_SIZES);
    }
}

//! Icons as they are shown. Nothing is ever loaded for one: a picture is shown where it stands in the icon itself,
//! and then only if it is of a kind that cannot do anything but be a picture.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use sonde_mcp::{Icon, Icons};
use ts_rs::TS;

use crate::{
    limits::{ICON_PICTURES, ICON_SIDE, ICON_SIZES, LINE},
    text::cut,
};

/// The icons of a server or of an item of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShownIcons {
    /// The first 20 that can be read.
    pub first: Vec<ShownIcon>,
    /// How many entries there are in all.
    pub count: u32,
}

/// One icon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShownIcon {
    /// `src`, at most 1,000 characters of it.
    pub src: String,
    /// `src` whole, where it is a `data:` URI of a PNG, JPEG or WebP picture that is neither animated nor larger than
    /// 1,024 × 1,024 pixels; of all icons together at most 64 KiB.
    pub picture: Option<String>,
    /// `mimeType`.
    pub mime_type: Option<String>,
    /// `sizes`: the first ten.
    pub sizes: Vec<String>,
    /// `theme`.
    pub theme: Option<String>,
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
    fn new(icon: &Icon, room: &mut usize) -> Self {
        let picture = (icon.src.len() <= *room && is_picture(&icon.src)).then(|| icon.src.clone());
        *room -= picture.as_ref().map_or(0, String::len);
        Self {
            src: cut(&icon.src, LINE),
            picture,
            mime_type: icon.mime_type.clone(),
            sizes: icon.sizes.iter().take(ICON_SIZES).cloned().collect(),
            theme: icon.theme.clone(),
        }
    }
}

/// Whether a URI has all of a still raster picture in it: by its media type and by its bytes.
fn is_picture(uri: &str) -> bool {
    let Some((head, data)) = uri.split_once(',') else {
        return false;
    };
    let head = head.to_ascii_lowercase();
    let read = match head.as_str() {
        "data:image/png;base64" => png,
        "data:image/jpeg;base64" | "data:image/jpg;base64" => jpeg,
        "data:image/webp;base64" => webp,
        _ => return false,
    };
    let size = STANDARD.decode(data).ok().and_then(|bytes| read(&bytes));
    size.is_some_and(|sides| sides.iter().all(|side| (1..=ICON_SIDE).contains(side)))
}

/// Width and height of a still PNG (its specification, 5.2 and 11.2.1).
fn png(bytes: &[u8]) -> Option<[u32; 2]> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    // The first chunk: its length, its name, width and height. That of an animation is `acTL`.
    let still = rest.get(4..8)? == b"IHDR" && !bytes.windows(4).any(|name| name == b"acTL");
    still.then_some([big(rest.get(8..12)?), big(rest.get(12..16)?)])
}

/// Width and height of a JPEG: those of its first frame header (ITU T.81, B.2.2).
fn jpeg(bytes: &[u8]) -> Option<[u32; 2]> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, marker, segment @ ..] = rest else {
            return None;
        };
        // Frame headers have these markers, those of tables and of arithmetic coding aside.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            return Some([big(segment.get(5..7)?), big(segment.get(3..5)?)]);
        }
        let length = big(segment.get(..2)?) as usize;
        rest = segment.get(length..)?;
    }
}

/// Width and height of a still WebP (RFC 9649, 2.5 to 2.7).
fn webp(bytes: &[u8]) -> Option<[u32; 2]> {
    if bytes.get(..4)? != b"RIFF" || bytes.get(8..12)? != b"WEBP" {
        return None;
    }
    let chunk = bytes.get(20..)?;
    match bytes.get(12..16)? {
        b"VP8 " => Some([chunk.get(6..8)?, chunk.get(8..10)?].map(|side| little(side) & 0x3fff)),
        b"VP8L" => {
            let sides = little(chunk.get(1..5)?);
            Some([(sides & 0x3fff) + 1, ((sides >> 14) & 0x3fff) + 1])
        }
        b"VP8X" if chunk.first()? & 0b10 == 0 => {
            Some([chunk.get(4..7)?, chunk.get(7..10)?].map(|side| little(side) + 1))
        }
        _ => None,
    }
}

/// At most four bytes as a number, the most significant first.
fn big(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum, byte| (sum << 8) | u32::from(*byte))
}

/// The same, the least significant first.
fn little(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rfold(0, |sum, byte| (sum << 8) | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn png_of(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend(more);
        bytes
    }

    fn webp_of(chunk: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [b"RIFF\0\0\0\0WEBP", &chunk[..], b"\0\0\0\0", body].concat()
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
    fn broken_pictures_are_none() {
        let whole = [
            (png as fn(&[u8]) -> Option<[u32; 2]>, png_of(48, 32, b"")),
            (
                jpeg,
                b"\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x0b\x08\0\x20\0\x30".to_vec(),
            ),
            (webp, webp_of(b"VP8X", b"\0\0\0\0\x2f\0\0\x1f\0\0")),
        ];
        for (read, bytes) in whole {
            assert_eq!(read(&bytes), Some([48, 32]));
            for end in 0..bytes.len() {
                assert_eq!(read(&bytes[..end]), None, "{end}");
            }
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
        assert_eq!(shown.first[2].src.chars().count(), LINE + 1);
        assert_eq!(shown.first[2].sizes.len(), ICON_SIZES);
    }
}

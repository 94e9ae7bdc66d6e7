//! Still raster images of an icon's size, recognized by their bytes: formats without active content.

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::limits::ICON_SIDE;

/// The formats that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
    Webp,
}

impl Format {
    /// Returns the format of a media type.
    pub(super) fn of_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "image/png" => Some(Self::Png),
            "image/jpeg" | "image/jpg" => Some(Self::Jpeg),
            "image/webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// Returns the format of a file by its content, whatever its declared type.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xff, 0xd8, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// Media type of the format.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// True if a file is a still picture of this format and of an icon's size.
    pub(super) fn is_picture(self, bytes: &[u8]) -> bool {
        let sides = match self {
            Self::Png => png(bytes),
            Self::Jpeg => jpeg(bytes),
            Self::Webp => webp(bytes),
        };
        sides.is_some_and(|sides| sides.iter().all(|side| (1..=ICON_SIDE).contains(side)))
    }
}

/// True if a URI contains a whole picture, by its media type and by its bytes.
pub(super) fn is_picture(uri: &str) -> bool {
    let Some((head, data)) = uri.split_once(',') else {
        return false;
    };
    let head = head.to_ascii_lowercase();
    let format = head
        .strip_prefix("data:")
        .and_then(|head| head.strip_suffix(";base64"))
        .filter(|media_type| !media_type.contains(';'))
        .and_then(Format::of_type);
    let bytes = format.and_then(|_| STANDARD.decode(data).ok());
    bytes
        .zip(format)
        .is_some_and(|(bytes, format)| format.is_picture(&bytes))
}

/// The URI that has all of a picture in it.
pub(super) fn data_uri(format: Format, bytes: &[u8]) -> String {
    format!(
        "data:{};base64,{}",
        format.media_type(),
        STANDARD.encode(bytes)
    )
}

/// Width and height of a still PNG (its specification, 5.2 and 11.2.1).
fn png(bytes: &[u8]) -> Option<[u32; 2]> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    // The first chunk: its length, its name, width and height. That of an animation is `acTL`.
    let still = rest.get(4..8)? == b"IHDR" && !bytes.windows(4).any(|name| name == b"acTL");
    still.then_some([big(rest.get(8..12)?), big(rest.get(12..16)?)])
}

/// Width and height of a JPEG, from its first frame header (ITU T.81, B.2.2).
fn jpeg(bytes: &[u8]) -> Option<[u32; 2]> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, marker, segment @ ..] = rest else {
            return None;
        };
        // Markers without a length, and bytes between segments: decoders continue differently here and may find another
        // frame header.
        if matches!(marker, 0x00 | 0x01 | 0xd0..=0xda | 0xff) {
            return None;
        }
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

/// Reads at most four bytes as a big-endian number.
fn big(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum, byte| (sum << 8) | u32::from(*byte))
}

/// Reads at most four bytes as a little-endian number.
fn little(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rfold(0, |sum, byte| (sum << 8) | u32::from(*byte))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn png_of(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend(more);
        bytes
    }

    pub(in super::super) fn webp_of(chunk: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [b"RIFF\0\0\0\0WEBP", &chunk[..], b"\0\0\0\0", body].concat()
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
    fn a_frame_header_that_a_decoder_would_not_come_to_first_is_none() {
        let frame = |side: u16| {
            let [high, low] = side.to_be_bytes();
            [&b"\xff\xc0\0\x0b\x08"[..], &[high, low, high, low]].concat()
        };
        for odd in [
            &b"\xff\x01"[..],
            b"\xff\xd0",
            b"\xff\xff",
            b"\xff\xda",
            b"\xff\0",
        ] {
            // To whoever takes it for a segment the large header is what is in it.
            let bytes = [b"\xff\xd8", odd, b"\0\x0b", &frame(23_000), &frame(32)].concat();
            assert_eq!(jpeg(&bytes), None, "{odd:?}");
        }
    }
}

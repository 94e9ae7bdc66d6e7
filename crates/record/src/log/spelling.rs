//! The ways in which JSON, addresses, forms and headers write a value.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use memchr::memchr;

/// Number of times that a text is decoded: JSON inside JSON, an address inside JSON.
const DEPTH: usize = 2;

/// Part of a text that is decoded at once, in bytes: its decoded form takes several times as much.
const WINDOW: usize = 1 << 20;

/// Limit of the bytes that spell one byte of a value: `\u0041` with each of its characters escaped again.
pub(super) const WIDEST: usize = 36;

/// A text with its escapes decoded.
pub(super) struct Reading<'a> {
    bytes: Vec<u8>,
    escapes: Vec<Escape>,
    of: Of<'a>,
}

/// Source of a reading.
#[derive(Clone, Copy)]
enum Of<'a> {
    /// The text, from this byte on.
    Text(usize),
    /// An earlier reading.
    Reading(&'a Reading<'a>),
}

/// A decoded escape.
struct Escape {
    /// Offset and length after decoding.
    plain: (usize, usize),
    /// Offset and length before decoding.
    written: (usize, usize),
}

impl Reading<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Converts an offset in the reading, which may be its end, to an offset in the text.
    pub(super) fn place(&self, at: usize) -> usize {
        let before = self.escapes.partition_point(|escape| escape.plain.0 <= at);
        let inner = match before.checked_sub(1).map(|last| &self.escapes[last]) {
            None => at,
            Some(Escape { plain, written }) => match at.checked_sub(plain.0 + plain.1) {
                Some(behind) => written.0 + written.1 + behind,
                None => written.0,
            },
        };
        match self.of {
            Of::Text(start) => start + inner,
            Of::Reading(outer) => outer.place(inner),
        }
    }
}

/// Calls `look` with each decoded form of the text, one part at a time. A value written in at most `longest` bytes is
/// always within one part.
pub(super) fn readings(text: &[u8], longest: usize, look: &mut impl FnMut(&Reading<'_>)) {
    let longest = longest.saturating_mul(WIDEST);
    let mut start = 0;
    while start < text.len() {
        let end = (start + WINDOW).saturating_add(longest).min(text.len());
        decode_all(&text[start..end], Of::Text(start), DEPTH, look);
        if end == text.len() {
            break;
        }
        start += WINDOW;
    }
}

fn decode_all(bytes: &[u8], of: Of<'_>, depth: usize, look: &mut impl FnMut(&Reading<'_>)) {
    if depth == 0 {
        return;
    }
    let decoders: [(u8, Decoder); 2] = [(b'\\', json_escape), (b'%', percent_escape)];
    for (sign, escape) in decoders {
        if let Some(reading) = decode(bytes, of, sign, escape) {
            look(&reading);
            decode_all(&reading.bytes, Of::Reading(&reading), depth - 1, look);
        }
    }
}

/// Decodes the escape at the start of these bytes; returns its bytes, their number, and the length of the escape.
type Decoder = fn(&[u8]) -> Option<([u8; 4], usize, usize)>;

/// Decodes the escapes of a text; `None` if there are none.
fn decode<'a>(bytes: &[u8], of: Of<'a>, sign: u8, escape: Decoder) -> Option<Reading<'a>> {
    memchr(sign, bytes)?;
    let mut out = Vec::with_capacity(bytes.len());
    let mut escapes = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr(sign, &bytes[at..]) {
        out.extend_from_slice(&bytes[at..at + found]);
        at += found;
        match escape(&bytes[at..]) {
            Some((plain, length, written)) => {
                escapes.push(Escape {
                    plain: (out.len(), length),
                    written: (at, written),
                });
                out.extend_from_slice(&plain[..length]);
                at += written;
            }
            None => {
                out.push(sign);
                at += 1;
            }
        }
    }
    out.extend_from_slice(&bytes[at..]);
    (!escapes.is_empty()).then_some(Reading {
        bytes: out,
        escapes,
        of,
    })
}

/// Decodes `%41`.
fn percent_escape(bytes: &[u8]) -> Option<([u8; 4], usize, usize)> {
    let byte = u8::try_from(hexadecimal(bytes.get(1..3)?)?).ok()?;
    Some(([byte, 0, 0, 0], 1, 3))
}

/// Decodes `\n`, `\/`, `\u0041`.
fn json_escape(bytes: &[u8]) -> Option<([u8; 4], usize, usize)> {
    let unit = |at: usize| hexadecimal(bytes.get(at..at + 6)?.strip_prefix(b"\\u")?);
    let (c, written) = match unit(0) {
        Some(high @ 0xd800..=0xdbff) => match unit(6) {
            Some(low @ 0xdc00..=0xdfff) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code)?, 12)
            }
            _ => return None,
        },
        Some(code) => (char::from_u32(code)?, 6),
        None => {
            let c = match bytes.get(1)? {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                sign @ (b'"' | b'\\' | b'/') => char::from(*sign),
                _ => return None,
            };
            (c, 2)
        }
    };
    let mut plain = [0; 4];
    let length = c.encode_utf8(&mut plain).len();
    Some((plain, length, written))
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| {
        Some(number << 4 | char::from(*digit).to_digit(16)?)
    })
}

/// Returns the spellings of a value to search for in every reading of a text: as it is, form-encoded, and in base64
/// within a longer text.
pub(super) fn spellings(value: &str) -> Vec<String> {
    let mut all = vec![value.to_owned(), value.replace(' ', "+")];
    for before in 0..3 {
        let mut bytes = vec![0; before];
        bytes.extend_from_slice(value.as_bytes());
        // Each character holds six bits. The first and last characters that also depend on neighbouring bytes are left
        // out.
        let (start, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let encoded = engine.encode(&bytes);
            all.push(encoded.get(start..end).unwrap_or_default().to_owned());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

//! The ways in which JSON, addresses and forms write a value.

/// Bytes without escapes, and for each of them and for their end the place in the input.
pub(super) type Decoded = (Vec<u8>, Vec<usize>);

/// Decodes `%41`.
pub(super) fn percent_decoded(bytes: &[u8]) -> Decoded {
    let hex = |at: usize| {
        bytes
            .get(at)
            .and_then(|byte| char::from(*byte).to_digit(16))
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (mut out, mut offsets) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        offsets.push(at);
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    offsets.push(bytes.len());
    (out, offsets)
}

/// Decodes `\n`, `\/`, `\u0041`.
pub(super) fn json_decoded(bytes: &[u8]) -> Decoded {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            Some(unit << 4 | char::from(*digit).to_digit(16)?)
        })
    };
    let escaped = |at: usize| match unit(at) {
        Some(high @ 0xd800..=0xdbff) => match unit(at + 6) {
            Some(low @ 0xdc00..=0xdfff) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                Some((char::from_u32(code)?, 12))
            }
            _ => None,
        },
        Some(code) => Some((char::from_u32(code)?, 6)),
        None => Some((
            match bytes.get(at + 1)? {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                sign @ (b'"' | b'\\' | b'/') => char::from(*sign),
                _ => return None,
            },
            2,
        )),
    };
    let (mut out, mut offsets) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let decoded = (bytes[at] == b'\\').then(|| escaped(at)).flatten();
        let before = out.len();
        let length = match decoded {
            Some((c, length)) => {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                length
            }
            None => {
                out.push(bytes[at]);
                1
            }
        };
        offsets.resize(offsets.len() + out.len() - before, at);
        at += length;
    }
    offsets.push(bytes.len());
    (out, offsets)
}

/// Every way in which a value is likely to be written: as it is, inside a JSON string (with or
/// without `\/`, `\u0026` and `\u00e9`), inside JSON inside a JSON string, and in a URL.
pub(super) fn spellings(value: &str) -> Vec<String> {
    let mut all = vec![value.to_owned()];
    let mut level = vec![value.to_owned()];
    for _ in 0..2 {
        level = level.iter().flat_map(|text| json_spellings(text)).collect();
        all.extend(level.iter().cloned());
    }
    for keep in ["-._~", "*-._", "-._~!$&'()*+,;=:@/?", "-._~!*'()"] {
        for lower in [false, true] {
            let encoded = percent_encoded(value, keep, lower);
            all.push(encoded.replace("%20", "+"));
            all.push(encoded);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn json_spellings(text: &str) -> Vec<String> {
    // A string always serialises.
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted
        .get(1..quoted.len().saturating_sub(1))
        .unwrap_or_default()
        .to_owned();
    // Go escapes what would end a script element in HTML.
    let for_html = inner
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e");
    // .NET escapes more of it, and in capitals.
    let for_dotnet = inner
        .replace('&', "\\u0026")
        .replace('<', "\\u003C")
        .replace('>', "\\u003E")
        .replace('+', "\\u002B")
        .replace('\'', "\\u0027");
    let mut all = Vec::new();
    for inner in [inner.replace('/', "\\/"), for_html, for_dotnet, inner] {
        for upper in [false, true] {
            all.push(ascii_escaped(&inner, upper));
        }
        all.push(inner);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Writes what is not ASCII as `\uXXXX`.
fn ascii_escaped(text: &str, upper: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&if upper {
                format!("\\u{unit:04X}")
            } else {
                format!("\\u{unit:04x}")
            });
        }
    }
    out
}

pub(super) fn percent_encoded(text: &str, keep: &str, lower: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || keep.as_bytes().contains(&byte) {
            out.push(char::from(byte));
        } else if lower {
            out.push_str(&format!("%{byte:02x}"));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

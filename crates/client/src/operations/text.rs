//! Texts inside raw JSON.

use std::borrow::Cow;

/// Decodes a JSON string; true if it had to be repaired, as with [`decode_parts`]. `None` if `raw` is not a string.
pub(crate) fn decode(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    let inner = inside(raw)?;
    if !inner.contains('\\') {
        return Some((Cow::Borrowed(inner), false));
    }
    let mut text = String::with_capacity(inner.len());
    let repaired = unescape(inner, |part| text.push_str(part));
    Some((Cow::Owned(text), repaired))
}

/// Decodes a JSON string part by part; true if it had to be repaired: a lone surrogate, which JSON allows but text cannot
/// contain, becomes U+FFFD. `None` if `raw` is not a string.
pub(crate) fn decode_parts(raw: &str, take: impl FnMut(&str)) -> Option<bool> {
    Some(unescape(inside(raw)?, take))
}

fn inside(raw: &str) -> Option<&str> {
    raw.trim().strip_prefix('"')?.strip_suffix('"')
}

/// Unescapes the inside of a JSON string; true if it has a lone surrogate.
fn unescape(inner: &str, mut take: impl FnMut(&str)) -> bool {
    let mut repaired = false;
    let mut rest = inner;
    let hex = |text: &str| {
        text.strip_prefix("\\u")
            .and_then(|text| text.get(..4))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    while let Some(at) = rest.find('\\') {
        take(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = match hex(rest) {
            Some(unit) => {
                let low = hex(&rest[6..]).filter(|low| (0xDC00..0xE000).contains(low));
                match low {
                    Some(low) if (0xD800..0xDC00).contains(&unit) => {
                        let point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                        (char::from_u32(point), 12)
                    }
                    _ => (char::from_u32(unit), 6),
                }
            }
            None => {
                let escaped = rest[1..].chars().next();
                let c = escaped.map(|escaped| match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    other => other,
                });
                (c, 1 + escaped.map_or(0, char::len_utf8))
            }
        };
        repaired |= c.is_none();
        take(c.unwrap_or('\u{fffd}').encode_utf8(&mut [0; 4]));
        rest = &rest[length..];
    }
    take(rest);
    repaired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded_and_broken_ones_repaired() {
        let plain = decode("\"abc ü\"").unwrap();
        assert!(matches!(plain, (Cow::Borrowed("abc ü"), false)));
        assert_eq!(
            decode(r#""a\nbé""#).unwrap(),
            (Cow::Owned("a\nbé".to_owned()), false)
        );
        let (text, repaired) = decode(r#""x\ud800y\t\ud83d\ude00\"\\""#).unwrap();
        assert_eq!((text.as_ref(), repaired), ("x\u{fffd}y\t😀\"\\", true));
        assert_eq!(decode("17"), None);
        assert_eq!(decode("{\"a\":\"b\"}"), None);
    }

    proptest::proptest! {
        #[test]
        fn every_json_string_comes_back(text: String) {
            let raw = serde_json::to_string(&text).unwrap();
            proptest::prop_assert_eq!(decode(&raw).unwrap(), (Cow::Owned::<str>(text), false));
        }
        #[test]
        fn no_text_panics(text in r#"[\\u0-9a-fdD8"x😀]{0,40}"#) {
            unescape(&text, |_| {});
            decode(&text);
        }
    }
}

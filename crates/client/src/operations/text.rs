//! Texts inside raw JSON.

use std::borrow::Cow;

/// Decodes a JSON string; true if it had to be repaired: a lone surrogate, which JSON allows but text cannot contain,
/// becomes U+FFFD. `None` if `raw` is not a string.
pub(crate) fn decode(raw: &str) -> Option<(Cow<'_, str>, bool)> {
    let inner = raw.trim().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some((Cow::Borrowed(inner), false));
    }
    match serde_json::from_str::<String>(raw) {
        Ok(text) => Some((Cow::Owned(text), false)),
        Err(_) => Some((Cow::Owned(repair(inner)), true)),
    }
}

/// Unescapes a string that the strict reader refused.
fn repair(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    let hex = |text: &str| {
        text.strip_prefix("\\u")
            .and_then(|text| text.get(..4))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(unit) = hex(rest) {
            let low = hex(&rest[6..]).filter(|low| (0xDC00..0xE000).contains(low));
            match low {
                Some(low) if (0xD800..0xDC00).contains(&unit) => {
                    let point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    out.push(char::from_u32(point).unwrap_or('\u{fffd}'));
                    rest = &rest[12..];
                }
                _ => {
                    out.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
                    rest = &rest[6..];
                }
            }
            continue;
        }
        let mut chars = rest[1..].chars();
        let escaped = chars.next();
        out.push(match escaped {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(other) => other,
            None => '\u{fffd}',
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
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
            repair(&text);
            decode(&text);
        }
    }
}

//! JSON as people write it into configuration files.

/// The text without comments and trailing commas, byte order mark and all; strings stay as they
/// are. Removed characters become spaces, so that positions in errors stay right.
pub(super) fn strict(text: &str) -> String {
    let mut out: Vec<u8> = text.as_bytes().to_vec();
    if out.starts_with(b"\xef\xbb\xbf") {
        out[..3].fill(b' ');
    }
    let mut at = 0;
    let mut comma = None;
    while at < out.len() {
        match out[at] {
            b'"' => {
                comma = None;
                at += 1;
                while at < out.len() && out[at] != b'"' {
                    at += if out[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if out.get(at + 1) == Some(&b'/') => {
                while at < out.len() && out[at] != b'\n' {
                    out[at] = b' ';
                    at += 1;
                }
                continue;
            }
            b'/' if out.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..]
                    .find("*/")
                    .map_or(out.len(), |end| at + 2 + end + 2);
                for byte in &mut out[at..end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                at = end;
                continue;
            }
            b',' => comma = Some(at),
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    out[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Only whole characters were replaced, by ASCII.
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_go_and_strings_stay() {
        let text = "\u{feff}{ // a \"comment\" ü\n \"u\": \"http://a/*b*/,]\\\"\", /* x, } ü */\n \"l\": [1, 2, ], }";
        let value: serde_json::Value = serde_json::from_str(&strict(text)).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"u": "http://a/*b*/,]\"", "l": [1, 2]})
        );
        for text in ["/*", "//", "\"", "\"\\", ",", "[,]", "/* ü"] {
            strict(text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in r#"[\{\}\[\]",:\\/* ü\n]{0,40}"#) {
            strict(&text);
        }
    }
}

//! Digest of JSON text that does not depend on its formatting.

use sha2::{Digest as _, Sha256};
use sonde_wire::json::{Sink, scan};

type Hash = [u8; 32];

/// Longer text is taken as it is written: each of its values takes a multiple of itself while it is hashed.
const LONGEST: usize = 1024 * 1024;

/// The SHA-256 of a JSON value: the order of keys, spaces and escapes change nothing, the order of elements and the
/// digits of numbers do. For text that is not JSON, or longer than 1 MiB, the digest of the text. As deep as the text
/// is.
pub fn digest(text: &str) -> String {
    if text.len() > LONGEST {
        return hex(&tagged_hash(b'!', text.as_bytes()));
    }
    let mut values = Values {
        text,
        open: Vec::new(),
        whole: None,
    };
    let hash = match scan(text.as_bytes(), &mut values) {
        Ok(()) => values.whole,
        Err(_) => None,
    };
    hex(&hash.unwrap_or_else(|| tagged_hash(b'?', text.as_bytes())))
}

/// The digest of these digests, in this order.
pub fn together<'a>(digests: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for one in digests {
        hash.update(one);
        hash.update(b" ");
    }
    hex(&hash.finalize())
}

/// Hashes each value when its end is reached.
struct Values<'a> {
    text: &'a str,
    /// The objects and arrays around the place, the innermost last.
    open: Vec<Open>,
    whole: Option<Hash>,
}

struct Open {
    object: bool,
    /// Key and value of each member; for an element, the value twice.
    parts: Vec<(Hash, Hash)>,
    /// The key whose value follows.
    key: Hash,
}

impl Values<'_> {
    fn string(&self, start: usize, end: usize) -> Hash {
        let written = &self.text[start..end];
        match serde_json::from_str::<String>(written) {
            Ok(text) => tagged_hash(b'"', text.as_bytes()),
            // A lone surrogate.
            Err(_) => tagged_hash(b'\\', written.as_bytes()),
        }
    }

    fn push_value(&mut self, hash: Hash) {
        match self.open.last_mut() {
            Some(open) if open.object => open.parts.push((open.key, hash)),
            Some(open) => open.parts.push((hash, hash)),
            None => self.whole = Some(hash),
        }
    }
}

impl Sink for Values<'_> {
    fn open(&mut self, start: usize) {
        self.open.push(Open {
            object: self.text.as_bytes()[start] == b'{',
            parts: Vec::new(),
            key: Hash::default(),
        });
    }

    fn close(&mut self, _: usize) {
        let Some(mut open) = self.open.pop() else {
            return;
        };
        if open.object {
            // Repeated keys keep their order.
            open.parts.sort_by_key(|one| one.0);
        }
        let mut hash = Sha256::new();
        hash.update(if open.object { b"{" } else { b"[" });
        for (key, value) in open.parts {
            hash.update(key);
            hash.update(value);
        }
        self.push_value(hash.finalize().into());
    }

    fn key(&mut self, start: usize, end: usize) {
        let key = self.string(start, end);
        if let Some(open) = self.open.last_mut() {
            open.key = key;
        }
    }

    fn scalar(&mut self, start: usize, end: usize) {
        let hash = match self.text.as_bytes()[start] {
            b'"' => self.string(start, end),
            _ => tagged_hash(b'0', &self.text.as_bytes()[start..end]),
        };
        self.push_value(hash);
    }
}

fn tagged_hash(kind: u8, bytes: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update([kind]);
    hash.update(bytes);
    hash.finalize().into()
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_is_written_changes_nothing_and_what_it_says_does() {
        let base = digest(r#"{"a":1,"b":{"c":[1,"x"],"d":null}}"#);
        assert_eq!(base.len(), 64);
        for same in [
            r#"{ "b": {"d": null, "c": [1, "\u0078"]}, "\u0061": 1 }"#,
            "{\"a\":1,\n\"b\":{\"c\":[1,\"x\"],\"d\":null}}",
        ] {
            assert_eq!(digest(same), base, "{same}");
        }
        for other in [
            r#"{"a":1,"b":{"c":["x",1],"d":null}}"#,
            r#"{"a":"1","b":{"c":[1,"x"],"d":null}}"#,
            r#"{"a":1,"b":{"c":[1,"x"],"d":"null"}}"#,
            r#"{"a":1,"b":{"c":[1,"x"]},"d":null}"#,
            r#"{"a":1,"a":2,"b":{"c":[1,"x"],"d":null}}"#,
            r#"{"a":1,"b":[[1,"x"],null]}"#,
            "{",
        ] {
            assert_ne!(digest(other), base, "{other}");
        }
        assert_ne!(digest(r#""\ud800""#), digest(r#""\ud801""#));
        assert_ne!(digest("[]"), digest("{}"));
    }

    #[test]
    fn a_text_may_be_as_deep_as_it_likes() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(
            digest(&deep(r#"{"a":1,"b":2}"#)),
            digest(&deep(r#"{"b":2,"a":1}"#))
        );
        assert_ne!(digest(&deep("1")), digest(&deep("2")));
    }
}

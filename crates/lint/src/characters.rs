//! Sets of characters that a name may have.

use serde::{Deserialize, Deserializer, de::Error};

/// A set of ASCII characters, written as within the brackets of a regular expression: `A-Za-z0-9_-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characters {
    /// A bit for each character.
    bits: u128,
    written: &'static str,
}

impl Characters {
    /// Returns true if the set contains the character.
    #[must_use]
    pub fn contain(&self, one: char) -> bool {
        one.is_ascii() && self.bits & (1 << u32::from(one)) != 0
    }

    /// Returns the set as written.
    #[must_use]
    pub fn written(&self) -> &'static str {
        self.written
    }

    fn parse(text: &str) -> Option<Self> {
        let mut bits = 0_u128;
        let mut rest = text.bytes().peekable();
        while let Some(first) = rest.next() {
            let mut last = first;
            // A hyphen at the end is a member of the set.
            let mut ahead = rest.clone();
            if ahead.next() == Some(b'-')
                && let Some(end) = ahead.next()
            {
                last = end;
                rest = ahead;
            }
            if !first.is_ascii() || !last.is_ascii() || last < first {
                return None;
            }
            for one in first..=last {
                bits |= 1 << one;
            }
        }
        Some(Self {
            bits,
            // Leaked: there are only a few for the lifetime of the process.
            written: Box::leak(text.to_owned().into_boxed_str()),
        })
    }
}

impl<'de> Deserialize<'de> for Characters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("no set of characters: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_its_ranges_and_its_single_characters() {
        let of = |text| Characters::parse(text).unwrap();
        let name = of("A-Za-z0-9_-");
        assert!("aZ09_-".chars().all(|one| name.contain(one)));
        assert!(!"./: ü".chars().any(|one| name.contain(one)));
        assert!(of("_.:-").contain('-') && !of("_.:-").contain('a'));
        assert_eq!(Characters::parse("z-a"), None);
        assert_eq!(Characters::parse("ä"), None);
    }
}

//! Reading chosen members of a JSON object in one pass, without building a tree.
//!
//! Values stay slices of the received text, so digits, key order and spaces survive and a large
//! result costs no allocation. Repeated keys are no error here: the last one counts, as in most
//! parsers, and the reader is told.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The chosen members of one object, in the order in which they were asked for.
pub(crate) struct Members<'a, const N: usize> {
    /// The values; `null` is `Some`.
    pub(crate) values: [Option<&'a RawValue>; N],
    /// The first chosen name that occurred more than once.
    pub(crate) repeated: Option<&'static str>,
}

/// Reads `names` from `json`. An error means that `json` is no valid JSON or no object.
pub(crate) fn members<'a, const N: usize>(
    json: &'a str,
    names: &[&'static str; N],
) -> Result<Members<'a, N>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let members = deserializer.deserialize_map(Reader { names })?;
    deserializer.end()?;
    Ok(members)
}

/// The text of a JSON string; `None` for any other value.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// The elements of a JSON array; `None` for any other value.
pub(crate) fn elements(raw: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw).ok()
}

struct Reader<'n, const N: usize> {
    names: &'n [&'static str; N],
}

impl<'de, const N: usize> Visitor<'de> for Reader<'_, N> {
    type Value = Members<'de, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Members {
            values: [None; N],
            repeated: None,
        };
        while let Some(place) = map.next_key_seed(Place { names: self.names })? {
            let Some(place) = place else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &'de RawValue = map.next_value()?;
            if found.values[place].replace(value).is_some() && found.repeated.is_none() {
                found.repeated = Some(self.names[place]);
            }
        }
        Ok(found)
    }
}

/// Finds a key's place in the list of names without keeping the key.
struct Place<'n, const N: usize> {
    names: &'n [&'static str; N],
}

impl<'de, const N: usize> DeserializeSeed<'de> for Place<'_, N> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<const N: usize> Visitor<'_> for Place<'_, N> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.names.iter().position(|name| *name == key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_members_keep_their_text() {
        let json = r#" {"x":[1,{"a":2}],"\u0061": 9007199254740993.10 ,"b":null,"c":"é\n"} "#;
        let read = members(json, &["a", "b", "c", "d"]).unwrap();
        let texts = read.values.map(|value| value.map(RawValue::get));
        assert_eq!(
            texts,
            [
                Some("9007199254740993.10"),
                Some("null"),
                Some(r#""é\n""#),
                None
            ]
        );
        assert_eq!(read.repeated, None);
    }

    #[test]
    fn the_last_of_repeated_members_counts() {
        let read = members(r#"{"a":1,"z":0,"z":0,"a":2}"#, &["a"]).unwrap();
        assert_eq!(read.values[0].map(RawValue::get), Some("2"));
        assert_eq!(read.repeated, Some("a"));
    }

    #[test]
    fn nesting_has_no_limit_and_other_values_are_errors() {
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert!(members(&deep, &["a"]).is_ok());
        assert!(members(&deep, &["b"]).is_ok());
        for bad in [
            "",
            "[]",
            "3",
            "null",
            "{",
            r#"{"a":}"#,
            "{} {}",
            "{'a':1}",
            "{\"a\":1,}",
        ] {
            assert!(members(bad, &["a"]).is_err(), "{bad}");
        }
    }
}

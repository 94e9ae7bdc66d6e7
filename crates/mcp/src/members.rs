//! Reading chosen members of a JSON object in one pass, without building a tree, and adding to it
//! without touching the rest.
//!
//! Values are slices of the received text, so digits, key order and spaces are preserved and a large result needs no
//! allocation. A repeated key is not an error here: the last value counts, as in most parsers, and the caller is told.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, hash_map},
    fmt,
};

use serde::{
    Deserialize,
    de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// The chosen members of one object, in the order in which they were asked for.
#[derive(Debug)]
pub struct Members<'a, const N: usize> {
    /// The values; `null` is `Some`. Of a repeated member, the last value.
    pub values: [Option<&'a RawValue>; N],
    /// The first chosen name that occurred more than once.
    pub repeated: Option<&'static str>,
}

/// Reads `names` from `json`.
///
/// # Errors
/// If `json` is not valid JSON or not an object.
pub fn members<'a, const N: usize>(
    json: &'a str,
    names: &[&'static str; N],
) -> Result<Members<'a, N>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let members = deserializer.deserialize_map(Reader { names })?;
    deserializer.end()?;
    Ok(members)
}

/// Returns the member of this name; `None` if it is missing, or the value is not an object.
pub(crate) fn member<'a>(
    object: impl Into<Option<&'a RawValue>>,
    name: &'static str,
) -> Option<&'a RawValue> {
    let [value] = members(object.into()?.get(), &[name]).ok()?.values;
    value
}

/// The text of a JSON string; `None` for any other value.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Returns true if a capability of this value is declared: by any but `null` and `false`; the schema wants an object.
pub(crate) fn is_declared(raw: &RawValue) -> bool {
    !matches!(raw.get(), "null" | "false")
}

/// Returns true if the value exists and is `true`.
pub(crate) fn is_true(raw: Option<&RawValue>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// Returns true if the value is an object whose member of this name is `true`.
pub(crate) fn has_true(raw: Option<&RawValue>, name: &'static str) -> bool {
    is_true(member(raw, name))
}

/// The first elements of a JSON array, and the number of all.
#[derive(Debug)]
pub struct Elements<'a> {
    /// The first elements, in order.
    pub first: Vec<&'a RawValue>,
    /// Number of elements in all.
    pub count: usize,
}

/// Returns at most `limit` elements of the array `json`; the others are counted and cost no memory.
///
/// # Errors
/// If `json` is not valid JSON or not an array.
pub fn elements(json: &str, limit: usize) -> Result<Elements<'_>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let elements = deserializer.deserialize_seq(FirstElements { limit })?;
    deserializer.end()?;
    Ok(elements)
}

/// The value at `path` inside nested objects.
pub(crate) fn at<'a>(json: &'a str, path: &[String]) -> Option<&'a RawValue> {
    let mut text = json;
    let mut found = None;
    for name in path {
        let mut object: BTreeMap<String, &'a RawValue> = serde_json::from_str(text).ok()?;
        let value = object.remove(name)?;
        text = value.get();
        found = Some(value);
    }
    found
}

/// Appends members (values are JSON text) to `object`, except those whose names it already has. `None` if `object` is
/// not a JSON object.
pub(crate) fn complete(object: &str, added: &[(&str, &str)]) -> Option<String> {
    let present = entries(object, usize::MAX)?;
    let room: usize = added
        .iter()
        .map(|(name, value)| name.len() + value.len() + 4)
        .sum();
    let mut text = String::with_capacity(object.len() + room);
    text.push_str(object.trim_end().strip_suffix('}')?);
    let mut first = present.is_empty();
    for (name, value) in added {
        if present.iter().any(|(known, _)| known == name) {
            continue;
        }
        if !std::mem::take(&mut first) {
            text.push(',');
        }
        push_quoted(&mut text, name);
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    Some(text)
}

/// Adds `entries` to the `_meta` of `params`; existing members of `_meta` stay. If `params` or `_meta` is not an
/// object, the text stays as written.
pub(crate) fn with_meta(params: Option<&str>, entries: &[(&str, &str)]) -> Option<String> {
    if entries.is_empty() {
        return params.map(str::to_owned);
    }
    let params = params.unwrap_or("{}");
    let present = members(params, &["_meta"])
        .ok()
        .and_then(|read| read.values[0]);
    let Some(meta) = present else {
        let meta = complete("{}", entries)?;
        return complete(params, &[("_meta", &meta)]).or_else(|| Some(params.to_owned()));
    };
    let Some(completed) = complete(meta.get(), entries) else {
        return Some(params.to_owned());
    };
    // The parsed slice is part of `params`, so its offset is the difference of the pointers.
    let start = meta.get().as_ptr() as usize - params.as_ptr() as usize;
    let (before, after) = (&params[..start], &params[start + meta.get().len()..]);
    Some(format!("{before}{completed}{after}"))
}

/// Returns the members of an object in their order; of repeated members, the last value. If there are more than `limit`
/// different names, one more than `limit` is returned. `None` for any other value.
pub(crate) fn entries(json: &str, limit: usize) -> Option<Vec<(Cow<'_, str>, &RawValue)>> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let entries = deserializer.deserialize_map(Entries { limit }).ok()?;
    deserializer.end().ok()?;
    Some(entries)
}

/// Removes members from `object`; it stays as written if it has none of them.
pub(crate) fn without(object: &str, names: &[&str]) -> String {
    let Some(entries) = entries(object, usize::MAX) else {
        return object.to_owned();
    };
    if !entries.iter().any(|(name, _)| names.contains(&&**name)) {
        return object.to_owned();
    }
    let kept: Vec<String> = entries
        .iter()
        .filter(|(name, _)| !names.contains(&&**name))
        .map(|(name, value)| format!("{}:{}", quoted(name), value.get()))
        .collect();
    format!("{{{}}}", kept.join(","))
}

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

/// Adds `text` as a JSON string.
pub(crate) fn push_quoted(json: &mut String, text: &str) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        json.push('"');
        json.push_str(text);
        json.push('"');
    } else {
        json.push_str(&serde_json::Value::from(text).to_string());
    }
}

/// Removes line breaks from `json`; valid JSON has them only between tokens.
pub(crate) fn one_line(json: &str) -> Cow<'_, str> {
    if json.contains(['\n', '\r']) {
        json.split(['\n', '\r']).collect()
    } else {
        Cow::Borrowed(json)
    }
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
        while let Some(Key(key)) = map.next_key()? {
            let Some(place) = self.names.iter().position(|name| *name == key) else {
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

struct FirstElements {
    limit: usize,
}

impl<'de> Visitor<'de> for FirstElements {
    type Value = Elements<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut first = Vec::new();
        while first.len() < self.limit {
            match array.next_element::<&'de RawValue>()? {
                Some(element) => first.push(element),
                None => break,
            }
        }
        let mut count = first.len();
        while array.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Elements { first, count })
    }
}

struct Entries {
    limit: usize,
}

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries: Self::Value = Vec::new();
        let mut places: HashMap<Cow<'de, str>, usize> = HashMap::new();
        while let Some((Key(key), value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
            if entries.len() > self.limit {
                continue;
            }
            match places.entry(key) {
                hash_map::Entry::Occupied(known) => entries[*known.get()].1 = value,
                hash_map::Entry::Vacant(new) => {
                    entries.push((new.key().clone(), value));
                    new.insert(entries.len() - 1);
                }
            }
        }
        Ok(entries)
    }
}

/// A key, copied only if it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

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

    #[test]
    fn what_is_added_leaves_the_rest_as_written() {
        let typed =
            r#" { "z": 1.0e+2, "a": 9007199254740993, "_meta" : {"k": [1 ], "x":null} , "b":{} } "#;
        let one: &[(&str, &str)] = &[("x", "1"), ("y", "{\"q\":2}")];
        assert_eq!(
            with_meta(Some(typed), one).unwrap(),
            r#" { "z": 1.0e+2, "a": 9007199254740993, "_meta" : {"k": [1 ], "x":null,"y":{"q":2}} , "b":{} } "#
        );
        for (params, completed) in [
            (None, Some(r#"{"_meta":{"x":1,"y":{"q":2}}}"#)),
            (Some("{}"), Some(r#"{"_meta":{"x":1,"y":{"q":2}}}"#)),
            (Some("{ }"), Some(r#"{ "_meta":{"x":1,"y":{"q":2}}}"#)),
            (
                Some(r#"{"a":1,"a":2}"#),
                Some(r#"{"a":1,"a":2,"_meta":{"x":1,"y":{"q":2}}}"#),
            ),
            (
                Some(r#"{"\u005fmeta":{ }}"#),
                Some(r#"{"\u005fmeta":{ "x":1,"y":{"q":2}}}"#),
            ),
            (Some(r#"{"_meta":3}"#), Some(r#"{"_meta":3}"#)),
            (Some("[1]"), Some("[1]")),
            (Some("null"), Some("null")),
        ] {
            assert_eq!(with_meta(params, one).as_deref(), completed);
        }
        assert_eq!(with_meta(None, &[]), None);
        assert_eq!(with_meta(Some(typed), &[]).as_deref(), Some(typed));
    }

    #[test]
    fn members_are_left_out_by_name() {
        let json = r#"{ "b": 1.0, "a":[ 1 ],"c":null }"#;
        assert_eq!(without(json, &["x"]), json);
        assert_eq!(without(json, &["a", "x"]), r#"{"b":1.0,"c":null}"#);
        assert_eq!(without("[1]", &["a"]), "[1]");
    }

    #[test]
    fn of_repeated_members_the_last_counts_and_of_many_the_first_are_read() {
        let texts = |json: &'static str, limit| {
            let read = entries(json, limit).unwrap().into_iter();
            read.map(|(key, value)| (key, value.get()))
                .collect::<Vec<_>>()
        };
        let all = [("a".into(), "3"), ("b".into(), "2")];
        assert_eq!(texts(r#"{"a":1,"b":2,"a":3}"#, 2), all);
        assert_eq!(texts(r#"{"a":3,"b":2,"c":4,"d":5}"#, 1), all);
        assert!(entries("[1]", 1).is_none());
        let read = elements("[1,[2],{}]", 2).unwrap();
        let first: Vec<_> = read.first.iter().map(|one| one.get()).collect();
        assert_eq!((first, read.count), (vec!["1", "[2]"], 3));
        assert!(elements("{}", 9).is_err() && elements("[1", 0).is_err());
        assert!(elements("[1][2]", 0).is_err());
    }

    /// With a loop over all keys for each key it would not end within an hour.
    #[test]
    fn a_million_members_are_read_in_one_pass() {
        let members: Vec<String> = (0..1_000_000).map(|n| format!(r#""{n}":0"#)).collect();
        let json = format!("{{{}}}", members.join(","));
        assert_eq!(entries(&json, usize::MAX).unwrap().len(), 1_000_000);
        assert_eq!(entries(&json, 64).unwrap().len(), 65);
    }

    #[test]
    fn nested_values_are_found_by_their_exact_path() {
        let json = r#"{"a":{"b.c":{"d": 1.50 }},"n":null}"#;
        let path = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let found = |names: &[&str]| at(json, &path(names)).map(RawValue::get);
        assert_eq!(found(&["a", "b.c", "d"]), Some("1.50"));
        assert_eq!(found(&["n"]), Some("null"));
        assert_eq!(found(&["a", "b"]), None);
        assert_eq!(found(&["n", "x"]), None);
    }
}

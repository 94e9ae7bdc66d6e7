//! Replaces secrets by fingerprints before anything is stored.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use memchr::memmem::Finder;
use sonde_wire::{Body, EntryKind, Finding, Header, Label};

use super::{
    ranges::{Ranges, SecretRange},
    spelling::{WIDEST, readings, spellings},
};

/// Headers whose values are always secret, in lower case.
const HEADERS: [&str; 7] = [
    "authorization",
    "dpop",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "mcp-session-id",
    "x-api-key",
];

/// Minimum length of a secret in bytes: shorter values would be found everywhere.
const SHORTEST: usize = 6;

/// A secret value, which `Debug` never shows.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for SecretText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// Secrets that a log must not contain.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// Values; each one of at least 6 bytes is searched for in every text.
    pub values: Vec<SecretText>,
    /// Names of further headers with secret values, in any case.
    pub headers: Vec<String>,
}

/// Minimum length of a line of a value that is searched for by itself.
const SHORTEST_LINE: usize = 16;

/// Limit of the lines of a value, and of its other parts, that are searched for by themselves: each costs a search in
/// every text.
const MOST_LINES: usize = 64;

/// Limit in bytes of a search pattern. A longer value is found by this beginning and hidden as far as the text matches
/// it.
const LONGEST: usize = 4 * 1024;

/// Finds and replaces the secrets of one server in all their spellings.
pub(super) struct Redactor {
    patterns: Vec<Pattern>,
    /// Length of the longest pattern in bytes, at most [`LONGEST`].
    longest: usize,
    headers: BTreeSet<String>,
}

struct Pattern {
    finder: Finder<'static>,
    /// The part of a value beyond [`LONGEST`] bytes.
    rest: Vec<u8>,
    mark: String,
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new(&Secrets::default())
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

impl Redactor {
    pub(super) fn new(secrets: &Secrets) -> Self {
        let mut patterns = Vec::new();
        let mut seen = BTreeSet::new();
        let mut add = |written: String, mark: &str| {
            if seen.insert(written.clone()) {
                patterns.push(Pattern::new(&written, mark));
            }
        };
        for SecretText(value) in &secrets.values {
            for value in parts(value).into_iter().take(MOST_LINES) {
                if value.len() < SHORTEST {
                    continue;
                }
                let mark = fingerprint(&value);
                for written in spellings(&value) {
                    add(written, &mark);
                }
                // A process writes line by line, and each line is an entry of its own.
                let lines = value.lines().map(str::trim);
                let lines =
                    lines.filter(|line| line.len() >= SHORTEST_LINE && !line.starts_with("-----"));
                for line in lines.take(MOST_LINES) {
                    add(line.to_owned(), &mark);
                }
            }
        }
        let lengths = patterns.iter().map(|one| one.finder.needle().len());
        let longest = lengths.max().unwrap_or(0);
        let headers = HEADERS
            .into_iter()
            .map(str::to_owned)
            .chain(secrets.headers.iter().map(|name| name.to_ascii_lowercase()))
            .collect();
        Self {
            patterns,
            longest,
            headers,
        }
    }

    /// Returns the text without secrets; `None` if it had none.
    pub(super) fn text(&self, text: &str) -> Option<String> {
        let ranges = self.find(text.as_bytes());
        if ranges.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for range in ranges {
            // The start is a character boundary: a pattern begins with text and is found in text.
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(range.mark);
            // A long value may differ from the text in the middle of a character.
            at = text.ceil_char_boundary(range.end);
        }
        out.push_str(text.get(at..).unwrap_or_default());
        Some(out)
    }

    /// Finds the secrets in any spelling. Returns their places in order, overlapping ones joined.
    fn find(&self, bytes: &[u8]) -> Vec<SecretRange<'_>> {
        let mut ranges = Ranges::default();
        if self.patterns.is_empty() {
            return Vec::new();
        }
        self.search(bytes, |at| at, &mut ranges);
        readings(bytes, self.longest, &mut |reading| {
            self.search(reading.bytes(), |at| reading.place(at), &mut ranges);
        });
        ranges.within(bytes.len())
    }

    /// Adds the ranges of all patterns; `place` converts an offset to one in the text. A range may end after the text.
    fn search<'a>(&'a self, bytes: &[u8], place: impl Fn(usize) -> usize, ranges: &mut Ranges<'a>) {
        for pattern in &self.patterns {
            let length = pattern.finder.needle().len();
            for start in pattern.finder.find_iter(bytes) {
                if ranges.are_too_many() {
                    return;
                }
                let follows = &bytes[start + length..];
                let same = pattern.rest.iter().zip(follows);
                let same = same.take_while(|(one, other)| one == other).count();
                let mut end = place(start + length + same);
                // The value may continue in the next part of the text, even from the middle of an escape.
                if follows.len() - same < WIDEST {
                    end += (pattern.rest.len() - same) * WIDEST;
                }
                ranges.push(SecretRange {
                    start: place(start),
                    end,
                    mark: &pattern.mark,
                });
            }
        }
    }

    fn bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let ranges = self.find(bytes);
        if ranges.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for range in ranges {
            out.extend_from_slice(&bytes[at..range.start]);
            out.extend_from_slice(range.mark.as_bytes());
            at = range.end;
        }
        out.extend_from_slice(&bytes[at..]);
        Some(out)
    }

    /// Replaces secrets in place; returns true if there were any.
    pub(super) fn string(&self, text: &mut String) -> bool {
        match self.text(text) {
            Some(clean) => {
                *text = clean;
                true
            }
            None => false,
        }
    }

    /// Replaces secrets in place, and at the end of a body that `is_cut` the beginning of one. Returns true if there were
    /// any.
    pub(super) fn body(&self, body: &mut Body, is_cut: bool) -> bool {
        let mut found = is_cut && self.cut_end(body);
        let clean = match &*body {
            Body::Empty => None,
            Body::Text(text) => self.text(text).map(|clean| Body::Text(clean.into())),
            Body::Bytes(bytes) => self
                .bytes(bytes)
                .map(|clean| Body::Bytes(Bytes::from(clean))),
        };
        if let Some(clean) = clean {
            *body = clean;
            found = true;
        }
        found
    }

    /// Removes the end of a body if it is the beginning of a secret.
    fn cut_end(&self, body: &mut Body) -> bool {
        let bytes = match &*body {
            Body::Empty => return false,
            Body::Text(text) => text.as_bytes(),
            Body::Bytes(bytes) => bytes,
        };
        let begun = self.patterns.iter().filter_map(|pattern| {
            let needle = pattern.finder.needle();
            let lengths = (SHORTEST..needle.len()).rev();
            let mut begun = lengths.filter(|length| bytes.ends_with(&needle[..*length]));
            begun.next()
        });
        let Some(length) = begun.max() else {
            return false;
        };
        let kept = bytes.len() - length;
        match body {
            Body::Empty => {}
            Body::Text(text) => *text = text[..text.floor_char_boundary(kept)].to_owned().into(),
            Body::Bytes(bytes) => bytes.truncate(kept),
        }
        true
    }

    pub(super) fn kind(&self, kind: &mut EntryKind) -> bool {
        match kind {
            EntryKind::Started { command, .. } => {
                // All parts must be redacted, so no short-circuit.
                command
                    .iter_mut()
                    .fold(false, |found, part| self.string(part) | found)
            }
            EntryKind::RequestHead { url, headers, .. } => {
                let found = self.url(url);
                self.headers(headers) | found
            }
            EntryKind::ResponseHead { headers, .. } => self.headers(headers),
            EntryKind::Note(text) => self.string(text),
            EntryKind::Message
            | EntryKind::NonMessage
            | EntryKind::Stderr
            | EntryKind::Exited(_)
            | EntryKind::App
            | EntryKind::SseControl => false,
        }
    }

    pub(super) fn label(&self, label: &mut Label) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        [&mut label.method, &mut label.id, &mut label.logger]
            .into_iter()
            .flatten()
            .fold(false, |found, text| match self.text(text) {
                Some(clean) => {
                    *text = clean.into();
                    true
                }
                None => found,
            })
    }

    pub(super) fn findings(&self, findings: &mut [Finding]) -> bool {
        findings
            .iter_mut()
            .flat_map(Finding::values_mut)
            .fold(false, |found, value| self.string(value) | found)
    }

    fn headers(&self, headers: &mut [Header]) -> bool {
        headers.iter_mut().fold(false, |found, header| {
            let name = self.string(&mut header.name);
            let value = if self.headers.contains(&header.name.to_ascii_lowercase()) {
                let secret = !header.value.is_empty();
                header.value = secret_header(&header.value);
                secret
            } else {
                self.url(&mut header.value)
            };
            name | value | found
        })
    }

    /// Replaces secrets and the text before `@` in a URL.
    fn url(&self, url: &mut String) -> bool {
        let mut found = self.string(url);
        if let Some(user) = userinfo(url) {
            let mark = fingerprint(&url[user.clone()]);
            url.replace_range(user, &mark);
            found = true;
        }
        found
    }
}

impl Pattern {
    fn new(text: &str, mark: &str) -> Self {
        let (beginning, rest) = text.as_bytes().split_at(text.len().min(LONGEST));
        Self {
            finder: Finder::new(beginning).into_owned(),
            rest: rest.to_vec(),
            mark: mark.to_owned(),
        }
    }
}

/// Returns the replacement of a secret: a fingerprint that is the same for the same value while
/// the app runs, and reveals nothing about it.
#[must_use]
pub fn fingerprint(value: &str) -> String {
    static KEY: OnceLock<RandomState> = OnceLock::new();
    let hash = KEY.get_or_init(RandomState::new).hash_one(value);
    format!("‹secret {:06x}›", hash >> 40)
}

/// Splits a text at its first fingerprint: the text before it, its digits, and the text after it.
pub(super) fn split_at_fingerprint(text: &str) -> Option<(&str, &str, &str)> {
    const START: &str = "‹secret ";
    text.match_indices(START).find_map(|(at, _)| {
        let digits = text.get(at + START.len()..at + START.len() + 6)?;
        let behind = text[at + START.len() + 6..].strip_prefix('›')?;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then_some((&text[..at], digits, behind))
    })
}

/// Redacts a secret header's value; the name of an authentication scheme stays readable.
fn secret_header(value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    match scheme(value) {
        Some((scheme, rest)) => format!("{scheme} {}", fingerprint(rest)),
        None => fingerprint(value),
    }
}

/// Splits an `Authorization` value into scheme and credentials.
fn scheme(value: &str) -> Option<(&str, &str)> {
    let (first, rest) = value.split_once(' ')?;
    ["Bearer", "Basic", "Digest", "DPoP", "Negotiate"]
        .iter()
        .any(|scheme| first.eq_ignore_ascii_case(scheme))
        .then(|| (first, rest.trim_start()))
}

/// Returns the part of a secret that a server may repeat alone: it repeats a token without its scheme.
fn credential(value: &str) -> &str {
    match scheme(value) {
        Some((_, rest)) if rest.len() >= SHORTEST => rest,
        _ => value,
    }
}

/// Returns a secret, and the parts of it that a server may repeat alone.
fn parts(secret: &str) -> Vec<String> {
    let value = credential(secret);
    let mut parts = vec![value.to_owned()];
    parts.extend(password(value));
    if let Some(user) = userinfo(value)
        && let Some((_, password)) = value[user].split_once(':')
    {
        let text = password.replace('+', "%2B").replace('&', "%26");
        let decoded = url::form_urlencoded::parse(text.as_bytes());
        parts.extend(decoded.map(|(password, _)| password.into_owned()));
        parts.push(password.to_owned());
    }
    let long = |part: &str| (part.len() >= SHORTEST_LINE).then(|| part.to_owned());
    // The credentials of another scheme, and the values of cookies.
    let of_scheme = value.split_once(' ').map(|(_, rest)| rest.trim());
    let of_scheme = of_scheme.filter(|rest| !rest.contains(char::is_whitespace));
    parts.extend(of_scheme.and_then(long));
    let cookies = value.split(';').filter_map(|pair| pair.split_once('='));
    parts.extend(cookies.filter_map(|(_, value)| long(value.trim())));
    // Headers and settings are handed over as JSON.
    if value.starts_with(['{', '[']) {
        let json = serde_json::from_str::<serde_json::Value>(value);
        let mut open: Vec<_> = json.into_iter().collect();
        while let Some(one) = open.pop() {
            match one {
                serde_json::Value::String(text) => parts.extend(long(credential(&text))),
                serde_json::Value::Array(items) => open.extend(items),
                serde_json::Value::Object(members) => {
                    open.extend(members.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
    }
    parts
}

/// Decodes the password of `Basic` credentials, which a server may repeat.
fn password(credentials: &str) -> Option<String> {
    let decoded = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    let (_, password) = decoded.split_once(':')?;
    Some(password.to_owned())
}

/// Finds user name and password in a URL.
fn userinfo(url: &str) -> Option<std::ops::Range<usize>> {
    let start = url.find("://")? + 3;
    let rest = &url[start..];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let at = authority.rfind('@')?;
    (at > 0).then_some(start..start + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::ranges::MOST_RANGES;

    fn redactor(values: &[&str]) -> Redactor {
        Redactor::new(&Secrets {
            values: values.iter().map(|value| (*value).into()).collect(),
            headers: vec!["X-Team-Key".to_owned()],
        })
    }

    #[test]
    fn one_value_has_one_fingerprint_everywhere() {
        let redactor = redactor(&["tok-123456"]);
        let expected = fingerprint("tok-123456");
        let mut header = Header {
            name: "authorization".to_owned(),
            value: "Bearer tok-123456".to_owned(),
        };
        assert!(redactor.headers(std::slice::from_mut(&mut header)));
        assert_eq!(header.value, format!("Bearer {expected}"));
        assert_eq!(
            redactor.text("a tok-123456 b tok-123456").unwrap(),
            format!("a {expected} b {expected}")
        );
        assert_ne!(expected, fingerprint("tok-123457"));
        assert_eq!(expected.chars().count(), 15);
    }

    #[test]
    fn a_token_is_found_without_its_scheme() {
        let redactor = redactor(&["Bearer tok-123456", "basic a"]);
        let expected = fingerprint("tok-123456");
        assert_eq!(
            redactor.text(r#"{"error":"no such token: tok-123456"}"#),
            Some(format!(r#"{{"error":"no such token: {expected}"}}"#))
        );
        assert_eq!(
            redactor.text("Bearer tok-123456").unwrap(),
            format!("Bearer {expected}")
        );
        // A scheme alone would be found everywhere.
        assert_eq!(redactor.text("a basic b"), None);
        assert_eq!(redactor.text("basic a").unwrap(), fingerprint("basic a"));
    }

    #[test]
    fn the_parts_of_a_value_that_a_server_repeats_are_found() {
        for (value, part) in [
            ("Token 9944b09199c62bcf9418", "9944b09199c62bcf9418"),
            ("sid=abcdef0123456789; csrf=1", "abcdef0123456789"),
            ("postgres://u:S3cret%40Pw@host/db", "S3cret@Pw"),
            (
                r#"{"a":[{"Authorization":"Bearer ntn_0123456789abcdef"}]}"#,
                "ntn_0123456789abcdef",
            ),
        ] {
            let clean = redactor(&[value]).text(&format!("It says {part}."));
            let clean = clean.unwrap_or_else(|| panic!("{value}"));
            assert!(!clean.contains(part), "{clean}");
        }
        assert_eq!(
            redactor(&["mode=test; correct horse"]).text("a horse, test"),
            None
        );
    }

    #[test]
    fn escaped_and_encoded_spellings_are_found() {
        let secret = "pä\"ss&/\\wo rd\n😀";
        let redactor = redactor(&[secret]);
        let once = serde_json::to_string(secret).unwrap();
        let twice = serde_json::to_string(&once).unwrap();
        for text in [
            once.clone(),
            twice,
            once.replace('/', "\\/"),
            once.replace('&', "\\u0026"),
            r#""p\u00e4\"ss&/\\wo rd\n\ud83d\ude00""#.to_owned(),
            r#""p\u00E4\"ss&\/\\wo rd\n\uD83D\uDE00""#.to_owned(),
            secret.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        ] {
            let clean = redactor.text(&text).unwrap_or_else(|| panic!("{text}"));
            assert!(!clean.contains("wo"), "{clean}");
        }
    }

    #[test]
    fn no_spelling_at_all_hides_a_secret_where_time_is_taken() {
        let redactor = redactor(&["se/c+r~e=t😀end"]);
        for (text, expected) in [
            (
                r#"{"a":"se\/c\u002Br~e=t\ud83d\uDE00end","b":1}"#,
                r#"{"a":"‹›","b":1}"#,
            ),
            (r#"["\u0073e\/c+r\u007ee\u003dt😀e\u006Ed"]"#, r#"["‹›"]"#),
            (
                "a=1&b=se%2fc%2Br%7Ee%3Dt%F0%9F%98%80%65nd&c=2",
                "a=1&b=‹›&c=2",
            ),
            (
                r#"{"a":"\ud83d \u00zz \x \"}"#,
                r#"{"a":"\ud83d \u00zz \x \"}"#,
            ),
            ("\\", "\\"),
        ] {
            let mut text = text.to_owned();
            let changed = redactor.string(&mut text);
            assert_eq!(changed, expected.contains('‹'), "{text}");
            let (start, end) = (text.find('‹'), text.find('›'));
            if let (Some(start), Some(end)) = (start, end) {
                text.replace_range(start..end + '›'.len_utf8(), "‹›");
            }
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn urls_lose_user_and_secret_however_encoded() {
        let redactor = redactor(&["se/cret+9"]);
        for (mut url, expected) in [
            (
                "https://me:pw@host/a?k=%73e%2Fcret+9&b=1",
                "https://‹›@host/a?k=‹›&b=1",
            ),
            ("https://host/a@b?c=se/cret+9", "https://host/a@b?c=‹›"),
            ("https://host/plain%20", "https://host/plain%20"),
        ]
        .map(|(url, expected)| (url.to_owned(), expected))
        {
            let changed = redactor.url(&mut url);
            let mut plain = String::new();
            let mut inside = false;
            for c in url.chars() {
                inside &= c != '›';
                if !inside {
                    plain.push(c);
                }
                inside |= c == '‹';
            }
            assert_eq!(plain, expected);
            assert_eq!(changed, expected.contains('‹'));
        }
    }

    #[test]
    fn secret_headers_are_hidden_by_name() {
        let redactor = redactor(&[]);
        for name in ["Set-Cookie", "MCP-Session-Id", "x-team-key", "X-API-KEY"] {
            let mut header = Header {
                name: name.to_owned(),
                value: "abc".to_owned(),
            };
            assert!(
                redactor.headers(std::slice::from_mut(&mut header)),
                "{name}"
            );
            assert!(header.value.starts_with("‹secret "));
        }
    }

    #[test]
    fn short_values_and_overlaps() {
        assert!(redactor(&["abc"]).text("abc").is_none());
        let clean = redactor(&["abcdef", "defghi"]).text("xabcdefghiy").unwrap();
        assert_eq!(clean, format!("x{}y", fingerprint("abcdef")));
        let clean = redactor(&["abcdef", "abcdefgh"]).text("abcdefgh").unwrap();
        assert_eq!(clean, fingerprint("abcdefgh"));
    }

    #[test]
    fn a_text_full_of_secrets_is_replaced_as_a_whole() {
        let redactor = redactor(&["abcdef"]);
        let mark = fingerprint("abcdef");
        // Each secret is found in the text and in four readings of it.
        let text = format!("%41\\n{}", "abcdef ".repeat(MOST_RANGES));
        let clean = redactor.text(&text).unwrap();
        assert_eq!(clean.matches(&mark).count(), MOST_RANGES);
        assert!(!clean.contains("abcdef") && clean.starts_with("%41\\n"));
        for text in [
            format!("{text}abcdef"),
            "abcdef".repeat(3 * MOST_RANGES),
            "\\u0061bcdef".repeat(MOST_RANGES + 1),
        ] {
            assert_eq!(redactor.text(&text).unwrap(), mark);
            let mut body = Body::Bytes(Bytes::from(text));
            assert!(redactor.body(&mut body, false));
            let Body::Bytes(clean) = body else { panic!() };
            assert_eq!(clean, mark.as_bytes());
        }
    }

    #[test]
    fn a_long_secret_is_found_by_its_beginning() {
        let digits: String = (0..6_000).map(|n| format!("{n:05}")).collect();
        let secret = format!("{digits}é");
        let redactor = redactor(&[&secret]);
        assert_eq!(redactor.longest, LONGEST);
        let mark = fingerprint(&secret);
        let escaped: String = digits
            .bytes()
            .map(|digit| format!("\\u{digit:04x}"))
            .collect();
        let padding = "x".repeat((1 << 20) - 10);
        let rest = "y".repeat(WIDEST);
        for (text, expected) in [
            (format!("a{secret}b"), format!("a{mark}b")),
            (format!("a{secret}{secret}"), format!("a{mark}{mark}")),
            (format!("\\n{escaped}é{rest}"), format!("\\n{mark}{rest}")),
            // The last character differs, in its second byte.
            (format!("a{digits}è{rest}"), format!("a{mark}{rest}")),
            (
                format!("{}{rest}", &digits[..LONGEST + 7]),
                format!("{mark}{rest}"),
            ),
            (digits[..LONGEST].to_owned(), mark.clone()),
            // The value is longer than a part of the text that is decoded at once.
            (format!("{padding}{escaped}é"), format!("{padding}{mark}")),
        ] {
            let clean = redactor.text(&text).unwrap();
            assert!(clean == expected, "{} bytes remain", clean.len());
        }
        assert_eq!(redactor.text(&digits[..LONGEST - 1]), None);
    }

    #[test]
    fn the_first_lines_of_a_secret_are_found_by_themselves() {
        let line = |n: usize| format!("line number {n:06}");
        let secret: Vec<String> = (0..1_000).map(line).collect();
        let redactor = redactor(&[&secret.join("\n")]);
        let hidden = (0..1_000).filter(|n| redactor.text(&line(*n)).is_some());
        assert_eq!(hidden.count(), MOST_LINES);
    }

    #[test]
    fn bytes_that_are_no_text_are_searched_too() {
        let mut body = Body::Bytes(Bytes::from_static(b"\xff\xfesecret-value\xff"));
        assert!(redactor(&["secret-value"]).body(&mut body, false));
        let Body::Bytes(clean) = body else { panic!() };
        assert!(clean.starts_with(b"\xff\xfe\xe2\x80\xb9secret ") && clean.ends_with(b"\xff"));
        assert!(!clean.windows(12).any(|part| part == b"secret-value"));
        let mut body = Body::Bytes(Bytes::from_static(b"It is secret-val"));
        assert!(redactor(&["secret-value"]).body(&mut body, true));
        let Body::Bytes(clean) = body else { panic!() };
        assert_eq!(&clean[..], b"It is ");
    }
}

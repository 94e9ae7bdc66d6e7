//! Scanner of JSON text: one pass, without recursion and without building values.

/// Receives the tokens of a text, in order.
pub trait Sink {
    /// An object or array begins.
    fn open(&mut self, start: usize);
    /// The innermost object or array ends; `end` is the position after its last byte.
    fn close(&mut self, end: usize);
    /// A key, quotes included. Its value follows.
    fn key(&mut self, start: usize, end: usize);
    /// A string, number, boolean or null as a value.
    fn scalar(&mut self, start: usize, end: usize);
    /// True to stop the scan before the next value.
    fn is_full(&self) -> bool {
        false
    }
}

/// Reasons for which a scan ends before the text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanError {
    /// There is no value in the text.
    Empty,
    /// The sink is full.
    Full,
    /// The text is not valid JSON.
    Syntax {
        /// The expected or found token, worded for a sentence that ends with a place.
        problem: &'static str,
        /// The byte where reading ended.
        offset: usize,
    },
}

impl ScanError {
    fn at(offset: usize, problem: &'static str) -> Self {
        Self::Syntax { problem, offset }
    }
}

/// Reads the text as RFC 8259 defines it; bytes inside of strings need not be UTF-8.
///
/// # Errors
/// The first violation; the sink has received the tokens before it. See [`ScanError`].
pub fn scan(bytes: &[u8], sink: &mut impl Sink) -> Result<(), ScanError> {
    // True for objects, false for arrays.
    let mut open: Vec<bool> = Vec::new();
    let mut at = space(bytes, 0);
    if at == bytes.len() {
        return Err(ScanError::Empty);
    }
    loop {
        if sink.is_full() {
            return Err(ScanError::Full);
        }
        // Here a value begins.
        let start = at;
        match bytes.get(at) {
            Some(b'{') => {
                sink.open(start);
                at = space(bytes, at + 1);
                if bytes.get(at) == Some(&b'}') {
                    at += 1;
                    sink.close(at);
                } else {
                    open.push(true);
                    at = key(bytes, at, sink)?;
                    continue;
                }
            }
            Some(b'[') => {
                sink.open(start);
                at = space(bytes, at + 1);
                if bytes.get(at) == Some(&b']') {
                    at += 1;
                    sink.close(at);
                } else {
                    open.push(false);
                    continue;
                }
            }
            Some(b'"') => {
                at = string(bytes, at)?;
                sink.scalar(start, at);
            }
            Some(b'-' | b'0'..=b'9') => {
                at = number(bytes, at)?;
                sink.scalar(start, at);
            }
            Some(b't') => {
                at = word(bytes, at, b"true")?;
                sink.scalar(start, at);
            }
            Some(b'f') => {
                at = word(bytes, at, b"false")?;
                sink.scalar(start, at);
            }
            Some(b'n') => {
                at = word(bytes, at, b"null")?;
                sink.scalar(start, at);
            }
            Some(_) => return Err(ScanError::at(at, "a value was expected")),
            None => {
                return Err(ScanError::at(
                    at,
                    "the text ends where a value was expected",
                ));
            }
        }
        // Here a value ended.
        loop {
            at = space(bytes, at);
            match (open.last(), bytes.get(at)) {
                (None, None) => return Ok(()),
                (None, Some(_)) => {
                    return Err(ScanError::at(at, "there is extra text after the value"));
                }
                (Some(true), Some(b',')) => {
                    at = key(bytes, space(bytes, at + 1), sink)?;
                    break;
                }
                (Some(false), Some(b',')) => {
                    at = space(bytes, at + 1);
                    break;
                }
                (Some(true), Some(b'}')) | (Some(false), Some(b']')) => {
                    at += 1;
                    open.pop();
                    sink.close(at);
                }
                (Some(true), Some(_)) => {
                    return Err(ScanError::at(at, "a comma or } was expected"));
                }
                (Some(false), Some(_)) => {
                    return Err(ScanError::at(at, "a comma or ] was expected"));
                }
                (Some(_), None) => {
                    return Err(ScanError::at(at, "the text ends inside an object or array"));
                }
            }
        }
    }
}

fn space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Reads `"key" :` and returns the start of the value.
fn key(bytes: &[u8], start: usize, sink: &mut impl Sink) -> Result<usize, ScanError> {
    if bytes.get(start) != Some(&b'"') {
        return Err(ScanError::at(start, "a key in quotes was expected"));
    }
    let end = string(bytes, start)?;
    sink.key(start, end);
    let colon = space(bytes, end);
    if bytes.get(colon) != Some(&b':') {
        return Err(ScanError::at(colon, "a colon was expected"));
    }
    Ok(space(bytes, colon + 1))
}

/// Returns the end of the string that begins at `start`, its quotes included. `None` when it does not end.
#[must_use]
pub fn string_end(text: &[u8], start: usize) -> Option<usize> {
    string(text, start).ok()
}

/// Returns the end of the string that begins at `start`.
fn string(bytes: &[u8], start: usize) -> Result<usize, ScanError> {
    let mut at = start + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = memchr::memchr2(b'"', b'\\', rest);
        let part = &rest[..length.unwrap_or(rest.len())];
        // Counting looks at all bytes, which compilers make fast; searching would stop early.
        if part.iter().filter(|byte| **byte < 0x20).count() > 0 {
            let bad = part.iter().position(|byte| *byte < 0x20).unwrap_or(0);
            return Err(ScanError::at(
                at + bad,
                "a control character inside a string",
            ));
        }
        at += part.len();
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(_) => at = escape(bytes, at)?,
            None => return Err(ScanError::at(at, "the text ends inside a string")),
        }
    }
}

/// Returns the end of the escape that begins at `start`.
fn escape(bytes: &[u8], start: usize) -> Result<usize, ScanError> {
    match bytes.get(start + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(start + 2),
        Some(b'u')
            if bytes
                .get(start + 2..start + 6)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) =>
        {
            Ok(start + 6)
        }
        _ => Err(ScanError::at(start, "an invalid escape inside a string")),
    }
}

/// Returns the end of the number that begins at `start`.
fn number(bytes: &[u8], start: usize) -> Result<usize, ScanError> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let bad = |at| ScanError::at(at, "a digit was expected");
    let mut at = start + usize::from(bytes[start] == b'-');
    match bytes.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at = digits(at),
        _ => return Err(bad(at)),
    }
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return Err(bad(end));
        }
        at = end;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end == at + 1 + sign {
            return Err(bad(end));
        }
        at = end;
    }
    Ok(at)
}

fn word(bytes: &[u8], start: usize, word: &[u8]) -> Result<usize, ScanError> {
    if bytes[start..].starts_with(word) {
        Ok(start + word.len())
    } else {
        Err(ScanError::at(start, "a value was expected"))
    }
}

/// The members of an object, as far as its text goes.
#[derive(Debug, Default)]
pub struct Members<'a> {
    /// Keys as written, quotes included, with their values. A value is `None` if the text ends inside it or may cut it
    /// short.
    pub members: Vec<(&'a [u8], Option<&'a [u8]>)>,
    /// The end of the object was reached.
    pub whole: bool,
}

/// Reads the members of the object that the text begins with. The text may end early or continue after the object.
/// `None` if it begins with something else.
#[must_use]
pub fn members(text: &[u8]) -> Option<Members<'_>> {
    text.trim_ascii_start().strip_prefix(b"{")?;
    let mut reader = MemberReader {
        text,
        depth: 0,
        start: 0,
        found: Members::default(),
    };
    // The outcome of the scan does not matter: the reader keeps all complete members.
    let _ = scan(text, &mut reader);
    Some(reader.found)
}

struct MemberReader<'a> {
    text: &'a [u8],
    depth: usize,
    /// Start of the object or array in the last member.
    start: usize,
    found: Members<'a>,
}

impl MemberReader<'_> {
    fn value(&mut self, start: usize, end: usize) {
        if self.depth == 1
            && let Some((_, value)) = self.found.members.last_mut()
        {
            *value = self.text.get(start..end);
        }
    }
}

impl Sink for MemberReader<'_> {
    fn open(&mut self, start: usize) {
        if self.depth == 1 {
            self.start = start;
        }
        self.depth += 1;
    }

    fn close(&mut self, end: usize) {
        self.depth -= 1;
        self.found.whole |= self.depth == 0;
        self.value(self.start, end);
    }

    fn key(&mut self, start: usize, end: usize) {
        if self.depth == 1 {
            self.found.members.push((&self.text[start..end], None));
        }
    }

    fn scalar(&mut self, start: usize, end: usize) {
        // A number at the end of a cut text may lack its last digits.
        if end < self.text.len() || self.text[start] == b'"' {
            self.value(start, end);
        }
    }

    fn is_full(&self) -> bool {
        self.found.whole
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Nothing;

    impl Sink for Nothing {
        fn open(&mut self, _: usize) {}
        fn close(&mut self, _: usize) {}
        fn key(&mut self, _: usize, _: usize) {}
        fn scalar(&mut self, _: usize, _: usize) {}
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(scan(deep.as_bytes(), &mut Nothing), Ok(()));
        assert!(scan(&deep.as_bytes()[1..], &mut Nothing).is_err());
        let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        assert_eq!(scan(deep.as_bytes(), &mut Nothing), Ok(()));
    }

    #[test]
    fn members_are_read_as_far_as_the_text_goes() {
        let read = |text: &'static str| {
            let found = members(text.as_bytes()).unwrap();
            let texts: Vec<_> = found
                .members
                .into_iter()
                .map(|(key, value)| {
                    let value = value.map(|value| std::str::from_utf8(value).unwrap());
                    (std::str::from_utf8(key).unwrap(), value)
                })
                .collect();
            (texts, found.whole)
        };
        assert_eq!(
            read(r#" {"a":{"b":[1,{}]}, "a" : [2] ,"c":"x}","d":-1.5}, "e":1}"#),
            (
                vec![
                    ("\"a\"", Some(r#"{"b":[1,{}]}"#)),
                    ("\"a\"", Some("[2]")),
                    ("\"c\"", Some("\"x}\"")),
                    ("\"d\"", Some("-1.5")),
                ],
                true
            )
        );
        assert_eq!(
            read(r#"{"a":"whole""#),
            (vec![("\"a\"", Some("\"whole\""))], false)
        );
        for cut in [r#"{"a":12"#, r#"{"a":"x"#, r#"{"a":[{"b":1}"#, r#"{"a":"#] {
            assert_eq!(read(cut), (vec![("\"a\"", None)], false), "{cut}");
        }
        assert_eq!(read(r#"{"a"#), (vec![], false));
        assert_eq!(read("{}"), (vec![], true));
        assert!(members(b"[1]").is_none());
        assert!(members(b"").is_none());
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, text in r#"[\{\}\[\]",:\\ id0-9]{0,40}"#) {
            let _ = (members(&bytes), members(text.as_bytes()));
        }
    }
}

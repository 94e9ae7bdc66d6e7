//! `WWW-Authenticate`: a parsed challenge survives writing and parsing again, and has no more content than the header.

use sonde_auth::challenge::{Challenge, parse};

use crate::seen::Seen;

pub(crate) const WORDS: &[&[u8]] = &[
    b"Bearer ",
    b"DPoP ",
    b"Basic ",
    b"Negotiate YWJj==",
    b"realm=\"a, b\"",
    b"resource_metadata=\"https://a/x,y\"",
    b"error=\"invalid_token\"",
    b"scope=\"read write\"",
    b", ",
    b",,",
    b"=",
    b" = ",
    b"\"",
    b"\\\"",
    b"==",
];

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let text = String::from_utf8_lossy(input);
    let found = parse(&text);
    let mut size = 0;
    for challenge in &found {
        assert!(!challenge.scheme.is_empty());
        size += challenge.scheme.len();
        for (name, value) in &challenge.params {
            assert!(!name.is_empty());
            assert!(!name.contains(|c: char| c.is_ascii_uppercase()));
            size += name.len() + value.len();
        }
        seen.note_count("parameters", challenge.params.len());
    }
    assert!(size <= text.len(), "{size} bytes out of {}", text.len());
    seen.note_count("challenges", found.len());
    let written = found.iter().map(written).collect::<Vec<_>>().join(", ");
    assert_eq!(parse(&written), found, "{written}");
}

fn written(challenge: &Challenge) -> String {
    let params = challenge.params.iter().map(|(name, value)| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    });
    let params = params.collect::<Vec<_>>().join(", ");
    if params.is_empty() {
        challenge.scheme.clone()
    } else {
        format!("{} {params}", challenge.scheme)
    }
}

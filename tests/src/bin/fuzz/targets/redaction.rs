//! The wire log: no secret leaves it in any spelling or place, and text without secrets is stored unchanged.

use std::sync::Arc;

use base64::{
    Engine as _, alphabet,
    engine::{
        DecodePaddingMode,
        general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD_NO_PAD, URL_SAFE_NO_PAD},
    },
};
use sonde_explorer::log::{LogLimits, SecretText, Secrets, WireLog};
use sonde_wire::{
    Annotation, Body, Direction, Entry, EntryKind, ExchangeId, Finding, Header, Label, Tap as _,
    Verb,
};

use crate::{choices::Choices, seen::Seen};

pub(crate) const WORDS: &[&[u8]] = &[
    b"{\"a\":\"",
    b"\"}",
    b"\\",
    b"\\\\",
    b"\\u",
    b"%",
    b"%25",
    b"https://h/?a=",
    b"Bearer ",
    b"=",
    b"&",
    b"\xff",
];

/// Signs in secrets, in addition to letters and digits.
const SIGNS: &[char] = &[
    'A', 'q', '7', '/', '+', '=', '"', '\\', ' ', 'é', '日', '😀', '%', '&', '?', '#', '@', ':',
    '_', '-', '.', '~', '\'', '<', '\t', '\n',
];

/// Kind of entry for standard error.
const STDERR: usize = 2;

/// Base64 with any bits after the last whole byte.
const ANY_END: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, ANY_END);
const URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, ANY_END);

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let mut choices = Choices(input);
    let secrets: Vec<String> = (0..=choices.below(3))
        .map(|number| secret(number, choices.bytes()))
        .collect();
    let log = WireLog::new("server".to_owned(), LogLimits::default());
    log.set_secrets(Secrets {
        values: secrets
            .iter()
            .map(|one| SecretText::from(one.as_str()))
            .collect(),
        headers: vec!["X-Mine".to_owned()],
    });
    let kind = choices.below(8);
    let is_text = choices.below(4) > 0;
    let mut body = Vec::new();
    while !choices.0.is_empty() {
        if choices.below(3) == 0 {
            let secret = &secrets[choices.below(secrets.len())];
            let (style, written) = spelled(secret, &mut choices);
            body.extend_from_slice(written.as_bytes());
            seen.note((style, kind));
        } else {
            body.extend_from_slice(choices.bytes());
        }
    }
    let hidden: Vec<&str> = secrets.iter().flat_map(|secret| parts(secret)).collect();
    // Each line of standard error is an entry.
    for body in body.split(|byte| kind == STDERR && *byte == b'\n') {
        recorded(&log, kind, body, is_text, &hidden, seen);
    }
}

/// Returns the secret and its longer lines, each of which counts as a secret.
fn parts(secret: &str) -> impl Iterator<Item = &str> {
    let lines = secret.lines().map(str::trim);
    std::iter::once(secret).chain(lines.filter(|line| line.len() >= 16))
}

fn recorded(
    log: &Arc<WireLog>,
    kind: usize,
    body: &[u8],
    is_text: bool,
    hidden: &[&str],
    seen: &mut Seen,
) {
    let text = String::from_utf8_lossy(body).into_owned();
    let clean = hidden.iter().all(|secret| !shows(&text, secret));
    let mut recorded = entry(kind, &text);
    recorded.body = if is_text {
        Body::Text(Arc::new(text.clone()))
    } else {
        Body::Bytes(body.to_vec().into())
    };
    let seq = log.record(recorded);
    let finding = Finding::new(&sonde_findings::rules::INVALID_JSON).with("problem", &text);
    let label = Label {
        method: Some(text.as_str().into()),
        id: Some(text.as_str().into()),
        ..Label::default()
    };
    log.annotate(
        seq,
        Annotation {
            label: Some(label),
            findings: vec![finding],
        },
    );
    for shown in everything(log, seq.0) {
        for secret in hidden {
            assert!(!shows(&shown, secret), "{secret:?} is in {shown:?}");
        }
    }
    if clean {
        let expected = if is_text { text.as_bytes() } else { body };
        assert_eq!(
            kept(log, seq.0),
            expected,
            "what holds no secret was changed"
        );
        assert_eq!(log.redact(&text), text);
    }
    seen.note((kind, is_text, clean));
}

/// Creates a secret of letters that no other text here has, and signs.
fn secret(number: usize, choice: &[u8]) -> String {
    let mut secret = format!("K{number}Z");
    let chars = choice
        .iter()
        .map(|byte| SIGNS[usize::from(*byte) % SIGNS.len()]);
    secret.extend(chars.take(40));
    secret.push_str("Qx9");
    secret
}

/// Writes the secret in one of its possible spellings; returns the number of the spelling too.
fn spelled(secret: &str, choices: &mut Choices<'_>) -> (usize, String) {
    let style = choices.below(9);
    let text = match style {
        0 => secret.to_owned(),
        1 => json(secret),
        2 => json(&json(secret)),
        3 => escaped(secret, choices),
        4 => json(&escaped(secret, choices)),
        5 => escaped(&json(secret), choices),
        6 => percent(secret, choices),
        7 => escaped(&percent(secret, choices), choices),
        _ => {
            let around = [choices.bytes(), secret.as_bytes(), choices.bytes()].concat();
            if choices.below(2) == 0 {
                STANDARD_NO_PAD.encode(around)
            } else {
                URL_SAFE_NO_PAD.encode(around)
            }
        }
    };
    (style, text)
}

/// Writes text as within a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Writes text as within a JSON string, with any of the characters escaped.
fn escaped(text: &str, choices: &mut Choices<'_>) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match (choices.below(4), c) {
            (0, '/') => out.push_str("\\/"),
            (0 | 1, _) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            (2, _) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            }
            _ => out.push_str(&json(&c.to_string())),
        }
    }
    out
}

/// Writes text as in a URL, with any of the characters encoded.
fn percent(text: &str, choices: &mut Choices<'_>) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c != '%' && choices.below(2) == 0 {
            out.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Creates an entry of this kind, with the text in every place for text.
fn entry(kind: usize, text: &str) -> Entry {
    let header = |name: &str| Header {
        name: name.to_owned(),
        value: text.to_owned(),
    };
    let headers = || {
        ["Authorization", "X-Mine", "X-Other", "Location"]
            .map(header)
            .to_vec()
    };
    let kind = match kind {
        0 => EntryKind::Message,
        1 => EntryKind::NonMessage,
        STDERR => EntryKind::Stderr,
        3 => EntryKind::Note(text.to_owned()),
        4 => EntryKind::Started {
            command: vec!["a".to_owned(), text.to_owned()],
            pid: 1,
        },
        5 => EntryKind::RequestHead {
            verb: Verb::Post,
            url: format!("https://host/{text}"),
            headers: headers(),
        },
        6 => EntryKind::ResponseHead {
            status: 200,
            version: "HTTP/1.1",
            headers: headers(),
        },
        _ => EntryKind::SseControl,
    };
    Entry {
        exchange: Some(ExchangeId(1)),
        ..Entry::new(Direction::Out, kind, Body::Empty)
    }
}

fn kept(log: &Arc<WireLog>, seq: u64) -> Vec<u8> {
    match log.body(seq) {
        Ok(body) => body.bytes().to_vec(),
        Err(miss) => panic!("{miss}"),
    }
}

/// Returns everything that can be seen of an entry.
fn everything(log: &Arc<WireLog>, seq: u64) -> Vec<String> {
    let (Ok(row), Ok(detail), Ok(curl)) = (log.row(seq), log.detail(seq), log.curl(seq)) else {
        panic!("the entry is gone");
    };
    vec![
        serde_json::json!([row, detail]).to_string(),
        curl.unwrap_or_default(),
        String::from_utf8_lossy(&kept(log, seq)).into_owned(),
    ]
}

/// True if the secret can be read in the text as it is, or after decoding its escapes.
fn shows(text: &str, secret: &str) -> bool {
    let json = unescaped(text);
    let texts = [
        text.to_owned(),
        decoded(text),
        decoded(&json),
        unescaped(&decoded(text)),
        unescaped(&json),
        json,
    ];
    texts
        .iter()
        .any(|text| text.contains(secret) || in_base64(text, secret.as_bytes()))
}

/// True if the secret is in a decoded part of the text.
fn in_base64(text: &str, secret: &[u8]) -> bool {
    let standard = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
    let url = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let shows = |run: &str, engine: &GeneralPurpose| {
        (0..4.min(run.len())).any(|start| {
            let run = &run[start..];
            // A single character at the end is only part of a byte.
            let run = &run[..run.len() - usize::from(run.len() % 4 == 1)];
            let decoded = engine.decode(run).unwrap_or_default();
            decoded.windows(secret.len()).any(|part| part == secret)
        })
    };
    text.split(|c| !standard(c))
        .any(|run| shows(run, &STANDARD))
        || text.split(|c| !url(c)).any(|run| shows(run, &URL))
}

/// Decodes the escapes of JSON strings.
fn unescaped(text: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let hex = rest.strip_prefix("\\u").and_then(|digits| digits.get(..4));
        let unit = hex.and_then(|hex| u16::from_str_radix(hex, 16).ok());
        let sign = rest.strip_prefix('\\').and_then(|rest| rest.chars().next());
        let length = match (unit, sign) {
            (Some(unit), _) => {
                units.push(unit);
                6
            }
            (None, Some(sign @ ('"' | '\\' | '/' | 'n' | 't' | 'r' | 'b' | 'f'))) => {
                units.push(match sign {
                    'n' => 10,
                    't' => 9,
                    'r' => 13,
                    'b' => 8,
                    'f' => 12,
                    other => other as u16,
                });
                2
            }
            _ => {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    String::from_utf16_lossy(&units)
}

/// Decodes percent encoding.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

//! Explains JSON errors without the names of Sonde's own types.

/// Rust types that serde names, each with its JSON equivalent.
const EXPECTED: [(&str, &str); 11] = [
    ("struct variant ", "an object"),
    ("tuple variant ", "an array"),
    ("tuple struct ", "an array"),
    ("unit struct ", "null"),
    ("unit variant ", "a string"),
    ("newtype struct ", "a value"),
    ("internally tagged enum ", "an object"),
    ("struct ", "an object"),
    ("enum ", "a string or an object"),
    ("a map", "an object"),
    ("a sequence", "an array"),
];

/// The sentence of an error, without its place in the text.
pub fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    for (begin, end) in [
        ("missing field ", " is missing"),
        ("duplicate field ", " is there more than once"),
        ("unknown field ", " is unknown"),
        ("unknown variant ", " is unknown"),
    ] {
        if let Some(rest) = text.strip_prefix(begin) {
            let name = rest.split(", expected").next().unwrap_or(rest);
            return format!("{name}{end}");
        }
    }
    let Some((found, expected)) = text.split_once(", expected ") else {
        return text.to_owned();
    };
    let kind = EXPECTED
        .iter()
        .find(|(kind, _)| expected.starts_with(kind))
        .map_or(expected, |(_, plain)| plain);
    let found = found
        .strip_prefix("invalid type: ")
        .or_else(|| found.strip_prefix("invalid value: "))
        .unwrap_or(found);
    format!("it is {}, not {kind}", with_article(found))
}

fn with_article(found: &str) -> String {
    match found.split(' ').next() {
        Some("map") => "an object".to_owned(),
        Some("sequence") => "an array".to_owned(),
        Some("unit" | "null") => "null".to_owned(),
        Some("integer" | "Integer") => found.replacen("integer", "the number", 1),
        Some("floating") => found.replacen("floating point", "the number", 1),
        Some("boolean") => found.replacen("boolean", "the boolean", 1),
        Some("string") => found.replacen("string", "the string", 1),
        _ => found.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::words;

    #[derive(Debug, Deserialize)]
    struct Block {
        #[expect(dead_code, reason = "read to fail")]
        text: String,
    }

    #[test]
    fn no_type_of_rust_is_named() {
        for (json, said) in [
            ("7", "it is the number `7`, not an object"),
            ("null", "it is null, not an object"),
            ("[7]", "it is the number `7`, not a string"),
            ("true", "it is the boolean `true`, not an object"),
            ("{}", "`text` is missing"),
            (
                r#"{"text":"a","text":"b"}"#,
                "`text` is there more than once",
            ),
            (r#"{"text":{}}"#, "it is an object, not a string"),
        ] {
            let error = serde_json::from_str::<Block>(json).unwrap_err();
            assert_eq!(words(&error), said, "{json}: {error}");
        }
    }
}

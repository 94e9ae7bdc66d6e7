//! Cutting and checking texts of a server.

/// `text`, cut for a sentence.
pub(crate) fn brief(text: &str) -> String {
    cut(text, 60)
}

/// The first `limit` characters of `text`, with a mark when there were more.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Returns true if a parameter or field with this name holds a secret.
pub(crate) fn names_secret(name: &str) -> bool {
    const PARTS: [&str; 10] = [
        "password",
        "passwd",
        "secret",
        "apikey",
        "accesstoken",
        "authtoken",
        "privatekey",
        "creditcard",
        "cardnumber",
        "securitycode",
    ];
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let name = letters.collect::<String>().to_ascii_lowercase();
    name == "token" || name == "cvv" || PARTS.iter().any(|part| name.contains(part))
}

/// Returns true for a text that can be a time by ISO 8601, in any of its formats.
pub(crate) fn is_time(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let of = |text: &str, others: &str| {
        text.chars()
            .all(|one| one.is_ascii_digit() || others.contains(one))
    };
    of(date, "-W")
        && (4..=8).contains(&digits(date))
        && date.starts_with(|one: char| one.is_ascii_digit())
        && time.is_none_or(|time| of(time, ":.,+-Zz") && digits(time) >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_keeps_characters_whole() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöü", 2), "äö…");
    }
}

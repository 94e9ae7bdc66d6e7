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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_keeps_characters_whole() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöü", 2), "äö…");
    }
}

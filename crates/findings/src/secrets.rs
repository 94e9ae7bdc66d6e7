//! Detection of secrets in a text.

/// Prefixes of secrets, the minimum number of characters that follow, and the kind of secret.
const SECRETS: [(&str, usize, &str); 13] = [
    ("ghp_", 30, "a GitHub token"),
    ("github_pat_", 30, "a GitHub token"),
    ("glpat-", 18, "a GitLab token"),
    ("sk-ant-", 20, "an Anthropic key"),
    ("sk-proj-", 20, "an OpenAI key"),
    ("sk_live_", 16, "a Stripe key"),
    ("sk-", 32, "an API key"),
    ("AKIA", 16, "an AWS access key"),
    ("AIza", 30, "a Google key"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
    ("eyJhbGciOi", 40, "a JSON Web Token"),
    (PRIVATE_KEY, 10, "a private key"),
];
const PRIVATE_KEY: &str = "-----BEGIN ";

/// True for each byte that is the first of a prefix in [`SECRETS`].
const FIRST_BYTES: [bool; 256] = {
    let mut first = [false; 256];
    let mut index = 0;
    while index < SECRETS.len() {
        first[SECRETS[index].0.as_bytes()[0] as usize] = true;
        index += 1;
    }
    first
};

/// Returns the kind of secret that a text, which may be JSON, seems to contain. A heuristic.
#[must_use]
pub fn secret(text: &str) -> Option<&'static str> {
    // One pass for all prefixes, since every log message is checked.
    text.bytes()
        .enumerate()
        .filter(|(_, byte)| FIRST_BYTES[usize::from(*byte)])
        .find_map(|(at, _)| {
            let found = SECRETS.iter().find(|one| is_secret(text, at, one))?;
            Some(found.2)
        })
}

/// True if a secret of this kind begins at this byte of a text.
fn is_secret(text: &str, at: usize, (prefix, least, _): &(&str, usize, &str)) -> bool {
    if !text.as_bytes()[at..].starts_with(prefix.as_bytes()) {
        return false;
    }
    let rest = &text[at + prefix.len()..];
    if *prefix == PRIVATE_KEY {
        // A public key or a certificate is not a secret.
        let end = rest.floor_char_boundary(40);
        return rest[..end].contains("PRIVATE KEY-----");
    }
    let own = |one: &char| one.is_ascii_alphanumeric() || "_-.".contains(*one);
    let body: Vec<char> = rest.chars().take_while(own).take(*least).collect();
    // Placeholders in examples repeat one character, or consist of words.
    let varied = body.iter().any(char::is_ascii_digit)
        && body.iter().collect::<std::collections::HashSet<_>>().len() > 6;
    body.len() == *least && varied && begins_word(&text[..at])
}

/// True if a word begins after this text. In JSON the letter of an escape, such as the `n` of `\n`, is not part of a
/// word.
fn begins_word(before: &str) -> bool {
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    let slashes = |text: &str| text.bytes().rev().take_while(|one| *one == b'\\').count();
    let is_escape = "nrtbf".contains(last) && slashes(&before[..before.len() - 1]) % 2 == 1;
    !last.is_alphanumeric() || is_escape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_what_stands_for_them() {
        // Assembled from parts, so that scanners do not report this file for its secrets.
        let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6");
        let key = format!("-----BEGIN {}-----\\nMIIE", "RSA PRIVATE KEY");
        let many = "a1B2c3D4".repeat(8);
        for (text, kind) in [
            (format!("use {token}."), "a GitHub token"),
            (format!(r#""Token:\n{token}""#), "a GitHub token"),
            (format!(r#""Token:\t{token}""#), "a GitHub token"),
            (key, "a private key"),
            (format!(r#"{{"key":"sk-proj-{many}"}}"#), "an OpenAI key"),
            (format!("AKIA{}", "IOSFODNN7EXAMPLE"), "an AWS access key"),
            (format!("Bearer eyJhbGciOi{many}.x"), "a JSON Web Token"),
        ] {
            assert_eq!(secret(&text), Some(kind), "{text}");
        }
        for text in [
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_your_token_here",
            "-----BEGIN CERTIFICATE-----",
            "SAKIA1234567890ABCDEF12",
            "sk-short ghp_ AKIA",
            "plain text",
            &format!("task-{many} ask-{many}"),
            // An escaped backslash, then a letter.
            &format!(r"C:\\n{token}"),
        ] {
            assert_eq!(secret(text), None, "{text}");
        }
    }
}

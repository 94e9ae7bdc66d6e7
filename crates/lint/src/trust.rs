//! Whether users can trust the definition of a tool, beyond what is found where it is read (`sonde_mcp`). All of it
//! is heuristic.

use sonde_findings::{Finding, Findings, rules};

use crate::tool::Tool;

/// What secrets begin with, how many characters of them follow at least, and what they are.
const SECRETS: [(&str, usize, &str); 11] = [
    ("ghp_", 30, "a GitHub token"),
    ("github_pat_", 30, "a GitHub token"),
    ("glpat-", 18, "a GitLab token"),
    ("sk-ant-", 20, "an Anthropic key"),
    ("sk-proj-", 20, "an OpenAI key"),
    ("sk_live_", 16, "a Stripe key"),
    ("AKIA", 16, "an AWS key"),
    ("AIza", 30, "a Google key"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
    ("-----BEGIN ", 10, "a private key"),
];

/// Adds what is remarkable about the texts of one tool.
pub(crate) fn judge(tool: &Tool<'_>, found: &mut Findings) {
    if let Some(kind) = secret(tool.raw) {
        found.push(Finding::new(&rules::SECRET_IN_DEFINITION).with("kind", kind));
    }
}

/// What kind of secret stands in a text.
fn secret(text: &str) -> Option<&'static str> {
    SECRETS.iter().find_map(|(begin, least, kind)| {
        let mut places = text.match_indices(begin);
        let is_one = |at: usize| {
            let before = text[..at].chars().next_back();
            let rest = &text[at + begin.len()..];
            if *begin == "-----BEGIN " {
                // A public key or a certificate is none.
                let end = rest.floor_char_boundary(40);
                return rest[..end].contains("PRIVATE KEY-----");
            }
            let own = |one: &char| one.is_ascii_alphanumeric() || "_-".contains(*one);
            let body: Vec<char> = rest.chars().take_while(own).take(*least).collect();
            // What stands for a secret in an example is of one character, or of words.
            let varied = body.iter().any(char::is_ascii_digit)
                && body.iter().collect::<std::collections::HashSet<_>>().len() > 6;
            body.len() == *least && varied && !before.is_some_and(char::is_alphanumeric)
        };
        places.any(|(at, _)| is_one(at)).then_some(*kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_what_stands_for_them() {
        // In parts, so that nobody takes this file for one with secrets.
        let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6");
        let key = format!("-----BEGIN {}-----\\nMIIE", "RSA PRIVATE KEY");
        for text in [format!("use {token}."), key] {
            assert!(secret(&text).is_some(), "{text}");
        }
        for text in [
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_your_token_here",
            "-----BEGIN CERTIFICATE-----",
            "SAKIA1234567890ABCDEF12",
            "plain text",
        ] {
            assert_eq!(secret(text), None, "{text}");
        }
    }
}

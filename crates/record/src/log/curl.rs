//! "Copy as curl": a command for a POSIX shell, with variables in place of secrets.

use sonde_wire::{Body, EntryKind};

use super::ring::Ring;
use super::{LogHeader, LogMiss, redact, show::quoted};

/// Headers that curl writes itself and that would be wrong for another connection.
const OWN: [&str; 4] = [
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
];

/// Returns the request head of the exchange that an entry belongs to, if there is one.
pub(super) fn head(ring: &Ring, seq: u64) -> Result<Option<u64>, LogMiss> {
    let entry = ring.get(seq)?;
    Ok(ring
        .exchange(seq, entry)
        .and_then(|exchange| exchange.head)
        .filter(|head| ring.get(*head).is_ok()))
}

/// Returns the headers of the HTTP request that an entry belongs to.
pub(super) fn request_headers(ring: &Ring, seq: u64) -> Result<Vec<LogHeader>, LogMiss> {
    let Some(head) = head(ring, seq)? else {
        return Ok(Vec::new());
    };
    let EntryKind::RequestHead { headers, .. } = &ring.get(head)?.kind else {
        return Ok(Vec::new());
    };
    let shown = headers.iter().map(|one| LogHeader {
        name: one.name.clone(),
        value: one.value.clone(),
    });
    Ok(shown.collect())
}

pub(super) fn command(ring: &Ring, seq: u64) -> Result<Option<String>, LogMiss> {
    let Some(head) = head(ring, seq)? else {
        return Ok(None);
    };
    let entry = ring.get(head)?;
    let EntryKind::RequestHead { verb, url, headers } = &entry.kind else {
        return Ok(None);
    };
    // No globbing: a URL may hold brackets. No buffering: the response may be a stream.
    let mut command = format!(
        "curl --globoff --no-buffer -X {} {}",
        verb.name(),
        shell_word(url, "")
    );
    for header in headers {
        if OWN.contains(&&*header.name.to_ascii_lowercase()) {
            continue;
        }
        // curl needs `name;` for an empty value; `name:` would remove the header.
        let line = if header.value.is_empty() {
            format!("{};", header.name)
        } else {
            format!("{}: {}", header.name, header.value)
        };
        command.push_str(&format!(" \\\n  -H {}", shell_word(&line, &header.name)));
    }
    let message = ring
        .exchange(head, entry)
        .and_then(|exchange| exchange.message)
        .and_then(|message| ring.get(message).ok());
    let body = message.map_or(&entry.body, |message| &message.body);
    match body {
        Body::Empty => {}
        Body::Text(text) => {
            command.push_str(&format!(" \\\n  --data-raw {}", shell_word(text, "")))
        }
        Body::Bytes(bytes) => command.push_str(&format!(
            " \\\n  --data-raw {}",
            shell_word(&String::from_utf8_lossy(bytes), "")
        )),
    }
    Ok(Some(command))
}

/// Writes one word of a shell, with a variable for each secret that was replaced; the shell complains about an unset
/// one. `header` is the name of the variable for a header's value.
fn shell_word(text: &str, header: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, mark, after)) = redact::split_at_fingerprint(rest) {
        if !before.is_empty() {
            out.push_str(&quoted(before));
        }
        let name = match header {
            "" => format!("SECRET_{mark}"),
            header => variable(header),
        };
        out.push_str(&format!("\"${{{name}:?}}\""));
        rest = after;
    }
    if !rest.is_empty() || out.is_empty() {
        out.push_str(&quoted(rest));
    }
    out
}

/// Converts the name of a header to that of a variable: `MCP_SESSION_ID` for `Mcp-Session-Id`.
fn variable(header: &str) -> String {
    let name: String = header
        .chars()
        .map(|c| match c.is_ascii_alphanumeric() {
            true => c.to_ascii_uppercase(),
            false => '_',
        })
        .collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_for_secrets() {
        let mark = redact::fingerprint("s3cret-token");
        let hex = mark.trim_start_matches("‹secret ").trim_end_matches('›');
        assert_eq!(
            shell_word(&format!("Authorization: Bearer {mark}"), "Authorization"),
            r#"'Authorization: Bearer '"${AUTHORIZATION:?}""#
        );
        assert_eq!(
            shell_word(&format!("{mark} it's {mark}"), ""),
            format!(r#""${{SECRET_{hex}:?}}"' it'\''s '"${{SECRET_{hex}:?}}""#)
        );
        assert_eq!(variable("9-é$(id)\n"), "_9____ID__");
        // Text that only resembles a fingerprint.
        for other in [
            "‹secret $(id)›",
            "‹secret 12345›",
            "‹secret 1234567›",
            "‹secret",
        ] {
            assert_eq!(shell_word(other, ""), format!("'{other}'"));
        }
    }

    #[test]
    fn words_survive_a_shell() {
        for (text, expected) in [
            ("plain-1.0/x", "plain-1.0/x"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME `id` \"x\" \\", "'$HOME `id` \"x\" \\'"),
            ("two\nlines", "'two\nlines'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}

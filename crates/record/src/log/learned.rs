//! Secrets that the server itself creates: session ids, and the address for messages of an HTTP+SSE server, whose query
//! is one.

use sonde_wire::{Body, Direction, Entry, EntryKind};

use super::SecretText;

/// Minimum length of a secret: shorter values are ordinary words.
const SHORTEST: usize = 8;
/// Length from which a value of a query is treated as a secret, whatever its name.
const LONG: usize = 16;
/// Parts of names that mark a secret.
const NAMES: [&str; 5] = ["session", "token", "key", "secret", "id"];
/// Limit of remembered secrets created by the server; the oldest is dropped first.
pub(super) const MOST: usize = 16;
/// Limit in bytes of the part of a query that is searched.
const LOOKED_AT: usize = 64 * 1024;

/// Returns the secrets that the server reveals in this entry, as written and decoded; at most [`MOST`].
pub(super) fn secrets(entry: &Entry) -> Vec<SecretText> {
    if entry.direction == Direction::Out {
        return Vec::new();
    }
    match (&entry.kind, &entry.body) {
        (EntryKind::ResponseHead { headers, .. }, _) => headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("mcp-session-id"))
            .filter(|header| header.value.len() >= LONG)
            .take(MOST)
            .map(|header| SecretText::from(header.value.as_str()))
            .collect(),
        (EntryKind::SseControl, Body::Text(text)) => endpoint(text),
        _ => Vec::new(),
    }
}

/// Reads the secrets of an `endpoint` event, the first one of HTTP+SSE (2024-11-05); its data is the address for
/// messages.
fn endpoint(event: &str) -> Vec<SecretText> {
    if !event.lines().any(|line| line == "event: endpoint") {
        return Vec::new();
    }
    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
    let Some((_, query)) = data.and_then(|data| data.split_once('?')) else {
        return Vec::new();
    };
    let query = &query[..query.floor_char_boundary(LOOKED_AT)];
    let query = query.split('#').next().unwrap_or_default();
    let mut found = Vec::new();
    for pair in query.split('&') {
        if found.len() >= MOST {
            break;
        }
        let Some((name, written)) = pair.split_once('=') else {
            continue;
        };
        let name = name.to_ascii_lowercase();
        let telling = NAMES.iter().any(|part| name.contains(part));
        if written.len() >= if telling { SHORTEST } else { LONG } {
            found.push(SecretText::from(written));
            if let Some((_, meant)) = url::form_urlencoded::parse(pair.as_bytes()).next()
                && meant != written
            {
                found.push(SecretText::from(meant.as_ref()));
            }
        }
    }
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_query_is_looked_at_in_part() {
        let few = endpoint("event: endpoint\ndata: /m?id=first-one&a=b&key=second-one\n");
        assert_eq!(few, ["first-one", "second-one"].map(SecretText::from));
        let pairs: Vec<String> = (0..100_000).map(|n| format!("id={n:08}")).collect();
        let many = endpoint(&format!("event: endpoint\ndata: /m?{}", pairs.join("&")));
        assert_eq!(many.len(), MOST);
        assert_eq!(many[0], SecretText::from("00000000"));
        // The written and the decoded form both count.
        let pairs: Vec<String> = (0..100).map(|n| format!("id=%41{n:08}")).collect();
        let both = endpoint(&format!(
            "event: endpoint\ndata: /m?a=b&{}",
            pairs.join("&")
        ));
        assert_eq!(both.len(), MOST);
        let behind = format!(
            "event: endpoint\ndata: /m?{}&id=behind-all",
            "é".repeat(LOOKED_AT)
        );
        assert!(endpoint(&behind).is_empty());
    }
}

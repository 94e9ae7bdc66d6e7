//! Secrets that a server hands out itself: session ids, and the address that an HTTP+SSE server
//! names for messages, whose query is one.

use sonde_wire::{Body, Direction, Entry, EntryKind};

use super::SecretText;

/// Shorter values are ordinary words.
const SHORTEST: usize = 8;
/// From this length on a value of a query is taken for a secret whatever its name.
const LONG: usize = 16;
/// Parts of names that mark a secret.
const NAMES: [&str; 5] = ["session", "token", "key", "secret", "id"];
/// Limit of remembered secrets that the server made itself; the oldest goes first.
pub(super) const MOST: usize = 16;
/// Part of a query that is searched, in bytes.
const LOOKED_AT: usize = 64 * 1024;

/// Returns the secrets that this entry hands out, as written and decoded; [`MOST`] at most.
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

/// HTTP+SSE (2024-11-05): the first event is `endpoint`, its data the address for messages.
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
        // Written and meant are two.
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

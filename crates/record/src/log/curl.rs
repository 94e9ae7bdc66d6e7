//! "Copy as curl".

use sonde_wire::{Body, EntryKind};

use super::ring::Ring;
use super::{
    LogMiss,
    show::{self, quoted},
};

/// Headers that curl writes itself, and that would be wrong for another connection.
const OWN: [&str; 4] = [
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
];

/// The entry of the request head that belongs to an entry, if there is one.
pub(super) fn head(ring: &Ring, seq: u64) -> Result<Option<u64>, LogMiss> {
    let entry = ring.get(seq)?;
    Ok(ring
        .exchange(entry)
        .and_then(|exchange| exchange.head)
        .filter(|head| ring.get(*head).is_ok()))
}

pub(super) fn command(ring: &Ring, seq: u64) -> Result<Option<String>, LogMiss> {
    let Some(head) = head(ring, seq)? else {
        return Ok(None);
    };
    let entry = ring.get(head)?;
    let EntryKind::RequestHead { verb, url, headers } = &entry.kind else {
        return Ok(None);
    };
    // No globbing: a URL may hold brackets. No buffering: the answer may be a stream.
    let mut command = format!(
        "curl --globoff --no-buffer -X {} {}",
        show::verb(*verb),
        quoted(url)
    );
    for header in headers {
        if OWN.contains(&&*header.name.to_ascii_lowercase()) {
            continue;
        }
        // curl takes `name;` for an empty value; `name:` would remove the header.
        let line = if header.value.is_empty() {
            format!("{};", header.name)
        } else {
            format!("{}: {}", header.name, header.value)
        };
        command.push_str(&format!(" \\\n  -H {}", quoted(&line)));
    }
    let message = ring
        .exchange(entry)
        .and_then(|exchange| exchange.message)
        .and_then(|message| ring.get(message).ok());
    let body = message.map_or(&entry.body, |message| &message.body);
    match body {
        Body::Empty => {}
        Body::Text(text) => command.push_str(&format!(" \\\n  --data-raw {}", quoted(text))),
        Body::Bytes(bytes) => command.push_str(&format!(
            " \\\n  --data-raw {}",
            quoted(&String::from_utf8_lossy(bytes))
        )),
    }
    Ok(Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

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

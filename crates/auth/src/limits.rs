//! Limits of the texts that a server and its authorization server send about signing in.
//!
//! A response has at most 1 MiB (`flow::http_client`), the address that the browser opens 64 KiB
//! (`flow::authorization`). Text beyond a limit here is never used in part: half an address is
//! another address, half a scope another scope. A step or a problem reports it.

/// Bytes of an address in metadata, of an issuer, of a resource, of a client's id.
pub(crate) const ADDRESS: usize = 4 * 1024;
/// Entries of one list: authorization servers, scopes, methods.
pub(crate) const ENTRIES: usize = 1_000;
/// Bytes of all entries of one list.
pub(crate) const ENTRIES_BYTES: usize = 16 * 1024;
/// Characters of the name of a token's type.
pub(crate) const NAME: usize = 256;
/// Bytes of a token, of a client's secret.
pub(crate) const SECRET: usize = 64 * 1024;
/// Bytes of each text of a problem, and of the server's texts in a challenge; `…` ends a cut one.
pub(crate) const WORDS: usize = 16 * 1024;

/// Returns the first entries of a list, up to the limits.
pub(crate) fn first_entries<T: AsRef<str>>(
    entries: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = T> {
    let mut bytes = 0;
    entries.into_iter().take(ENTRIES).take_while(move |entry| {
        bytes += entry.as_ref().len();
        bytes <= ENTRIES_BYTES
    })
}

/// Cuts a text to [`WORDS`].
pub(crate) fn words(text: impl Into<String>) -> String {
    let mut text = text.into();
    if text.len() > WORDS {
        text.truncate(text.floor_char_boundary(WORDS));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_bounded_in_entries_and_in_bytes() {
        let count = |entries: Vec<String>| first_entries(entries).count();
        assert_eq!(count(vec!["a".to_owned(); 200_000]), ENTRIES);
        assert_eq!(count(vec!["a".repeat(ENTRIES_BYTES / 4); 5]), 4);
        assert_eq!(count(vec!["a".repeat(ENTRIES_BYTES + 1)]), 0);
        let long = words("ü".repeat(WORDS));
        assert!(long.ends_with("ü…") && long.len() <= WORDS + 3);
        assert_eq!(words("short"), "short");
    }
}

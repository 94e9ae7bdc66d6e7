//! Splitting of a secret into entries that every keyring accepts.
//!
//! Windows limits an entry to 2,560 bytes, so a long secret becomes a head and numbered parts. The head has the number
//! of parts, the whole length and a checksum: parts left over from an interrupted write are recognised and never joined
//! into a wrong secret.

use super::SecretError;

/// Limit of a written entry, in bytes. Below the limit of Windows (2,560).
const ENTRY: usize = 2_400;
/// Room for the head's own fields.
const HEAD: usize = 64;
/// Limit of the parts of a secret that is read: Sonde stores no longer ones.
const MOST_PARTS: usize = 1_000;

/// One of the two sets of entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The first set.
    A,
    /// The other set.
    B,
}

impl Slot {
    /// Returns the set that is not in use.
    pub(super) fn other(self) -> Self {
        match self {
            Slot::A => Slot::B,
            Slot::B => Slot::A,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Slot::A => "sonde1",
            Slot::B => "sonde2",
        }
    }

    /// Returns the name of a further entry; numbers count from 1.
    pub(super) fn part(self, user: &str, number: usize) -> String {
        match self {
            Slot::A => format!("{user}#{number}"),
            Slot::B => format!("{user}##{number}"),
        }
    }
}

/// Contents of a head entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The slot of the further entries.
    pub(super) slot: Slot,
    /// Number of further entries.
    pub(super) parts: usize,
    length: usize,
    checksum: u64,
    first: Vec<u8>,
}

/// Splits a secret into its head entry and further parts for this slot.
pub(super) fn split(secret: &str, slot: Slot) -> (Vec<u8>, Vec<Vec<u8>>) {
    let bytes = secret.as_bytes();
    let (first, rest) = bytes.split_at(bytes.len().min(ENTRY - HEAD));
    let parts: Vec<Vec<u8>> = rest.chunks(ENTRY).map(<[u8]>::to_vec).collect();
    let mut head = format!(
        "{} {} {} {:016x}\n",
        slot.mark(),
        parts.len(),
        bytes.len(),
        checksum(bytes)
    );
    debug_assert!(head.len() <= HEAD);
    let mut entry = std::mem::take(&mut head).into_bytes();
    entry.extend_from_slice(first);
    (entry, parts)
}

/// Reads a head entry.
pub(super) fn head(entry: &[u8]) -> Result<Head, SecretError> {
    let damaged = || SecretError::Damaged {
        reason: "its first entry is not readable".to_owned(),
    };
    let end = entry
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or_else(damaged)?;
    let line = std::str::from_utf8(&entry[..end]).map_err(|_| damaged())?;
    let mut fields = line.split(' ');
    let mark = fields.next();
    let slot = [Slot::A, Slot::B]
        .into_iter()
        .find(|slot| Some(slot.mark()) == mark)
        .ok_or_else(damaged)?;
    let mut number = || fields.next()?.parse().ok();
    let parts = number()
        .filter(|parts| *parts <= MOST_PARTS)
        .ok_or_else(damaged)?;
    let length = number().ok_or_else(damaged)?;
    let checksum = fields
        .next()
        .and_then(|text| u64::from_str_radix(text, 16).ok())
        .ok_or_else(damaged)?;
    Ok(Head {
        slot,
        parts,
        length,
        checksum,
        first: entry[end + 1..].to_vec(),
    })
}

/// Joins the head and the parts into the secret.
pub(super) fn join(head: Head, parts: &[Vec<u8>]) -> Result<String, SecretError> {
    let mut bytes = head.first;
    for part in parts {
        bytes.extend_from_slice(part);
    }
    if bytes.len() != head.length || checksum(&bytes) != head.checksum {
        return Err(SecretError::Damaged {
            reason: "its parts do not belong together".to_owned(),
        });
    }
    String::from_utf8(bytes).map_err(|_| SecretError::Damaged {
        reason: "it is not text".to_owned(),
    })
}

/// Returns the FNV-1a hash. Guards against interrupted writes, not against people: a person who can write the keyring
/// can write a matching checksum.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(secret: &str) -> (usize, String) {
        let (entry, parts) = split(secret, Slot::A);
        assert!(entry.len() <= 2_560 && parts.iter().all(|part| part.len() <= 2_560));
        let head = head(&entry).unwrap();
        assert_eq!(head.parts, parts.len());
        (parts.len(), join(head, &parts).unwrap())
    }

    #[test]
    fn every_length_comes_back() {
        for length in [0, 1, 2_335, 2_336, 2_337, 4_736, 4_737, 100_000] {
            // Two-byte characters, so that splits also fall inside characters.
            let secret: String = "xé".chars().cycle().take(length).collect();
            assert_eq!(round_trip(&secret).1, secret);
        }
        assert_eq!(round_trip("short\nwith lines").0, 0);
    }

    #[test]
    fn parts_of_two_secrets_are_not_joined() {
        let (entry, _) = split(&"a".repeat(5_000), Slot::A);
        let (_, other) = split(&"b".repeat(5_000), Slot::A);
        assert!(matches!(
            join(head(&entry).unwrap(), &other),
            Err(SecretError::Damaged { .. })
        ));
    }

    #[test]
    fn foreign_entries_are_damaged() {
        for entry in [
            &b""[..],
            b"plain",
            b"sonde1 x 1 0\n",
            b"sonde1 9999 1 0\n",
            b"\xff\n",
        ] {
            assert!(
                matches!(head(entry), Err(SecretError::Damaged { .. })),
                "{entry:?}"
            );
        }
    }
}

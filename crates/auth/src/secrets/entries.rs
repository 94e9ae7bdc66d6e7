//! Crash-safe storage of a secret as several keyring entries.

use super::{
    SecretError,
    parts::{self, Head, Slot},
};

/// Limit of reads of a secret that another process replaces meanwhile.
const READS: usize = 5;

/// Operations of a keyring on single entries.
pub(super) trait Entries {
    /// Reads an entry; `None` if there is none.
    fn read(&self, user: &str) -> Result<Option<Vec<u8>>, SecretError>;
    /// Writes an entry, completely or not at all.
    fn write(&self, user: &str, bytes: &[u8]) -> Result<(), SecretError>;
    /// Removes an entry; false if there was none.
    fn delete(&self, user: &str) -> Result<bool, SecretError>;
}

/// Reads a secret; `None` if there is none.
pub(super) fn get(entries: &impl Entries, user: &str) -> Result<Option<String>, SecretError> {
    let mut seen = None;
    for _ in 0..READS {
        let Some(entry) = entries.read(user)? else {
            return Ok(None);
        };
        let found = read_parts(entries, user, parts::head(&entry)?);
        // Parts that do not fit may belong to a secret that is being written now; then the head has changed too.
        if found.is_ok() || seen.as_ref() == Some(&entry) {
            return found.map(Some);
        }
        seen = Some(entry);
    }
    Err(SecretError::Damaged {
        reason: "it changes all the time".to_owned(),
    })
}

fn read_parts(entries: &impl Entries, user: &str, head: Head) -> Result<String, SecretError> {
    let mut rest = Vec::with_capacity(head.parts);
    for number in 1..=head.parts {
        let part = entries.read(&head.slot.part(user, number))?;
        rest.push(part.ok_or_else(|| SecretError::Damaged {
            reason: "a part of it is missing".to_owned(),
        })?);
    }
    parts::join(head, &rest)
}

/// Stores a secret. Until its head is written the old secret stays complete; from then on the new one is.
pub(super) fn set(entries: &impl Entries, user: &str, secret: &str) -> Result<(), SecretError> {
    let old = entries
        .read(user)?
        .and_then(|entry| parts::head(&entry).ok());
    let slot = old.as_ref().map_or(Slot::A, |old| old.slot.other());
    let (head, parts) = parts::split(secret, slot);
    for (index, bytes) in parts.iter().enumerate() {
        entries.write(&slot.part(user, index + 1), bytes)?;
    }
    entries.write(user, &head)?;
    // The secret is stored. Parts that cannot be removed now are removed by the next write.
    let cleared = clear(entries, user, slot, parts.len() + 1)
        .and_then(|()| clear(entries, user, slot.other(), 1));
    if let Err(error) = cleared {
        tracing::warn!(%error, "old parts of a secret were left in the keyring");
    }
    Ok(())
}

/// Removes a secret: its head first, so that no half of it is ever found.
pub(super) fn remove(entries: &impl Entries, user: &str) -> Result<(), SecretError> {
    entries.delete(user)?;
    clear(entries, user, Slot::A, 1)?;
    clear(entries, user, Slot::B, 1)
}

/// Removes the parts of a slot from this number on, the last first: a process that dies in between leaves no gap after
/// which parts would be overlooked.
fn clear(entries: &impl Entries, user: &str, slot: Slot, from: usize) -> Result<(), SecretError> {
    let mut end = from;
    while entries.read(&slot.part(user, end))?.is_some() {
        end += 1;
    }
    for number in (from..end).rev() {
        entries.delete(&slot.part(user, number))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        cell::{Cell, RefCell},
        collections::BTreeMap,
    };

    use super::*;

    /// A keyring in memory whose user may die before any change.
    #[derive(Default)]
    struct Mortal {
        entries: RefCell<BTreeMap<String, Vec<u8>>>,
        /// Number of changes before death.
        left: Cell<Option<usize>>,
    }

    impl Mortal {
        fn dying_after(&self, changes: usize) -> Self {
            Self {
                entries: self.entries.clone(),
                left: Cell::new(Some(changes)),
            }
        }

        fn live(&self) -> Result<(), SecretError> {
            match self.left.get() {
                Some(0) => Err(SecretError::Failed {
                    reason: "dead".to_owned(),
                }),
                left => {
                    self.left.set(left.map(|left| left - 1));
                    Ok(())
                }
            }
        }
    }

    impl Entries for Mortal {
        fn read(&self, user: &str) -> Result<Option<Vec<u8>>, SecretError> {
            Ok(self.entries.borrow().get(user).cloned())
        }
        fn write(&self, user: &str, bytes: &[u8]) -> Result<(), SecretError> {
            self.live()?;
            self.entries
                .borrow_mut()
                .insert(user.to_owned(), bytes.to_vec());
            Ok(())
        }
        fn delete(&self, user: &str) -> Result<bool, SecretError> {
            self.live()?;
            Ok(self.entries.borrow_mut().remove(user).is_some())
        }
    }

    const LENGTHS: [usize; 4] = [10, 3_000, 6_000, 20_000];

    #[test]
    fn a_death_at_any_moment_of_writing_leaves_the_old_secret_or_the_new_one() {
        for (old, new) in LENGTHS
            .iter()
            .flat_map(|old| LENGTHS.map(|new| (*old, new)))
        {
            let (old, new) = ("o".repeat(old), "n".repeat(new));
            let before = Mortal::default();
            set(&before, "u", &old).unwrap();
            let mut changes = 0;
            loop {
                let keyring = before.dying_after(changes);
                let done = set(&keyring, "u", &new).is_ok();
                let alive = keyring.left.get() != Some(0);
                keyring.left.set(None);
                let found = get(&keyring, "u").unwrap().unwrap();
                assert!(
                    found == if done { &*new } else { &*old },
                    "after {changes} changes"
                );
                // The next write leaves only the entries that it needs.
                set(&keyring, "u", "short").unwrap();
                assert_eq!(get(&keyring, "u").unwrap().as_deref(), Some("short"));
                let names: Vec<_> = keyring.entries.borrow().keys().cloned().collect();
                assert_eq!(names, ["u"], "after {changes} changes");
                if alive {
                    break;
                }
                changes += 1;
            }
            assert!(changes > 0);
        }
    }

    #[test]
    fn a_death_while_removing_leaves_the_secret_or_nothing() {
        let before = Mortal::default();
        set(&before, "u", "first").unwrap();
        set(&before, "u", &"s".repeat(9_000)).unwrap();
        for changes in 0..5 {
            let keyring = before.dying_after(changes);
            let _ = remove(&keyring, "u");
            keyring.left.set(None);
            assert_eq!(get(&keyring, "u").unwrap().is_some(), changes == 0);
            remove(&keyring, "u").unwrap();
            assert!(
                keyring.entries.borrow().is_empty(),
                "after {changes} changes"
            );
        }
    }

    /// A keyring in which another process replaces the secret after a number of reads.
    struct Shared {
        inner: Mortal,
        reads: Cell<usize>,
    }

    impl Entries for Shared {
        fn read(&self, user: &str) -> Result<Option<Vec<u8>>, SecretError> {
            if self.reads.get() == 0 {
                set(&self.inner, "u", &"n".repeat(9_000))?;
            }
            self.reads.set(self.reads.get().wrapping_sub(1));
            self.inner.read(user)
        }
        fn write(&self, user: &str, bytes: &[u8]) -> Result<(), SecretError> {
            self.inner.write(user, bytes)
        }
        fn delete(&self, user: &str) -> Result<bool, SecretError> {
            self.inner.delete(user)
        }
    }

    #[test]
    fn a_secret_that_is_replaced_while_it_is_read_is_read_again() {
        for reads in 0..6 {
            let inner = Mortal::default();
            set(&inner, "u", &"o".repeat(9_000)).unwrap();
            let shared = Shared {
                inner,
                reads: Cell::new(reads),
            };
            let found = get(&shared, "u").unwrap().unwrap();
            assert!(found == "n".repeat(9_000) || found == "o".repeat(9_000));
        }
    }
}

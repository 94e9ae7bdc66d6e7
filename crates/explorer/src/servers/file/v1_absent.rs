//! Members that may be absent in version 1 of an entry of the file, or `null`, which is the same.

use serde::{Deserialize, Deserializer};

/// Reads a member, or its default if the member is absent or `null`.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

//! Members that may be absent in version 1 of an entry of the file, or `null`, which is the same.

use serde::{Deserialize, Deserializer};

/// What is absent or `null` is the default.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

//! Help for unit tests.

use serde_json::value::RawValue;

/// Parses JSON.
pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

//! The result of a response, as received.

use std::{cell::OnceCell, ops::Deref, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::TextPart;

use crate::members::members;

/// Members that the session reads of results.
const NAMES: [&str; 11] = [
    "_meta",
    "resultType",
    "inputRequests",
    "requestState",
    "ttlMs",
    "cacheScope",
    "isError",
    "content",
    "contents",
    "messages",
    "completion",
];

/// A received result. Reads [`NAMES`] in one pass when it is first asked for one, as a result can be large.
#[derive(Debug)]
pub(crate) struct ReceivedResult<'a> {
    raw: &'a RawValue,
    /// The message that contains it, if its text can be shared.
    message: Option<&'a Arc<String>>,
    /// `None` if the result is not an object.
    members: OnceCell<Option<[Option<&'a RawValue>; NAMES.len()]>>,
}

impl<'a> ReceivedResult<'a> {
    /// Creates the result `raw`, a part of `message` if that is given.
    pub(crate) fn new(raw: &'a RawValue, message: Option<&'a Arc<String>>) -> Self {
        Self {
            raw,
            message,
            members: OnceCell::new(),
        }
    }

    /// Returns the text of the result. A large result shares the text of its message.
    pub(crate) fn keep(&self) -> TextPart {
        let text = self.raw.get();
        match self.message {
            Some(message) => TextPart::new(message, text),
            None => TextPart::from(text.to_owned()),
        }
    }

    pub(crate) fn is_object(&self) -> bool {
        self.members().is_some()
    }

    /// Returns one of [`NAMES`]; of a repeated member, the last value.
    pub(crate) fn member(&self, name: &str) -> Option<&'a RawValue> {
        let place = NAMES.iter().position(|known| *known == name);
        debug_assert!(place.is_some(), "`{name}` is not read");
        self.members()?[place?]
    }

    fn members(&self) -> Option<&[Option<&'a RawValue>; NAMES.len()]> {
        let read = || Some(members(self.raw.get(), &NAMES).ok()?.values);
        self.members.get_or_init(read).as_ref()
    }
}

impl Deref for ReceivedResult<'_> {
    type Target = RawValue;

    fn deref(&self) -> &RawValue {
        self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_kept_without_a_copy_and_its_members_are_found() {
        let message = r#"{"id":1,"result":{"isError":true, "_meta":1,"_meta":2}}"#;
        let message = Arc::new(message.to_owned());
        let [raw] = members(&message, &["result"]).unwrap().values;
        let result = ReceivedResult::new(raw.unwrap(), Some(&message));
        assert!(result.is_object());
        assert_eq!(result.member("_meta").map(RawValue::get), Some("2"));
        assert!(result.member("content").is_none());
        let kept = result.keep();
        assert_eq!(kept.get(), r#"{"isError":true, "_meta":1,"_meta":2}"#);
        assert_eq!(Arc::strong_count(&message), 2);
        let list = RawValue::from_string("[]".to_owned()).unwrap();
        let result = ReceivedResult::new(&list, None);
        assert!(!result.is_object() && result.member("_meta").is_none());
        assert_eq!(result.keep().get(), "[]");
    }
}

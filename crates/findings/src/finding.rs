//! One broken rule.

use crate::{Rule, Severity};

/// Limit of a value that a finding carries, in characters. The subject has the whole value.
const VALUE: usize = 200;
/// Limit of a pointer, in characters. A longer pointer ends with an ellipsis.
const POINTER: usize = 1_000;

/// Place of a finding in its subject. The subject is the object that holds the finding: a frame of the wire
/// log, an item of a list, a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Location {
    /// The whole subject.
    #[default]
    Whole,
    /// A JSON Pointer (RFC 6901).
    Pointer(String),
    /// An HTTP header, by name.
    Header(&'static str),
}

/// One case of a broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The place.
    pub location: Location,
    /// Values of this case for the rule's text, by name.
    values: Vec<(&'static str, String)>,
}

impl Finding {
    /// Creates a finding about the whole of its subject.
    #[must_use]
    pub fn new(rule: &'static Rule) -> Self {
        Finding {
            rule,
            location: Location::Whole,
            values: Vec::new(),
        }
    }

    /// Sets the place. At most 1,000 characters of a pointer are kept.
    #[must_use]
    pub fn at(self, mut location: Location) -> Self {
        if let Location::Pointer(pointer) = &mut location
            && let Some((end, _)) = pointer.char_indices().nth(POINTER)
        {
            pointer.truncate(end);
            pointer.shrink_to_fit();
            pointer.push('…');
        }
        Finding { location, ..self }
    }

    /// Sets the place to the member of this name of its subject.
    #[must_use]
    pub fn in_member(self, member: &str) -> Self {
        let escaped = member.replace('~', "~0").replace('/', "~1");
        self.at(Location::Pointer(format!("/{escaped}")))
    }

    /// Adds a value for the rule's text, of which at most 200 characters are kept.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        let mut value = value.to_string();
        if let Some((end, _)) = value.char_indices().nth(VALUE) {
            value.truncate(end);
            value.shrink_to_fit();
            value.push('…');
        }
        self.values.push((name, value));
        self
    }

    /// Returns the rule's id.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.rule.id
    }

    /// Returns the severity of its rule.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// Returns the rule's text with the values of this case: plain sentences for the user.
    #[must_use]
    pub fn message(&self) -> String {
        let mut message = String::with_capacity(self.rule.text.len());
        let mut rest = self.rule.text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            message.push_str(before);
            let value = self.values.iter().find(|(known, _)| *known == name);
            message.push_str(value.map_or("?", |(_, value)| value));
            rest = after;
        }
        message.push_str(rest);
        message
    }

    /// Returns its size in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let location = match &self.location {
            Location::Pointer(pointer) => pointer.len(),
            Location::Whole | Location::Header(_) => 0,
        };
        let texts: usize = self.values.iter().map(|(_, value)| value.len()).sum();
        // Vectors of few elements reserve room for more.
        let values = self.values.capacity() * size_of::<(&str, String)>();
        size_of::<Self>() + location + values + texts
    }

    /// Returns the values, to replace secrets in them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.values.iter_mut().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn the_text_is_that_of_the_rule_with_the_values_of_the_case() {
        let finding = Finding::new(&rules::INVALID_UTF8).with("position", 17);
        assert_eq!(
            finding.message(),
            "Byte 17 is not valid UTF-8. Invalid bytes were replaced."
        );
        assert_eq!(
            (finding.id(), finding.severity()),
            ("invalid-utf8", Severity::Error)
        );
        assert_eq!(
            Finding::new(&rules::INVALID_UTF8).message(),
            "Byte ? is not valid UTF-8. Invalid bytes were replaced."
        );
    }

    #[test]
    fn what_a_server_wrote_is_neither_read_as_text_nor_kept_whole() {
        let finding = Finding::new(&rules::UNKNOWN_RESPONSE_ID).with("id", "{id}");
        assert!(finding.message().contains("{id}"));
        let long = Finding::new(&rules::UNKNOWN_RESPONSE_ID).with("id", "ü".repeat(300));
        assert_eq!(long.message().matches('ü').count(), VALUE);
        let far = Finding::new(&rules::BOM).in_member(&"/".repeat(100_000));
        assert!(far.weight() < 5 * POINTER, "{}", far.weight());
        let short = Finding::new(&rules::UNKNOWN_RESPONSE_ID).with("id", 7);
        assert!(long.weight() > short.weight() + VALUE);
    }

    #[test]
    fn a_place_in_a_part_is_one_in_the_whole() {
        let of = |location| {
            let finding = Finding::new(&rules::BAD_TYPE).at(location);
            let mut view = crate::FindingView::from(&finding);
            crate::FindingView::locate_in("/content/1", std::slice::from_mut(&mut view));
            view.location.unwrap()
        };
        assert_eq!(of(Location::Whole), "/content/1");
        let pointer = Location::Pointer("/data".to_owned());
        assert_eq!(of(pointer), "/content/1/data");
        assert_eq!(of(Location::Header("Mcp-Name")), "Mcp-Name");
    }

    #[test]
    fn a_member_is_a_json_pointer() {
        let finding = Finding::new(&rules::BAD_TYPE).in_member("a/b~c");
        assert_eq!(finding.location, Location::Pointer("/a~1b~0c".to_owned()));
    }
}

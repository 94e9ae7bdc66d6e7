//! Icons: pictures that a server offers for itself and for the items of its lists (schema, Icon; 2025-11-25 on).

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;

use crate::{
    limits::{ICONS, NAME, NAMES},
    members::{elements, members, string},
    text::cut,
};

/// One icon, as the server describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Icon {
    /// Address of the picture, or a `data:` URI that contains it.
    pub src: String,
    /// `mimeType`, at most 256 characters of it.
    pub mime_type: Option<String>,
    /// `sizes`: `48x48`, `any`, or other words as received, at most 256 characters of each.
    pub sizes: Vec<String>,
    /// `theme`: the background that it is designed for, `light` or `dark`, or another word as received.
    pub theme: Option<String>,
}

/// The icons of a server or an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Icons {
    /// The first icons that have a `src`, at most [`ICONS`], in the server's order.
    pub first: Vec<Icon>,
    /// Number of entries in all.
    pub count: usize,
}

/// Reads `icons`. Faulty entries hide no others; the checks for them are elsewhere.
pub(crate) fn read(raw: Option<&RawValue>) -> Icons {
    let Some(entries) = raw.and_then(|raw| elements(raw.get(), ICONS).ok()) else {
        return Icons::default();
    };
    Icons {
        first: entries.first.into_iter().filter_map(read_icon).collect(),
        count: entries.count,
    }
}

fn read_icon(raw: &RawValue) -> Option<Icon> {
    let read = members(raw.get(), &["src", "mimeType", "sizes", "theme"]);
    let [src, mime_type, sizes, theme] = read.ok()?.values;
    let text = |raw: &RawValue| Some(cut(&string(raw)?, NAME));
    let sizes = sizes.and_then(|raw| elements(raw.get(), NAMES).ok());
    Some(Icon {
        src: src.and_then(string)?,
        mime_type: mime_type.and_then(text),
        sizes: sizes.map_or_else(Vec::new, |sizes| {
            sizes.first.into_iter().filter_map(text).collect()
        }),
        theme: theme.and_then(text),
    })
}

/// Members that the definition of any item may have, whatever its kind.
#[derive(Debug)]
pub struct Extras<'a> {
    /// `icons`.
    pub icons: Icons,
    /// `_meta` as received (2025-06-18 on).
    pub meta: Option<&'a RawValue>,
}

/// Reads these members from a definition. They are not stored with the items of a list, since few are ever shown.
#[must_use]
pub fn extras(definition: &RawValue) -> Extras<'_> {
    let read = members(definition.get(), &["icons", "_meta"]);
    let [icons, meta] = read.map_or([None; 2], |read| read.values);
    Extras {
        icons: self::read(icons),
        meta,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn icons(text: &str) -> Icons {
        read(Some(&RawValue::from_string(text.to_owned()).unwrap()))
    }

    #[test]
    fn what_is_said_of_an_icon_is_read() {
        let icons = icons(
            r#"[{"src":"https://example.org/a.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"},{"src":"data:,"}]"#,
        );
        assert_eq!(icons.count, 2);
        let [first, second] = &icons.first[..] else {
            panic!("there are two");
        };
        assert_eq!(first.src, "https://example.org/a.png");
        assert_eq!(first.mime_type.as_deref(), Some("image/png"));
        assert_eq!(first.sizes, ["48x48", "any"]);
        assert_eq!(first.theme.as_deref(), Some("dark"));
        assert_eq!((second.sizes.len(), second.theme.as_ref()), (0, None));
        assert_eq!(read(None), Icons::default());
    }

    #[test]
    fn what_is_wrong_hides_nothing_else() {
        for (text, readable) in [
            ("{}", 0),
            (r#"[3,{"src":"a:"},{"src":1}]"#, 1),
            (r#"[{"src":"a:","mimeType":1,"theme":2}]"#, 1),
            (r#"[{"src":"a:","sizes":"48x48"}]"#, 1),
            (r#"[{"src":"a:","sizes":[1,"48x48"]}]"#, 1),
        ] {
            assert_eq!(icons(text).first.len(), readable, "{text}");
        }
    }

    #[test]
    fn of_icons_without_end_the_first_are_read() {
        let icons = icons(&format!("[{}]", vec![r#"{"src":"a:"}"#; 10_000].join(",")));
        assert_eq!((icons.first.len(), icons.count), (ICONS, 10_000));
    }

    #[test]
    fn extras_are_read_of_any_definition() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let definition = raw(r#"{"name":"n","_meta":{"a": 1.0},"icons":[{"src":"a:"}]}"#);
        let read = extras(&definition);
        assert_eq!(read.meta.unwrap().get(), r#"{"a": 1.0}"#);
        assert_eq!(read.icons.count, 1);
        let nothing = raw("3");
        assert!(extras(&nothing).meta.is_none());
    }
}

//! One item of `resources/list` and of `resources/templates/list`.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use super::{
    CatalogKind,
    item::{CatalogItem, ItemDetail, ResourceAnnotations},
    reading::{NAME_RULES, bad_type, check_meta, repeated, required, text},
    uri_template::UriTemplate,
};
use crate::{
    icons::{self, Icons},
    limits::NAMES,
    members::{elements, members, string},
};

/// Reads one resource or resource template; `None` when the item is no object.
pub(super) fn read(kind: CatalogKind, raw: &RawValue) -> Option<CatalogItem> {
    let is_template = kind == CatalogKind::ResourceTemplates;
    let (key, noun, broken) = match is_template {
        true => (
            "uriTemplate",
            "resource template",
            [&rules::MISSING_URI_TEMPLATE, &rules::BAD_URI_TEMPLATE],
        ),
        false => ("uri", "resource", [&rules::MISSING_URI, &rules::BAD_URI]),
    };
    // Templates have no size: a name that is listed twice is never found at its second place.
    let size = if is_template { key } else { "size" };
    let names = [
        key,
        size,
        "name",
        "title",
        "description",
        "mimeType",
        "annotations",
        "_meta",
    ];
    let read = members(raw.get(), &names).ok()?;
    let [
        uri,
        size,
        name,
        title,
        description,
        mime_type,
        annotations,
        meta,
    ] = read.values;
    let mut findings = Vec::new();
    repeated(read.repeated, &mut findings);
    let uri = required(uri, key, noun, broken, &mut findings);
    if is_template
        && !uri.is_empty()
        && let Err(problem) = UriTemplate::read(&uri)
    {
        findings.push(
            Finding::new(&rules::INVALID_URI_TEMPLATE)
                .with("problem", problem)
                .in_member(key),
        );
    }
    let name = required(name, "name", noun, NAME_RULES, &mut findings);
    let title = text(title, "title", &mut findings);
    let description = text(description, "description", &mut findings);
    let mime_type = text(mime_type, "mimeType", &mut findings);
    let size = size.and_then(|raw| {
        let size = whole(raw);
        if size.is_none() {
            findings.push(bad_type("size", "a whole number of bytes"));
        }
        size
    });
    let annotations = read_annotations(annotations, &mut findings);
    check_meta(meta, &mut findings);
    Some(CatalogItem {
        key: uri,
        name,
        title,
        description,
        detail: match is_template {
            true => ItemDetail::ResourceTemplate {
                mime_type,
                annotations,
            },
            false => ItemDetail::Resource {
                mime_type,
                size,
                annotations,
            },
        },
        raw: Arc::from(raw.to_owned()),
        findings,
    })
}

/// Metadata of a content block, or of the contents of a resource, beside the content itself (schema,
/// ContentBlock).
#[derive(Debug, Default)]
pub struct ContentExtras<'a> {
    /// `annotations`.
    pub annotations: ResourceAnnotations,
    /// `size` in bytes, of a link.
    pub size: Option<u64>,
    /// `icons`, of a link.
    pub icons: Icons,
    /// `_meta` as received.
    pub meta: Option<&'a RawValue>,
}

/// Reads the metadata. A faulty member hides no other.
pub fn content_extras<'a>(raw: &'a RawValue, findings: &mut Vec<Finding>) -> ContentExtras<'a> {
    let read = members(raw.get(), &["annotations", "size", "icons", "_meta"]);
    let Ok(read) = read else {
        return ContentExtras::default();
    };
    let [annotations, size, icons, meta] = read.values;
    check_meta(meta, findings);
    ContentExtras {
        annotations: read_annotations(annotations, findings),
        size: size.and_then(whole),
        icons: icons::read(icons),
        meta,
    }
}

fn read_annotations(raw: Option<&RawValue>, findings: &mut Vec<Finding>) -> ResourceAnnotations {
    let Some(raw) = raw else {
        return ResourceAnnotations::default();
    };
    let Ok(read) = members(raw.get(), &["audience", "priority", "lastModified"]) else {
        findings.push(bad_type("annotations", "an object"));
        return ResourceAnnotations::default();
    };
    let [audience, priority, last_modified] = read.values;
    let audience = audience.map(|raw| {
        let roles = elements(raw.get(), NAMES).ok()?.first;
        roles.into_iter().map(string).collect::<Option<Vec<_>>>()
    });
    if audience == Some(None) {
        findings.push(bad_type("annotations.audience", "an array of strings"));
    }
    let priority = priority.and_then(|raw| {
        let number = serde_json::from_str::<f64>(raw.get()).ok();
        if number.is_none() {
            findings.push(bad_type("annotations.priority", "a number"));
        }
        number
    });
    ResourceAnnotations {
        audience: audience.flatten().unwrap_or_default(),
        priority,
        last_modified: text(last_modified, "annotations.lastModified", findings),
    }
}

/// Parses a number of bytes, including forms such as `1.0` and `1e3`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and in range"
)]
fn whole(raw: &RawValue) -> Option<u64> {
    raw.get().parse().ok().or_else(|| {
        let number: f64 = serde_json::from_str(raw.get()).ok()?;
        let fits = number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number);
        fits.then_some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::raw;

    fn resource(text: &str) -> Option<CatalogItem> {
        read(CatalogKind::Resources, &raw(text))
    }

    fn template(text: &str) -> Option<CatalogItem> {
        read(CatalogKind::ResourceTemplates, &raw(text))
    }

    fn codes(item: &CatalogItem) -> Vec<&'static str> {
        item.findings.iter().map(|finding| finding.id()).collect()
    }

    #[test]
    fn a_regular_resource() {
        let text = r#"{"uri":"file:///a","name":"a","title":"A","description":"*d*","mimeType":"text/plain","size":12,"annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2025-01-12T15:00:58Z"}}"#;
        let item = resource(text).unwrap();
        assert_eq!(item.findings, []);
        assert_eq!(item.raw.get(), text);
        assert_eq!((item.key.as_str(), item.name.as_str()), ("file:///a", "a"));
        assert_eq!(item.title.as_deref(), Some("A"));
        let ItemDetail::Resource {
            mime_type,
            size,
            annotations,
        } = item.detail
        else {
            panic!("it is a resource");
        };
        assert_eq!((mime_type.as_deref(), size), (Some("text/plain"), Some(12)));
        assert_eq!(annotations.audience, ["user", "assistant"]);
        assert_eq!(annotations.priority, Some(0.5));
    }

    #[test]
    fn a_regular_template() {
        let text = r#"{"uriTemplate":"file:///{path}","name":"files","mimeType":"text/plain"}"#;
        let item = template(text).unwrap();
        assert_eq!(item.findings, []);
        assert_eq!(item.key, "file:///{path}");
        assert!(matches!(
            item.detail,
            ItemDetail::ResourceTemplate { mime_type: Some(kind), .. } if kind == "text/plain"
        ));
    }

    #[test]
    fn what_is_wrong_hides_nothing_else() {
        let cases: &[(&str, &[&str])] = &[
            ("{}", &["missing-uri", "missing-name"]),
            (r#"{"uri":1,"name":[]}"#, &["bad-uri", "bad-name"]),
            (
                r#"{"uri":"a:b","name":"n","size":-1,"mimeType":7}"#,
                &["bad-type", "bad-type"],
            ),
            (r#"{"uri":"a:b","name":"n","size":1e3}"#, &[]),
            (r#"{"uri":"a:b","name":"n","annotations":3}"#, &["bad-type"]),
            (r#"{"uri":"a:b","name":"n","_meta":3}"#, &["bad-type"]),
            (
                r#"{"uri":"a:b","name":"n","annotations":{"audience":["user",1],"priority":"high","lastModified":1}}"#,
                &["bad-type", "bad-type", "bad-type"],
            ),
            (
                r#"{"uri":"a:b","uri":"c:d","name":"n"}"#,
                &["repeated-member"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(codes(&resource(text).unwrap()), *expected, "{text}");
        }
        let of_template = |text: &str| codes(&template(text).unwrap());
        assert_eq!(of_template(r#"{"name":"n"}"#), ["missing-uri-template"]);
        assert_eq!(
            of_template(r#"{"uriTemplate":{}}"#),
            ["bad-uri-template", "missing-name"]
        );
        assert_eq!(
            of_template(r#"{"uriTemplate":"x://{a","name":"n"}"#),
            ["invalid-uri-template"]
        );
        for item in ["null", "3", "[]", "\"t\""] {
            assert!(resource(item).is_none() && template(item).is_none());
        }
    }
}

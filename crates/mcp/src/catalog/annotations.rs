//! Checks of annotations: a server's hints about the use of a resource (schema, Annotations).

use sonde_findings::{Finding, Findings, Location, rules};

use super::item::ResourceAnnotations;
use crate::text::{brief, is_time};

/// Checks the values of annotations.
pub(super) fn judge(annotations: &ResourceAnnotations, found: &mut Findings) {
    let bad = |member: &str, value: String, expected: &str| {
        Finding::new(&rules::BAD_ANNOTATION)
            .with("member", format!("annotations.{member}"))
            .with("value", value)
            .with("expected", expected)
            .at(Location::Pointer(format!("/annotations/{member}")))
    };
    if let Some(priority) = annotations.priority
        && !(0.0..=1.0).contains(&priority)
    {
        found.push(bad("priority", priority.to_string(), "between 0 and 1"));
    }
    let is_role = |role: &&String| matches!(role.as_str(), "user" | "assistant");
    if let Some(other) = annotations.audience.iter().find(|role| !is_role(role)) {
        let value = format!("`{}`", brief(other));
        found.push(bad("audience", value, "`user` or `assistant`"));
    }
    if let Some(time) = &annotations.last_modified
        && !is_time(time)
    {
        found.push(
            Finding::new(&rules::BAD_LAST_MODIFIED)
                .with("member", "annotations.lastModified")
                .with("value", format!("`{}`", brief(time)))
                .at(Location::Pointer("/annotations/lastModified".to_owned())),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_schema() {
        let of = |priority, audience: &[&str], time: Option<&str>| {
            let annotations = ResourceAnnotations {
                audience: audience.iter().map(|role| (*role).to_owned()).collect(),
                priority,
                last_modified: time.map(str::to_owned),
            };
            let mut found = Findings::default();
            judge(&annotations, &mut found);
            found.into_vec().iter().map(Finding::id).collect::<Vec<_>>()
        };
        for (priority, audience, time) in [
            (None, &[][..], None),
            (Some(0.0), &["user"][..], Some("2025-01-12T15:00:58Z")),
            (Some(1.0), &["assistant", "user"], Some("2025-01-12")),
            (Some(0.5), &[], Some("2025-01-12T15:00:58.123+02:00")),
            (None, &[], Some("20250112T150058Z")),
            (None, &[], Some("2025-W03")),
            (None, &[], Some("2025-01-12 15:00:58")),
        ] {
            assert_eq!(of(priority, audience, time), [""; 0], "{time:?}");
        }
        assert_eq!(of(Some(1.5), &[], None), ["bad-annotation"]);
        assert_eq!(of(Some(-0.1), &[], None), ["bad-annotation"]);
        assert_eq!(of(None, &["user", "admin", "x"], None), ["bad-annotation"]);
        for time in [
            "",
            "yesterday",
            "1736700000",
            "Sun, 12 Jan 2025 15:00:58 GMT",
            "12.1.2025",
        ] {
            assert_eq!(of(None, &[], Some(time)), ["bad-last-modified"], "{time}");
        }
    }
}

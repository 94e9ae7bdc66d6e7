//! How a server describes itself (schema, Implementation).

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use crate::{
    catalog::judge_icons,
    members::{members, string},
};

/// What is remarkable about a `serverInfo`.
pub(crate) fn judge(info: &RawValue) -> Vec<Finding> {
    let mut found = Findings::default();
    let Ok(read) = members(info.get(), &["name", "version", "icons"]) else {
        return Vec::new();
    };
    let [name, version, icons] = read.values;
    for (member, value) in [("name", name), ("version", version)] {
        if value
            .and_then(string)
            .is_some_and(|text| text.trim().is_empty())
        {
            let empty = Finding::new(&rules::EMPTY_SERVER_INFO);
            found.push(empty.with("member", member));
        }
    }
    if let Some(icons) = icons {
        judge_icons(icons, &mut found);
    }
    found.into_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_name_a_version_and_icons_that_can_be_used() {
        for (info, expected) in [
            (
                r#"{"name":"s","version":"1","icons":[{"src":"https://a/b"}]}"#,
                &[][..],
            ),
            (
                r#"{"name":"","version":" "}"#,
                &["empty-server-info", "empty-server-info"],
            ),
            (r#"{"name":"s","version":"1","icons":[{}]}"#, &["bad-icon"]),
            // What is missing is found by who reads it.
            ("{}", &[]),
            ("3", &[]),
        ] {
            let info = RawValue::from_string(info.to_owned()).unwrap();
            let found: Vec<_> = judge(&info).iter().map(Finding::id).collect();
            assert_eq!(found, expected, "{info}");
        }
    }
}

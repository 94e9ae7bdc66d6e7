//! Self-description of a server: `serverInfo` (the `Implementation` type of the specification).

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};

use crate::{
    catalog::judge_icons,
    icons::{self, Icons},
    members::{members, string},
};

/// Self-description of a server. Self-reported: never a basis for behaviour or trust. Missing or damaged
/// members hide no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// Programmatic name. Required, but missing from some servers.
    pub name: Option<String>,
    /// Version text. Required as well.
    pub version: Option<String>,
    /// Display name (2025-06-18 on).
    pub title: Option<String>,
    /// One sentence (2025-11-25 on).
    pub description: Option<String>,
    /// Home page (2025-11-25 on). Shown as text, opened only on request.
    pub website_url: Option<String>,
    /// Icons (2025-11-25 on).
    pub icons: Icons,
}

/// Reads `serverInfo`; `None` if it is not an object. All members that are missing or of another type are one finding.
pub(crate) fn read(raw: &RawValue, findings: &mut Vec<Finding>) -> Option<ServerInfo> {
    let mut bad = |problem: String| {
        findings.push(Finding::new(&rules::BAD_SERVER_INFO).with("problem", problem));
    };
    let names = [
        "name",
        "version",
        "title",
        "description",
        "websiteUrl",
        "icons",
    ];
    let Ok(read) = members(raw.get(), &names) else {
        bad("it is not an object".to_owned());
        return None;
    };
    let [name, version, title, description, website_url, icons] = read.values;
    let mut problems = Vec::new();
    let mut text = |raw: Option<&RawValue>, member: &str, required: bool| {
        let text = raw.and_then(string);
        match raw {
            Some(_) if text.is_none() => problems.push(format!("`{member}` is not a string")),
            None if required => problems.push(format!("`{member}` is missing")),
            _ => {}
        }
        text
    };
    let mut info = ServerInfo {
        name: text(name, "name", true),
        version: text(version, "version", true),
        title: text(title, "title", false),
        description: text(description, "description", false),
        website_url: text(website_url, "websiteUrl", false),
        icons: Icons::default(),
    };
    info.icons = icons::read(icons);
    if !problems.is_empty() {
        bad(problems.join(", "));
    }
    findings.extend(judge(&info, icons));
    Some(info)
}

/// Checks the members that are present.
fn judge(info: &ServerInfo, icons: Option<&RawValue>) -> Vec<Finding> {
    let mut found = Findings::default();
    for (member, text) in [("name", &info.name), ("version", &info.version)] {
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
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

    fn info(text: &str) -> (Option<ServerInfo>, Vec<String>) {
        let mut findings = Vec::new();
        let info = read(
            &RawValue::from_string(text.to_owned()).unwrap(),
            &mut findings,
        );
        let said = findings.iter().map(|finding| finding.message().to_string());
        (info, said.collect())
    }

    #[test]
    fn everything_that_is_said_is_read() {
        let (info, found) = info(
            r#"{"name":"s","version":"1","title":"S","description":"d","websiteUrl":"https://example.org","icons":[{"src":"https://example.org/i.png"}]}"#,
        );
        let info = info.unwrap();
        assert_eq!(info.name.as_deref(), Some("s"));
        assert_eq!(info.website_url.as_deref(), Some("https://example.org"));
        assert_eq!(info.icons.first[0].src, "https://example.org/i.png");
        assert!(found.is_empty());
    }

    #[test]
    fn a_name_that_is_missing_hides_nothing_else() {
        let (read, found) = info(r#"{"version":"1","title":7,"description":"d","icons":3}"#);
        let read = read.unwrap();
        assert_eq!((read.name, read.title), (None, None));
        assert_eq!(read.version.as_deref(), Some("1"));
        assert_eq!(read.description.as_deref(), Some("d"));
        assert_eq!(
            found,
            [
                "The server's description of itself cannot be read in full: `name` is missing, `title` is not a string.",
                "`icons` is not an array."
            ]
        );
        // A name that is empty is one.
        assert_eq!(
            info(r#"{"name":"","version":""}"#).0.unwrap().name,
            Some(String::new())
        );
        assert!(info("[]").0.is_none());
    }

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
        ] {
            let info = RawValue::from_string(info.to_owned()).unwrap();
            let mut found = Vec::new();
            assert!(read(&info, &mut found).is_some());
            let found: Vec<_> = found.iter().map(Finding::id).collect();
            assert_eq!(found, expected, "{info}");
        }
    }
}

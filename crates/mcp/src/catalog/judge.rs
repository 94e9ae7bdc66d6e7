//! Checks of an item beyond those made while reading it, by the protocol version of the session.

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, Location, rules};

use super::{
    annotations,
    item::{CatalogItem, ItemDetail, Tool},
    reading::NAME_RULES,
    schema,
};
use crate::{
    Era, Revision,
    limits::NAMES,
    members::{elements, member, members, string},
    protocol::stateless::param_headers,
    text::{brief, names_secret},
    trust,
};

/// The longest name that a tool should have, in characters (tools, Tool Names).
const TOOL_NAME: usize = 128;

/// Checks an item and removes the findings that do not apply to this protocol version.
pub(super) fn judge(item: &mut CatalogItem, revision: Revision) {
    let mut found = Findings::default();
    match &item.detail {
        ItemDetail::Tool(tool) => judge_tool(item, tool, revision, &mut found),
        ItemDetail::Resource { annotations, .. } => {
            judge_uri(&item.key, &mut found);
            annotations::judge(annotations, &mut found);
        }
        ItemDetail::ResourceTemplate { annotations, .. } => {
            annotations::judge(annotations, &mut found);
        }
        ItemDetail::Skill => judge_uri(&item.key, &mut found),
        ItemDetail::Prompt { .. } => {}
    }
    // Searching the text is cheaper than parsing its members.
    if item.raw.get().contains("\"icons\"")
        && let Some(icons) = member(&*item.raw, "icons")
    {
        judge_icons(icons, &mut found);
    }
    trust::judge_item(&item.raw, item.description.as_deref(), &mut found);
    item.findings.extend(found.into_vec());
    item.findings.retain(|finding| counts(finding, revision));
}

/// Returns true if a finding applies to a protocol version.
fn counts(finding: &Finding, revision: Revision) -> bool {
    let of_output = finding.location == Location::Pointer("/outputSchema".to_owned());
    // Versions before output schemas ignore the member, and the newest version allows any type.
    let any_output = !revision.row().structured_content
        || revision.era() == Era::Stateless && finding.rule == &rules::SCHEMA_NOT_OBJECT;
    finding.rule.applies_in(revision.as_str()) && !(of_output && any_output)
}

fn judge_tool(item: &CatalogItem, tool: &Tool, revision: Revision, found: &mut Findings) {
    // A name that is missing or not a string has a finding already.
    if !item
        .findings
        .iter()
        .any(|one| NAME_RULES.contains(&one.rule))
        && let Some(problem) = name_problem(&item.name)
    {
        found.push(
            Finding::new(&rules::TOOL_NAME_FORMAT)
                .with("problem", problem)
                .in_member("name"),
        );
    }
    if item
        .description
        .as_deref()
        .is_none_or(|text| text.trim().is_empty())
    {
        found.push(Finding::new(&rules::MISSING_DESCRIPTION));
    }
    let hints = tool.annotations;
    if hints.read_only == Some(true) && hints.destructive == Some(true) {
        found.push(Finding::new(&rules::CONTRADICTING_HINTS).in_member("annotations"));
    }
    let schemas = [
        ("inputSchema", tool.input_schema.as_deref()),
        ("outputSchema", tool.output_schema.as_deref()),
    ];
    for (member, schema) in schemas {
        if let Some(schema) = schema {
            schema::judge(member, schema, found);
        }
    }
    if revision.era() == Era::Stateless
        && let Some(schema) = tool.input_schema.as_deref()
    {
        match param_headers(schema) {
            Err(reason) => {
                found.push(Finding::new(&rules::INVALID_X_MCP_HEADER).with("problem", reason));
            }
            Ok(repeated) => {
                for name in repeated.iter().filter_map(|one| one.parameter()) {
                    if names_secret(name) {
                        let secret = Finding::new(&rules::SECRET_PARAM_HEADER);
                        found.push(secret.with("name", brief(name)));
                    }
                }
            }
        }
    }
}

/// Returns the problem with a tool's name, as a predicate without its subject.
fn name_problem(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("is empty".to_owned());
    }
    let allowed = |one: char| one.is_ascii_alphanumeric() || "_-.".contains(one);
    if let Some(odd) = name.chars().find(|one| !allowed(*one)) {
        return Some(format!("contains {odd:?}"));
    }
    (name.len() > TOOL_NAME).then(|| format!("has {} characters", name.len()))
}

/// RFC 3986, section 3: a scheme, and no character that must be percent-encoded.
fn judge_uri(uri: &str, found: &mut Findings) {
    if uri.is_empty() {
        return;
    }
    let problem = match uri.split_once(':') {
        None => Some("it has no scheme".to_owned()),
        Some((scheme, _)) if !is_scheme(scheme) => Some("it has no scheme".to_owned()),
        Some((_, rest)) => rest
            .char_indices()
            .find(|(at, one)| !is_of_uri(*one) || *one == '%' && !is_encoded(&rest[*at..]))
            .map(|(_, odd)| format!("{odd:?} must be percent-encoded")),
    };
    if let Some(problem) = problem {
        found.push(
            Finding::new(&rules::INVALID_URI)
                .with("problem", problem)
                .in_member("uri"),
        );
    }
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|one: char| one.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
}

fn is_of_uri(one: char) -> bool {
    one.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(one)
}

fn is_encoded(rest: &str) -> bool {
    let digits = rest.as_bytes().get(1..3);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// The icons of an item or of a server (base protocol, Icons).
pub(crate) fn judge_icons(icons: &RawValue, found: &mut Findings) {
    let Ok(icons) = elements(icons.get(), NAMES) else {
        let bad = Finding::new(&rules::BAD_TYPE).with("member", "icons");
        return found.push(bad.with("expected", "an array").in_member("icons"));
    };
    for (place, icon) in icons.first.into_iter().enumerate() {
        let of = |rule| {
            Finding::new(rule)
                .with("number", place + 1)
                .in_member("icons")
        };
        let read = members(icon.get(), &["src", "mimeType", "sizes", "theme"]);
        let Ok([src, mime_type, sizes, theme]) = read.map(|read| read.values) else {
            found.push(of(&rules::BAD_ICON).with("problem", "it is not an object"));
            continue;
        };
        let scheme = src.and_then(string).map(|src| {
            let scheme = src.split(':').next().unwrap_or_default();
            scheme.to_ascii_lowercase()
        });
        match scheme.as_deref() {
            Some("https" | "data") => {}
            Some("http") => found.push(of(&rules::INSECURE_ICON)),
            Some(_) => {
                let problem = "its `src` is neither an https nor a data URI";
                found.push(of(&rules::BAD_ICON).with("problem", problem));
            }
            None => found.push(of(&rules::BAD_ICON).with("problem", "it has no `src`")),
        }
        if mime_type.is_some_and(|raw| string(raw).is_none()) {
            let problem = "its `mimeType` is not a string";
            found.push(of(&rules::ODD_ICON).with("problem", problem));
        }
        let is_size = |raw: &&RawValue| string(raw).is_some_and(|size| is_size(&size));
        if sizes.is_some_and(|raw| {
            !elements(raw.get(), NAMES).is_ok_and(|all| all.first.iter().all(is_size))
        }) {
            let problem = "its `sizes` are not an array of sizes";
            found.push(of(&rules::ODD_ICON).with("problem", problem));
        }
        if theme.is_some_and(|raw| !matches!(raw.get(), "\"light\"" | "\"dark\"")) {
            let problem = "its `theme` is neither `light` nor `dark`";
            found.push(of(&rules::ODD_ICON).with("problem", problem));
        }
    }
}

/// `any`, or a width and a height.
fn is_size(size: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    size == "any"
        || size
            .split_once('x')
            .is_some_and(|(width, height)| is_number(width) && is_number(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CatalogKind,
        catalog::{prompt, resource, tool},
        testing::raw,
    };

    fn codes(item: Option<CatalogItem>, revision: Revision) -> Vec<&'static str> {
        let mut item = item.unwrap();
        judge(&mut item, revision);
        item.findings.iter().map(Finding::id).collect()
    }

    /// A tool with a description and these further members.
    fn of_tool(members: &str, revision: Revision) -> Vec<&'static str> {
        let text = format!(r#"{{"description":"d","inputSchema":{{"type":"object"}},{members}}}"#);
        codes(tool::read(&raw(&text)), revision)
    }

    #[test]
    fn a_tool_is_judged_by_its_revision() {
        use Revision::{R2024Nov, R2025Jun, R2025Mar, R2025Nov, R2026Jul};
        let long = format!(r#""name":"{}" => tool-name-format"#, "x".repeat(129));
        let rows: [(Revision, &[&str]); 5] = [
            (
                R2024Nov,
                &[r#""name":"a","description":" " => repeated-member missing-description"#],
            ),
            (
                R2025Mar,
                &[
                    r#""name":"a","annotations":{"readOnlyHint":true,"destructiveHint":true} => contradicting-hints"#,
                    r#""name":"a","annotations":{"readOnlyHint":true,"destructiveHint":false} => "#,
                    r#""name":"a","annotations":{"destructiveHint":true} => "#,
                    r#""name":"a","outputSchema":{"type":"array"} => "#,
                ],
            ),
            (
                R2025Jun,
                &[r#""name":"a/b" => "#, r#""name":"a","icons":[{}] => "#],
            ),
            (
                R2025Nov,
                &[
                    r#""name":"A.b-c_1" => "#,
                    r#""name":"a b" => tool-name-format"#,
                    r#""name":"" => tool-name-format"#,
                    r#""name":7 => bad-name"#,
                    r#""name":"a","outputSchema":{"type":"array"} => schema-not-object"#,
                    r#""name":"a","icons":[{"src":"https://a/b.png","sizes":["48x48","any"],"theme":"dark"},{"src":"data:image/png;base64,AA"}] => "#,
                    r#""name":"a","icons":[{"src":"ftp://a"},{},3,{"src":"http://a"}] => bad-icon bad-icon bad-icon insecure-icon"#,
                    r#""name":"a","icons":[{"src":"https://a","sizes":"48x48"},{"src":"https://a","theme":"blue"}] => odd-icon odd-icon"#,
                    r#""name":"a","icons":7 => bad-type"#,
                ],
            ),
            (
                R2026Jul,
                &[&long, r#""name":"a","outputSchema":{"type":"array"} => "#],
            ),
        ];
        for (revision, rows) in rows {
            for row in rows {
                let (members, expected) = row.split_once(" => ").unwrap();
                let found = of_tool(members, revision).join(" ");
                assert_eq!(found, expected, "{row} {revision}");
            }
        }
    }

    #[test]
    fn parameters_that_are_repeated_as_headers_are_looked_at() {
        let of = |name: &str, revision| {
            let text = format!(
                r#"{{"name":"t","description":"d","inputSchema":{{"type":"object","properties":{{"{name}":{{"type":"string","x-mcp-header":"H"}}}}}}}}"#
            );
            codes(tool::read(&raw(&text)), revision)
        };
        for secret in [
            "password",
            "api_key",
            "accessToken",
            "token",
            "client-secret",
        ] {
            assert_eq!(
                of(secret, Revision::R2026Jul),
                ["secret-param-header"],
                "{secret}"
            );
            assert_eq!(of(secret, Revision::R2025Nov), [""; 0], "{secret}");
        }
        for plain in ["region", "tokens", "key", "passenger"] {
            assert_eq!(of(plain, Revision::R2026Jul), [""; 0], "{plain}");
        }
    }

    #[test]
    fn the_uri_of_a_resource_is_one() {
        let of = |uri: &str| {
            let text = format!(r#"{{"uri":"{uri}","name":"n"}}"#);
            codes(
                resource::read(CatalogKind::Resources, &raw(&text)),
                Revision::R2024Nov,
            )
        };
        for good in [
            "file:///a/b.txt",
            "https://a:1/b?c=d&e#f",
            "urn:isbn:1",
            "x+y.z-1://[::1]/%20a",
            "demo://resource/static/document/architecture.md",
            "a:",
        ] {
            assert_eq!(of(good), [""; 0], "{good}");
        }
        for bad in [
            "a",
            "/etc/hosts",
            "1a:b",
            "file:///a b",
            "a:%zz",
            "a:%2",
            "file:///ü",
            "a:{b}",
            "é:b",
        ] {
            assert_eq!(of(bad), ["invalid-uri"], "{bad}");
        }
    }

    #[test]
    fn prompts_and_templates_have_icons_as_well() {
        let prompt = prompt::read(&raw(r#"{"name":"p","icons":[{}]}"#));
        assert_eq!(codes(prompt, Revision::R2026Jul), ["bad-icon"]);
        let resource = raw(r#"{"uri":"a:b","name":"n","annotations":{"priority":2}}"#);
        let resource = resource::read(CatalogKind::Resources, &resource);
        assert_eq!(codes(resource, Revision::R2025Nov), ["bad-annotation"]);
        let template =
            r#"{"uriTemplate":"a:{b}","name":"n","icons":[{}],"annotations":{"priority":2}}"#;
        let template = resource::read(CatalogKind::ResourceTemplates, &raw(template));
        assert_eq!(
            codes(template, Revision::R2025Nov),
            ["bad-annotation", "bad-icon"]
        );
    }

    #[test]
    fn what_is_wrong_with_icons_without_end_is_bounded() {
        let icons = vec!["3"; 100_000].join(",");
        let found = of_tool(
            &format!(r#""name":"a","icons":[{icons}]"#),
            Revision::R2025Nov,
        );
        assert_eq!(found.len(), NAMES);
    }
}

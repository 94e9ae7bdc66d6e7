//! Reads the resource of an app (UI Resource Format).

use base64::Engine as _;
use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_mcp::{elements, members};

use super::policy::{AppDomains, source};
use crate::{limits::NAME, text::cut};

/// The only type that is shown.
const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The longest page, in bytes.
const PAGE: usize = 8 << 20;
/// Limit of a result's contents that are parsed.
const CONTENTS: usize = 100;
/// Limit of origins per kind that are parsed.
const DOMAINS: usize = 50;
/// Permissions that an app can ask for. None is granted.
const PERMISSIONS: [&str; 4] = ["camera", "microphone", "geolocation", "clipboardWrite"];

/// Resource of an app, as a server sent it.
#[derive(Debug, Default)]
pub(super) struct AppResource {
    /// The page; `None` where there is none that could be shown.
    pub(super) html: Option<String>,
    /// Place of its content in the result.
    pub(super) index: u32,
    pub(super) domains: AppDomains,
    /// Permissions that it asks for, by the names of the specification.
    pub(super) permissions: Vec<String>,
    pub(super) prefers_border: Option<bool>,
    pub(super) findings: Vec<Finding>,
    /// Reason why the page is not shown although it was read, one plain sentence.
    pub(super) refused: Option<String>,
}

/// Returns the members of these names; `null` counts as absent. `None` if the text is not an object, or has one of them
/// twice: readers differ in which of the two counts.
fn present<'a, const N: usize>(
    object: &'a str,
    names: &[&'static str; N],
) -> Option<[Option<&'a RawValue>; N]> {
    let read = members(object, names).ok()?;
    let values = read.repeated.is_none().then_some(read.values)?;
    Some(values.map(|value| value.filter(|value| value.get() != "null")))
}

/// Reads the result of `resources/read` for this URI.
pub(super) fn read(result: &str, uri: &str) -> AppResource {
    let mut app = AppResource::default();
    let nothing = |mut app: AppResource| {
        app.findings
            .push(Finding::new(&rules::APP_NO_CONTENT).with("uri", cut(uri, NAME)));
        app.refused = Some("The server gave no HTML for this app.".to_owned());
        app
    };
    let contents = present(result, &["contents"]).and_then(|[contents]| contents);
    let listed = contents.and_then(|contents| elements(contents.get(), CONTENTS).ok());
    let content = listed.and_then(|listed| {
        (0..).zip(listed.first).find_map(|(index, raw)| {
            let names = &["uri", "mimeType", "text", "blob", "_meta"];
            let [of, mime_type, text, blob, meta] = present(raw.get(), names)?;
            let is_asked = of.and_then(string).as_deref() == Some(uri);
            is_asked.then_some((index, mime_type, text, blob, meta))
        })
    });
    let Some((index, mime_type, text, blob, meta)) = content else {
        return nothing(app);
    };
    app.index = index;
    if let Some(meta) = meta {
        read_meta(meta, &mut app);
    }
    let mime_type = mime_type.and_then(string);
    let right = mime_type
        .as_deref()
        .is_some_and(|found| found.replace(' ', "").eq_ignore_ascii_case(MIME_TYPE));
    if !right {
        let found = mime_type.map_or_else(
            || "missing".to_owned(),
            |found| format!("`{}`", cut(&found, NAME)),
        );
        app.findings
            .push(Finding::new(&rules::APP_MIME_TYPE).with("found", found));
        app.refused = Some(format!(
            "Only a page of the type {MIME_TYPE} is shown as an app."
        ));
    }
    let too_large = |raw: Option<&RawValue>, most| raw.is_some_and(|raw| raw.get().len() > most);
    if too_large(text, 2 * PAGE) || too_large(blob, 2 * PAGE) {
        app.refused = Some(format!("The page is larger than {} MB.", PAGE >> 20));
        return app;
    }
    let text = text.and_then(string).or_else(|| {
        let blob = blob.and_then(string)?;
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(blob)
            .ok()?;
        String::from_utf8(bytes).ok()
    });
    let Some(html) = text else {
        return nothing(app);
    };
    if html.len() > PAGE {
        app.refused = Some(format!("The page is larger than {} MB.", PAGE >> 20));
        return app;
    }
    let begins = html.trim_start_matches('\u{feff}').trim_start();
    let doctype = begins.get(.."<!doctype html".len());
    if doctype.is_none_or(|found| !found.eq_ignore_ascii_case("<!doctype html")) {
        app.findings.push(Finding::new(&rules::APP_NOT_HTML));
    }
    if app.refused.is_none() {
        app.html = Some(html);
    }
    app
}

fn read_meta(meta: &RawValue, app: &mut AppResource) {
    let bad = |member: &str, expected: &str| {
        Finding::new(&rules::APP_BAD_META)
            .with("member", member)
            .with("expected", expected)
    };
    let Some([Some(ui)]) = present(meta.get(), &["ui"]) else {
        return;
    };
    let names = &["csp", "permissions", "prefersBorder"];
    let Some([csp, permissions, prefers_border]) = present(ui.get(), names) else {
        app.findings.push(bad("", "an object"));
        return;
    };
    if let Some(border) = prefers_border {
        match serde_json::from_str(border.get()) {
            Ok(border) => app.prefers_border = Some(border),
            Err(_) => app.findings.push(bad(".prefersBorder", "true or false")),
        }
    }
    if let Some(asked) = permissions {
        let asked: Option<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(asked.get()).ok();
        match asked {
            Some(asked) => {
                let known = PERMISSIONS.iter().filter(|one| asked.contains_key(**one));
                app.permissions = known.map(|one| (*one).to_owned()).collect();
            }
            None => app.findings.push(bad(".permissions", "an object")),
        }
    }
    let Some(csp) = csp else { return };
    let names = &[
        "connectDomains",
        "resourceDomains",
        "frameDomains",
        "baseUriDomains",
    ];
    let Some([connect, resource, frame, base_uri]) = present(csp.get(), names) else {
        app.findings.push(bad(".csp", "an object"));
        return;
    };
    let mut domains = |member: &'static str, list: Option<&RawValue>| -> Vec<String> {
        let Some(list) = list else { return Vec::new() };
        let Ok(list) = elements(list.get(), DOMAINS) else {
            app.findings
                .push(bad(&format!(".csp.{member}"), "an array"));
            return Vec::new();
        };
        let mut found = Vec::new();
        for raw in list.first {
            let declared = string(raw);
            match declared.as_deref().and_then(source) {
                Some(one) if found.contains(&one) => {}
                Some(one) => found.push(one),
                None => {
                    let written = declared.unwrap_or_else(|| raw.get().to_owned());
                    app.findings.push(
                        Finding::new(&rules::APP_CSP_SOURCE)
                            .with("member", member)
                            .with("source", cut(&written, NAME)),
                    );
                }
            }
        }
        found
    };
    app.domains = AppDomains {
        connect: domains("connectDomains", connect),
        resource: domains("resourceDomains", resource),
        frame: domains("frameDomains", frame),
        base_uri: domains("baseUriDomains", base_uri),
    };
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const URI: &str = "ui://a/b";
    const PAGE_TEXT: &str = "<!DOCTYPE html><p>x";

    fn of(content: Value) -> AppResource {
        let text = json!({ "contents": [content] }).to_string();
        read(&text, URI)
    }

    fn codes(app: &AppResource) -> Vec<&'static str> {
        app.findings.iter().map(Finding::id).collect()
    }

    #[test]
    fn a_page_of_the_right_type_is_shown() {
        let app = of(json!({ "uri": URI, "mimeType": MIME_TYPE, "text": PAGE_TEXT }));
        assert_eq!(app.html.as_deref(), Some(PAGE_TEXT));
        assert_eq!((codes(&app), app.refused), (vec![], None));
        let blob = base64::engine::general_purpose::STANDARD.encode(PAGE_TEXT);
        let app = of(json!({ "uri": URI, "mimeType": "text/html; profile=mcp-app", "blob": blob }));
        assert_eq!(app.html.as_deref(), Some(PAGE_TEXT));
    }

    #[test]
    fn what_breaks_the_specification_is_found_and_not_shown() {
        for (content, expected) in [
            (
                json!({ "uri": URI, "mimeType": "text/html", "text": PAGE_TEXT }),
                "app-mime-type",
            ),
            (json!({ "uri": URI, "text": PAGE_TEXT }), "app-mime-type"),
            (
                json!({ "uri": "ui://other", "mimeType": MIME_TYPE, "text": PAGE_TEXT }),
                "app-no-content",
            ),
            (
                json!({ "uri": URI, "mimeType": MIME_TYPE }),
                "app-no-content",
            ),
            (
                json!({ "uri": URI, "mimeType": MIME_TYPE, "blob": "%" }),
                "app-no-content",
            ),
            (
                json!({ "uri": URI, "mimeType": MIME_TYPE, "text": 7 }),
                "app-no-content",
            ),
            (json!(7), "app-no-content"),
        ] {
            let app = of(content.clone());
            assert_eq!(codes(&app), [expected], "{content}");
            assert!(app.html.is_none() && app.refused.is_some(), "{content}");
        }
        let app = of(json!({ "uri": URI, "mimeType": MIME_TYPE, "text": "<p>x" }));
        assert_eq!(codes(&app), ["app-not-html"]);
        assert!(app.html.is_some(), "a warning hides nothing");
    }

    #[test]
    fn a_page_behind_other_contents_has_its_place() {
        let page = json!({ "uri": URI, "mimeType": MIME_TYPE, "text": PAGE_TEXT });
        let other = json!({ "uri": "ui://other", "text": "x" });
        let text = json!({ "contents": [7, other, page] }).to_string();
        let app = read(&text, URI);
        assert_eq!((app.html.as_deref(), app.index), (Some(PAGE_TEXT), 2));
    }

    #[test]
    fn of_a_page_that_is_given_twice_neither_is_shown() {
        let content = json!({ "uri": URI, "mimeType": MIME_TYPE, "text": PAGE_TEXT }).to_string();
        let twice = content.replacen('{', r#"{"text":"<p>y","#, 1);
        let app = read(&format!(r#"{{"contents":[{twice}]}}"#), URI);
        assert_eq!((codes(&app), app.html), (vec!["app-no-content"], None));
    }

    #[test]
    fn a_page_above_the_limit_is_refused() {
        let text = "x".repeat(PAGE + 1);
        let app = of(json!({ "uri": URI, "mimeType": MIME_TYPE, "text": text }));
        assert!(app.html.is_none() && app.refused.is_some());
    }

    #[test]
    fn what_it_declares_is_read_as_far_as_it_is_sound() {
        let app = of(json!({
            "uri": URI, "mimeType": MIME_TYPE, "text": PAGE_TEXT,
            "_meta": { "ui": {
                "csp": {
                    "connectDomains": ["https://a.example", "https://a.example/", "*", 7],
                    "resourceDomains": "https://b.example",
                },
                "permissions": { "camera": {}, "teleport": {} },
                "prefersBorder": "yes",
            } },
        }));
        assert_eq!(app.domains.connect, ["https://a.example"]);
        assert_eq!(app.permissions, ["camera"]);
        assert_eq!(
            codes(&app),
            [
                "app-bad-meta",
                "app-csp-source",
                "app-csp-source",
                "app-bad-meta"
            ]
        );
        assert!(app.html.is_some());
    }
}

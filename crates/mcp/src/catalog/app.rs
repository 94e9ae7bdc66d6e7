//! Reader of a tool's app metadata (extension `io.modelcontextprotocol/ui`, Resource Discovery).

use serde_json::value::RawValue;
use sonde_findings::{Finding, Location, rules};

use super::item::ToolApp;
use crate::{
    limits::NAMES,
    members::{elements, members, string},
};

/// Reads `_meta.ui` of a tool, and the key that stood for it before.
pub(super) fn read(meta: Option<&RawValue>, findings: &mut Vec<Finding>) -> ToolApp {
    let mut app = ToolApp::default();
    let read = meta.and_then(|meta| members(meta.get(), &["ui", "ui/resourceUri"]).ok());
    let Some([ui, flat]) = read.map(|read| read.values) else {
        return app;
    };
    if let Some(ui) = ui {
        match members(ui.get(), &["resourceUri", "visibility"]) {
            Ok(read) => {
                let [uri, visibility] = read.values;
                app.resource_uri =
                    uri.and_then(|uri| app_uri(uri, "/_meta/ui/resourceUri", findings));
                if let Some(list) = visibility {
                    (app.for_model, app.for_app) = visible_to(list, findings);
                }
            }
            Err(_) => findings.push(
                Finding::new(&rules::APP_BAD_META)
                    .with("member", "")
                    .with("expected", "an object")
                    .at(Location::Pointer("/_meta/ui".to_owned())),
            ),
        }
    }
    // Together with the new key, the old one is harmless: the SDK of the extension writes both, for older hosts.
    let is_same = flat
        .and_then(string)
        .is_some_and(|uri| app.resource_uri.as_ref() == Some(&uri));
    if let Some(flat) = flat.filter(|_| !is_same) {
        findings.push(
            Finding::new(&rules::APP_FLAT_URI)
                .at(Location::Pointer("/_meta/ui~1resourceUri".to_owned())),
        );
        if app.resource_uri.is_none() {
            app.resource_uri = app_uri(flat, "/_meta/ui~1resourceUri", findings);
        }
    }
    app
}

fn app_uri(raw: &RawValue, place: &str, findings: &mut Vec<Finding>) -> Option<String> {
    let uri = string(raw).filter(|uri| uri.starts_with("ui://"));
    if uri.is_none() {
        findings.push(Finding::new(&rules::APP_URI).at(Location::Pointer(place.to_owned())));
    }
    uri
}

/// Reads `visibility` as two flags: models may call the tool, apps may. An unreadable list grants nothing.
fn visible_to(list: &RawValue, findings: &mut Vec<Finding>) -> (bool, bool) {
    let (mut model, mut app) = (false, false);
    let mut odd = true;
    if let Ok(read) = elements(list.get(), NAMES) {
        odd = false;
        for one in read.first {
            match string(one).as_deref() {
                Some("model") => model = true,
                Some("app") => app = true,
                _ => odd = true,
            }
        }
    }
    if odd {
        findings.push(
            Finding::new(&rules::APP_VISIBILITY)
                .at(Location::Pointer("/_meta/ui/visibility".to_owned())),
        );
    }
    (model, app)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(meta: &str) -> (ToolApp, Vec<&'static str>) {
        let raw = RawValue::from_string(meta.to_owned()).unwrap();
        let mut findings = Vec::new();
        let app = read(Some(&raw), &mut findings);
        (app, findings.iter().map(Finding::id).collect())
    }

    #[test]
    fn a_tool_names_its_app_and_who_may_call_it() {
        // Rows: `_meta` => address, audience (a model, an app), findings.
        for row in [
            "{} => - model app",
            r#"{"ui":{"resourceUri":"ui://a/b"}} => ui://a/b model app"#,
            r#"{"ui":{"visibility":["app"]}} => - app"#,
            r#"{"ui":{"visibility":["model"]}} => - model"#,
            r#"{"ui":{"visibility":[]}} => -"#,
            r#"{"ui":{"visibility":"app"}} => - app-visibility"#,
            r#"{"ui":{"visibility":["app","all"]}} => - app app-visibility"#,
            r#"{"ui":{"resourceUri":"https://a.example/"}} => - model app app-uri"#,
            r#"{"ui":{"resourceUri":7}} => - model app app-uri"#,
            r#"{"ui":[]} => - model app app-bad-meta"#,
            r#"{"ui/resourceUri":"ui://old"} => ui://old model app app-flat-uri"#,
            r#"{"ui/resourceUri":"ui://a","ui":{"resourceUri":"ui://a"}} => ui://a model app"#,
            r#"{"ui/resourceUri":"ui://old","ui":{"resourceUri":"ui://new"}} => ui://new model app app-flat-uri"#,
        ] {
            let (meta, expected) = row.split_once(" => ").unwrap();
            let (app, codes) = of(meta);
            let uri = app.resource_uri.as_deref().unwrap_or("-");
            let whom = [(app.for_model, "model"), (app.for_app, "app")];
            let whom = whom.iter().filter(|one| one.0).map(|one| one.1);
            let found: Vec<_> = [uri].into_iter().chain(whom).chain(codes).collect();
            assert_eq!(found.join(" "), expected, "{meta}");
        }
    }
}

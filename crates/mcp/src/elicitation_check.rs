//! Checks of a form that a server asks for (elicitation, Requested Schema), and of the address that it
//! sends its user to (elicitation, Safe URL Handling).

use serde_json::{Value, value::RawValue};
use sonde_findings::{Finding, Findings, rules};

use crate::{
    Row,
    limits::NAMES,
    members::{elements, entries, members, string},
    text::{brief, names_secret},
};

/// The formats of a text.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// Checks the `params` of a form.
pub(crate) fn check_form(row: &Row, params: &RawValue, found: &mut Findings) {
    let Ok([message, schema]) =
        members(params.get(), &["message", "requestedSchema"]).map(|read| read.values)
    else {
        return;
    };
    address_in(message, "message", found);
    let bad = |problem: String| Finding::new(&rules::BAD_FORM).with("problem", problem);
    let read = schema.and_then(|raw| members(raw.get(), &["type", "properties"]).ok());
    let Some([kind, properties]) = read.map(|read| read.values) else {
        return found.push(bad("it has no `requestedSchema`".to_owned()));
    };
    if kind.and_then(string).as_deref() != Some("object") {
        found.push(bad("its schema is not of the type `object`".to_owned()));
    }
    let Some(properties) = properties.and_then(|raw| entries(raw.get(), NAMES)) else {
        return found.push(bad("its schema has no `properties`".to_owned()));
    };
    for (name, property) in properties {
        if let Some(problem) = field_problem(row, property) {
            found.push(bad(format!("the field `{}` {problem}", brief(&name))));
        } else if has_bad_default(property) {
            found.push(Finding::new(&rules::BAD_FORM_DEFAULT).with("name", brief(&name)));
        }
        if names_secret(&name) {
            found.push(Finding::new(&rules::SECRET_IN_FORM).with("name", brief(&name)));
        }
        if let Ok(read) = members(property.get(), &["title", "description"]) {
            let [title, description] = read.values;
            address_in(title, "title of a field", found);
            address_in(description, "description of a field", found);
        }
    }
}

/// Records a finding for an address in a text of the form.
fn address_in(text: Option<&RawValue>, member: &str, found: &mut Findings) {
    let text = text.and_then(string).unwrap_or_default();
    let begins = ["https://", "http://"];
    let Some(at) = begins.iter().filter_map(|begin| text.find(begin)).min() else {
        return;
    };
    let url = text[at..].split_whitespace().next().unwrap_or_default();
    found.push(
        Finding::new(&rules::URL_IN_FORM)
            .with("member", member)
            .with("url", brief(url)),
    );
}

/// Returns the reason why a field cannot be shown, as a predicate to follow the field's name.
fn field_problem(row: &Row, property: &RawValue) -> Option<String> {
    let Ok(read) = members(
        property.get(),
        &["type", "format", "enum", "oneOf", "items"],
    ) else {
        return Some("is not an object".to_owned());
    };
    let [kind, format, choices, titled, items] = read.values;
    let is_empty = |list: Option<&RawValue>| {
        list.is_some_and(|raw| elements(raw.get(), 1).is_ok_and(|list| list.count == 0))
    };
    if is_empty(choices) || is_empty(titled) {
        return Some("has no choices".to_owned());
    }
    let kind = kind.map(|raw| string(raw).unwrap_or_else(|| brief(raw.get())));
    match kind.as_deref() {
        None => Some("has no `type`".to_owned()),
        Some("string") => {
            let format = format.and_then(string)?;
            let known = FORMATS.contains(&format.as_str());
            (!known).then(|| format!("has the unknown format `{}`", brief(&format)))
        }
        Some("number" | "integer" | "boolean") => None,
        // Several choices came together with addresses.
        Some("array") if row.elicitation_urls => {
            let read = items.and_then(|raw| members(raw.get(), &["enum", "anyOf"]).ok());
            let chosen = read.is_some_and(|read| read.values.iter().any(Option::is_some));
            (!chosen).then(|| "is an array of something else than choices".to_owned())
        }
        Some(other) => Some(format!("is of the type `{}`", brief(other))),
    }
}

/// Returns true if a field's default is none of its values. The form itself checks lengths and limits.
fn has_bad_default(property: &RawValue) -> bool {
    let Ok(Value::Object(property)) = serde_json::from_str(property.get()) else {
        return false;
    };
    let Some(default) = property.get("default") else {
        return false;
    };
    let fits = match property.get("type").and_then(Value::as_str) {
        Some("string") => default.is_string(),
        Some("boolean") => default.is_boolean(),
        Some("number") => default.is_number(),
        Some("integer") => default.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("array") => default.is_array(),
        _ => true,
    };
    let choices = property.get("enum").and_then(Value::as_array);
    !fits || choices.is_some_and(|choices| !choices.contains(default))
}

/// Checks the authority of an address.
pub(crate) fn check_authority(url: &str, found: &mut Findings) {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => {
            found.push(Finding::new(&rules::CREDENTIALS_IN_URL));
            host
        }
        None => authority,
    };
    let imitates = |label: &str| label.to_ascii_lowercase().starts_with("xn--");
    if !host.is_ascii() || host.split('.').any(imitates) {
        found.push(Finding::new(&rules::PUNYCODE_HOST).with("host", brief(host)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Revision;

    fn of(revision: Revision, params: &str) -> Vec<&'static str> {
        let params = RawValue::from_string(params.to_owned()).unwrap();
        let mut found = Findings::default();
        check_form(revision.row(), &params, &mut found);
        found.into_vec().iter().map(Finding::id).collect()
    }

    /// A form with one field.
    fn field(revision: Revision, name: &str, field: &str) -> Vec<&'static str> {
        of(
            revision,
            &format!(
                r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{"{name}":{field}}}}}}}"#
            ),
        )
    }

    #[test]
    fn forms_are_flat_and_simple() {
        for good in [
            r#"{"type":"string","format":"email","minLength":1,"default":"a@b"}"#,
            r#"{"type":"number","default":1.5}"#,
            r#"{"type":"integer","default":2}"#,
            r#"{"type":"boolean","default":true}"#,
            r#"{"type":"string","enum":["a","b"],"enumNames":["A","B"],"default":"b"}"#,
            r#"{"type":"string","oneOf":[{"const":"a","title":"A"}]}"#,
            r#"{"type":"array","items":{"type":"string","enum":["a"]},"default":["a"]}"#,
            r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#,
        ] {
            assert_eq!(field(Revision::R2025Nov, "a", good), [""; 0], "{good}");
        }
        for bad in [
            r#"{"type":"object","properties":{}}"#,
            r#"{"type":"array","items":{"type":"object"}}"#,
            r#"{"type":"string","format":"ipv4"}"#,
            r#"{"type":"string","enum":[]}"#,
            r#"{"type":["string","null"]}"#,
            "{}",
            "3",
        ] {
            assert_eq!(field(Revision::R2025Nov, "a", bad), ["bad-form"], "{bad}");
        }
        let several = r#"{"type":"array","items":{"type":"string","enum":["a"]}}"#;
        assert_eq!(field(Revision::R2025Jun, "a", several), ["bad-form"]);
        for bad in [
            r#"{"message":"m"}"#,
            r#"{"message":"m","requestedSchema":{"type":"object"}}"#,
            r#"{"message":"m","requestedSchema":{"type":"array","properties":{}}}"#,
        ] {
            assert_eq!(of(Revision::R2025Nov, bad), ["bad-form"], "{bad}");
        }
    }

    #[test]
    fn defaults_are_values_of_their_fields() {
        for bad in [
            r#"{"type":"string","default":1}"#,
            r#"{"type":"integer","default":1.5}"#,
            r#"{"type":"boolean","default":"yes"}"#,
            r#"{"type":"string","enum":["a"],"default":"b"}"#,
        ] {
            assert_eq!(
                field(Revision::R2025Nov, "a", bad),
                ["bad-form-default"],
                "{bad}"
            );
        }
    }

    #[test]
    fn secrets_and_addresses_do_not_belong_into_forms() {
        let text = r#"{"type":"string"}"#;
        for secret in ["password", "API key", "credit_card", "cardNumber"] {
            assert_eq!(
                field(Revision::R2025Nov, secret, text),
                ["secret-in-form"],
                "{secret}"
            );
        }
        for plain in ["name", "key", "postcard", "passport"] {
            assert_eq!(field(Revision::R2025Nov, plain, text), [""; 0], "{plain}");
        }
        let linked = r#"{"type":"string","description":"see https://a/b for more"}"#;
        assert_eq!(field(Revision::R2025Nov, "a", linked), ["url-in-form"]);
        let message =
            r#"{"message":"Go to http://a","requestedSchema":{"type":"object","properties":{}}}"#;
        assert_eq!(of(Revision::R2025Nov, message), ["url-in-form"]);
    }

    #[test]
    fn addresses_show_where_they_lead() {
        let of = |url| {
            let mut found = Findings::default();
            check_authority(url, &mut found);
            found.into_vec().iter().map(Finding::id).collect::<Vec<_>>()
        };
        assert_eq!(of("https://example.com/a@b?c=d@e"), [""; 0]);
        assert_eq!(of("https://user:pw@example.com"), ["credentials-in-url"]);
        assert_eq!(of("https://www.xn--e1afmkfd.com/"), ["punycode-host"]);
        assert_eq!(of("https://аpple.com"), ["punycode-host"]);
    }
}

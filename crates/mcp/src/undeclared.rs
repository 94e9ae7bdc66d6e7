//! Check that the client declared the capability which a request of the server needs.

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use crate::{ClientCapabilities, Row, members::members, server_request_check::Mode};

/// A need of a server's request that the client did not declare.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Undeclared {
    /// The capability or the part of one, in words; `None` for a method without a capability.
    pub(crate) capability: Option<&'static str>,
    /// Message of the error that refuses the request; `None` if the client does not have the method.
    pub(crate) refusal: Option<&'static str>,
}

/// Returns the undeclared need of a server's request; `None` when everything was declared.
pub(crate) fn undeclared(
    row: &Row,
    declared: &ClientCapabilities,
    method: &str,
    params: Option<&RawValue>,
) -> Option<Undeclared> {
    let no_method = |capability| Undeclared {
        capability,
        refusal: None,
    };
    let no_part = |capability, refusal| Undeclared {
        capability: Some(capability),
        refusal: Some(refusal),
    };
    match method {
        "elicitation/create" => {
            let modes = declared.elicitation.unwrap_or_default();
            let forms = row.elicitation && declared.elicitation.is_some() && modes.takes_forms();
            let urls = modes.url && row.elicitation_urls;
            // "Clients MUST return an error with -32602 if the mode was not declared" (elicitation,
            // Error Handling). Without a mode it is a form.
            let only = match (forms, urls) {
                (false, false) => return Some(no_method(Some("`elicitation`"))),
                (true, true) => "This client supports form and URL mode only.",
                (true, false) => "This client supports form mode only.",
                (false, true) => "This client supports URL mode only.",
            };
            match Mode::of(params) {
                Mode::Form => (!forms).then(|| no_part("`elicitation.form`", only)),
                Mode::Url => (!urls).then(|| no_part("`elicitation.url`", only)),
                Mode::Other => Some(no_part("this mode of `elicitation`", only)),
            }
        }
        "sampling/createMessage" => match declared.sampling {
            None => Some(no_method(Some("`sampling`"))),
            // "The client MUST return an error if this field is provided but `sampling.tools` is not
            // declared" (schema, CreateMessageRequestParams).
            Some(parts) if row.sampling_tools && !parts.tools && has_tools(params) => {
                Some(no_part(
                    "`sampling.tools`",
                    "This client does not support tools in sampling.",
                ))
            }
            Some(_) => None,
        },
        "roots/list" => declared.roots.is_none().then(|| no_method(Some("`roots`"))),
        "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel" if row.tasks => {
            (!declared.takes_tasks(row)).then(|| no_method(Some("`tasks`")))
        }
        _ => Some(no_method(None)),
    }
}

/// "Both parties MUST […] Only use capabilities that were successfully negotiated" (lifecycle, Operation).
pub(crate) fn not_declared(method: &str, capability: &str) -> Finding {
    Finding::new(&rules::UNDECLARED_CAPABILITY)
        .with("method", method)
        .with("capability", capability)
}

fn has_tools(params: Option<&RawValue>) -> bool {
    params
        .and_then(|raw| members(raw.get(), &["tools", "toolChoice"]).ok())
        .is_some_and(|read| {
            read.values
                .into_iter()
                .flatten()
                .any(|raw| raw.get() != "null")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElicitationCapability, Revision, RootsCapability, SamplingCapability};

    #[test]
    fn each_request_needs_its_capability() {
        let missing = |revision: Revision, declared: &ClientCapabilities, method, params: &str| {
            let params = RawValue::from_string(params.to_owned()).unwrap();
            undeclared(revision.row(), declared, method, Some(&params))
        };
        let none = ClientCapabilities::default();
        let newest = Revision::NEWEST_HANDSHAKE;
        for (method, capability) in [
            ("elicitation/create", Some("`elicitation`")),
            ("sampling/createMessage", Some("`sampling`")),
            ("roots/list", Some("`roots`")),
            ("tasks/get", Some("`tasks`")),
            ("tasks/other", None),
        ] {
            let found = missing(newest, &none, method, "{}").unwrap();
            assert_eq!((found.capability, found.refusal), (capability, None));
        }
        // What is declared in part: forms, addresses, and tools.
        let some = |parts: &str| ClientCapabilities {
            elicitation: Some(ElicitationCapability {
                form: parts.contains('f'),
                url: parts.contains('u'),
            }),
            sampling: Some(SamplingCapability {
                context: false,
                tools: parts.contains('t'),
            }),
            roots: Some(RootsCapability::default()),
            tasks: false,
            request_tasks: false,
            extensions: Vec::new(),
        };
        let [elicit, sample] = ["elicitation/create", "sampling/createMessage"];
        let [form, url, other] = [r"{}", r#"{"mode":"url"}"#, r#"{"mode":"voice"}"#];
        let tools = r#"{"tools":[]}"#;
        let (old, without) = (Revision::R2025Jun, Revision::NEWEST_STATELESS);
        let null = r#"{"tools":null}"#;
        for (revision, declared, method, params, expected) in [
            (newest, "f", elicit, form, None),
            // An empty object means forms.
            (newest, "", elicit, form, None),
            (newest, "", elicit, url, Some("form mode")),
            (newest, "u", elicit, form, Some("URL mode")),
            (newest, "u", elicit, url, None),
            (newest, "fu", elicit, other, Some("form and URL mode")),
            (old, "fu", elicit, url, Some("form mode")),
            (newest, "fut", sample, tools, None),
            (newest, "fu", sample, tools, Some("tools")),
            (newest, "fu", sample, null, None),
            (without, "fu", sample, tools, Some("tools")),
            (old, "fu", sample, tools, None),
            (newest, "fut", "roots/list", "{}", None),
        ] {
            let declared = some(declared);
            let refusal = missing(revision, &declared, method, params).and_then(|it| it.refusal);
            assert_eq!(
                refusal.is_some(),
                expected.is_some(),
                "{method} {params} {declared:?}"
            );
            assert!(
                refusal
                    .unwrap_or_default()
                    .contains(expected.unwrap_or_default())
            );
        }
        // Tasks are there for what can be asked for, where the version has them.
        let tasks = ClientCapabilities {
            request_tasks: true,
            ..some("f")
        };
        assert_eq!(missing(newest, &tasks, "tasks/get", "{}"), None);
        assert!(missing(old, &tasks, "tasks/get", "{}").is_some());
        let nothing = ClientCapabilities {
            request_tasks: true,
            ..ClientCapabilities::default()
        };
        assert!(missing(newest, &nothing, "tasks/get", "{}").is_some());
        // Where the version has no addresses, nothing of it was declared.
        let found = missing(old, &some("u"), elicit, form).unwrap();
        assert_eq!(
            (found.capability, found.refusal),
            (Some("`elicitation`"), None)
        );
    }
}

//! `initialize` and its answer (lifecycle, Initialization).

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use crate::{
    ClientCapabilities, Implementation, OpenFailure, Revision,
    limits::NAMES,
    members::{elements, member, members, string},
    protocol::Introduction,
};

/// Returns the request that offers this version.
pub(crate) fn initialize(
    id: u64,
    offer: Revision,
    client: &Implementation,
    capabilities: &ClientCapabilities,
) -> String {
    let params = declaration(offer, client, capabilities);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{params}}}"#)
}

/// Returns its `params`, without members and capabilities that the offered version does not have.
pub(crate) fn declaration(
    offer: Revision,
    client: &Implementation,
    capabilities: &ClientCapabilities,
) -> String {
    let row = offer.row();
    let mut client = client.clone();
    if !row.titles {
        client.title = None;
    }
    if !row.implementation_details {
        client.description = None;
        client.website_url = None;
    }
    // Serializing a struct of strings does not fail; if it did, the server would report the empty object.
    let client = serde_json::to_string(&client).unwrap_or_else(|_| "{}".to_owned());
    let capabilities = declared_to(offer, capabilities);
    format!(
        r#"{{"protocolVersion":"{offer}","capabilities":{capabilities},"clientInfo":{client}}}"#
    )
}

/// The `capabilities` object. Extensions are declared in every revision: capability objects are open.
fn declared_to(offer: Revision, declared: &ClientCapabilities) -> String {
    let row = offer.row();
    let mut parts = Vec::new();
    if let Some(modes) = declared.elicitation {
        if row.elicitation_urls {
            let modes = crate::protocol::parts(&[("form", modes.form), ("url", modes.url)]);
            parts.push(format!(r#""elicitation":{modes}"#));
        } else if row.elicitation && modes.takes_forms() {
            // An empty object means forms (elicitation, Capabilities).
            parts.push(r#""elicitation":{}"#.to_owned());
        }
    }
    if let Some(sampling) = declared.sampling {
        // `context` and `tools` were added in the same version.
        let known = row.sampling_tools;
        let parts_of_it = crate::protocol::parts(&[
            ("context", known && sampling.context),
            ("tools", known && sampling.tools),
        ]);
        parts.push(format!(r#""sampling":{parts_of_it}"#));
    }
    match &declared.roots {
        Some(roots) if roots.list_changed => {
            parts.push(r#""roots":{"listChanged":true}"#.to_owned());
        }
        Some(_) => parts.push(r#""roots":{}"#.to_owned()),
        None => {}
    }
    if declared.takes_tasks(row) {
        let requests: Vec<&str> = [
            (
                "sampling/createMessage",
                r#""sampling":{"createMessage":{}}"#,
            ),
            ("elicitation/create", r#""elicitation":{"create":{}}"#),
        ]
        .into_iter()
        .filter_map(|(method, part)| declared.takes_task(row, method).then_some(part))
        .collect();
        parts.push(format!(
            r#""tasks":{{"list":{{}},"cancel":{{}},"requests":{{{}}}}}"#,
            requests.join(",")
        ));
    }
    if !declared.extensions.is_empty() {
        parts.push(format!(
            r#""extensions":{}"#,
            crate::protocol::extensions(&declared.extensions)
        ));
    }
    format!("{{{}}}", parts.join(","))
}

/// Reads the result of `initialize`. Only the protocol version is indispensable; everything else that is
/// missing or odd becomes a finding.
pub(crate) fn accept(result: &RawValue) -> Result<(Revision, Introduction), OpenFailure> {
    let bad_shape = |problem: &str| OpenFailure::BadShape {
        problem: problem.to_owned(),
    };
    let read = members(
        result.get(),
        &[
            "protocolVersion",
            "capabilities",
            "serverInfo",
            "instructions",
            "_meta",
        ],
    )
    .map_err(|_| bad_shape("the result of `initialize` is not an object"))?;
    let [answered, capabilities, info, instructions, meta] = read.values;
    let answered =
        answered.ok_or_else(|| bad_shape("the result of `initialize` has no `protocolVersion`"))?;
    let answered = string(answered).ok_or_else(|| {
        bad_shape("`protocolVersion` in the result of `initialize` is not a string")
    })?;
    let Some(revision) = Revision::parse_handshake(&answered) else {
        return Err(OpenFailure::UnknownRevision { answered });
    };

    let mut introduction = Introduction::read([capabilities, info, instructions, meta]);
    if info.is_none() {
        let missing = Finding::new(&rules::BAD_SERVER_INFO);
        introduction
            .findings
            .push(missing.with("problem", "`serverInfo` is missing"));
    }
    Ok((revision, introduction))
}

impl OpenFailure {
    /// Returns the version that a fresh connection should offer after this failure: the newest one that the server
    /// named in `error.data.supported` (lifecycle, Error Handling). `None` if Sonde speaks none of them, or for other
    /// failures.
    #[must_use]
    pub fn other_offer(&self) -> Option<Revision> {
        let OpenFailure::Rejected {
            code: -32602,
            data: Some(data),
            ..
        } = self
        else {
            return None;
        };
        let supported = member(&**data, "supported")?;
        elements(supported.get(), NAMES)
            .ok()?
            .first
            .into_iter()
            .filter_map(|name| Revision::parse_handshake(&string(name)?))
            .max()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        ElicitationCapability, NextAttempt, RootsCapability, SamplingCapability, testing::raw,
    };

    fn client() -> Implementation {
        Implementation {
            name: "sonde".into(),
            version: "1".into(),
            title: Some("Sonde".into()),
            description: Some("d".into()),
            website_url: Some("https://example.org".into()),
        }
    }

    #[test]
    fn the_client_introduces_itself_with_what_the_offer_knows() {
        let members = Revision::HANDSHAKE.map(|offer| {
            let value: serde_json::Value = serde_json::from_str(&initialize(
                1,
                offer,
                &client(),
                &ClientCapabilities::default(),
            ))
            .unwrap();
            assert_eq!(value["params"]["protocolVersion"], offer.as_str());
            assert_eq!(value["params"]["capabilities"].to_string(), "{}");
            value["params"]["clientInfo"].as_object().unwrap().len()
        });
        assert_eq!(members, [2, 2, 3, 5]);
    }

    #[test]
    fn each_offer_declares_what_its_revision_knows() {
        let [first, _, third, fourth] = Revision::HANDSHAKE;
        let mode = |form, url| ElicitationCapability { form, url };
        let all = ElicitationCapability::ALL;
        let sampling = |context, tools| SamplingCapability { context, tools };
        let (tools, context) = (sampling(false, true), sampling(true, false));
        for (offer, elicitation, sampling, expected) in [
            (first, all, tools, r#"{"sampling":{}}"#),
            (third, all, tools, r#"{"elicitation":{},"sampling":{}}"#),
            (
                fourth,
                all,
                tools,
                r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}"#,
            ),
            // Each part by itself.
            (
                fourth,
                mode(true, false),
                context,
                r#"{"elicitation":{"form":{}},"sampling":{"context":{}}}"#,
            ),
            (
                fourth,
                mode(false, true),
                sampling(false, false),
                r#"{"elicitation":{"url":{}},"sampling":{}}"#,
            ),
            // Where there is no such mode, nothing is left of the capability.
            (third, mode(false, true), context, r#"{"sampling":{}}"#),
            (
                fourth,
                mode(false, false),
                context,
                r#"{"elicitation":{},"sampling":{"context":{}}}"#,
            ),
        ] {
            let capabilities = ClientCapabilities {
                elicitation: Some(elicitation),
                sampling: Some(sampling),
                ..ClientCapabilities::default()
            };
            assert_eq!(declared_to(offer, &capabilities), expected, "{offer}");
        }
    }

    #[test]
    fn roots_are_declared_with_or_without_their_changes() {
        for (list_changed, expected) in [
            (true, r#"{"roots":{"listChanged":true}}"#),
            (false, r#"{"roots":{}}"#),
        ] {
            let capabilities = ClientCapabilities {
                roots: Some(RootsCapability {
                    list: Vec::new(),
                    list_changed,
                }),
                ..ClientCapabilities::default()
            };
            for offer in Revision::HANDSHAKE {
                assert_eq!(declared_to(offer, &capabilities), expected);
            }
        }
    }

    #[test]
    fn tasks_are_declared_for_what_can_be_asked_for() {
        let [.., third, fourth] = Revision::HANDSHAKE;
        let of = |offer, elicitation, sampling| {
            let capabilities = ClientCapabilities {
                elicitation,
                sampling,
                request_tasks: true,
                ..ClientCapabilities::default()
            };
            declared_to(offer, &capabilities)
        };
        let (form, model) = (
            Some(ElicitationCapability {
                form: true,
                url: false,
            }),
            Some(SamplingCapability::default()),
        );
        assert_eq!(
            of(fourth, form, model),
            r#"{"elicitation":{"form":{}},"sampling":{},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}"#
        );
        assert_eq!(
            of(fourth, form, None),
            r#"{"elicitation":{"form":{}},"tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}}}}}"#
        );
        assert_eq!(of(fourth, None, None), "{}");
        assert_eq!(of(third, None, model), r#"{"sampling":{}}"#);
    }

    #[test]
    fn each_revision_is_accepted_and_no_other() {
        for revision in Revision::HANDSHAKE {
            let result = raw(&format!(
                r#"{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}},"instructions":"i"}}"#
            ));
            let (accepted, introduction) = accept(&result).unwrap();
            assert_eq!(accepted, revision);
            assert!(introduction.findings.is_empty());
            assert_eq!(introduction.instructions.as_deref(), Some("i"));
        }
        let stateless = Revision::NEWEST_STATELESS.as_str();
        assert!(matches!(
            accept(&raw(&format!(r#"{{"protocolVersion":"{stateless}"}}"#))),
            Err(OpenFailure::UnknownRevision { answered }) if answered == stateless
        ));
    }

    #[test]
    fn what_is_missing_is_salvaged_or_named() {
        let newest = Revision::NEWEST_HANDSHAKE;
        let (_, accepted) = accept(&raw(&format!(
            r#"{{"protocolVersion":"{newest}","capabilities":[1],"serverInfo":{{"name":3,"version":"1"}},"instructions":7,"_meta":{{"a": 1}}}}"#
        )))
        .unwrap();
        assert_eq!(accepted.capabilities.get(), "{}");
        let server = accepted.server.unwrap();
        assert_eq!((server.name, server.version), (None, Some("1".to_owned())));
        assert_eq!(accepted.meta.unwrap().get(), r#"{"a": 1}"#);
        let codes: Vec<_> = accepted.findings.iter().map(|f| f.id()).collect();
        assert_eq!(
            codes,
            ["bad-capabilities", "bad-server-info", "bad-instructions"]
        );
        for bad in ["{}", r#"{"protocolVersion":20251125}"#, "[]", "null", "3"] {
            let answer = accept(&raw(bad));
            assert!(matches!(answer, Err(OpenFailure::BadShape { .. })), "{bad}");
        }
    }

    #[test]
    fn a_rejection_that_names_revisions_leads_to_another_offer() {
        let rejected = |code, data: &str| OpenFailure::Rejected {
            code,
            message: "Unsupported protocol version".into(),
            data: Some(Arc::from(raw(data))),
            http: None,
        };
        let [first, second, ..] = Revision::HANDSHAKE;
        let named = format!(r#"{{"supported":["1999-01-01",3,"{first}","{second}"]}}"#);
        assert_eq!(rejected(-32602, &named).other_offer(), Some(second));
        assert_eq!(rejected(-32600, &named).other_offer(), None);
        // Beside HTTP 400 it may be a server of the older transport, unless it names a revision or
        // shows that it knows the newest one.
        for (code, data, expected) in [
            (-32602, named.as_str(), Some(NextAttempt::Offer(second))),
            (-32000, "{}", Some(NextAttempt::HttpSse)),
            (-32020, "{}", None),
        ] {
            let mut failure = rejected(code, data);
            if let OpenFailure::Rejected { http, .. } = &mut failure {
                *http = Some(400);
            }
            assert_eq!(failure.next_attempt(), expected);
        }
        for data in [
            r#"{"supported":["1999-01-01"]}"#,
            r#"{"supported":3}"#,
            "[]",
        ] {
            assert_eq!(rejected(-32602, data).other_offer(), None, "{data}");
        }
        assert_eq!(OpenFailure::TimedOut.other_offer(), None);
    }
}

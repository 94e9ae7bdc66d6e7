//! Everything that differs between the revisions of the protocol, as pure functions.
//!
//! No I/O and no clock in here: a protocol turns requests into message texts and headers, and
//! replies into facts. The parts of the session do the rest and name no revision.

mod revisions;

pub(crate) mod detection;
pub(crate) mod legacy;
pub(crate) mod modern;

mod encoding;
mod request;

pub(crate) use encoding::Protocol;
pub(crate) use request::{EncodedRequest, Request, notification, page_params};
pub use revisions::{Batching, Era, Revision, Row};

/// The object that declares extensions. One whose settings are no JSON object is declared without
/// settings.
fn extensions(declared: &[(String, String)]) -> String {
    let members: Vec<String> = declared
        .iter()
        .map(|(name, settings)| {
            let settings = crate::members::complete(settings, &[])
                .map_or_else(|| "{}".to_owned(), |text| crate::members::one_line(&text));
            format!("{}:{settings}", crate::members::quoted(name))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// The member `elicitation` with the modes that are declared; `None` where there is none. An empty one
/// would mean forms (elicitation, Capabilities).
fn elicitation(declared: &crate::ClientCapabilities) -> Option<String> {
    let modes = [
        (declared.elicitation, r#""form":{}"#),
        (declared.elicitation_urls, r#""url":{}"#),
    ];
    let modes: Vec<&str> = modes
        .into_iter()
        .filter_map(|(declared, mode)| declared.then_some(mode))
        .collect();
    (!modes.is_empty()).then(|| format!(r#""elicitation":{{{}}}"#, modes.join(",")))
}

/// The member `sampling`.
fn sampling(tools: bool) -> String {
    let parts = if tools { r#""tools":{}"# } else { "" };
    format!(r#""sampling":{{{parts}}}"#)
}

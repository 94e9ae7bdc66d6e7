//! Everything that differs between the revisions of the protocol, as pure functions.
//!
//! No I/O and no clock in here: a protocol turns requests into message texts and headers, and
//! replies into facts. The parts of the session do the rest and name no revision.

mod revisions;

pub(crate) mod detection;
pub(crate) mod handshake;
pub(crate) mod stateless;
pub(crate) mod tasks;

mod encoding;
mod introduction;
mod request;

pub(crate) use encoding::Protocol;
pub(crate) use introduction::Introduction;
pub(crate) use request::{EncodedRequest, Request, cancelled, notification, page_params};
pub use revisions::{Batching, Era, Revision, Row};

/// Returns the object that declares extensions. Settings that are not a JSON object are declared as an empty one.
fn extensions(declared: &[(String, String)]) -> String {
    let members: Vec<String> = declared
        .iter()
        .map(|(name, settings)| {
            let settings = crate::members::complete(settings, &[]).map_or_else(
                || "{}".to_owned(),
                |text| crate::members::one_line(&text).into_owned(),
            );
            format!("{}:{settings}", crate::members::quoted(name))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Returns an object that declares these parts, each with an empty object.
fn parts(parts: &[(&str, bool)]) -> String {
    let declared: Vec<String> = parts
        .iter()
        .filter(|(_, declared)| *declared)
        .map(|(name, _)| format!("{}:{{}}", crate::members::quoted(name)))
        .collect();
    format!("{{{}}}", declared.join(","))
}

/// Returns a client's self-description in a protocol version, as JSON text: the `params` of `initialize`,
/// or the members that each stateless request has in `_meta`.
#[must_use]
pub fn declaration(revision: Revision, options: &crate::SessionOptions) -> String {
    match revision.era() {
        Era::Handshake => handshake::declaration(revision, &options.client, &options.capabilities),
        Era::Stateless => stateless::Stateless::new(revision, options).declaration(),
    }
}

//! Protocol eras: everything that differs between revisions, as pure functions.
//!
//! No I/O and no clock in here: an era turns wishes into message texts and headers, and answers
//! into facts. The actor in `session` does the rest and names no revision.

mod revisions;

pub(crate) mod detection;
pub(crate) mod legacy;
pub(crate) mod modern;

mod encoding;
mod request;

pub(crate) use encoding::Protocol;
pub(crate) use request::{EncodedRequest, Request, page_params, target_member};
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

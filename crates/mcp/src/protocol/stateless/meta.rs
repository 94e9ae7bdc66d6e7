//! `_meta` of every request (base protocol, Per-Request Metadata).

use super::{Stateless, TASKS};
use crate::{ClientCapabilities, members::quoted};

/// The entries of `_meta`; `token` asks for progress.
pub(super) fn entries(stateless: &Stateless, token: Option<&str>) -> Vec<(&'static str, String)> {
    let mut entries = vec![
        (
            "io.modelcontextprotocol/protocolVersion",
            quoted(stateless.revision.as_str()),
        ),
        (
            "io.modelcontextprotocol/clientInfo",
            stateless.client.clone(),
        ),
        (
            "io.modelcontextprotocol/clientCapabilities",
            stateless.capabilities.clone(),
        ),
    ];
    if let Some(level) = stateless.log_level {
        entries.push(("io.modelcontextprotocol/logLevel", quoted(level.as_str())));
    }
    if let Some(token) = token {
        entries.push(("progressToken", token.to_owned()));
    }
    entries
}

/// Builds `clientCapabilities`: the declared capabilities, and nothing else. An extension whose settings
/// are no JSON object is declared without settings.
pub(super) fn capabilities(declared: &ClientCapabilities) -> String {
    let mut parts = Vec::new();
    if let Some(modes) = declared.elicitation {
        let modes = crate::protocol::parts(&[("form", modes.form), ("url", modes.url)]);
        parts.push(format!(r#""elicitation":{modes}"#));
    }
    if let Some(sampling) = declared.sampling {
        let parts_of_it =
            crate::protocol::parts(&[("context", sampling.context), ("tools", sampling.tools)]);
        parts.push(format!(r#""sampling":{parts_of_it}"#));
    }
    if declared.roots.is_some() {
        parts.push(r#""roots":{}"#.to_owned());
    }
    let mut extensions = declared.extensions.clone();
    if declared.tasks && extensions.iter().all(|(name, _)| name != TASKS) {
        extensions.push((TASKS.to_owned(), "{}".to_owned()));
    }
    if !extensions.is_empty() {
        let extensions = crate::protocol::extensions(&extensions);
        parts.push(format!(r#""extensions":{extensions}"#));
    }
    format!("{{{}}}", parts.join(","))
}

//! A server's description of itself, as `initialize` and `server/discover` return it.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};

use crate::{ServerInfo, server_info, trust};

/// A server's description of itself.
#[derive(Debug)]
pub(crate) struct Introduction {
    pub(crate) server: Option<Box<ServerInfo>>,
    pub(crate) capabilities: Arc<RawValue>,
    pub(crate) instructions: Option<String>,
    /// `_meta` as received.
    pub(crate) meta: Option<Arc<RawValue>>,
    /// Harmless oddities of the result.
    pub(crate) findings: Vec<Finding>,
}

impl Introduction {
    /// Reads `capabilities`, `serverInfo`, `instructions` and `_meta`. Members of another shape become findings, and so
    /// do missing capabilities.
    pub(crate) fn read(
        [capabilities, info, instructions, meta]: [Option<&RawValue>; 4],
    ) -> Introduction {
        let mut findings = Vec::new();
        let capabilities = capabilities.filter(|raw| raw.get().starts_with('{'));
        if capabilities.is_none() {
            findings.push(Finding::new(&rules::BAD_CAPABILITIES));
        }
        let empty = RawValue::from_string("{}".to_owned());
        let empty = empty.unwrap_or_else(|_| RawValue::NULL.to_owned());
        Introduction {
            server: info
                .and_then(|raw| server_info::read(raw, &mut findings))
                .map(Box::new),
            capabilities: Arc::from(capabilities.map_or(empty, RawValue::to_owned)),
            instructions: instructions.and_then(|raw| trust::read_instructions(raw, &mut findings)),
            meta: meta.map(|raw| Arc::from(raw.to_owned())),
            findings,
        }
    }
}

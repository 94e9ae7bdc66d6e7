//! The stateless era: every request says for itself what it needs.

use sonde_wire::Header;

use super::Revision;

/// What a session must remember of this era.
#[derive(Debug)]
#[allow(dead_code)]
pub(crate) struct Modern {
    /// Named by every request.
    pub(crate) revision: Revision,
}

impl Modern {
    /// The headers of every message.
    pub(crate) fn headers(&self) -> Vec<Header> {
        vec![Header {
            name: "MCP-Protocol-Version".to_owned(),
            value: self.revision.as_str().to_owned(),
        }]
    }
}

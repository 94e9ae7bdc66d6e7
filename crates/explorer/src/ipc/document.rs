use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{CallNumber, ServerId};

/// Where a document's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DocumentSource {
    /// The text of one content block (decoded, for blobs with a textual type).
    Content {
        /// The call.
        call: CallNumber,
        /// Index of the block.
        index: u32,
    },
    /// `structuredContent`.
    Structured {
        /// The call.
        call: CallNumber,
    },
    /// The whole `result`, or the `error` object.
    Answer {
        /// The call.
        call: CallNumber,
    },
    /// The arguments as sent.
    Arguments {
        /// The call.
        call: CallNumber,
    },
    /// The body of a log entry.
    LogEntry {
        /// Whose log.
        server: ServerId,
        /// Which entry.
        seq: u64,
    },
}

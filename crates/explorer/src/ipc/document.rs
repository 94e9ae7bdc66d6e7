use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{OperationNumber, ServerId};

/// Where a document's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DocumentSource {
    /// The text of one content block (decoded, for blobs with a textual type).
    Content {
        /// The operation.
        operation: OperationNumber,
        /// Index of the block.
        index: u32,
    },
    /// `structuredContent`.
    Structured {
        /// The operation.
        operation: OperationNumber,
    },
    /// The whole `result`, or the `error` object.
    Answer {
        /// The operation.
        operation: OperationNumber,
    },
    /// The arguments as sent.
    Arguments {
        /// The operation.
        operation: OperationNumber,
    },
    /// The body of a log entry.
    LogEntry {
        /// Whose log.
        server: ServerId,
        /// Which entry.
        seq: u64,
    },
}

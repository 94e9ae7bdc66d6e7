//! The bytes of documents.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;

use super::{
    content_block::{BlockBody, block_body},
    operation::OperationNumber,
    prompt,
    summary::{self, ResultShape},
};
use crate::{
    Connection, Error, blocking, catalogs::CatalogKind, config::ServerId, document::DocumentBody,
};

/// Sources of a document's bytes.
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
    /// The arguments with a fingerprint in place of each secret, as in the wire log.
    RedactedArguments {
        /// The operation.
        operation: OperationNumber,
    },
    /// Further members of `params`, or all of it, as the user gave them.
    Params {
        /// The operation.
        operation: OperationNumber,
    },
    /// The stored transcript of the messages of a run from before this start of the app.
    Transcript {
        /// The operation.
        operation: OperationNumber,
    },
    /// Instructions of a server for models; at most 4 MiB of them.
    Instructions {
        /// The server.
        server: ServerId,
    },
    /// A server's `capabilities` object; at most 4 MiB of it.
    Capabilities {
        /// The server.
        server: ServerId,
    },
    /// `_meta` of the result in which a server introduced itself; at most 4 MiB of it.
    ServerMeta {
        /// The server.
        server: ServerId,
    },
    /// The definition of an item of a catalog.
    Definition {
        /// Server of the catalog.
        server: ServerId,
        /// Kind of the catalog.
        kind: CatalogKind,
        /// The item's key in the list.
        key: String,
    },
    /// The `data` of a log message.
    LogData {
        /// Server of the log.
        server: ServerId,
        /// Sequence number of the entry.
        seq: u64,
    },
    /// The body of a log entry.
    LogEntry {
        /// Server of the log.
        server: ServerId,
        /// Sequence number of the entry.
        seq: u64,
    },
}

impl DocumentSource {
    /// Returns the operation that the document belongs to.
    #[must_use]
    pub fn operation(&self) -> Option<OperationNumber> {
        match self {
            Self::Content { operation, .. }
            | Self::Structured { operation }
            | Self::Answer { operation }
            | Self::Arguments { operation }
            | Self::RedactedArguments { operation }
            | Self::Params { operation }
            | Self::Transcript { operation } => Some(*operation),
            _ => None,
        }
    }

    /// Returns the server of the document, unless it belongs to an operation.
    #[must_use]
    pub fn server(&self) -> Option<&ServerId> {
        match self {
            Self::Instructions { server }
            | Self::Capabilities { server }
            | Self::ServerMeta { server }
            | Self::Definition { server, .. }
            | Self::LogData { server, .. }
            | Self::LogEntry { server, .. } => Some(server),
            _ => None,
        }
    }
}

/// A document's bytes, with the media type where one is declared.
#[derive(Debug)]
pub struct Document {
    /// The bytes.
    pub body: DocumentBody,
    /// MIME type by the server's account.
    pub mime_type: Option<String>,
}

impl Connection {
    /// Reads a document. Large results are scanned on a blocking thread.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn read_document(&self, source: &DocumentSource) -> Result<Document, Error> {
        let core = &self.core;
        let plain = |body| Document {
            body,
            mime_type: None,
        };
        let operation = match source {
            DocumentSource::LogEntry { seq, .. } => {
                return core.log.body(*seq).map(plain).map_err(Error::from);
            }
            DocumentSource::LogData { seq, .. } => {
                let body = core.log.body(*seq).map_err(Error::from)?;
                return blocking(move || log_data(&body))
                    .await?
                    .map(|raw| plain(DocumentBody::Json(Arc::from(raw))))
                    .ok_or(Error::NotFound(
                        "This entry is not a log message with data.",
                    ));
            }
            DocumentSource::Instructions { .. }
            | DocumentSource::Capabilities { .. }
            | DocumentSource::ServerMeta { .. } => {
                let text = core.state(|state| {
                    let session = &state.session;
                    match source {
                        DocumentSource::Instructions { .. } => session.instructions.clone(),
                        DocumentSource::Capabilities { .. } => session.capabilities.clone(),
                        _ => session.meta.clone(),
                    }
                });
                return text
                    .map(|text| plain(DocumentBody::Text(text)))
                    .ok_or(Error::NotFound("The server has not sent this text."));
            }
            DocumentSource::Definition { kind, key, .. } => {
                let raw = core.item(*kind, key)?.raw;
                return Ok(plain(DocumentBody::Json(raw)));
            }
            DocumentSource::Content { operation, .. }
            | DocumentSource::Structured { operation }
            | DocumentSource::Answer { operation }
            | DocumentSource::Arguments { operation }
            | DocumentSource::RedactedArguments { operation }
            | DocumentSource::Params { operation }
            | DocumentSource::Transcript { operation } => *operation,
        };
        let (shape, arguments, params, transcript, result, error) = core.state(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or(Error::NoOperation(operation))?;
            Ok::<_, Error>((
                record.shape(),
                record.arguments.clone(),
                record.params.clone(),
                record.transcript.clone(),
                record.result.clone(),
                record.error.clone(),
            ))
        })?;
        let nothing = || Error::NotFound("This run has no such content.");
        match source {
            DocumentSource::Arguments { .. } => arguments
                .map(|text| plain(DocumentBody::Text(text)))
                .ok_or_else(nothing),
            DocumentSource::RedactedArguments { .. } => arguments
                .map(|text| plain(DocumentBody::Text(Arc::new(core.log.redact(&text)))))
                .ok_or_else(nothing),
            DocumentSource::Params { .. } => params
                .map(|text| plain(DocumentBody::Text(text)))
                .ok_or_else(nothing),
            DocumentSource::Transcript { .. } => transcript
                .map(|text| plain(DocumentBody::Text(text)))
                .ok_or_else(nothing),
            DocumentSource::Answer { .. } => match (result, error) {
                (Some(raw), _) => Ok(plain(DocumentBody::JsonPart(raw))),
                (None, Some(text)) => Ok(plain(DocumentBody::Text(text))),
                (None, None) => Err(nothing()),
            },
            DocumentSource::Structured { .. } => {
                let raw = result.ok_or_else(nothing)?;
                let structured = blocking(move || summary::structured(&raw)).await?;
                structured
                    .map(|part| plain(DocumentBody::JsonPart(part)))
                    .ok_or_else(nothing)
            }
            DocumentSource::Content { index, .. } => {
                let raw = result.ok_or_else(nothing)?;
                let index = usize::try_from(*index).unwrap_or(usize::MAX);
                let found = blocking(move || {
                    let block = match shape {
                        ResultShape::Prompt => prompt::block(raw.get(), index),
                        _ => summary::block(raw.get(), index),
                    };
                    block.map(block_body)
                })
                .await?;
                let (body, mime_type) = found.ok_or_else(nothing)?;
                let body = match body {
                    BlockBody::Text(text) | BlockBody::Json(text) => {
                        DocumentBody::Text(Arc::new(text))
                    }
                    BlockBody::Bytes(bytes) => readable(bytes, mime_type.as_deref()),
                };
                Ok(Document { body, mime_type })
            }
            DocumentSource::Instructions { .. }
            | DocumentSource::Capabilities { .. }
            | DocumentSource::ServerMeta { .. }
            | DocumentSource::Definition { .. }
            | DocumentSource::LogData { .. }
            | DocumentSource::LogEntry { .. } => Err(nothing()),
        }
    }
}

/// `params.data` of a message.
fn log_data(message: &DocumentBody) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Message {
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        data: Box<RawValue>,
    }
    let message: Message = serde_json::from_slice(message.bytes()).ok()?;
    Some(message.params.data)
}

/// Text where the bytes are text and are declared as such.
fn readable(bytes: Vec<u8>, mime_type: Option<&str>) -> DocumentBody {
    let textual = mime_type.is_some_and(|mime| {
        let mime = mime.trim().to_ascii_lowercase();
        mime.starts_with("text/")
            || ["json", "xml", "javascript", "yaml", "csv"]
                .iter()
                .any(|part| mime.contains(part))
    });
    if textual && std::str::from_utf8(&bytes).is_ok() {
        return DocumentBody::Text(Arc::new(String::from_utf8(bytes).unwrap_or_default()));
    }
    DocumentBody::Bytes(Bytes::from(bytes))
}

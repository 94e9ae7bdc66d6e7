//! The bytes of documents.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;

use super::{
    content_block::{BlockBody, block_body},
    history::OperationRecord,
    operation::OperationNumber,
    prompt,
    summary::{self, ResultShape},
};
use crate::{
    Connection, Error, State, blocking, catalogs::CatalogKind, config::ServerId,
    document::DocumentBody,
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

const NO_SUCH_CONTENT: Error = Error::NotFound("This run has no such content.");

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
        let log = &self.core.log;
        let plain = |body| Document {
            body,
            mime_type: None,
        };
        let body = match source {
            DocumentSource::LogEntry { seq, .. } => log.body(*seq)?,
            DocumentSource::LogData { seq, .. } => {
                let body = log.body(*seq)?;
                let data = blocking(move || log_data(&body)).await?;
                let missing = Error::NotFound("This entry is not a log message with data.");
                DocumentBody::Json(Arc::from(data.ok_or(missing)?))
            }
            DocumentSource::Definition { kind, key, .. } => {
                DocumentBody::Json(self.core.item(*kind, key)?.raw)
            }
            DocumentSource::Instructions { .. } => {
                self.server_text(|state| &state.session.instructions)?
            }
            DocumentSource::Capabilities { .. } => {
                self.server_text(|state| &state.session.capabilities)?
            }
            DocumentSource::ServerMeta { .. } => self.server_text(|state| &state.session.meta)?,
            DocumentSource::Arguments { operation } => {
                DocumentBody::Text(self.part_of_run(*operation, |run| run.arguments.clone())?)
            }
            DocumentSource::RedactedArguments { operation } => {
                // Secrets of now, and those of then, which may have been replaced since.
                let (text, then) = self.part_of_run(*operation, |run| {
                    Some((run.arguments.clone()?, run.redaction.clone()))
                })?;
                let text = log.redact(&text);
                let text = then.map_or_else(|| text.clone(), |then| then.text(&text));
                DocumentBody::Text(Arc::new(text))
            }
            DocumentSource::Params { operation } => {
                DocumentBody::Text(self.part_of_run(*operation, |run| run.params.clone())?)
            }
            DocumentSource::Transcript { operation } => {
                DocumentBody::Text(self.part_of_run(*operation, |run| run.transcript.clone())?)
            }
            DocumentSource::Answer { operation } => self.part_of_run(*operation, |run| {
                let result = run.result.clone().map(DocumentBody::JsonPart);
                result.or_else(|| run.error.clone().map(DocumentBody::Text))
            })?,
            DocumentSource::Structured { operation } => {
                let raw = self.part_of_run(*operation, |run| run.result.clone())?;
                let structured = blocking(move || summary::structured(&raw)).await?;
                DocumentBody::JsonPart(structured.ok_or(NO_SUCH_CONTENT)?)
            }
            DocumentSource::Content { operation, index } => {
                return self.content_block(*operation, *index).await;
            }
        };
        Ok(plain(body))
    }

    /// Returns a whole text of the server about itself.
    fn server_text(
        &self,
        text: impl FnOnce(&State) -> &Option<Arc<String>>,
    ) -> Result<DocumentBody, Error> {
        self.read(|state| text(state).clone().map(DocumentBody::Text))
            .ok_or(Error::NotFound("The server has not sent this text."))
    }

    /// Returns a part of an operation.
    fn part_of_run<T>(
        &self,
        operation: OperationNumber,
        part: impl FnOnce(&OperationRecord) -> Option<T>,
    ) -> Result<T, Error> {
        self.read(|state| part(state.operation(operation)?).ok_or(NO_SUCH_CONTENT))
    }

    /// Reads the payload of a content block in the result of an operation.
    async fn content_block(
        &self,
        operation: OperationNumber,
        index: u32,
    ) -> Result<Document, Error> {
        let (raw, shape) =
            self.part_of_run(operation, |run| Some((run.result.clone()?, run.shape())))?;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let found = blocking(move || {
            let block = match shape {
                ResultShape::Prompt => prompt::block(raw.get(), index),
                _ => summary::block(raw.get(), index),
            };
            block.map(block_body)
        });
        let (body, mime_type) = found.await?.ok_or(NO_SUCH_CONTENT)?;
        let body = match body {
            BlockBody::Text(text) | BlockBody::Json(text) => DocumentBody::Text(Arc::new(text)),
            BlockBody::Bytes(bytes) => readable(bytes, mime_type.as_deref()),
        };
        Ok(Document { body, mime_type })
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

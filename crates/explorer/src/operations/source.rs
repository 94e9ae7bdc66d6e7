//! The bytes of documents.

use std::sync::Arc;

use bytes::Bytes;

use super::summary::{self, BlockBody};
use crate::{
    core::Core,
    document::DocumentBody,
    ipc::{DocumentSource, IpcError},
    problem,
};

/// A document's bytes, with the media type where one is declared.
pub(crate) struct Found {
    pub(crate) body: DocumentBody,
    pub(crate) mime_type: Option<String>,
}

/// Reads a document. Large results are scanned on a blocking thread.
pub(crate) async fn find(core: &Core, source: &DocumentSource) -> Result<Found, IpcError> {
    let plain = |body| Found {
        body,
        mime_type: None,
    };
    let operation = match source {
        DocumentSource::LogEntry { server, seq } => {
            let log = core.log(server)?;
            return log.body(*seq).map(plain).map_err(problem::log_miss);
        }
        DocumentSource::Content { operation, .. }
        | DocumentSource::Structured { operation }
        | DocumentSource::Answer { operation }
        | DocumentSource::Arguments { operation } => *operation,
    };
    let (arguments, result, error) = core.state(|state| {
        let record = state
            .operations
            .get(operation)
            .ok_or_else(|| problem::no_operation(operation))?;
        Ok((
            record.arguments.clone(),
            record.result.clone(),
            record.error.clone(),
        ))
    })?;
    let nothing = || problem::not_found("This run has no such content.");
    match source {
        DocumentSource::Arguments { .. } => arguments
            .map(|text| plain(DocumentBody::Text(text)))
            .ok_or_else(nothing),
        DocumentSource::Answer { .. } => match (result, error) {
            (Some(raw), _) => Ok(plain(DocumentBody::Json(raw))),
            (None, Some(text)) => Ok(plain(DocumentBody::Text(text))),
            (None, None) => Err(nothing()),
        },
        DocumentSource::Structured { .. } => {
            let raw = result.ok_or_else(nothing)?;
            let structured = blocking(move || summary::structured(&raw)).await?;
            structured
                .map(|raw| plain(DocumentBody::Json(Arc::from(raw))))
                .ok_or_else(nothing)
        }
        DocumentSource::Content { index, .. } => {
            let raw = result.ok_or_else(nothing)?;
            let index = usize::try_from(*index).unwrap_or(usize::MAX);
            let found = blocking(move || summary::block_body(&raw, index)).await?;
            let (body, mime_type) = found.ok_or_else(nothing)?;
            let body = match body {
                BlockBody::Text(text) | BlockBody::Json(text) => DocumentBody::Text(Arc::new(text)),
                BlockBody::Bytes(bytes) => readable(bytes, mime_type.as_deref()),
            };
            Ok(Found { body, mime_type })
        }
        DocumentSource::LogEntry { .. } => Err(nothing()),
    }
}

/// Text where the bytes are text and are declared as such.
fn readable(bytes: Vec<u8>, mime_type: Option<&str>) -> DocumentBody {
    let textual = mime_type.is_some_and(|mime| {
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

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, IpcError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(problem::internal)
}

//! The commands about log views and documents: what the window has open and reads by index.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use sonde_explorer::{Error, operations::DocumentSource, servers::ServerId};
use sonde_record::{
    document::{DocumentBody, DocumentMode, DocumentRow, DocumentView, SearchHit},
    log::{LogDetail, LogFilter, LogMiss, LogRow, LogViewState},
};

use crate::{
    backend::Backend,
    error::{ErrorCode, IpcError},
};

const NO_VIEW: Error = Error::NotFound("This log view was closed.");
const NO_DOCUMENT: Error = Error::NotFound("This document was closed.");

fn log_miss(miss: LogMiss) -> IpcError {
    Error::from(miss).into()
}

impl Backend {
    /// Opens a view on a server's log; its state arrives as events.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn open_log(
        &self,
        server: ServerId,
        filter: LogFilter,
    ) -> Result<LogViewState, IpcError> {
        let log = self.explorer().log(&server)?;
        let state = self.logs().open(&log, filter);
        self.open_pages(|open| open.logs.insert(state.view));
        Ok(state)
    }

    /// Changes what a view shows.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn filter_log(&self, view: u64, filter: LogFilter) -> Result<LogViewState, IpcError> {
        self.logs()
            .filter(view, filter)
            .ok_or_else(|| NO_VIEW.into())
    }

    /// Rows of a view, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn log_rows(
        &self,
        view: u64,
        epoch: u32,
        from: u64,
        count: u32,
    ) -> Result<Vec<LogRow>, IpcError> {
        self.logs()
            .rows(view, epoch, from, count)
            .ok_or_else(|| NO_VIEW.into())
    }

    /// The index of an entry in a view, or of the nearest one after it.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn log_index(&self, view: u64, seq: u64) -> Result<Option<u64>, IpcError> {
        self.logs().index(view, seq).ok_or_else(|| NO_VIEW.into())
    }

    /// Shows each entry of the group that an entry belongs to, or one row for them.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn open_log_group(
        &self,
        view: u64,
        seq: u64,
        open: bool,
    ) -> Result<LogViewState, IpcError> {
        self.logs()
            .open_group(view, seq, open)
            .ok_or_else(|| NO_VIEW.into())
    }

    /// Closes a view.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn close_log(&self, view: u64) -> Result<(), IpcError> {
        self.open_pages(|open| open.logs.remove(&view));
        self.logs().close(view);
        Ok(())
    }

    /// All about one entry but its body.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn log_detail(&self, server: ServerId, seq: u64) -> Result<LogDetail, IpcError> {
        self.explorer().log(&server)?.detail(seq).map_err(log_miss)
    }

    /// The HTTP request of an entry as a curl command, secrets as placeholders.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`; `InvalidInput` for an entry that belongs to no HTTP request.
    pub async fn log_curl(&self, server: ServerId, seq: u64) -> Result<String, IpcError> {
        self.explorer()
            .log(&server)?
            .curl(seq)
            .map_err(log_miss)?
            .ok_or_else(|| Error::invalid("This entry belongs to no HTTP request.").into())
    }

    /// The decoded bytes of a document, for images and sound.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn read_bytes(&self, source: DocumentSource) -> Result<Vec<u8>, IpcError> {
        let found = self.explorer().read_document(&source).await?;
        Ok(found.body.bytes().to_vec())
    }

    /// Opens a document. `columns` is the width of a row in characters.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn open_document(
        &self,
        source: DocumentSource,
        mode: DocumentMode,
        columns: u32,
    ) -> Result<DocumentView, IpcError> {
        let found = self.explorer().read_document(&source).await?;
        let view = self.documents().open(found.body, mode, columns).await;
        self.open_pages(|open| open.documents.insert(view.document));
        Ok(view)
    }

    /// Changes how a document is shown, or its width.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn show_document(
        &self,
        document: u64,
        mode: DocumentMode,
        columns: u32,
    ) -> Result<DocumentView, IpcError> {
        self.documents()
            .show(document, mode, columns)
            .await
            .ok_or_else(|| NO_DOCUMENT.into())
    }

    /// Rows of a document, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn document_rows(
        &self,
        document: u64,
        from: u64,
        count: u32,
    ) -> Result<Vec<DocumentRow>, IpcError> {
        self.documents()
            .rows(document, from, count)
            .await
            .ok_or_else(|| NO_DOCUMENT.into())
    }

    /// Opens or closes a node of the tree.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn toggle_node(&self, document: u64, node: u32) -> Result<DocumentView, IpcError> {
        self.documents()
            .toggle(document, node)
            .await
            .ok_or_else(|| NO_DOCUMENT.into())
    }

    /// Opens or closes all nodes of the tree.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn expand_document(
        &self,
        document: u64,
        expanded: bool,
    ) -> Result<DocumentView, IpcError> {
        self.documents()
            .expand(document, expanded)
            .await
            .ok_or_else(|| NO_DOCUMENT.into())
    }

    /// Finds the n-th place that contains the text, ignoring case.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn search_document(
        &self,
        document: u64,
        text: String,
        ordinal: u64,
    ) -> Result<Option<SearchHit>, IpcError> {
        self.documents()
            .search(document, text, ordinal)
            .await
            .ok_or_else(|| NO_DOCUMENT.into())
    }

    /// Closes a document.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn close_document(&self, document: u64) -> Result<(), IpcError> {
        self.open_pages(|open| open.documents.remove(&document));
        self.documents().close(document);
        Ok(())
    }

    /// Saves a document, or the decoded data of a content block, into the user's download folder
    /// under a free name. Returns where; `None` when there is no such folder.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`, `Storage`.
    pub async fn save_document(&self, source: DocumentSource) -> Result<Option<String>, IpcError> {
        let found = self.explorer().read_document(&source).await?;
        let Some(folder) = self.explorer().host().download_folder() else {
            return Ok(None);
        };
        let stem = match &source {
            DocumentSource::Content { operation, index } => {
                format!("run-{operation}-content-{index}")
            }
            DocumentSource::Structured { operation } => format!("run-{operation}-structured"),
            DocumentSource::Answer { operation } => format!("run-{operation}-answer"),
            DocumentSource::Arguments { operation } => format!("run-{operation}-arguments"),
            DocumentSource::Instructions { .. } => "instructions".to_owned(),
            DocumentSource::Capabilities { .. } => "capabilities".to_owned(),
            DocumentSource::Definition { .. } => "definition".to_owned(),
            DocumentSource::LogEntry { seq, .. } => format!("log-{seq}"),
        };
        let extension = extension(&found.body, found.mime_type.as_deref());
        let name = format!("sonde-{stem}");
        tokio::task::spawn_blocking(move || {
            write_new(&folder, &name, extension, found.body.bytes())
        })
        .await
        .map_err(Error::internal)?
        .map(|path| Some(path.display().to_string()))
        .map_err(|error| IpcError {
            code: ErrorCode::Storage,
            message: "The file could not be saved.".to_owned(),
            detail: Some(error.to_string()),
        })
    }
}

/// Writes a file that was not there before.
fn write_new(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for number in 1..10_000 {
        let name = if number == 1 {
            format!("{name}.{extension}")
        } else {
            format!("{name}-{number}.{extension}")
        };
        let path = folder.join(name);
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other(
        "too many files with that name already exist",
    ))
}

/// What such a file is usually called. Only harmless endings: the type is the server's claim.
fn extension(body: &DocumentBody, mime_type: Option<&str>) -> &'static str {
    let mime = mime_type
        .and_then(|mime| mime.split(';').next())
        .map(str::trim);
    let known = match mime {
        Some("image/png") => Some("png"),
        Some("image/jpeg") => Some("jpg"),
        Some("image/gif") => Some("gif"),
        Some("image/webp") => Some("webp"),
        // A program's own picture format: whatever opens it runs its scripts.
        Some("image/svg+xml") => Some("svg.txt"),
        Some("audio/wav" | "audio/x-wav" | "audio/wave") => Some("wav"),
        Some("audio/mpeg") => Some("mp3"),
        Some("audio/ogg") => Some("ogg"),
        Some("audio/flac") => Some("flac"),
        Some("application/pdf") => Some("pdf"),
        Some("application/zip") => Some("zip"),
        Some("text/markdown") => Some("md"),
        Some("text/csv") => Some("csv"),
        Some("application/json") => Some("json"),
        _ => None,
    };
    known.unwrap_or(match body {
        DocumentBody::Json(_) => "json",
        DocumentBody::Text(text) if text.trim_start().starts_with(['{', '[']) => "json",
        DocumentBody::Text(_) => "txt",
        DocumentBody::Bytes(_) => "bin",
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn saved_files_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = folder.path().join("Downloads");
        let mut names = Vec::new();
        for text in ["a", "b", "c"] {
            let path = write_new(&downloads, "sonde-run-1", "txt", text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
        assert_eq!(
            names,
            ["sonde-run-1.txt", "sonde-run-1-2.txt", "sonde-run-1-3.txt"]
        );
    }

    #[test]
    fn endings_follow_the_type_and_are_harmless() {
        let text = DocumentBody::Text(Arc::new("x".to_owned()));
        let json = DocumentBody::Text(Arc::new(" {}".to_owned()));
        for (body, mime, ending) in [
            (&text, None, "txt"),
            (&json, None, "json"),
            (&text, Some("image/png; q=1"), "png"),
            (&text, Some("image/svg+xml"), "svg.txt"),
            (&text, Some("application/x-msdownload"), "txt"),
        ] {
            assert_eq!(extension(body, mime), ending);
        }
    }
}

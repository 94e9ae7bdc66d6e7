//! The commands about operations, log views and documents: pages that the window has open and reads by index.

use sonde_explorer::{
    Error,
    operations::{DocumentSource, OperationNumber},
    servers::ServerId,
};
use sonde_record::{
    document::{DocumentMode, DocumentRow, DocumentView, SearchHit},
    log::{LogDetail, LogFilter, LogMiss, LogRow, LogViewState},
};

use crate::{backend::Backend, error::IpcError, operation::OperationView};

const NO_VIEW: Error = Error::NotFound("This log view was closed.");
const NO_DOCUMENT: Error = Error::NotFound("This document was closed.");

fn log_miss(miss: LogMiss) -> IpcError {
    Error::from(miss).into()
}

impl Backend {
    /// Returns the whole view of an operation. Events cut long ones.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn operation(&self, operation: OperationNumber) -> Result<OperationView, IpcError> {
        let view = self
            .explorer()
            .read(|state| state.operation(operation, |record| record.into()));
        Ok(view.ok_or(Error::NoOperation(operation))?)
    }

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
        self.page(|page| page.logs.insert(state.view));
        Ok(state)
    }

    /// Changes the filter of a view.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn filter_log(&self, view: u64, filter: LogFilter) -> Result<LogViewState, IpcError> {
        Ok(self.logs().filter(view, filter).ok_or(NO_VIEW)?)
    }

    /// Returns rows of a view, by index.
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
        Ok(self.logs().rows(view, epoch, from, count).ok_or(NO_VIEW)?)
    }

    /// Returns the index of an entry in a view, or of the nearest one after it.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn log_index(&self, view: u64, seq: u64) -> Result<Option<u64>, IpcError> {
        Ok(self.logs().index(view, seq).ok_or(NO_VIEW)?)
    }

    /// Shows every entry of the group that an entry belongs to, or one row for them.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn open_log_group(
        &self,
        view: u64,
        seq: u64,
        open: bool,
    ) -> Result<LogViewState, IpcError> {
        Ok(self.logs().open_group(view, seq, open).ok_or(NO_VIEW)?)
    }

    /// Closes a view.
    ///
    /// # Errors
    /// None: closing a closed view succeeds.
    pub async fn close_log(&self, view: u64) -> Result<(), IpcError> {
        self.page(|page| page.logs.remove(&view));
        self.logs().close(view);
        Ok(())
    }

    /// Returns everything about one entry except its body.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn log_detail(&self, server: ServerId, seq: u64) -> Result<LogDetail, IpcError> {
        self.explorer().log(&server)?.detail(seq).map_err(log_miss)
    }

    /// Returns the HTTP request of an entry as a curl command, with placeholders for secrets.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`; `InvalidInput` for an entry without an HTTP request.
    pub async fn log_curl(&self, server: ServerId, seq: u64) -> Result<String, IpcError> {
        self.explorer()
            .log(&server)?
            .curl(seq)
            .map_err(log_miss)?
            .ok_or_else(|| Error::invalid("This entry belongs to no HTTP request.").into())
    }

    /// Returns the decoded bytes of a document, for images and sound.
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
        self.page(|page| page.documents.insert(view.document));
        Ok(view)
    }

    /// Changes the mode or the width of a document.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn show_document(
        &self,
        document: u64,
        mode: DocumentMode,
        columns: u32,
    ) -> Result<DocumentView, IpcError> {
        let found = self.documents().show(document, mode, columns).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Returns rows of a document, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn document_rows(
        &self,
        document: u64,
        from: u64,
        count: u32,
    ) -> Result<Vec<DocumentRow>, IpcError> {
        let found = self.documents().rows(document, from, count).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Opens or closes a node of the tree.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn toggle_node(&self, document: u64, node: u32) -> Result<DocumentView, IpcError> {
        let found = self.documents().toggle(document, node).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
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
        let found = self.documents().expand(document, expanded).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
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
        let found = self.documents().search(document, text, ordinal).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Opens the way to the value that a JSON Pointer leads to in the tree of a document, and returns its row.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn locate_value(
        &self,
        document: u64,
        pointer: String,
    ) -> Result<Option<u64>, IpcError> {
        let found = self.documents().locate(document, pointer).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Returns the whole value of a node of the tree; `None` if it is too long to copy.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn node_value(&self, document: u64, node: u32) -> Result<Option<String>, IpcError> {
        let found = self.documents().node_value(document, node).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Returns the path of a node of the tree as in code; `None` if it is too long to copy.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn node_path(&self, document: u64, node: u32) -> Result<Option<String>, IpcError> {
        let found = self.documents().node_path(document, node).await;
        Ok(found.ok_or(NO_DOCUMENT)?)
    }

    /// Closes a document.
    ///
    /// # Errors
    /// None: closing a closed document succeeds.
    pub async fn close_document(&self, document: u64) -> Result<(), IpcError> {
        self.page(|page| page.documents.remove(&document));
        self.documents().close(document);
        Ok(())
    }
}

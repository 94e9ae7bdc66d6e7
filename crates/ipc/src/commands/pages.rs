//! The commands about operations, log views and documents: pages that the window has open and reads by index.

use sonde_explorer::{
    Error,
    operations::{DocumentSource, OperationNumber},
    servers::ServerId,
};
use sonde_record::{
    document::{DocumentMode, DocumentView},
    log::{LogDetail, LogFilter, LogMiss, LogViewState},
};

use crate::{backend::Backend, error::IpcError, operation::OperationView};

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

//! Stored operations of all servers. Their live state belongs to the connections.

mod stored;

pub use sonde_client::operations::*;

pub(crate) use self::stored::{FilesLeft, StoredRuns, UNKNOWN_LAST, last_number};

use crate::{Error, Explorer, servers::ServerId};

impl Explorer {
    /// Reads the operations of a server from before this start of the app into the history, unless they were read
    /// already. A notice reports files that cannot be read.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn load_history(&self, server: ServerId) -> Result<(), Error> {
        self.core.server(&server)?;
        self.core.stored_runs.load(&self.core, &server).await
    }

    /// Reads a document. Large results are scanned on a blocking thread.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn read_document(&self, source: &DocumentSource) -> Result<Document, Error> {
        let connection = match (source.operation(), source.server()) {
            (Some(operation), _) => self.core.connection_of_operation(operation)?,
            (None, Some(server)) => self.core.connection(server)?,
            (None, None) => return Err(Error::NotFound("There is no such document.")),
        };
        connection.read_document(source).await
    }
}

//! Reading the wire log.

use sonde_ipc::{DocumentSource, LogFilter, LogRow, LogViewState};

use crate::{Error, Headless};

/// Rows per read.
const ROWS: u32 = 500;

impl Headless {
    /// The rows of a server's log that match, as they are now, the oldest first.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound`; those of [`Headless::wait_for`].
    pub async fn log(&self, server: &str, filter: LogFilter) -> Result<Vec<LogRow>, Error> {
        let view = self.backend().open_log(server.to_owned(), filter).await?;
        let number = view.view;
        let rows = self.read_view(view).await;
        self.backend().close_log(number).await?;
        rows
    }

    async fn read_view(&self, view: LogViewState) -> Result<Vec<LogRow>, Error> {
        let view = if view.searching {
            self.wait_for("the end of the search in the log", |state| {
                let now = state.logs.get(&view.view)?;
                (!now.searching).then(|| now.clone())
            })
            .await?
        } else {
            view
        };
        let mut rows = Vec::new();
        while (rows.len() as u64) < view.rows {
            let from = rows.len() as u64;
            let page = self
                .backend()
                .log_rows(view.view, view.epoch, from, ROWS)
                .await?;
            // The log drops its oldest entries when it is full.
            if page.is_empty() {
                break;
            }
            rows.extend(page);
        }
        rows.truncate(usize::try_from(view.rows).unwrap_or(usize::MAX));
        Ok(rows)
    }

    /// The body of a log entry, secrets replaced.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound` or `EntryDropped`.
    pub async fn log_body(&self, server: &str, seq: u64) -> Result<Vec<u8>, Error> {
        let source = DocumentSource::LogEntry {
            server: server.to_owned(),
            seq,
        };
        Ok(self.backend().read_bytes(source).await?)
    }
}

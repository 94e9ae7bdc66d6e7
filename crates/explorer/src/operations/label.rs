//! Names, notes and pins of operations, and what is read of them from files.

use super::operation::{OperationLabel, OperationNumber};
use crate::{Error, Explorer, changes::Change, servers::ServerId, text::cut};

/// Characters of a name.
const NAME: usize = 200;
/// Characters of a note.
const NOTE: usize = 10_000;
/// Limit of pinned operations per server.
const PINNED: usize = 100;

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

    /// Replaces what the user calls an operation. Texts are trimmed, and cut beyond their limits; an empty
    /// one is none.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` when 100 operations of the server are pinned already.
    pub async fn label_operation(
        &self,
        operation: OperationNumber,
        label: OperationLabel,
    ) -> Result<(), Error> {
        let text = |text: Option<String>, longest| {
            let text = text?;
            let text = text.trim();
            (!text.is_empty()).then(|| cut(text, longest))
        };
        let label = OperationLabel {
            name: text(label.name, NAME),
            note: text(label.note, NOTE),
            pinned: label.pinned,
        };
        let server = self.core.state(|state| {
            let record = state.operations.get(operation);
            let record = record.ok_or(Error::NoOperation(operation))?;
            let server = record.server.clone();
            if label.pinned && !record.label.pinned {
                let pinned = state.operations.iter();
                let pinned = pinned.filter(|one| one.server == server && one.label.pinned);
                if pinned.count() >= PINNED {
                    return Err(Error::invalid(format!(
                        "{PINNED} runs of this server are pinned already. Unpin one first."
                    )));
                }
            }
            if let Some(record) = state.operations.get_mut(operation) {
                record.label = label;
            }
            Ok(server)
        })?;
        self.core.observer.changed(Change::Operation(operation));
        self.core.stored_runs.changed(server, operation);
        Ok(())
    }
}

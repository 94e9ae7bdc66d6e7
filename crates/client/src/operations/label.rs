//! Names, notes and pins of operations.

use super::operation::{OperationLabel, OperationNumber};
use crate::{Connection, Error, changes::Change, text::cut};

/// Characters of a name.
const NAME: usize = 200;
/// Characters of a note.
const NOTE: usize = 10_000;
/// Limit of pinned operations per server.
const PINNED: usize = 100;

impl Connection {
    /// Replaces the label of an operation. Texts are trimmed, and cut at their limits; an empty text removes it.
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
        self.core.state(|state| {
            let record = state.operation(operation)?;
            if label.pinned && !record.label.pinned {
                let pinned = state.operations.iter().filter(|one| one.label.pinned);
                if pinned.count() >= PINNED {
                    return Err(Error::invalid(format!(
                        "{PINNED} runs of this server are pinned already. Unpin one first."
                    )));
                }
            }
            if let Some(record) = state.operations.get_mut(operation) {
                record.label = label;
            }
            Ok(())
        })?;
        self.core.owner.changed(Change::Operation(operation));
        self.core.owner.run_changed(operation);
        Ok(())
    }
}

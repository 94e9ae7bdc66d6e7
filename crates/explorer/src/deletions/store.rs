//! The deletions that can be undone.

use std::{collections::VecDeque, sync::Arc};

use sonde_auth::ServerCredentials;

use crate::{
    Connection,
    baselines::{Accepted, Baseline, Changed, DefinitionSubject},
    checks::{ChecksLeft, FormerCheck},
    core::DeletionNumber,
    diagnosis::DiagnosisRecord,
    drafts::DraftsOfServer,
    log::ClearedLog,
    operations::{FilesLeft, OperationRecord},
    presentations::Presentation,
    saved_inputs::SavedInput,
    servers::{FormerConfiguration, RemovedGroup, SecretInputs, ServerEntry, ServerId},
};

/// Number of deletions that can be undone: as many as a window offers to undo at once.
const DELETIONS: usize = 3;
/// Bytes of deleted operations and log entries kept; the newest deletion is kept whatever its size. Entries take room
/// from the budget of all logs, which cannot release them.
const BYTES: u64 = 256 * 1024 * 1024;

/// A deleted object, with all its data.
pub(crate) enum Deleted {
    /// Finished operations.
    Operations(Vec<OperationRecord>),
    /// A server with all that belongs to it.
    Server(Box<RemovedServer>),
    /// The entries of a server's wire log.
    Log(ServerId, Box<ClearedLog>),
    /// A saved input, with its place among all.
    SavedInput(usize, SavedInput),
    /// A presentation, with its place.
    Presentation(usize, Presentation),
    /// A group of servers, without them.
    Group(RemovedGroup),
    /// A step of a suite, its stored values, or a path that it compared.
    Check(Arc<FormerCheck>),
    /// A server's configuration that was replaced.
    Configuration(Box<FormerConfiguration>),
    /// Definitions of a server in whose place others were accepted.
    Definitions(ServerId, Vec<(DefinitionSubject, Accepted)>),
}

/// A server that was removed, with all that was known of it.
pub(crate) struct RemovedServer {
    pub(super) entry: ServerEntry,
    /// Its place in the list.
    pub(super) index: usize,
    pub(super) connection: Connection,
    /// Definitions that differ from the accepted ones.
    pub(super) changed: Arc<Changed>,
    pub(super) diagnosis: Option<DiagnosisRecord>,
    pub(super) drafts: DraftsOfServer,
    pub(super) baseline: Baseline,
    pub(super) saved_inputs: Vec<SavedInput>,
    pub(super) secrets: SecretInputs,
    pub(super) credentials: Option<ServerCredentials>,
    pub(super) files: FilesLeft,
    pub(super) checks: ChecksLeft,
}

impl From<FormerCheck> for Deleted {
    fn from(former: FormerCheck) -> Self {
        Self::Check(Arc::new(former))
    }
}

impl From<FormerConfiguration> for Deleted {
    fn from(former: FormerConfiguration) -> Self {
        Self::Configuration(Box::new(former))
    }
}

impl From<RemovedGroup> for Deleted {
    fn from(removed: RemovedGroup) -> Self {
        Self::Group(removed)
    }
}

impl From<(ServerId, Vec<(DefinitionSubject, Accepted)>)> for Deleted {
    fn from((server, before): (ServerId, Vec<(DefinitionSubject, Accepted)>)) -> Self {
        Self::Definitions(server, before)
    }
}

impl Deleted {
    fn bytes(&self) -> u64 {
        match self {
            Self::Operations(operations) => operations.iter().map(OperationRecord::size).sum(),
            Self::Server(server) => server.connection.read(|state| state.operations.bytes()),
            Self::Log(_, entries) => entries.held(),
            // Bounded where they are kept.
            Self::Group(_)
            | Self::Configuration(_)
            | Self::Definitions(..)
            | Self::Check(_)
            | Self::SavedInput(..)
            | Self::Presentation(..) => 0,
        }
    }
}

/// The deletions that can be undone, the oldest first.
#[derive(Default)]
pub(crate) struct Deletions {
    kept: VecDeque<(DeletionNumber, Deleted)>,
    last: DeletionNumber,
}

impl Deletions {
    /// Stores a deleted object, and drops the oldest beyond the limits.
    pub(crate) fn keep(&mut self, deleted: Deleted) -> DeletionNumber {
        self.last += 1;
        self.kept.push_back((self.last, deleted));
        self.drop_oldest();
        self.last
    }

    fn drop_oldest(&mut self) {
        while self.kept.len() > DELETIONS || (self.kept.len() > 1 && self.bytes() > BYTES) {
            self.kept.pop_front();
        }
    }

    /// Keeps a presentation of this place that is being replaced.
    pub(crate) fn keep_presentation(
        &mut self,
        index: usize,
        presentation: Presentation,
    ) -> DeletionNumber {
        self.keep(Deleted::Presentation(index, presentation))
    }

    /// Returns a deletion; `None` when the time to undo it is over.
    pub(super) fn get(&self, deletion: DeletionNumber) -> Option<&Deleted> {
        let mut kept = self.kept.iter();
        kept.find_map(|(number, deleted)| (*number == deletion).then_some(deleted))
    }

    /// Takes it out, to be restored or dropped.
    pub(super) fn take(&mut self, deletion: DeletionNumber) -> Option<Deleted> {
        let index = self
            .kept
            .iter()
            .position(|(number, _)| *number == deletion)?;
        self.kept.remove(index).map(|(_, deleted)| deleted)
    }

    /// Puts back a deletion whose restoring failed, so that it can be tried again.
    pub(super) fn put_back(&mut self, deletion: DeletionNumber, deleted: Deleted) {
        let index = self.kept.partition_point(|(number, _)| *number < deletion);
        self.kept.insert(index, (deletion, deleted));
        self.drop_oldest();
    }

    /// Takes all out.
    pub(crate) fn take_all(&mut self) -> VecDeque<(DeletionNumber, Deleted)> {
        std::mem::take(&mut self.kept)
    }

    /// Returns the removed servers that can be restored, with their connections.
    pub(crate) fn servers(&self) -> Vec<(ServerId, Connection)> {
        let kept = self.kept.iter().filter_map(|(_, deleted)| match deleted {
            Deleted::Server(removed) => {
                Some((removed.entry.id.clone(), removed.connection.clone()))
            }
            _ => None,
        });
        kept.collect()
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().map(|(_, deleted)| deleted.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use sonde_mcp::OperationRequest;

    use super::*;
    use crate::{
        log::{LogLimits, WireLog},
        operations::{NewOperation, OperationInput},
    };

    fn runs(bytes: usize) -> Deleted {
        let record = OperationRecord::new(NewOperation {
            operation: 1,
            server: "s".to_owned(),
            generation: 1,
            input: OperationInput::default(),
            request: OperationRequest::tool("t", Some("x".repeat(bytes))),
            item: None,
            key: None,
        });
        Deleted::Operations(vec![record])
    }

    fn log(bytes: usize) -> Deleted {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.note("x".repeat(bytes));
        Deleted::Log("s".to_owned(), Box::new(log.clear().unwrap()))
    }

    #[test]
    fn only_the_newest_deletions_can_be_undone() {
        let mut deletions = Deletions::default();
        for number in 1..=4 {
            assert_eq!(deletions.keep(runs(10)), number);
        }
        assert!(deletions.get(1).is_none());
        assert!(deletions.take(3).is_some() && deletions.take(3).is_none());
        // A large deletion replaces older ones, but is kept itself.
        let large = usize::try_from(BYTES).unwrap();
        assert_eq!(deletions.keep(runs(large)), 5);
        assert!(deletions.get(4).is_none() && deletions.get(5).is_some());
        assert_eq!(deletions.take_all().len(), 1);
        assert_eq!(deletions.keep(log(large)), 6);
        assert_eq!(deletions.keep(runs(10)), 7);
        assert!(deletions.get(6).is_none());
    }
}

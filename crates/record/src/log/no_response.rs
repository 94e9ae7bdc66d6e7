//! Requests without a response.

use sonde_wire::{Cause, MessageKind};

use super::LogNoResponse;
use super::ring::{Ring, Stored};

impl Stored {
    /// True if Sonde waited for a response and got none. Probes, requests for streams, and suggestions overtaken by
    /// typing may stay without one.
    pub(super) fn is_left_without_response(&self) -> bool {
        let may_go_without = matches!(
            self.label.cause,
            Some(Cause::Probe | Cause::Listen | Cause::Resume | Cause::Completion)
        );
        let is_wanted = !matches!(
            self.no_response,
            None | Some(
                LogNoResponse::Cancelled | LogNoResponse::Detection | LogNoResponse::SentAgain
            )
        );
        self.out && self.partner.is_none() && is_wanted && !may_go_without
    }
}

impl Ring {
    /// Marks requests of the current connection whose responses nobody waits for any more: those of an operation, or
    /// all of them.
    pub(super) fn end_requests(&mut self, of: Option<u64>, why: LogNoResponse) {
        let generation = self.generation();
        for seq in (self.first()..self.next()).rev() {
            let Some(entry) = self.get_mut(seq) else {
                return;
            };
            // The responses in a batch are not matched to requests, so earlier requests may have theirs.
            let is_batch = !entry.out && entry.label.kind == Some(MessageKind::Batch);
            if entry.generation != generation || is_batch {
                return;
            }
            let is_meant = of.is_none_or(|of| entry.out && entry.label.operation == Some(of));
            if is_meant
                && entry.label.kind == Some(MessageKind::Request)
                && entry.partner.is_none()
                && entry.no_response.is_none()
            {
                entry.no_response = Some(why);
                self.changed.push(seq);
            }
        }
    }
}

//! Requests that are left without a response.

use sonde_wire::{Cause, MessageKind};

use super::LogNoResponse;
use super::ring::{Ring, Stored};

impl Stored {
    /// Sonde waited for a response and got none. A question what the server speaks, what asks for messages
    /// as long as they come, and suggestions that typing overtook may go without one.
    pub(super) fn is_left_without_response(&self) -> bool {
        let may_go_without = matches!(
            self.label.cause,
            Some(Cause::Probe | Cause::Listen | Cause::Resume | Cause::Completion)
        );
        let is_wanted = !matches!(
            self.no_response,
            None | Some(LogNoResponse::Cancelled | LogNoResponse::Detection)
        );
        self.out && self.partner.is_none() && is_wanted && !may_go_without
    }
}

impl Ring {
    /// Nobody waits any more for the responses to these requests of the present connection: those of
    /// an operation, or all of them.
    pub(super) fn end_requests(&mut self, of: Option<u64>, why: LogNoResponse) {
        let generation = self.generation();
        for seq in (self.first()..self.next()).rev() {
            let Some(entry) = self.get_mut(seq) else {
                return;
            };
            // Nothing ties the responses of a batch to their requests: those before it may have theirs.
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

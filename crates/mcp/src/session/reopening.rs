//! The server forgot the session: a new one is begun, and nothing is repeated.

use sonde_wire::Cause;

use super::{actor::Actor, deadlines::Alarm, exchanges::Loss, stage::Step};
use crate::{CloseReason, Event, Revision};

/// How often in a row, without a request that succeeded in between. A server that forgets every
/// session at once would otherwise be asked for ever.
const LIMIT: u32 = 3;

impl Actor {
    /// "When a client receives HTTP 404 in response to a request containing an `Mcp-Session-Id`, it
    /// MUST start a new session by sending a new `InitializeRequest` without a session ID attached"
    /// (transports, Session Management).
    pub(super) fn session_forgotten(&mut self) {
        if self.reopened >= LIMIT {
            return self.end(CloseReason::SessionForgotten);
        }
        if !self.step(Step::Forgotten) {
            return;
        }
        self.reopened += 1;
        let times = self.reopened;
        self.note(
            "The server no longer knows the session (HTTP 404): opening a new one. Pending \
             requests are lost and not repeated."
                .to_owned(),
            Cause::Lifecycle,
            None,
        );
        self.report(Event::Reopening { times });
        self.deadlines.disarm(Alarm::Relist);
        self.deadlines.disarm(Alarm::Initialized);
        self.opening.initialized = None;
        self.end_streams();
        for id in self.pending.ids() {
            self.abandon(id);
            self.lose(id, Loss::Forgotten);
        }
        // Whatever still lies here carries the id that the server does not know any more.
        self.outbox
            .retain(|command| !matches!(command, sonde_wire::Command::Send(_)));
        self.lists.forget_reading();
        self.degraded(None);
        let offer = self.opening.offered.unwrap_or(Revision::NEWEST_LEGACY);
        self.send_initialize(offer, self.opening.exact);
    }

    /// The server answered a request of this session: it is not one that forgets at once.
    pub(super) fn remembered(&mut self) {
        self.reopened = 0;
    }
}

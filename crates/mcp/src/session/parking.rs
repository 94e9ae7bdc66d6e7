//! Requests that wait for permission: the server refused them for want of a token, and they are
//! sent once more when there is one. Meanwhile no clock runs against the server.

use sonde_wire::ExchangeId;
use tokio::time::Instant;

use super::{
    actor::Actor,
    deadlines::{Alarm, later},
};
use crate::CallEvent;

/// The stream or socket that carries everything, where there is one.
const CONNECTION: ExchangeId = ExchangeId(0);

impl Actor {
    /// An exchange begins or ends to wait.
    pub(super) fn park(&mut self, exchange: ExchangeId, parked: bool) {
        let changed = match parked {
            true => self.parked.insert(exchange),
            false => self.parked.remove(&exchange),
        };
        if !changed {
            return;
        }
        tracing::debug!(exchange = exchange.0, parked, "waits for permission");
        let ExchangeId(id) = self.origin(exchange);
        if self.pending.get(id).is_some() {
            self.park_request(id, parked);
        } else if exchange == CONNECTION {
            // Everything else waits for it.
            for id in self.pending.ids() {
                if !self.is_parked(id) {
                    self.park_request(id, parked);
                }
            }
        }
        if !parked {
            self.postpone_opening();
        }
    }

    fn park_request(&mut self, id: u64, parked: bool) {
        let now = Instant::now();
        let Some(request) = self.pending.get_mut(id) else {
            return;
        };
        match parked {
            true => request.limits.park(now),
            false => request.limits.unpark(now),
        }
        let due = request.limits.due();
        let (idle, hard) = request.limits.remaining(now);
        let call = request.purpose.call();
        self.deadlines.arm(Alarm::Request(id), due);
        if let Some(call) = call {
            self.report_call(call, CallEvent::Parked { parked });
            if !parked {
                self.report_call(call, CallEvent::Extended { idle, hard });
            }
        }
    }

    /// Whether a request waits for permission: nothing was accepted by the server.
    pub(super) fn is_parked(&self, id: u64) -> bool {
        self.parked.contains(&ExchangeId(id))
    }

    /// An alarm of the opening went off, or somebody stopped waiting for permission. `true` when it
    /// does not count: somebody waits, and the alarm was set anew.
    pub(super) fn opening_waits(&mut self, alarm: Alarm) -> bool {
        if self.parked.is_empty() {
            return false;
        }
        let limit = self.options.timeouts.handshake;
        self.deadlines.arm(alarm, later(Instant::now(), limit));
        true
    }

    /// What the opening waits for gets its whole time once more.
    fn postpone_opening(&mut self) {
        for alarm in [Alarm::Handshake, Alarm::Initialized] {
            if self.deadlines.is_armed(alarm) {
                let limit = self.options.timeouts.handshake;
                self.deadlines.arm(alarm, later(Instant::now(), limit));
            }
        }
    }
}

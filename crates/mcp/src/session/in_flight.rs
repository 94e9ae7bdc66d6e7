//! Steps of a request in flight: sent, waiting for authorization or for the user, cancelled, ended.

use std::sync::Arc;

use sonde_wire::{Cause, ExchangeId, Label, MessageKind, StreamEnd};
use tokio::time::Instant;

use super::{
    context::Context,
    deadlines::Alarm,
    purpose::Purpose,
    requests::PendingRequest,
    response::Loss,
    time_limits::{CANCEL_GRACE, Expiry, Limits, Pause},
};
use crate::{
    Event, NoResponse, OperationEvent,
    protocol::{EncodedRequest, Protocol, Request, handshake},
};

/// The single connection of transports that have one, as an exchange.
const CONNECTION: ExchangeId = ExchangeId(0);

impl Context {
    /// Sends a request with the session's usual limits and parameters that are JSON text.
    pub(super) fn ask(
        &mut self,
        purpose: Purpose,
        method: &str,
        params: Option<&str>,
        cause: Cause,
    ) -> u64 {
        let limits = Limits::usual(&self.options.timeouts);
        let request = Request {
            params,
            ..Request::bare(method)
        };
        self.send_request(purpose, limits, cause, &request)
    }

    /// Sends a request of the session's protocol.
    pub(super) fn send_request(
        &mut self,
        purpose: Purpose,
        limits: Limits,
        cause: Cause,
        request: &Request<'_>,
    ) -> u64 {
        let encode = |protocol: &Protocol, id| protocol.request(id, request);
        self.send_encoded(purpose, request.method, limits, cause, encode)
    }

    /// Sends a request; `encode` makes the message for an id.
    pub(super) fn send_encoded(
        &mut self,
        purpose: Purpose,
        method: &str,
        limits: Limits,
        cause: Cause,
        encode: impl FnOnce(&Protocol, u64) -> EncodedRequest,
    ) -> u64 {
        let method = self.name(method);
        let request = PendingRequest::new(purpose, Arc::clone(&method), limits);
        let id = self.requests.add(request);
        let label = Label {
            kind: Some(MessageKind::Request),
            method: Some(Arc::clone(&method)),
            id: self.requests.get(id).map(|request| Arc::clone(&request.id)),
            operation: purpose.operation().map(|operation| operation.0),
            cause: Some(cause),
            ..Label::default()
        };
        self.deadlines.arm(Alarm::Request(id), limits.due());
        tracing::debug!(id, method = &*method, "request");
        let encoded = encode(&self.protocol, id);
        self.post(ExchangeId(id), encoded.text, encoded.headers, label);
        id
    }

    /// Takes a request out and remembers it as ended.
    pub(super) fn end_request(&mut self, id: u64, answered: bool) -> Option<PendingRequest> {
        let request = self.requests.take(id, answered)?;
        self.deadlines.disarm(Alarm::Request(id));
        Some(request)
    }

    /// Takes out a request whose response nobody waits for any more, and reports why.
    pub(super) fn give_up_request(&mut self, id: u64, why: NoResponse) -> Option<PendingRequest> {
        let request = self.end_request(id, false)?;
        self.report_no_response(&request, why);
        Some(request)
    }

    /// Reports that nobody waits for the response to this request any more, unless it is an operation's.
    pub(super) fn report_no_response(&mut self, request: &PendingRequest, why: NoResponse) {
        if !matches!(request.purpose, Purpose::Operation(_)) {
            let request = Arc::clone(&request.id);
            self.report(Event::NoResponse { request, why });
        }
    }

    // Deadlines.

    /// Changes the limits of a pending request, and arms its alarm for them.
    fn change_limits<T>(&mut self, id: u64, change: impl FnOnce(&mut Limits) -> T) -> Option<T> {
        let limits = &mut self.requests.get_mut(id)?.limits;
        let changed = change(limits);
        self.deadlines.arm(Alarm::Request(id), limits.due());
        Some(changed)
    }

    /// A request's alarm went off: takes it out when a limit has passed, or waits on.
    pub(super) fn expire(&mut self, id: u64, now: Instant) -> Option<(PendingRequest, Expiry)> {
        let limits = self.requests.get(id)?.limits;
        let Some(expiry) = limits.expired(now) else {
            self.deadlines.arm(Alarm::Request(id), limits.due());
            return None;
        };
        Some((self.end_request(id, false)?, expiry))
    }

    /// Restarts the clocks after the user's answer, the idle clock from zero.
    pub(super) fn user_answered(&mut self, id: u64) {
        let now = Instant::now();
        let Some(request) = self.requests.get_mut(id) else {
            return;
        };
        let before = request.limits.hard_at();
        if request.limits.resume(now, Pause::User) {
            self.deadlines.arm(Alarm::Request(id), request.limits.due());
            if let Purpose::Operation(operation) = request.purpose
                && request.limits.hard_at() != before
            {
                let (idle, hard) = request.limits.remaining(now);
                self.report_operation(operation, OperationEvent::Extended { idle, hard });
            }
        }
    }

    /// Starts the idle clock again, from its beginning.
    pub(super) fn release(&mut self, id: u64) {
        self.change_limits(id, |limits| limits.release(Instant::now()));
    }

    /// Starts the grace period of a cancelled request; false if it has started before.
    pub(super) fn cancel_request(&mut self, id: u64) -> bool {
        self.requests.note_cancelled(id);
        self.change_limits(id, |limits| limits.cancel(Instant::now(), CANCEL_GRACE))
            .unwrap_or_default()
    }

    /// Sets the limits of a pending request.
    pub(super) fn limit(&mut self, id: u64, new: Limits) {
        self.change_limits(id, |limits| *limits = new);
    }

    // Authorization.

    /// Notes that an exchange begins or stops waiting for authorization: the server refused it for lack of a token, and
    /// it is sent again when there is one. Meanwhile no clock runs. `request` is the request that the exchange belongs
    /// to. Returns false if nothing changed.
    pub(super) fn park(&mut self, exchange: ExchangeId, request: u64, parked: bool) -> bool {
        if !self.requests.note_parked(exchange, parked) {
            return false;
        }
        tracing::debug!(exchange = exchange.0, parked, "waits for authorization");
        if self.requests.get(request).is_some() {
            self.park_request(request, parked);
        } else if exchange == CONNECTION {
            // The single connection waits, and all requests with it.
            for id in self.requests.ids() {
                if !self.requests.is_parked(id) {
                    self.park_request(id, parked);
                }
            }
        }
        true
    }

    fn park_request(&mut self, id: u64, parked: bool) {
        let now = Instant::now();
        let remaining = self.change_limits(id, |limits| {
            match parked {
                true => limits.pause(now, Pause::Authorization),
                false => {
                    limits.resume(now, Pause::Authorization);
                }
            }
            limits.remaining(now)
        });
        let purpose = self.requests.get(id).map(|request| request.purpose);
        let Some(((idle, hard), purpose)) = remaining.zip(purpose) else {
            return;
        };
        if let Some(operation) = purpose.operation() {
            self.report_operation(operation, OperationEvent::Parked { parked });
            // The limits of a task are those of its operation.
            if !parked && matches!(purpose, Purpose::Operation(_)) {
                self.report_operation(operation, OperationEvent::Extended { idle, hard });
            }
        }
    }

    // HTTP.

    /// Returns true if the response to a pending request rejects its session id as unknown: "a client that receives
    /// HTTP 404 in response to a request containing an `Mcp-Session-Id` MUST start a new session" (transports, Session
    /// Management). `initialize` has no session id.
    pub(super) fn is_forgotten(&self, id: u64) -> bool {
        self.protocol.session_id().is_some()
            && self.requests.get(id).is_some_and(|request| {
                request.purpose != Purpose::Initialize
                    && request.http.as_ref().is_some_and(|http| http.status == 404)
            })
    }

    /// Handles a body in the response to a pending request: notes a rejection of the session with HTTP 400.
    pub(super) fn note_rejection(&mut self, id: u64, body: &str) {
        if !self.is_ready() || self.protocol.handshake().is_none() {
            return;
        }
        let http = self.requests.get_mut(id).and_then(|one| one.http.as_mut());
        if let Some(http) = http.filter(|http| http.status == 400) {
            http.session_rejection = handshake::session_rejection(body);
        }
    }

    /// Returns the reason why no response comes for a pending request whose exchange is over.
    pub(super) fn loss(&mut self, id: u64, end: StreamEnd) -> Option<Loss> {
        let request = self.requests.get_mut(id)?;
        let cancelled = request.limits.is_cancelled();
        Some(match (request.http.take(), end) {
            (Some(http), end) => http.into_loss(end, self.protocol.is_stateless(), cancelled),
            (None, StreamEnd::Failed(error)) => Loss::Exchange(error),
            (None, _) => Loss::NoAnswer,
        })
    }
}

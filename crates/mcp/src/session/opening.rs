//! The handshake, seen from the actor.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_wire::{Cause, ExchangeId, Finding, Header, Label, MessageKind, Seq};
use tokio::time::{Duration, Instant};

use super::{
    actor::Actor,
    deadlines::{Alarm, later},
    envelope::{ErrorObject, finding},
    exchanges::{Loss, is_success},
    pending::{Limits, PendingRequest, Purpose},
    stage::{Stage, Step},
};
use crate::{
    CloseReason, Event, LogLevel, Negotiated, OpenFailure, Phase, Revision,
    protocol::{
        EncodedRequest, Protocol, Request,
        detection::{self, Plan, Probe},
        legacy,
    },
};

/// How long a server may take to acknowledge `notifications/initialized` before its silence is
/// taken for consent.
const ACKNOWLEDGED: Duration = Duration::from_secs(5);

/// What the handshake needs to remember.
#[derive(Debug, Default)]
pub(super) struct Opening {
    pub(super) offered: Option<Revision>,
    /// No other revision will do.
    pub(super) exact: bool,
    /// The id of the request that the session's beginning waits for.
    pub(super) request: u64,
    /// The question what the server speaks, while it is not answered.
    pub(super) probe: Option<Probe>,
    /// `notifications/initialized` is on its way, and everything else waits for it.
    pub(super) initialized: Option<Initialized>,
}

/// The last message of the handshake, and what follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Initialized {
    exchange: ExchangeId,
    tools: bool,
    logging: bool,
}

impl Actor {
    /// Begins as the options say.
    pub(super) fn begin(&mut self) {
        match detection::plan(&self.options) {
            Plan::Handshake { offer, exact } => self.send_initialize(offer, exact),
            Plan::Command(asked) => self.inquire(asked),
        }
    }

    /// Offers a revision, `exact` if no other will do. Until it is answered nothing else is sent
    /// but answers to pings (lifecycle, Initialization).
    pub(super) fn send_initialize(&mut self, offered: Revision, exact: bool) {
        self.protocol = Protocol::default();
        self.opening.offered = Some(offered);
        self.opening.exact = exact;
        self.report(Event::Phase(Phase::Opening));
        let now = Instant::now();
        let limit = self.options.timeouts.handshake;
        self.deadlines.arm(Alarm::Handshake, later(now, limit));
        let client = self.options.client.clone();
        let capabilities = self.options.capabilities.clone();
        let id = self.request(
            Purpose::Initialize,
            "initialize",
            Limits::new(now, limit, limit),
            Cause::Lifecycle,
            |_, id| EncodedRequest {
                text: legacy::initialize(id, offered, &client, &capabilities),
                headers: Vec::new(),
            },
        );
        // `Alarm::Handshake` covers it. It must not be cancelled either (cancellation, Behavior
        // Requirements).
        self.deadlines.disarm(Alarm::Request(id));
        self.opening.request = id;
    }

    /// Keeps the session id that comes with the answer's head.
    pub(super) fn handshake_head(&mut self, status: u16, headers: &[Header], seq: Seq) {
        if !is_success(status) {
            return;
        }
        match legacy::read_session_id(headers) {
            Ok(id) => {
                if let Some(legacy) = self.protocol.legacy_mut() {
                    legacy.session_id = id;
                }
            }
            Err(_) => self.remark(
                seq,
                finding(
                    "bad-session-id",
                    "The session ID contains characters other than visible ASCII; it is not used.",
                ),
            ),
        }
    }

    pub(super) fn handshake_answered(
        &mut self,
        answer: Result<&RawValue, ErrorObject>,
        request: &PendingRequest,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        self.deadlines.disarm(Alarm::Handshake);
        let sent = request.sent;
        let http = request.http.as_deref();
        let accepted = match answer {
            Ok(result) => legacy::accept(result).and_then(|accepted| self.required(accepted)),
            Err(error)
                if self.handshake_refused_as_stateless(
                    error.code,
                    error.data.as_deref(),
                    sent,
                    seq,
                ) =>
            {
                return;
            }
            // There is no such thing as a message at this address; who says so in a message of its
            // own says no more.
            Err(error) if http.is_some_and(|http| matches!(http.status, 404 | 405)) => {
                Err(OpenFailure::Http {
                    status: http.map_or(0, |http| http.status),
                    content_type: http.and_then(|http| http.content_type.clone()),
                    snippet: error.message,
                })
            }
            Err(error) => Err(OpenFailure::Rejected {
                code: error.code,
                message: error.message,
                data: error.data,
                http: http.map(|http| http.status),
            }),
        };
        let accepted = match accepted {
            Ok(accepted) => accepted,
            Err(failure) => return self.handshake_failed(failure),
        };
        if !self.step(Step::Opened) {
            return;
        }
        findings.extend(accepted.findings);
        if let Some(legacy) = self.protocol.legacy_mut() {
            legacy.revision = Some(accepted.revision);
        }
        let handshake = sent.elapsed();
        self.report(Event::Negotiated(Arc::new(Negotiated {
            revision: accepted.revision.as_str(),
            era: accepted.revision.era(),
            supported: Vec::new(),
            session: self
                .protocol
                .session_id()
                .map(legacy::SessionId::fingerprint),
            offered: self.opening.offered.unwrap_or(accepted.revision).as_str(),
            server: accepted.server,
            capabilities: accepted.capabilities,
            tools: accepted.tools,
            instructions: accepted.instructions,
            handshake_ms: u64::try_from(handshake.as_millis()).unwrap_or(u64::MAX),
        })));
        self.report(Event::Phase(Phase::Ready));
        let exchange = self.send_notification(
            "notifications/initialized",
            legacy::INITIALIZED.to_owned(),
            Cause::Lifecycle,
            None,
        );
        self.opening.initialized = Some(Initialized {
            exchange,
            tools: accepted.tools,
            logging: accepted.logging,
        });
        if http.is_some() {
            // Each message is a request of its own there, and two of them may overtake each other:
            // a server that sees a request first may refuse it as too early (lifecycle,
            // Initialization).
            self.deadlines
                .arm(Alarm::Initialized, later(Instant::now(), ACKNOWLEDGED));
        } else {
            self.initialized_acknowledged();
        }
    }

    /// Something became of this exchange: if it carried the initialized, the server has it.
    pub(super) fn acknowledged(&mut self, exchange: ExchangeId) {
        if self
            .opening
            .initialized
            .is_some_and(|initialized| initialized.exchange == exchange)
        {
            self.initialized_acknowledged();
        }
    }

    /// Nothing holds the session up any more.
    pub(super) fn initialized_acknowledged(&mut self) {
        self.deadlines.disarm(Alarm::Initialized);
        let Some(initialized) = self.opening.initialized.take() else {
            return;
        };
        if self.stage != Stage::Ready {
            return;
        }
        self.open_listener();
        if let Some(level) = self.options.log_level.filter(|_| initialized.logging) {
            self.set_log_level(level, Cause::Lifecycle);
        }
        if initialized.tools {
            self.refresh_tools(Cause::Lifecycle);
        }
    }

    pub(super) fn handshake_lost(&mut self, loss: Loss) {
        self.handshake_failed(loss.into_open_failure());
    }

    pub(super) fn handshake_timed_out(&mut self) {
        if self.opening.probe.is_some() {
            return self.inquiry_timed_out();
        }
        self.pending.end(self.opening.request, false);
        self.handshake_failed(OpenFailure::TimedOut);
    }

    /// Keeps to the revision that was asked for, if it was one alone.
    fn required(&self, accepted: legacy::Accepted) -> Result<legacy::Accepted, OpenFailure> {
        match self.opening.offered {
            Some(offered) if self.opening.exact && offered != accepted.revision => {
                Err(OpenFailure::UnknownRevision {
                    answered: accepted.revision.to_string(),
                })
            }
            _ => Ok(accepted),
        }
    }

    fn handshake_failed(&mut self, failure: OpenFailure) {
        self.end(CloseReason::OpenFailed(failure));
    }

    /// Sends a notification.
    pub(super) fn send_notification(
        &mut self,
        method: &str,
        text: String,
        cause: Cause,
        call: Option<crate::CallId>,
    ) -> ExchangeId {
        let method = self.name(method);
        self.send(
            text,
            Label {
                kind: Some(MessageKind::Notification),
                method: Some(method),
                call: call.map(|call| call.0),
                cause: Some(cause),
                ..Label::default()
            },
        )
    }

    /// Asks for log messages of `level` and above.
    pub(super) fn set_log_level(&mut self, level: LogLevel, cause: Cause) {
        if self.stage != Stage::Ready {
            return self.log_level_failed("the session is closing");
        }
        // A stateless server is told with every request (logging).
        if self.protocol.takes_level(level) {
            return;
        }
        let limits = self.usual_limits();
        let params = legacy::level_params(level);
        let request = Request {
            params: Some(&params),
            ..Request::bare("logging/setLevel")
        };
        self.send_request(Purpose::SetLevel, limits, cause, &request);
    }

    pub(super) fn log_level_failed(&mut self, why: &str) {
        let message = format!("The log level was not set: {why}.");
        self.report(Event::LogLevelFailed { message });
    }
}

//! Probing of a server's era (versioning, Discovery). `protocol/detection` decides what a reply proves.

use sonde_wire::{Carrier, Cause, Closed, Finding, Seq};
use tokio::time::Instant;

use super::{
    context::Context,
    deadlines::Alarm,
    http_response::HttpResponse,
    purpose::Purpose,
    requests::Answered,
    response::{Loss, Response},
    time_limits::Limits,
};
use crate::{
    Era, NoResponse, OpenFailure, Revision,
    protocol::{
        Protocol, Request,
        detection::{self, Detection, Probe, ProbeReply, Verdict},
        stateless::{self, Discovered, Stateless},
    },
};

/// The probe, while it is not answered.
#[derive(Debug, Default)]
pub(super) struct Probing {
    probe: Option<Probe>,
    request: u64,
    /// The last probe was not answered in time.
    silent: bool,
}

/// Next steps after a probe.
#[derive(Debug)]
pub(super) enum ProbeOutcome {
    /// Use the stateless protocol, with the server's self-description, if it gave one.
    Stateless {
        revision: Revision,
        discovered: Option<Discovered>,
        sent: Instant,
    },
    /// Send `initialize`; `Some` offers exactly this protocol version.
    Handshake(Option<Revision>),
    Failed(OpenFailure),
    /// Wait: the server is being probed again, or the end of the transport will give the reason.
    Waits,
}

impl Probing {
    /// Sends a probe to the server.
    pub(super) fn start(&mut self, ctx: &mut Context, probe: Probe) {
        let revision = probe.revision;
        ctx.protocol = Protocol::Stateless(Stateless::new(revision, &ctx.options));
        if !probe.again {
            ctx.report_detection(
                "discover",
                format!("Probing the server with {revision}."),
                None,
                None,
            );
            // On a pipe, silence proves something, and soon. Over HTTP it proves nothing, and neither does it if no
            // other attempt may follow.
            let timeouts = ctx.options.timeouts;
            let limit = if ctx.carrier == Carrier::Pipe && probe.fallback {
                timeouts.probe
            } else {
                timeouts.handshake
            };
            ctx.deadlines.arm_in(Alarm::Handshake, limit);
        }
        let limit = ctx.options.timeouts.handshake;
        self.request = ctx.send_request(
            Purpose::Discover,
            Limits::new(Instant::now(), limit, limit),
            Cause::Probe,
            &Request::bare(stateless::DISCOVER),
        );
        // `Alarm::Handshake` covers it.
        ctx.deadlines.disarm(Alarm::Request(self.request));
        self.probe = Some(probe);
        self.silent = false;
    }

    /// True if the server has not responded so far, possibly because it was still starting.
    pub(super) fn was_silent(&self) -> bool {
        self.silent
    }

    /// True while a probe is in flight.
    pub(super) fn is_under_way(&self) -> bool {
        self.probe.is_some()
    }

    /// Returns true while the era of the server is unknown.
    pub(super) fn is_undecided(&self) -> bool {
        self.probe.is_some_and(|probe| probe.fallback)
    }

    pub(super) fn request(&self) -> u64 {
        self.request
    }

    pub(super) fn answered(
        &mut self,
        ctx: &mut Context,
        answered: Answered<'_>,
        findings: &mut Vec<Finding>,
    ) -> ProbeOutcome {
        let Some(probe) = self.probe.take() else {
            return ProbeOutcome::Waits;
        };
        let Answered {
            request,
            response,
            seq,
        } = answered;
        let http = request.http.as_deref();
        let reply = match &response {
            Response::Result(result) => ProbeReply::Result(result),
            Response::Error(error) => ProbeReply::Error {
                code: error.code,
                data: error.data.as_deref(),
            },
            Response::Unreadable(_) => ProbeReply::Gibberish,
        };
        let detection = detection::judge(&probe, &reply, http.map(|http| http.status));
        let failure = || match response {
            Response::Error(error) => match http.filter(|http| is_no_verdict(http)) {
                Some(http) => OpenFailure::Http {
                    status: http.status,
                    content_type: http.content_type.clone(),
                    snippet: error.message,
                },
                None => OpenFailure::Rejected {
                    code: error.code,
                    message: error.message,
                    data: error.data,
                    // The response belongs to another request: it proves nothing about the transport.
                    http: None,
                },
            },
            other => OpenFailure::BadShape {
                problem: format!("`server/discover`: {}", other.problem()),
            },
        };
        let mut probed = self.follow(ctx, probe, detection, request.sent, Some(seq), failure);
        if let ProbeOutcome::Stateless {
            discovered: Some(discovered),
            ..
        } = &mut probed
        {
            findings.append(&mut discovered.introduction.findings);
        }
        probed
    }

    /// Handles the loss of the response to the probe.
    pub(super) fn on_lost(&mut self, ctx: &mut Context, sent: Instant, loss: Loss) -> ProbeOutcome {
        let Some(probe) = self.probe.take() else {
            return ProbeOutcome::Waits;
        };
        let status = match loss {
            Loss::Http { status, .. } => Some(status),
            // A pipe that takes nothing is about to end, or has.
            Loss::Exchange(error) if ctx.carrier == Carrier::Pipe && probe.fallback => {
                return ProbeOutcome::Failed(OpenFailure::EndedWhileAsked(Closed::Failed(error)));
            }
            // Proves nothing about the server; the owner of the session gets the error.
            Loss::Exchange(error) => return ProbeOutcome::Failed(OpenFailure::Exchange(error)),
            // The end of the transport will give the reason.
            Loss::TransportGone => {
                self.probe = Some(probe);
                return ProbeOutcome::Waits;
            }
            _ => None,
        };
        let detection = detection::judge(&probe, &ProbeReply::Gibberish, status);
        let failure = || loss.into_open_failure();
        self.follow(ctx, probe, detection, sent, None, failure)
    }

    /// The probe was not answered in time.
    pub(super) fn timed_out(&mut self, ctx: &mut Context) -> ProbeOutcome {
        let Some(probe) = self.probe.take() else {
            return ProbeOutcome::Waits;
        };
        self.silent = true;
        let request = ctx.give_up_request(self.request, NoResponse::TimedOut);
        if ctx.carrier == Carrier::Http || !probe.fallback {
            ctx.abandon(sonde_wire::ExchangeId(self.request));
            return ProbeOutcome::Failed(OpenFailure::TimedOut);
        }
        let detection = detection::judge(&probe, &ProbeReply::Silence, None);
        let sent = request.map_or_else(Instant::now, |request| request.sent);
        self.follow(ctx, probe, detection, sent, None, || OpenFailure::TimedOut)
    }

    /// Reports the verdict on the reply to a probe, and probes again if necessary.
    fn follow(
        &mut self,
        ctx: &mut Context,
        probe: Probe,
        detection: Detection,
        sent: Instant,
        seq: Option<Seq>,
        failure: impl FnOnce() -> OpenFailure,
    ) -> ProbeOutcome {
        let proven = match &detection.verdict {
            Verdict::Stateless(..) | Verdict::AskAgain(_) => Some(Era::Stateless),
            Verdict::Handshake(_) => Some(Era::Handshake),
            Verdict::NoneInCommon(_) | Verdict::Undecided => None,
        };
        ctx.report_detection(detection.code, detection.sentence, proven, seq);
        match detection.verdict {
            Verdict::Stateless(revision, discovered) => ProbeOutcome::Stateless {
                revision,
                discovered,
                sent,
            },
            Verdict::AskAgain(revision) => {
                let probe = Probe {
                    revision,
                    again: true,
                    ..probe
                };
                self.start(ctx, probe);
                ProbeOutcome::Waits
            }
            Verdict::Handshake(offer) => ProbeOutcome::Handshake(offer),
            Verdict::NoneInCommon(named) => ProbeOutcome::Failed(OpenFailure::UnknownRevision {
                answered: named.join(", "),
            }),
            Verdict::Undecided => ProbeOutcome::Failed(failure()),
        }
    }
}

/// Returns true if the status alone decides, whatever the response says.
fn is_no_verdict(http: &HttpResponse) -> bool {
    !matches!(http.status, 200..=299 | 400 | 404)
}

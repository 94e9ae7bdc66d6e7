//! Finding out what the server speaks, seen from the actor. What an answer proves is decided in
//! `era/detect`.

use std::sync::Arc;

use sonde_wire::{Carrier, Cause, Closed, Finding, Seq};
use tokio::time::Instant;

use super::{
    actor::Actor,
    calls::{Answer, sentence},
    deadlines::{Alarm, later},
    exchanges::Loss,
    pending::{Http, Limits, PendingRequest, Purpose},
    stage::{Stage, Step},
};
use crate::{
    CloseReason, DetectionStep, Era, Event, Negotiated, OpenFailure, Phase, Revision,
    members::members,
    protocol::{
        Protocol, Request,
        detection::{self, Detection, Probe, ProbeReply, Verdict},
        modern::{self, Discovered, Modern},
    },
};

impl Actor {
    /// Asks the server what it speaks (versioning, Discovery).
    pub(super) fn inquire(&mut self, asked: Probe) {
        let revision = asked.revision;
        self.protocol = Protocol::Modern(Modern::new(revision, &self.options));
        if !asked.again {
            self.opening.offered = Some(revision);
            self.report(Event::Phase(Phase::Probing));
            self.detected(
                "discover",
                format!("Probing the server with {revision}."),
                None,
                None,
            );
            // On a pipe silence says something, and soon. Over HTTP it says nothing; nor does it
            // where no other attempt may follow.
            let timeouts = self.options.timeouts;
            let limit = if self.carrier == Carrier::Pipe && asked.fallback {
                timeouts.probe
            } else {
                timeouts.handshake
            };
            self.deadlines
                .arm(Alarm::Handshake, later(Instant::now(), limit));
        }
        let now = Instant::now();
        let limit = self.options.timeouts.handshake;
        let id = self.send_request(
            Purpose::Discover,
            Limits::new(now, limit, limit),
            Cause::Probe,
            &Request::bare(modern::DISCOVER),
        );
        // `Alarm::Handshake` covers it.
        self.deadlines.disarm(Alarm::Request(id));
        self.opening.request = id;
        self.opening.probe = Some(asked);
    }

    /// Whether it is still open which era the server speaks.
    pub(super) fn is_undecided(&self) -> bool {
        self.opening.probe.is_some_and(|asked| asked.fallback)
    }

    pub(super) fn inquiry_answered(
        &mut self,
        request: &PendingRequest,
        answer: Answer<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let Some(asked) = self.opening.probe.take() else {
            return;
        };
        let http = request.http.as_deref();
        let saw = match &answer {
            Answer::Result(result) => ProbeReply::Result(result),
            Answer::Error(error) => ProbeReply::Error {
                code: error.code,
                data: error.data.as_deref(),
            },
            Answer::Broken(_) => ProbeReply::Gibberish,
        };
        let judged = detection::judge(&asked, &saw, http.map(|http| http.status));
        let failure = || match answer {
            Answer::Error(error) => match http.filter(|http| is_no_verdict(http)) {
                Some(http) => OpenFailure::Http {
                    status: http.status,
                    content_type: http.content_type.clone(),
                    snippet: error.message,
                },
                None => OpenFailure::Rejected {
                    code: error.code,
                    message: error.message,
                    data: error.data,
                    // The answer to another question: it says nothing about the transport.
                    http: None,
                },
            },
            other => OpenFailure::BadShape {
                problem: format!("`server/discover`: {}", sentence(&other)),
            },
        };
        if let Some(found) = self.follow(asked, judged, request.sent, Some(seq), failure) {
            findings.extend(found);
        }
    }

    /// No answer to the question will come.
    pub(super) fn inquiry_lost(&mut self, sent: Instant, loss: Loss) {
        let Some(asked) = self.opening.probe.take() else {
            return;
        };
        let status = match &loss {
            Loss::Http { status, .. } => Some(*status),
            // A pipe that takes nothing is about to end, or has.
            Loss::Exchange(_) if self.carrier == Carrier::Pipe && asked.fallback => {
                let Loss::Exchange(error) = loss else { return };
                let failure = OpenFailure::EndedWhileAsked(Closed::Failed(error));
                return self.end(CloseReason::OpenFailed(failure));
            }
            // Says nothing about the server; the caller of the session hears of it.
            Loss::Exchange(_) => {
                return self.end(CloseReason::OpenFailed(loss.into_open_failure()));
            }
            // The end of the transport says why.
            Loss::TransportGone => {
                self.opening.probe = Some(asked);
                return;
            }
            _ => None,
        };
        let judged = detection::judge(&asked, &ProbeReply::Gibberish, status);
        self.follow(asked, judged, sent, None, || loss.into_open_failure());
    }

    /// The question was not answered in time.
    pub(super) fn inquiry_timed_out(&mut self) {
        let Some(asked) = self.opening.probe.take() else {
            return;
        };
        let request = self.pending.end(self.opening.request, false);
        if self.carrier == Carrier::Http || !asked.fallback {
            self.abandon(self.opening.request);
            return self.end(CloseReason::OpenFailed(OpenFailure::TimedOut));
        }
        let sent = request.map_or_else(Instant::now, |request| request.sent);
        let judged = detection::judge(&asked, &ProbeReply::Silence, None);
        self.follow(asked, judged, sent, None, || OpenFailure::TimedOut);
    }

    /// Does what a verdict says. Answers with findings about the answer.
    fn follow(
        &mut self,
        asked: Probe,
        judged: Detection,
        sent: Instant,
        seq: Option<Seq>,
        failure: impl FnOnce() -> OpenFailure,
    ) -> Option<Vec<Finding>> {
        let proven = match &judged.verdict {
            Verdict::Stateless(..) | Verdict::AskAgain(_) => Some(Era::Modern),
            Verdict::Handshake(_) => Some(Era::Legacy),
            Verdict::NoneInCommon(_) | Verdict::Undecided => None,
        };
        self.detected(judged.code, judged.sentence, proven, seq);
        match judged.verdict {
            Verdict::Stateless(revision, found) => return self.go_stateless(revision, found, sent),
            Verdict::AskAgain(revision) => self.inquire(Probe {
                revision,
                again: true,
                ..asked
            }),
            Verdict::Handshake(offer) => {
                self.deadlines.disarm(Alarm::Handshake);
                let offer = offer.or(self.options.offer);
                self.send_initialize(offer.unwrap_or(Revision::NEWEST_LEGACY), false);
            }
            Verdict::NoneInCommon(named) => {
                let answered = named.join(", ");
                self.end(CloseReason::OpenFailed(OpenFailure::UnknownRevision {
                    answered,
                }));
            }
            Verdict::Undecided => self.end(CloseReason::OpenFailed(failure())),
        }
        None
    }

    /// The handshake was refused in the words of the other era: a server that speaks nothing else.
    /// `false` when there is nothing to go on with.
    pub(super) fn handshake_refused_as_stateless(
        &mut self,
        code: i64,
        data: Option<&serde_json::value::RawValue>,
        sent: Instant,
        seq: Seq,
    ) -> bool {
        let Some(revision) = detection::refused_handshake(code, data) else {
            return false;
        };
        let allowed = self.options.era == crate::EraChoice::Automatic;
        let names = detection::supported(data).join(", ");
        let named = if names.is_empty() {
            "no version".to_owned()
        } else {
            names
        };
        let what = format!(
            "The server rejected the handshake with {code}, an error that only the stateless \
             protocol has, and listed {named}"
        );
        let sentence = if allowed {
            format!("{what}: continuing with {revision}.")
        } else {
            format!("{what}; the settings allow only the handshake.")
        };
        self.detected(
            "handshake-refused-as-stateless",
            sentence,
            Some(Era::Modern),
            Some(seq),
        );
        if allowed {
            self.go_stateless(revision, None, sent);
        }
        allowed
    }

    /// Nothing more is needed: every request says for itself what it needs.
    fn go_stateless(
        &mut self,
        revision: Revision,
        found: Option<Discovered>,
        sent: Instant,
    ) -> Option<Vec<Finding>> {
        self.deadlines.disarm(Alarm::Handshake);
        if !self.step(Step::Opened) {
            return None;
        }
        self.protocol = Protocol::Modern(Modern::new(revision, &self.options));
        let handshake = sent.elapsed();
        let blind = found.is_none();
        let found = found.unwrap_or_else(Discovered::nothing);
        let [tools] = members(found.capabilities.get(), &["tools"])
            .map_or([false], |read| read.values.map(declared));
        let tools = tools || blind;
        let capabilities = Arc::clone(&found.capabilities);
        self.report(Event::Negotiated(Arc::new(Negotiated {
            revision: revision.as_str(),
            offered: self.opening.offered.unwrap_or(revision).as_str(),
            server: found.server,
            capabilities: found.capabilities,
            tools,
            era: revision.era(),
            supported: found.supported,
            session: None,
            instructions: found.instructions,
            handshake_ms: u64::try_from(handshake.as_millis()).unwrap_or(u64::MAX),
        })));
        self.report(Event::Phase(Phase::Ready));
        if tools {
            self.refresh_tools(Cause::Lifecycle);
        }
        if !blind {
            self.subscribe(&capabilities);
        }
        Some(found.findings)
    }

    /// Announces a step of finding out.
    pub(super) fn detected(
        &mut self,
        code: &'static str,
        sentence: impl Into<String>,
        verdict: Option<Era>,
        seq: Option<Seq>,
    ) {
        self.report(Event::Detection(DetectionStep {
            code,
            sentence: sentence.into(),
            verdict,
            seq,
        }));
    }

    /// The failure of a session whose transport ended before it was ready.
    pub(super) fn ended_while_opening(&self, closed: Closed) -> OpenFailure {
        if self.stage != Stage::Closed || !self.is_undecided() {
            return OpenFailure::Transport(closed);
        }
        OpenFailure::EndedWhileAsked(closed)
    }
}

fn declared(raw: Option<&serde_json::value::RawValue>) -> bool {
    raw.is_some_and(|raw| !matches!(raw.get(), "null" | "false"))
}

/// Whether the status is all that counts of an answer.
fn is_no_verdict(http: &Http) -> bool {
    !matches!(http.status, 200..=299 | 400 | 404)
}

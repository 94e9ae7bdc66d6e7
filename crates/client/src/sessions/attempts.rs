//! The attempts of a connect, and the results that the next connect reuses.

use serde::{Deserialize, Serialize};
use sonde_mcp::{EraChoice, NextAttempt, OpenFailure, Revision};
use ts_rs::TS;

use crate::config::{HttpKind, Transport};

/// Transport that carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum TransportKind {
    Stdio,
    StreamableHttp,
    HttpSse,
    WebSocket,
}

/// Result of detecting a server's transport and protocol. Kept while the app runs, for exactly this configuration.
#[derive(Clone, Debug)]
pub(super) struct DetectionCache {
    transport: Transport,
    found: Detected,
}

/// Results of detection. Statelessness is not kept: asking for it costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detected {
    /// A program that wants the handshake: asking it first may cost a time limit or its life.
    Handshake,
    /// An address that knows only HTTP+SSE.
    HttpSse,
}

impl DetectionCache {
    pub(super) fn new(transport: &Transport, found: Detected) -> Self {
        Self {
            transport: transport.clone(),
            found,
        }
    }

    /// Returns the cached result if the configuration is unchanged.
    pub(super) fn about(&self, transport: &Transport) -> Option<Detected> {
        (self.transport == *transport).then_some(self.found)
    }
}

/// Settings of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttemptPlan {
    pub(super) era: EraChoice,
    pub(super) offer: Option<Revision>,
    pub(super) carrier: TransportKind,
}

/// A decision about the next attempt, announced before the attempt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// A stable name in kebab-case.
    pub(super) code: &'static str,
    /// One plain sentence.
    pub(super) sentence: String,
}

fn decision(code: &'static str, sentence: impl Into<String>) -> Option<Decision> {
    Some(Decision {
        code,
        sentence: sentence.into(),
    })
}

/// The attempts of one connect. Each kind of second try is made once.
#[derive(Debug)]
pub(super) struct Attempts {
    current: AttemptPlan,
    /// Sonde chooses the protocol, not the user.
    automatic_era: bool,
    automatic_http: bool,
    believed: Option<Detected>,
    offered: bool,
    respawned: bool,
}

impl Attempts {
    pub(super) fn new(transport: &Transport, era: EraChoice, believed: Option<Detected>) -> Self {
        let automatic_era = era == EraChoice::Automatic;
        let (carrier, automatic_http) = match transport {
            Transport::Stdio { .. } | Transport::Demo { http: false } => {
                (TransportKind::Stdio, false)
            }
            Transport::Demo { http: true } => (TransportKind::StreamableHttp, false),
            Transport::Http { url, kind, .. } => {
                if is_web_socket(url) {
                    (TransportKind::WebSocket, false)
                } else {
                    match kind {
                        HttpKind::Automatic => (TransportKind::StreamableHttp, true),
                        HttpKind::Streamable => (TransportKind::StreamableHttp, false),
                        HttpKind::Sse => (TransportKind::HttpSse, false),
                    }
                }
            }
        };
        let believed = believed.filter(|found| match found {
            Detected::Handshake => automatic_era,
            Detected::HttpSse => automatic_http,
        });
        let mut attempts = Self {
            current: AttemptPlan {
                era,
                offer: None,
                carrier,
            },
            automatic_era,
            automatic_http,
            believed,
            offered: false,
            respawned: false,
        };
        match believed {
            Some(Detected::HttpSse) => attempts.current.carrier = TransportKind::HttpSse,
            Some(Detected::Handshake) => attempts.current.era = EraChoice::Handshake,
            None => {}
        }
        attempts.settle_era();
        attempts
    }

    /// HTTP+SSE is the transport of the first revision: nothing stateless is spoken over it.
    fn settle_era(&mut self) {
        if self.current.carrier == TransportKind::HttpSse && self.automatic_era {
            self.current.era = EraChoice::Handshake;
        }
    }

    pub(super) fn current(&self) -> AttemptPlan {
        self.current
    }

    /// True if Sonde chooses the protocol, not the user.
    pub(super) fn automatic_era(&self) -> bool {
        self.automatic_era
    }

    /// True if the connect begins by asking the server which protocol it speaks.
    pub(super) fn asks_first(&self) -> bool {
        self.current.era == EraChoice::Automatic
    }

    /// Explains in a sentence which cached result of an earlier connect is used.
    pub(super) fn cached_decision(&self) -> Option<Decision> {
        match self.believed? {
            Detected::Handshake => decision(
                "known-handshake",
                "An earlier connection showed that this server needs the handshake: detection is skipped.",
            ),
            Detected::HttpSse => decision(
                "known-http-sse",
                "An earlier connection showed that this URL uses HTTP+SSE: it is used directly.",
            ),
        }
    }

    /// Chooses the next attempt after this failure, if one is worth making.
    pub(super) fn next(&mut self, failure: &OpenFailure) -> Option<Decision> {
        if let Some(found) = self.believed.take()
            && refuted(failure)
        {
            match found {
                Detected::Handshake => self.current.era = EraChoice::Automatic,
                Detected::HttpSse => {
                    self.current.carrier = TransportKind::StreamableHttp;
                    if self.automatic_era {
                        self.current.era = EraChoice::Automatic;
                    }
                }
            }
            return decision(
                "detection-cache-refuted",
                "The result of an earlier detection no longer holds: detecting again.",
            );
        }
        match failure.next_attempt()? {
            NextAttempt::Offer(revision) if !self.offered => {
                let before = self.current.offer.unwrap_or(Revision::NEWEST_HANDSHAKE);
                self.offered = true;
                self.current.offer = Some(revision);
                if self.automatic_era {
                    self.current.era = EraChoice::Handshake;
                }
                decision(
                    "other-offer",
                    format!(
                        "The server rejected protocol version {} and named {}: connecting again with that.",
                        before.as_str(),
                        revision.as_str()
                    ),
                )
            }
            NextAttempt::Handshake if !self.respawned && self.automatic_era => {
                self.respawned = true;
                self.current.era = EraChoice::Handshake;
                decision(
                    "handshake-anew",
                    "The server closed the connection during detection: connecting again, directly with the handshake.",
                )
            }
            NextAttempt::HttpSse
                if self.automatic_http && self.current.carrier == TransportKind::StreamableHttp =>
            {
                self.current.carrier = TransportKind::HttpSse;
                self.settle_era();
                decision(
                    "http-sse",
                    "The URL does not support Streamable HTTP: trying HTTP+SSE (2024-11-05) at the same URL.",
                )
            }
            _ => None,
        }
    }

    /// True if this connect tried HTTP+SSE because Streamable HTTP had failed.
    pub(super) fn fell_back(&self) -> bool {
        self.automatic_http && self.current.carrier == TransportKind::HttpSse
    }

    /// Returns the result for the next connect to reuse, once this connect works.
    pub(super) fn detected(&self, handshake: bool) -> Option<Detected> {
        if self.fell_back() {
            Some(Detected::HttpSse)
        } else if handshake && self.automatic_era && self.current.carrier == TransportKind::Stdio {
            Some(Detected::Handshake)
        } else {
            None
        }
    }
}

/// True if the server responded with a disagreement, so that the cached result may be wrong.
fn refuted(failure: &OpenFailure) -> bool {
    matches!(
        failure,
        OpenFailure::Rejected { .. }
            | OpenFailure::UnknownRevision { .. }
            | OpenFailure::BadShape { .. }
            | OpenFailure::Http { .. }
            | OpenFailure::Transport(_)
            | OpenFailure::EndedWhileAsked(_)
            | OpenFailure::OutputClosedWhileAsked(_)
    ) && !matches!(failure, OpenFailure::Http { status, .. } if matches!(status, 401 | 403))
}

pub(super) fn is_web_socket(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "ws" | "wss"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{AuthConfig, NetworkConfig};

    fn http(url: &str, kind: HttpKind) -> Transport {
        Transport::Http {
            url: url.to_owned(),
            headers: Vec::new(),
            kind,
            network: NetworkConfig::default(),
            auth: AuthConfig::default(),
        }
    }

    fn start(transport: &Transport, era: EraChoice) -> AttemptPlan {
        Attempts::new(transport, era, None).current()
    }

    #[test]
    fn the_address_and_the_choice_name_the_carrier() {
        for (url, kind, carrier, era) in [
            (
                "http://a/",
                HttpKind::Automatic,
                TransportKind::StreamableHttp,
                EraChoice::Automatic,
            ),
            (
                "https://a/",
                HttpKind::Streamable,
                TransportKind::StreamableHttp,
                EraChoice::Automatic,
            ),
            (
                "http://a/sse",
                HttpKind::Sse,
                TransportKind::HttpSse,
                EraChoice::Handshake,
            ),
            (
                "WSS://a/",
                HttpKind::Sse,
                TransportKind::WebSocket,
                EraChoice::Automatic,
            ),
        ] {
            let next = start(&http(url, kind), EraChoice::Automatic);
            assert_eq!((next.carrier, next.era), (carrier, era), "{url}");
        }
        let next = start(&http("http://a/", HttpKind::Sse), EraChoice::Stateless);
        assert_eq!(
            next.era,
            EraChoice::Stateless,
            "what the user wants is tried"
        );
    }

    #[test]
    fn a_detection_holds_for_its_configuration_and_is_dropped_when_it_fails() {
        let demo = Transport::Demo { http: false };
        let detection_cache = DetectionCache::new(&demo, Detected::Handshake);
        assert_eq!(detection_cache.about(&Transport::Demo { http: true }), None);
        let mut attempts = Attempts::new(&demo, EraChoice::Automatic, detection_cache.about(&demo));
        assert_eq!(attempts.current().era, EraChoice::Handshake);
        assert_eq!(attempts.cached_decision().unwrap().code, "known-handshake");
        assert_eq!(attempts.detected(true), Some(Detected::Handshake));
        let refusal = OpenFailure::Rejected {
            code: -32_601,
            message: String::new(),
            data: None,
            http: None,
        };
        assert_eq!(
            attempts.next(&refusal).unwrap().code,
            "detection-cache-refuted"
        );
        assert_eq!(attempts.current().era, EraChoice::Automatic);
        assert_eq!(attempts.detected(false), None);
        // A choice of the user's own needs no cached detection.
        let attempts = Attempts::new(&demo, EraChoice::Stateless, detection_cache.about(&demo));
        assert_eq!(attempts.current().era, EraChoice::Stateless);
        assert_eq!(attempts.cached_decision(), None);
    }

    #[test]
    fn a_login_refutes_nothing() {
        let sse = http("http://a/", HttpKind::Automatic);
        let mut attempts = Attempts::new(&sse, EraChoice::Automatic, Some(Detected::HttpSse));
        assert_eq!(attempts.current().carrier, TransportKind::HttpSse);
        let login = OpenFailure::Http {
            status: 401,
            content_type: None,
            snippet: String::new(),
        };
        assert_eq!(attempts.next(&login), None);
        let mut attempts = Attempts::new(&sse, EraChoice::Automatic, Some(Detected::HttpSse));
        let gone = OpenFailure::Http {
            status: 404,
            content_type: None,
            snippet: String::new(),
        };
        assert!(attempts.next(&gone).is_some());
        assert_eq!(
            (attempts.current().carrier, attempts.current().era),
            (TransportKind::StreamableHttp, EraChoice::Automatic)
        );
    }
}

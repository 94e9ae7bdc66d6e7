//! State of one connect: detection, streams, latencies. Updates are cheap; views are derived on reading.

use std::time::Duration;

use serde::Serialize;
use sonde_mcp::{DISCOVER_UNKNOWN, DetectionStep, Era, Negotiated};
use ts_rs::TS;

use super::{
    attempts::TransportKind,
    health::HealthProblem,
    sent_roots::{RootsAnswer, SentRoots},
    stats::Stats,
    streams::Streams,
};
use crate::{
    State, clock,
    config::{
        Declaration, NetworkConfig, ProtocolMode, ServerConfig, ServerId, Transport, declared_roots,
    },
    log::WireLog,
    text::{cut, sentence},
};

/// Number of detection steps kept. A long search has about ten.
const STEPS: usize = 50;
/// Number of other protocol versions of a server that are shown.
const REVISIONS: usize = 50;
/// The longest name or sentence of a server, in characters.
const LONGEST: usize = 256;

/// A step of detecting the protocol that a server speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Detection {
    /// The step.
    #[serde(flatten)]
    pub step: DetectionStep,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// Facts of one connect that are shown as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
pub struct ConnectFacts {
    /// The server connected to.
    pub server: ServerId,
    /// Number of this connect among the server's connects, from 1.
    pub generation: u32,
    /// Transport in use, or tried at present; `None` before the first attempt.
    pub transport: Option<TransportKind>,
    /// Protocol spoken with the server: after a handshake, or stateless.
    pub era: Option<Era>,
    /// The protocol version in use.
    pub revision: Option<String>,
    /// Other protocol versions that the server says it supports.
    pub supported: Vec<String>,
    /// Mark that tells the session id from others.
    pub session_fingerprint: Option<String>,
    /// HTTP version of the last response: `HTTP/1.1`, `HTTP/2.0`.
    pub http_version: Option<&'static str>,
    /// Steps that detected what the server speaks.
    pub detection: Vec<Detection>,
    /// Number of times the session was reopened.
    pub reopened: u32,
    /// The user has paused reading.
    pub paused: bool,
    /// Reminders of risky settings of this way to the server, for example that any certificate is accepted.
    pub warnings: Vec<String>,
    /// Client name, version and capabilities declared to the server, by the settings at connect.
    pub declaration: Declaration,
}

/// One connect of one server.
#[derive(Debug, Default)]
pub struct ConnectDetails {
    /// Facts that its view has as they are.
    pub facts: ConnectFacts,
    /// Its streams.
    pub streams: Streams,
    pub(super) problem: Option<HealthProblem>,
    /// The session is being reopened: operations do not work.
    pub(super) reopening: bool,
    /// Latencies of its requests.
    pub stats: Stats,
    /// Delay before each reply to the server.
    pub answer_delay: Duration,
    pub(super) roots: SentRoots,
}

impl ConnectDetails {
    pub(super) fn new(server: ServerId, generation: u32, config: &ServerConfig) -> Self {
        Self {
            facts: ConnectFacts {
                server,
                generation,
                warnings: warnings(&config.transport),
                declaration: config.declaration.clone(),
                ..ConnectFacts::default()
            },
            roots: SentRoots::new(declared_roots(&config.roots)),
            ..Self::default()
        }
    }

    /// The problem of an open connection; `None` when it is healthy.
    #[must_use]
    pub fn health(&self) -> Option<HealthProblem> {
        match self.reopening {
            true => Some(HealthProblem::reopening()),
            false => self.problem.clone(),
        }
    }

    /// The last reply to `roots/list`; `None` where the server has not asked.
    #[must_use]
    pub fn roots_answer(&self) -> Option<RootsAnswer> {
        self.roots.last()
    }

    /// Begins an attempt over this transport.
    pub(super) fn attempt(&mut self, transport: TransportKind) {
        self.facts.transport = Some(transport);
        // The requests before were part of detection.
        self.stats = Stats::default();
        self.problem = None;
        self.facts.era = None;
        self.facts.revision = None;
        self.facts.session_fingerprint = None;
    }

    /// True for a stateless connection over HTTP.
    pub(super) fn is_stateless_http(&self) -> bool {
        self.facts.transport == Some(TransportKind::StreamableHttp)
            && self.facts.era == Some(Era::Stateless)
    }

    /// Adds a step of detection that the session reported.
    pub(super) fn detected(&mut self, step: DetectionStep, log: &WireLog) {
        let said = sentence(&cut(&log.redact(&step.sentence), 4 * LONGEST));
        self.push(DetectionStep {
            sentence: said,
            ..step
        });
    }

    /// Adds a decision of Sonde about the next attempt.
    pub(crate) fn decided(&mut self, code: &'static str, sentence: &str) {
        self.push(DetectionStep {
            code,
            sentence: sentence.to_owned(),
            verdict: None,
            seq: None,
        });
    }

    fn push(&mut self, step: DetectionStep) {
        if self.facts.detection.len() == STEPS {
            self.facts.detection.remove(0);
        }
        self.facts.detection.push(Detection {
            step,
            at: clock::millis(),
        });
    }

    pub(super) fn on_negotiated(&mut self, negotiated: &Negotiated, log: &WireLog) {
        self.facts.era = Some(negotiated.era);
        self.facts.revision = Some(negotiated.revision.to_owned());
        self.facts.supported = negotiated
            .supported
            .iter()
            .take(REVISIONS)
            .map(|name| cut(&log.redact(name), LONGEST))
            .collect();
        self.facts
            .session_fingerprint
            .clone_from(&negotiated.session);
    }

    /// Records that the session is being reopened.
    pub(super) fn reopen(&mut self) {
        self.reopening = true;
        self.facts.reopened += 1;
        self.facts.session_fingerprint = None;
        self.streams.reopening(self.facts.reopened, clock::millis());
    }

    /// The connect is over. What it has shown stays.
    pub(super) fn end(&mut self) {
        self.reopening = false;
        self.problem = None;
        self.facts.paused = false;
        self.answer_delay = Duration::ZERO;
        self.streams.end();
    }
}

impl State {
    /// Says in a sentence that the server has not shown that it speaks the version of the settings: it agreed on another
    /// one, or does not know `server/discover`. `None` if it has, and before the connection is open.
    #[must_use]
    pub fn version_not_spoken(&self) -> Option<String> {
        let facts = &self.session.connection.as_ref()?.facts;
        let spoken = facts.revision.as_ref()?;
        if let ProtocolMode::Fixed { revision } = &self.config.protocol
            && revision != spoken
        {
            return Some(format!(
                "The server does not speak {revision}: it answered in {spoken}."
            ));
        }
        let mut codes = facts.detection.iter().map(|detection| detection.step.code);
        codes.any(|code| code == DISCOVER_UNKNOWN).then(|| {
            format!(
                "Nothing shows that the server speaks {spoken}: it does not know `server/discover`, which that version \
                 requires."
            )
        })
    }
}

/// Returns warnings about risky network settings.
fn warnings(transport: &Transport) -> Vec<String> {
    let Transport::Http { url, network, .. } = transport else {
        return Vec::new();
    };
    let mut warnings = Vec::new();
    let NetworkConfig {
        accept_any_certificate,
        ..
    } = network;
    let address = url::Url::parse(url).ok();
    let secure = address
        .as_ref()
        .is_some_and(|url| matches!(url.scheme(), "https" | "wss"));
    if *accept_any_certificate && secure {
        warnings.push(
            "Any certificate is accepted: anyone on the network path can read and change the \
             traffic."
                .to_owned(),
        );
    }
    if let Some(host) = address.as_ref().and_then(url::Url::host_str)
        && !secure
        && !crate::config::is_loopback(url)
    {
        warnings.push(format!(
            "The connection to {host} is not encrypted: anyone on the network path can read and \
             change the traffic."
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{AuthConfig, HttpKind};

    fn at(url: &str, accept_any_certificate: bool) -> Vec<String> {
        warnings(&Transport::Http {
            url: url.to_owned(),
            headers: Vec::new(),
            kind: HttpKind::Automatic,
            network: NetworkConfig {
                accept_any_certificate,
                ..NetworkConfig::default()
            },
            auth: AuthConfig::default(),
        })
    }

    #[test]
    fn what_anybody_can_read_is_warned_about() {
        for quiet in [
            "https://example.com/mcp",
            "http://localhost:3000/mcp",
            "http://app.localhost/mcp",
            "ws://127.9.9.9/",
            "http://[::1]:8/",
        ] {
            assert_eq!(at(quiet, false), Vec::<String>::new(), "{quiet}");
        }
        assert_eq!(
            at("https://example.com/mcp", true),
            [
                "Any certificate is accepted: anyone on the network path can read and change the \
                 traffic."
            ]
        );
        let plain = at("ws://example.com/mcp", true);
        assert_eq!(plain.len(), 1);
        assert!(plain[0].starts_with("The connection to example.com is not encrypted"));
        assert_eq!(at("http://10.0.0.1/mcp", false).len(), 1);
    }

    #[test]
    fn a_reopened_session_is_degraded_until_operations_work_again() {
        let config = ServerConfig::new("s", Transport::Demo { http: true });
        let mut connection = ConnectDetails::new("s".to_owned(), 1, &config);
        connection.attempt(TransportKind::StreamableHttp);
        connection.reopen();
        assert_eq!(connection.health(), Some(HealthProblem::reopening()));
        let line = connection.streams.lines().iter().next().unwrap();
        assert_eq!((connection.facts.reopened, &*line.code), (1, "reopening"));
        connection.reopening = false;
        assert_eq!(connection.health(), None);
        connection.reopen();
        assert_eq!(connection.facts.reopened, 2);
        connection.reopening = false;
        let log = WireLog::new("s".to_owned(), crate::log::LogLimits::default());
        let health = sonde_mcp::Health {
            stream: Some(sonde_mcp::StreamProblem::Over),
            requests: None,
        };
        connection.problem = HealthProblem::of(&health, &log);
        assert_eq!(connection.health(), connection.problem);
        connection.end();
        assert_eq!(connection.health(), None);
    }
}

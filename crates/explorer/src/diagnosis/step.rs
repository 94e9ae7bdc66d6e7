//! The steps of a diagnosis.

use serde::{Deserialize, Serialize};
use sonde_client::config::network::network;
use ts_rs::TS;
use url::Url;

use crate::servers::{ProxyConfig, ServerId, Transport};

/// A step of reaching a server, in the order in which they are taken. A transport has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosisStepCode {
    /// Settings and secrets.
    Settings,
    /// Finding the program of a command.
    Command,
    /// Starting the process.
    Process,
    /// Looking up the name of the host.
    Dns,
    /// Opening a connection to its port.
    Tcp,
    /// Securing the connection (TLS), with the certificate.
    Tls,
    /// The first response over HTTP.
    Http,
    /// The 401 response and the metadata that it leads to.
    Authorization,
    /// The first line on standard output, and other output there.
    Stdout,
    /// The handshake, or `server/discover`.
    Handshake,
    /// All pages of all lists.
    Lists,
    /// The schemas of the tools.
    Schemas,
    /// Known hosts in which the tools must work.
    Hosts,
    /// One harmless request.
    Ping,
    /// Closing the connection.
    Shutdown,
}

impl DiagnosisStepCode {
    /// Name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Settings => "Settings",
            Self::Command => "Command",
            Self::Process => "Process",
            Self::Dns => "DNS",
            Self::Tcp => "TCP",
            Self::Tls => "TLS",
            Self::Http => "HTTP",
            Self::Authorization => "Authorization",
            Self::Stdout => "First output",
            Self::Handshake => "Handshake",
            Self::Lists => "Lists",
            Self::Schemas => "Schemas",
            Self::Hosts => "Hosts",
            Self::Ping => "Ping",
            Self::Shutdown => "Shutdown",
        }
    }

    /// The steps of a transport, in order.
    pub(super) fn of(transport: &Transport) -> Vec<Self> {
        let reach: &[Self] = match transport {
            Transport::Stdio { .. } => {
                &[Self::Settings, Self::Command, Self::Process, Self::Stdout]
            }
            Transport::Demo { http: false } => &[Self::Process, Self::Stdout],
            Transport::Demo { http: true } => &[Self::Process, Self::Http],
            Transport::Http { .. } => &[
                Self::Settings,
                Self::Dns,
                Self::Tcp,
                Self::Tls,
                Self::Http,
                Self::Authorization,
            ],
        };
        let then = [
            Self::Handshake,
            Self::Lists,
            Self::Schemas,
            Self::Hosts,
            Self::Ping,
            Self::Shutdown,
        ];
        let has_tls = matches!(transport, Transport::Http { url, .. } if is_secure(url));
        let all = reach.iter().copied().chain(then);
        all.filter(|step| has_tls || *step != Self::Tls).collect()
    }
}

fn is_secure(url: &str) -> bool {
    Url::parse(url.trim()).is_ok_and(|url| matches!(url.scheme(), "https" | "wss"))
}

/// True if a proxy of the settings or of the system looks up names and opens connections.
pub(super) fn has_proxy(transport: &Transport, url: &Url) -> bool {
    let Transport::Http {
        network: config, ..
    } = transport
    else {
        return false;
    };
    // A WebSocket begins as an HTTP request.
    let mut url = url.clone();
    let scheme = match url.scheme() {
        "https" | "wss" => "https",
        _ => "http",
    };
    let _ = url.set_scheme(scheme);
    matches!(config.proxy, ProxyConfig::At { .. })
        || network(config, None).proxy_host(&url).is_some()
}

/// Reason why nothing is judged of a server without tools.
pub(super) const NO_TOOLS: &str = "There are no tools.";

/// Outcomes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// Not reached yet.
    Waiting,
    /// Under way.
    Running,
    /// Passed.
    Pass,
    /// Failed; `fix` has advice.
    Fail,
    /// Could not be evaluated; `found` has the reason. Never counts as passed.
    NotEvaluated,
}

/// One step of a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiagnosisStep {
    /// Code of the step.
    pub code: DiagnosisStepCode,
    /// Its name.
    pub title: String,
    /// Outcome so far.
    pub outcome: StepOutcome,
    /// Action that was tried, one plain sentence; empty before.
    pub tried: String,
    /// Result, plain sentences; empty before.
    pub found: String,
    /// Duration in milliseconds, where it was measured.
    pub millis: Option<u64>,
    /// Advice, plain sentences.
    pub fix: Vec<String>,
    /// Further lines, at most 40.
    pub detail: Vec<String>,
}

/// States of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosisState {
    /// Under way.
    Running,
    /// All steps were taken, or could not be.
    Done,
    /// The connection ended by itself after the handshake.
    Lost,
    /// The user cancelled it.
    Cancelled,
    /// Stopped by the time limit.
    TimedOut,
}

/// One diagnosis of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Diagnosis {
    /// The diagnosed server.
    pub server: ServerId,
    /// Counts the diagnoses of all servers since the start of the app, from 1.
    pub number: u32,
    /// State of the diagnosis.
    pub state: DiagnosisState,
    /// Name of the server when the diagnosis began.
    pub name: String,
    /// The command or URL of the server then, without secrets.
    pub address: String,
    /// Time of its start, in milliseconds since the Unix epoch.
    pub began: u64,
    /// Duration in milliseconds, once it is over.
    pub millis: Option<u64>,
    /// The steps in order.
    pub steps: Vec<DiagnosisStep>,
}

impl Diagnosis {
    /// The first step that failed.
    #[must_use]
    pub fn first_failure(&self) -> Option<&DiagnosisStep> {
        self.steps
            .iter()
            .find(|step| step.outcome == StepOutcome::Fail)
    }

    /// Number of steps with this outcome.
    #[must_use]
    pub fn count(&self, outcome: StepOutcome) -> usize {
        self.steps
            .iter()
            .filter(|step| step.outcome == outcome)
            .count()
    }

    /// True if something passed, and the handshake, the schemas and the hosts were evaluated as far as there is something
    /// to evaluate.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        use DiagnosisStepCode::{Handshake, Hosts, Schemas};
        let is_open = |step: &DiagnosisStep| {
            [Handshake, Schemas, Hosts].contains(&step.code)
                && step.outcome == StepOutcome::NotEvaluated
                && step.found != NO_TOOLS
        };
        self.count(StepOutcome::Pass) > 0 && !self.steps.iter().any(is_open)
    }

    pub(super) fn step_mut(&mut self, code: DiagnosisStepCode) -> Option<&mut DiagnosisStep> {
        self.steps.iter_mut().find(|step| step.code == code)
    }
}

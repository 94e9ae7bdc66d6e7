//! Health of an open connection, in words.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Health, RequestProblem, StreamProblem};
use ts_rs::TS;

use crate::{
    limits::{MESSAGE, redact_and_cut},
    log::WireLog,
};

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HealthLevel {
    /// Something does not work, or there is a first sign that operations do not.
    Degraded,
    /// Operations cannot work.
    Unhealthy,
}

/// Problems of an open connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HealthCode {
    /// The background stream is lost and will be opened again.
    StreamLost,
    /// The background stream is over for good.
    StreamOver,
    /// The session is being reopened.
    Reopening,
    /// The last request has no response.
    RequestFailed,
    /// The server cannot be reached.
    Unreachable,
    /// The server does not know the session: `reopen_session` helps.
    SessionRejected,
    /// The process closed its standard output.
    StdoutClosed,
}

/// A problem of an open connection. A healthy one has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HealthProblem {
    /// Severity of the problem.
    pub level: HealthLevel,
    /// Kind of the problem.
    pub code: HealthCode,
    /// One or two plain sentences.
    pub sentence: String,
}

impl HealthProblem {
    fn new(level: HealthLevel, code: HealthCode, sentence: impl Into<String>) -> Self {
        Self {
            level,
            code,
            sentence: sentence.into(),
        }
    }

    /// The problem of a forgotten session that is being reopened.
    pub(super) fn reopening() -> Self {
        let sentence = "The server no longer knows the session: opening a new one.";
        Self::new(HealthLevel::Degraded, HealthCode::Reopening, sentence)
    }

    /// Returns the worst problem that the session reports.
    pub(super) fn of(health: &Health, log: &WireLog) -> Option<Self> {
        use HealthLevel::{Degraded, Unhealthy};
        let requests = health.requests.as_ref().map(|problem| match problem {
            RequestProblem::Failed { why } => {
                let why = redact_and_cut(why, MESSAGE, log);
                let sentence = format!("The last request failed: {why}.");
                Self::new(Degraded, HealthCode::RequestFailed, sentence)
            }
            RequestProblem::Unreachable { why } => {
                let why = redact_and_cut(why, MESSAGE, log);
                let sentence = format!(
                    "The server cannot be reached: {why}. It has probably stopped; once it runs \
                     again, reconnect."
                );
                Self::new(Unhealthy, HealthCode::Unreachable, sentence)
            }
            RequestProblem::SessionRejected => {
                let sentence = "The server no longer knows this session. It has probably \
                                restarted: reconnect.";
                Self::new(Unhealthy, HealthCode::SessionRejected, sentence)
            }
            RequestProblem::OutputClosed => {
                let sentence = "The server closed its stdout, so no response can arrive. Its \
                                process is being ended.";
                Self::new(Unhealthy, HealthCode::StdoutClosed, sentence)
            }
        });
        let stream = health.stream.map(|problem| match problem {
            StreamProblem::Lost => {
                let sentence =
                    "Server notifications do not arrive until the background stream reconnects.";
                Self::new(Degraded, HealthCode::StreamLost, sentence)
            }
            StreamProblem::Over => {
                let sentence =
                    "Server notifications do not arrive: the server has no background stream.";
                Self::new(Degraded, HealthCode::StreamOver, sentence)
            }
        });
        requests.or(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{LogLimits, Secrets};

    #[test]
    fn requests_come_before_streams_and_secrets_stay_hidden() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        log.set_secrets(Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        let mut health = Health::default();
        assert_eq!(HealthProblem::of(&health, &log), None);
        health.stream = Some(StreamProblem::Over);
        let problem = HealthProblem::of(&health, &log).unwrap();
        assert_eq!(
            (problem.level, problem.code),
            (HealthLevel::Degraded, HealthCode::StreamOver)
        );
        // It may never have had one.
        assert!(!problem.sentence.contains("no longer"));
        health.requests = Some(RequestProblem::Unreachable {
            why: "hush-hush.example refused the connection".to_owned(),
        });
        let problem = HealthProblem::of(&health, &log).unwrap();
        assert_eq!(problem.level, HealthLevel::Unhealthy);
        assert!(
            !problem.sentence.contains("hush-hush"),
            "{}",
            problem.sentence
        );
        assert!(problem.sentence.contains("refused the connection"));
    }
}

//! Explains in plain words why a connection failed or ended, and what to do about it.

mod advice;
mod answer;
mod start;
mod transport;

use serde::{Deserialize, Serialize};
use sonde_mcp::{CloseReason, EraChoice, OpenFailure, Revision};
use sonde_wire::{Closed, ExitStatus, WireError};
use ts_rs::TS;

use super::{attempts::TransportKind, connect_tap::ConnectTap};
use crate::config::Transport;

pub(super) use start::not_opened;

/// Explanation of a connection's failure or end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Failure {
    /// A stable name in snake_case, for example `command_not_found`, `process_exited`,
    /// `connection_refused`, `html_answer`.
    pub code: String,
    /// The event, one plain sentence.
    pub title: String,
    /// The cause, one plain sentence; empty when the title says it all.
    pub cause: String,
    /// Next steps for the user, plain sentences.
    pub advice: Vec<String>,
    /// Technical detail: folders searched, first characters of an HTML page, error data.
    pub detail: Option<String>,
    /// The last lines of the child's standard error, oldest first.
    pub stderr_tail: Vec<String>,
    /// Lines of its stdout that are not messages, oldest first.
    pub non_message_tail: Vec<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title)?;
        match self.cause.is_empty() {
            true => Ok(()),
            false => write!(f, " {}", self.cause),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// True if the server refused for lack of credentials, or stored ones could not be read.
    #[must_use]
    pub fn needs_sign_in(&self) -> bool {
        let code = self.code.as_str();
        let refused = [
            "unauthorized",
            "forbidden",
            "secret_missing",
            "keyring_unavailable",
        ];
        refused.contains(&code) || code.starts_with("sign_in_")
    }
}

/// Context of a connect for explaining its failure.
pub(super) struct FailureContext<'a> {
    pub(super) transport: &'a Transport,
    pub(super) tap: &'a ConnectTap,
    /// Time limit of the handshake, in seconds.
    pub(super) handshake_seconds: u64,
    /// The protocol era that was used.
    pub(super) era: EraChoice,
    /// Protocol version that was offered, if it was not the newest.
    pub(super) offer: Option<Revision>,
    /// The user chose the era, and not Sonde.
    pub(super) chosen: bool,
    /// The transport.
    pub(super) carrier: TransportKind,
}

impl FailureContext<'_> {
    fn is_process(&self) -> bool {
        matches!(
            self.transport,
            Transport::Stdio { .. } | Transport::Demo { http: false }
        )
    }

    /// The URL that an HTTP+SSE server announced, once a message was sent there.
    fn announced(&self) -> Option<String> {
        let posted = self.tap.responses().posted;
        posted.filter(|_| self.carrier == TransportKind::HttpSse)
    }

    fn url(&self) -> &str {
        match self.transport {
            Transport::Http { url, .. } => url,
            _ => "",
        }
    }
}

/// Returns the failure of a connect that the user cancelled.
pub(crate) fn given_up() -> Failure {
    failure("given_up", "The connection was given up.", "")
}

/// Creates a failure with this code, title and cause.
fn failure(code: &str, title: impl Into<String>, cause: impl Into<String>) -> Failure {
    Failure {
        code: code.to_owned(),
        title: title.into(),
        cause: cause.into(),
        ..Failure::default()
    }
}

impl Failure {
    fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    fn advise_if_any(mut self, advice: Option<&str>) -> Self {
        self.advice.extend(advice.map(str::to_owned));
        self
    }

    fn advise_all(mut self, advice: &[&str]) -> Self {
        self.advice
            .extend(advice.iter().copied().map(str::to_owned));
        self
    }

    fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

/// Explains the end of a session; `None` when the user wanted it.
pub(super) fn ended(reason: &CloseReason, context: &FailureContext<'_>) -> Option<Failure> {
    let mut failure = match reason {
        CloseReason::Requested => return None,
        CloseReason::Transport(closed) => transport::while_ready(closed, context)?,
        CloseReason::OutputClosed(_) => transport::output_closed(context),
        CloseReason::SessionForgotten => failure(
            "session_forgotten",
            "The server no longer knows this session.",
            "It returned HTTP 404 for the session ID that it assigned itself, as servers do after \
             a restart or a long pause.",
        )
        .advise("If it happens often, check how long the server keeps a session."),
        CloseReason::OpenFailed(open) => match open {
            OpenFailure::OutputClosedWhileAsked(_) => transport::output_closed(context),
            OpenFailure::Transport(closed) | OpenFailure::EndedWhileAsked(closed) => {
                transport::before_answer(closed, context)?
            }
            // Writing failed because the process is gone: its exit is the cause.
            OpenFailure::Exchange(WireError::Broken { .. })
                if context.is_process() && context.tap.exit().is_some() =>
            {
                let exit = context.tap.exit().unwrap_or(ExitStatus::Unknown);
                transport::before_answer(&Closed::ProcessExited { exit }, context)?
            }
            OpenFailure::Exchange(error) => transport::wire(error, context),
            OpenFailure::Http {
                status,
                content_type,
                snippet,
            } => answer::http(*status, content_type.as_deref(), snippet, context),
            OpenFailure::Rejected {
                code,
                message,
                data,
                ..
            } => answer::rejected(*code, message, data.as_deref(), context),
            OpenFailure::UnknownRevision { answered } => answer::unknown_revision(answered),
            OpenFailure::BadShape { problem } => answer::bad_shape(problem),
            OpenFailure::TimedOut => answer::timed_out(context),
        },
    };
    (failure.stderr_tail, failure.non_message_tail) = context.tap.tails();
    Some(failure)
}

/// Explains the end of the process behind a loopback address.
pub(super) fn demo_ended(closed: &Closed, context: &FailureContext<'_>) -> Option<Failure> {
    let mut failure = transport::while_ready(closed, context)?;
    (failure.stderr_tail, failure.non_message_tail) = context.tap.tails();
    Some(failure)
}

/// The code of [`internal`].
pub(super) const INTERNAL: &str = "internal";

/// Returns the failure of a fault inside Sonde.
pub(super) fn internal() -> Failure {
    failure(
        INTERNAL,
        "Something went wrong inside Sonde.",
        "This is not the server's fault. See the app log for details.",
    )
    .advise("If it happens again, please report it.")
}

/// Streamable HTTP failed, and then HTTP+SSE: the first says more about a server of today.
pub(super) fn in_both_ways(mut first: Failure, second: Failure) -> Failure {
    // The event stream worked, so this is an HTTP+SSE server.
    if second.code == "wrong_endpoint" {
        return second;
    }
    // A server that lists its versions speaks Streamable HTTP.
    if first.code == "unknown_revision" {
        return first;
    }
    first.advice.push(format!(
        "HTTP+SSE (2024-11-05) was also tried at the same URL: {}",
        second.title
    ));
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failure_that_says_more_is_shown() {
        let first = |code| failure(code, "First.", "");
        let both = in_both_ways(first("no_endpoint"), failure("no_endpoint", "Second.", ""));
        assert!(both.title == "First." && both.advice[0].ends_with("Second."));
        let both = in_both_ways(
            first("unknown_revision"),
            failure("html_answer", "Second.", ""),
        );
        assert!(both.title == "First." && both.advice.is_empty());
        let both = in_both_ways(
            first("html_answer"),
            failure("wrong_endpoint", "Second.", ""),
        );
        assert_eq!(both.title, "Second.");
    }
}

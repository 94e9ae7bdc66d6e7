//! Last steps: other output on standard output, one harmless request, and the end.

use sonde_mcp::{Era, SessionDelete};

use super::{
    examined::Examined,
    progress::{Progress, Verdict, since},
    step::DiagnosisStepCode as Code,
};
use crate::{
    clock,
    log::WireLog,
    servers::Transport,
    sessions::{SessionPhase, TransportEnd},
};

/// The rules about standard output, where anything but messages may break other clients.
const STDOUT: [&str; 6] = [
    "bom",
    "blank-line",
    "not-a-message",
    "partial-line",
    "missing-newline",
    "invalid-utf8",
];

/// Reports output of a working server on standard output that is not a message; `None` where there is none.
pub(super) fn stdout(log: &WireLog) -> Option<Verdict> {
    let (mut lines, mut fixes, mut count) = (Vec::new(), Vec::new(), 0);
    log.with_found(|found| {
        for cases in found.by_rule.rules() {
            if !STDOUT.contains(&cases.rule.id) {
                continue;
            }
            count += cases.count;
            fixes.push(cases.rule.fix.to_owned());
            let kept = cases.kept.iter().take(10);
            lines.extend(kept.map(|case| (case.seq, case.finding.message())));
        }
    });
    let detail = lines.iter().map(|(seq, message)| {
        let text = log.row(*seq).map(|row| row.preview);
        format!("{message} {}", text.unwrap_or_default())
    });
    (count > 0).then(|| {
        Verdict::fail(
            "The server works with Sonde, but it also wrote something else than messages to standard output. \
             Other clients may end the connection there.",
        )
        .fixes(fixes)
        .detail(detail)
    })
}

/// Sends one harmless request. Returns false if the connection is gone.
pub(super) async fn ping(progress: &Progress, examined: &Examined) -> bool {
    let connection = &examined.connection;
    let tried =
        "Send `ping`, or `server/discover` where the version has no `ping`. No tool is called.";
    progress.begin(Code::Ping, tried);
    let began = clock::micros();
    if let Err(error) = connection.ping().await {
        let verdict = Verdict::fail(error.to_string()).fix("Check the wire log for what ended it.");
        progress.end(Code::Ping, verdict.took(since(began)));
        return false;
    }
    let answered = connection.wait_for(|state| {
        let session = &state.session;
        match (session.ping_micros, &session.ping_failure) {
            (Some(micros), _) => Some(Ok(micros)),
            (None, Some(failure)) => Some(Err(Some(failure.clone()))),
            (None, None) => (session.phase != SessionPhase::Ready).then_some(Err(None)),
        }
    });
    let failure = match answered.await {
        Ok(micros) => {
            let verdict = Verdict::pass("The server answered.");
            progress.end(Code::Ping, verdict.took(micros.div_ceil(1_000)));
            return true;
        }
        Err(failure) => failure,
    };
    let is_stateless = connection.read(|state| {
        let details = state.session.connection.as_ref();
        details.and_then(|details| details.facts.era) == Some(Era::Stateless)
    });
    let (asked, fix) = match is_stateless {
        true => (
            "server/discover",
            "Answer `server/discover`, which every server of this protocol version has.",
        ),
        false => (
            "ping",
            "Answer `ping` at any time with an empty result, also while other requests are under way.",
        ),
    };
    let verdict = Verdict::fail(format!("The server did not answer `{asked}`.")).took(since(began));
    let is_connected = failure.as_ref().is_some_and(|failure| !failure.is_lost);
    let why = failure.map(|failure| failure.why);
    progress.end(Code::Ping, verdict.fix(fix).detail(why));
    is_connected
}

/// Closes the connection.
pub(super) async fn shut_down(progress: &Progress, examined: &Examined) {
    let connection = &examined.connection;
    let is_process = matches!(
        examined.transport(),
        Transport::Stdio { .. } | Transport::Demo { http: false }
    );
    let tried = match is_process {
        true => "Close standard input and wait for the process to exit.",
        false => {
            "Close the session, and tell the server with DELETE where it gave out a session id."
        }
    };
    progress.begin(Code::Shutdown, tried);
    let began = clock::micros();
    connection.end_session().await;
    let (closed, deleted) =
        connection.read(|state| (state.session.closed.clone(), state.session.deleted));
    let verdict = match (is_process, closed) {
        (false, _) => session_verdict(deleted),
        (true, Some(end)) => process_verdict(&end),
        (true, None) => Verdict::not_evaluated("It is not known how the process ended."),
    };
    progress.end(Code::Shutdown, verdict.took(since(began)));
}

/// Verdict on the end of a process after its standard input was closed (2026-07-28, transports, stdio, Shutdown).
fn process_verdict(end: &TransportEnd) -> Verdict {
    let how = match (&end.signal, end.exit_code) {
        (Some(signal), _) => format!("was ended by {signal}"),
        (None, Some(code)) => format!("exited with code {code}"),
        (None, None) => "ended".to_owned(),
    };
    if end.terminated {
        return Verdict::fail(format!(
            "The process did not exit when the connection was closed, so Sonde ended it: it {how}."
        ))
        .fix("Exit as soon as standard input is closed: that is how a client ends a server.");
    }
    match end.signal {
        Some(_) => Verdict::fail(format!("The process did not exit by itself: it {how}."))
            .fix("Check the wire log and standard error for what ended it."),
        None => Verdict::pass(format!("The process {how}.")),
    }
}

/// Verdict on the server's response to the DELETE that ends a session (transports, Session Management).
fn session_verdict(deleted: Option<SessionDelete>) -> Verdict {
    let fix = "Respond to DELETE with 200, 202 or 204 once the session has ended, or with 405 where clients may not end it.";
    match deleted {
        None => Verdict::not_evaluated(
            "The connection was closed. The server gave out no session id, so there is no session to end.",
        ),
        Some(SessionDelete::Status(status @ 200..=299)) => {
            Verdict::pass(format!("The server ended the session (HTTP {status})."))
        }
        Some(SessionDelete::Status(405)) => Verdict::not_evaluated(
            "The server does not let clients end a session (HTTP 405), as it may. \
             It is not known when the server frees the session.",
        ),
        Some(SessionDelete::Status(status)) => Verdict::fail(format!(
            "The server responded to the end of the session with HTTP {status}."
        ))
        .fix(fix),
        Some(SessionDelete::NoResponse) => {
            Verdict::fail("The server did not respond to the end of the session.").fix(fix)
        }
    }
}

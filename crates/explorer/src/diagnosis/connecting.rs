//! Steps from the settings to a session, judged by the connection's own steps and its failure.

use url::Url;

use super::{
    examined::Examined,
    network_check,
    progress::{Progress, Verdict, since},
    shutdown_check::stdout,
    step::{DiagnosisStepCode as Code, StepOutcome, has_proxy},
};
use sonde_client::State;

use crate::{
    auth::{AuthStatus, AuthStepState},
    clock,
    servers::{AuthConfig, Transport, address, preview_command},
    sessions::{ConnectStep, Failure, ServerIdentity, SessionPhase, Step, StepState},
    text::cut,
};

/// Characters of a command that are shown.
const COMMAND: usize = 200;

/// State of a connect.
pub(super) struct Attempt {
    phase: SessionPhase,
    steps: Vec<(Step, ConnectStep)>,
    failure: Option<Failure>,
    identity: Option<ServerIdentity>,
    http_version: Option<&'static str>,
    program: Option<String>,
    auth: Option<AuthStatus>,
    /// A sentence if the server has not shown that it speaks the protocol version that is set.
    version_not_spoken: Option<String>,
}

impl Attempt {
    pub(super) fn of(state: &State) -> Self {
        let session = &state.session;
        let connection = session.connection.as_ref();
        Self {
            phase: session.phase,
            steps: session
                .steps_taken()
                .map(|(step, row)| (step, row.clone()))
                .collect(),
            failure: session.failure.clone(),
            identity: session.identity.clone(),
            http_version: connection.and_then(|connection| connection.facts.http_version),
            program: session.process.as_ref().map(|one| one.program.clone()),
            auth: state.auth.clone(),
            version_not_spoken: state.version_not_spoken(),
        }
    }

    /// True if no more results of the connect will come: the tools are listed or could not be, or the session ended.
    pub(super) fn is_settled(&self) -> bool {
        match self.phase {
            SessionPhase::Failed | SessionPhase::Idle => true,
            SessionPhase::Ready => self.in_state(StepState::Running).is_none(),
            SessionPhase::Connecting | SessionPhase::Closing => false,
        }
    }

    /// True if there is a session.
    pub(super) fn is_ready(&self) -> bool {
        self.phase == SessionPhase::Ready
    }

    /// True if the server introduced itself, even if the session has ended since.
    pub(super) fn is_after_handshake(&self) -> bool {
        self.identity.is_some()
    }

    fn in_state(&self, state: StepState) -> Option<Step> {
        let mut steps = self.steps.iter();
        Some(steps.find(|(_, row)| row.state == state)?.0)
    }

    /// The time that these steps took together, once they are done.
    fn millis(&self, steps: &[Step]) -> Option<u64> {
        let rows = self.steps.iter().filter(|(step, _)| steps.contains(step));
        rows.map(|(_, row)| row.millis).sum()
    }
}

/// Reads the settings and tries the way to the server as far as that needs no session.
pub(super) async fn prepare(progress: &Progress, examined: &Examined) {
    let transport = examined.transport();
    match transport {
        Transport::Stdio { .. } => {
            progress.begin(Code::Settings, "Read the command and its secrets.");
            let began = clock::micros();
            let preview = preview_command(&examined.services, &examined.entry).await;
            let preview =
                match preview {
                    Ok(preview) => preview,
                    Err(error) => {
                        let verdict = Verdict::fail(error.to_string()).took(since(began));
                        let verdict = verdict.detail(error.detail());
                        return progress.end(Code::Settings, verdict.fix(
                        "Unlock the keyring, or edit the server and enter the secret again.",
                    ));
                    }
                };
            let found = Verdict::pass(format!("The command is `{}`.", command(transport)));
            progress.end(Code::Settings, found.took(since(began)));
            let tried = format!("Find `{}`. {}", preview.argv[0], preview.path_source);
            progress.begin(Code::Command, tried);
            let began = clock::micros();
            if let Some(program) = preview.program {
                let found = Verdict::pass(format!("It is `{program}`."));
                progress.end(Code::Command, found.took(since(began)));
            }
        }
        Transport::Http { url, .. } => {
            progress.begin(Code::Settings, format!("Read the URL `{url}`."));
            let began = clock::micros();
            let Ok(parsed) = Url::parse(url.trim()) else {
                // The connect explains what is wrong with the URL.
                return;
            };
            let found = match parsed.scheme() {
                "https" | "wss" => "The URL is valid, and the connection is to be secured by TLS.",
                _ => "The URL is valid. The connection is not secured by TLS.",
            };
            progress.end(Code::Settings, Verdict::pass(found).took(since(began)));
            if has_proxy(transport, &parsed) {
                let why = "A proxy does this.";
                progress.end(Code::Dns, Verdict::not_evaluated(why));
                progress.end(Code::Tcp, Verdict::not_evaluated(why));
                return;
            }
            let host = parsed.host_str().unwrap_or_default();
            progress.begin(Code::Dns, format!("Look up `{host}`."));
            let looked = network_check::look_up(&parsed).await;
            // The lookup may fail here but work for the connection, as of a name below `localhost`.
            let Some(verdict) = looked.verdict else {
                return;
            };
            progress.end(Code::Dns, verdict);
            let port = parsed.port_or_known_default().unwrap_or(80);
            progress.begin(Code::Tcp, format!("Open a connection to port {port}."));
            if let Some(verdict) = network_check::open_port(&looked.addresses).await {
                progress.end(Code::Tcp, verdict);
            }
        }
        Transport::Demo { .. } => {}
    }
}

/// The command of a transport, in one line.
fn command(transport: &Transport) -> String {
    cut(&address(transport), COMMAND)
}

/// Begins the diagnosis steps that the connect has reached.
pub(super) fn follow(progress: &Progress, transport: &Transport, attempt: &Attempt) {
    for (step, row) in &attempt.steps {
        if row.state == StepState::Running {
            begin(progress, transport, *step);
        }
    }
}

fn begin(progress: &Progress, transport: &Transport, step: Step) {
    match step {
        Step::Start => progress.begin(
            Code::Process,
            match transport {
                Transport::Demo { .. } => "Start the demo server.".to_owned(),
                _ => format!("Start `{}`.", command(transport)),
            },
        ),
        Step::StartDemo => progress.begin(Code::Process, "Start the demo server."),
        Step::Reach => {
            progress.begin(Code::Tls, "Secure the connection.");
            progress.begin(Code::Http, "Send a message with POST.");
        }
        Step::Detect | Step::FirstAnswer | Step::McpAnswer => {
            progress.begin(Code::Stdout, "Wait for a message on standard output.");
            progress.begin(Code::Handshake, HANDSHAKE);
        }
        Step::Agree => progress.begin(Code::Handshake, HANDSHAKE),
        Step::Tools => {}
    }
}

const HANDSHAKE: &str = "Agree on a protocol version.";

/// Sets the verdicts of all steps up to the handshake.
pub(super) fn settle(progress: &Progress, transport: &Transport, attempt: &Attempt, began: u64) {
    for (step, row) in &attempt.steps {
        if row.state != StepState::Waiting {
            begin(progress, transport, *step);
        }
    }
    let steps = Code::of(transport);
    let failed = attempt.failure.as_ref();
    let failed = failed.map(|failure| (failed_at(progress, failure, attempt, &steps), failure));
    if let Some((at, failure)) = failed {
        let step = attempt.in_state(StepState::Failed);
        let millis = step.and_then(|step| attempt.millis(&[step]));
        let verdict = Verdict::fail(failure.to_string())
            .took(millis.unwrap_or_else(|| since(began)))
            .fixes(failure.advice.iter().cloned())
            .fixes(clock_fix(failure))
            .detail(lines(failure, attempt, at));
        // Replaces the result of the test before the connect.
        progress.overrule(at, verdict);
    }
    let at = failed.map(|(at, _)| at);
    let reached = |code: &Code| *code <= Code::Handshake && at.is_none_or(|at| *code < at);
    for code in steps.into_iter().filter(reached) {
        let verdict = match at {
            None if !attempt.is_ready() => {
                Verdict::not_evaluated("The connection was closed before.")
            }
            _ => passed(progress, code, transport, attempt),
        };
        progress.end(code, verdict);
    }
    if let Some(at) = at {
        progress.leave_out(&format!("Not reached: {} failed.", at.title()));
    }
}

/// Returns the step of the transport that a failure belongs to.
fn failed_at(progress: &Progress, failure: &Failure, attempt: &Attempt, steps: &[Code]) -> Code {
    // The limit for connecting includes TLS, and the port had opened in the test.
    let stalls_after_tcp = || progress.outcome(Code::Tcp) == Some(StepOutcome::Pass);
    let by_code = match failure.code.as_str() {
        "secret_missing"
        | "keyring_unavailable"
        | "bad_url"
        | "unknown_scheme"
        | "bad_setting"
        | "bad_header" => Some(Code::Settings),
        "command_not_found" | "not_executable" | "bad_working_directory" => Some(Code::Command),
        "start_failed" | "demo_missing" | "demo_silent" => Some(Code::Process),
        "unknown_host" => Some(Code::Dns),
        "connect_timeout" if steps.contains(&Code::Tls) && stalls_after_tcp() => Some(Code::Tls),
        "connection_refused" | "connect_timeout" | "proxy_failed" => Some(Code::Tcp),
        "tls_failed" => Some(Code::Tls),
        "unauthorized" | "forbidden" => Some(Code::Authorization),
        "handshake_rejected" | "unknown_revision" | "bad_shape" => Some(Code::Handshake),
        code if code.starts_with("sign_in_") => Some(Code::Authorization),
        _ => None,
    };
    let by_step = || match attempt.in_state(StepState::Failed) {
        Some(Step::Start | Step::StartDemo) => Code::Process,
        Some(Step::Detect | Step::FirstAnswer) => Code::Stdout,
        Some(Step::Reach | Step::McpAnswer) => Code::Http,
        Some(Step::Tools) => Code::Lists,
        Some(Step::Agree) | None => Code::Handshake,
    };
    let is_step = |code: &Code| steps.contains(code);
    by_code
        .filter(is_step)
        .or_else(|| Some(by_step()).filter(is_step))
        .or_else(|| steps.contains(&Code::Http).then_some(Code::Http))
        .unwrap_or(Code::Handshake)
}

/// Suggests checking this computer's clock if a certificate is not valid yet or any more.
fn clock_fix(failure: &Failure) -> Option<String> {
    let about_time = ["expired", "not valid yet", "not yet valid", "notvalidyet"];
    let cause = failure.cause.to_ascii_lowercase();
    let is_about_time = about_time.iter().any(|word| cause.contains(word));
    (failure.code == "tls_failed" && is_about_time).then(|| {
        "Check the clock of this computer: a certificate is valid only for a limited time."
            .to_owned()
    })
}

fn lines(failure: &Failure, attempt: &Attempt, at: Code) -> Vec<String> {
    let mut lines = Vec::new();
    if at == Code::Authorization {
        lines.extend(chain(attempt));
    }
    let detail = failure.detail.as_deref().unwrap_or_default();
    lines.extend(detail.lines().map(str::to_owned));
    let stderr = failure.stderr_tail.iter();
    lines.extend(stderr.map(|line| format!("stderr: {line}")));
    let stdout = failure.non_message_tail.iter();
    lines.extend(stdout.map(|line| format!("stdout: {line}")));
    lines
}

/// The steps behind a 401, each in a line.
fn chain(attempt: &Attempt) -> impl Iterator<Item = String> {
    let steps = attempt.auth.as_ref().map_or(&[][..], |auth| &auth.steps);
    steps.iter().map(|step| {
        let went = match step.state {
            AuthStepState::Running => "not over",
            AuthStepState::Done => "pass",
            AuthStepState::Warning => "pass, with a warning",
            AuthStepState::Failed => "fail",
        };
        format!("{}: {went}. {}", step.title, step.sentence)
    })
}

/// Verdict on a step that the connection has passed.
fn passed(progress: &Progress, code: Code, transport: &Transport, attempt: &Attempt) -> Verdict {
    match code {
        Code::Command => Verdict::pass("It was found."),
        Code::Process => {
            let found = match &attempt.program {
                Some(program) => format!("`{program}` runs."),
                None => "It started.".to_owned(),
            };
            Verdict::pass(found).took(attempt.millis(&[Step::Start, Step::StartDemo]))
        }
        Code::Dns | Code::Tcp => Verdict::not_evaluated(
            "It failed when it was tried on its own, but not for the connection.",
        ),
        Code::Tls if attempt.http_version.is_none() => {
            Verdict::not_evaluated("It is not known whether TLS was negotiated: no response came.")
        }
        Code::Tls if matches!(transport, Transport::Http { network, .. } if network.accept_any_certificate) => {
            Verdict::not_evaluated("The settings accept any certificate, so it was not checked.")
        }
        Code::Tls => {
            Verdict::pass("The certificate is valid and trusted. The time counts with HTTP.")
        }
        Code::Http => {
            let version = attempt.http_version.unwrap_or("HTTP");
            Verdict::pass(format!("The server answers with {version}."))
                .took(attempt.millis(&[Step::Reach]))
        }
        Code::Authorization => authorization(transport, attempt),
        Code::Handshake => {
            let steps = [
                Step::Detect,
                Step::FirstAnswer,
                Step::McpAnswer,
                Step::Agree,
            ];
            let verdict = match (&attempt.version_not_spoken, &attempt.identity) {
                (Some(words), _) => Verdict::not_evaluated(words.as_str()),
                (None, Some(identity)) => Verdict::pass(introduced(identity)),
                (None, None) => Verdict::pass("The protocol version was agreed on."),
            };
            verdict.took(attempt.millis(&steps))
        }
        Code::Stdout => stdout(&progress.log)
            .unwrap_or_else(|| Verdict::pass("There are messages and nothing else."))
            .took(attempt.millis(&[Step::Detect, Step::FirstAnswer])),
        _ => Verdict::pass("It was read."),
    }
}

fn introduced(identity: &ServerIdentity) -> String {
    let name = identity.name.as_deref().unwrap_or("The server");
    let version = identity.version.as_deref().unwrap_or_default();
    let who = format!("{name} {version}");
    format!(
        "{} speaks protocol version {}.",
        who.trim_end(),
        identity.revision
    )
}

fn authorization(transport: &Transport, attempt: &Attempt) -> Verdict {
    if let Some(grant) = attempt.auth.as_ref().and_then(|auth| auth.grant.as_ref()) {
        return Verdict::pass(format!(
            "The server accepts the token that `{}` issued.",
            grant.token.issuer
        ))
        .detail(chain(attempt));
    }
    match transport {
        Transport::Http {
            auth: AuthConfig::TOKEN,
            ..
        } => Verdict::pass("The server accepts the token of the settings."),
        _ => Verdict::not_evaluated("The server did not ask for authorization."),
    }
}

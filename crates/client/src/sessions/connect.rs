//! One connect, from its first step to its end.

use std::sync::Arc;

use sonde_mcp::{CloseReason, Event, OpenFailure, SessionHandle, SessionOptions};
use sonde_wire::{Closed, Tap, Wire, queue};
use tokio::task::JoinHandle;

use super::{
    attempts::Decision,
    client_info::introduction,
    connect_options::ConnectPlan,
    connect_tap::ConnectTap,
    event_loop::{SessionEnd, run_event_loop},
    exit,
    exit::TransportEnd,
    failure,
    failure::{Failure, FailureContext},
    state::SessionPhase,
    transport,
};
use crate::{
    changes::Change,
    config::declared_roots,
    core::Core,
    limits::{MESSAGE, redact_and_cut},
    log::{LogNoResponse, WireLog},
    operations, resource_subscriptions,
};

/// Events of a session that may wait to be handled; beyond that it reads no further.
const EVENTS: usize = 256;

/// Outcomes of an attempt, including the session that it opened.
enum End {
    /// As the user wished.
    Wanted(Option<TransportEnd>),
    Failed(Failure, Option<TransportEnd>),
    /// Something else is worth trying; without that, this would be the failure.
    Again(Decision, Failure),
}

/// Connects, follows the session to its end, and records that end.
pub(super) async fn run(core: Arc<Core>, plan: ConnectPlan) {
    let _done = plan.done.clone().drop_guard();
    let generation = plan.generation;
    // In a task of its own, so that a fault in it is an end like any other.
    let end = tokio::spawn(connect(core.clone(), plan)).await;
    let end = end.unwrap_or_else(|error| {
        tracing::error!(server = core.server, %error, "a connect broke down");
        End::Failed(failure::internal(), None)
    });
    // No request waits for a token any more.
    if let Some(auth) = core.auth.get() {
        auth.tokens.session_ended().await;
    }
    let why = match &end {
        End::Failed(failure, _) => failure.to_string(),
        _ => "The connection was closed before the response arrived.".to_owned(),
    };
    let crashed = matches!(&end, End::Failed(failure, _) if failure.code == "process_exited");
    if matches!(&end, End::Failed(failure, _) if failure.code == failure::INTERNAL) {
        operations::lose_all(&core, generation, &why);
    }
    operations::explain_lost(&core, generation, &why, crashed);
    core.close_server_requests();
    core.with_session(|session| match end {
        End::Failed(failure, closed) => {
            session.steps.fail();
            session.failure = Some(failure);
            session.closed = closed;
            session.finish(SessionPhase::Failed);
        }
        End::Wanted(closed) => {
            session.steps.give_up();
            session.closed = closed;
            session.finish(SessionPhase::Idle);
        }
        End::Again(..) => session.finish(SessionPhase::Idle),
    });
    resource_subscriptions::changed(&core);
    core.owner.changed(Change::TaskList);
    core.owner.changed(Change::Details);
}

async fn connect(core: Arc<Core>, mut plan: ConnectPlan) -> End {
    let log = Arc::clone(&core.log);
    log.begin_generation();
    core.owner.changed(Change::Issues);
    if let Some(decision) = plan.attempts.cached_decision() {
        announce(&core, &decision);
    }
    // Failure of Streamable HTTP, if HTTP+SSE is tried because of it.
    let mut before: Option<Failure> = None;
    loop {
        let tap = ConnectTap::new(&core, plan.attempts.asks_first());
        let next = plan.attempts.current();
        core.with_connection(|connection| {
            connection.attempt(next.carrier);
        });
        match attempt(&core, &mut plan, &tap).await {
            End::Again(decision, failure) => {
                log.mark_detection();
                log.begin_attempt();
                tap.tell_issues();
                announce(&core, &decision);
                core.with_session(|session| {
                    if session.phase == SessionPhase::Closing {
                        session.set_phase(SessionPhase::Connecting);
                    }
                });
                before = plan.attempts.fell_back().then_some(failure);
            }
            End::Failed(failure, closed) => {
                let mut failure = match before {
                    Some(before) if plan.attempts.fell_back() && !was_ready(&core) => {
                        failure::in_both_ways(before, failure)
                    }
                    _ => failure,
                };
                if matches!(failure.code.as_str(), "unauthorized" | "forbidden") {
                    explain_sign_in(&core, &mut failure);
                }
                hide_secrets(&mut failure, &log);
                return End::Failed(failure, closed);
            }
            end => return end,
        }
    }
}

/// True if the session became ready during this connect.
fn was_ready(core: &Core) -> bool {
    core.state(|state| state.session.identity.is_some())
}

/// Announces the next attempt.
fn announce(core: &Core, decision: &Decision) {
    core.log.note(decision.sentence.as_str());
    core.with_connection(|connection| {
        connection.decided(decision.code, &decision.sentence);
    });
}

async fn attempt(core: &Arc<Core>, plan: &mut ConnectPlan, tap: &Arc<ConnectTap>) -> End {
    let next = plan.attempts.current();
    let transport = plan.transport.clone();
    let context = FailureContext {
        transport: &transport,
        tap,
        handshake_seconds: plan.timeouts.handshake.as_secs(),
        era: next.era,
        offer: next.offer,
        chosen: !plan.attempts.automatic_era(),
        carrier: next.carrier,
    };
    let opened = tokio::select! {
        biased;
        () = plan.cancel.cancelled() => return End::Wanted(None),
        opened = transport::open(core, &plan.transport, next.carrier, tap) => opened,
    };
    let transport::OpenTransport { wire, mut sidecar } = match opened {
        Ok(opened) => opened,
        Err(error) => return End::Failed(failure::not_opened(&error, &context), None),
    };
    let (events_in, events) = queue::channel(EVENTS);
    let options = SessionOptions {
        timeouts: plan.timeouts,
        era: next.era,
        offer: next.offer,
        streams: plan.streams,
        log_level: plan.log_level,
        ..introduction(plan.declaration.client())
    };
    let (handle, actor) = open_session(core, plan, wire, tap.clone(), options, events_in);
    let end = run_event_loop(core, plan, tap, events, handle, sidecar.as_mut()).await;
    if let Err(error) = actor.await {
        tracing::error!(%error, "a session's task failed");
    }
    if let Some(sidecar) = sidecar {
        transport::end(sidecar).await;
    }
    tap.log().end_requests(None, no_response(&end));
    settle(end, &context, plan)
}

/// Opens a session with the stored settings of its server. Runs under the lock, so that roots saved meanwhile are
/// either declared by this session or sent to it.
pub(super) fn open_session(
    core: &Core,
    plan: &ConnectPlan,
    wire: Wire,
    tap: Arc<dyn Tap>,
    mut options: SessionOptions,
    events: queue::Sender<Event>,
) -> (SessionHandle, JoinHandle<()>) {
    let opened = core.state(|state| {
        let config = &state.config;
        let roots = declared_roots(&config.roots);
        options.capabilities = plan
            .declaration
            .capabilities(roots, &core.services.extensions);
        options.hand_on_roots = config.request_rules.takes_roots();
        let session = &mut state.session;
        options.catalogs = Arc::clone(&session.catalogs);
        options.resource_subscriptions = session.resource_subscriptions.uris();
        let (handle, actor) = sonde_mcp::open(wire, tap, options, events);
        session.set_handle(handle.clone());
        (handle, actor)
    });
    core.owner.changed(Change::Session);
    opened
}

/// Reason why requests that are open at the end of a session have no response.
fn no_response(end: &SessionEnd) -> LogNoResponse {
    let closed = end.reason.as_ref().and_then(end_of_transport);
    match closed.or(end.sidecar_closed.as_ref()) {
        Some(Closed::ProcessExited { .. }) => LogNoResponse::Exited,
        _ => LogNoResponse::Disconnected,
    }
}

fn settle(end: SessionEnd, context: &FailureContext<'_>, plan: &mut ConnectPlan) -> End {
    let cancelled = plan.cancel.is_cancelled();
    if let Some(closed) = &end.sidecar_closed
        && !cancelled
        && let Some(failure) = failure::demo_ended(closed, context)
    {
        return End::Failed(failure, Some(exit::transport_end(closed)));
    }
    let Some(reason) = end.reason else {
        return if cancelled {
            End::Wanted(None)
        } else {
            // A session always ends with a reason.
            End::Failed(failure::internal(), None)
        };
    };
    let closed = match (end_of_transport(&reason), context.tap.exit()) {
        (Some(closed), _) => Some(exit::transport_end(closed)),
        // The session ended first, for its own reason, and then its process.
        (None, Some(exit)) => Some(exit::transport_end(&Closed::Requested { exit: Some(exit) })),
        (None, None) => None,
    };
    let closed = closed.map(|closed| TransportEnd {
        terminated: context.tap.terminated(),
        ..closed
    });
    if cancelled {
        return End::Wanted(closed);
    }
    let next = match &reason {
        CloseReason::OpenFailed(open) if !end.was_ready => plan.attempts.next(open),
        _ => None,
    };
    match (next, failure::ended(&reason, context)) {
        (Some(decision), Some(failure)) => End::Again(decision, failure),
        (None, Some(failure)) => End::Failed(failure, closed),
        (_, None) => End::Wanted(closed),
    }
}

fn end_of_transport(reason: &CloseReason) -> Option<&Closed> {
    match reason {
        CloseReason::Transport(closed) | CloseReason::OutputClosed(closed) => Some(closed),
        CloseReason::OpenFailed(
            OpenFailure::Transport(closed)
            | OpenFailure::EndedWhileAsked(closed)
            | OpenFailure::OutputClosedWhileAsked(closed),
        ) => Some(closed),
        _ => None,
    }
}

/// Replaces a refusal by the problem of the sign-in that led to it.
fn explain_sign_in(core: &Core, failure: &mut Failure) {
    let problem = core.state(|state| state.auth.as_ref()?.problem.clone());
    let Some(problem) = problem else { return };
    failure.code = format!("sign_in_{}", problem.code);
    failure.title = problem.title;
    failure.cause = problem.cause;
    failure.advice = problem.advice;
    // The detail of the refusal is not the cause.
    failure.detail = problem.detail;
}

/// A failure quotes what the server wrote, and a server may quote what it was sent.
fn hide_secrets(failure: &mut Failure, log: &WireLog) {
    let texts = [&mut failure.title, &mut failure.cause];
    let texts = texts.into_iter().chain(&mut failure.advice);
    for text in texts.chain(&mut failure.detail) {
        *text = redact_and_cut(text, MESSAGE, log);
    }
}

//! Applies the events of a session to the state.

use std::sync::Arc;

use sonde_mcp::{
    CatalogEvent, CloseReason, Era, Event, Listing, Negotiated, NoResponse, OperationId, Phase,
    Reply, ServerRequest, ServerRequestEnd, SessionHandle, StreamEvent, StreamKind, StreamReport,
};
use sonde_wire::{Closed, Incoming, Seq, Wire, queue};

use super::{
    attempts::DetectionCache,
    auto_answer,
    connect_details::ConnectDetails,
    connect_options::ConnectPlan,
    connect_tap::ConnectTap,
    health::HealthProblem,
    server_requests::{self, OpenServerRequest},
    state::{PingFailure, ServerIdentity, SessionPhase},
    stats::RoundTrip,
    steps::Step,
};
use crate::{
    Connection,
    catalogs::{Catalog, CatalogKind, judge_schemas},
    changes::{Change, NoticeLevel},
    clock,
    core::Core,
    icons::ShownIcons,
    limits::{INTRODUCTION, LINE, MESSAGE, NAME, TEXT, cut_text, redact_and_cut},
    log::{LogNoResponse, WireLog},
    operations::{self, OperationState},
    resource_subscriptions, task_list,
    text::cut,
};

/// State at the end of a session.
#[derive(Debug, Default)]
pub(super) struct SessionEnd {
    pub(super) reason: Option<CloseReason>,
    /// Operations worked at some time.
    pub(super) was_ready: bool,
    /// The process behind the address ended by itself.
    pub(super) sidecar_closed: Option<Closed>,
}

/// Follows a session to its end. Never waits for the session: its queues are bounded.
pub(super) async fn run_event_loop(
    core: &Arc<Core>,
    plan: &ConnectPlan,
    tap: &ConnectTap,
    mut events: queue::Receiver<Event>,
    handle: SessionHandle,
    mut sidecar: Option<&mut Wire>,
) -> SessionEnd {
    let mut end = SessionEnd::default();
    let mut closing = false;
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(Event::Phase(Phase::Closed(reason))) => end.reason = Some(reason),
                Some(event) => {
                    end.was_ready |= matches!(event, Event::Phase(Phase::Ready));
                    apply(core, plan, tap, &handle, event).await;
                }
                None => return end,
            },
            // The user gives up or disconnects, or the app ends.
            () = plan.cancel.cancelled(), if !closing => {
                closing = true;
                handle.close();
            }
            // Without its process an address is dead, and only the process knows why.
            closed = end_of(&mut sidecar), if end.sidecar_closed.is_none() => {
                end.sidecar_closed = Some(closed);
                handle.close();
            }
        }
    }
}

async fn end_of(sidecar: &mut Option<&mut Wire>) -> Closed {
    let Some(wire) = sidecar else {
        return std::future::pending().await;
    };
    loop {
        match wire.incoming.recv().await {
            Some(Incoming::Closed(closed)) => return closed,
            Some(_) => {}
            None => return Closed::Disconnected { reason: None },
        }
    }
}

pub(super) async fn apply(
    core: &Arc<Core>,
    plan: &ConnectPlan,
    tap: &ConnectTap,
    handle: &SessionHandle,
    event: Event,
) {
    let log = tap.log();
    match event {
        Event::Phase(phase) => on_phase(core, tap, &phase),
        Event::Negotiated(negotiated) => on_negotiated(core, plan, log, &negotiated),
        Event::Catalog { kind, event } => on_catalog_event(core, log, kind, event).await,
        Event::Operation(id, event) => {
            resource_subscriptions::follow(core, id, &event);
            operations::apply(core, log, id, event);
        }
        Event::TaskList(event) => task_list::apply(core, event, log),
        Event::ResourceSubscription { uri, state } => {
            resource_subscriptions::on_state(core, &uri, state, log);
        }
        Event::ResourceUpdated {
            uri, sub_resource, ..
        } => {
            resource_subscriptions::updated(core, &uri, sub_resource.as_deref(), log);
        }
        // The wire log has it, and the console shows it from there.
        Event::Log(_) => {}
        Event::LogLevelFailed { message } => core.notice(
            NoticeLevel::Warning,
            "log_level_failed",
            "The server did not accept the log level.",
            Some(redact_and_cut(&message, MESSAGE, log)),
        ),
        Event::Detection(step) => {
            core.with_connection(|connection| connection.detected(step, log));
        }
        Event::Stream(report) => {
            if let Some(operation) = resumed_operation(&report) {
                operations::resumed(core, operation);
            }
            core.with_connection(|connection| {
                connection.streams.take(report, log, clock::millis());
            });
        }
        Event::Health(health) => {
            core.with_connection(|connection| {
                connection.problem = HealthProblem::of(&health, log);
            });
        }
        Event::Reopening => core.with_connection(ConnectDetails::reopen),
        Event::SessionDelete(end) => {
            core.with_session(|session| session.deleted = Some(end));
        }
        Event::ElicitationCompleted(id) => on_elicitation_completed(core, plan.generation, &id),
        Event::RootsAnswered(reply) => {
            core.with_connection(|connection| connection.roots.answered(&reply, log));
        }
        Event::ServerRequest(request) => on_server_request(core, plan, log, handle, &request),
        Event::ServerRequestClosed(id, end) => {
            let closed = core.state(|state| state.server_requests.close(plan.generation, id));
            if let Some(closed) = closed {
                on_server_request_closed(core, log, &closed, end);
            }
        }
        Event::RoundTrip {
            method,
            operation,
            micros,
            answer,
            failed,
        } => {
            // Measured between the same two frames as in the wire log and, for a run of one request, in the run.
            let micros = answer
                .and_then(|seq| log.latency(seq.0))
                .or_else(|| between_frames(core, log, operation?, answer?))
                .unwrap_or(micros);
            let micros = micros - user_wait_micros(core, log, (operation, answer), micros);
            let tool = operation.filter(|_| *method == *operations::TOOLS_CALL);
            let tool = tool.and_then(|OperationId(operation)| {
                core.state(|state| state.operations.get(operation)?.target.clone())
            });
            let trip = RoundTrip {
                at: clock::millis(),
                micros,
                failed,
            };
            core.with_connection(|connection| {
                connection.stats.add(&method, None, trip);
                if let Some(tool) = &tool {
                    connection.stats.add(&method, Some(tool), trip);
                }
            });
        }
        Event::NoResponse { request, why } => log.end_request(
            &request,
            match why {
                NoResponse::TimedOut => LogNoResponse::TimedOut,
                NoResponse::Cancelled => LogNoResponse::Cancelled,
                NoResponse::Lost => LogNoResponse::Lost,
            },
        ),
        Event::Faults { paused, delay } => {
            core.with_connection(|connection| {
                connection.facts.paused = paused;
                connection.answer_delay = delay;
            });
        }
        Event::Pong { micros } => {
            core.owner.retract("ping_failed");
            core.with_session(|session| {
                session.ping_micros = Some(micros);
                session.ping_failure = None;
            });
        }
        Event::PingFailed { message, is_lost } => {
            let why = redact_and_cut(&message, MESSAGE, log);
            core.with_session(|session| {
                session.ping_micros = None;
                session.ping_failure = Some(PingFailure {
                    why: why.clone(),
                    is_lost,
                });
            });
            core.notice(
                NoticeLevel::Warning,
                "ping_failed",
                "The server did not respond to the ping.",
                Some(why),
            );
        }
    }
}

/// The time from the last request of an operation to an entry with its response, where the log does not tie them
/// together: responses in a batch are one entry.
fn between_frames(core: &Core, log: &WireLog, operation: OperationId, answer: Seq) -> Option<u64> {
    let sent = core.state(|state| state.operations.get(operation.0)?.last_sent)?;
    log.recorded_at(answer.0)?.checked_sub(sent)
}

/// Returns the part of a request's duration in which the server waited for the user, in microseconds: it says nothing
/// about the server.
fn user_wait_micros(
    core: &Core,
    log: &WireLog,
    (operation, answer): (Option<OperationId>, Option<Seq>),
    micros: u64,
) -> u64 {
    let to = answer
        .and_then(|seq| log.recorded_at(seq.0))
        .unwrap_or_else(clock::micros);
    let of_request = |operation: OperationId| {
        core.state(|state| {
            let record = state.operations.get(operation.0)?;
            Some(
                record
                    .request_history
                    .waited_between(to.saturating_sub(micros), to),
            )
        })
    };
    operation.and_then(of_request).unwrap_or(0).min(micros)
}

/// Returns the operation whose response stream was resumed.
fn resumed_operation(report: &StreamReport) -> Option<OperationId> {
    match (&report.event, &report.kind) {
        (StreamEvent::Resumed, StreamKind::Response { operation, .. }) => *operation,
        _ => None,
    }
}

/// Marks the page of an elicitation as completed in the runs of this connect. Runs of other connects are skipped: a
/// restarted server may reuse an id.
fn on_elicitation_completed(core: &Core, generation: u32, id: &str) {
    let of: Vec<_> = core.state(|state| {
        let records = state.operations.iter_mut();
        let mut of_server = records
            .filter(|record| record.generation == generation)
            .collect::<Vec<_>>();
        of_server
            .iter_mut()
            .filter_map(|record| record.request_history.complete(id).then_some(record.number))
            .collect()
    });
    if of.is_empty() {
        core.notice(
            NoticeLevel::Info,
            "elicitation_completed",
            "The server says that you have finished on the page that it asked you to open.",
            None,
        );
    }
    for operation in of {
        core.owner.changed(Change::Operation(operation));
    }
}

/// Handles the end of a server request. Only an answer that was sent is stored with the run.
fn on_server_request_closed(
    core: &Core,
    log: &WireLog,
    closed: &OpenServerRequest,
    end: ServerRequestEnd,
) {
    core.owner.changed(Change::ServerRequest(closed.number));
    for operation in closed.operations() {
        // Between two rounds the operation still waits for other requests.
        let waits = core.state(|state| {
            let record = state.operations.get(operation);
            record.is_some_and(|record| record.state == OperationState::Running)
        });
        if waits {
            operations::resume_idle_timer(core, operation);
        }
    }
    match end {
        ServerRequestEnd::Answered => {
            let Some((answered, page)) = closed.answered(log) else {
                return;
            };
            for operation in closed.operations() {
                core.with_operation(operation, |record| {
                    record.request_history.add(answered.clone(), page.clone());
                });
            }
        }
        ServerRequestEnd::Withdrawn => core.notice(
            NoticeLevel::Info,
            "question_withdrawn",
            if closed.has_reply() {
                "The server cancelled its request. Your response came too late and was not sent."
            } else {
                "The server cancelled its request."
            },
            None,
        ),
        ServerRequestEnd::Obsolete => {}
    }
}

/// Shows a request of the server, or refuses it when there are too many open already.
fn on_server_request(
    core: &Arc<Core>,
    plan: &ConnectPlan,
    log: &WireLog,
    handle: &SessionHandle,
    request: &ServerRequest,
) {
    let id = request.id;
    let mut request =
        server_requests::open_request(core.server.clone(), plan.generation, request, log);
    request.number = core.services.next_server_request();
    let added = core.state(|state| {
        let number = state.server_requests.add(request)?;
        Some((number, state.server_requests.closing(number)))
    });
    if let Some((number, closed)) = added {
        return auto_answer::ask_or_answer(core, number, closed);
    }
    core.notice(
        NoticeLevel::Warning,
        "too_many_server_requests",
        "The server has too many open requests. Further requests are rejected.",
        None,
    );
    let handle = handle.clone();
    // In a task of its own: the event loop must not wait for the session.
    core.tasks.spawn(async move {
        let refusal = Reply::Error {
            code: -32_603,
            message: "Too many open requests.".to_owned(),
        };
        let _ = handle.answer(id, refusal).await;
    });
}

/// Starts the operation that was requested with this connect.
fn start_then(core: &Arc<Core>) {
    let Some(operation) = core.state(|state| state.session.then.take()) else {
        return;
    };
    let connection = Connection { core: core.clone() };
    // In a task of its own: the event loop must not wait for the session.
    core.tasks.spawn(async move {
        if let Err(error) = connection.start_operation(operation).await {
            connection.core.notice(
                NoticeLevel::Warning,
                "not_run_again",
                "The run could not be started again.",
                Some(error.to_string()),
            );
        }
    });
}

fn on_phase(core: &Arc<Core>, tap: &ConnectTap, phase: &Phase) {
    match phase {
        Phase::Closed(_) => {}
        // After `Ready` this means that the session is being reopened: the phase shown stays.
        Phase::Opening => tap.handshake(),
        Phase::Ready => {
            core.with_connection(|connection| connection.reopening = false);
            let has_tools = core.state(|state| {
                let tools = state.catalogs.get(CatalogKind::Tools);
                tools.is_some_and(|tools| tools.supported)
            });
            core.with_session(|session| {
                if session.phase == SessionPhase::Ready {
                    return;
                }
                session.set_phase(SessionPhase::Ready);
                if has_tools {
                    session.steps.reach(Step::Tools);
                } else {
                    session.steps.complete();
                }
            });
            if !has_tools {
                // For a server with tools, `on_tools_listed` follows.
                core.owner.on_introduced();
            }
            start_then(core);
            operations::resume_tasks(core);
        }
        Phase::Closing => core.with_session(|session| {
            session.set_phase(SessionPhase::Closing);
        }),
    }
}

fn on_negotiated(core: &Core, plan: &ConnectPlan, log: &WireLog, negotiated: &Negotiated) {
    core.with_connection(|connection| connection.on_negotiated(negotiated, log));
    log.judge_by(negotiated.revision);
    if let Some(auth) = core.auth.get() {
        auth.judge_by(negotiated.revision);
    }
    let detection_cache = plan
        .attempts
        .detected(negotiated.era == Era::Handshake)
        .map(|found| DetectionCache::new(&plan.transport, found));
    let said = negotiated.server.as_ref();
    let completions = negotiated.completions;
    let line = |text: Option<&String>, longest| {
        let text = text.filter(|text| !text.trim().is_empty());
        Some(cut(text?, longest))
    };
    let whole = |text: &str| Arc::new(cut_text(text, INTRODUCTION));
    let instructions = negotiated.instructions.as_deref().map(whole);
    let capabilities = whole(negotiated.capabilities.get());
    let meta = negotiated.meta.as_ref().map(|raw| raw.get());
    let identity = ServerIdentity {
        name: said.and_then(|said| line(said.name.as_ref(), NAME)),
        title: said.and_then(|said| line(said.title.as_ref(), NAME)),
        version: said.and_then(|said| line(said.version.as_ref(), NAME)),
        description: said.and_then(|said| line(said.description.as_ref(), MESSAGE)),
        website_url: said.and_then(|said| line(said.website_url.as_ref(), LINE)),
        icons: said
            .map(|said| ShownIcons::from(&said.icons))
            .unwrap_or_default(),
        revision: negotiated.revision.to_owned(),
        offered: negotiated.offered.to_owned(),
        instructions: negotiated
            .instructions
            .as_deref()
            .map(|text| cut_text(text, TEXT)),
        capabilities: cut_text(negotiated.capabilities.get(), TEXT),
        meta: meta.map(|text| cut_text(text, TEXT)),
        handshake_ms: negotiated.handshake_ms,
    };
    let meta = meta.map(whole);
    // After `Ready` the session is being reopened, and reads the same lists again.
    let reopened = core.state(|state| state.session.phase == SessionPhase::Ready);
    for kind in CatalogKind::ALL {
        let supported = negotiated.catalogs.contains(&kind);
        with_catalog(core, kind, |catalog| {
            if supported {
                catalog.supported = true;
                catalog.asked = kind == CatalogKind::Tools || (reopened && catalog.asked);
                catalog.current = false;
            } else {
                // Items of an earlier session cannot be used any more.
                *catalog = Catalog::empty(core.server.clone(), kind, false);
            }
        });
    }
    core.with_session(|session| {
        session.steps.reach(Step::Tools);
        session.identity = Some(identity);
        session.completions = completions;
        session.tool_tasks = negotiated.tool_tasks;
        session.task_list.begin(negotiated.task_list);
        session.resource_subscriptions.supported = negotiated.resource_subscriptions;
        session.instructions = instructions;
        session.capabilities = Some(capabilities);
        session.meta = meta;
        session.detection_cache = detection_cache;
    });
    resource_subscriptions::changed(core);
    core.owner.changed(Change::TaskList);
    core.owner.changed(Change::Issues);
}

async fn on_catalog_event(core: &Arc<Core>, log: &WireLog, kind: CatalogKind, event: CatalogEvent) {
    match event {
        CatalogEvent::Loading => {
            with_catalog(core, kind, Catalog::begin_reading);
        }
        CatalogEvent::Part(part) => {
            let at = clock::millis();
            if let Some(read) = read(core, kind, move |catalog, forbids| {
                catalog.read_part(part, forbids, at)
            })
            .await
            {
                with_catalog(core, kind, |catalog| *catalog = read);
                core.owner.changed(Change::Issues);
            }
        }
        CatalogEvent::Listed(mut listing) => {
            listing.error = listing
                .error
                .map(|error| redact_and_cut(&error, MESSAGE, log));
            on_catalog_read(core, kind, listing).await;
        }
        CatalogEvent::Failed { message } => {
            let message = redact_and_cut(&message, MESSAGE, log);
            with_catalog(core, kind, |catalog| {
                catalog.fail_reading(message);
            });
            // Connecting lists the tools and nothing else.
            if kind == CatalogKind::Tools {
                core.with_session(|session| session.steps.fail());
                // The instructions can be compared without the tools.
                core.owner.on_introduced();
            }
        }
    }
}

/// The catalog after pages of it were read.
async fn read(
    core: &Core,
    kind: CatalogKind,
    read: impl FnOnce(Catalog, bool) -> Catalog + Send + 'static,
) -> Option<Catalog> {
    let (catalog, forbids) = core.state(|state| {
        let catalog = state.catalogs.get(kind).cloned();
        let forbids = state
            .details()
            .is_some_and(ConnectDetails::is_stateless_http);
        (catalog, forbids)
    });
    let catalog = catalog.unwrap_or_else(|| Catalog::empty(core.server.clone(), kind, true));
    // Thousands of items take a while.
    let read = tokio::task::spawn_blocking(move || read(catalog, forbids));
    read.await.ok()
}

async fn on_catalog_read(core: &Arc<Core>, kind: CatalogKind, listing: Listing) {
    let at = clock::millis();
    let Some(read) = read(core, kind, move |catalog, forbids| {
        catalog.read(listing, forbids, at)
    })
    .await
    else {
        return;
    };
    with_catalog(core, kind, |catalog| *catalog = read);
    core.owner.changed(Change::Issues);
    if kind == CatalogKind::Tools {
        core.with_session(|session| {
            session.steps.complete();
            session.judging += 1;
        });
        // In a task of its own: the session does not wait for the checks.
        let judging = core.clone();
        core.tasks.spawn(async move {
            judging.owner.on_tools_listed().await;
            judge_schemas(judging.clone()).await;
            judging.owner.on_schemas_judged().await;
            judging.with_session(|session| session.judging -= 1);
        });
    }
}

fn with_catalog(core: &Core, kind: CatalogKind, change: impl FnOnce(&mut Catalog)) {
    core.state(|state| change(state.catalogs.entry(kind)));
    core.owner.changed(Change::Catalog(kind));
}

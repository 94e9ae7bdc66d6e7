//! One connect, from the first step to the last word.

use std::sync::Arc;

use sonde_mcp::{CloseReason, Implementation, Revision, SessionOptions, Timeouts};
use sonde_wire::Closed;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{
    exit, failure,
    failure::Scene,
    follow::{Followed, follow},
    link,
    watch::Watch,
};
use crate::{
    calls,
    core::Core,
    ipc::{CloseView, Failure, ServerId, SessionPhase, TransportDraft},
    log::WireLog,
};

/// How many events of a session wait to be followed before it reads no further.
const EVENTS: usize = 256;

/// What a connect needs to know.
pub(super) struct Plan {
    pub(super) server: ServerId,
    pub(super) generation: u32,
    pub(super) transport: TransportDraft,
    pub(super) timeouts: Timeouts,
    /// Ends it at any point.
    pub(super) cancel: CancellationToken,
    /// Says that it ended.
    pub(super) done: CancellationToken,
}

/// How it ended.
enum End {
    /// As the user wished.
    Wanted(Option<CloseView>),
    Failed(Failure, Option<CloseView>),
    /// The server refused the offered revision and named one that Sonde speaks.
    Offer(Revision),
}

/// Connects, follows the session and settles its end.
pub(super) async fn run(core: Arc<Core>, plan: Plan) {
    let _done = plan.done.clone().drop_guard();
    let Ok(log) = core.log(&plan.server) else {
        return;
    };
    log.begin_generation();
    let mut offer = None;
    let end = loop {
        let watch = Watch::new(&core, plan.server.clone(), log.clone());
        match attempt(&core, &plan, &watch, offer).await {
            End::Offer(revision) => {
                log.note(format!(
                    "The server refused protocol version {} and named {}: connecting once more \
                     with that.",
                    offer.unwrap_or(Revision::NEWEST_LEGACY).as_str(),
                    revision.as_str()
                ));
                offer = Some(revision);
            }
            End::Failed(mut failure, closed) => {
                hide_secrets(&mut failure, &log);
                break End::Failed(failure, closed);
            }
            end => break end,
        }
    };
    let why = match &end {
        End::Failed(failure, _) => failure::in_short(failure),
        _ => "The connection was closed before the answer came.".to_owned(),
    };
    let crashed = matches!(&end, End::Failed(failure, _) if failure.code == "process_exited");
    calls::explain_lost(&core, &plan.server, plan.generation, &why, crashed);
    core.with_session(&plan.server, |session| match end {
        End::Failed(failure, closed) => {
            session.fail_step();
            session.view.failure = Some(failure);
            session.view.closed = closed;
            session.finish(SessionPhase::Failed);
        }
        End::Wanted(closed) => {
            session.give_up_step();
            session.view.closed = closed;
            session.finish(SessionPhase::Idle);
        }
        End::Offer(_) => session.finish(SessionPhase::Idle),
    });
}

async fn attempt(
    core: &Arc<Core>,
    plan: &Plan,
    watch: &Arc<Watch>,
    offer: Option<Revision>,
) -> End {
    let scene = Scene {
        transport: &plan.transport,
        watch,
        patience: plan.timeouts.handshake.as_secs(),
    };
    let opened = tokio::select! {
        biased;
        () = plan.cancel.cancelled() => return End::Wanted(None),
        opened = link::open(core, &plan.server, &plan.transport, watch) => opened,
    };
    let link::Link { wire, mut behind } = match opened {
        Ok(link) => link,
        Err(error) => return End::Failed(failure::no_link(&error, &scene), None),
    };
    let (events_in, events) = mpsc::channel(EVENTS);
    let options = SessionOptions {
        timeouts: plan.timeouts,
        offer,
        ..SessionOptions::new(client())
    };
    let (handle, actor) = sonde_mcp::open(wire, watch.clone(), options, events_in);
    core.with_session(&plan.server, |session| session.set_handle(handle.clone()));
    let followed = follow(core, plan, watch.log(), events, handle, behind.as_mut()).await;
    if let Err(error) = actor.await {
        tracing::error!(%error, "a session's task failed");
    }
    if let Some(behind) = behind {
        link::end(behind).await;
    }
    settle(
        followed,
        &scene,
        offer.is_none(),
        plan.cancel.is_cancelled(),
    )
}

fn settle(followed: Followed, scene: &Scene<'_>, may_offer: bool, cancelled: bool) -> End {
    if let Some(closed) = &followed.behind_closed
        && !cancelled
        && let Some(failure) = failure::demo_ended(closed, scene)
    {
        return End::Failed(failure, Some(exit::close_view(closed)));
    }
    let Some(reason) = followed.reason else {
        return End::Wanted(None);
    };
    let closed = match (transport_end(&reason), scene.watch.exit()) {
        (Some(closed), _) => Some(exit::close_view(closed)),
        // The session ended first, for a reason of its own, and then its process.
        (None, Some(exit)) => Some(exit::close_view(&Closed::Requested { exit: Some(exit) })),
        (None, None) => None,
    };
    if cancelled {
        return End::Wanted(closed);
    }
    if let CloseReason::OpenFailed(open) = &reason
        && may_offer
        && let Some(revision) = open.other_offer()
    {
        return End::Offer(revision);
    }
    match failure::ended(&reason, scene) {
        Some(failure) => End::Failed(failure, closed),
        None => End::Wanted(closed),
    }
}

fn transport_end(reason: &CloseReason) -> Option<&Closed> {
    match reason {
        CloseReason::Transport(closed) => Some(closed),
        CloseReason::OpenFailed(sonde_mcp::OpenFailure::Transport(closed)) => Some(closed),
        _ => None,
    }
}

/// A failure quotes what the server wrote, and a server may quote what it was sent.
fn hide_secrets(failure: &mut Failure, log: &WireLog) {
    log.hide(&mut failure.title);
    log.hide(&mut failure.cause);
    failure.advice.iter_mut().for_each(|text| log.hide(text));
    failure.detail.iter_mut().for_each(|text| log.hide(text));
}

/// How Sonde introduces itself. It declares no capabilities of its own.
fn client() -> Implementation {
    Implementation {
        name: "Sonde".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: None,
        description: None,
        website_url: None,
    }
}

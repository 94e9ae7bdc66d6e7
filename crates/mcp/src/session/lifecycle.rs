//! Restart of a session, and its end.

use sonde_wire::{Cause, Closed, Command, ExchangeId, Verb};
use tokio::time::Duration;

use super::{
    context::Context,
    deadlines::Alarm,
    health,
    stage::{Stage, Step},
};
use crate::{CloseReason, Event, OpenFailure, Phase, SessionDelete};

/// Longest time for the server to confirm the end of its HTTP session.
const SESSION_DELETE: Duration = Duration::from_secs(2);

/// Longest time for a transport to close. Above the longest shutdown sequence.
const CLOSING: Duration = Duration::from_secs(30);

/// Longest time for a transport to receive the close command. A transport that waits for a server which
/// reads nothing does not receive it.
const HEARING: Duration = Duration::from_secs(3);

/// Highest number of restarts in a row, each soon after the one before. A server that forgets every session
/// at once would otherwise be asked forever.
const REOPENINGS: u32 = 3;
/// A session that lasts so long is no failed attempt: its server was restarted, perhaps after each change of its code.
const LASTING: Duration = Duration::from_secs(10);

/// State of the session's restarts and of its end.
#[derive(Debug, Default)]
pub(super) struct Lifecycle {
    /// Number of restarts in a row.
    reopened: u32,
    /// Reason for the end.
    reason: Option<CloseReason>,
    /// The process closed its standard output and is being ended.
    output_closed: Option<OutputClosed>,
    /// The exchange that ends the HTTP session, until it is answered.
    session_delete: Option<ExchangeId>,
    /// The transport may not have received the close command yet.
    unheard: bool,
}

/// Time at which a process closed its standard output.
#[derive(Clone, Copy, Debug)]
enum OutputClosed {
    /// While the server was being probed for its era.
    WhileAsked,
    /// At any other time.
    Otherwise,
}

/// Outcomes of restarting a session that the server forgot.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reopening {
    /// A new session is opened; this was announced.
    Begun,
    /// The server forgot too many sessions in a row.
    TooOften,
    /// No session exists that could be forgotten.
    NotReady,
}

impl Lifecycle {
    /// Restarts the session for the user: earlier failures do not count for the new session.
    pub(super) fn reopen_for_user(&mut self, ctx: &mut Context) -> Reopening {
        self.reopened = 0;
        self.begin_anew(ctx, "You asked for a new session: opening one.")
    }

    /// Returns true if the session is ready after a restart and has not lasted.
    pub(super) fn is_recent_restart(&self, ctx: &Context) -> bool {
        self.reopened > 0 && ctx.stage_age() < LASTING
    }

    /// "When a client receives HTTP 404 in response to a request containing an `Mcp-Session-Id`, it
    /// MUST start a new session by sending a new `InitializeRequest` without a session ID attached"
    /// (transports, Session Management). Nothing is repeated.
    pub(super) fn reopen(&mut self, ctx: &mut Context) -> Reopening {
        if !self.is_recent_restart(ctx) {
            self.reopened = 0;
        }
        if self.reopened >= REOPENINGS {
            return Reopening::TooOften;
        }
        self.begin_anew(
            ctx,
            "The server no longer knows the session (HTTP 404): opening a new one.",
        )
    }

    fn begin_anew(&mut self, ctx: &mut Context, why: &str) -> Reopening {
        if !ctx.step(Step::Forgotten) {
            return Reopening::NotReady;
        }
        self.reopened += 1;
        ctx.note(
            format!("{why} Pending requests are lost and not repeated."),
            Cause::Lifecycle,
            None,
        );
        ctx.report(Event::Reopening);
        Reopening::Begun
    }

    /// Handles a process that closed its standard output: the session ends, with a reason that is known once the
    /// process has ended. `undecided` is true during a probe. Returns false if the session had ended before.
    pub(super) fn output_closed(&mut self, ctx: &mut Context, undecided: bool) -> bool {
        let opening = ctx.stage() == Stage::Opening;
        if !ctx.step(Step::End) {
            return false;
        }
        self.output_closed = Some(match opening && undecided {
            true => OutputClosed::WhileAsked,
            false => OutputClosed::Otherwise,
        });
        health::output_closed(ctx);
        ctx.report(Event::Phase(Phase::Closing));
        ctx.deadlines.arm_in(Alarm::Closing, CLOSING);
        true
    }

    /// Begins to close the session; false if that was begun before.
    pub(super) fn begin_end(&mut self, ctx: &mut Context, reason: CloseReason) -> bool {
        if !ctx.step(Step::End) {
            return false;
        }
        self.reason = Some(reason);
        ctx.report(Event::Phase(Phase::Closing));
        true
    }

    /// Ends the HTTP session, then the transport.
    pub(super) fn end(&mut self, ctx: &mut Context) {
        let forgotten = matches!(self.reason, Some(CloseReason::SessionForgotten));
        if ctx.protocol.session_id().is_none() || forgotten {
            return self.close_transport(ctx);
        }
        // "Clients that no longer need a particular session SHOULD send an HTTP DELETE"
        // (transports, Session Management).
        let exchange = ctx.send_bodyless(Verb::Delete, None, Cause::Lifecycle, None);
        self.session_delete = Some(exchange);
        ctx.deadlines.arm_in(Alarm::SessionDelete, SESSION_DELETE);
    }

    /// Returns true if an exchange is the session's DELETE, whatever the response: 405 means that sessions cannot be
    /// deleted, 404 that it was already gone. `status` is the status of the response, if there is one.
    pub(super) fn is_session_delete(
        &mut self,
        ctx: &mut Context,
        exchange: ExchangeId,
        status: Option<u16>,
    ) -> bool {
        let ours = self.session_delete == Some(exchange);
        if ours {
            self.session_deleted(ctx, status);
        }
        ours
    }

    /// The end of the HTTP session was answered, or is waited for no longer.
    pub(super) fn session_deleted(&mut self, ctx: &mut Context, status: Option<u16>) {
        if self.session_delete.take().is_some() {
            let end = status.map_or(SessionDelete::NoResponse, SessionDelete::Status);
            ctx.report(Event::SessionDelete(end));
        }
        self.close_transport(ctx);
    }

    pub(super) fn close_transport(&mut self, ctx: &mut Context) {
        ctx.deadlines.disarm(Alarm::SessionDelete);
        if ctx.deadlines.is_armed(Alarm::Closing) {
            return;
        }
        ctx.deadlines.arm_in(Alarm::Closing, HEARING);
        ctx.commands.push(Command::Close);
        self.unheard = true;
    }

    /// Handles a transport that has not closed in time. Returns false if it gets more time, since it has only just
    /// received the close command; otherwise it is abandoned.
    pub(super) fn closing_due(&mut self, ctx: &mut Context) -> bool {
        let more = std::mem::take(&mut self.unheard) && ctx.commands.is_empty();
        if more {
            ctx.deadlines.arm_in(Alarm::Closing, CLOSING);
        }
        !more
    }

    /// Handles the end of the transport, which ends the session. Returns `None` if the session had ended before,
    /// otherwise true if it was still opening.
    pub(super) fn transport_gone(&self, ctx: &mut Context) -> Option<bool> {
        let opening = ctx.stage() == Stage::Opening;
        ctx.step(Step::WireGone).then_some(opening)
    }

    /// Remembers the reason for the end of the session, unless its end was requested before.
    pub(super) fn settle(&mut self, closed: Closed, opening: bool, undecided: bool) {
        let failed = CloseReason::OpenFailed;
        self.reason
            .get_or_insert(match (self.output_closed, opening) {
                (Some(OutputClosed::Otherwise), _) => CloseReason::OutputClosed(closed),
                (Some(OutputClosed::WhileAsked), _) => {
                    failed(OpenFailure::OutputClosedWhileAsked(closed))
                }
                (None, true) if undecided => failed(OpenFailure::EndedWhileAsked(closed)),
                (None, true) => failed(OpenFailure::Transport(closed)),
                (None, false) => CloseReason::Transport(closed),
            });
    }

    /// Emits the final event.
    pub(super) fn finish(&mut self, ctx: &mut Context) {
        if let Some(reason) = self.reason.take() {
            ctx.report(Event::Phase(Phase::Closed(reason)));
        }
    }
}

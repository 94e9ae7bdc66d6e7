//! How a session ends: session_delete, hanging up, the last words.

use sonde_wire::{Cause, Closed, Command, ExchangeId, Label, Outgoing, Verb};
use tokio::time::{Duration, Instant};

use super::{
    actor::Actor,
    deadlines::{Alarm, later},
    handle::Command as UserCommand,
    stage::{Stage, Step},
};
use crate::{CallEvent, CloseReason, Event, Lost, Outcome, Phase};

/// How long the server may take to confirm the end of its HTTP session.
const SESSION_DELETE: Duration = Duration::from_secs(2);

/// How long a transport may take to close. Above the longest shutdown ladder.
const CLOSING: Duration = Duration::from_secs(30);

/// What is known of the end before it comes.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// Why it was begun.
    reason: Option<CloseReason>,
    /// The exchange that ends the HTTP session, while it is not answered.
    session_delete: Option<ExchangeId>,
}

impl Actor {
    /// Takes a step of the transition table; `false` when it changes nothing here.
    pub(super) fn step(&mut self, step: Step) -> bool {
        let Some(stage) = self.stage.after(step) else {
            return false;
        };
        tracing::debug!(from = ?self.stage, to = ?stage, "session phase");
        self.stage = stage;
        true
    }

    /// Begins the orderly end.
    pub(super) fn end(&mut self, reason: CloseReason) {
        if !self.step(Step::End) {
            return;
        }
        self.report(Event::Phase(Phase::Closing));
        self.end_streams();
        let forgotten = matches!(reason, CloseReason::SessionForgotten);
        self.ending.reason = Some(reason);
        self.deadlines.disarm(Alarm::Handshake);
        self.deadlines.disarm(Alarm::Relist);
        self.deadlines.disarm(Alarm::Initialized);
        self.opening.initialized = None;
        // What was not handed over yet would only hold up the end.
        self.outbox.clear();
        self.unsubscribe();
        if self.protocol.session_id().is_none() || forgotten {
            self.hang_up();
            return;
        }
        // "Clients that no longer need a particular session SHOULD send an HTTP DELETE"
        // (transports, Session Management).
        let exchange = self.mute_exchange();
        self.ending.session_delete = Some(exchange);
        self.deadlines
            .arm(Alarm::SessionDelete, later(Instant::now(), SESSION_DELETE));
        self.outbox.push_back(Command::Send(Outgoing {
            exchange,
            verb: Verb::Delete,
            text: None,
            headers: self.protocol.headers(),
            label: Label {
                cause: Some(Cause::Lifecycle),
                ..Label::default()
            },
        }));
    }

    /// Whether an exchange is the end of the HTTP session, answered one way or another: 405 says
    /// that it cannot be ended, 404 that it is over already.
    pub(super) fn is_session_delete(&mut self, exchange: ExchangeId) -> bool {
        let ours = self.ending.session_delete == Some(exchange);
        if ours {
            self.ending.session_delete = None;
            self.hang_up();
        }
        ours
    }

    pub(super) fn hang_up(&mut self) {
        self.deadlines.disarm(Alarm::SessionDelete);
        if self.deadlines.is_armed(Alarm::Closing) {
            return;
        }
        self.deadlines
            .arm(Alarm::Closing, later(Instant::now(), CLOSING));
        self.outbox.push_back(Command::Close);
    }

    /// The transport is gone: everything that waits for an answer ends now.
    pub(super) fn wire_gone(&mut self, closed: Closed) {
        let opening = self.stage == Stage::Opening;
        if !self.step(Step::WireGone) {
            return;
        }
        self.end_streams();
        self.lose_everything();
        let reason = self.ending.reason.take().unwrap_or(if opening {
            CloseReason::OpenFailed(self.ended_while_opening(closed))
        } else {
            CloseReason::Transport(closed)
        });
        self.ending.reason = Some(reason);
    }

    /// Answers the wishes that came too late, then says the last word.
    pub(super) async fn refuse_the_rest(&mut self) {
        self.asks.close();
        // Also what is just being sent: it must not vanish without a word.
        while let Some(ask) = self.asks.recv().await {
            match ask {
                UserCommand::Call { id, .. } => {
                    self.report_call(id, CallEvent::Finished(Outcome::Lost(Lost::TransportGone)))
                }
                UserCommand::Ping => self.ping_failed("The session is over."),
                UserCommand::SetLogLevel(_) => self.log_level_failed("the session is over"),
                UserCommand::Cancel { .. }
                | UserCommand::Extend { .. }
                | UserCommand::RefreshTools
                | UserCommand::Answer { .. }
                | UserCommand::ReconnectNow(_)
                | UserCommand::GiveUp(_)
                | UserCommand::Fault(_) => {}
            }
        }
        if let Some(reason) = self.ending.reason.take() {
            self.report(Event::Phase(Phase::Closed(reason)));
        }
    }
}

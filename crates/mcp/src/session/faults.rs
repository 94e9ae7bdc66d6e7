//! Faults that a tester injects. Each is noted in the log before it happens.

use sonde_wire::{Cause, Command, Label};
use tokio::time::Duration;

use super::{context::Context, server_requests::ServerRequests, streams::Streams};
use crate::{Event, Fault, OperationId};

/// Limit of the delay of responses.
const LONGEST_DELAY: Duration = Duration::from_secs(600);

/// Ids that no server assigned.
const STALE_SESSION: &str = "sonde-stale-session-0000";
const WRONG_EVENT: &str = "sonde-wrong-event-0000";

/// The lasting faults.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Reading is paused.
    paused: bool,
}

impl Faults {
    /// True if the user has paused reading.
    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(super) fn inject(
        &mut self,
        ctx: &mut Context,
        streams: &mut Streams,
        server_requests: &mut ServerRequests,
        fault: Fault,
    ) {
        match fault {
            Fault::DropListener => {
                note(ctx, "You dropped the background stream.", None);
                streams.cut_background(ctx);
            }
            Fault::DropOperationStream { operation } => {
                note(
                    ctx,
                    "You dropped the response stream of this run.",
                    Some(operation),
                );
                streams.cut_response(ctx, ctx.requests.of_operation(operation));
            }
            Fault::ForgetSessionId => {
                note(ctx, "You made Sonde omit the session ID.", None);
                if let Some(handshake) = ctx.protocol.handshake_mut() {
                    handshake.session_id = None;
                }
            }
            Fault::StaleSessionId => {
                let what = "You made Sonde send a stale session ID.";
                note(ctx, what, None);
                if let Some(handshake) = ctx.protocol.handshake_mut() {
                    handshake.pretend_session(STALE_SESSION);
                }
            }
            Fault::WrongLastEventId => {
                let what = "You made Sonde resume the background stream with a wrong \
                 Last-Event-ID.";
                note(ctx, what, None);
                streams.cut_with_event_id(ctx, WRONG_EVENT);
            }
            Fault::RawFrame { text } => {
                note(ctx, "You sent a raw message.", None);
                let label = Label {
                    cause: Some(Cause::Fault),
                    ..Label::default()
                };
                ctx.send(text, label);
            }
            Fault::DelayAnswers { millis } => {
                let delay = Duration::from_millis(millis).min(LONGEST_DELAY);
                let what = match delay.is_zero() {
                    true => "You removed the delay of responses to the server.".to_owned(),
                    false => format!(
                        "You delayed responses to the server by {} ms.",
                        delay.as_millis()
                    ),
                };
                note(ctx, &what, None);
                server_requests.set_delay(ctx, delay);
                self.report(ctx, server_requests);
            }
            Fault::Kill => {
                note(ctx, "You killed the connection.", None);
                ctx.commands.push(Command::Kill);
            }
            Fault::PauseReading { paused } => {
                let what = match paused {
                    true => "You paused reading.",
                    false => "You resumed reading.",
                };
                note(ctx, what, None);
                self.paused = paused;
                self.report(ctx, server_requests);
            }
        }
    }

    fn report(&self, ctx: &mut Context, server_requests: &ServerRequests) {
        ctx.report(Event::Faults {
            paused: self.paused,
            delay: server_requests.delay(),
        });
    }
}

fn note(ctx: &Context, what: &str, operation: Option<OperationId>) {
    ctx.note(what, Cause::Fault, operation);
}

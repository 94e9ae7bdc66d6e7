//! Disturbances on purpose. Each is noted in the log before it happens.

use sonde_wire::{Cause, Command, Label, Seq};
use tokio::time::Duration;

use super::actor::Actor;
use crate::{CallId, Event, Fault};

/// The longest time that answers are held back.
const LONGEST_DELAY: Duration = Duration::from_secs(600);

/// What no server gave out.
const STALE_SESSION: &str = "sonde-stale-session-0000";
const WRONG_EVENT: &str = "sonde-wrong-event-0000";

impl Actor {
    pub(super) fn disturb(&mut self, fault: Fault) {
        match fault {
            Fault::DropListener => {
                let background = self
                    .streams
                    .background()
                    .and_then(|id| self.streams.get(id)?.exchange)
                    .or_else(|| self.subscribed_on());
                let what = "You dropped the background stream.";
                self.caused(what, None);
                self.cut_exchange(background);
            }
            Fault::DropCallStream(call) => {
                self.caused("You dropped the response stream of this run.", Some(call));
                let request = self.pending.of_call(call);
                let carried = request.map(|request| {
                    self.streams
                        .of_request(request)
                        .and_then(|id| self.streams.get(id)?.exchange)
                        .unwrap_or(sonde_wire::ExchangeId(request))
                });
                self.cut_exchange(carried);
            }
            Fault::ForgetSessionId => {
                self.caused("You made Sonde omit the session ID.", None);
                if let Some(legacy) = self.protocol.legacy_mut() {
                    legacy.session_id = None;
                }
            }
            Fault::StaleSessionId => {
                self.caused("You made Sonde send a stale session ID.", None);
                if let Some(legacy) = self.protocol.legacy_mut() {
                    legacy.pretend_session(STALE_SESSION);
                }
            }
            Fault::WrongLastEventId => {
                let what =
                    "You made Sonde resume the background stream with a wrong Last-Event-ID.";
                self.caused(what, None);
                let Some(id) = self.streams.background() else {
                    return;
                };
                let Some(stream) = self.streams.get_mut(id) else {
                    return;
                };
                stream.last_event_id = Some(WRONG_EVENT.into());
                let exchange = stream.exchange;
                self.cut_exchange(exchange);
            }
            Fault::RawFrame(text) => {
                self.caused("You sent a raw message.", None);
                let label = Label {
                    cause: Some(Cause::Fault),
                    ..Label::default()
                };
                self.send(text, label);
            }
            Fault::DelayAnswers(delay) => {
                let delay = delay.min(LONGEST_DELAY);
                self.caused(
                    &match delay.is_zero() {
                        true => "You removed the delay of responses to the server.".to_owned(),
                        false => format!(
                            "You delayed responses to the server by {} ms.",
                            delay.as_millis()
                        ),
                    },
                    None,
                );
                self.server_requests.delay = delay;
                if delay.is_zero() {
                    self.send_held();
                }
                self.report_faults();
            }
            Fault::Kill => {
                self.caused("You killed the connection.", None);
                self.outbox.push_back(Command::Kill);
            }
            Fault::PauseReading(paused) => {
                self.caused(
                    match paused {
                        true => "You paused reading.",
                        false => "You resumed reading.",
                    },
                    None,
                );
                self.paused = paused;
                self.report_faults();
            }
        }
    }

    /// Stops reading an exchange; its end then counts as a break.
    fn cut_exchange(&mut self, exchange: Option<sonde_wire::ExchangeId>) {
        if let Some(exchange) = exchange {
            self.cut.insert(exchange);
            self.outbox.push_back(Command::Abandon(exchange));
        }
    }

    fn caused(&mut self, what: &str, call: Option<CallId>) -> Seq {
        self.note(what.to_owned(), Cause::Fault, call.map(|call| call.0))
    }

    fn report_faults(&mut self) {
        self.report(Event::Faults {
            paused: self.paused,
            delay: self.server_requests.delay,
        });
    }
}

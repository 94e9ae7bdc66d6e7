//! Actor of a session: the only task, which waits for input and hands it over.

use std::{pin::Pin, sync::Arc};

use sonde_wire::{
    Closed, Incoming, Tap, Wire,
    queue::{Receiver, Sender},
};
use tokio::{
    sync::{Notify, mpsc},
    time::{Sleep, sleep_until},
};

use super::{context::Context, handle::Command, parts::Parts, stage::Stage};
use crate::{CloseReason, Event, SessionOptions};

/// The task's ends of all channels, around the session itself.
pub(super) struct Actor {
    parts: Parts,
    incoming: Receiver<Incoming>,
    commands: mpsc::Receiver<Command>,
    close: Arc<Notify>,
}

impl Actor {
    pub(super) fn new(
        wire: Wire,
        tap: Arc<dyn Tap>,
        options: SessionOptions,
        events: Sender<Event>,
        commands: mpsc::Receiver<Command>,
        close: Arc<Notify>,
    ) -> Self {
        let ctx = Context::new(wire.carrier, tap, options, wire.commands, events);
        Actor {
            parts: Parts::new(ctx),
            incoming: wire.incoming,
            commands,
            close,
        }
    }

    /// Runs the session to its end.
    pub(super) async fn run(mut self) {
        self.parts.begin();
        let mut timer = std::pin::pin!(None::<Sleep>);
        let (mut deserted, mut handles_gone) = (false, false);
        // Input that may have been queued when the timer elapsed.
        let mut queued = sonde_wire::QUEUE;
        while self.parts.ctx.stage() != Stage::Closed {
            let ctx = &mut self.parts.ctx;
            ctx.commands.flush();
            ctx.events.flush();
            let next = ctx.deadlines.next();
            let current = timer.as_ref().as_pin_ref();
            match next {
                // A leftover timer would wake a thread later.
                None => timer.set(None),
                Some(next)
                    if current.is_none_or(|current| {
                        current.is_elapsed() || next < current.deadline()
                    }) =>
                {
                    timer.set(Some(sleep_until(next)));
                }
                Some(_) => {}
            }
            let room = self.has_room();
            let parts = &self.parts;
            let ctx = &parts.ctx;
            // The end must not wait for the user.
            let paused = parts.faults.is_paused() && ctx.is_ready();
            // In order of urgency: the end, commands, timers, the two outputs, the input. Input is unlimited, so it
            // comes last: otherwise it could starve the rest.
            tokio::select! { biased;
                // The owner has dropped the receiver.
                () = ctx.events.closed(), if !deserted => {
                    deserted = true;
                    self.parts.end(CloseReason::Requested);
                }
                () = self.close.notified() => self.parts.end(CloseReason::Requested),
                // Commands wait for the handshake in their bounded queue.
                command = self.commands.recv(),
                    if room && !handles_gone && parts.takes_commands() => match command {
                    Some(command) => self.parts.command(command),
                    None => {
                        handles_gone = true;
                        self.parts.end(CloseReason::Requested);
                    }
                },
                // Only with room: input that is still queued must be processed before it can be called late.
                () = elapsed(timer.as_mut().as_pin_mut()), if next.is_some() && room => {
                    // In several rounds where there is no room for all of it.
                    queued = self.drain(queued);
                    if queued == 0 {
                        queued = sonde_wire::QUEUE;
                        self.parts.wake();
                    }
                }
                // A transport that does not take commands must not keep us from reading: both
                // pipes of a process could be full.
                alive = ctx.commands.has_room(), if !ctx.commands.is_empty() => {
                    if !alive {
                        // The transport is gone; `incoming` has the reason.
                        self.parts.ctx.commands.clear();
                    }
                }
                alive = ctx.events.has_room(), if !deserted && !ctx.events.is_empty() => {
                    if !alive {
                        self.parts.ctx.events.clear();
                    }
                }
                item = self.incoming.recv(), if room && !paused => match item {
                    Some(item) => {
                        self.parts.on_incoming(item);
                        self.drain(sonde_wire::QUEUE);
                    }
                    None => self.parts.transport_gone(Closed::Disconnected { reason: None }),
                },
            }
            if deserted {
                self.parts.ctx.events.clear();
            }
        }
        self.finish().await;
    }

    fn has_room(&self) -> bool {
        let ctx = &self.parts.ctx;
        ctx.events.is_roomy() && ctx.commands.is_roomy()
    }

    /// Processes at most this number of queued items. Returns how many are left where there was no room for their effects,
    /// else 0.
    fn drain(&mut self, most: usize) -> usize {
        for left in (1..=most).rev() {
            let closed = self.parts.ctx.stage() == Stage::Closed;
            if self.parts.faults.is_paused() || closed {
                return 0;
            }
            if !self.has_room() {
                return left;
            }
            match self.incoming.try_recv() {
                Ok(item) => self.parts.on_incoming(item),
                Err(_) => return 0,
            }
        }
        0
    }

    /// Rejects the commands that came too late, then emits the final event.
    async fn finish(mut self) {
        self.commands.close();
        // Includes commands that are just being sent: none may vanish without a result.
        while let Some(command) = self.commands.recv().await {
            self.parts.refuse(command);
        }
        self.parts.last_word();
        let Context {
            commands, events, ..
        } = self.parts.ctx;
        // Lets the transport finish meanwhile.
        drop((commands, self.incoming));
        events.finish().await;
    }
}

/// Waits for a timer; without one, for ever.
async fn elapsed(timer: Option<Pin<&mut Sleep>>) {
    match timer {
        Some(timer) => timer.await,
        None => std::future::pending().await,
    }
}

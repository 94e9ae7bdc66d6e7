//! Routes commands of the user to the session's components.

use sonde_wire::Cause;

use super::{effect::Effect, handle::Command, parts::Parts, ping, roots};

impl Parts {
    /// Handles a command of the user. All of it is synchronous, as in the `router`.
    pub(super) fn command(&mut self, command: Command) {
        let (ctx, requests) = (&mut self.ctx, &mut self.requests);
        let effect = match command {
            Command::Start {
                id,
                request,
                options,
            } => {
                self.resources.note_by_hand(&request.method);
                self.operations
                    .start(ctx, requests, &self.catalogs, id, &request, options)
            }
            Command::ResumeTask { id, task, cause } => {
                let effect = self.tasks.resume(ctx, requests, id, task, cause);
                self.watch_tasks();
                effect
            }
            Command::Cancel { id, reason } => self.cancel(id, reason.as_deref()),
            Command::Extend { id, by } => {
                self.extend(id, by);
                None
            }
            Command::AskTask(id) => {
                self.tasks.ask_now(ctx, requests, id);
                None
            }
            Command::StopWaiting(id) => self.tasks.stop_waiting(id),
            Command::ListTasks => {
                self.task_list.read(ctx, requests);
                None
            }
            Command::RefreshCatalog(kind) => Some(Effect::RefreshCatalog(kind, Cause::User)),
            Command::StopCatalog(kind) => self.stop_catalog(kind),
            Command::SetRoots(list) => {
                roots::set(ctx, list);
                None
            }
            Command::HandOnRoots(hand_on) => {
                ctx.options.hand_on_roots = hand_on;
                None
            }
            Command::Ping => {
                ping::send(ctx, requests);
                None
            }
            Command::SetLogLevel(level) => Some(Effect::SetLogLevel(level, Cause::User)),
            Command::Complete { request, waiting } => {
                self.completions.ask(ctx, requests, &request, waiting);
                None
            }
            Command::CancelCompletion => {
                self.completions.cancel(ctx, requests);
                None
            }
            Command::SubscribeResource(uri) => self.resources.subscribe(ctx, requests, uri),
            Command::UnsubscribeResource(uri) => self.resources.unsubscribe(ctx, requests, &uri),
            Command::Answer { request, reply } => {
                self.server_requests.reply(ctx, requests, request, reply)
            }
            Command::ReconnectNow(stream) => self.streams.reconnect_now(ctx, requests, stream),
            Command::GiveUp(stream) => self.streams.give_up(ctx, requests, stream),
            Command::Reopen => {
                self.reopen_for_user();
                None
            }
            Command::Fault(fault) => {
                let (streams, asked) = (&mut self.streams, &mut self.server_requests);
                self.faults.inject(ctx, requests, streams, asked, fault);
                None
            }
        };
        self.apply(effect);
    }
}

//! Routes commands of the user to the session's components.

use sonde_wire::Cause;

use super::{effect::Effect, handle::Command, parts::Parts, ping, roots};

impl Parts {
    /// Handles a command of the user. All of it is synchronous, as in the `router`.
    pub(super) fn command(&mut self, command: Command) {
        let ctx = &mut self.ctx;
        let effect = match command {
            Command::Start {
                id,
                request,
                options,
            } => {
                self.resources.note_by_hand(&request.method);
                self.operations.start(ctx, id, &request, options)
            }
            Command::ResumeTask { id, task, cause } => {
                let effect = self.tasks.resume(ctx, id, task, cause);
                self.watch_tasks();
                effect
            }
            Command::Cancel { id, reason } => self.cancel(id, reason.as_deref()),
            Command::Extend { id, by } => return self.extend(id, by),
            Command::AskTask(id) => return self.tasks.ask_now(ctx, id),
            Command::StopWaiting(id) => self.tasks.stop_waiting(id),
            Command::ListTasks => return self.task_list.read(ctx),
            Command::RefreshCatalog(kind) => Some(Effect::RefreshCatalog(kind, Cause::User)),
            Command::StopCatalog(kind) => self.stop_catalog(kind),
            Command::SetRoots(list) => return roots::set(ctx, list),
            Command::HandOnRoots(hand_on) => return ctx.options.hand_on_roots = hand_on,
            Command::Ping => return ping::send(ctx),
            Command::SetLogLevel(level) => Some(Effect::SetLogLevel(level, Cause::User)),
            Command::Complete { request, waiting } => {
                return self.completions.ask(ctx, &request, waiting);
            }
            Command::CancelCompletion => return self.completions.cancel(ctx),
            Command::SubscribeResource(uri) => self.resources.subscribe(ctx, uri),
            Command::UnsubscribeResource(uri) => self.resources.unsubscribe(ctx, &uri),
            Command::Answer { request, reply } => self.server_requests.reply(ctx, request, reply),
            Command::ReconnectNow(stream) => self.streams.reconnect_now(ctx, stream),
            Command::GiveUp(stream) => self.streams.give_up(ctx, stream),
            Command::Reopen => return self.reopen_for_user(),
            Command::Fault(fault) => {
                let (streams, asked) = (&mut self.streams, &mut self.server_requests);
                return self.faults.inject(ctx, streams, asked, fault);
            }
        };
        self.apply(effect);
    }
}

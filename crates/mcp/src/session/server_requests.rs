//! What the server asks of the user, until it is answered.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use serde_json::value::RawValue;
use sonde_wire::{Cause, Label, MessageKind, Seq};
use tokio::time::{Duration, Instant};

use super::{
    actor::{Actor, keep},
    deadlines::{Alarm, later},
    envelope::short,
};
use crate::{
    CallId, Event, Reply, ServerRequest, ServerRequestEnd, ServerRequestId,
    members::{members, one_line, string},
    protocol::legacy,
};

/// How many server_requests may be open at once; a server that asks more is refused.
const OPEN: usize = 64;

/// JSON-RPC error codes for refusals.
const INVALID_PARAMS: i64 = -32602;
const INTERNAL: i64 = -32603;

/// Where a question came from, and so where its answer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A request of the server's own, with its id as JSON text.
    Request {
        /// The id.
        id: String,
    },
    /// Part of an `input_required` result of this call.
    Input {
        /// Its key in `inputRequests`.
        key: String,
    },
}

#[derive(Debug)]
struct Open {
    origin: Origin,
    method: Arc<str>,
    call: Option<CallId>,
}

/// The open server_requests of a session, and the answers that are held back.
#[derive(Debug, Default)]
pub(super) struct ServerRequests {
    open: BTreeMap<ServerRequestId, Open>,
    last: u64,
    /// How long answers to the server are held back.
    pub(super) delay: Duration,
    held: VecDeque<(Instant, String, Label)>,
}

impl Actor {
    /// Takes a request of the server: answers it, refuses it, or asks the user.
    pub(super) fn serve(
        &mut self,
        id: &str,
        method: &str,
        params: Option<&RawValue>,
        call: Option<CallId>,
        seq: Seq,
    ) -> Arc<str> {
        let method = short(method);
        let name = self.name(method);
        let declared = &self.options.capabilities;
        let offered = match method {
            "elicitation/create" => declared.elicitation,
            "sampling/createMessage" => declared.sampling,
            "roots/list" => declared.roots,
            _ => false,
        };
        if offered {
            let mode = params
                .and_then(|raw| members(raw.get(), &["mode"]).ok())
                .and_then(|read| read.values[0].and_then(string));
            // "Clients MUST return an error with -32602 if the mode was not declared"
            // (elicitation, Error Handling). Without a mode it is a form.
            if method == "elicitation/create" && mode.as_deref().is_some_and(|mode| mode != "form")
            {
                let words = "This client supports form mode only.";
                self.answer_server(id, &name, refusal(id, INVALID_PARAMS, words));
            } else if self.server_requests.open.len() >= OPEN {
                let words = "Too many requests are already open.";
                self.answer_server(id, &name, refusal(id, INTERNAL, words));
            } else {
                let origin = Origin::Request { id: id.to_owned() };
                self.ask_user(origin, Arc::clone(&name), params, call, true, seq);
                return name;
            }
        } else if method == "ping" {
            self.answer_server(id, &name, (legacy::answer_empty(id), MessageKind::Response));
        } else {
            let text = legacy::answer_unknown_method(id, method);
            self.answer_server(id, &name, (text, MessageKind::Error));
        }
        name
    }

    /// Opens a question. While it is open, its call's silence does not count.
    pub(super) fn ask_user(
        &mut self,
        origin: Origin,
        method: Arc<str>,
        params: Option<&RawValue>,
        call: Option<CallId>,
        declared: bool,
        seq: Seq,
    ) -> ServerRequestId {
        self.server_requests.last += 1;
        let id = ServerRequestId(self.server_requests.last);
        self.hold_call(call, true);
        let key = match &origin {
            Origin::Input { key } => Some(key.clone()),
            Origin::Request { .. } => None,
        };
        self.report(Event::ServerRequest(ServerRequest {
            id,
            call,
            method: method.to_string(),
            params: params.map(keep),
            key,
            declared,
            seq,
        }));
        let open = Open {
            origin,
            method,
            call,
        };
        self.server_requests.open.insert(id, open);
        id
    }

    /// The user answers.
    pub(super) fn reply(&mut self, question: ServerRequestId, reply: Reply) {
        // What is no JSON would break the message around it: the question stays open.
        if let Reply::Result(text) = &reply
            && serde_json::from_str::<&RawValue>(text).is_err()
        {
            tracing::warn!("an answer that is no JSON was not sent");
            return;
        }
        let Some(open) = self.close_question(question, ServerRequestEnd::Answered) else {
            return;
        };
        match open.origin {
            Origin::Request { id } => {
                let answer = match reply {
                    Reply::Result(text) => (
                        legacy::answer_result(&id, &one_line(&text)),
                        MessageKind::Response,
                    ),
                    Reply::Error { code, message } => refusal(&id, code, &message),
                };
                self.answer_server(&id, &open.method, answer);
            }
            Origin::Input { key } => {
                if let Some(call) = open.call {
                    self.input_given(call, key, reply);
                }
            }
        }
    }

    /// The server no longer wants to know; it gets no answer (cancellation, Behavior
    /// Requirements). An unknown id is ignored.
    pub(super) fn withdraw(&mut self, params: Option<&RawValue>) {
        let Some(id) = params
            .and_then(|raw| members(raw.get(), &["requestId"]).ok())
            .and_then(|read| read.values[0].map(|raw| raw.get().to_owned()))
        else {
            return;
        };
        let found = self
            .server_requests
            .open
            .iter()
            .find(|(_, open)| matches!(&open.origin, Origin::Request { id: asked } if *asked == id))
            .map(|(question, _)| *question);
        if let Some(question) = found {
            self.close_question(question, ServerRequestEnd::Withdrawn);
        }
    }

    /// The call is over: what was asked inside its results needs no answer any more.
    pub(super) fn close_inputs(&mut self, call: CallId) {
        self.close_questions(|open| {
            open.call == Some(call) && matches!(open.origin, Origin::Input { .. })
        });
    }

    /// The session is over, or begun anew.
    pub(super) fn close_all_questions(&mut self) {
        self.close_questions(|_| true);
        self.server_requests.held.clear();
        self.deadlines.disarm(Alarm::Answers);
    }

    fn close_questions(&mut self, which: impl Fn(&Open) -> bool) {
        let obsolete: Vec<ServerRequestId> = self
            .server_requests
            .open
            .iter()
            .filter(|(_, open)| which(open))
            .map(|(id, _)| *id)
            .collect();
        for id in obsolete {
            self.close_question(id, ServerRequestEnd::Obsolete);
        }
    }

    fn close_question(&mut self, id: ServerRequestId, end: ServerRequestEnd) -> Option<Open> {
        let open = self.server_requests.open.remove(&id)?;
        self.hold_call(open.call, false);
        self.report(Event::ServerRequestClosed(id, end));
        Some(open)
    }

    /// Stops or starts the idle clock of a call, which has one while its request runs.
    fn hold_call(&mut self, call: Option<CallId>, hold: bool) {
        let others = self
            .server_requests
            .open
            .values()
            .any(|open| open.call == call);
        let Some(id) = call.and_then(|call| self.pending.of_call(call)) else {
            return;
        };
        let Some(request) = self.pending.get_mut(id) else {
            return;
        };
        if hold {
            request.limits.hold();
        } else if !others {
            request.limits.release(Instant::now());
            let due = request.limits.due();
            self.deadlines.arm(Alarm::Request(id), due);
        }
    }

    /// Answers a request of the server, at once or as late as the user wants it.
    fn answer_server(&mut self, id: &str, method: &Arc<str>, (text, kind): (String, MessageKind)) {
        let label = Label {
            kind: Some(kind),
            method: Some(Arc::clone(method)),
            id: Some(Arc::from(short(id))),
            cause: Some(Cause::Answer),
            ..Label::default()
        };
        if self.server_requests.delay.is_zero() && self.server_requests.held.is_empty() {
            self.send(text, label);
        } else if self.server_requests.held.len() < OPEN {
            let due = later(Instant::now(), self.server_requests.delay);
            self.server_requests.held.push_back((due, text, label));
            self.wait_for_held();
        } else {
            tracing::warn!("an answer to the server was dropped: too many are held back");
        }
    }

    /// Sends what was held back long enough, in order.
    pub(super) fn send_held(&mut self) {
        let now = Instant::now();
        while let Some((due, ..)) = self.server_requests.held.front()
            && (*due <= now || self.server_requests.delay.is_zero())
        {
            if let Some((_, text, label)) = self.server_requests.held.pop_front() {
                self.send(text, label);
            }
        }
        self.wait_for_held();
    }

    fn wait_for_held(&mut self) {
        match self.server_requests.held.front() {
            Some((due, ..)) => self.deadlines.arm(Alarm::Answers, *due),
            None => self.deadlines.disarm(Alarm::Answers),
        }
    }
}

fn refusal(id: &str, code: i64, message: &str) -> (String, MessageKind) {
    (legacy::answer_error(id, code, message), MessageKind::Error)
}

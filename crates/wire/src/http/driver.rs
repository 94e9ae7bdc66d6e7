//! The task that receives a session's commands and owns the exchanges.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    task::JoinSet,
    time::{Instant, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::{
    authenticator::{AuthRequest, Authenticator},
    exchange::Exchange,
    request::Requests,
};
use crate::{
    Closed, Command, ExchangeId, Incoming, Label, Limits, MessageKind, Outgoing, StreamEnd, Tap,
    Verb, WireError,
    queue::{Receiver, Sender},
    unfinished::Room,
};

/// Limit of running exchanges. Further requests are refused at once, because waiting would delay a cancellation.
const MAX_EXCHANGES: usize = 256;
/// Limit for ending the session on the server (protocol: Streamable HTTP, sessions).
const DELETE_TIMEOUT: Duration = Duration::from_secs(2);
/// Limit for the response to a message that was sent just before the end.
const FINAL_RESPONSE_TIMEOUT: Duration = Duration::from_millis(250);

pub(super) struct Driver {
    pub(super) requests: Arc<Requests>,
    pub(super) authenticator: Option<Arc<dyn Authenticator>>,
    pub(super) limits: Limits,
    pub(super) room: Arc<Room>,
    pub(super) idle: Option<Duration>,
    /// Responses arrive on another stream (HTTP+SSE).
    pub(super) posts_only: bool,
    pub(super) commands: Receiver<Command>,
    pub(super) incoming: Sender<Incoming>,
    pub(super) tap: Arc<dyn Tap>,
}

/// A running exchange.
struct Running {
    abandon: CancellationToken,
    /// The exchange was killed: its end counts as a broken connection.
    killed: Arc<AtomicBool>,
    /// Set when the server has dealt with the request.
    settled: CancellationToken,
    verb: Verb,
}

impl Driver {
    pub(super) async fn run(mut self) {
        let mut running = HashMap::new();
        let mut tasks = JoinSet::new();
        loop {
            let command = tokio::select! {
                biased;
                Some(ended) = tasks.join_next() => {
                    if let Ok(exchange) = ended {
                        running.remove(&exchange);
                    }
                    continue;
                }
                command = self.commands.recv() => command,
            };
            match command {
                Some(Command::Send(outgoing)) => {
                    let exchange = outgoing.exchange;
                    let started = if tasks.len() >= MAX_EXCHANGES {
                        Err(WireError::Unsupported {
                            reason: "too many requests are waiting for their answers",
                        })
                    } else {
                        self.start(outgoing, &mut tasks)
                    };
                    match started {
                        Ok(state) => {
                            running.insert(exchange, state);
                        }
                        Err(error) => {
                            let end = StreamEnd::Failed(error);
                            let _ = self.incoming.send(Incoming::End { exchange, end }).await;
                        }
                    }
                }
                Some(Command::Abandon(exchange)) => {
                    if let Some(state) = running.get(&exchange) {
                        state.abandon.cancel();
                    }
                }
                Some(Command::Kill) => {
                    for state in running.values() {
                        state.killed.store(true, Ordering::Relaxed);
                        state.abandon.cancel();
                    }
                }
                Some(Command::Close) | None => break,
            }
        }
        self.close(&running, tasks).await;
    }

    /// Records a request and begins to send it. A request that waits for a token is recorded when the token is
    /// available.
    fn start(
        &self,
        outgoing: Outgoing,
        tasks: &mut JoinSet<ExchangeId>,
    ) -> Result<Running, WireError> {
        match (outgoing.verb, &outgoing.text) {
            (Verb::Post, Some(_)) | (Verb::Get | Verb::Delete, None) => {}
            _ => {
                return Err(WireError::Unsupported {
                    reason: "a POST needs a message, and nothing else may have one",
                });
            }
        }
        let verb = outgoing.verb;
        let state = Running {
            abandon: CancellationToken::new(),
            killed: Arc::default(),
            settled: CancellationToken::new(),
            verb,
        };
        let auth_request = AuthRequest {
            exchange: outgoing.exchange,
            verb,
            url: self.requests.url().to_string(),
            operation: outgoing.label.operation,
        };
        let credentials = match &self.authenticator {
            Some(authenticator) => authenticator.try_credentials(&auth_request).map(Some),
            None => Some(None),
        };
        let task = Exchange {
            id: outgoing.exchange,
            requests: Arc::clone(&self.requests),
            authenticator: self.authenticator.clone(),
            auth_request,
            limits: self.limits_of(&outgoing.label),
            room: Arc::clone(&self.room),
            outgoing,
            idle: self.idle,
            held: Mutex::default(),
            killed: Arc::clone(&state.killed),
            incoming: self.incoming.clone(),
            tap: Arc::clone(&self.tap),
            abandon: state.abandon.clone(),
            settled: state.settled.clone(),
            expects_message: verb != Verb::Delete && !self.posts_only,
            settles_early: verb != Verb::Delete,
        };
        let first = match credentials {
            // Recorded here, not in the exchange's task, so that messages are recorded in the order of their commands.
            Some(credentials) => Some(task.begin(credentials)?),
            None => None,
        };
        tasks.spawn(task.run(first));
        Ok(state)
    }

    /// Returns the limits of a response. Nobody waits for a message in the acknowledgement of a reply or a
    /// notification, and the server decides how many of these there are.
    fn limits_of(&self, label: &Label) -> Limits {
        match label.kind {
            Some(MessageKind::Notification | MessageKind::Response | MessageKind::Error) => {
                Limits {
                    message: self.limits.message.min(self.limits.kept as u64),
                    ..self.limits
                }
            }
            _ => self.limits,
        }
    }

    /// Lets the messages sent before the close reach the server, then stops reading all responses.
    async fn close(self, running: &HashMap<ExchangeId, Running>, mut tasks: JoinSet<ExchangeId>) {
        let began = Instant::now();
        for (verb, patience) in [
            (Verb::Post, FINAL_RESPONSE_TIMEOUT),
            (Verb::Delete, DELETE_TIMEOUT),
        ] {
            for state in running.values().filter(|state| state.verb == verb) {
                tokio::select! {
                    _ = timeout_at(began + patience, state.settled.cancelled()) => {}
                    () = async { while tasks.join_next().await.is_some() {} } => {}
                }
            }
        }
        for state in running.values() {
            state.abandon.cancel();
        }
        while tasks.join_next().await.is_some() {}
        let _ = self
            .incoming
            .send(Incoming::Closed(Closed::Requested { exit: None }))
            .await;
    }
}

//! Requests without a response, by id, and a bounded memory of ended requests.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use sonde_wire::{ExchangeId, Header, Seq};
use tokio::time::{Duration, Instant};

use super::{
    http_response::HttpResponse,
    purpose::{Purpose, TaskCall},
    recent_ids::RecentIds,
    response::Response,
    time_limits::{Limits, Pause},
};
use crate::OperationId;

/// Number of ended requests that are remembered, to recognise late messages for them.
const REMEMBERED: usize = 1_024;

/// A pending request.
#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) purpose: Purpose,
    pub(super) method: Arc<str>,
    /// Its id as JSON text.
    pub(super) id: Arc<str>,
    pub(super) sent: Instant,
    pub(super) limits: Limits,
    /// `None` until a response head came (never on stdio).
    pub(super) http: Option<Box<HttpResponse>>,
    /// Last reported progress.
    pub(super) progress: Option<f64>,
    /// The last request that was sent before this one was cancelled.
    cancelled_after: Option<u64>,
}

impl PendingRequest {
    /// A request that is about to be sent; it gets its id when it is added.
    pub(super) fn new(purpose: Purpose, method: Arc<str>, limits: Limits) -> Self {
        PendingRequest {
            purpose,
            method,
            id: Arc::from(""),
            sent: Instant::now(),
            limits,
            http: None,
            progress: None,
            cancelled_after: None,
        }
    }
}

/// Progress of an operation's task.
#[derive(Debug)]
struct TaskProgress {
    /// `None` for a task of an earlier session: the request that began it is unknown here.
    request: Option<u64>,
    progress: Option<f64>,
}

/// A request whose progress was reported.
pub(super) struct ProgressedRequest {
    pub(super) operation: Option<OperationId>,
    /// Previous progress.
    pub(super) before: Option<f64>,
}

/// A request that was answered, cancelled or lost.
#[derive(Debug)]
pub(super) struct EndedRequest {
    pub(super) operation: Option<OperationId>,
    pub(super) method: Arc<str>,
    /// It asked the server which protocol versions it speaks.
    pub(super) is_probe: bool,
    /// A response has come.
    pub(super) answered: bool,
    /// It began a task that is no longer waited for and may still run.
    pub(super) goes_on: bool,
    cancelled_after: Option<u64>,
}

impl EndedRequest {
    pub(super) fn was_cancelled(&self) -> bool {
        self.cancelled_after.is_some()
    }
}

/// A request with its response.
#[derive(Debug)]
pub(super) struct Answered<'a> {
    pub(super) request: PendingRequest,
    pub(super) response: Response<'a>,
    /// The log entry that carried it.
    pub(super) seq: Seq,
}

/// All requests of a session, by id.
#[derive(Debug, Default)]
pub(super) struct Requests {
    last: u64,
    /// The last request that was answered.
    last_answered: u64,
    pending: HashMap<u64, PendingRequest>,
    of_operations: HashMap<OperationId, u64>,
    /// Operations that continue as tasks, each with its first request, whose progress token stays valid until the task
    /// ends (tasks, Task Progress Notifications).
    tasks: BTreeMap<OperationId, TaskProgress>,
    ended: HashMap<u64, EndedRequest>,
    ended_order: VecDeque<u64>,
    /// Exchanges that wait for authorization, to be sent again.
    parked: HashSet<ExchangeId>,
    /// Progress tokens that the user wrote into requests, as JSON text.
    written_tokens: RecentIds,
}

impl Requests {
    /// Adds a request to be sent; returns its id.
    pub(super) fn add(&mut self, mut request: PendingRequest) -> u64 {
        self.last += 1;
        request.id = Arc::from(self.last.to_string());
        self.insert(self.last, request);
        self.last
    }

    fn insert(&mut self, id: u64, request: PendingRequest) {
        if let Purpose::Operation(operation) = request.purpose {
            self.of_operations.insert(operation, id);
        }
        self.pending.insert(id, request);
    }

    pub(super) fn get(&self, id: u64) -> Option<&PendingRequest> {
        self.pending.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut PendingRequest> {
        self.pending.get_mut(&id)
    }

    /// Ids of all pending requests, oldest first.
    pub(super) fn ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.pending.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// The pending request of an operation.
    pub(super) fn of_operation(&self, operation: OperationId) -> Option<u64> {
        self.of_operations.get(&operation).copied()
    }

    /// The only operation that runs, when there is exactly one.
    fn only_operation(&self) -> Option<OperationId> {
        match (self.of_operations.len(), self.tasks.len()) {
            (1, 0) => self.of_operations.keys().next().copied(),
            (0, 1) => self.tasks.keys().next().copied(),
            _ => None,
        }
    }

    /// Returns the operations that have a request in flight or continue as tasks, oldest first.
    pub(super) fn operations(&self) -> Vec<OperationId> {
        let mut operations: Vec<_> = self.of_operations.keys().copied().collect();
        operations.extend(self.tasks.keys());
        operations.sort_unstable();
        operations
    }

    /// Notes that an operation continues as a task; without `request`, the task began in an earlier session.
    pub(super) fn begin_task(&mut self, operation: OperationId, request: Option<u64>) {
        let task = TaskProgress {
            request,
            progress: None,
        };
        self.tasks.insert(operation, task);
    }

    /// Ends waiting for a task. `is_over` is true if the task itself has ended.
    pub(super) fn end_task(&mut self, operation: OperationId, is_over: bool) {
        let Some(task) = self.tasks.remove(&operation) else {
            return;
        };
        if let Some(began) = task.request.and_then(|id| self.ended.get_mut(&id)) {
            began.goes_on = !is_over;
        }
    }

    pub(super) fn is_task(&self, operation: OperationId) -> bool {
        self.tasks.contains_key(&operation)
    }

    /// True while a request to cancel its task is in flight.
    pub(super) fn is_cancelling_task(&self, operation: OperationId) -> bool {
        let cancel = Purpose::Task(operation, TaskCall::Cancel);
        self.pending.values().any(|one| one.purpose == cancel)
    }

    /// Returns the operation that a message of the server belongs to: the operation of its stream, or without streams
    /// the only one that is running.
    pub(super) fn operation_on(&self, exchange: Option<ExchangeId>) -> Option<OperationId> {
        match exchange {
            Some(ExchangeId(id)) => self.operation_of(id),
            None => self.only_operation(),
        }
    }

    /// Returns the operations that a message of the server may belong to if it cannot be assigned to one of them:
    /// without streams, all that have a request in flight.
    pub(super) fn candidates(&self, exchange: Option<ExchangeId>) -> Vec<OperationId> {
        match (self.operation_on(exchange), exchange) {
            (None, None) => self.operations(),
            _ => Vec::new(),
        }
    }

    /// Returns true if a message came on the stream of a task's result.
    pub(super) fn is_of_task(&self, exchange: Option<ExchangeId>) -> bool {
        let request = exchange.and_then(|ExchangeId(id)| self.pending.get(&id));
        request.is_some_and(|it| matches!(it.purpose, Purpose::Task(_, TaskCall::Result)))
    }

    /// Returns the operation of a request, pending or ended.
    pub(super) fn operation_of(&self, id: u64) -> Option<OperationId> {
        match self.pending.get(&id) {
            Some(request) => request.purpose.operation(),
            None => self.ended.get(&id).and_then(|ended| ended.operation),
        }
    }

    /// Returns true for a request of the user with this method, pending or ended.
    pub(super) fn is_by_hand(&self, id: u64, method: &str) -> bool {
        let pending = self.pending.get(&id).map(|request| &request.method);
        let ended = || Some(&self.ended.get(&id)?.method);
        let sent = pending.or_else(ended);
        sent.is_some_and(|sent| **sent == *method) && self.operation_of(id).is_some()
    }

    /// Notes a progress token that the user wrote into a request, as JSON text.
    pub(super) fn note_token(&mut self, token: &str) {
        self.written_tokens.remember(token);
    }

    /// Returns true if the user may have written this progress token into a request.
    pub(super) fn is_written(&self, token: &str) -> bool {
        !self.written_tokens.is_unused(token)
    }

    /// Takes a request out and remembers it as ended.
    pub(super) fn take(&mut self, id: u64, answered: bool) -> Option<PendingRequest> {
        let request = self.pending.remove(&id)?;
        if answered {
            self.last_answered = self.last_answered.max(id);
        }
        if let Purpose::Operation(operation) = request.purpose {
            self.of_operations.remove(&operation);
        }
        if self.ended_order.len() == REMEMBERED
            && let Some(oldest) = self.ended_order.pop_front()
        {
            self.ended.remove(&oldest);
        }
        self.ended_order.push_back(id);
        self.ended.insert(
            id,
            EndedRequest {
                operation: request.purpose.operation(),
                method: Arc::clone(&request.method),
                is_probe: request.purpose == Purpose::Discover,
                answered,
                goes_on: false,
                cancelled_after: request.cancelled_after,
            },
        );
        Some(request)
    }

    pub(super) fn ended(&self, id: u64) -> Option<&EndedRequest> {
        self.ended.get(&id)
    }

    /// Returns true if the server must have read the cancellation of a request: it has answered a request
    /// that was sent later over the same pipe.
    pub(super) fn knows_cancelled(&self, id: u64) -> bool {
        let ended = || self.ended.get(&id).and_then(|one| one.cancelled_after);
        let cancelled = match self.pending.get(&id) {
            Some(request) => request.cancelled_after,
            None => ended(),
        };
        cancelled.is_some_and(|last| self.last_answered > last)
    }

    /// A response came for an ended request. `true` when one came before.
    pub(super) fn answered_late(&mut self, id: u64) -> bool {
        self.ended
            .get_mut(&id)
            .is_some_and(|ended| std::mem::replace(&mut ended.answered, true))
    }

    // Deadlines.

    /// Handles progress of a pending request or of a task; NaN if the value is unreadable.
    pub(super) fn progressed(&mut self, id: u64, progress: f64) -> Option<ProgressedRequest> {
        let Some(request) = self.pending.get_mut(&id) else {
            let mut tasks = self.tasks.iter_mut();
            let (operation, task) = tasks.find(|(_, task)| task.request == Some(id))?;
            let before = task.progress;
            task.progress = Some(progress).filter(|it| !it.is_nan()).or(before);
            return Some(ProgressedRequest {
                operation: Some(*operation),
                before,
            });
        };
        request.limits.progressed(Instant::now());
        let before = request.progress;
        if !progress.is_nan() {
            request.progress = Some(progress);
        }
        Some(ProgressedRequest {
            operation: request.purpose.operation(),
            before,
        })
    }

    /// Stops the clocks of a request: the user is being waited for.
    pub(super) fn wait_for_user(&mut self, id: u64) {
        if let Some(request) = self.pending.get_mut(&id) {
            request.limits.pause(Instant::now(), Pause::User);
        }
    }

    /// Pauses the idle clock of a request whose stream is lost.
    pub(super) fn hold(&mut self, id: u64) {
        if let Some(request) = self.pending.get_mut(&id) {
            request.limits.hold();
        }
    }

    /// Notes that a request was cancelled, with the last request that was sent before.
    pub(super) fn note_cancelled(&mut self, id: u64) {
        if let Some(request) = self.pending.get_mut(&id) {
            request.cancelled_after.get_or_insert(self.last);
        }
    }

    /// Extends the limits of a request; returns the time that remains until the idle and the hard limit.
    /// `None` for a request that is being cancelled.
    pub(super) fn extend(&mut self, id: u64, by: Duration) -> Option<(Duration, Duration)> {
        let request = self.pending.get_mut(&id)?;
        if request.limits.is_cancelled() {
            return None;
        }
        let now = Instant::now();
        // The armed alarm is earlier than the new limit; when it fires, it is armed again.
        request.limits.extend(now, by);
        Some(request.limits.remaining(now))
    }

    // Authorization.

    /// Notes that an exchange begins or ends to wait for authorization. `false` when nothing changed.
    pub(super) fn note_parked(&mut self, exchange: ExchangeId, parked: bool) -> bool {
        match parked {
            true => self.parked.insert(exchange),
            false => self.parked.remove(&exchange),
        }
    }

    /// Returns true if a request waits for authorization: the server has accepted nothing.
    pub(super) fn is_parked(&self, id: u64) -> bool {
        self.parked.contains(&ExchangeId(id))
    }

    pub(super) fn is_any_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Forgets an exchange that has ended.
    pub(super) fn forget_parked(&mut self, exchange: ExchangeId) {
        self.parked.remove(&exchange);
    }

    // HTTP.

    /// Handles the head of an HTTP response; false if it belongs to no pending request.
    pub(super) fn head(&mut self, id: u64, status: u16, headers: &[Header], seq: Seq) -> bool {
        let Some(request) = self.pending.get_mut(&id) else {
            return false;
        };
        request.http = Some(Box::new(HttpResponse::new(status, headers, seq)));
        true
    }

    /// Returns the HTTP response to a pending request, created if necessary.
    pub(super) fn http(&mut self, id: u64) -> Option<&mut HttpResponse> {
        let request = self.pending.get_mut(&id)?;
        Some(request.http.get_or_insert_default())
    }

    /// Notes an unreadable message on a request's stream that may have been meant as its response. The end of the
    /// stream decides.
    pub(super) fn note_problem(
        &mut self,
        exchange: Option<ExchangeId>,
        problem: String,
        text: &str,
        seq: Seq,
    ) {
        if let Some(http) = exchange.and_then(|ExchangeId(id)| self.http(id)) {
            http.note_problem(problem, text, seq);
        }
    }

    /// Returns true if the server rejected the session id of a pending request with HTTP 400.
    pub(super) fn is_rejected(&self, id: u64) -> bool {
        self.pending
            .get(&id)
            .and_then(|request| request.http.as_ref())
            .is_some_and(|http| http.session_rejection.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_memory_of_ended_requests_is_bounded() {
        let limits = Limits::new(
            Instant::now(),
            Duration::from_secs(5),
            Duration::from_secs(5),
        );
        let mut requests = Requests::default();
        let many = REMEMBERED as u64 + 10;
        for id in 0..many {
            let operation = OperationId(id + 100);
            let purpose = Purpose::Operation(operation);
            requests.insert(id, PendingRequest::new(purpose, "m".into(), limits));
            assert_eq!(requests.only_operation(), Some(operation));
            assert!(requests.take(id, true).is_some());
            assert!(requests.take(id, true).is_none());
        }
        assert_eq!(requests.ended.len(), REMEMBERED);
        assert_eq!(requests.operation_of(9), None);
        assert_eq!(requests.operation_of(10), Some(OperationId(110)));
        assert_eq!(requests.only_operation(), None);
    }
}

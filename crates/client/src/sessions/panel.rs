//! The commands of a connection's panel: answers to server requests, broken streams, disturbances.

use sonde_mcp::{Fault, StreamId};

use super::server_requests::{self, AnswerInput};
use crate::{
    Connection, Error, clock,
    core::Core,
    operations::{AnsweringRule, OperationNumber, OperationRecord},
};

/// Longest delay of replies to the server, in milliseconds.
const DELAY_MILLIS: u64 = 600_000;

const CLOSED: Error = Error::NotFound("This request is already closed.");

impl Connection {
    /// Answers a server request. The request is closed when the session reports the answer as sent.
    ///
    /// # Errors
    /// `NotFound` if it is closed; `InvalidInput` for an answer that cannot be sent; `NotConnected`.
    pub async fn answer_server_request(
        &self,
        request: u64,
        answer: AnswerInput,
    ) -> Result<(), Error> {
        self.answer_as(request, answer, None).await
    }

    /// Cancels the open forms of a cancelled operation. Forms that may belong to another running operation stay open.
    pub(crate) async fn cancel_forms_of(&self, operation: OperationNumber) {
        let forms = self.core.state(|state| {
            let is_over = |one: OperationNumber| {
                let record = state.operations.get(one);
                one == operation || record.is_none_or(OperationRecord::finished)
            };
            let requests = state.server_requests.iter();
            let of_this = requests.filter(|request| {
                request.operations().any(|one| one == operation)
                    && request.operations().all(is_over)
            });
            of_this.map(|request| request.number).collect::<Vec<_>>()
        });
        for form in forms {
            // Fails for a request that is not a form, or was answered meanwhile.
            let _ = self.answer_server_request(form, AnswerInput::Cancel).await;
        }
    }

    /// Sends a reply to a server request; `rule` is the rule that made it, if any.
    pub(super) async fn answer_as(
        &self,
        request: u64,
        answer: AnswerInput,
        rule: Option<AnsweringRule>,
    ) -> Result<(), Error> {
        let open = self.core.state(|state| {
            let open = state.server_requests.get(request).cloned();
            open.ok_or(CLOSED)
        })?;
        let kind = server_requests::answer_kind(&open.method, &answer);
        let reply = server_requests::reply(&open.method, answer)?;
        let (handle, present) = self.core.ready()?;
        if present != open.generation {
            return Err(Error::NotConnected);
        }
        let by_user = rule.is_none();
        // Stored with the run once the session reports it as sent: the server may cancel its request before.
        if !self
            .core
            .state(|state| state.server_requests.set_reply(request, kind, rule))
        {
            return Err(CLOSED);
        }
        if by_user {
            let now = clock::micros();
            // Recorded before sending: the run may end, and be stored, right after.
            for operation in open.operations() {
                self.core.with_operation(operation, |record| {
                    record.request_history.wait(open.since, now)
                });
            }
        }
        let sent = handle.answer(open.id, reply).await;
        sent.map_err(|_| {
            self.core
                .state(|state| state.server_requests.clear_reply(request));
            Error::NotConnected
        })
    }

    /// Makes the announced attempt of a broken stream now.
    ///
    /// # Errors
    /// `NotFound`, `NotConnected`.
    pub async fn reconnect_stream(&self, stream: u64) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        self.core.stream(stream)?;
        Ok(handle.reconnect_now(StreamId(stream)).await?)
    }

    /// Makes no more attempts for a broken stream.
    ///
    /// # Errors
    /// `NotFound`, `NotConnected`.
    pub async fn give_up_stream(&self, stream: u64) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        self.core.stream(stream)?;
        Ok(handle.give_up(StreamId(stream)).await?)
    }

    /// Reopens the session, for a server that no longer knows it. Running operations are lost. Does nothing if there
    /// are no sessions.
    ///
    /// # Errors
    /// `NotConnected`.
    pub async fn reopen_session(&self) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        Ok(handle.reopen().await?)
    }

    /// Disturbs the connection on purpose.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`, `NotConnected`.
    pub async fn inject_fault(&self, fault: Fault) -> Result<(), Error> {
        match &fault {
            Fault::DropOperationStream { operation } => {
                self.core.running_operation(operation.0)?;
            }
            Fault::RawFrame { text } if text.is_empty() => {
                return Err(Error::invalid("Enter the text to send."));
            }
            Fault::DelayAnswers { millis } if *millis > DELAY_MILLIS => {
                return Err(Error::invalid(
                    "Responses can be delayed by 10 minutes (600,000 milliseconds) at most.",
                ));
            }
            _ => {}
        }
        let (handle, _) = self.core.ready()?;
        Ok(handle.fault(fault).await?)
    }
}

impl Core {
    fn stream(&self, stream: u64) -> Result<(), Error> {
        self.state(|state| {
            let found = state
                .details()
                .and_then(|details| details.streams.get(stream));
            found
                .map(|_| ())
                .ok_or(Error::NotFound("This stream has ended."))
        })
    }

    fn running_operation(&self, operation: OperationNumber) -> Result<(), Error> {
        self.state(|state| match state.operation(operation)?.finished() {
            true => Err(Error::invalid("This run has finished.")),
            false => Ok(()),
        })
    }
}

//! The commands of a connection's panel: answers to server requests, broken streams, disturbances.

use std::time::Duration;

use sonde_mcp::{Fault, OperationId, ServerRequestId, StreamId};

use super::server_requests;
use crate::{
    Explorer,
    core::Core,
    ipc::{AnswerInput, FaultInput, IpcError, OperationNumber, OperationState, ServerId},
    problem,
};

/// The longest delay of answers in milliseconds.
const DELAY: u64 = 600_000;

impl Explorer {
    /// Answers a request of the server. It leaves the window when the session says so.
    ///
    /// # Errors
    /// `NotFound` when it is closed; `InvalidInput` for an answer that cannot be sent;
    /// `NotConnected`.
    pub async fn answer_server_request(
        &self,
        request: u64,
        answer: AnswerInput,
    ) -> Result<(), IpcError> {
        let (server, generation, id, method) = self.core.state(|state| {
            let open = state
                .server_requests
                .get(request)
                .ok_or_else(|| problem::not_found("This request is already closed."))?;
            Ok((
                open.view.server.clone(),
                open.generation,
                open.id,
                open.view.method.clone(),
            ))
        })?;
        let reply = server_requests::reply(&method, answer)?;
        let (handle, present) = self.core.ready(&server)?;
        if present != generation {
            return Err(problem::not_connected());
        }
        handle
            .answer(ServerRequestId(id.0), reply)
            .await
            .map_err(|_| problem::not_connected())
    }

    /// Makes the announced attempt of a broken stream now.
    ///
    /// # Errors
    /// `NotFound`, `NotConnected`.
    pub async fn reconnect_stream(&self, server: ServerId, stream: u64) -> Result<(), IpcError> {
        let (handle, _) = self.core.ready(&server)?;
        self.core.stream(&server, stream)?;
        handle
            .reconnect_now(StreamId(stream))
            .await
            .map_err(|_| problem::not_connected())
    }

    /// Makes no more attempts for a broken stream.
    ///
    /// # Errors
    /// `NotFound`, `NotConnected`.
    pub async fn give_up_stream(&self, server: ServerId, stream: u64) -> Result<(), IpcError> {
        let (handle, _) = self.core.ready(&server)?;
        self.core.stream(&server, stream)?;
        handle
            .give_up(StreamId(stream))
            .await
            .map_err(|_| problem::not_connected())
    }

    /// Disturbs the connection on purpose.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`, `NotConnected`.
    pub async fn inject_fault(&self, server: ServerId, fault: FaultInput) -> Result<(), IpcError> {
        self.core.log(&server)?;
        let fault = match fault {
            FaultInput::DropListener => Fault::DropListener,
            FaultInput::DropOperationStream { operation } => {
                self.core.running_operation(&server, operation)?;
                Fault::DropOperationStream(OperationId(operation))
            }
            FaultInput::ForgetSessionId => Fault::ForgetSessionId,
            FaultInput::StaleSessionId => Fault::StaleSessionId,
            FaultInput::WrongLastEventId => Fault::WrongLastEventId,
            FaultInput::RawFrame { text } if text.is_empty() => {
                return Err(problem::invalid("Enter the text to send."));
            }
            FaultInput::RawFrame { text } => Fault::RawFrame(text),
            FaultInput::DelayAnswers { millis } if millis > DELAY => {
                return Err(problem::invalid(
                    "Responses can be delayed by 10 minutes (600,000 milliseconds) at most.",
                ));
            }
            FaultInput::DelayAnswers { millis } => {
                Fault::DelayAnswers(Duration::from_millis(millis))
            }
            FaultInput::Kill => Fault::Kill,
            FaultInput::PauseReading { paused } => Fault::PauseReading(paused),
        };
        let (handle, _) = self.core.ready(&server)?;
        handle
            .fault(fault)
            .await
            .map_err(|_| problem::not_connected())
    }
}

impl Core {
    fn stream(&self, server: &str, stream: u64) -> Result<(), IpcError> {
        self.state(|state| {
            state
                .sessions
                .get(server)
                .and_then(|session| session.connection.as_ref()?.stream(stream).map(|_| ()))
                .ok_or_else(|| problem::not_found("This stream has ended."))
        })
    }

    fn running_operation(&self, server: &str, operation: OperationNumber) -> Result<(), IpcError> {
        self.state(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or_else(|| problem::no_operation(operation))?;
            if record.view.server != server {
                return Err(problem::invalid("This run belongs to another server."));
            }
            if record.view.state == OperationState::Finished {
                return Err(problem::invalid("This run has finished."));
            }
            Ok(())
        })
    }
}

//! The commands about calls.

use std::time::Duration;

use serde::de::IgnoredAny;
use sonde_mcp::{OperationId, OperationOptions, OperationRequest};

use super::{
    history::{CallRecord, Called},
    messages,
};
use crate::{
    Explorer,
    bus::Key,
    clock,
    ipc::{
        ArgumentProblem, CallMessage, CallNumber, CallState, ErrorCode, IpcError, LostCode,
        OutcomeView, ServerId,
    },
    problem,
    validate::ValidateError,
};

impl Explorer {
    /// What the input schema says about arguments.
    ///
    /// # Errors
    /// `ArgumentsNotJson` with line and column; `NotFound`.
    pub async fn validate_arguments(
        &self,
        server: ServerId,
        key: String,
        arguments: String,
    ) -> Result<Vec<ArgumentProblem>, IpcError> {
        let tool = self.core.tool(&server, &key)?;
        let Some(schema) = tool
            .tool()
            .and_then(|tool| tool.input_schema.as_ref())
            .map(|schema| schema.get().to_owned())
        else {
            return not_json(&arguments).map(|()| Vec::new());
        };
        match self.core.validator.problems(schema, arguments).await {
            Ok(problems) => Ok(problems),
            Err(ValidateError::NotJson(reason)) => Err(IpcError {
                code: ErrorCode::ArgumentsNotJson,
                message: reason,
                detail: None,
            }),
            // A schema that cannot validate finds nothing; the tool's page says why.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Calls a tool with exactly this JSON text; `None` leaves the member out. `force` calls it
    /// also where its definition forbids that to clients. All else arrives as events.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`, `ArgumentsNotJson`.
    pub async fn start_call(
        &self,
        server: ServerId,
        key: String,
        arguments: Option<String>,
        force: bool,
    ) -> Result<CallNumber, IpcError> {
        if let Some(arguments) = &arguments {
            not_json(arguments)?;
        }
        let tool = self.core.tool(&server, &key)?;
        let request = OperationRequest::tool(tool.name.clone(), arguments.clone());
        let options = OperationOptions {
            force,
            ..OperationOptions::default()
        };
        let output_schema = tool.tool().and_then(|tool| tool.output_schema.clone());
        let called = Called {
            name: tool.name,
            key: Some(key),
            title: tool.title,
            output_schema,
        };
        let record = |call, generation| {
            let times = (clock::millis(), clock::micros());
            CallRecord::new(call, server.clone(), generation, called, arguments, times)
        };
        self.start(&server, request, options, record).await
    }

    /// Makes a request of another method than `tools/call`, with exactly this JSON text as `params`,
    /// an object; `None` leaves the member out. It is a call like any other, named by its method; all
    /// else arrives as events. Not offered by the window.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`, `ArgumentsNotJson`.
    pub async fn start_request(
        &self,
        server: ServerId,
        method: String,
        params: Option<String>,
    ) -> Result<CallNumber, IpcError> {
        if let Some(params) = &params {
            not_json(params)?;
        }
        let request = OperationRequest::other(method.clone(), params.clone());
        let record = |call, generation| {
            let times = (clock::millis(), clock::micros());
            let called = Called::method(method);
            CallRecord::new(call, server.clone(), generation, called, params, times)
        };
        self.start(&server, request, OperationOptions::default(), record)
            .await
    }

    async fn start(
        &self,
        server: &str,
        request: OperationRequest,
        options: OperationOptions,
        record: impl FnOnce(CallNumber, u32) -> CallRecord,
    ) -> Result<CallNumber, IpcError> {
        let (handle, generation) = self.core.ready(server)?;
        let core = &self.core;
        let (call, dropped) = core.state(|state| {
            let call = state.calls.next();
            (call, state.calls.add(record(call, generation)))
        });
        for gone in dropped {
            core.bus.touch(Key::Call(gone));
        }
        core.bus.touch(Key::Call(call));
        if handle
            .start_operation(OperationId(call), request, options)
            .await
            .is_err()
        {
            core.with_call(call, |record| {
                record.view.state = CallState::Finished;
                record.view.micros = Some(0);
                record.view.outcome = Some(OutcomeView::Lost {
                    reason: "The connection ended before the request was sent.".to_owned(),
                    code: LostCode::NotSent,
                });
            });
        }
        Ok(call)
    }

    /// Asks the server to stop.
    ///
    /// # Errors
    /// `NotFound`. A call that is over stays as it is.
    pub async fn cancel_call(&self, call: CallNumber) -> Result<(), IpcError> {
        if let Some(handle) = self.core.handle_of_call(call)? {
            let reason = Some("Cancelled by the user".to_owned());
            // The session being over is no failure: then so is the call.
            let _ = handle.cancel(OperationId(call), reason).await;
        }
        Ok(())
    }

    /// Waits at least this much longer.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn extend_call(&self, call: CallNumber, seconds: u32) -> Result<(), IpcError> {
        if let Some(handle) = self.core.handle_of_call(call)? {
            let _ = handle
                .extend(OperationId(call), Duration::from_secs(u64::from(seconds)))
                .await;
        }
        Ok(())
    }

    /// Removes a finished call from the history.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` while it runs.
    pub async fn forget_call(&self, call: CallNumber) -> Result<(), IpcError> {
        self.core.state(|state| {
            let record = state
                .calls
                .get(call)
                .ok_or_else(|| problem::no_call(call))?;
            if record.view.state != CallState::Finished {
                return Err(problem::invalid(
                    "This run is still in progress. Cancel it first.",
                ));
            }
            state.calls.remove(call);
            Ok(())
        })?;
        self.core.bus.touch(Key::Call(call));
        Ok(())
    }

    /// Removes all finished calls of a server from the history.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn clear_calls(&self, server: ServerId) -> Result<(), IpcError> {
        self.core.server(&server)?;
        let gone = self
            .core
            .state(|state| state.calls.remove_of(&server, false));
        for call in gone {
            self.core.bus.touch(Key::Call(call));
        }
        Ok(())
    }

    /// Log messages of a call, by index. Messages that are no longer kept have a placeholder.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn call_messages(
        &self,
        call: CallNumber,
        from: u64,
        count: u32,
    ) -> Result<Vec<CallMessage>, IpcError> {
        self.core.state(|state| {
            let record = state
                .calls
                .get(call)
                .ok_or_else(|| problem::no_call(call))?;
            Ok(record
                .messages
                .range(from, count.min(1_000))
                .map(|message| message.cloned().unwrap_or_else(messages::dropped))
                .collect())
        })
    }

    /// Server log messages that belong to no single call, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn server_messages(
        &self,
        server: ServerId,
        from: u64,
        count: u32,
    ) -> Result<Vec<CallMessage>, IpcError> {
        self.core.state(|state| {
            let session = state
                .sessions
                .get(&server)
                .ok_or_else(|| problem::no_server(&server))?;
            Ok(session
                .messages
                .range(from, count.min(1_000))
                .map(|message| message.cloned().unwrap_or_else(messages::dropped))
                .collect())
        })
    }
}

fn not_json(text: &str) -> Result<(), IpcError> {
    serde_json::from_str::<IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| IpcError {
            code: ErrorCode::ArgumentsNotJson,
            message: "The arguments are not valid JSON.".to_owned(),
            detail: Some(error.to_string()),
        })
}

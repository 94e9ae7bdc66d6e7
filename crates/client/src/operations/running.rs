//! Starts and controls operations.

use std::time::Duration;

use serde::de::IgnoredAny;
use sonde_mcp::{CatalogItem, OperationId, OperationOptions, OperationRequest, TaskSupport};

use super::{
    PROMPTS_GET, RESOURCES_READ, TOOLS_CALL,
    history::{NewOperation, OperationRecord},
    messages::{self, LoggedMessage},
    operation::{ArgumentCheck, LedBy, OperationInput, OperationNumber, OperationState},
    outcome::{LostCode, OperationOutcome},
    privacy::{takes_private_values, tool_of_params},
    rate::ProgressRate,
    resource_expectations::PromisedResource,
};
use crate::{Connection, Error, catalogs::CatalogKind, changes::Change, clock};
use sonde_validation::ValidateError;

impl Connection {
    /// Checks arguments against the tool's input schema.
    ///
    /// # Errors
    /// `ArgumentsNotJson` with line and column; `NotFound`.
    pub async fn validate_arguments(
        &self,
        key: String,
        arguments: String,
    ) -> Result<ArgumentCheck, Error> {
        let tool = self.core.tool(&key)?;
        let Some(schema) = tool
            .tool()
            .and_then(|tool| tool.input_schema.as_ref())
            .map(|schema| schema.get().to_owned())
        else {
            return check_json(&arguments, "arguments").map(|()| ArgumentCheck::default());
        };
        match self
            .core
            .services
            .validator
            .problems(schema, arguments)
            .await
        {
            Ok(problems) => Ok(ArgumentCheck {
                problems,
                unchecked: None,
            }),
            Err(ValidateError::NotJson(reason)) => Err(Error::NotJson {
                message: reason,
                detail: None,
            }),
            // The page of the tool shows that its schema is unusable.
            Err(ValidateError::Schema { .. }) => Ok(ArgumentCheck::default()),
            Err(error) => Ok(ArgumentCheck {
                problems: Vec::new(),
                unchecked: Some(error.to_string()),
            }),
        }
    }

    /// Starts an operation. Everything else about it arrives as events.
    ///
    /// # Errors
    /// `NotConnected`; `NotFound` for a tool that is not in its catalog; `ArgumentsNotJson`.
    pub async fn start_operation(
        &self,
        operation: OperationInput,
    ) -> Result<OperationNumber, Error> {
        if let Some(text) = &operation.arguments {
            check_json(text, "arguments")?;
        }
        if let Some(text) = &operation.params {
            check_json(text, "parameters")?;
        }
        let input = operation.clone();
        let led_by = operation.led_by;
        let mut request = OperationRequest {
            method: operation.method,
            target: operation.target,
            arguments: operation.arguments,
            params: operation.params,
            notification: operation.notification,
            task: operation.task,
        };
        let item = match (request.method.as_str(), &request.target) {
            (TOOLS_CALL, Some(key)) => Some(self.core.tool(key)?),
            // A server takes the name of a prompt that was not listed.
            (PROMPTS_GET, Some(key)) => self.core.item(CatalogKind::Prompts, key).ok(),
            (RESOURCES_READ, Some(uri)) => {
                let item = self.core.item(CatalogKind::Resources, uri);
                // The key of a duplicate entry ends with a number, so it may equal the URI of another resource.
                item.ok().filter(|item| item.key == *uri)
            }
            _ => None,
        };
        // "Host MUST reject `tools/call` requests from apps for tools that don't include "app" in visibility" (MCP Apps,
        // Visibility).
        let tool = item.as_ref().and_then(CatalogItem::tool);
        if operation.by_app && tool.is_some_and(|tool| !tool.app.for_app) {
            return Err(Error::invalid(
                "The server does not let apps call this tool.",
            ));
        }
        // "If `required`, clients MUST invoke the tool as a task" (tasks, Tool-Level Negotiation); where the
        // server does not declare that it takes tasks, they must not.
        let support = item.as_ref().and_then(CatalogItem::tool);
        if support.is_some_and(|tool| tool.task_support == TaskSupport::Required)
            && self.read(|state| state.session.tool_tasks)
        {
            request.task.get_or_insert_default();
        }
        // The server gets the name of a tool or prompt; its key in the list is only used here.
        let key = match &item {
            Some(item) if request.method != RESOURCES_READ => {
                request.target.replace(item.name.clone())
            }
            _ => None,
        };
        let options = OperationOptions {
            force: operation.force,
            ..OperationOptions::default()
        };
        let (handle, generation) = self.core.ready()?;
        let core = &self.core;
        // A call that is written by hand holds the same secrets as one of a form.
        let named = match (request.method.as_str(), &request.target, &request.params) {
            (TOOLS_CALL, None, Some(params)) => tool_of_params(params),
            _ => None,
        };
        let named = named.and_then(|name| core.tool(&name).ok());
        let private = item.iter().chain(&named).any(takes_private_values);
        let operation = core.services.next_operation();
        let dropped = core.state(|state| {
            let promised = request.target.as_deref().and_then(|uri| match &led_by {
                Some(LedBy::Link { operation, index }) => {
                    let linked = state.operations.get(*operation)?;
                    PromisedResource::of_link(linked.outcome.as_ref()?, *index as usize, uri)
                }
                Some(LedBy::Template { key }) => {
                    let kind = CatalogKind::ResourceTemplates;
                    let template = state.catalogs.get(kind)?.item(key)?;
                    PromisedResource::of_template(template, uri)
                }
                None => None,
            });
            let mut record = OperationRecord::new(NewOperation {
                operation,
                server: core.server.clone(),
                generation,
                input,
                request: request.clone(),
                item,
                key,
            });
            record.promised.extend(promised);
            record.private = private;
            if !state.has_output_schemas() {
                record.output_schema = None;
            }
            state.operations.add(record)
        });
        for gone in dropped {
            core.owner.changed(Change::Operation(gone));
        }
        core.owner.changed(Change::Operation(operation));
        // So that a crash of the app leaves a trace of it.
        core.owner.run_changed(operation);
        core.owner.run_added(operation);
        if handle
            .start_operation(OperationId(operation), request, options)
            .await
            .is_err()
        {
            core.with_operation(operation, |record| {
                record.state = OperationState::Finished;
                record.micros = Some(0);
                record.outcome = Some(OperationOutcome::Lost {
                    reason: "The connection ended before the request was sent.".to_owned(),
                    code: LostCode::NotSent,
                });
            });
        }
        Ok(operation)
    }

    /// The newest reading of a resource if the server lets its result be kept until now: in this session, with the
    /// same token unless the result is public, and without an update of the resource since.
    ///
    /// # Errors
    /// `NotConnected`, `NoServer`.
    pub async fn fresh_reading(&self, uri: String) -> Result<Option<OperationNumber>, Error> {
        let (_, generation) = self.core.ready()?;
        let now = clock::millis();
        Ok(self.core.state(|state| {
            let mut subscriptions = state.session.resource_subscriptions.iter();
            if subscriptions.any(|one| one.uri == uri && one.unread) {
                return None;
            }
            let mut readings = state
                .operations
                .iter()
                .filter(|record| record.generation == generation && reads(record, &uri));
            let newest = readings.next_back()?;
            let token = state.token_fingerprint();
            let freshness = newest.freshness.as_ref()?;
            freshness.holds(now, token).then_some(newest.number)
        }))
    }

    /// Asks the server to stop.
    ///
    /// # Errors
    /// `NotFound`. An operation that is over stays as it is.
    pub async fn cancel_operation(&self, operation: OperationNumber) -> Result<(), Error> {
        if let Some(handle) = self.core.handle_of_operation(operation)? {
            let reason = Some("Cancelled by the user".to_owned());
            // If the session is over, so is the operation.
            let _ = handle.cancel(OperationId(operation), reason).await;
        }
        self.cancel_forms_of(operation).await;
        Ok(())
    }

    /// Asks for the status of its task now.
    ///
    /// # Errors
    /// `NotFound`. Nothing happens where there is no task, or its status is being asked for.
    pub async fn ask_task(&self, operation: OperationNumber) -> Result<(), Error> {
        if let Some(handle) = self.core.handle_of_operation(operation)? {
            let _ = handle.ask_task(OperationId(operation)).await;
        }
        Ok(())
    }

    /// Ends the run without cancelling its task, which goes on.
    ///
    /// # Errors
    /// `NotFound`. Nothing happens where there is no task.
    pub async fn stop_waiting(&self, operation: OperationNumber) -> Result<(), Error> {
        if let Some(handle) = self.core.handle_of_operation(operation)? {
            let _ = handle.stop_waiting(OperationId(operation)).await;
        }
        Ok(())
    }

    /// Waits at least this much longer.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn extend_operation(
        &self,
        operation: OperationNumber,
        seconds: u32,
    ) -> Result<(), Error> {
        if let Some(handle) = self.core.handle_of_operation(operation)? {
            let _ = handle
                .extend(
                    OperationId(operation),
                    Duration::from_secs(u64::from(seconds)),
                )
                .await;
        }
        Ok(())
    }

    /// Log messages of an operation, by index. Messages that are no longer kept have a placeholder.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn operation_messages(
        &self,
        operation: OperationNumber,
        from: u64,
        count: u32,
    ) -> Result<Vec<LoggedMessage>, Error> {
        self.core.state(|state| {
            let messages = &state.operation(operation)?.messages;
            Ok(messages.page(from, count, messages::dropped))
        })
    }

    /// Returns the rates of progress over an operation's time, oldest first; at most 120. Empty for an operation from
    /// before this start of the app.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn progress_rates(
        &self,
        operation: OperationNumber,
    ) -> Result<Vec<ProgressRate>, Error> {
        self.core
            .state(|state| Ok(state.operation(operation)?.rate.course()))
    }
}

/// Requires JSON text; `what` names it in the error.
fn check_json(text: &str, what: &str) -> Result<(), Error> {
    serde_json::from_str::<IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| Error::NotJson {
            message: format!("The {what} are not valid JSON."),
            detail: Some(error.to_string()),
        })
}

/// It has read this resource as the form does, without further members, and got a result.
fn reads(record: &OperationRecord, uri: &str) -> bool {
    let input = &record.input;
    record.method == RESOURCES_READ
        && input.target.as_deref() == Some(uri)
        && input.params.is_none()
        && matches!(record.outcome, Some(OperationOutcome::Result { .. }))
}

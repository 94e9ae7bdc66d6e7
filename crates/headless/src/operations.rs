//! Running tools, and making other requests.

use sonde_ipc::{DocumentSource, OperationInput, OperationNumber, OperationState, OperationView};

use crate::{Error, Headless};

impl Headless {
    /// Starts a tool, by the key that it has in the list, with exactly these arguments (JSON text);
    /// `None` leaves them out.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotConnected`, `NotFound` or `ArgumentsNotJson`.
    pub async fn start_tool(
        &self,
        server: &str,
        key: &str,
        arguments: Option<&str>,
    ) -> Result<OperationNumber, Error> {
        let operation = OperationInput::tool(key, arguments.map(str::to_owned));
        self.start(server, operation).await
    }

    /// Makes any other request, with exactly these `params` (JSON text of an object).
    ///
    /// # Errors
    /// [`Error::Command`] with `NotConnected` or `ArgumentsNotJson`.
    pub async fn start_request(
        &self,
        server: &str,
        method: &str,
        params: Option<&str>,
    ) -> Result<OperationNumber, Error> {
        let operation = OperationInput {
            method: method.to_owned(),
            params: params.map(str::to_owned),
            ..OperationInput::default()
        };
        self.start(server, operation).await
    }

    async fn start(
        &self,
        server: &str,
        operation: OperationInput,
    ) -> Result<OperationNumber, Error> {
        let backend = self.backend();
        Ok(backend
            .start_operation(server.to_owned(), operation)
            .await?)
    }

    /// Waits for the end of an operation, and reads all of its view.
    ///
    /// # Errors
    /// Those of [`Headless::wait_for`]; [`Error::Command`] with `NotFound` when it is not kept any more.
    pub async fn finished(&self, operation: OperationNumber) -> Result<OperationView, Error> {
        let view = self
            .wait_for(&format!("the end of operation {operation}"), |state| {
                let view = state.operations.get(&operation)?;
                (view.state == OperationState::Finished).then(|| view.clone())
            })
            .await?;
        if !view.cut {
            return Ok(view);
        }
        Ok(self.backend().operation(operation).await?)
    }

    /// Runs a tool to its end.
    ///
    /// # Errors
    /// As [`Headless::start_tool`] and [`Headless::finished`].
    pub async fn run_tool(
        &self,
        server: &str,
        key: &str,
        arguments: Option<&str>,
    ) -> Result<OperationView, Error> {
        let operation = self.start_tool(server, key, arguments).await?;
        self.finished(operation).await
    }

    /// The result of a finished operation as received, or the `error` object: JSON text.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound` when nothing was received, or the operation is not kept any
    /// more.
    pub async fn result(&self, operation: OperationNumber) -> Result<String, Error> {
        let source = DocumentSource::Answer { operation };
        let bytes = self.backend().read_bytes(source).await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

//! Running tools, and making other requests.

use sonde_explorer::ipc::{CallNumber, CallState, CallView, DocumentSource};

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
    ) -> Result<CallNumber, Error> {
        let arguments = arguments.map(str::to_owned);
        let started =
            self.explorer()
                .start_call(server.to_owned(), key.to_owned(), arguments, false);
        Ok(started.await?)
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
    ) -> Result<CallNumber, Error> {
        let params = params.map(str::to_owned);
        let started = self
            .explorer()
            .start_request(server.to_owned(), method.to_owned(), params);
        Ok(started.await?)
    }

    /// Waits for the end of a call.
    ///
    /// # Errors
    /// Those of [`Headless::wait_for`].
    pub async fn finished(&self, call: CallNumber) -> Result<CallView, Error> {
        self.wait_for(&format!("the end of call {call}"), |state| {
            let view = state.calls.get(&call)?;
            (view.state == CallState::Finished).then(|| view.clone())
        })
        .await
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
    ) -> Result<CallView, Error> {
        let call = self.start_tool(server, key, arguments).await?;
        self.finished(call).await
    }

    /// The result of a finished call as received, or the `error` object: JSON text.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound` when nothing was received, or the call is not kept any
    /// more.
    pub async fn result(&self, call: CallNumber) -> Result<String, Error> {
        let source = DocumentSource::Answer { call };
        let bytes = self.explorer().read_bytes(source).await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

//! Requests of servers to the user.

use sonde_ipc::{AnswerInput, ServerRequestView};

use crate::{Error, Headless};

impl Headless {
    /// Waits for a request of the server: the oldest open one with a number above `after`. Numbers
    /// count up from 1, over all servers.
    ///
    /// # Errors
    /// Those of [`Headless::wait_for`].
    pub async fn server_request(
        &self,
        server: &str,
        after: u64,
    ) -> Result<ServerRequestView, Error> {
        self.wait_for("a request of the server", |state| {
            let mut later = state.server_requests.range(after.saturating_add(1)..);
            later
                .find(|(_, request)| request.server == server)
                .map(|(_, request)| request.clone())
        })
        .await
    }

    /// Answers a request of a server.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound` when it is closed, `InvalidInput` for an answer that cannot
    /// be sent, `NotConnected`.
    pub async fn answer(&self, request: u64, answer: AnswerInput) -> Result<(), Error> {
        Ok(self
            .backend()
            .answer_server_request(request, answer)
            .await?)
    }
}

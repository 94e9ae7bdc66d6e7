//! Adding servers, and connecting to them.

use std::sync::Arc;

use sonde_ipc::{
    CatalogView, ErrorCode, ServerDraft, ServerId, SessionPhase, SessionView, StepState,
};

use crate::{Error, Headless, State};

impl Headless {
    /// Adds a server to the list.
    ///
    /// # Errors
    /// [`Error::Command`] with `InvalidInput`.
    pub async fn add(&self, draft: ServerDraft) -> Result<ServerId, Error> {
        Ok(self.backend().add_server(draft).await?)
    }

    /// Adds all servers of a configuration as other clients keep it (`mcpServers` and the like).
    ///
    /// # Errors
    /// [`Error::Command`] with `InvalidInput` when the text holds no servers.
    pub async fn import(&self, configuration: &str) -> Result<Vec<ServerId>, Error> {
        let preview = self.backend().preview_import(configuration.to_owned());
        let count = u32::try_from(preview.await?.candidates.len()).unwrap_or(u32::MAX);
        let all = (0..count).map(Into::into).collect();
        let added = self.backend().import_servers(configuration.to_owned(), all);
        Ok(added.await?)
    }

    /// Begins to connect, and waits until the state tells of it.
    ///
    /// # Errors
    /// [`Error::NotConfirmed`] for a program that nobody has confirmed; [`Error::Command`] with
    /// `AlreadyConnected` or `NotFound`; those of [`Headless::wait_for`].
    pub async fn connect(&self, server: &str) -> Result<(), Error> {
        match self.begin_connect(server, None).await {
            Err(Error::Command(error)) if error.code == ErrorCode::CommandNotConfirmed => {
                let preview = self.backend().preview_command(server.to_owned()).await?;
                Err(Error::NotConfirmed(Box::new(preview)))
            }
            begun => begun,
        }
    }

    /// Begins to connect to a server whose command the user has seen whole and accepted;
    /// `fingerprint` is that of the preview.
    ///
    /// # Errors
    /// As [`Headless::connect`]; [`Error::Command`] with `CommandNotConfirmed` when the command has
    /// changed since.
    pub async fn connect_confirmed(&self, server: &str, fingerprint: &str) -> Result<(), Error> {
        self.begin_connect(server, Some(fingerprint.to_owned()))
            .await
    }

    async fn begin_connect(&self, server: &str, confirm: Option<String>) -> Result<(), Error> {
        let generation = |state: &State| state.sessions.get(server).map_or(0, |one| one.generation);
        let before = generation(&self.state());
        self.backend().connect(server.to_owned(), confirm).await?;
        // What is waited for next must not be found in what is left of an earlier connect.
        self.wait_for("the connect to begin", |state| {
            (generation(state) > before).then_some(())
        })
        .await
    }

    /// Waits until operations work and the tools are listed. A server without tools has an empty list.
    ///
    /// # Errors
    /// [`Error::ConnectFailed`], [`Error::NotListed`]; those of
    /// [`Headless::wait_for`].
    pub async fn ready(&self, server: &str) -> Result<Arc<CatalogView>, Error> {
        self.wait_for("a connection with its tools", |state| {
            let session = state.sessions.get(server)?;
            if session.phase == SessionPhase::Failed {
                let failure = Box::new(session.failure.clone()?);
                return Some(Err(Error::ConnectFailed(failure)));
            }
            if session.phase != SessionPhase::Ready {
                return None;
            }
            let tools = state.tools(server)?;
            if let Some(error) = tools.error.as_ref().filter(|_| tools.reading.is_none()) {
                return Some(Err(Error::NotListed(tools.kind, error.clone())));
            }
            let done = session.steps.iter().all(|one| one.state == StepState::Done);
            let listed = tools.revision > 0 || !tools.supported;
            (done && listed).then(|| Ok(tools.clone()))
        })
        .await?
    }

    /// Disconnects, or gives up connecting, and waits for the end.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound`; those of [`Headless::wait_for`].
    pub async fn disconnect(&self, server: &str) -> Result<SessionView, Error> {
        self.backend().disconnect(server.to_owned()).await?;
        self.wait_for("the end of the connection", |state| {
            let session = state.sessions.get(server)?;
            let over = matches!(session.phase, SessionPhase::Idle | SessionPhase::Failed);
            over.then(|| session.clone())
        })
        .await
    }
}

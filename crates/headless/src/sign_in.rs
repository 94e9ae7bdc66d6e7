//! Signing in, with the browser that the options name.

use sonde_ipc::{AuthState, Grant, IssuerConfirmation, SignInPrompt};

use crate::{Error, Headless};

impl Headless {
    /// Waits until the user has to sign in: for a prompt whose number is above `after`. Numbers count
    /// up from 1 for each server.
    ///
    /// # Errors
    /// Those of [`Headless::wait_for`]. A connect that fails before anybody has to sign in is told by
    /// [`Headless::ready`].
    pub async fn prompt(&self, server: &str, after: u64) -> Result<SignInPrompt, Error> {
        self.wait_for("a prompt to sign in", |state| {
            let auth = state.auth.get(server)?;
            let prompt = auth.prompt.as_ref()?;
            (auth.state == AuthState::Prompt && prompt.attempt > after).then(|| prompt.clone())
        })
        .await
    }

    /// Waits until the user is asked to confirm an authorization server.
    ///
    /// # Errors
    /// Those of [`Headless::wait_for`].
    pub async fn confirmation(&self, server: &str) -> Result<IssuerConfirmation, Error> {
        self.wait_for("an authorization server to confirm", |state| {
            state.auth.get(server)?.confirmation.clone()
        })
        .await
    }

    /// Opens the address of a prompt in the browser, after the user has seen it whole.
    ///
    /// # Errors
    /// [`Error::Command`] with `NotFound` when that sign-in is over, `Internal` when there is no
    /// browser.
    pub async fn open_prompt(&self, server: &str, prompt: &SignInPrompt) -> Result<(), Error> {
        let opened = self
            .backend()
            .open_sign_in(server.to_owned(), prompt.attempt);
        Ok(opened.await?)
    }

    /// Waits for the end of the sign-in of this prompt.
    ///
    /// # Errors
    /// [`Error::SignInFailed`]; those of [`Headless::wait_for`].
    pub async fn signed_in(&self, server: &str) -> Result<Grant, Error> {
        self.wait_for("the end of the sign-in", |state| {
            let auth = state.auth.get(server)?;
            match (auth.state, &auth.grant, &auth.problem) {
                (AuthState::SignedIn, Some(grant), _) => Some(Ok(grant.clone())),
                (AuthState::Failed, _, Some(problem)) => {
                    Some(Err(Error::SignInFailed(Box::new(problem.clone()))))
                }
                _ => None,
            }
        })
        .await?
    }

    /// Waits for the prompt, opens the browser, and waits until the user came back from there.
    ///
    /// # Errors
    /// As [`Headless::prompt`], [`Headless::open_prompt`] and [`Headless::signed_in`].
    pub async fn sign_in(&self, server: &str) -> Result<Grant, Error> {
        let prompt = self.prompt(server, 0).await?;
        self.open_prompt(server, &prompt).await?;
        self.signed_in(server).await
    }
}

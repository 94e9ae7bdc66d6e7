//! Signing in to the server, and its token.

use sonde_auth::Problem;

use super::{exchange::AuthExchange, server_auth::ServerAuth, settings::settings};
use crate::{Connection, Error, config::MissingSecret, limits::MESSAGE, text::cut};

impl Connection {
    /// Starts a sign-in, or starts over one that is under way. Returns false without starting anything if there is
    /// neither a session nor a token: the connect itself then signs in, since only the server knows which credentials
    /// it wants.
    ///
    /// # Errors
    /// `InvalidInput` for servers that are not signed in to.
    pub async fn sign_in(&self) -> Result<bool, Error> {
        let auth = self.server_auth().await?;
        auth.tokens.load().await;
        let (live, signed_in) = self.read(|state| {
            let grant = state.auth.as_ref().and_then(|auth| auth.grant.as_ref());
            (state.session.is_live(), grant.is_some())
        });
        if live || signed_in {
            auth.tokens.sign_in().await;
        }
        Ok(live || signed_in)
    }

    /// Returns the address of a sign-in, to be opened in the browser after the user saw it whole. The sign-in waits for
    /// the browser from then on.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over.
    pub fn open_prompt(&self, attempt: u64) -> Result<String, Error> {
        let tokens = self.known_auth()?.tokens;
        self.to_result(tokens.open_prompt(attempt))
    }

    /// Allows sending the configured credentials to this authorization server, after the user saw its whole address. No
    /// other authorization server is accepted from then on.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over.
    pub async fn confirm_issuer(&self, attempt: u64) -> Result<(), Error> {
        let tokens = self.known_auth()?.tokens;
        self.to_result(tokens.confirm_issuer(attempt))
    }

    /// Continues the sign-in with the address to which the browser was redirected.
    ///
    /// # Errors
    /// `InvalidInput` if the address does not belong to this sign-in, which then keeps waiting.
    pub async fn paste_redirect(&self, attempt: u64, address: String) -> Result<(), Error> {
        let tokens = self.known_auth()?.tokens;
        self.to_result(tokens.paste_redirect(attempt, &address))
    }

    /// Registers a new client and continues the sign-in: the page in the browser did not know the client.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over; `InvalidInput` when Sonde has not registered the client.
    pub async fn register_again(&self, attempt: u64) -> Result<(), Error> {
        let tokens = self.known_auth()?.tokens;
        self.to_result(tokens.register_again(attempt))
    }

    /// Gives a sign-in up. Requests that wait for it are refused.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn cancel_sign_in(&self) -> Result<(), Error> {
        self.known_auth()?.tokens.cancel().await;
        Ok(())
    }

    /// Gets a new token now.
    ///
    /// # Errors
    /// `InvalidInput` with what went wrong.
    pub async fn refresh_token(&self) -> Result<(), Error> {
        let auth = self.server_auth().await?;
        self.to_result(auth.tokens.refresh().await)
    }

    /// Deletes the token and tells the authorization server where that is offered.
    ///
    /// # Errors
    /// `KeyringUnavailable` when the keyring did not delete it.
    pub async fn sign_out(&self) -> Result<(), Error> {
        let auth = self.server_auth().await?;
        self.to_result(auth.tokens.sign_out().await)
    }

    /// The stored token was deleted: requests go without it.
    pub async fn token_deleted(&self) {
        if let Some(auth) = self.core.auth.get() {
            auth.tokens.token_deleted().await;
        }
    }

    /// Tries again to store secrets that the keyring refused before.
    pub fn recheck_persistence(&self) {
        if let Some(auth) = self.core.auth.get() {
            auth.tokens.recheck_persistence();
        }
    }

    /// The next connect sets signing in up again: a secret of the configuration changed, or it was closed.
    pub fn renew_auth(&self) {
        self.core.auth.invalidate();
    }

    /// Ends signing in. A token that is being renewed is stored first.
    pub async fn close_auth(&self) {
        if let Some(auth) = self.core.auth.get() {
            auth.tokens.close().await;
        }
    }

    /// Treats the token as expired, so that the next request refreshes it first.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn expire_token(&self) -> Result<(), Error> {
        self.server_auth().await?.tokens.expire_token().await;
        Ok(())
    }

    /// Sends the next request with a token that is wrong; false takes that back.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn send_wrong_token(&self, wrong: bool) -> Result<(), Error> {
        self.server_auth()
            .await?
            .tokens
            .send_wrong_token(wrong)
            .await;
        Ok(())
    }

    /// Returns the HTTP exchange of a step.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn auth_exchange(&self, step: u64) -> Result<AuthExchange, Error> {
        self.known_auth()?.exchange(step).ok_or(Error::NotFound(
            "The request of this step is no longer stored.",
        ))
    }

    /// Returns the authentication of the server, created if necessary. A running session keeps the authentication that
    /// it began with, as it keeps its configuration.
    async fn server_auth(&self) -> Result<ServerAuth, Error> {
        let (live, transport) =
            self.read(|state| (state.session.is_live(), state.config.transport.clone()));
        if let Some(auth) = self.core.auth.get().filter(|_| live) {
            return Ok(auth);
        }
        let settings = settings(&self.core, &transport).await;
        let settings = settings
            .map_err(|MissingSecret { name, error }| Error::Keyring {
                message: format!(
                    "`{name}` cannot be read from the keyring. Edit the server and enter it again."
                ),
                detail: error.map(|error| error.to_string()),
            })?
            .ok_or_else(|| {
                Error::invalid(
                    "This server does not use sign-in: authentication is off, or the settings \
                     send their own `Authorization` header.",
                )
            })?;
        Ok(self.core.auth.open(&self.core, &transport, settings))
    }

    fn known_auth(&self) -> Result<ServerAuth, Error> {
        let auth = self.core.auth.get();
        auth.ok_or(Error::NotFound("This server does not use sign-in."))
    }

    /// Turns the problem of a sign-in, if there is one, into the error of a command.
    fn to_result<T>(&self, outcome: Result<T, Problem>) -> Result<T, Error> {
        let problem = match outcome {
            Ok(done) => return Ok(done),
            Err(problem) => problem,
        };
        let mut message = problem.title;
        for more in problem.advice {
            message.push(' ');
            message.push_str(&more);
        }
        let mut detail = Some(problem.cause).filter(|cause| !cause.is_empty());
        // The server may have echoed a secret that it was sent.
        self.core.log.hide(&mut message);
        detail.iter_mut().for_each(|text| self.core.log.hide(text));
        let message = cut(&message, MESSAGE);
        let detail = detail.map(|text| cut(&text, MESSAGE));
        Err(match problem.code {
            "sign_in_over" => Error::NoSignIn { message, detail },
            "not_deleted" => Error::Keyring { message, detail },
            _ => Error::InvalidInput { message, detail },
        })
    }
}

//! The commands about signing in.

use sonde_auth::Problem;

use super::{
    exchange::AuthExchange,
    server_auth::ServerAuth,
    settings::{SettingsError, settings},
};
use crate::{Error, Explorer, limits::MESSAGE, servers::ServerId, text::cut};

impl Explorer {
    /// Starts a sign-in; a sign-in that is under way starts over. A server that is not connected is connected instead,
    /// since it knows best what it wants.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for servers that are not signed in to.
    pub async fn sign_in(&self, server: ServerId) -> Result<(), Error> {
        let auth = self.server_auth(&server).await?;
        auth.tokens.load().await;
        let (live, signed_in) = self.core.state(|state| {
            let live = state
                .sessions
                .get(&server)
                .is_some_and(|session| session.is_live());
            let grant = state.auth.get(&server).and_then(|auth| auth.grant.as_ref());
            (live, grant.is_some())
        });
        if !live && !signed_in {
            return self.connect(server, None).await;
        }
        auth.tokens.sign_in().await;
        Ok(())
    }

    /// Opens the address of a sign-in in the browser, after the user saw it whole.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over; `Internal` when the system refused.
    pub async fn open_sign_in(&self, server: ServerId, attempt: u64) -> Result<(), Error> {
        let url = self
            .known_server_auth(&server)?
            .tokens
            .open_prompt(attempt)
            .map_err(|problem| self.auth_error(&server, problem))?;
        self.open_external(url).await
    }

    /// Trusts the authorization server of a sign-in with what the settings hold, after the user saw it
    /// whole. It is the only one from then on.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over.
    pub async fn confirm_issuer(&self, server: ServerId, attempt: u64) -> Result<(), Error> {
        self.known_server_auth(&server)?
            .tokens
            .confirm_issuer(attempt)
            .map_err(|problem| self.auth_error(&server, problem))
    }

    /// Goes on with the address to which the browser returned.
    ///
    /// # Errors
    /// `InvalidInput` when it is not the answer to this sign-in, which then goes on waiting.
    pub async fn paste_redirect(
        &self,
        server: ServerId,
        attempt: u64,
        address: String,
    ) -> Result<(), Error> {
        self.known_server_auth(&server)?
            .tokens
            .paste_redirect(attempt, &address)
            .map_err(|problem| self.auth_error(&server, problem))
    }

    /// Goes on with a new registration: the page in the browser did not know the client.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over; `InvalidInput` when Sonde has not registered the client.
    pub async fn register_again(&self, server: ServerId, attempt: u64) -> Result<(), Error> {
        self.known_server_auth(&server)?
            .tokens
            .register_again(attempt)
            .map_err(|problem| self.auth_error(&server, problem))
    }

    /// Gives a sign-in up. Requests that wait for it are refused.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn cancel_sign_in(&self, server: ServerId) -> Result<(), Error> {
        self.known_server_auth(&server)?.tokens.cancel().await;
        Ok(())
    }

    /// Gets a new token now.
    ///
    /// # Errors
    /// `InvalidInput` with what went wrong.
    pub async fn refresh_token(&self, server: ServerId) -> Result<(), Error> {
        let auth = self.server_auth(&server).await?;
        auth.tokens
            .refresh()
            .await
            .map_err(|problem| self.auth_error(&server, problem))
    }

    /// Deletes the token and tells the authorization server where that is offered.
    ///
    /// # Errors
    /// `KeyringUnavailable` when the keyring did not delete it.
    pub async fn sign_out(&self, server: ServerId) -> Result<(), Error> {
        let auth = self.server_auth(&server).await?;
        let sharing = self.sharing(&server).await;
        let signed_out = auth.tokens.sign_out().await;
        for other in sharing {
            if let Some(auth) = self.core.server_auths.get(&other) {
                auth.tokens.token_deleted().await;
            }
        }
        signed_out.map_err(|problem| self.auth_error(&server, problem))
    }

    /// Treats the token as expired, so that the next request refreshes it first.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn expire_token(&self, server: ServerId) -> Result<(), Error> {
        self.server_auth(&server).await?.tokens.expire_token().await;
        Ok(())
    }

    /// Sends the next request with a token that is wrong; false takes that back.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn send_wrong_token(&self, server: ServerId, wrong: bool) -> Result<(), Error> {
        self.server_auth(&server)
            .await?
            .tokens
            .send_wrong_token(wrong)
            .await;
        Ok(())
    }

    /// The request of a step and its answer.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn auth_exchange(&self, server: ServerId, step: u64) -> Result<AuthExchange, Error> {
        self.known_server_auth(&server)?
            .exchange(step)
            .ok_or(Error::NotFound(
                "The request of this step is no longer stored.",
            ))
    }

    /// The authentication of a server, made if need be. A running session keeps the one that it began with,
    /// as it keeps its configuration.
    async fn server_auth(&self, server: &str) -> Result<ServerAuth, Error> {
        let live = self.core.state(|state| {
            let session = state.sessions.get(server);
            session.is_some_and(|session| session.is_live())
        });
        if let Some(auth) = self.core.server_auths.get(server).filter(|_| live) {
            return Ok(auth);
        }
        let transport = self.core.server(server)?.config.transport;
        let settings = settings(&self.core, server, &transport)
            .await
            .map_err(|error| match error {
                SettingsError::NotEnabled => Error::invalid(
                    "This server does not use sign-in: authentication is off, or the settings \
                     send their own `Authorization` header.",
                ),
                SettingsError::Secret { name, error } => Error::Keyring {
                    message: format!(
                        "`{name}` cannot be read from the keyring. Edit the server and enter it again."
                    ),
                    detail: error.map(|error| error.to_string()),
                },
            })?;
        let log = self.core.log(server)?;
        Ok(self
            .core
            .server_auths
            .open(&self.core, server, &transport, settings, &log))
    }

    fn known_server_auth(&self, server: &str) -> Result<ServerAuth, Error> {
        self.core
            .server_auths
            .get(server)
            .ok_or(Error::NotFound("This server does not use sign-in."))
    }

    /// A problem of signing in as the answer to a command.
    fn auth_error(&self, server: &str, problem: Problem) -> Error {
        let mut message = problem.title;
        for more in problem.advice {
            message.push(' ');
            message.push_str(&more);
        }
        let mut detail = Some(problem.cause).filter(|cause| !cause.is_empty());
        // A server may have repeated what it was sent.
        if let Ok(log) = self.core.log(server) {
            log.hide(&mut message);
            detail.iter_mut().for_each(|text| log.hide(text));
        }
        let message = cut(&message, MESSAGE);
        let detail = detail.map(|text| cut(&text, MESSAGE));
        match problem.code {
            "sign_in_over" => Error::NoSignIn { message, detail },
            "not_deleted" => Error::Keyring { message, detail },
            _ => Error::InvalidInput { message, detail },
        }
    }
}

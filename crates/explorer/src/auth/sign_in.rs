//! Signing in and out where more than one connection is concerned.

use crate::{Error, Explorer, servers::ServerId};

impl Explorer {
    /// Starts a sign-in, or starts over one that is under way. A server that is not connected is connected instead: the
    /// connect signs in, since only the server knows which credentials it wants.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for servers that are not signed in to; those of [`Explorer::connect`].
    pub async fn sign_in(&self, server: ServerId) -> Result<(), Error> {
        match self.core.connection(&server)?.sign_in().await? {
            true => Ok(()),
            false => self.connect(server, None).await,
        }
    }

    /// Opens the address of a sign-in in the browser, after the user saw it whole.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over; `Internal` when the system refused.
    pub async fn open_sign_in(&self, server: ServerId, attempt: u64) -> Result<(), Error> {
        let url = self.core.connection(&server)?.open_prompt(attempt)?;
        self.open_external(url).await
    }

    /// Deletes the token, and revokes it if the authorization server offers that. Other servers with the same token
    /// continue without it.
    ///
    /// # Errors
    /// `KeyringUnavailable` when the keyring did not delete it.
    pub async fn sign_out(&self, server: ServerId) -> Result<(), Error> {
        let connection = self.core.connection(&server)?;
        let sharing = self.sharing(&server).await;
        let signed_out = connection.sign_out().await;
        for other in sharing {
            if let Ok(connection) = self.core.connection(&other) {
                connection.token_deleted().await;
            }
        }
        signed_out
    }
}

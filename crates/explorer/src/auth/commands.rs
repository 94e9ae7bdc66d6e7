//! The commands about signing in that concern more than a connection.

use crate::{Error, Explorer, servers::ServerId};

impl Explorer {
    /// Opens the address of a sign-in in the browser, after the user saw it whole.
    ///
    /// # Errors
    /// `NotFound` when that sign-in is over; `Internal` when the system refused.
    pub async fn open_sign_in(&self, server: ServerId, attempt: u64) -> Result<(), Error> {
        let url = self.core.connection(&server)?.open_prompt(attempt)?;
        self.open_external(url).await
    }

    /// Deletes the token and tells the authorization server where that is offered. Other servers that use the same
    /// token go without it.
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

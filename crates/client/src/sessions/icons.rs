//! The pictures of icons, fetched while their server is connected.

use std::sync::Arc;

use sonde_wire::http::Network;

use super::SessionPhase;
use crate::{
    Connection, Error,
    config::{NetworkConfig, network},
    icons::IconPicture,
};

impl Connection {
    /// Returns the picture of an icon at a URL, fetched at most once per connect.
    ///
    /// # Errors
    /// `NotFound` for a server that is gone.
    pub async fn icon_picture(
        &self,
        src: String,
        mime_type: Option<String>,
    ) -> Result<IconPicture, Error> {
        let (cache, ready) = self.core.state(|state| {
            let session = &state.session;
            let ready = session.phase == SessionPhase::Ready;
            (Arc::clone(&session.icons), ready)
        });
        let mime_type = mime_type.as_deref();
        if !ready && !cache.has(&src, mime_type) {
            return Ok(IconPicture::refused(
                "Not fetched: the server is not connected.",
            ));
        }
        let network = async |config: &NetworkConfig| self.network_of(config).await;
        Ok(cache
            .picture(&src, mime_type, network, &self.core.log)
            .await)
    }

    /// Returns the network settings of the server's other requests.
    async fn network_of(&self, config: &NetworkConfig) -> Result<Network, String> {
        let password = self.core.proxy_password(config).await;
        let missing = |_| "Not fetched: the proxy's password is missing.".to_owned();
        Ok(network::network(
            config,
            password.map_err(missing)?.as_ref(),
        ))
    }
}

//! Guarded servers in the list, for tests of the list and signing in.

use sonde_client::config::{AuthConfig, ServerConfig};
use sonde_ipc::{SecretInput, ServerId};
use sonde_tests::{
    app::App,
    auth_peer::AuthPeer,
    guarded::{Guarded, guarded},
};

/// Adds a server as a form sends it.
pub(crate) async fn add_typed(app: &App, typed: ServerConfig<SecretInput>) -> (ServerId, Guarded) {
    let id = app.add_server(typed).await.unwrap();
    let server = app.connection(&id).into();
    (id, server)
}

/// Adds the server of a peer.
pub(crate) async fn add(app: &App, peer: &AuthPeer) -> (ServerId, Guarded) {
    add_typed(app, guarded(&peer.url(), AuthConfig::default())).await
}

/// Adds the server of a peer, connects, signs in and waits for the tools.
pub(crate) async fn join(app: &App, peer: &AuthPeer) -> (ServerId, Guarded) {
    let (id, server) = add(app, peer).await;
    server.begin();
    server.authorize().await;
    server.tools().await;
    (id, server)
}

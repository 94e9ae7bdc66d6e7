//! Settings of signing in.

use std::sync::Arc;

use sonde_wire::http::Network;
use url::Url;

use crate::Secret;

/// Milliseconds since the Unix epoch.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Authentication settings of a server. Discovery fills empty fields.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server's address.
    pub server: Url,
    /// Connection settings for the server and its authorization server.
    pub network: Network,
    /// Subject of the sign-in.
    pub grant: GrantType,
    /// A client that is registered already.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: Option<Secret>,
    /// The only issuer that may see that client.
    pub issuer: Option<String>,
    /// Address of a client ID metadata document.
    pub metadata_url: Option<String>,
    /// Scopes that replace the server's, separated by spaces.
    pub scopes: Option<String>,
    /// The port on which the browser's return is awaited; `None` means a free one.
    pub redirect_port: Option<u16>,
    /// Go on although PKCE with S256 is not promised.
    pub without_pkce_promise: bool,
    /// Binding of tokens to a key.
    pub dpop: Dpop,
    /// A user can sign in. Otherwise a sign-in ends with the code `sign_in_needed`, before anybody is
    /// registered, asked or shown anything.
    pub with_user: bool,
}

impl Settings {
    /// Creates settings for a sign-in in the browser; discovery finds the rest.
    #[must_use]
    pub fn new(server: Url) -> Self {
        Self {
            server,
            network: Network::default(),
            grant: GrantType::Browser,
            client_id: None,
            client_secret: None,
            issuer: None,
            metadata_url: None,
            scopes: None,
            redirect_port: None,
            without_pkce_promise: false,
            dpop: Dpop::Automatic,
            with_user: true,
        }
    }
}

impl Settings {
    /// Returns the secrets that the user has entered.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let of_grant = match &self.grant {
            GrantType::Browser | GrantType::ClientSecret => [None, None],
            GrantType::PrivateKey { key, .. } => [Some(key), None],
            GrantType::Enterprise {
                client_secret,
                id_token,
                ..
            } => [Some(id_token), client_secret.as_ref()],
            GrantType::Workload { assertion } => [Some(assertion), None],
        };
        let of_client = self.client_secret.as_ref();
        of_grant.into_iter().chain([of_client]).flatten()
    }
}

/// Subjects of a sign-in.
#[derive(Clone, Debug)]
pub enum GrantType {
    /// The user, in the browser (authorization code).
    Browser,
    /// The client itself, with its secret (client credentials).
    ClientSecret,
    /// The client itself, with a key (client credentials, private-key JWT).
    PrivateKey {
        /// PEM.
        key: Secret,
        /// A name of RFC 7518; `None` means the algorithm of the key.
        algorithm: Option<String>,
        /// `aud` of the assertion; `None` means the issuer.
        audience: Option<String>,
    },
    /// The user, by way of an identity provider (enterprise-managed authorization).
    Enterprise {
        /// Identity provider token endpoint.
        token_endpoint: String,
        /// The client that it knows.
        client_id: String,
        /// Its secret.
        client_secret: Option<Secret>,
        /// The user's ID token.
        id_token: Secret,
    },
    /// A workload with an assertion of its platform (JWT bearer).
    Workload {
        /// The assertion.
        assertion: Secret,
    },
}

impl GrantType {
    /// Returns a name that separates tokens of different grants.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            GrantType::Browser => "browser",
            GrantType::ClientSecret | GrantType::PrivateKey { .. } => "client",
            GrantType::Enterprise { .. } => "enterprise",
            GrantType::Workload { .. } => "workload",
        }
    }
}

/// Policies for binding tokens to a key (RFC 9449).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "DpopMode")]
pub enum Dpop {
    /// Only if the server asks for it.
    #[default]
    Automatic,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Kinds of clients, by the way in which the authorization server knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// Registered beforehand, by the user.
    Preregistered,
    /// Known by the document at its address.
    MetadataDocument,
    /// Registered by this app.
    Registered,
}

//! Settings of signing in.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sonde_wire::http::Network;
use ts_rs::TS;
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
    /// Options for signing in.
    pub sign_in: SignInConfig<Secret>,
    /// A user is present to sign in. Otherwise a sign-in ends with the code `sign_in_needed`, before registering a
    /// client or showing anything.
    pub with_user: bool,
}

impl Settings {
    /// Creates settings for a sign-in in the browser; discovery finds the rest.
    #[must_use]
    pub fn new(server: Url) -> Self {
        Self {
            server,
            network: Network::default(),
            sign_in: SignInConfig::default(),
            with_user: true,
        }
    }
}

impl Settings {
    /// Returns the secrets that the user has entered.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let of_grant = match &self.sign_in.grant {
            GrantConfig::Browser | GrantConfig::ClientSecret => [None, None],
            GrantConfig::PrivateKey { key, .. } => [Some(key), None],
            GrantConfig::Enterprise {
                idp_client_secret,
                id_token,
                ..
            } => [Some(id_token), idp_client_secret.as_ref()],
            GrantConfig::Workload { assertion } => [Some(assertion), None],
        };
        let of_client = self.sign_in.client_secret.as_ref();
        of_grant.into_iter().chain([of_client]).flatten()
    }
}

/// A secret as the window sends it. Values never return to the window.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SecretInput {
    /// Keep the value in the keyring.
    Keep,
    /// Store this value in the keyring.
    Set {
        /// The secret.
        value: String,
    },
}

impl std::fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Keep => "Keep",
            Self::Set { .. } => "Set(…)",
        })
    }
}

/// Options for signing in. Options that are `None` are discovered or chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(concrete(S = SecretInput))]
pub struct SignInConfig<S> {
    /// Party that signs in, and its credentials.
    pub grant: GrantConfig<S>,
    /// Id of a client that is already registered with the authorization server.
    pub client_id: Option<String>,
    /// Secret of that client, if it has one.
    pub client_secret: Option<S>,
    /// The only authorization server that may see that client; `None` means the one where the user first signs in or
    /// that the user first confirms.
    pub issuer: Option<String>,
    /// The https address of a client ID metadata document, used where the authorization server accepts one.
    pub metadata_url: Option<String>,
    /// Scopes to request instead of those that the server names, separated by spaces.
    pub scopes: Option<String>,
    /// The port of 127.0.0.1 to which the browser returns; `None` means a free one.
    pub redirect_port: Option<u16>,
    /// Sign in although the authorization server does not advertise PKCE with S256. Insecure.
    pub without_pkce_promise: bool,
    /// Bind tokens to a key of this computer (DPoP).
    pub dpop: Dpop,
}

impl<S> SignInConfig<S> {
    /// Replaces each secret; `map` gets the name under which it is stored.
    pub fn map_secrets<T>(self, map: &mut impl FnMut(&'static str, S) -> T) -> SignInConfig<T> {
        let client_secret = self
            .client_secret
            .map(|secret| map(slots::CLIENT_SECRET, secret));
        let grant = match self.grant {
            GrantConfig::Browser => GrantConfig::Browser,
            GrantConfig::ClientSecret => GrantConfig::ClientSecret,
            GrantConfig::PrivateKey {
                key,
                algorithm,
                audience,
            } => GrantConfig::PrivateKey {
                key: map(slots::PRIVATE_KEY, key),
                algorithm,
                audience,
            },
            GrantConfig::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
                id_token,
            } => GrantConfig::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret: idp_client_secret
                    .map(|secret| map(slots::IDP_CLIENT_SECRET, secret)),
                id_token: map(slots::ID_TOKEN, id_token),
            },
            GrantConfig::Workload { assertion } => GrantConfig::Workload {
                assertion: map(slots::ASSERTION, assertion),
            },
        };
        SignInConfig {
            grant,
            client_id: self.client_id,
            client_secret,
            issuer: self.issuer,
            metadata_url: self.metadata_url,
            scopes: self.scopes,
            redirect_port: self.redirect_port,
            without_pkce_promise: self.without_pkce_promise,
            dpop: self.dpop,
        }
    }
}

impl<S> Default for SignInConfig<S> {
    fn default() -> Self {
        Self {
            grant: GrantConfig::Browser,
            client_id: None,
            client_secret: None,
            issuer: None,
            metadata_url: None,
            scopes: None,
            redirect_port: None,
            without_pkce_promise: false,
            dpop: Dpop::Automatic,
        }
    }
}

/// Parties that sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(concrete(S = SecretInput))]
pub enum GrantConfig<S> {
    /// The user, in the browser.
    Browser,
    /// The client itself, with its id and secret.
    ClientSecret,
    /// The client itself, with its id and a private key.
    PrivateKey {
        /// PEM, PKCS #8.
        key: S,
        /// `ES256`, `ES384`, `RS256`, `PS256` or `EdDSA`; `None` means the usual one for the key.
        algorithm: Option<String>,
        /// `aud` of the assertion; `None` means the issuer.
        audience: Option<String>,
    },
    /// The user, through the company's identity provider (enterprise-managed authorization).
    Enterprise {
        /// The token endpoint of the identity provider.
        idp_token_endpoint: String,
        /// The client that the identity provider knows.
        idp_client_id: String,
        /// Secret of that client, if it has one.
        idp_client_secret: Option<S>,
        /// The user's ID token.
        id_token: S,
    },
    /// A workload, with an assertion of its platform (workload identity federation).
    Workload {
        /// The assertion, a JWT.
        assertion: S,
    },
}

/// Names under which the secrets of signing in are stored.
pub mod slots {
    pub const CLIENT_SECRET: &str = "auth:client_secret";
    pub const PRIVATE_KEY: &str = "auth:private_key";
    pub const IDP_CLIENT_SECRET: &str = "auth:idp_client_secret";
    pub const ID_TOKEN: &str = "auth:id_token";
    pub const ASSERTION: &str = "auth:assertion";
}

impl<S> GrantConfig<S> {
    /// Returns a name that separates tokens of different grants.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            GrantConfig::Browser => "browser",
            GrantConfig::ClientSecret | GrantConfig::PrivateKey { .. } => "client",
            GrantConfig::Enterprise { .. } => "enterprise",
            GrantConfig::Workload { .. } => "workload",
        }
    }
}

/// Policies for binding tokens to a key (RFC 9449).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// Registered beforehand, by the user.
    Preregistered,
    /// Known by the document at its address.
    MetadataDocument,
    /// Registered by this app.
    Registered,
}

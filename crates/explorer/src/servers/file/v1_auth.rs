//! Sign-in to a server, in version 1 of an entry of the file.

use serde::{Deserialize, Serialize};

use crate::{files::same_variants, servers::config};

/// Ways to sign in.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Auth {
    SignIn {
        #[serde(default)]
        options: Box<SignIn>,
    },
    Token {
        token: SecretMark,
    },
    Off,
}

impl Default for Auth {
    fn default() -> Self {
        Self::SignIn {
            options: Box::default(),
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SignIn {
    grant: Grant,
    client_id: Option<String>,
    client_secret: Option<SecretMark>,
    issuer: Option<String>,
    metadata_url: Option<String>,
    scopes: Option<String>,
    redirect_port: Option<u16>,
    without_pkce_promise: bool,
    dpop: Dpop,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Grant {
    #[default]
    Browser,
    ClientSecret,
    PrivateKey {
        key: SecretMark,
        algorithm: Option<String>,
        audience: Option<String>,
    },
    Enterprise {
        idp_token_endpoint: String,
        idp_client_id: String,
        idp_client_secret: Option<SecretMark>,
        id_token: SecretMark,
    },
    Workload {
        assertion: SecretMark,
    },
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Dpop {
    #[default]
    Automatic,
    Always,
    Never,
}

/// Stands where a secret belongs. The secret itself is in the keyring.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum SecretMark {
    Keep,
}

same_variants!(Dpop, config::DpopMode: Automatic, Always, Never);

impl From<Auth> for config::AuthConfig {
    fn from(auth: Auth) -> Self {
        let options = match auth {
            Auth::Off => return Self::Off,
            Auth::Token {
                token: SecretMark::Keep,
            } => return Self::Token,
            Auth::SignIn { options } => *options,
        };
        Self::SignIn(Box::new(config::SignInConfig {
            grant: match options.grant {
                Grant::Browser => config::GrantConfig::Browser,
                Grant::ClientSecret => config::GrantConfig::ClientSecret,
                Grant::PrivateKey {
                    key: SecretMark::Keep,
                    algorithm,
                    audience,
                } => config::GrantConfig::PrivateKey {
                    algorithm,
                    audience,
                },
                Grant::Enterprise {
                    idp_token_endpoint,
                    idp_client_id,
                    idp_client_secret,
                    id_token: SecretMark::Keep,
                } => config::GrantConfig::Enterprise {
                    idp_token_endpoint,
                    idp_client_id,
                    idp_client_secret: idp_client_secret.is_some(),
                },
                Grant::Workload {
                    assertion: SecretMark::Keep,
                } => config::GrantConfig::Workload,
            },
            client_id: options.client_id,
            client_secret: options.client_secret.is_some(),
            issuer: options.issuer,
            metadata_url: options.metadata_url,
            scopes: options.scopes,
            redirect_port: options.redirect_port,
            without_pkce_promise: options.without_pkce_promise,
            dpop: options.dpop.into(),
        }))
    }
}

impl From<config::AuthConfig> for Auth {
    fn from(auth: config::AuthConfig) -> Self {
        let mark = |there: bool| there.then_some(SecretMark::Keep);
        let options = match auth {
            config::AuthConfig::Off => return Self::Off,
            config::AuthConfig::Token => {
                return Self::Token {
                    token: SecretMark::Keep,
                };
            }
            config::AuthConfig::SignIn(options) => *options,
        };
        let grant = match options.grant {
            config::GrantConfig::Browser => Grant::Browser,
            config::GrantConfig::ClientSecret => Grant::ClientSecret,
            config::GrantConfig::PrivateKey {
                algorithm,
                audience,
            } => Grant::PrivateKey {
                key: SecretMark::Keep,
                algorithm,
                audience,
            },
            config::GrantConfig::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
            } => Grant::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret: mark(idp_client_secret),
                id_token: SecretMark::Keep,
            },
            config::GrantConfig::Workload => Grant::Workload {
                assertion: SecretMark::Keep,
            },
        };
        Self::SignIn {
            options: Box::new(SignIn {
                grant,
                client_id: options.client_id,
                client_secret: mark(options.client_secret),
                issuer: options.issuer,
                metadata_url: options.metadata_url,
                scopes: options.scopes,
                redirect_port: options.redirect_port,
                without_pkce_promise: options.without_pkce_promise,
                dpop: options.dpop.into(),
            }),
        }
    }
}

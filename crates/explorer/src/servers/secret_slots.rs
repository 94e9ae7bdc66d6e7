//! The names under which the secrets of a configuration are stored.

use super::config::{AuthConfig, ConfigValue, GrantConfig, NamedValue, Transport};

/// The secret of an environment variable.
pub(crate) fn env_secret(name: &str) -> String {
    format!("env:{name}")
}

/// The secret of a header.
pub(crate) fn header_secret(name: &str) -> String {
    format!("header:{name}")
}

/// Secrets of signing in.
pub(crate) mod auth {
    pub(crate) const TOKEN: &str = "auth:token";
    pub(crate) const CLIENT_SECRET: &str = "auth:client_secret";
    pub(crate) const PRIVATE_KEY: &str = "auth:private_key";
    pub(crate) const IDP_CLIENT_SECRET: &str = "auth:idp_client_secret";
    pub(crate) const ID_TOKEN: &str = "auth:id_token";
    pub(crate) const ASSERTION: &str = "auth:assertion";
}

/// The secrets of a transport by the name under which they are stored.
pub(crate) fn secret_names(transport: &Transport) -> Vec<String> {
    let secret = |value: &&NamedValue| value.value == ConfigValue::Secret;
    match transport {
        Transport::Stdio { env, .. } => env
            .iter()
            .filter(secret)
            .map(|var| env_secret(&var.name))
            .collect(),
        Transport::Http { headers, auth, .. } => headers
            .iter()
            .filter(secret)
            .map(|header| header_secret(&header.name))
            .chain(auth_names(auth).into_iter().map(str::to_owned))
            .collect(),
        Transport::Demo { .. } => Vec::new(),
    }
}

fn auth_names(config: &AuthConfig) -> Vec<&'static str> {
    let options = match config {
        AuthConfig::Off => return Vec::new(),
        AuthConfig::Token => return vec![auth::TOKEN],
        AuthConfig::SignIn(options) => options,
    };
    let mut names = Vec::new();
    if options.client_secret {
        names.push(auth::CLIENT_SECRET);
    }
    match &options.grant {
        GrantConfig::Browser | GrantConfig::ClientSecret => {}
        GrantConfig::PrivateKey { .. } => names.push(auth::PRIVATE_KEY),
        GrantConfig::Enterprise {
            idp_client_secret, ..
        } => {
            if *idp_client_secret {
                names.push(auth::IDP_CLIENT_SECRET);
            }
            names.push(auth::ID_TOKEN);
        }
        GrantConfig::Workload => names.push(auth::ASSERTION),
    }
    names
}

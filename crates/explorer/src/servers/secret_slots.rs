//! The secrets of a configuration: the names under which they are stored, and how they come in.

use sonde_auth::Secret;

use super::config::{AuthConfig, ConfigValue, GrantConfig, NamedValue, ServerConfig, Transport};

/// Secrets as they are handed in, each under the name by which it is stored. `None` keeps what is
/// stored.
pub type SecretInputs = Vec<(String, Option<Secret>)>;

/// Input for a server: its configuration, and the secrets that belong into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInput {
    pub config: ServerConfig,
    pub secrets: SecretInputs,
}

/// The secret of an environment variable.
pub fn env_secret(name: &str) -> String {
    format!("env:{name}")
}

/// The secret of a header.
pub fn header_secret(name: &str) -> String {
    format!("header:{name}")
}

/// The secret of an argument, by the name in its placeholder ([`arg_place`]).
pub fn arg_secret(name: &str) -> String {
    format!("arg:{name}")
}

/// Returns the placeholder of a secret in an argument: `${secret:NAME}`. It is filled in when the command is started.
pub fn arg_place(name: &str) -> String {
    format!("{ARG_BEGIN}{name}}}")
}

const ARG_BEGIN: &str = "${secret:";

/// Returns the names of the secrets whose placeholders are in an argument.
pub fn secrets_in(arg: &str) -> impl Iterator<Item = &str> {
    let places = arg.match_indices(ARG_BEGIN);
    places.filter_map(move |(at, begin)| {
        arg[at + begin.len()..]
            .split_once('}')
            .map(|(name, _)| name)
    })
}

/// Secrets of the way to an address.
pub mod proxy {
    /// The password of its user.
    pub const PASSWORD: &str = "proxy:password";
}

/// Secrets of signing in.
pub mod auth {
    pub const TOKEN: &str = "auth:token";
    pub const CLIENT_SECRET: &str = "auth:client_secret";
    pub const PRIVATE_KEY: &str = "auth:private_key";
    pub const IDP_CLIENT_SECRET: &str = "auth:idp_client_secret";
    pub const ID_TOKEN: &str = "auth:id_token";
    pub const ASSERTION: &str = "auth:assertion";
}

/// Returns true for the name of a sign-in secret.
pub(crate) fn signs_in(name: &str) -> bool {
    name.starts_with("auth:")
}

/// The secrets of a transport by the name under which they are stored.
pub fn secret_names(transport: &Transport) -> Vec<String> {
    let secret = |value: &&NamedValue| value.value == ConfigValue::Secret;
    match transport {
        Transport::Stdio { args, env, .. } => {
            let mut names: Vec<_> = env
                .iter()
                .filter(secret)
                .map(|var| env_secret(&var.name))
                .collect();
            for name in args.iter().flat_map(|arg| secrets_in(arg)) {
                let name = arg_secret(name);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        }
        Transport::Http {
            headers,
            network,
            auth,
            ..
        } => headers
            .iter()
            .filter(secret)
            .map(|header| header_secret(&header.name))
            .chain(
                (network.proxy)
                    .has_password()
                    .then(|| proxy::PASSWORD.to_owned()),
            )
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

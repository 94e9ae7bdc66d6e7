//! A configuration together with its secrets, as a form hands it in.

use sonde_auth::{Secret, SecretInput};

use super::{
    secret_slots::{SecretInputs, arg_secret, secrets_in},
    server_config::{InKeyring, ServerConfig, Transport},
};

/// Input for a server: its configuration, and the secrets that belong into it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub struct ServerInput {
    pub config: ServerConfig,
    pub secrets: SecretInputs,
}

/// Separates the configuration from the secrets that were typed into it.
impl From<ServerConfig<SecretInput>> for ServerInput {
    fn from(typed: ServerConfig<SecretInput>) -> Self {
        let mut secrets = arg_secrets(&typed.transport)
            .into_iter()
            .map(|name| (name, None))
            .collect::<SecretInputs>();
        let config = typed.map_secrets(&mut |name, input| {
            let secret = match input {
                SecretInput::Keep => None,
                SecretInput::Set { value } => Some(Secret::new(value)),
            };
            secrets.push((name, secret));
            InKeyring::Keep
        });
        Self { config, secrets }
    }
}

/// A configuration as a form begins with it: every secret is kept.
impl From<ServerConfig> for ServerConfig<SecretInput> {
    fn from(config: ServerConfig) -> Self {
        config.map_secrets(&mut |_, InKeyring::Keep| SecretInput::Keep)
    }
}

/// The secrets of a transport by the name under which they are stored.
pub fn secret_names(transport: &Transport) -> Vec<String> {
    let mut names = arg_secrets(transport);
    let _ = transport.clone().map_secrets(&mut |name, secret| {
        names.push(name);
        secret
    });
    names
}

/// The secrets whose placeholders are in the arguments of a command, each once.
fn arg_secrets<S>(transport: &Transport<S>) -> Vec<String> {
    let Transport::Stdio { args, .. } = transport else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for name in args.iter().flat_map(|arg| secrets_in(arg)).map(arg_secret) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{
        AuthConfig, ConfigValue, GrantConfig, HttpKind, NamedValue, NetworkConfig, ProxyConfig,
        SignInConfig,
        secret_slots::{auth, proxy},
    };

    fn set(value: &str) -> SecretInput {
        SecretInput::Set {
            value: value.to_owned(),
        }
    }

    fn signing_in(options: SignInConfig<SecretInput>) -> ServerConfig<SecretInput> {
        let bare: ServerConfig = ServerConfig::new("x", Transport::Demo { http: false });
        ServerConfig {
            transport: Transport::Http {
                url: "https://example.org/mcp".to_owned(),
                headers: vec![NamedValue {
                    name: "X-Key".to_owned(),
                    value: ConfigValue::Secret(SecretInput::Keep),
                }],
                kind: HttpKind::Sse,
                network: NetworkConfig {
                    proxy: ProxyConfig::At {
                        url: "http://proxy:1".to_owned(),
                        user: Some("me".to_owned()),
                        password: Some(SecretInput::Keep),
                    },
                    connect_seconds: Some(3),
                    ..NetworkConfig::default()
                },
                auth: AuthConfig::SignIn {
                    options: Box::new(options),
                },
            },
            ..bare.into()
        }
    }

    #[test]
    fn every_secret_of_signing_in_has_a_place_of_its_own() {
        let typed = signing_in(SignInConfig {
            client_secret: Some(set("a")),
            grant: GrantConfig::Enterprise {
                idp_token_endpoint: "https://idp.example/token".to_owned(),
                idp_client_id: "me".to_owned(),
                idp_client_secret: None,
                id_token: set("b"),
            },
            ..SignInConfig::default()
        });
        let ServerInput { config, secrets } = typed.into();
        assert_eq!(
            secrets,
            [
                ("header:X-Key".to_owned(), None),
                (proxy::PASSWORD.to_owned(), None),
                (auth::CLIENT_SECRET.to_owned(), Some(Secret::new("a"))),
                (auth::ID_TOKEN.to_owned(), Some(Secret::new("b"))),
            ]
        );
        let names = secrets.into_iter().map(|(name, _)| name);
        assert_eq!(secret_names(&config.transport), names.collect::<Vec<_>>());
    }

    #[test]
    fn the_form_gets_back_what_it_handed_in_but_no_secrets() {
        for (grant, kept) in [
            (
                GrantConfig::PrivateKey {
                    key: set("hush"),
                    algorithm: Some("ES256".to_owned()),
                    audience: None,
                },
                GrantConfig::PrivateKey {
                    key: SecretInput::Keep,
                    algorithm: Some("ES256".to_owned()),
                    audience: None,
                },
            ),
            (
                GrantConfig::Workload {
                    assertion: set("hush"),
                },
                GrantConfig::Workload {
                    assertion: SecretInput::Keep,
                },
            ),
            (GrantConfig::ClientSecret, GrantConfig::ClientSecret),
        ] {
            let options = |grant, secret| SignInConfig {
                grant,
                client_id: Some("me".to_owned()),
                client_secret: Some(secret),
                redirect_port: Some(1024),
                ..SignInConfig::default()
            };
            let input = ServerInput::from(signing_in(options(grant, set("hush"))));
            let shown = serde_json::to_value(&input.config).unwrap();
            assert!(!shown.to_string().contains("hush"));
            let again: ServerConfig<SecretInput> = serde_json::from_value(shown).unwrap();
            assert_eq!(again, signing_in(options(kept, SecretInput::Keep)));
        }
    }
}

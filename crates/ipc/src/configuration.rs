//! From what the form hands in to a configuration and its secrets, and back to what the form shows.

use sonde_auth::Secret;
use sonde_explorer::servers::{
    self as config, ConfigValue, NamedValue, SecretInputs, ServerConfig, ServerInput, arg_secret,
    env_secret, header_secret, secret_slots, secrets_in,
};

use super::{
    auth::{AuthDraft, GrantDraft, SignInDraft},
    network::{NetworkDraft, ProxyDraft},
    secret::{SecretInput, ValueView},
    server::{EnvVar, HeaderEntry, ServerDraft, TransportDraft},
};

/// Separates the configuration from the secrets.
impl From<ServerDraft> for ServerInput {
    fn from(draft: ServerDraft) -> Self {
        let mut secrets = SecretInputs::new();
        let config = ServerConfig {
            name: draft.name,
            transport: transport(draft.transport, &mut secrets),
            idle_seconds: draft.idle_seconds,
            hard_seconds: draft.hard_seconds,
            protocol: draft.era,
            stream_attempts: draft.stream_attempts,
            roots: draft.roots,
            request_rules: draft.request_rules,
            declaration: draft.declaration,
        };
        Self { config, secrets }
    }
}

fn transport(draft: TransportDraft, secrets: &mut SecretInputs) -> config::Transport {
    match draft {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            // What stands in an argument for a secret keeps it.
            for name in args.iter().flat_map(|arg| secrets_in(arg)).map(arg_secret) {
                if !secrets.iter().any(|(other, _)| *other == name) {
                    secrets.push((name, None));
                }
            }
            config::Transport::Stdio {
                command,
                args,
                env: env
                    .into_iter()
                    .map(|EnvVar { name, value }| named(name, value, env_secret, secrets))
                    .collect(),
                cwd,
            }
        }
        TransportDraft::Http {
            url,
            headers,
            kind,
            network,
            auth,
        } => config::Transport::Http {
            url,
            headers: headers
                .into_iter()
                .map(|HeaderEntry { name, value }| named(name, value, header_secret, secrets))
                .collect(),
            kind,
            network: network_config(network, secrets),
            auth: match auth {
                AuthDraft::Off => config::AuthConfig::Off,
                AuthDraft::Token { token } => {
                    hand_in(secret_slots::auth::TOKEN.to_owned(), token, secrets);
                    config::AuthConfig::Token
                }
                AuthDraft::SignIn { options } => {
                    config::AuthConfig::SignIn(Box::new(sign_in(*options, secrets)))
                }
            },
        },
        TransportDraft::Demo { http } => config::Transport::Demo { http },
    }
}

fn network_config(draft: NetworkDraft, secrets: &mut SecretInputs) -> config::NetworkConfig {
    config::NetworkConfig {
        proxy: match draft.proxy {
            ProxyDraft::System => config::ProxyConfig::System,
            ProxyDraft::Direct => config::ProxyConfig::Direct,
            ProxyDraft::At {
                url,
                user,
                password,
            } => config::ProxyConfig::At {
                url,
                user,
                password: password
                    .map(|input| hand_in(secret_slots::proxy::PASSWORD.to_owned(), input, secrets))
                    .is_some(),
            },
        },
        ca_file: draft.ca_file,
        client_certificate: draft.client_certificate,
        accept_any_certificate: draft.accept_any_certificate,
        connect_seconds: draft.connect_seconds,
        idle_seconds: draft.idle_seconds,
    }
}

fn named(
    name: String,
    value: ValueView,
    stored_as: fn(&str) -> String,
    secrets: &mut SecretInputs,
) -> NamedValue {
    let value = match value {
        ValueView::Plain { value } => ConfigValue::Plain(value),
        ValueView::Secret { input } => {
            hand_in(stored_as(&name), input, secrets);
            ConfigValue::Secret
        }
    };
    NamedValue { name, value }
}

fn sign_in(draft: SignInDraft, secrets: &mut SecretInputs) -> config::SignInConfig {
    let mut input = |name: &str, input| hand_in(name.to_owned(), input, secrets);
    config::SignInConfig {
        client_secret: draft
            .client_secret
            .map(|secret| input(secret_slots::auth::CLIENT_SECRET, secret))
            .is_some(),
        grant: match draft.grant {
            GrantDraft::Browser => config::GrantConfig::Browser,
            GrantDraft::ClientSecret => config::GrantConfig::ClientSecret,
            GrantDraft::PrivateKey {
                key,
                algorithm,
                audience,
            } => {
                input(secret_slots::auth::PRIVATE_KEY, key);
                config::GrantConfig::PrivateKey {
                    algorithm,
                    audience,
                }
            }
            GrantDraft::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
                id_token,
            } => {
                let idp_client_secret = idp_client_secret
                    .map(|secret| input(secret_slots::auth::IDP_CLIENT_SECRET, secret))
                    .is_some();
                input(secret_slots::auth::ID_TOKEN, id_token);
                config::GrantConfig::Enterprise {
                    idp_token_endpoint,
                    idp_client_id,
                    idp_client_secret,
                }
            }
            GrantDraft::Workload { assertion } => {
                input(secret_slots::auth::ASSERTION, assertion);
                config::GrantConfig::Workload
            }
        },
        client_id: draft.client_id,
        issuer: draft.issuer,
        metadata_url: draft.metadata_url,
        scopes: draft.scopes,
        redirect_port: draft.redirect_port,
        without_pkce_promise: draft.without_pkce_promise,
        dpop: draft.dpop,
    }
}

fn hand_in(name: String, input: SecretInput, secrets: &mut SecretInputs) {
    let secret = match input {
        SecretInput::Keep => None,
        SecretInput::Set { value } => Some(Secret::new(value)),
    };
    secrets.push((name, secret));
}

/// Configuration as the form shows it: a secret is [`SecretInput::Keep`], so it keeps its stored value.
impl From<ServerConfig> for ServerDraft {
    fn from(config: ServerConfig) -> Self {
        Self {
            name: config.name,
            transport: config.transport.into(),
            idle_seconds: config.idle_seconds,
            hard_seconds: config.hard_seconds,
            era: config.protocol,
            stream_attempts: config.stream_attempts,
            roots: config.roots,
            request_rules: config.request_rules,
            declaration: config.declaration,
        }
    }
}

impl From<config::Transport> for TransportDraft {
    fn from(transport: config::Transport) -> Self {
        match transport {
            config::Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => Self::Stdio {
                command,
                args,
                env: env.into_iter().map(EnvVar::from).collect(),
                cwd,
            },
            config::Transport::Http {
                url,
                headers,
                kind,
                network,
                auth,
            } => Self::Http {
                url,
                headers: headers
                    .into_iter()
                    .map(|NamedValue { name, value }| HeaderEntry {
                        name,
                        value: value.into(),
                    })
                    .collect(),
                kind,
                network: network.into(),
                auth: auth.into(),
            },
            config::Transport::Demo { http } => Self::Demo { http },
        }
    }
}

impl From<config::NetworkConfig> for NetworkDraft {
    fn from(config: config::NetworkConfig) -> Self {
        Self {
            proxy: match config.proxy {
                config::ProxyConfig::System => ProxyDraft::System,
                config::ProxyConfig::Direct => ProxyDraft::Direct,
                config::ProxyConfig::At {
                    url,
                    user,
                    password,
                } => ProxyDraft::At {
                    url,
                    user,
                    password: password.then_some(SecretInput::Keep),
                },
            },
            ca_file: config.ca_file,
            client_certificate: config.client_certificate,
            accept_any_certificate: config.accept_any_certificate,
            connect_seconds: config.connect_seconds,
            idle_seconds: config.idle_seconds,
        }
    }
}

impl From<NamedValue> for EnvVar {
    fn from(NamedValue { name, value }: NamedValue) -> Self {
        Self {
            name,
            value: value.into(),
        }
    }
}

impl From<ConfigValue> for ValueView {
    fn from(value: ConfigValue) -> Self {
        match value {
            ConfigValue::Plain(value) => Self::Plain { value },
            ConfigValue::Secret => Self::Secret {
                input: SecretInput::Keep,
            },
        }
    }
}

impl From<config::AuthConfig> for AuthDraft {
    fn from(auth: config::AuthConfig) -> Self {
        let keep = |there: bool| there.then_some(SecretInput::Keep);
        let options = match auth {
            config::AuthConfig::Off => return Self::Off,
            config::AuthConfig::Token => {
                return Self::Token {
                    token: SecretInput::Keep,
                };
            }
            config::AuthConfig::SignIn(options) => *options,
        };
        let grant = match options.grant {
            config::GrantConfig::Browser => GrantDraft::Browser,
            config::GrantConfig::ClientSecret => GrantDraft::ClientSecret,
            config::GrantConfig::PrivateKey {
                algorithm,
                audience,
            } => GrantDraft::PrivateKey {
                key: SecretInput::Keep,
                algorithm,
                audience,
            },
            config::GrantConfig::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret,
            } => GrantDraft::Enterprise {
                idp_token_endpoint,
                idp_client_id,
                idp_client_secret: keep(idp_client_secret),
                id_token: SecretInput::Keep,
            },
            config::GrantConfig::Workload => GrantDraft::Workload {
                assertion: SecretInput::Keep,
            },
        };
        Self::SignIn {
            options: Box::new(SignInDraft {
                grant,
                client_id: options.client_id,
                client_secret: keep(options.client_secret),
                issuer: options.issuer,
                metadata_url: options.metadata_url,
                scopes: options.scopes,
                redirect_port: options.redirect_port,
                without_pkce_promise: options.without_pkce_promise,
                dpop: options.dpop,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use sonde_explorer::servers::{
        Declaration, DpopMode, HttpKind, ProtocolMode, RequestRules, RootFolder, RootsRule,
        secret_slots::{auth, proxy, secret_names},
    };

    use super::*;

    fn set(value: &str) -> SecretInput {
        SecretInput::Set {
            value: value.to_owned(),
        }
    }

    fn signing_in(options: SignInDraft) -> ServerDraft {
        ServerDraft {
            name: "x".to_owned(),
            transport: TransportDraft::Http {
                url: "https://example.org/mcp".to_owned(),
                headers: vec![HeaderEntry {
                    name: "X-Key".to_owned(),
                    value: ValueView::Secret {
                        input: SecretInput::Keep,
                    },
                }],
                kind: HttpKind::Sse,
                network: NetworkDraft {
                    proxy: ProxyDraft::At {
                        url: "http://proxy:1".to_owned(),
                        user: Some("me".to_owned()),
                        password: Some(SecretInput::Keep),
                    },
                    connect_seconds: Some(3),
                    ..NetworkDraft::default()
                },
                auth: AuthDraft::SignIn {
                    options: Box::new(options),
                },
            },
            idle_seconds: Some(1),
            hard_seconds: None,
            era: ProtocolMode::Stateless,
            stream_attempts: Some(2),
            roots: vec![RootFolder {
                folder: "/work".to_owned(),
                name: None,
            }],
            request_rules: RequestRules {
                roots: RootsRule {
                    refuse: true,
                    delay_seconds: 2,
                },
                ..RequestRules::default()
            },
            declaration: Declaration {
                name: Some("x".to_owned()),
                sampling: None,
                ..Declaration::default()
            },
        }
    }

    #[test]
    fn every_secret_of_signing_in_has_a_place_of_its_own() {
        let draft = signing_in(SignInDraft {
            client_secret: Some(set("a")),
            grant: GrantDraft::Enterprise {
                idp_token_endpoint: "https://idp.example/token".to_owned(),
                idp_client_id: "me".to_owned(),
                idp_client_secret: None,
                id_token: set("b"),
            },
            ..SignInDraft::default()
        });
        let ServerInput { config, secrets } = draft.into();
        assert_eq!(
            secrets,
            [
                ("header:X-Key".to_owned(), None),
                (proxy::PASSWORD.to_owned(), None),
                (auth::CLIENT_SECRET.to_owned(), Some(Secret::new("a"))),
                (auth::ID_TOKEN.to_owned(), Some(Secret::new("b"))),
            ]
        );
        assert_eq!(
            secret_names(&config.transport),
            [
                "header:X-Key",
                proxy::PASSWORD,
                auth::CLIENT_SECRET,
                auth::ID_TOKEN
            ]
        );
    }

    #[test]
    fn the_form_gets_back_what_it_handed_in_but_no_secrets() {
        for (grant, kept) in [
            (
                GrantDraft::PrivateKey {
                    key: set("hush"),
                    algorithm: Some("ES256".to_owned()),
                    audience: None,
                },
                GrantDraft::PrivateKey {
                    key: SecretInput::Keep,
                    algorithm: Some("ES256".to_owned()),
                    audience: None,
                },
            ),
            (
                GrantDraft::Workload {
                    assertion: set("hush"),
                },
                GrantDraft::Workload {
                    assertion: SecretInput::Keep,
                },
            ),
            (GrantDraft::ClientSecret, GrantDraft::ClientSecret),
        ] {
            let options = |grant, secret| SignInDraft {
                grant,
                client_id: Some("me".to_owned()),
                client_secret: Some(secret),
                redirect_port: Some(1024),
                dpop: DpopMode::Never,
                ..SignInDraft::default()
            };
            let input = ServerInput::from(signing_in(options(grant, set("hush"))));
            let shown = ServerDraft::from(input.config);
            assert_eq!(shown, signing_in(options(kept, SecretInput::Keep)));
        }
    }
}

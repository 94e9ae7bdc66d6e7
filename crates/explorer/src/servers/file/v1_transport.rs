//! Transport to a server, in version 1 of an entry of the file.

use serde::{Deserialize, Serialize};
use sonde_auth::Secret;

use super::{
    v1_absent::or_default,
    v1_auth::{Auth, SecretMark},
};
use crate::{
    files::same_variants,
    servers::{config, network::take_login},
};

/// Transports to a server.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Transport {
    Stdio {
        command: String,
        #[serde(default, deserialize_with = "or_default")]
        args: Vec<String>,
        #[serde(default)]
        cwd: Option<String>,
        #[serde(default, deserialize_with = "or_default")]
        env: Vec<NamedValue>,
    },
    Http {
        url: String,
        #[serde(default, deserialize_with = "or_default")]
        kind: HttpKind,
        #[serde(default, deserialize_with = "or_default")]
        network: Network,
        #[serde(default, deserialize_with = "or_default")]
        auth: Auth,
        #[serde(default, deserialize_with = "or_default")]
        headers: Vec<NamedValue>,
    },
    Demo {
        #[serde(default, deserialize_with = "or_default")]
        http: bool,
    },
}

/// Has a value, or is a secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "WrittenValue", into = "WrittenValue")]
pub(super) struct NamedValue(config::NamedValue);

#[derive(Serialize, Deserialize)]
struct WrittenValue {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HttpKind {
    #[default]
    Automatic,
    Streamable,
    Sse,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Network {
    proxy: Proxy,
    ca_file: Option<String>,
    client_certificate: Option<CertificateFiles>,
    accept_any_certificate: bool,
    connect_seconds: Option<u32>,
    idle_seconds: Option<u32>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Proxy {
    #[default]
    System,
    Direct,
    At {
        /// In files of the first days, with who asks it.
        url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        password: Option<SecretMark>,
    },
}

#[derive(Serialize, Deserialize)]
struct CertificateFiles {
    certificate: String,
    key: String,
}

same_variants!(HttpKind, config::HttpKind: Automatic, Streamable, Sse);

impl Transport {
    fn proxy(&mut self) -> Option<&mut Proxy> {
        match self {
            Self::Http { network, .. } => Some(&mut network.proxy),
            _ => None,
        }
    }

    /// Takes user name and password out of the proxy's address. Returns the password, and the address
    /// with it.
    pub(super) fn take_password(&mut self) -> Option<(Secret, Secret)> {
        let Some(Proxy::At {
            url,
            user,
            password,
        }) = self.proxy()
        else {
            return None;
        };
        let written = Secret::new(url.clone());
        let login = take_login(url)?;
        *user = login.user;
        *password = login.password.is_some().then_some(SecretMark::Keep);
        Some((login.password?, written))
    }

    /// Puts the address with the password back.
    pub(super) fn put_password_back(&mut self, written: &str) {
        if let Some(proxy) = self.proxy() {
            *proxy = Proxy::At {
                url: written.to_owned(),
                user: None,
                password: None,
            };
        }
    }
}

impl From<Transport> for config::Transport {
    fn from(transport: Transport) -> Self {
        let values = |values: Vec<NamedValue>| values.into_iter().map(|value| value.0).collect();
        match transport {
            Transport::Stdio {
                command,
                args,
                cwd,
                env,
            } => Self::Stdio {
                command,
                args,
                env: values(env),
                cwd,
            },
            Transport::Http {
                url,
                kind,
                network,
                auth,
                headers,
            } => Self::Http {
                url,
                headers: values(headers),
                kind: kind.into(),
                network: network.into(),
                auth: auth.into(),
            },
            Transport::Demo { http } => Self::Demo { http },
        }
    }
}

impl From<config::Transport> for Transport {
    fn from(transport: config::Transport) -> Self {
        let values = |values: Vec<_>| values.into_iter().map(NamedValue).collect();
        match transport {
            config::Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => Self::Stdio {
                command,
                args,
                cwd,
                env: values(env),
            },
            config::Transport::Http {
                url,
                headers,
                kind,
                network,
                auth,
            } => Self::Http {
                url,
                kind: kind.into(),
                network: network.into(),
                auth: auth.into(),
                headers: values(headers),
            },
            config::Transport::Demo { http } => Self::Demo { http },
        }
    }
}

impl TryFrom<WrittenValue> for NamedValue {
    type Error = String;

    fn try_from(written: WrittenValue) -> Result<Self, String> {
        let value = match written.value {
            _ if written.secret => config::ConfigValue::Secret,
            Some(value) => config::ConfigValue::Plain(value),
            None => return Err(format!("`{}` has no value", written.name)),
        };
        Ok(Self(config::NamedValue {
            name: written.name,
            value,
        }))
    }
}

impl From<NamedValue> for WrittenValue {
    fn from(NamedValue(config::NamedValue { name, value }): NamedValue) -> Self {
        let (value, secret) = match value {
            config::ConfigValue::Plain(value) => (Some(value), false),
            config::ConfigValue::Secret => (None, true),
        };
        Self {
            name,
            value,
            secret,
        }
    }
}

impl From<Network> for config::NetworkConfig {
    fn from(network: Network) -> Self {
        Self {
            proxy: match network.proxy {
                Proxy::System => config::ProxyConfig::System,
                Proxy::Direct => config::ProxyConfig::Direct,
                Proxy::At {
                    url,
                    user,
                    password,
                } => config::ProxyConfig::At {
                    url,
                    user,
                    password: password.is_some(),
                },
            },
            ca_file: network.ca_file,
            client_certificate: network.client_certificate.map(
                |CertificateFiles { certificate, key }| config::CertificateFiles {
                    certificate,
                    key,
                },
            ),
            accept_any_certificate: network.accept_any_certificate,
            connect_seconds: network.connect_seconds,
            idle_seconds: network.idle_seconds,
        }
    }
}

impl From<config::NetworkConfig> for Network {
    fn from(network: config::NetworkConfig) -> Self {
        Self {
            proxy: match network.proxy {
                config::ProxyConfig::System => Proxy::System,
                config::ProxyConfig::Direct => Proxy::Direct,
                config::ProxyConfig::At {
                    url,
                    user,
                    password,
                } => Proxy::At {
                    url,
                    user,
                    password: password.then_some(SecretMark::Keep),
                },
            },
            ca_file: network.ca_file,
            client_certificate: network.client_certificate.map(
                |config::CertificateFiles { certificate, key }| CertificateFiles {
                    certificate,
                    key,
                },
            ),
            accept_any_certificate: network.accept_any_certificate,
            connect_seconds: network.connect_seconds,
            idle_seconds: network.idle_seconds,
        }
    }
}

//! Version 1 of an entry of the file. Everything that a later version of the app added is absent in
//! older files, and `null` stands for absent.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sonde_auth::Secret;

use super::{declaration::Declaration, muted::Muted, v1_rules::Rules};
use crate::{
    files::same_variants,
    servers::{self, ServerEntry, config, network::take_login},
};

/// One server.
#[derive(Serialize, Deserialize)]
pub(super) struct Server {
    pub(super) id: String,
    name: String,
    transport: Transport,
    #[serde(default)]
    idle_seconds: Option<u32>,
    #[serde(default)]
    hard_seconds: Option<u32>,
    #[serde(default, deserialize_with = "or_default")]
    era: Protocol,
    #[serde(default)]
    stream_attempts: Option<u32>,
    /// Fingerprint of the command that the user has confirmed.
    #[serde(default)]
    confirmed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    roots: Vec<Root>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_level: Option<LogLevel>,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Rules::is_default"
    )]
    request_rules: Rules,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Declaration::is_default"
    )]
    declaration: Declaration,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    muted_rules: Vec<Muted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_fields: Option<OtherFields>,
}

/// A folder that a server may work in.
#[derive(Serialize, Deserialize)]
struct Root {
    folder: String,
    #[serde(default)]
    name: Option<String>,
}

/// A group of servers.
#[derive(Serialize, Deserialize)]
pub(super) struct Group {
    id: String,
    name: String,
    #[serde(default, deserialize_with = "or_default")]
    collapsed: bool,
}

impl From<Group> for servers::ServerGroup {
    fn from(group: Group) -> Self {
        let Group {
            id,
            name,
            collapsed,
        } = group;
        Self {
            id,
            name,
            collapsed,
        }
    }
}

impl From<&servers::ServerGroup> for Group {
    fn from(group: &servers::ServerGroup) -> Self {
        Self {
            id: group.id.clone(),
            name: group.name.clone(),
            collapsed: group.collapsed,
        }
    }
}

/// What an import kept and nothing here means.
#[derive(Serialize, Deserialize)]
struct OtherFields {
    container: String,
    fields: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Transport {
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
struct NamedValue(config::NamedValue);

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
enum HttpKind {
    #[default]
    Automatic,
    Streamable,
    Sse,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Network {
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

#[derive(Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Protocol {
    #[default]
    Automatic,
    Handshake,
    Stateless,
    Fixed {
        revision: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Auth {
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
struct SignIn {
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

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// Stands where a secret belongs. The secret itself is in the keyring.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SecretMark {
    Keep,
}

same_variants!(HttpKind, config::HttpKind: Automatic, Streamable, Sse);
same_variants!(Dpop, config::DpopMode: Automatic, Always, Never);
same_variants!(LogLevel, config::LogLevel: Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency);

fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl Server {
    fn proxy(&mut self) -> Option<&mut Proxy> {
        match &mut self.transport {
            Transport::Http { network, .. } => Some(&mut network.proxy),
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

impl From<Server> for ServerEntry {
    fn from(server: Server) -> Self {
        Self {
            id: server.id,
            config: config::ServerConfig {
                name: server.name,
                transport: server.transport.into(),
                idle_seconds: server.idle_seconds,
                hard_seconds: server.hard_seconds,
                protocol: match server.era {
                    Protocol::Automatic => config::ProtocolMode::Automatic,
                    Protocol::Handshake => config::ProtocolMode::Handshake,
                    Protocol::Stateless => config::ProtocolMode::Stateless,
                    Protocol::Fixed { revision } => config::ProtocolMode::Fixed { revision },
                },
                stream_attempts: server.stream_attempts,
                roots: server
                    .roots
                    .into_iter()
                    .map(|Root { folder, name }| servers::RootFolder { folder, name })
                    .collect(),
                request_rules: server.request_rules.into(),
                declaration: server.declaration.into(),
            },
            group: server.group,
            log_level: server.log_level.map(Into::into),
            muted_rules: server.muted_rules.into_iter().map(Into::into).collect(),
            confirmed: server.confirmed,
            other_fields: server.other_fields.map(|other| servers::OtherFields {
                container: other.container,
                fields: other.fields,
            }),
        }
    }
}

impl From<&ServerEntry> for Server {
    fn from(entry: &ServerEntry) -> Self {
        let config = entry.config.clone();
        Self {
            id: entry.id.clone(),
            name: config.name,
            transport: config.transport.into(),
            idle_seconds: config.idle_seconds,
            hard_seconds: config.hard_seconds,
            era: match config.protocol {
                config::ProtocolMode::Automatic => Protocol::Automatic,
                config::ProtocolMode::Handshake => Protocol::Handshake,
                config::ProtocolMode::Stateless => Protocol::Stateless,
                config::ProtocolMode::Fixed { revision } => Protocol::Fixed { revision },
            },
            stream_attempts: config.stream_attempts,
            roots: config
                .roots
                .into_iter()
                .map(|servers::RootFolder { folder, name }| Root { folder, name })
                .collect(),
            request_rules: config.request_rules.into(),
            declaration: config.declaration.into(),
            confirmed: entry.confirmed.clone(),
            group: entry.group.clone(),
            log_level: entry.log_level.map(Into::into),
            muted_rules: entry.muted_rules.iter().cloned().map(Into::into).collect(),
            other_fields: entry.other_fields.clone().map(|other| OtherFields {
                container: other.container,
                fields: other.fields,
            }),
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

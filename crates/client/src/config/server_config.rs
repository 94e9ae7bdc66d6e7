//! Configuration of a server in the list: its transport and its settings.
//!
//! The types are generic over the representation of a secret. In the list, in its file and on the way to the window it
//! is [`InKeyring`], which has no value, so these can contain no secret; a form hands in [`SecretInput`]s.

use serde::{Deserialize, Serialize};
use sonde_auth::SecretInput;
use ts_rs::TS;

use super::secret_slots::{auth, env_secret, header_secret, proxy};
use super::{declaration::Declaration, request_rules::RequestRules, roots::RootFolder};

/// Placeholder of a secret whose value is in the keyring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum InKeyring {
    Keep,
}

/// The configuration of one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(concrete(S = SecretInput))]
pub struct ServerConfig<S = InKeyring> {
    /// Its name in the list. Need not be unique.
    pub name: String,
    /// Transport to the server.
    pub transport: Transport<S>,
    /// Longest silence of an operation in seconds; `None` means 60.
    #[serde(default)]
    pub idle_seconds: Option<u32>,
    /// Longest duration of an operation in seconds; `None` means 1,800.
    #[serde(default)]
    pub hard_seconds: Option<u32>,
    /// Choice of the protocol.
    #[serde(default)]
    pub protocol: ProtocolMode,
    /// Attempts in a row before a broken stream is given up; `None` means 5.
    #[serde(default)]
    pub stream_attempts: Option<u32>,
    /// Folders that the server may work in; without any, the capability is not declared.
    #[serde(default)]
    pub roots: Vec<RootFolder>,
    /// Rules for automatic replies to its requests.
    #[serde(default)]
    pub request_rules: RequestRules,
    /// Identity and capabilities that Sonde declares to it.
    #[serde(default)]
    pub declaration: Declaration,
}

impl ServerConfig {
    /// Creates a configuration with this transport and default settings.
    pub fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            idle_seconds: None,
            hard_seconds: None,
            protocol: ProtocolMode::default(),
            stream_attempts: None,
            roots: Vec::new(),
            request_rules: RequestRules::default(),
            declaration: Declaration::default(),
        }
    }
}

impl<S> ServerConfig<S> {
    /// Converts each secret with `map`, which gets the name under which the secret is stored.
    pub fn map_secrets<T>(self, map: &mut impl FnMut(String, S) -> T) -> ServerConfig<T> {
        ServerConfig {
            name: self.name,
            transport: self.transport.map_secrets(map),
            idle_seconds: self.idle_seconds,
            hard_seconds: self.hard_seconds,
            protocol: self.protocol,
            stream_attempts: self.stream_attempts,
            roots: self.roots,
            request_rules: self.request_rules,
            declaration: self.declaration,
        }
    }
}

/// Transports to a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
#[ts(concrete(S = SecretInput))]
pub enum Transport<S = InKeyring> {
    /// A child process that speaks on stdin and stdout.
    Stdio {
        /// Program name or path.
        command: String,
        /// Arguments, one by one; no shell is involved.
        #[serde(default)]
        args: Vec<String>,
        /// On top of the safe inherited environment.
        #[serde(default)]
        env: Vec<NamedValue<S>>,
        /// Working directory; `None` means the user's home.
        #[serde(default)]
        cwd: Option<String>,
    },
    /// An address: http, https, ws or wss.
    Http {
        /// The endpoint.
        url: String,
        /// Extra headers.
        #[serde(default)]
        headers: Vec<NamedValue<S>>,
        /// The HTTP transport; without effect on ws and wss.
        #[serde(default)]
        kind: HttpKind,
        /// Network settings.
        #[serde(default)]
        network: NetworkConfig<S>,
        /// Way to sign in.
        #[serde(default)]
        auth: AuthConfig<S>,
    },
    /// The demo server that ships with the app.
    Demo {
        /// Over loopback HTTP instead of stdio.
        #[serde(default)]
        http: bool,
    },
}

impl<S> Transport<S> {
    /// Converts each secret.
    pub fn map_secrets<T>(self, map: &mut impl FnMut(String, S) -> T) -> Transport<T> {
        match self {
            Self::Stdio {
                command,
                args,
                env,
                cwd,
            } => Transport::Stdio {
                command,
                args,
                env: env
                    .into_iter()
                    .map(|variable| variable.map_secret(env_secret, map))
                    .collect(),
                cwd,
            },
            Self::Http {
                url,
                headers,
                kind,
                network,
                auth,
            } => Transport::Http {
                url,
                headers: headers
                    .into_iter()
                    .map(|header| header.map_secret(header_secret, map))
                    .collect(),
                kind,
                network: network.map_secrets(map),
                auth: auth.map_secrets(map),
            },
            Self::Demo { http } => Transport::Demo { http },
        }
    }
}

impl Transport {
    /// Identity of the server: the program with its arguments, or the address.
    pub fn peer(&self) -> (&str, &[String]) {
        match self {
            Self::Stdio { command, args, .. } => (command, args),
            Self::Http { url, .. } => (url, &[]),
            Self::Demo { .. } => ("", &[]),
        }
    }
}

/// An environment variable or a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(concrete(S = SecretInput))]
#[expect(missing_docs, reason = "the names are the documentation")]
pub struct NamedValue<S = InKeyring> {
    pub name: String,
    pub value: ConfigValue<S>,
}

impl<S> NamedValue<S> {
    fn map_secret<T>(
        self,
        stored_as: fn(&str) -> String,
        map: &mut impl FnMut(String, S) -> T,
    ) -> NamedValue<T> {
        let value = match self.value {
            ConfigValue::Plain(text) => ConfigValue::Plain(text),
            ConfigValue::Secret(secret) => ConfigValue::Secret(map(stored_as(&self.name), secret)),
        };
        NamedValue {
            name: self.name,
            value,
        }
    }
}

/// Value of an environment variable or a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
#[ts(concrete(S = SecretInput))]
pub enum ConfigValue<S = InKeyring> {
    /// Text in the configuration: shown, and saved in the server file.
    Plain(String),
    /// Hidden, and saved in the keyring only.
    Secret(S),
}

impl ConfigValue {
    /// A secret that is stored.
    pub const SECRET: Self = Self::Secret(InKeyring::Keep);
}

/// HTTP transports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HttpKind {
    /// Streamable HTTP, falling back to HTTP+SSE.
    #[default]
    Automatic,
    /// Streamable HTTP only.
    Streamable,
    /// HTTP+SSE only.
    Sse,
}

/// Network settings of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(concrete(S = SecretInput))]
pub struct NetworkConfig<S = InKeyring> {
    /// The proxy.
    pub proxy: ProxyConfig<S>,
    /// A PEM file with certificate authorities that are trusted beside the system's.
    pub ca_file: Option<String>,
    /// The certificate that this client shows.
    pub client_certificate: Option<CertificateFiles>,
    /// Accepts any certificate of the server.
    pub accept_any_certificate: bool,
    /// Longest time for connecting, in seconds; `None` means 10.
    pub connect_seconds: Option<u32>,
    /// Longest silence of an open stream, in seconds; `None` means no limit.
    pub idle_seconds: Option<u32>,
}

impl<S> Default for NetworkConfig<S> {
    fn default() -> Self {
        Self {
            proxy: ProxyConfig::System,
            ca_file: None,
            client_certificate: None,
            accept_any_certificate: false,
            connect_seconds: None,
            idle_seconds: None,
        }
    }
}

impl<S> NetworkConfig<S> {
    fn map_secrets<T>(self, map: &mut impl FnMut(String, S) -> T) -> NetworkConfig<T> {
        NetworkConfig {
            proxy: match self.proxy {
                ProxyConfig::System => ProxyConfig::System,
                ProxyConfig::Direct => ProxyConfig::Direct,
                ProxyConfig::At {
                    url,
                    user,
                    password,
                } => ProxyConfig::At {
                    url,
                    user,
                    password: password.map(|secret| map(proxy::PASSWORD.to_owned(), secret)),
                },
            },
            ca_file: self.ca_file,
            client_certificate: self.client_certificate,
            accept_any_certificate: self.accept_any_certificate,
            connect_seconds: self.connect_seconds,
            idle_seconds: self.idle_seconds,
        }
    }
}

/// Choice of the proxy.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
#[ts(concrete(S = SecretInput))]
pub enum ProxyConfig<S = InKeyring> {
    /// The system's; never for addresses on this computer.
    System,
    /// No proxy.
    Direct,
    /// This proxy.
    At {
        /// Address of the proxy. User name and password typed into it are moved to the fields below.
        url: String,
        /// User name for the proxy.
        #[serde(default)]
        user: Option<String>,
        /// The password of that user.
        #[serde(default)]
        password: Option<S>,
    },
}

impl ProxyConfig {
    /// It has a password, which is in the keyring.
    pub fn has_password(&self) -> bool {
        matches!(
            self,
            Self::At {
                password: Some(_),
                ..
            }
        )
    }
}

// The address of an unchecked form may contain a password.
impl<S> std::fmt::Debug for ProxyConfig<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Direct => "Direct",
            Self::At { .. } => "At(…)",
        })
    }
}

/// PEM files of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CertificateFiles {
    /// The certificate, followed by the intermediate certificates.
    pub certificate: String,
    /// The private key; may be the same file.
    pub key: String,
}

/// Choice of the protocol.
pub type ProtocolMode = sonde_mcp::ProtocolMode<String>;

/// Ways to sign in to a server over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
#[ts(concrete(S = SecretInput))]
pub enum AuthConfig<S = InKeyring> {
    /// Signs in when the server asks for it (OAuth), and not before.
    SignIn {
        /// Everything that may be left empty.
        #[serde(default)]
        options: Box<SignInConfig<S>>,
    },
    /// Sends a token with every request.
    Token {
        /// The token, without `Bearer`.
        token: S,
    },
    /// Never signs in: a refusal is shown as it is.
    Off,
}

impl AuthConfig {
    /// A stored token.
    pub const TOKEN: Self = Self::Token {
        token: InKeyring::Keep,
    };
}

impl<S> Default for AuthConfig<S> {
    fn default() -> Self {
        Self::SignIn {
            options: Box::default(),
        }
    }
}

impl<S> AuthConfig<S> {
    fn map_secrets<T>(self, map: &mut impl FnMut(String, S) -> T) -> AuthConfig<T> {
        let mut map = |name: &str, secret| map(name.to_owned(), secret);
        match self {
            Self::Off => AuthConfig::Off,
            Self::Token { token } => AuthConfig::Token {
                token: map(auth::TOKEN, token),
            },
            Self::SignIn { options } => AuthConfig::SignIn {
                options: Box::new(options.map_secrets(&mut map)),
            },
        }
    }
}

/// Options for signing in.
pub type SignInConfig<S = InKeyring> = sonde_auth::SignInConfig<S>;
/// OAuth grants.
pub type GrantConfig<S = InKeyring> = sonde_auth::GrantConfig<S>;

/// Describes in one line how a server is reached.
pub fn address(transport: &Transport) -> String {
    match transport {
        Transport::Stdio { command, args, .. } => std::iter::once(command)
            .chain(args)
            .map(|word| {
                if word.is_empty() || word.contains(|c: char| c.is_whitespace() || c == '"') {
                    format!("{word:?}")
                } else {
                    word.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(" "),
        Transport::Http { url, .. } => url.clone(),
        Transport::Demo { http: false } => "Built in, over stdio".to_owned(),
        Transport::Demo { http: true } => "Built in, over HTTP".to_owned(),
    }
}

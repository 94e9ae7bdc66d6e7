//! Configuration of a server in the list: its transport and its settings.
//!
//! Secrets have no place here. A configuration says where a secret belongs, and [`secret_slots`](super::secret_slots)
//! names it; its value is in the keyring.

use serde::{Deserialize, Serialize};
use sonde_mcp::Revision;
use ts_rs::TS;

use super::{declaration::Declaration, request_rules::RequestRules, roots::RootFolder};
use crate::files::same_variants;

/// The configuration of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// Its name in the list. Need not be unique.
    pub name: String,
    /// Transport to the server.
    pub transport: Transport,
    /// Longest silence of an operation in seconds; `None` means the usual one.
    pub idle_seconds: Option<u32>,
    /// Longest duration of an operation in seconds; `None` means the usual one.
    pub hard_seconds: Option<u32>,
    /// Choice of the protocol.
    pub protocol: ProtocolMode,
    /// Attempts in a row before a broken stream is given up; `None` means the usual number.
    pub stream_attempts: Option<u32>,
    /// The folders that it may work in; none are declared to it without.
    pub roots: Vec<RootFolder>,
    /// Rules for automatic replies to its requests.
    pub request_rules: RequestRules,
    /// Identity and capabilities that Sonde declares to it.
    pub declaration: Declaration,
}

impl ServerConfig {
    /// A server about which nothing but its transport was said.
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

/// Transports to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A child process that speaks on stdin and stdout.
    Stdio {
        /// Program name or path.
        command: String,
        /// Arguments, one by one; no shell is involved.
        args: Vec<String>,
        /// On top of the safe inherited environment.
        env: Vec<NamedValue>,
        /// `None` means the user's home.
        cwd: Option<String>,
    },
    /// An address: http, https, ws or wss.
    Http {
        /// The endpoint.
        url: String,
        /// Extra headers.
        headers: Vec<NamedValue>,
        /// Of no meaning for ws and wss.
        kind: HttpKind,
        /// The way there.
        network: NetworkConfig,
        /// Way to sign in.
        auth: AuthConfig,
    },
    /// The demo server that ships with the app.
    Demo {
        /// Over loopback HTTP instead of stdio.
        http: bool,
    },
}

impl Transport {
    /// Identity of the server: the program with its arguments, or the address.
    pub(crate) fn peer(&self) -> (&str, &[String]) {
        match self {
            Self::Stdio { command, args, .. } => (command, args),
            Self::Http { url, .. } => (url, &[]),
            Self::Demo { .. } => ("", &[]),
        }
    }

    /// Returns the proxy of a transport that has a network.
    pub(crate) fn proxy(&self) -> Option<&ProxyConfig> {
        match self {
            Self::Http { network, .. } => Some(&network.proxy),
            Self::Stdio { .. } | Self::Demo { .. } => None,
        }
    }
}

/// An environment variable or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    pub name: String,
    pub value: ConfigValue,
}

/// Value of an environment variable or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    /// Text in the configuration.
    Plain(String),
    /// Secret in the keyring.
    Secret,
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

/// The way to an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkConfig {
    /// The proxy.
    pub proxy: ProxyConfig,
    /// A PEM file with certificate authorities that are trusted beside the system's.
    pub ca_file: Option<String>,
    /// The certificate that this client shows.
    pub client_certificate: Option<CertificateFiles>,
    /// Takes whatever certificate the server shows.
    pub accept_any_certificate: bool,
    /// Longest time for connecting, in seconds; `None` means 10.
    pub connect_seconds: Option<u32>,
    /// Longest silence of an open stream, in seconds; `None` means no limit.
    pub idle_seconds: Option<u32>,
}

/// Choice of the proxy.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum ProxyConfig {
    /// The system's; never for addresses on this computer.
    #[default]
    System,
    /// None.
    Direct,
    /// This one.
    At {
        /// Its address, without user name and password.
        url: String,
        /// User name for the proxy.
        user: Option<String>,
        /// The user has a password.
        password: bool,
    },
}

impl ProxyConfig {
    /// It has a password, which is in the keyring.
    pub(crate) fn has_password(&self) -> bool {
        matches!(self, Self::At { password: true, .. })
    }
}

// What was typed may have a password in its address, until it is checked.
impl std::fmt::Debug for ProxyConfig {
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
    /// The certificate and those between it and its authority.
    pub certificate: String,
    /// The private key; may be the same file.
    pub key: String,
}

/// Ways to find out the protocol of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ProtocolMode {
    /// Ask it, and fall back to the handshake.
    #[default]
    Automatic,
    /// The handshake, without asking first.
    Handshake,
    /// Stateless requests only.
    Stateless,
    /// Fixed version and no other.
    Fixed {
        /// Its name.
        // A file may name one that `Revision` does not know.
        revision: String,
    },
}

impl From<Revision> for ProtocolMode {
    fn from(revision: Revision) -> Self {
        Self::Fixed {
            revision: revision.as_str().to_owned(),
        }
    }
}

/// Severities of a log message, least severe first (logging, Log Levels).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

same_variants!(LogLevel, sonde_mcp::LogLevel: Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency);

/// Ways to sign in to a server over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthConfig {
    /// Signs in when the server asks for it (OAuth), and not before.
    SignIn(Box<SignInConfig>),
    /// Sends a token with every request.
    Token,
    /// Never signs in: a refusal is shown as it is.
    Off,
}

impl Default for AuthConfig {
    fn default() -> Self {
        Self::SignIn(Box::default())
    }
}

/// Options for signing in. Options that are `None` are discovered or chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignInConfig {
    /// Party that signs in, and its credentials.
    pub grant: GrantConfig,
    /// A client that is registered with the authorization server already.
    pub client_id: Option<String>,
    /// That client has a secret.
    pub client_secret: bool,
    /// The only authorization server that may see that client; `None` means the first one that it
    /// is used with.
    pub issuer: Option<String>,
    /// The https address of a client ID metadata document.
    pub metadata_url: Option<String>,
    /// Scopes to ask for instead of what the server says, separated by spaces.
    pub scopes: Option<String>,
    /// The port of 127.0.0.1 to which the browser returns; `None` means a free one.
    pub redirect_port: Option<u16>,
    /// Sign in although the authorization server does not promise PKCE with S256.
    pub without_pkce_promise: bool,
    /// Bind tokens to a key of this computer (DPoP).
    pub dpop: DpopMode,
}

/// Parties that sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GrantConfig {
    /// The user, in the browser.
    #[default]
    Browser,
    /// The client itself, with its id and secret.
    ClientSecret,
    /// The client itself, with its id and a private key.
    PrivateKey {
        /// `None` means what fits the key.
        algorithm: Option<String>,
        /// `aud` of the assertion; `None` means the issuer.
        audience: Option<String>,
    },
    /// The user, by way of the company's identity provider (enterprise-managed authorization).
    Enterprise {
        /// The token endpoint of the identity provider.
        idp_token_endpoint: String,
        /// The client that the identity provider knows.
        idp_client_id: String,
        /// That client has a secret.
        idp_client_secret: bool,
    },
    /// A workload, with an assertion of its platform (workload identity federation).
    Workload,
}

/// Choices for binding tokens to a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DpopMode {
    /// Binds tokens when the server asks for it.
    #[default]
    Automatic,
    /// Always.
    Always,
    /// Never.
    Never,
}

//! What a server of the list is: how it is reached, and how it is dealt with.
//!
//! Secrets have no place here. A configuration says where one belongs, and
//! [`secret_slots`](super::secret_slots) names it; its value is in the keyring.

use sonde_mcp::Revision;

/// The configuration of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerConfig {
    /// Need not be unique.
    pub(crate) name: String,
    pub(crate) transport: Transport,
    /// Longest silence of an operation in seconds; `None` means the usual one.
    pub(crate) idle_seconds: Option<u32>,
    /// Longest duration of an operation in seconds; `None` means the usual one.
    pub(crate) hard_seconds: Option<u32>,
    pub(crate) protocol: ProtocolMode,
    /// Attempts in a row before a broken stream is given up; `None` means the usual number.
    pub(crate) stream_attempts: Option<u32>,
}

impl ServerConfig {
    /// A server about which nothing but its transport was said.
    pub(crate) fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            idle_seconds: None,
            hard_seconds: None,
            protocol: ProtocolMode::default(),
            stream_attempts: None,
        }
    }
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// A child process that speaks on stdin and stdout.
    Stdio {
        /// Program name or path.
        command: String,
        args: Vec<String>,
        /// On top of the safe inherited environment.
        env: Vec<NamedValue>,
        /// `None` means the user's home.
        cwd: Option<String>,
    },
    /// An address: http, https, ws or wss.
    Http {
        url: String,
        headers: Vec<NamedValue>,
        /// Of no meaning for ws and wss.
        kind: HttpKind,
        network: NetworkConfig,
        auth: AuthConfig,
    },
    /// The demo server that ships with the app.
    Demo {
        /// Over loopback HTTP instead of stdio.
        http: bool,
    },
}

/// An environment variable or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedValue {
    pub(crate) name: String,
    pub(crate) value: ConfigValue,
}

/// What such a thing is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConfigValue {
    Plain(String),
    Secret,
}

/// Which HTTP transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HttpKind {
    /// Streamable HTTP, and HTTP+SSE where the server knows nothing newer.
    #[default]
    Automatic,
    Streamable,
    Sse,
}

/// The way to an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NetworkConfig {
    pub(crate) proxy: ProxyConfig,
    /// A PEM file with certificate authorities that are trusted beside the system's.
    pub(crate) ca_file: Option<String>,
    /// The certificate that this client shows.
    pub(crate) client_certificate: Option<CertificateFiles>,
    pub(crate) accept_any_certificate: bool,
    /// How long connecting may take; `None` means the usual time.
    pub(crate) connect_seconds: Option<u32>,
    /// How long an open stream may be silent; `None` means for ever.
    pub(crate) idle_seconds: Option<u32>,
}

/// Which proxy is asked. Its address may hold a password: `Debug` does not show it.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum ProxyConfig {
    /// The system's; never for addresses on this computer.
    #[default]
    System,
    Direct,
    /// The one at this address.
    At(String),
}

impl std::fmt::Debug for ProxyConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Direct => "Direct",
            Self::At(_) => "At(…)",
        })
    }
}

/// PEM files of a certificate and its key; may be the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CertificateFiles {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// How to find out what a server speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ProtocolMode {
    /// Ask it, and fall back to the handshake.
    #[default]
    Automatic,
    Handshake,
    Stateless,
    /// The revision of this name and no other. A file may name one that [`Revision`] does not know.
    Fixed(String),
}

impl From<Revision> for ProtocolMode {
    fn from(revision: Revision) -> Self {
        Self::Fixed(revision.as_str().to_owned())
    }
}

/// How a server that is reached over HTTP is signed in to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AuthConfig {
    /// When the server asks for it (OAuth), and not before.
    SignIn(Box<SignInConfig>),
    /// A token is sent with every request.
    Token,
    /// Never: a refusal is shown as it is.
    Off,
}

impl Default for AuthConfig {
    fn default() -> Self {
        Self::SignIn(Box::default())
    }
}

/// How to sign in. What is `None` is found out or chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignInConfig {
    pub(crate) grant: GrantConfig,
    /// A client that is registered with the authorization server already.
    pub(crate) client_id: Option<String>,
    /// That client has a secret.
    pub(crate) client_secret: bool,
    /// The only authorization server that may see that client; `None` means the first one that it
    /// is used with.
    pub(crate) issuer: Option<String>,
    /// The https address of a client ID metadata document.
    pub(crate) metadata_url: Option<String>,
    /// Scopes to ask for instead of what the server says, separated by spaces.
    pub(crate) scopes: Option<String>,
    /// The port of 127.0.0.1 to which the browser returns; `None` means a free one.
    pub(crate) redirect_port: Option<u16>,
    /// Sign in although the authorization server does not promise PKCE with S256.
    pub(crate) without_pkce_promise: bool,
    pub(crate) dpop: DpopMode,
}

/// Who signs in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum GrantConfig {
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
        idp_token_endpoint: String,
        idp_client_id: String,
        /// The client that the identity provider knows has a secret.
        idp_client_secret: bool,
    },
    /// A workload, with an assertion of its platform (workload identity federation).
    Workload,
}

/// When tokens are bound to a key (DPoP).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DpopMode {
    /// Where the server says that it wants it.
    #[default]
    Automatic,
    Always,
    Never,
}

/// Conversions, both ways, between two enums whose variants have the same names and no fields.
macro_rules! same_variants {
    ($a:ty, $b:ty: $($variant:ident),*) => {
        impl From<$a> for $b {
            fn from(value: $a) -> Self {
                match value { $(<$a>::$variant => Self::$variant),* }
            }
        }
        impl From<$b> for $a {
            fn from(value: $b) -> Self {
                match value { $(<$b>::$variant => Self::$variant),* }
            }
        }
    };
}
pub(crate) use same_variants;

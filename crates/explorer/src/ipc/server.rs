use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AuthDraft, ServerId, ValueView};

/// How to reach a server, as the form edits it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TransportDraft {
    /// A child process that speaks on stdin and stdout.
    Stdio {
        /// Program name or path.
        command: String,
        /// Arguments, one by one; no shell is involved.
        args: Vec<String>,
        /// Environment on top of the safe inherited one.
        env: Vec<EnvVar>,
        /// Working directory; empty means the user's home.
        cwd: Option<String>,
    },
    /// An address: http, https, ws or wss.
    Http {
        /// The endpoint.
        url: String,
        /// Extra headers.
        headers: Vec<HeaderEntry>,
        /// Which HTTP transport; of no meaning for ws and wss.
        #[serde(default)]
        kind: HttpKind,
        /// The way there.
        #[serde(default)]
        network: NetworkDraft,
        /// Authentication method.
        #[serde(default)]
        auth: AuthDraft,
    },
    /// The demo server that ships with the app.
    Demo {
        /// Over loopback HTTP instead of stdio.
        http: bool,
    },
}

/// Which HTTP transport.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct NetworkDraft {
    /// The proxy.
    pub proxy: ProxyDraft,
    /// A PEM file with certificate authorities that are trusted beside the system's.
    pub ca_file: Option<String>,
    /// The certificate that this client shows.
    pub client_certificate: Option<CertificateFiles>,
    /// Takes whatever certificate the server shows.
    pub accept_any_certificate: bool,
    /// How long connecting may take in seconds; `None` means 10.
    pub connect_seconds: Option<u32>,
    /// How long an open stream may be silent in seconds; `None` means for ever.
    pub idle_seconds: Option<u32>,
}

/// Which proxy is asked. Its address may hold a password: `Debug` does not show it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ProxyDraft {
    /// The system's; never for addresses on this computer.
    #[default]
    System,
    /// None.
    Direct,
    /// This one.
    At {
        /// Its address.
        url: String,
    },
}

impl std::fmt::Debug for ProxyDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ProxyDraft::System => "System",
            ProxyDraft::Direct => "Direct",
            ProxyDraft::At { .. } => "At(…)",
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

/// How to find out what a server speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EraDraft {
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
        revision: String,
    },
}

/// One environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EnvVar {
    /// The name.
    pub name: String,
    /// The value.
    pub value: ValueView,
}

/// One HTTP header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HeaderEntry {
    /// The name.
    pub name: String,
    /// The value.
    pub value: ValueView,
}

/// A server as the form edits it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerDraft {
    /// Name in the list. Need not be unique.
    pub name: String,
    /// How to reach it.
    pub transport: TransportDraft,
    /// Longest silence of an operation in seconds; `None` means 60.
    pub idle_seconds: Option<u32>,
    /// Longest duration of an operation in seconds; `None` means 1,800.
    pub hard_seconds: Option<u32>,
    /// How to find out what the server speaks.
    #[serde(default)]
    pub era: EraDraft,
    /// Attempts in a row before a broken stream is given up; `None` means 5.
    #[serde(default)]
    pub stream_attempts: Option<u32>,
}

/// A server in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Names it.
    pub id: ServerId,
    /// Its configuration, secrets left out.
    pub config: ServerDraft,
    /// One line that says how it is reached: the command line or the URL.
    pub address: String,
    /// The user has confirmed the command in its present form (always true for HTTP and demo).
    pub confirmed: bool,
    /// Names of secrets (`env:NAME`, `header:NAME`, `auth:NAME`) that are in memory only, since the keyring
    /// could not take them.
    pub unsaved_secrets: Vec<String>,
}

/// The exact command, to be shown whole before it runs for the first time.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct CommandPreview {
    /// Confirms exactly this command; handed back with `connect`.
    pub fingerprint: String,
    /// The program file that will run; `None` when it was not found.
    pub program: Option<String>,
    /// Program as configured, then the arguments.
    pub argv: Vec<String>,
    /// Names of the variables that are set beside the inherited ones, values of plain ones.
    pub env: Vec<EnvVar>,
    /// Where it runs.
    pub cwd: String,
    /// The PATH it gets.
    pub path: String,
    /// Where that PATH comes from, as a plain sentence.
    pub path_source: String,
    /// Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
    pub warnings: Vec<String>,
}

/// One server found in pasted JSON.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ImportCandidate {
    /// The configuration; values that look like secrets are marked as such. When it is imported
    /// unchanged, the secrets come with it.
    pub draft: ServerDraft,
    /// What is remarkable or was left out, as plain sentences.
    pub remarks: Vec<String>,
    /// A server with the same command or URL already exists.
    pub duplicate_of: Option<ServerId>,
}

/// What pasted JSON contains.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ImportPreview {
    /// The servers in it, in order.
    pub candidates: Vec<ImportCandidate>,
    /// Entries that could not be understood, as plain sentences with the entry's name.
    pub problems: Vec<String>,
}

use serde::{Deserialize, Serialize};
use sonde_explorer::servers::CertificateFiles;
use ts_rs::TS;

use super::secret::SecretInput;

/// The way to an address, as the form edits it.
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
    /// Longest time for connecting in seconds; `None` means 10.
    pub connect_seconds: Option<u32>,
    /// Longest silence of an open stream in seconds; `None` means unlimited.
    pub idle_seconds: Option<u32>,
}

/// Proxy for the requests to a server.
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
        /// Its address. User name and password that are typed into it are taken for those below.
        url: String,
        /// User name at the proxy.
        #[serde(default)]
        user: Option<String>,
        /// The password of that user.
        #[serde(default)]
        password: Option<SecretInput>,
    },
}

// What was typed may have a password in its address.
impl std::fmt::Debug for ProxyDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Direct => "Direct",
            Self::At { .. } => "At(…)",
        })
    }
}

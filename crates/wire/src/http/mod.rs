//! Streamable HTTP as a transport: every message is a request of its own, every response a JSON body
//! or a stream of server-sent events.
//!
//! One task receives the commands and joins one task per exchange, which sends a request and reads its response to the
//! end. The session interprets the responses.

mod authenticator;
mod network;
mod request;

mod driver;

mod body;
mod exchange;
mod sse_body;

mod failure;

mod upgrade;

mod file;

use std::{path::PathBuf, sync::Arc, time::Duration};

pub use self::{
    authenticator::{AuthRequest, Authenticator, Credentials, Rejection, RetryDecision},
    failure::tls_failure,
    file::{FileError, FileRequest, fetch_file},
};
pub(crate) use self::{
    authenticator::{MAX_AUTH_RETRIES, MAX_NONCE_RETRIES},
    exchange::{Collected, all_headers, says_message},
    request::address,
    upgrade::UpgradeRequest,
};
use self::{driver::Driver, request::Requests};
use crate::{Carrier, Header, Limits, Tap, Wire, WireError, unfinished::Room};

/// A server reached over HTTP.
#[derive(Clone)]
pub struct HttpSpec {
    /// Address of the server: an absolute `http` or `https` URL.
    pub url: String,
    /// The user's own headers. They replace any other header of the same name, so that a wrong
    /// one can be sent on purpose. May be secrets.
    pub headers: Vec<Header>,
    /// Limit for connecting: name lookup, TCP and TLS together. The session sets the limit of the response.
    pub connect_timeout: Duration,
    /// Longest silence of a response after its head. `None` sets no limit, for streams that only speak when something
    /// happens.
    pub idle_timeout: Option<Duration>,
    /// Connection settings.
    pub network: Network,
    /// Use no newer version than HTTP/1.1, even if the server supports one.
    pub http1_only: bool,
    /// The largest JSON body or event.
    pub limits: Limits,
    /// Source of credentials, in addition to the user's own headers.
    pub authenticator: Option<Arc<dyn Authenticator>>,
    /// Only post messages: responses come elsewhere, and a server may put anything into the body that accepts a message
    /// (HTTP+SSE).
    pub posts_only: bool,
}

/// Connection settings of an address. Paths and passwords may be private: `Debug` shows neither.
#[derive(Clone, Default)]
pub struct Network {
    /// The proxy.
    pub proxy: Proxy,
    /// A PEM file with certificate authorities that are trusted in addition to the system's.
    pub ca_file: Option<PathBuf>,
    /// Certificate of this client.
    pub identity: Option<ClientIdentity>,
    /// Accept any certificate of the server, so that anybody on the way can read along.
    pub accept_any_certificate: bool,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("accept_any_certificate", &self.accept_any_certificate)
            .finish_non_exhaustive()
    }
}

/// Choice of the proxy.
#[derive(Clone, Default)]
pub enum Proxy {
    /// The proxy that the system or the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`,
    /// `NO_PROXY`). Loopback addresses never use it.
    #[default]
    System,
    /// No proxy.
    Direct,
    /// This proxy, for every address: `http://`, `https://` or `socks5://`. May hold a password.
    At(String),
}

/// A certificate with its private key.
#[derive(Clone)]
pub struct ClientIdentity {
    /// PEM file with the certificate and the intermediate certificates.
    pub certificate: PathBuf,
    /// PEM file with the private key; may be the same file.
    pub key: PathBuf,
}

impl HttpSpec {
    /// Creates a spec without headers; everything else has its default.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            idle_timeout: None,
            network: Network::default(),
            http1_only: false,
            limits: Limits::default(),
            authenticator: None,
            posts_only: false,
        }
    }
}

impl std::fmt::Debug for HttpSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address may carry a token in its query or a password before its host.
        let url = self.url.split(['?', '#']).next().unwrap_or_default();
        let url = url.rsplit('@').next().unwrap_or_default();
        f.debug_struct("HttpSpec")
            .field("url", &url)
            .field("headers", &self.headers)
            .field("connect_timeout", &self.connect_timeout)
            .finish_non_exhaustive()
    }
}

/// Prepares a transport. Nothing is sent before the first command. Call it inside a tokio runtime.
///
/// # Errors
///
/// [`WireError::BadUrl`] and [`WireError::BadHeader`].
pub fn open(spec: HttpSpec, tap: Arc<dyn Tap>) -> Result<Wire, WireError> {
    let requests = Requests::new(&spec)?;
    let (wire, far) = Wire::pair(Carrier::Http);
    tokio::spawn(
        Driver {
            requests: Arc::new(requests),
            authenticator: spec.authenticator,
            limits: spec.limits,
            room: Room::of_transport(),
            idle: spec.idle_timeout,
            posts_only: spec.posts_only,
            commands: far.commands,
            incoming: far.incoming,
            tap,
        }
        .run(),
    );
    Ok(wire)
}

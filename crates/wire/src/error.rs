//! Errors below the protocol, as decisions a caller makes.

use std::{io, path::PathBuf};

/// A child process could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// No such program.
    #[error("`{command}` was not found")]
    NotFound {
        /// The command that the caller asked for.
        command: String,
        /// Every folder that was searched, in order; empty when the command is a path.
        searched: Vec<PathBuf>,
    },
    /// The file exists but may not be executed.
    #[error("`{}` is not executable", path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The working directory does not exist or is not a folder.
    #[error("the working directory `{}` does not exist", path.display())]
    BadWorkingDirectory {
        /// The folder that the caller asked for.
        path: PathBuf,
    },
    /// The system refused for another reason.
    #[error("could not start `{command}`: {source}")]
    Io {
        /// The command that the caller asked for.
        command: String,
        /// The error of the system.
        source: io::Error,
    },
}

/// An exchange or a transport failed.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The child process could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The address is not an http(s) URL.
    #[error("`{url}` is not a usable URL: {reason}")]
    BadUrl {
        /// The address as given.
        url: String,
        /// The reason, as a clause.
        reason: String,
    },
    /// No transport handles the scheme of this address.
    #[error("no transport handles `{scheme}:` URLs")]
    UnknownScheme {
        /// The part before the colon.
        scheme: String,
    },
    /// A certificate, key or proxy setting cannot be used.
    #[error("{what} cannot be used: {reason}")]
    BadSetting {
        /// The setting, as the user knows it, for example ``the CA file `/etc/ca.pem` ``.
        what: String,
        /// The reason, as a clause.
        reason: String,
    },
    /// The server refused with this HTTP status where the transport itself needs success: to open a stream or a
    /// WebSocket, or to deliver a message.
    #[error("the server returned HTTP status {status}")]
    Status {
        /// HTTP status code.
        status: u16,
        /// `Content-Type` of the response.
        content_type: Option<String>,
        /// Beginning of the body; at most 512 characters.
        snippet: String,
    },
    /// The stream of an HTTP+SSE server does not begin with a usable `endpoint` event.
    #[error("the server's event stream names no usable URL for messages: {reason}")]
    NoEndpoint {
        /// The reason, as a clause.
        reason: String,
    },
    /// The stream was silent for too long.
    #[error("nothing was received for {seconds} seconds")]
    Idle {
        /// The limit in seconds.
        seconds: u64,
    },
    /// A header's name or value cannot be sent.
    #[error("the header `{name}` cannot be sent: {reason}")]
    BadHeader {
        /// The header's name.
        name: String,
        /// The reason, as a clause.
        reason: String,
    },
    /// The host name has no address.
    #[error("the host `{host}` was not found")]
    UnknownHost {
        /// The host.
        host: String,
    },
    /// Nothing listens at this address.
    #[error("{address} refused the connection")]
    Refused {
        /// Host and port.
        address: String,
    },
    /// No connection within the time allowed.
    #[error("{address} did not accept a connection in time")]
    ConnectTimeout {
        /// Host and port.
        address: String,
    },
    /// Connecting through the proxy failed.
    #[error("the proxy {address} failed: {reason}")]
    Proxy {
        /// The proxy's host and port.
        address: String,
        /// Message of the system or library.
        reason: String,
    },
    /// The TLS handshake failed.
    #[error("no secure connection to {address}: {reason}")]
    Tls {
        /// Host and port, and those of the proxy, whose TLS may have failed instead.
        address: String,
        /// Message of the TLS layer.
        reason: String,
    },
    /// A redirect that is not followed.
    #[error("the server redirects to {location} (HTTP {status})")]
    Redirect {
        /// HTTP status code.
        status: u16,
        /// The whole URL, or the text of the header if it is not a URL.
        location: String,
        /// The reason for not following it.
        reason: RedirectReason,
    },
    /// The connection broke.
    #[error("the connection broke: {reason}")]
    Broken {
        /// Message of the system or library.
        reason: String,
    },
    /// A body, line or event is larger than the limit.
    #[error("a message of more than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The unfinished messages fill the memory that a transport may use for them.
    #[error("unfinished messages of more than {limit} bytes")]
    Crowded {
        /// The limit of all unfinished messages of the transport, in bytes.
        limit: u64,
    },
    /// The transport does not support the verb or the text.
    #[error("this transport cannot send that: {reason}")]
    Unsupported {
        /// The reason, as a clause.
        reason: &'static str,
    },
}

/// Reasons for not following a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectReason {
    /// The target has another origin. Headers may hold secrets, which only the server that the user entered may
    /// receive.
    AnotherOrigin,
    /// The status turns a POST into a GET, without its message (RFC 9110, section 15.4).
    Method,
    /// Too many redirects were followed already, or the request cannot be sent twice.
    TooMany,
    /// The server names no usable URL.
    BadUrl,
}

//! Streamable HTTP as a transport: every message is a request of its own, every answer a JSON body
//! or a stream of server-sent events.
//!
//! One task takes the commands and joins the others: one per exchange, which sends a request and
//! reads its answer to the end. What the answers mean is the session's business.

mod request;

mod driver;

mod exchange;
mod sse_body;

mod failure;

use std::{sync::Arc, time::Duration};

use self::{driver::Driver, request::Requests};
use crate::{Header, Limits, Tap, Wire, WireError};

/// A server reached over HTTP.
#[derive(Clone)]
pub struct HttpSpec {
    /// Its address: an absolute `http` or `https` URL.
    pub url: String,
    /// The user's own headers. They replace any other header of the same name, so that a wrong
    /// one can be sent on purpose. May be secrets.
    pub headers: Vec<Header>,
    /// How long connecting may take: name lookup, TCP and TLS together. There is no limit on the
    /// answer, which is the session's to set.
    pub connect_timeout: Duration,
    /// The largest JSON body or event.
    pub limits: Limits,
}

impl HttpSpec {
    /// An address without headers; everything else as usual.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            limits: Limits::default(),
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
    let (wire, far) = Wire::memory();
    tokio::spawn(
        Driver {
            requests,
            limits: spec.limits,
            commands: far.commands,
            incoming: far.incoming,
            tap,
        }
        .run(),
    );
    Ok(wire)
}

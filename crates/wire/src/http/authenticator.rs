//! Source of a transport's credentials, and its decisions about rejected requests.
//!
//! The transport knows no OAuth. It asks an [`Authenticator`] for headers before it sends, and reports a 401
//! or 403 to it before the session learns of it: the request is parked until the authenticator has decided,
//! and then sent again or reported as rejected.

use std::{fmt, net::IpAddr};

use futures_util::future::BoxFuture;
use reqwest::{
    Response, StatusCode, Url,
    header::{HeaderValue, WWW_AUTHENTICATE},
};

use crate::{ExchangeId, Header, Verb};

/// Limit of retries of a rejected request: for an expired or missing token, and for scopes that prove missing one by
/// one.
pub(crate) const MAX_AUTH_RETRIES: u32 = 4;

/// Limit of additional retries for a proof that lacked the server's newest nonce.
pub(crate) const MAX_NONCE_RETRIES: u32 = 3;

/// The header in which a server provides a nonce (RFC 9449, section 8).
pub(crate) const DPOP_NONCE: &str = "dpop-nonce";

/// A request that needs credentials.
#[derive(Clone, Debug)]
pub struct AuthRequest {
    /// The exchange that it opens.
    pub exchange: ExchangeId,
    /// The HTTP verb.
    pub verb: Verb,
    /// The absolute URL. Its query may hold secrets.
    pub url: String,
    /// The user's operation that the request belongs to.
    pub operation: Option<u64>,
}

/// The headers that authorize one request.
#[derive(Clone)]
pub struct Credentials {
    /// Headers to add to the request. Secret.
    pub headers: Vec<Header>,
    /// The token that the headers were made from; tells its rejection from that of an older token. 0 means no token.
    pub token_id: u64,
    /// Valid only for [`AuthRequest::url`]: a redirect needs new credentials.
    pub url_bound: bool,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("token_id", &self.token_id)
            .finish_non_exhaustive()
    }
}

/// A response that rejects the credentials of a request, or asks for credentials.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// 401 or 403.
    pub status: u16,
    /// Every `WWW-Authenticate` header, as received.
    pub challenges: Vec<String>,
    /// `DPoP-Nonce`, as received (RFC 9449, section 9).
    pub dpop_nonce: Option<String>,
    /// The token that was rejected ([`Credentials::token_id`]).
    pub token_id: u64,
    /// Earlier retries of this request ([`RetryDecision::Retry`]).
    pub retries: u32,
    /// Address of the sender; `None` if the response came through a proxy.
    pub peer: Option<IpAddr>,
    /// The requested URL; after a redirect, its target.
    pub url: Url,
}

/// Reads a rejection: 401 always, 403 only with a challenge. `proxied`: the response came through a proxy.
pub(crate) fn rejection(response: &Response, proxied: bool) -> Option<Rejection> {
    let (status, headers) = (response.status(), response.headers());
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let challenges: Vec<String> = headers.get_all(WWW_AUTHENTICATE).iter().map(text).collect();
    let rejected = match status {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => !challenges.is_empty(),
        _ => false,
    };
    rejected.then(|| Rejection {
        status: status.as_u16(),
        challenges,
        dpop_nonce: headers.get(DPOP_NONCE).map(text),
        token_id: 0,
        retries: 0,
        peer: response
            .remote_addr()
            .filter(|_| !proxied)
            .map(|address| address.ip()),
        url: response.url().clone(),
    })
}

/// Decisions about a rejected request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// Send the request once more, with new credentials.
    Retry,
    /// Only the nonce was missing or old: send the request once more, and do not count it in [`Rejection::retries`].
    RetryNonce,
    /// Report the rejection as the response.
    GiveUp,
}

/// Provides the credentials of requests. Implementations never see a body.
pub trait Authenticator: Send + Sync + 'static {
    /// Returns the credentials for a request if they are available at once. `None` asks the transport to await
    /// [`Authenticator::credentials`], which may take as long as a refresh.
    fn try_credentials(&self, request: &AuthRequest) -> Option<Credentials>;

    /// Waits for the credentials of a request.
    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> BoxFuture<'a, Credentials>;

    /// Handles a rejected request. Waits for everything it needs, the user included; dropped when nobody wants the
    /// response any more.
    fn on_rejection<'a>(
        &'a self,
        request: &'a AuthRequest,
        rejection: Rejection,
    ) -> BoxFuture<'a, RetryDecision>;

    /// Handles the head of a response that was not a rejection, with its `DPoP-Nonce`. Must return at once.
    fn on_response(&self, dpop_nonce: Option<&str>);
}

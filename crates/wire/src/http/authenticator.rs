//! Where a transport gets its credentials from, and whom it asks when a server rejects them.
//!
//! The transport knows no OAuth. It asks an [`Authenticator`] for headers before it sends, and tells
//! it of a 401 or 403 before the session: the request is parked until the authenticator has decided,
//! and then sent once more or reported as refused.

use std::{fmt, net::IpAddr};

use futures_util::future::BoxFuture;
use reqwest::{
    Response, StatusCode, Url,
    header::{HeaderValue, WWW_AUTHENTICATE},
};

use crate::{ExchangeId, Header, Verb};

/// How often a rejected request is sent once more: for an expired token, for a missing one, and
/// for scopes that turn out to be missing one after the other.
pub(crate) const MAX_AUTH_RETRIES: u32 = 4;

/// How often it is sent once more besides because its proof lacked the server's newest nonce.
pub(crate) const MAX_NONCE_RETRIES: u32 = 3;

/// The header in which a server hands out a nonce (RFC 9449, section 8).
pub(crate) const DPOP_NONCE: &str = "dpop-nonce";

/// A request for which credentials are needed.
#[derive(Clone, Debug)]
pub struct AuthRequest {
    /// The exchange that it opens.
    pub exchange: ExchangeId,
    /// The verb.
    pub verb: Verb,
    /// The absolute URL. May hold secrets in its query.
    pub url: String,
    /// The operation of the user that it belongs to.
    pub operation: Option<u64>,
}

/// The headers that authorize one request.
#[derive(Clone)]
pub struct Credentials {
    /// What is added to the request. Secret.
    pub headers: Vec<Header>,
    /// The token that they were made from, so that a rejection can be told apart from one of an
    /// older token. 0 stands for no token at all.
    pub token_id: u64,
    /// They are good for [`AuthRequest::url`] alone: a redirect needs other ones.
    pub url_bound: bool,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("token_id", &self.token_id)
            .finish_non_exhaustive()
    }
}

/// A response that rejects the credentials of a request, or asks for some.
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
    /// How often this request was sent once more before ([`RetryDecision::Retry`]).
    pub retries: u32,
    /// The address of who sent it; `None` when it came through a proxy.
    pub peer: Option<IpAddr>,
    /// The URL that was asked; after a redirect, where that led.
    pub url: Url,
}

/// Reads a rejection: 401 always, 403 where it says what is missing. `proxied` when a proxy handed it
/// on.
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

/// What becomes of a rejected request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// Send it once more, with new credentials.
    Retry,
    /// Only the nonce was missing or old: send it once more, and do not count it in
    /// [`Rejection::retries`].
    RetryNonce,
    /// The rejection is the answer.
    GiveUp,
}

/// Provides the credentials of requests. Implementations never see a body.
pub trait Authenticator: Send + Sync + 'static {
    /// The credentials for a request, if there are any at once. `None` asks the transport to wait
    /// for [`Authenticator::credentials`], which may take as long as a refresh.
    fn try_credentials(&self, request: &AuthRequest) -> Option<Credentials>;

    /// The credentials for a request, as soon as there are any.
    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> BoxFuture<'a, Credentials>;

    /// The server rejected a request. Waits for whatever has to be done about it, the user included;
    /// dropped when nobody wants the answer any more.
    fn on_rejection<'a>(
        &'a self,
        request: &'a AuthRequest,
        rejection: Rejection,
    ) -> BoxFuture<'a, RetryDecision>;

    /// The head of an answer that was no rejection arrived, with this `DPoP-Nonce`. Must return at
    /// once.
    fn on_response(&self, dpop_nonce: Option<&str>);
}

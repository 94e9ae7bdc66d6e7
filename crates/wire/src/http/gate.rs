//! What lets requests in: a token, and what is done when the server refuses one.
//!
//! The transport knows no OAuth. It asks a [`Gate`] for headers before it sends, and tells it of a
//! refusal before anybody else: the request is parked until the gate has an opinion, and then sent
//! once more or reported as refused.

use std::fmt;

use futures_util::future::BoxFuture;
use reqwest::{
    StatusCode,
    header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE},
};

use crate::{ExchangeId, Header, Verb};

/// How often a refused request is sent once more: for an expired token, for a missing one, and
/// for scopes that turn out to be missing one after the other.
pub(crate) const REFUSALS: u32 = 4;

/// How often it is besides for a formality.
pub(crate) const FORMALITIES: u32 = 3;

/// RFC 9449, section 8.
pub(crate) const NONCE: &str = "dpop-nonce";

/// A request for which headers are needed.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Names it.
    pub exchange: ExchangeId,
    /// The verb.
    pub verb: Verb,
    /// The absolute URL. May hold secrets in its query.
    pub url: String,
    /// The user-visible call it belongs to.
    pub call: Option<u64>,
}

/// Headers that let a request in.
#[derive(Clone)]
pub struct Pass {
    /// What is added to the request. Secret.
    pub headers: Vec<Header>,
    /// Names what they were made from, so that a refusal can be told apart from one of an older
    /// token. 0 stands for no token at all.
    pub token: u64,
    /// It was made for [`Asking::url`]: another address needs another one.
    pub here_only: bool,
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass")
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}

/// A server's no.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// 401 or 403.
    pub status: u16,
    /// Every `WWW-Authenticate` header, as received.
    pub challenges: Vec<String>,
    /// `DPoP-Nonce`, as received (RFC 9449, section 9).
    pub nonce: Option<String>,
    /// The token that was refused, as [`Pass::token`] named it.
    pub token: u64,
    /// How often this request was refused before.
    pub before: u32,
}

/// What an answer refuses, if it does: 401 always, 403 where it says what is missing.
pub(crate) fn refusal(status: StatusCode, headers: &HeaderMap) -> Option<Refusal> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let challenges: Vec<String> = headers.get_all(WWW_AUTHENTICATE).iter().map(text).collect();
    let refused = match status {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => !challenges.is_empty(),
        _ => false,
    };
    refused.then(|| Refusal {
        status: status.as_u16(),
        challenges,
        nonce: headers.get(NONCE).map(text),
        token: 0,
        before: 0,
    })
}

/// What becomes of a refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Send it once more, with a new pass.
    Again,
    /// The pass was right but for a formality: send it once more, and do not count the refusal in
    /// [`Refusal::before`].
    Repeat,
    /// The refusal stands.
    Final,
}

/// Lets requests in. Implementations never see a body.
pub trait Gate: Send + Sync + 'static {
    /// The pass for a request, if there is one at once. `None` asks the transport to wait for
    /// [`Gate::pass`], which may take as long as a refresh.
    fn ready(&self, asking: &Asking) -> Option<Pass>;

    /// The pass for a request, as soon as there is one.
    fn pass<'a>(&'a self, asking: &'a Asking) -> BoxFuture<'a, Pass>;

    /// The server refused a request. Waits for whatever has to be done about it, the user included;
    /// dropped when nobody wants the answer any more.
    fn refused<'a>(&'a self, asking: &'a Asking, refusal: Refusal) -> BoxFuture<'a, Verdict>;

    /// The head of an answer that was no refusal arrived. Must return at once.
    fn heard(&self, nonce: Option<&str>);
}

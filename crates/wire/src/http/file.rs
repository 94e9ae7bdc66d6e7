//! A file on the server's own host, outside of any session: fetched without credentials and only within its origin.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use bytes::Bytes;
use reqwest::{
    Client,
    header::{ACCEPT, HeaderMap, HeaderValue, USER_AGENT},
    redirect, retry,
};

use super::{
    Network, body,
    exchange::{REDIRECTS, all_headers, not_followed, redirect as redirected, version},
    failure::{classify, innermost},
    request,
};
use crate::{
    Body, Cause, Direction, Entry, EntryKind, ExchangeId, Header, Label, RedirectReason, Tap, Verb,
    WireError,
};

/// First exchange number of fetched files, far above those of a session, which begin at 0.
const FIRST_EXCHANGE: u64 = 1 << 48;

static NEXT_EXCHANGE: AtomicU64 = AtomicU64::new(FIRST_EXCHANGE);

/// A file to fetch, with its limits.
#[derive(Clone, Debug)]
pub struct FileRequest {
    /// An absolute `http` or `https` URL.
    pub url: String,
    /// Settings of the connection. Its client certificate is not used, because it is a credential.
    pub network: Network,
    /// `Accept`.
    pub accept: &'static str,
    /// Limit for the whole fetch.
    pub time: Duration,
    /// The largest file in bytes, decoded.
    pub limit: usize,
    /// Cause of the request, for the log.
    pub cause: Cause,
}

/// Reasons for which a file could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The request failed, or its response is not a file.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The URL has a user name or a password, which would be sent.
    #[error("its URL has a user name or a password")]
    Login,
    /// The whole fetch took too long.
    #[error("it took longer than {seconds} seconds")]
    TooSlow {
        /// The limit in seconds.
        seconds: u64,
    },
    /// The file is larger than the limit.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

/// Fetches a file with a GET without the user's headers, cookies or credentials. Redirects are followed within the
/// origin. Every frame is recorded.
///
/// # Errors
/// Those of [`FileError`].
pub async fn fetch_file(file: FileRequest, tap: &dyn Tap) -> Result<Bytes, FileError> {
    let exchange = ExchangeId(NEXT_EXCHANGE.fetch_add(1, Ordering::Relaxed));
    let fetch = Fetch {
        exchange,
        file,
        tap,
    };
    let time = fetch.file.time;
    let result = tokio::time::timeout(time, fetch.run())
        .await
        .unwrap_or_else(|_| {
            Err(FileError::TooSlow {
                seconds: time.as_secs(),
            })
        });
    if let Err(error) = &result {
        fetch.record(
            Direction::In,
            EntryKind::Note(error.to_string()),
            Body::Empty,
        );
    }
    result
}

struct Fetch<'a> {
    exchange: ExchangeId,
    file: FileRequest,
    tap: &'a dyn Tap,
}

impl Fetch<'_> {
    async fn run(&self) -> Result<Bytes, FileError> {
        let mut url = request::address(&self.file.url)?;
        // User name and password would become a header.
        if !has_no_login(&url) {
            return Err(FileError::Login);
        }
        url.set_fragment(None);
        let network = Network {
            identity: None,
            ..self.file.network.clone()
        };
        let proxy = network.proxy_address(&url);
        let client = network
            .client(&url)?
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .build()
            .map_err(|error| WireError::BadSetting {
                what: "the network settings".to_owned(),
                reason: innermost(&error),
            })?;
        let mut followed = 0;
        loop {
            let response = self.get(&client, &url, proxy.as_deref()).await?;
            let status = response.status();
            if let Some(location) = redirected(status, response.headers()) {
                let next = match url.join(&location) {
                    Ok(next) if next.origin() == url.origin() && has_no_login(&next) => Ok(next),
                    Ok(_) => Err(RedirectReason::AnotherOrigin),
                    Err(_) => Err(RedirectReason::BadUrl),
                };
                match next {
                    Ok(next) if followed < REDIRECTS => {
                        followed += 1;
                        url = next;
                        continue;
                    }
                    next => return Err(not_followed(status, &url, location, next.err()).into()),
                }
            }
            if !status.is_success() {
                return Err(WireError::Status {
                    status: status.as_u16(),
                    content_type: None,
                    snippet: String::new(),
                }
                .into());
            }
            let bytes = self.read(response, &url, proxy.as_deref()).await?;
            self.record(
                Direction::In,
                EntryKind::NonMessage,
                Body::Bytes(bytes.clone()),
            );
            return Ok(bytes);
        }
    }

    /// Sends the request and records both heads.
    async fn get(
        &self,
        client: &Client,
        url: &reqwest::Url,
        proxy: Option<&str>,
    ) -> Result<reqwest::Response, WireError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.file.accept));
        headers.insert(USER_AGENT, HeaderValue::from_static(request::USER_AGENT));
        self.record(
            Direction::Out,
            EntryKind::RequestHead {
                verb: Verb::Get,
                url: url.to_string(),
                headers: all_headers(&headers),
            },
            Body::Empty,
        );
        let response = client
            .get(url.clone())
            .headers(headers)
            .send()
            .await
            .map_err(|error| classify(&error, url, proxy))?;
        let headers: Vec<Header> = all_headers(response.headers());
        self.record(
            Direction::In,
            EntryKind::ResponseHead {
                status: response.status().as_u16(),
                version: version(response.version()),
                headers,
            },
            Body::Empty,
        );
        Ok(response)
    }

    async fn read(
        &self,
        response: reqwest::Response,
        url: &reqwest::Url,
        proxy: Option<&str>,
    ) -> Result<Bytes, FileError> {
        let limit = self.file.limit;
        let too_large = || FileError::TooLarge { limit };
        let mut body = body::Body::new(response, None);
        if body.expected() > limit as u64 {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        loop {
            match body.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() > limit => return Err(too_large()),
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => return Ok(bytes.into()),
                Err(body::Broken::Connection(error)) => {
                    return Err(classify(&error, url, proxy).into());
                }
                Err(body::Broken::Wire(error)) => return Err(error.into()),
            }
        }
    }

    fn record(&self, direction: Direction, kind: EntryKind, body: Body) {
        let cause = matches!(kind, EntryKind::RequestHead { .. }).then_some(self.file.cause);
        let label = Label {
            cause,
            ..Label::default()
        };
        self.tap.record(Entry {
            exchange: Some(self.exchange),
            label,
            ..Entry::new(direction, kind, body)
        });
    }
}

fn has_no_login(url: &reqwest::Url) -> bool {
    url.username().is_empty() && url.password().is_none()
}

//! One request outside the exchanges of a session: the opening handshake of a WebSocket.

use reqwest::{Request, Response};

use super::{
    HttpSpec, Rejection, authenticator,
    body::Body,
    exchange::{Collected, MediaType, media_type},
    failure::{address, classify},
    request::Requests,
};
use crate::{ExchangeId, Header, Label, Outgoing, Verb, WireError};

/// Makes requests with a wire's settings, without being a wire.
pub(crate) struct UpgradeRequest {
    requests: Requests,
    connect_timeout: std::time::Duration,
}

impl UpgradeRequest {
    pub(crate) fn new(spec: &HttpSpec) -> Result<Self, WireError> {
        Ok(Self {
            requests: Requests::new(spec)?,
            connect_timeout: spec.connect_timeout,
        })
    }

    /// Returns the URL of the handshake. May hold secrets.
    pub(crate) fn url(&self) -> String {
        self.requests.url().to_string()
    }

    /// Prepares a GET with these headers and credentials; returns it and all headers as the log shows them.
    pub(crate) fn send_upgrade(
        &self,
        headers: &[Header],
        credentials: &[Header],
    ) -> Result<(Request, Vec<Header>), WireError> {
        let outgoing = Outgoing {
            exchange: ExchangeId(0),
            verb: Verb::Get,
            text: None,
            headers: headers.to_vec(),
            label: Label::default(),
        };
        let prepared = self.requests.prepare(&outgoing, credentials)?;
        Ok((prepared.request, prepared.headers))
    }

    /// Sends the request and waits for the head of its response, at most the connect timeout.
    pub(crate) async fn execute(&self, request: Request) -> Result<Response, WireError> {
        let answer = self.requests.client().execute(request);
        match tokio::time::timeout(self.connect_timeout, answer).await {
            Ok(answer) => answer.map_err(|error| self.failed(&error)),
            Err(_) => Err(WireError::ConnectTimeout {
                address: address(self.requests.url()),
            }),
        }
    }

    /// Reads the rejection of the credentials, if the response is a rejection.
    pub(crate) fn rejection(&self, response: &Response) -> Option<Rejection> {
        authenticator::rejection(response, self.requests.proxy().is_some())
    }

    /// Reads the body of a response that refuses the upgrade, at most the connect timeout, and keeps it up to `limit`
    /// bytes. Returns false if it breaks off. An event stream may have no end: its first piece is enough.
    pub(crate) async fn read_refusal(
        &self,
        response: Response,
        limit: usize,
        refusal: &mut Collected,
    ) -> bool {
        let is_stream = matches!(media_type(response.headers()), MediaType::EventStream);
        let mut body = Body::new(response, None);
        let read = async {
            while let Ok(chunk) = body.chunk().await {
                let Some(chunk) = chunk else { return true };
                refusal.add(&chunk, limit);
                if is_stream {
                    return true;
                }
            }
            false
        };
        let read = tokio::time::timeout(self.connect_timeout, read).await;
        read.unwrap_or(false)
    }

    pub(crate) fn failed(&self, error: &reqwest::Error) -> WireError {
        classify(error, self.requests.url(), self.requests.proxy())
    }
}

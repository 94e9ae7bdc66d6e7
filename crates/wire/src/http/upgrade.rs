//! One request outside the exchanges of a session: the opening handshake of a WebSocket.

use reqwest::{Request, Response};

use super::{
    HttpSpec, Rejection, authenticator,
    body::Body,
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

    /// Reads the body of a response that refuses the upgrade, until it has more than `limit` bytes, at most the connect
    /// timeout.
    pub(crate) async fn refusal(&self, response: Response, limit: usize) -> Vec<u8> {
        let mut body = Body::new(response, None);
        let mut bytes = Vec::new();
        let read = async {
            while bytes.len() <= limit
                && let Ok(Some(chunk)) = body.chunk().await
            {
                bytes.extend_from_slice(&chunk);
            }
        };
        let _ = tokio::time::timeout(self.connect_timeout, read).await;
        bytes
    }

    pub(crate) fn failed(&self, error: &reqwest::Error) -> WireError {
        classify(error, self.requests.url(), self.requests.proxy())
    }
}

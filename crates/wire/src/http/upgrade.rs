//! One request outside the exchanges of a session: the opening handshake of a WebSocket.

use reqwest::{Request, Response};

use super::{
    HttpSpec, Rejection, authenticator,
    failure::{address, classify},
    request::Requests,
};
use crate::{ExchangeId, Header, Label, Outgoing, Verb, WireError, text::beginning};

/// Characters of a rejection's body that are kept.
const SNIPPET_CHARS: usize = 512;

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

    /// Reads the beginning of the body of a response that refuses the upgrade.
    pub(crate) async fn beginning(&self, mut response: Response) -> String {
        let first = tokio::time::timeout(self.connect_timeout, response.chunk()).await;
        match first {
            Ok(Ok(Some(bytes))) => beginning(&String::from_utf8_lossy(&bytes), SNIPPET_CHARS),
            _ => String::new(),
        }
    }

    pub(crate) fn failed(&self, error: &reqwest::Error) -> WireError {
        classify(error, self.requests.url(), self.requests.proxy())
    }
}

//! How well an open session works, by everything that happened in it.

/// What is known of an open session. By default it is healthy. Whatever works again takes back what
/// spoke against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Of what the server says on its own.
    pub stream: Option<StreamProblem>,
    /// Of requests.
    pub requests: Option<RequestProblem>,
}

/// What the server says on its own does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamProblem {
    /// Its stream broke; it will be opened again.
    Lost,
    /// Its stream is over, and no attempt follows.
    Over,
}

/// What is the matter with requests. Reasons are without the full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestProblem {
    /// The last one has no response. The next one may.
    Failed {
        /// Why.
        why: String,
    },
    /// Nothing gets through to the server: more than one sign says so, and nothing worked since.
    Unreachable {
        /// Why, by the last sign.
        why: String,
    },
    /// The server does not know the session id and said so with HTTP 400, where the specification
    /// wants 404 (Streamable HTTP, Session Management). Only another session helps.
    SessionRejected,
    /// The process closed its standard output: no response can come any more.
    OutputClosed,
}

//! Health of an open session, by everything that happened in it.

/// Health of an open session, healthy by default. Anything that works again clears the problem that it
/// disproves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Problem with messages that the server sends on its own.
    pub stream: Option<StreamProblem>,
    /// Problem with requests.
    pub requests: Option<RequestProblem>,
}

/// Reasons why messages that the server sends on its own do not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamProblem {
    /// Their stream broke; it will be opened again.
    Lost,
    /// Their stream is over, and no attempt follows.
    Over,
}

/// Problems with requests. Reasons have no full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestProblem {
    /// The last request got no response. The next one may.
    Failed {
        /// The reason.
        why: String,
    },
    /// The server cannot be reached: there were at least two failures, and no success in between.
    Unreachable {
        /// The reason, by the last sign.
        why: String,
    },
    /// The server does not know the session id and said so with HTTP 400, where the specification
    /// wants 404 (Streamable HTTP, Session Management). Only another session helps.
    SessionRejected,
    /// The process closed its standard output: no response can come any more.
    OutputClosed,
}

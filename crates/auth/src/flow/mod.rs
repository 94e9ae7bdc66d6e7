//! OAuth 2.1 as MCP asks for it: a function for each step, without any state of its own.

// Which addresses are reached, and how.
pub(crate) mod address_policy;
pub(crate) mod http_client;

// What the server says.
pub mod challenge;
pub(crate) mod discovery;
pub(crate) mod metadata;
pub(crate) mod scope;
pub(crate) mod violations;

// Who this client is.
pub(crate) mod client;

// The way to a token.
pub(crate) mod authorization;
pub(crate) mod loopback;
pub(crate) mod token;

// What is random, and what is signed.
pub(crate) mod random;

pub(crate) mod dpop;
pub(crate) mod jwt;

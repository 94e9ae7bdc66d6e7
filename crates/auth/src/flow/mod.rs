//! OAuth 2.1 as MCP asks for it: one step each, without any memory of its own.

// Who is reached, and how.
pub(crate) mod agent;
pub(crate) mod reach;

// What the server says.
pub(crate) mod challenge;
pub(crate) mod discovery;
pub(crate) mod metadata;
pub(crate) mod scope;

// Who this client is.
pub(crate) mod client;

// The way to a token.
pub(crate) mod authorization;
pub(crate) mod loopback;
pub(crate) mod token;

// What is signed.
pub(crate) mod dpop;
pub(crate) mod jwt;

//! OAuth 2.1 as MCP requires it: a stateless function for each step.

// Addresses that may be reached, and requests to them.
pub(crate) mod address_policy;
pub(crate) mod http_client;

// Challenges and metadata of the server.
pub mod challenge;
pub(crate) mod discovery;
pub(crate) mod metadata;
pub(crate) mod scope;
pub(crate) mod violations;

// Identity of this client.
pub(crate) mod client;

// The steps that lead to a token.
pub(crate) mod authorization;
pub(crate) mod loopback;
pub(crate) mod token;

// Random texts and signatures.
pub(crate) mod random;

pub(crate) mod dpop;
pub(crate) mod jwt;

//! Options of the peer, which a test can change while the peer runs.

use crate::http_peer::Gate;

/// Behaviour of the authorization server and of the protected server.
#[derive(Clone, Debug)]
pub struct PeerOptions {
    /// Lifetime of access tokens, in seconds; `None` means unlimited, and then the response does not mention it.
    pub token_seconds: Option<u64>,
    /// Number of characters appended to every token, for tokens that do not fit into one keyring entry.
    pub padding: usize,
    /// Number of further members that look like secrets in every response with a token, and in those of `fail_tokens`;
    /// different each time.
    pub more_secrets: usize,
    /// Condition for issuing a refresh token.
    pub refresh_tokens: RefreshTokens,
    /// A refresh issues a new refresh token and makes the old one invalid at once.
    pub rotate: bool,
    /// Number of next refreshes that are refused with `invalid_grant`; their tokens become invalid.
    pub refuse_refreshes: u32,
    /// Number of next token requests that fail with 500, without any effect.
    pub fail_tokens: u32,
    /// Gate for responses of the token endpoint, which take effect before it.
    pub hold_tokens: Option<Gate>,
    /// Number of next responses of the token endpoint that are replaced by a cut connection, after taking effect.
    pub drop_tokens: u32,
    /// Descriptions of errors repeat the secrets of the request.
    pub echo: bool,
    /// Responses write `/` and `+` as escapes, which JSON allows.
    pub escape: bool,
    /// Milliseconds before each response of the protected server begins.
    pub server_delay: u64,
    /// `issuer` in the metadata instead of the right one.
    pub issuer: Option<String>,
    /// Only the OpenID Connect location has metadata.
    pub open_id_only: bool,
    /// The metadata promises PKCE with S256.
    pub pkce: bool,
    /// The metadata has a registration endpoint.
    pub registration: bool,
    /// Registered clients get a secret and have to show it.
    pub client_secrets: bool,
    /// The metadata has a revocation endpoint.
    pub revocation: bool,
    /// The metadata lists `offline_access`.
    pub offline_access: bool,
    /// The issuer in the browser's return address.
    pub iss: Iss,
    /// The browser returns with a wrong state.
    pub wrong_state: bool,
    /// The user denies access.
    pub deny: bool,
    /// Target of redirects of metadata requests, which keep the path.
    pub redirect_metadata: Option<String>,
    /// The challenge has the address of the resource's metadata.
    pub challenge_metadata: bool,
    /// The guarded server has no metadata of the resource and is its own authorization server, as in 2025-03-26.
    pub own_auth_server: bool,
    /// The protocol version that the guarded server speaks instead of the client's.
    pub revision: Option<&'static str>,
    /// The scope that calls of the tool `write` need.
    pub write_scope: String,
    /// The server accepts no token at all.
    pub refuse_all: bool,
    /// `resource` in the resource's metadata instead of the endpoint's address.
    pub resource: Option<String>,
    /// The authorization server in the resource's metadata instead of the peer's own.
    pub authorization_server: Option<String>,
    /// Target of redirects (307) of requests to the endpoint.
    pub redirect_mcp: Option<String>,
    /// GET opens a stream; otherwise it gets a 405.
    pub listener: bool,
}

impl Default for PeerOptions {
    fn default() -> Self {
        Self {
            token_seconds: Some(3_600),
            padding: 0,
            more_secrets: 0,
            refresh_tokens: RefreshTokens::Always,
            rotate: true,
            refuse_refreshes: 0,
            fail_tokens: 0,
            hold_tokens: None,
            drop_tokens: 0,
            echo: false,
            escape: false,
            server_delay: 0,
            issuer: None,
            open_id_only: false,
            pkce: true,
            registration: true,
            client_secrets: false,
            revocation: true,
            offline_access: false,
            iss: Iss::Right,
            wrong_state: false,
            deny: false,
            redirect_metadata: None,
            challenge_metadata: true,
            own_auth_server: false,
            revision: None,
            write_scope: "write".to_owned(),
            refuse_all: false,
            resource: None,
            authorization_server: None,
            redirect_mcp: None,
            listener: true,
        }
    }
}

/// Conditions for issuing a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshTokens {
    /// With every access token.
    EveryGrant,
    /// With every access token that a user allowed.
    Always,
    /// If `offline_access` was asked for.
    OfflineAccess,
    /// Never.
    Never,
}

/// Statements about the issuer (RFC 9207): promised in the metadata, and sent in the return address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Iss {
    /// Promised, and correct.
    Right,
    /// Not promised, but correct.
    Unadvertised,
    /// Not promised, and missing.
    Silent,
    /// Promised, but missing.
    Missing,
    /// Promised, with this value.
    Wrong(String),
    /// Not promised, with this value.
    Unexpected(String),
}

impl Iss {
    /// True if the metadata promises it.
    pub(super) fn promised(&self) -> bool {
        matches!(self, Iss::Right | Iss::Missing | Iss::Wrong(_))
    }

    /// Returns the `iss` value of the return address.
    pub(super) fn value(&self, issuer: &str) -> Option<String> {
        match self {
            Iss::Right | Iss::Unadvertised => Some(issuer.to_owned()),
            Iss::Silent | Iss::Missing => None,
            Iss::Wrong(other) | Iss::Unexpected(other) => Some(other.clone()),
        }
    }
}

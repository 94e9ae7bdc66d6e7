//! Problems of signing in, as sentences for the user and a code for the window.

use serde::{Serialize, Serializer};
use sonde_findings::SpecLink;
use ts_rs::TS;

use crate::limits::words;

/// Sections of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    Challenge,
    ResourceMetadata,
    ServerMetadata,
    IssuerEquality,
    Pkce,
    ClientRegistration,
    MetadataDocument,
    DynamicRegistration,
    ScopeSelection,
    StepUp,
    State,
    ResponseIssuer,
    ResourceParameter,
    AuthorizationRequest,
    AuthorizationResponse,
    TokenRequest,
    TokenUse,
    Refresh,
    Revocation,
    Dpop,
    ClientCredentials,
    Enterprise,
    Workload,
    CommunicationSecurity,
    Discovery,
    Redirect,
}

impl Spec {
    /// Returns a plain name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns the URL.
    #[must_use]
    pub fn url(self) -> String {
        let (_, page) = self.entry();
        match page.strip_prefix("mcp:") {
            Some(page) => format!(
                "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization{page}"
            ),
            None => match page.strip_prefix("ext:") {
                Some(page) => format!("https://modelcontextprotocol.io/extensions/auth/{page}"),
                None => format!("https://www.rfc-editor.org/rfc/{page}"),
            },
        }
    }

    fn entry(self) -> (&'static str, &'static str) {
        match self {
            Spec::Challenge => (
                "Protected resource metadata: WWW-Authenticate",
                "rfc9728#section-5.1",
            ),
            Spec::ResourceMetadata => (
                "Authorization: protected resource metadata",
                "mcp:/authorization-server-discovery#protected-resource-metadata-discovery-requirements",
            ),
            Spec::ServerMetadata => (
                "Authorization: authorization server metadata discovery",
                "mcp:/authorization-server-discovery#authorization-server-metadata-discovery",
            ),
            Spec::IssuerEquality => (
                "Authorization server metadata: validation",
                "rfc8414#section-3.3",
            ),
            Spec::Pkce => (
                "Authorization: authorization code protection",
                "mcp:/security-considerations#authorization-code-protection",
            ),
            Spec::ClientRegistration => (
                "Authorization: client registration",
                "mcp:/client-registration",
            ),
            Spec::MetadataDocument => (
                "Authorization: client ID metadata documents",
                "mcp:/client-registration#client-id-metadata-documents",
            ),
            Spec::DynamicRegistration => (
                "Authorization: dynamic client registration",
                "mcp:/client-registration#dynamic-client-registration",
            ),
            Spec::ScopeSelection => (
                "Authorization: scope selection",
                "mcp:#scope-selection-strategy",
            ),
            Spec::StepUp => ("Authorization: step-up", "mcp:#step-up-authorization-flow"),
            Spec::State => (
                "OAuth 2.0: cross-site request forgery",
                "rfc6749#section-10.12",
            ),
            Spec::ResponseIssuer => ("Issuer identification in responses", "rfc9207#section-2.4"),
            Spec::ResourceParameter => (
                "Authorization: resource parameter",
                "mcp:#resource-parameter-implementation",
            ),
            Spec::AuthorizationRequest => {
                ("OAuth 2.0: authorization request", "rfc6749#section-4.1.1")
            }
            Spec::AuthorizationResponse => {
                ("OAuth 2.0: authorization response", "rfc6749#section-4.1.2")
            }
            Spec::TokenRequest => ("OAuth 2.0: access token request", "rfc6749#section-4.1.3"),
            Spec::TokenUse => (
                "Authorization: access token usage",
                "mcp:#access-token-usage",
            ),
            Spec::Refresh => ("OAuth 2.0: refreshing an access token", "rfc6749#section-6"),
            Spec::Revocation => ("Token revocation", "rfc7009#section-2"),
            Spec::Dpop => ("Demonstrating proof of possession", "rfc9449#section-4"),
            Spec::ClientCredentials => (
                "Extension: client credentials",
                "ext:oauth-client-credentials",
            ),
            Spec::Enterprise => (
                "Extension: enterprise-managed authorization",
                "ext:enterprise-managed-authorization",
            ),
            Spec::Workload => ("JWT as authorization grant", "rfc7523#section-2.1"),
            Spec::CommunicationSecurity => (
                "Authorization: communication security",
                "mcp:/security-considerations#communication-security",
            ),
            Spec::Discovery => ("Authorization: overview", "mcp:"),
            Spec::Redirect => (
                "OAuth for native apps: loopback redirect",
                "rfc8252#section-7.3",
            ),
        }
    }
}

impl From<Spec> for SpecLink {
    fn from(spec: Spec) -> Self {
        Self {
            name: spec.name().to_owned(),
            url: spec.url(),
        }
    }
}

/// Kinds of problems, for the decisions of callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A retry without a change would fail again.
    Permanent,
    /// The user gave up, or the time limit passed.
    Cancelled,
    /// A fault of the network or a temporary problem of a server: a retry may help.
    Transient,
    /// The refresh token, code or assertion is not valid (any more).
    InvalidGrant,
}

/// Reason for a failed sign-in, or a fault of a sign-in that worked. Never holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, TS)]
#[error("{title}{}{cause}", if cause.is_empty() { "" } else { " " })]
#[ts(rename = "AuthProblem")]
pub struct Problem {
    /// A stable name in snake_case, for example `issuer_mismatch`, `no_pkce`, `refused`,
    /// `client_needed`, `cancelled`, `timed_out`.
    pub code: &'static str,
    /// Kind of the problem, for the decisions of callers.
    #[serde(skip)]
    pub kind: ProblemKind,
    /// The event, as one plain sentence.
    pub title: String,
    /// The cause, as one plain sentence; empty when the title says it all.
    pub cause: String,
    /// The next steps for the user, as plain sentences.
    pub advice: Vec<String>,
    /// Technical detail; may quote what a server wrote.
    pub detail: Option<String>,
    /// The section of the specification that the problem is about.
    #[serde(serialize_with = "as_link")]
    #[ts(as = "Option<SpecLink>")]
    pub spec: Option<Spec>,
}

fn as_link<S: Serializer>(spec: &Option<Spec>, serializer: S) -> Result<S::Ok, S::Error> {
    spec.map(SpecLink::from).serialize(serializer)
}

impl Problem {
    pub(crate) fn new(code: &'static str, title: impl Into<String>) -> Self {
        Self {
            code,
            kind: ProblemKind::Permanent,
            title: words(title),
            cause: String::new(),
            advice: Vec::new(),
            detail: None,
            spec: None,
        }
    }

    pub(crate) fn kind(self, kind: ProblemKind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) fn because(self, cause: impl Into<String>) -> Self {
        Self {
            cause: words(cause),
            ..self
        }
    }

    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    pub(crate) fn detail(self, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(words(detail)),
            ..self
        }
    }

    pub(crate) fn see(self, spec: Spec) -> Self {
        Self {
            spec: Some(spec),
            ..self
        }
    }
}

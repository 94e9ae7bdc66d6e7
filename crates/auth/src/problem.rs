//! Problems of signing in, as sentences for the user and a code for the window.

use serde::{Serialize, Serializer};
use sonde_findings::SpecLink;
use ts_rs::TS;

use crate::limits::words;

/// Defines [`Spec`], with the name and the page of each section: `mcp:` begins a page about authorization in the
/// specification, `ext:` one of its extensions, and all others are RFCs.
macro_rules! sections {
    ($($section:ident: $name:literal, $page:literal;)*) => {
        /// Sections of the specification.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Spec {
            $($section,)*
        }

        impl Spec {
            fn entry(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$section => ($name, $page),)*
                }
            }
        }
    };
}

sections! {
    Challenge: "Protected resource metadata: WWW-Authenticate", "rfc9728#section-5.1";
    ResourceMetadata: "Authorization: protected resource metadata",
        "mcp:/authorization-server-discovery#protected-resource-metadata-discovery-requirements";
    ServerMetadata: "Authorization: authorization server metadata discovery",
        "mcp:/authorization-server-discovery#authorization-server-metadata-discovery";
    IssuerEquality: "Authorization server metadata: validation", "rfc8414#section-3.3";
    Pkce: "Authorization: authorization code protection",
        "mcp:/security-considerations#authorization-code-protection";
    ClientRegistration: "Authorization: client registration", "mcp:/client-registration";
    MetadataDocument: "Authorization: client ID metadata documents",
        "mcp:/client-registration#client-id-metadata-documents";
    DynamicRegistration: "Authorization: dynamic client registration",
        "mcp:/client-registration#dynamic-client-registration";
    ScopeSelection: "Authorization: scope selection", "mcp:#scope-selection-strategy";
    StepUp: "Authorization: step-up", "mcp:#step-up-authorization-flow";
    State: "OAuth 2.0: cross-site request forgery", "rfc6749#section-10.12";
    ResponseIssuer: "Issuer identification in responses", "rfc9207#section-2.4";
    AuthorizationRequest: "OAuth 2.0: authorization request", "rfc6749#section-4.1.1";
    AuthorizationResponse: "OAuth 2.0: authorization response", "rfc6749#section-4.1.2";
    TokenRequest: "OAuth 2.0: access token request", "rfc6749#section-4.1.3";
    TokenUse: "Authorization: access token usage", "mcp:#access-token-usage";
    Refresh: "OAuth 2.0: refreshing an access token", "rfc6749#section-6";
    Revocation: "Token revocation", "rfc7009#section-2";
    Dpop: "Demonstrating proof of possession", "rfc9449#section-4";
    ClientCredentials: "Extension: client credentials", "ext:oauth-client-credentials";
    Enterprise: "Extension: enterprise-managed authorization",
        "ext:enterprise-managed-authorization";
    Workload: "JWT as authorization grant", "rfc7523#section-2.1";
    CommunicationSecurity: "Authorization: communication security",
        "mcp:/security-considerations#communication-security";
    Discovery: "Authorization: overview", "mcp:";
    Redirect: "OAuth for native apps: loopback redirect", "rfc8252#section-7.3";
}

impl From<Spec> for SpecLink {
    fn from(spec: Spec) -> Self {
        const MCP: &str = "https://modelcontextprotocol.io";
        let (name, page) = spec.entry();
        let url = match page.split_once(':') {
            Some(("mcp", page)) => {
                format!("{MCP}/specification/2026-07-28/basic/authorization{page}")
            }
            Some((_, page)) => format!("{MCP}/extensions/auth/{page}"),
            None => format!("https://www.rfc-editor.org/rfc/{page}"),
        };
        Self {
            name: name.to_owned(),
            url,
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

//! Discovery of a server's authorization server.

use std::{collections::HashSet, sync::Arc};

use http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sonde_findings::{Finding, rules};
use url::Url;

use super::{
    address_policy::{Source, display_url, is_nearby},
    challenge::ChallengeInfo,
    http_client::HttpClient,
    metadata::{
        ResourceMatch, ResourceMetadata, ServerMetadata, bound, canonical, match_resource,
        resource_locations, server_locations,
    },
    violations::{judge_resource, judge_server},
};
use crate::{
    Problem, Spec,
    limits::ADDRESS,
    problem::ProblemKind,
    trace::{Step, Trace},
};

/// The authorization server and the resource of its tokens.
#[derive(Clone, Debug)]
pub(crate) struct Discovery {
    /// The resource that tokens are for, byte for byte as published.
    pub(crate) resource: String,
    /// `scopes_supported` of the resource.
    pub(crate) scopes: Option<Vec<String>>,
    /// The resource requires tokens bound to a key.
    pub(crate) dpop_required: bool,
    pub(crate) auth_server: AuthorizationServer,
}

/// An authorization server.
#[derive(Clone, Debug)]
pub(crate) struct AuthorizationServer {
    pub(crate) issuer: String,
    pub(crate) authorization_endpoint: Option<Url>,
    pub(crate) token_endpoint: Url,
    pub(crate) registration_endpoint: Option<Url>,
    pub(crate) revocation_endpoint: Option<Url>,
    /// `None` without any metadata (protocol version 2025-03-26).
    pub(crate) metadata: Option<ServerMetadata>,
    /// Limits where its endpoints may be.
    pub(crate) source: Source,
}

/// Input of a discovery.
pub(crate) struct DiscoveryRequest<'a> {
    pub(crate) http_client: &'a HttpClient,
    pub(crate) trace: &'a Arc<dyn Trace>,
    pub(crate) server: &'a Url,
    pub(crate) challenge: &'a ChallengeInfo,
    /// The user's choice.
    pub(crate) issuer: Option<&'a str>,
    /// The issuer that may see the credentials that the user has entered.
    pub(crate) trusted: Option<&'a str>,
    /// Issuers with stored credentials.
    pub(crate) known: &'a HashSet<String>,
}

impl DiscoveryRequest<'_> {
    pub(crate) async fn run(&self) -> Result<Discovery, Problem> {
        let Some((metadata, address, source)) = self.resource().await? else {
            let origin = self.server.origin().ascii_serialization();
            return Ok(Discovery {
                resource: canonical(self.server),
                scopes: None,
                dpop_required: false,
                auth_server: self.origin_auth_server(&origin).await?,
            });
        };
        let step = Step::begin(
            self.trace,
            "resource",
            "Check the resource",
            Spec::ResourceMetadata,
        );
        let resource = match &metadata.resource {
            None => {
                step.add_finding(
                    Finding::new(&rules::RESOURCE_MISMATCH).with("problem", "is missing"),
                );
                step.warn("The metadata names no `resource`; the server's URL is used.");
                canonical(self.server)
            }
            Some(resource) => match match_resource(resource, self.server) {
                ResourceMatch::Exact => {
                    step.done(format!("Tokens are for `{resource}`, the server itself."));
                    resource.clone()
                }
                ResourceMatch::Parent => {
                    step.warn(format!(
                        "Tokens are for `{resource}`, a parent of the server's URL."
                    ));
                    resource.clone()
                }
                ResourceMatch::Mismatch => {
                    let mut problem = elsewhere(resource, self.server, &address);
                    if !self.is_under_another_name(resource) {
                        problem =
                            problem.advise("The server has to publish its own URL as `resource`.");
                        let says = format!("is `{resource}`, not the URL of this server");
                        step.add_finding(
                            Finding::new(&rules::RESOURCE_MISMATCH).with("problem", says),
                        );
                    }
                    step.fail(&problem.title);
                    return Err(problem);
                }
            },
        };
        let servers = metadata.authorization_servers.unwrap_or_default();
        let auth_server = match self.choose(&servers)? {
            Some(issuer) => self.auth_server(&issuer, source).await?,
            None => {
                let origin = self.server.origin().ascii_serialization();
                self.origin_auth_server(&origin).await?
            }
        };
        Ok(Discovery {
            resource,
            scopes: metadata.scopes_supported,
            dpop_required: metadata.dpop_bound_access_tokens_required,
            auth_server,
        })
    }

    /// True if metadata may be for this server under another URL than in the settings: the target of its redirect, or
    /// another name in the same network. Such metadata is not used, but it is not a fault of the server.
    fn is_under_another_name(&self, resource: &str) -> bool {
        let is_for = |url: &Url| match_resource(resource, url) != ResourceMatch::Mismatch;
        let Ok(named) = Url::parse(resource) else {
            return false;
        };
        let redirects = match &self.challenge.url {
            Some(url) => is_for(url),
            // No rejection named another URL, so the server may redirect anywhere within its origin.
            None => named.origin() == self.server.origin(),
        };
        redirects
            || (is_nearby(&named) && is_nearby(self.server)) && {
                let mut server = self.server.clone();
                server.set_host(named.host_str()).is_ok() && is_for(&server)
            }
    }

    /// Fetches the protected resource metadata and its URL; `None` if the server has none.
    async fn resource(&self) -> Result<Option<(ResourceMetadata, Url, Source)>, Problem> {
        let named = self.challenge.resource_metadata.as_deref();
        let bad_challenge = |cause: String| {
            Problem::new(
                "bad_challenge",
                "The server names an invalid URL for its metadata.",
            )
            .because(format!("`resource_metadata` {cause}."))
            .advise("The server has to fix its `WWW-Authenticate` header.")
            .see(Spec::Challenge)
        };
        let locations = match named {
            Some(text) if text.len() > ADDRESS => {
                return Err(bad_challenge(format!("has more than {ADDRESS} bytes")));
            }
            Some(text) => vec![
                Url::parse(text).map_err(|error| bad_challenge(format!("is `{text}`: {error}")))?,
            ],
            None => resource_locations(self.server),
        };
        let source = match named {
            Some(_) => Source::answer(self.server, self.challenge.peer),
            None => Source::user(self.server),
        };
        let mut missing = None;
        let mut all_missing = true;
        let count = locations.len();
        for (place, url) in locations.into_iter().enumerate() {
            let step = Step::begin(
                self.trace,
                "resource_metadata",
                "Get the protected resource metadata",
                Spec::ResourceMetadata,
            );
            match fetch::<ResourceMetadata>(self.http_client, &step, &url, source).await {
                Ok(Fetched::Document(metadata, source, cut)) => {
                    judge_resource(&step, &metadata, self.server);
                    let found = match &metadata.authorization_servers {
                        Some(servers) if !servers.is_empty() => {
                            format!("Authorization servers: {}.", servers.join(", "))
                        }
                        _ => "It names no authorization server.".to_owned(),
                    };
                    end(step, &found, &cut);
                    return Ok(Some((metadata, url, source)));
                }
                Ok(Fetched::Nothing { why, is_missing }) => {
                    missing = Some(Problem::new(
                        "no_resource_metadata",
                        "There is no metadata at the URL that the server names.",
                    )
                    .because(format!(
                        "`{}`: {why} No other URL was tried, as the server names this one.",
                        display_url(&url)
                    ))
                    .advise("The server has to publish it there, or fix its `WWW-Authenticate` header.")
                    .see(Spec::ResourceMetadata));
                    all_missing &= is_missing;
                    if is_missing && named.is_some() {
                        let finding = Finding::new(&rules::MISSING_RESOURCE_METADATA);
                        step.add_finding(finding.with("url", display_url(&url)));
                    } else if all_missing && place + 1 == count && self.challenge.url.is_some() {
                        step.add_finding(Finding::new(&rules::NO_RESOURCE_METADATA));
                    }
                    step.fail(why);
                }
                Err(problem) => {
                    step.fail(&problem.title);
                    return Err(problem);
                }
            }
        }
        match missing.filter(|_| named.is_some()) {
            Some(problem) => Err(problem),
            None => Ok(None),
        }
    }

    fn choose(&self, offered: &[String]) -> Result<Option<String>, Problem> {
        if let Some(wanted) = self.issuer {
            return match offered.iter().any(|issuer| issuer == wanted) {
                true => Ok(Some(wanted.to_owned())),
                false => Err(not_offered(wanted, offered)),
            };
        }
        let trusted = offered.iter().find(|issuer| self.trusted == Some(issuer));
        let known = || offered.iter().find(|issuer| self.known.contains(*issuer));
        Ok(trusted.or_else(known).or(offered.first()).cloned())
    }

    /// Fetches the metadata of an issuer; `source` is where the issuer was named.
    async fn auth_server(
        &self,
        issuer: &str,
        source: Source,
    ) -> Result<AuthorizationServer, Problem> {
        let url = Url::parse(issuer)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .filter(|_| issuer.len() <= ADDRESS)
            .ok_or_else(|| {
                Problem::new(
                    "bad_issuer",
                    "The server names an authorization server that is not a valid URL.",
                )
                .because(match issuer.len() <= ADDRESS {
                    true => format!("`{issuer}`"),
                    false => format!("It has more than {ADDRESS} bytes."),
                })
                .advise("The operator of the server has to fix its metadata.")
                .see(Spec::ResourceMetadata)
            })?;
        match self.server_metadata(issuer, false, &url, source).await? {
            Some((metadata, source)) => self.usable(issuer, &url, metadata, source),
            None => Err(Problem::new(
                "no_server_metadata",
                format!("`{issuer}` publishes no metadata."),
            )
            .because(no_metadata_at(&server_locations(&url)))
            .advise("See the steps for what each URL returned.")
            .see(Spec::ServerMetadata)),
        }
    }

    /// Returns the server's origin as its authorization server. It applies without protected resource metadata; without
    /// any metadata its endpoints are at fixed paths (protocol version 2025-03-26, authorization).
    async fn origin_auth_server(&self, origin: &str) -> Result<AuthorizationServer, Problem> {
        let url = Url::parse(origin).map_err(|error| {
            Problem::new("bad_issuer", "The server's URL has no origin.").because(error.to_string())
        })?;
        let wanted = self.issuer.unwrap_or(origin);
        if wanted.strip_suffix('/').unwrap_or(wanted) != origin {
            return Err(not_offered(wanted, &[]));
        }
        let source = Source::user(self.server);
        if let Some((metadata, source)) = self.server_metadata(origin, true, &url, source).await? {
            let issuer = metadata.issuer.clone().unwrap_or_else(|| origin.to_owned());
            if self.issuer.is_some() && wanted != issuer {
                return Err(not_offered(wanted, &[issuer]));
            }
            return self.usable(&issuer, &url, metadata, source);
        }
        let step = Step::begin(
            self.trace,
            "default_endpoints",
            "Fall back to the default endpoints of 2025-03-26",
            Spec::ServerMetadata,
        );
        step.warn("The server publishes no metadata: trying /authorize, /token and /register.");
        let at = |path: &str| {
            let mut url = url.clone();
            url.set_path(path);
            url
        };
        Ok(AuthorizationServer {
            issuer: wanted.to_owned(),
            authorization_endpoint: Some(at("/authorize")),
            token_endpoint: at("/token"),
            registration_endpoint: Some(at("/register")),
            revocation_endpoint: None,
            metadata: None,
            source,
        })
    }

    /// Fetches metadata that names this issuer. Sonde derives some issuers from an address; their trailing slash means
    /// nothing.
    async fn server_metadata(
        &self,
        issuer: &str,
        derived: bool,
        url: &Url,
        source: Source,
    ) -> Result<Option<(ServerMetadata, Source)>, Problem> {
        let mut refused = None;
        let mut all_missing = true;
        let locations = server_locations(url);
        let count = locations.len();
        for (place, url) in locations.into_iter().enumerate() {
            let judge_all = |step: &Step, all_missing| {
                if all_missing && !derived && place + 1 == count {
                    let finding = Finding::new(&rules::MISSING_SERVER_METADATA);
                    step.add_finding(finding.with("issuer", issuer));
                }
            };
            let step = Step::begin(
                self.trace,
                "server_metadata",
                "Get the authorization server metadata",
                Spec::ServerMetadata,
            );
            match fetch::<ServerMetadata>(self.http_client, &step, &url, source).await {
                Ok(Fetched::Document(metadata, source, cut)) => {
                    // "MUST be identical to the authorization server's issuer identifier value"
                    // (RFC 8414, section 3.3): as text, without any normalisation.
                    let named = metadata.issuer.as_deref();
                    let slash =
                        derived && named.and_then(|name| name.strip_suffix('/')) == Some(issuer);
                    if named == Some(issuer) || slash {
                        judge_server(&step, &metadata, &url);
                        end(step, &format!("Issuer: `{issuer}`."), &cut);
                        return Ok(Some((metadata, source)));
                    }
                    let problem = another_issuer(issuer, metadata.issuer.as_deref(), &url);
                    let says =
                        named.map_or("is missing".to_owned(), |named| format!("is `{named}`"));
                    let finding = Finding::new(&rules::ISSUER_MISMATCH).with("expected", issuer);
                    // A guessed address may have any JSON.
                    if named.is_some() || metadata.token_endpoint.is_some() {
                        all_missing = false;
                        step.add_finding(finding.with("problem", says));
                    }
                    judge_all(&step, all_missing);
                    step.fail(&problem.title);
                    refused = Some(problem);
                }
                Ok(Fetched::Nothing { why, is_missing }) => {
                    all_missing &= is_missing;
                    judge_all(&step, all_missing);
                    step.fail(why);
                }
                Err(problem) => {
                    step.fail(&problem.title);
                    return Err(problem);
                }
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// Reads the endpoints. A missing or invalid endpoint fails only the steps that need it.
    fn usable(
        &self,
        issuer: &str,
        base: &Url,
        metadata: ServerMetadata,
        source: Source,
    ) -> Result<AuthorizationServer, Problem> {
        let read = |text: &Option<String>| {
            text.as_deref()
                .and_then(|text| Url::parse(text).ok())
                .filter(|url| url.host().is_some())
        };
        let token_endpoint = read(&metadata.token_endpoint).ok_or_else(|| {
            Problem::new(
                "no_token_endpoint",
                format!("The metadata of `{issuer}` names no token endpoint."),
            )
            .because(format!("It was read from `{}`.", display_url(base)))
            .advise("The operator of the authorization server has to fix it.")
            .see(Spec::ServerMetadata)
        })?;
        Ok(AuthorizationServer {
            issuer: issuer.to_owned(),
            authorization_endpoint: read(&metadata.authorization_endpoint),
            token_endpoint,
            registration_endpoint: read(&metadata.registration_endpoint),
            revocation_endpoint: read(&metadata.revocation_endpoint),
            metadata: Some(metadata),
            source,
        })
    }
}

/// Formats a sentence with the URLs that have no metadata.
fn no_metadata_at(locations: &[Url]) -> String {
    let urls: Vec<_> = locations
        .iter()
        .map(|url| format!("`{}`", display_url(url)))
        .collect();
    format!("There is none at {}.", urls.join(", "))
}

fn not_offered(wanted: &str, offered: &[String]) -> Problem {
    let named = match offered {
        [] => "the server names none".to_owned(),
        offered => format!("the server names {}", offered.join(", ")),
    };
    Problem::new(
        "issuer_not_offered",
        "The server does not name the authorization server from the settings.",
    )
    .because(format!("The settings have `{wanted}`; {named}."))
    .advise("Edit the server and correct or clear the issuer.")
    .see(Spec::ResourceMetadata)
}

fn elsewhere(resource: &str, server: &Url, address: &Url) -> Problem {
    Problem::new(
        "resource_mismatch",
        "The server's metadata is for another server and is not used.",
    )
    .because(format!(
        "`{}` says that tokens are for `{resource}`, but the server is `{}`.",
        display_url(address),
        display_url(server)
    ))
    .advise("If you trust that URL, add the server with it.")
    .see(Spec::ResourceMetadata)
}

fn another_issuer(expected: &str, found: Option<&str>, address: &Url) -> Problem {
    Problem::new(
        "issuer_mismatch",
        "The authorization server's metadata names another issuer and is not used.",
    )
    .because(match found {
        Some(found) => format!(
            "`{}` should contain `{expected}` but contains `{found}`. Both must be identical.",
            display_url(address)
        ),
        None => format!(
            "`{}` should contain `{expected}` but names no issuer.",
            display_url(address)
        ),
    })
    .advise(
        "Its operator has to publish the same text in both places, including the trailing \
             slash.",
    )
    .see(Spec::IssuerEquality)
}

/// Ends a step with the found metadata and its unused parts.
fn end(step: Step, found: &str, cut: &[String]) {
    match cut {
        [] => step.done(found),
        // The text may be long, so unused parts come first.
        cut => step.warn(format!("{} {found}", cut.join(" "))),
    }
}

enum Fetched<T> {
    /// The document, the reach of its addresses, and sentences about its unused parts.
    Document(T, Source, Vec<String>),
    /// No document; the reason, and true if the server says that there is none.
    Nothing { why: String, is_missing: bool },
}

/// Fetches a JSON document. Any other content counts as missing; an unreachable server is a problem.
async fn fetch<T: DeserializeOwned>(
    http_client: &HttpClient,
    step: &Step,
    url: &Url,
    source: Source,
) -> Result<Fetched<T>, Problem> {
    let answer = http_client.get(step, url, source).await?;
    if answer.status.is_server_error() {
        return Err(Problem::new(
            "server_error",
            format!(
                "`{}` returned HTTP status {}.",
                display_url(url),
                answer.status.as_u16()
            ),
        )
        .kind(ProblemKind::Transient)
        .advise("Try again later; the operator's log may have details."));
    }
    if answer.status != StatusCode::OK {
        return Ok(Fetched::Nothing {
            why: format!("HTTP status {}.", answer.status.as_u16()),
            is_missing: matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE),
        });
    }
    // Serde would accept a list as the members of the document in order.
    let object = serde_json::from_slice::<Map<String, Value>>(&answer.body);
    let document = object.and_then(|mut object| {
        let cut = bound(&mut object);
        Ok((T::deserialize(Value::Object(object))?, cut))
    });
    Ok(match document {
        Ok((document, cut)) => Fetched::Document(document, answer.source, cut),
        Err(_) => Fetched::Nothing {
            why: "The response is not a JSON object.".to_owned(),
            is_missing: true,
        },
    })
}

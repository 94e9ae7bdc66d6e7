//! What a server and its authorization server do not do as the specification says: in the challenge, in what they
//! publish and in the authorization response.

use sonde_findings::{Finding, rules};
use url::Url;

use super::{
    address_policy::is_local,
    challenge::ChallengeInfo,
    metadata::{ResourceMetadata, ServerMetadata},
    scope::OFFLINE,
};
use crate::trace::Step;

/// Judges the challenge of a rejection by `server`. `step_up`: the token lacks scopes.
pub(crate) fn judge_challenge(step: &Step, challenge: &ChallengeInfo, server: &Url, step_up: bool) {
    let metadata = challenge.resource_metadata.as_deref();
    if step_up {
        for (member, value) in [
            ("scope", challenge.scope.as_deref()),
            ("resource_metadata", metadata),
        ] {
            if value.is_none() {
                let incomplete = Finding::new(&rules::INCOMPLETE_SCOPE_CHALLENGE);
                step.found(incomplete.with("member", member));
            }
        }
    } else if challenge.scope.is_none() {
        step.found(Finding::new(&rules::CHALLENGE_WITHOUT_SCOPE));
    }
    let problem = metadata.and_then(|text| match Url::parse(text) {
        Err(_) => Some("is not a URL"),
        // A server that does without HTTPS has its metadata where it is.
        Ok(url) if server.scheme() == "https" && is_insecure(&url) => Some("does not use HTTPS"),
        Ok(_) => None,
    });
    if let Some(problem) = problem {
        step.found(Finding::new(&rules::BAD_RESOURCE_METADATA_URL).with("problem", problem));
    }
    let mut scopes = (challenge.scope.as_deref().unwrap_or_default()).split_ascii_whitespace();
    if scopes.any(|scope| scope == OFFLINE) {
        let offline = Finding::new(&rules::OFFLINE_ACCESS_SCOPE);
        step.found(offline.with("place", "the challenge"));
    }
}

/// Judges the metadata of a protected resource.
pub(super) fn judge_resource(step: &Step, metadata: &ResourceMetadata) {
    let servers = metadata.authorization_servers.as_deref();
    // Any JSON may be at an address that nobody named.
    if metadata.resource.is_some() && servers.is_none_or(<[_]>::is_empty) {
        step.found(Finding::new(&rules::NO_AUTHORIZATION_SERVERS));
    }
    for issuer in servers.unwrap_or_default() {
        let problem = match Url::parse(issuer) {
            Err(_) => "is not a URL",
            Ok(url) if is_insecure(&url) => "does not use HTTPS",
            Ok(url) if url.query().is_some() || url.fragment().is_some() => {
                "has a query or a fragment"
            }
            Ok(_) => continue,
        };
        let finding = Finding::new(&rules::BAD_ISSUER).with("issuer", issuer);
        step.found(finding.with("problem", problem));
    }
    let scopes = metadata.scopes_supported.as_deref().unwrap_or_default();
    let is_wildcard =
        |scope: &&String| *scope == "*" || scope.ends_with(":*") || scope.ends_with(".*");
    if let Some(scope) = scopes.iter().find(is_wildcard) {
        step.found(Finding::new(&rules::WILDCARD_SCOPES).with("scope", scope));
    }
    if scopes.iter().any(|scope| scope == OFFLINE) {
        let place = "`scopes_supported` of the protected resource";
        step.found(Finding::new(&rules::OFFLINE_ACCESS_SCOPE).with("place", place));
    }
}

/// Judges the metadata of an authorization server.
pub(super) fn judge_server(step: &Step, metadata: &ServerMetadata) {
    if metadata.registration_endpoint.is_some() && !metadata.client_id_metadata_document_supported {
        step.found(Finding::new(&rules::ONLY_DYNAMIC_REGISTRATION));
    }
    // One without such an endpoint gives out no codes that could be protected.
    if metadata.authorization_endpoint.is_some() && !metadata.advertises_pkce() {
        let problem = match metadata.code_challenge_methods_supported {
            None => "is missing",
            Some(_) => "has no `S256`",
        };
        step.found(Finding::new(&rules::PKCE_NOT_ADVERTISED).with("problem", problem));
    }
    for (member, endpoint) in [
        ("authorization_endpoint", &metadata.authorization_endpoint),
        ("token_endpoint", &metadata.token_endpoint),
        ("registration_endpoint", &metadata.registration_endpoint),
        ("revocation_endpoint", &metadata.revocation_endpoint),
    ] {
        let url = endpoint.as_deref().and_then(|text| Url::parse(text).ok());
        if url.as_ref().is_some_and(is_insecure) {
            let finding = Finding::new(&rules::INSECURE_ENDPOINT).in_member(member);
            step.found(finding.with("member", member));
        }
    }
}

fn is_insecure(url: &Url) -> bool {
    url.scheme() != "https" && !(url.scheme() == "http" && is_local(url))
}

/// Judges who an authorization response says that it comes from. `advertised`: whether the metadata says that responses
/// do so; `None` where there is no metadata.
pub(super) fn judge_response_issuer(
    step: &Step,
    named: Option<&str>,
    issuer: &str,
    advertised: Option<bool>,
) {
    // One that publishes nothing has published no issuer that this could differ from.
    let Some(advertised) = advertised else { return };
    let problem = match named {
        None if advertised => "is missing, though the metadata advertises it".to_owned(),
        Some(named) if named != issuer => format!("is `{named}`, not `{issuer}`"),
        Some(_) if !advertised => {
            return step.found(Finding::new(&rules::UNADVERTISED_RESPONSE_ISSUER));
        }
        _ => return,
    };
    step.found(Finding::new(&rules::BAD_RESPONSE_ISSUER).with("problem", problem));
}
